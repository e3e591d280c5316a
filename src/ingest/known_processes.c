/* The known processes and their mappings as records, for a file that begins in the middle of a recording. */
#include "ingest/ingest.h"

#include <sys/mman.h>

static struct span build_id_bytes(struct span hex, char *to)
{
	size_t size = 0;

	for (; size < BUILD_ID_MAX && 2 * size + 1 < hex.size; size++) {
		uint64_t byte = 0;

		(void)span_hex(span_upto(span_from(hex, 2 * size), 2), &byte);
		to[size] = (char)byte;
	}
	return (struct span){ .at = to, .size = size };
}

struct span ingest_build_id_of(const struct profile *p, module_id m, char *to)
{
	return build_id_bytes(profile_peek(p, p->module[m.i].build_id), to);
}

/*
 * Undoes what jit_map() and kernel_map() in ingest.c do: generated code is memory without a file
 * again, and the offset of the kernel's code is the address of _text.
 */
static void set_mapping(struct mapping *to, const struct ingest *g, const struct map *map, char *id)
{
	*to = (struct mapping){ .addr = map->begin,
				.len = map->end - map->begin,
				.pgoff = map->offset,
				.prot = PROT_READ | PROT_EXEC,
				.path = profile_peek(g->p, g->p->module[map->module.i].path),
				.build_id = ingest_build_id_of(g->p, map->module, id) };
	if (map->kind == FRAME_JIT) {
		to->path = SPAN("//anon");
	} else if (map->kind == FRAME_KERNEL && span_is(to->path, "[kernel.kallsyms]")) {
		to->path = SPAN("[kernel.kallsyms]_text");
		to->pgoff = map->begin - map->offset;
	}
}

static void emit_map(const struct ingest *g, struct record *r, const struct map *map,
		     ingest_sink *sink, void *arg)
{
	char id[BUILD_ID_MAX];

	if (map->name.i) {
		r->kind = RECORD_KSYMBOL;
		r->ksymbol.addr = map->begin;
		r->ksymbol.len = (uint32_t)(map->end - map->begin);
		r->ksymbol.gone = false;
		r->ksymbol.name = profile_peek(g->p, map->name);
	} else {
		r->kind = RECORD_MMAP;
		set_mapping(&r->mmap, g, map, id);
	}
	sink(arg, r);
}

static void emit_maps(const struct ingest *g, const struct maps *maps, const struct record *whose,
		      ingest_sink *sink, void *arg)
{
	for (size_t i = 0; i < maps->nr; i++) {
		struct record r = *whose;

		emit_map(g, &r, &maps->map[i], sink, arg);
	}
}

static void emit_task(const struct ingest *g, const struct task *task, ingest_sink *sink, void *arg)
{
	struct record r = { .kind = RECORD_COMM, .pid = task->pid, .tid = task->tid };

	r.comm.name = profile_peek(g->p, task->comm);
	if (task->comm.i)
		sink(arg, &r);
}

void ingest_known(const struct ingest *g, ingest_sink *sink, void *arg)
{
	const struct processes *all = &g->processes;
	const struct record kernel = { .misc = PERF_RECORD_MISC_KERNEL,
				       .pid = THREAD_NONE,
				       .tid = THREAD_NONE };

	emit_maps(g, all->kernel, &kernel, sink, arg);
	for (size_t i = 0; i < all->cap_task; i++)
		if (all->task[i])
			emit_task(g, all->task[i], sink, arg);
	for (size_t i = 0; i < all->cap_process; i++) {
		struct record r = { .misc = PERF_RECORD_MISC_USER };

		if (!all->process[i])
			continue;
		r.pid = r.tid = all->process[i]->pid;
		/* Until the process runs after an exec, chains may still contain addresses of the old program. */
		if (all->process[i]->before)
			emit_maps(g, all->process[i]->before, &r, sink, arg);
		emit_maps(g, all->process[i]->maps, &r, sink, arg);
	}
}
