/* Records of mappings: which file, JIT compiler or part of the kernel an address belongs to. */
#include "base/alloc.h"
#include "ingest/ingest_parts.h"

#include <stdio.h>

void ingest_build_id(struct ingest *g, struct span path, struct span build_id)
{
	uint32_t i = intern(&g->paths, path);
	char *copy;

	if (i < g->nr_build_id)
		return;
	copy = arena_take(&g->arena, build_id.size);
	memcpy(copy, build_id.at, build_id.size);
	GROW(g->build_id, g->nr_build_id, g->cap_build_id);
	g->build_id[g->nr_build_id++] = (struct span){ .at = copy, .size = build_id.size };
}

static struct span known_build_id(const struct ingest *g, struct span path)
{
	uint32_t i = intern_find(&g->paths, path, intern_hash(path));

	return i == INTERN_NONE ? SPAN("") : g->build_id[i];
}

/* The module of a file; build IDs in the profile are hexadecimal. */
static module_id module(struct ingest *g, struct span path, struct span build_id)
{
	char hex[2 * BUILD_ID_MAX + 1];
	size_t n = 0;

	if (!build_id.size)
		build_id = known_build_id(g, path);
	build_id = span_upto(build_id, BUILD_ID_MAX);
	/* Old recordings pad a short build ID to 20 bytes; a hash hardly ever ends in four zero bytes. */
	while (build_id.size > 4 && !memcmp(build_id.at + build_id.size - 4, "\0\0\0\0", 4))
		build_id.size -= 4;
	for (size_t i = 0; i < build_id.size; i++)
		n += (size_t)snprintf(hex + n, sizeof(hex) - n, "%02x",
				      (unsigned char)build_id.at[i]);
	return profile_module(g->p, path, (struct span){ .at = hex, .size = n });
}

/* Mappings */

/* Paths that the kernel gives to memory without a file; the last one is .NET's, which maps its code twice. */
static const char *const memory[] = { "//anon", "/dev/zero", "/anon_hugepage",
				      "[anon:", "/memfd:doublemapper" };

static bool is_memory(struct span path)
{
	for (size_t i = 0; i < ARRAY_SIZE(memory); i++)
		if (span_starts(path, memory[i]))
			return true;
	return !path.size;
}

bool ingest_is_generated(const struct record *r)
{
	unsigned mode = r->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return r->kind == RECORD_MMAP && !r->mmap.data && is_memory(r->mmap.path) &&
	       (mode == PERF_RECORD_MISC_USER || mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN);
}

/* Code in memory without a file: a JIT compiler may have listed its functions in perf-PID.map. */
static struct map jit_map(struct ingest *g, const struct record *r)
{
	char path[32];

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", r->pid);
	return (struct map){ .begin = r->mmap.addr,
			     .offset = r->mmap.addr,
			     .kind = FRAME_JIT,
			     .module = profile_module(g->p, span_of(path), SPAN("")) };
}

/*
 * A process in a container may have another file under the same path.  If the recording has no build ID, wick reads
 * it from the file below the root of the process, so that no other file is used.
 */
static bool module_in_container(struct ingest *g, struct process *process, struct span path,
				module_id *module)
{
	char hex[IMAGE_BUILD_ID_HEX];
	struct span build_id;

	if (process->root == ROOT_NOT_ASKED)
		process->root = root_is_other(process->pid) ? ROOT_OTHER : ROOT_OURS;
	if (process->root != ROOT_OTHER)
		return false;
	build_id = image_build_id_below(process->pid, path, hex);
	if (build_id.size)
		*module = profile_module(g->p, path, build_id);
	return build_id.size;
}

static struct map file_map(struct ingest *g, struct process *process, const struct record *r)
{
	struct map map = { .begin = r->mmap.addr, .offset = r->mmap.pgoff, .kind = FRAME_USER };
	struct span path = r->mmap.path;

	if (span_is(path, "[vdso]"))
		map.offset = 0;
	if (r->mmap.build_id.size || known_build_id(g, path).size || !g->stacks.image ||
	    !module_in_container(g, process, path, &map.module))
		map.module = module(g, path, r->mmap.build_id);
	files_see(&g->files, map.module, &r->mmap.file);
	return map;
}

static bool is_own_kernel(const struct record *r)
{
	return (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL &&
	       span_starts(r->mmap.path, "[kernel.kallsyms]");
}

/* The record of the kernel's own code has the address of _text as its offset: see running.c. */
static struct map kernel_map(struct ingest *g, const struct record *r)
{
	struct span path = r->mmap.path, guest = SPAN("[guest.kernel.kallsyms]");
	struct map map = { .begin = r->mmap.addr, .offset = r->mmap.pgoff, .kind = FRAME_KERNEL };

	if (is_own_kernel(r)) {
		path = SPAN("[kernel.kallsyms]");
		map.offset = r->mmap.addr - r->mmap.pgoff;
	} else if (span_starts(path, guest.at)) {
		path = guest;
		map.offset = r->mmap.addr - r->mmap.pgoff;
	}
	map.module = module(g, path, r->mmap.build_id);
	return map;
}

void ingest_map(struct ingest *g, const struct record *r)
{
	unsigned mode = r->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct maps **maps = &g->processes.kernel;
	struct process *process;
	struct map map;

	if (r->mmap.data)
		return;
	if (mode == PERF_RECORD_MISC_KERNEL) {
		map = kernel_map(g, r);
	} else if (mode == PERF_RECORD_MISC_USER || mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN) {
		process = process_get(&g->processes, r->pid);
		maps = &process->maps;
		map = is_memory(r->mmap.path) ? jit_map(g, r) : file_map(g, process, r);
		if (!process->program.i && map.kind == FRAME_USER)
			process->program = map.module;
		dumps_map(&g->dumps, g->p, process, r->mmap.path, g->stacks.image);
	} else {
		/* The hypervisor, or a guest: its files are not on this machine. */
		return;
	}
	map.end = r->mmap.len <= UINT64_MAX - map.begin ? map.begin + r->mmap.len : UINT64_MAX;
	if (is_own_kernel(r))
		g->kernel = map;
	maps_add(maps, &map);
}

/* Code that the kernel generated at run time (BPF programs), one function per record. */
void ingest_kernel_symbol(struct ingest *g, const struct record *r)
{
	struct map map = { .begin = r->ksymbol.addr,
			   .end = r->ksymbol.addr + r->ksymbol.len,
			   .kind = FRAME_KERNEL };

	if (r->ksymbol.gone)
		return;
	map.module = profile_module(g->p, SPAN("[bpf]"), SPAN(""));
	map.name = profile_string(g->p, r->ksymbol.name);
	map.offset = map.begin;
	maps_add(&g->processes.kernel, &map);
}
