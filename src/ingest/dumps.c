#include "ingest/dumps.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <time.h>

void dumps_release(struct dumps *d)
{
	for (size_t i = 0; i < d->nr; i++)
		jit_codes_release(&d->dump[i].codes);
	free(d->dump);
	*d = (struct dumps){ 0 };
}

/* Is the file already open?  Then its container may have ended. */
static bool is_kept(struct span path, const struct image_opts *image)
{
	char *kept = image->kept ? image->kept(image->kept_arg, path, SPAN("")) : NULL;
	bool found = kept;

	free(kept);
	return found;
}

/* Two containers may each have a /tmp/jit-7.dump, so the path begins with the container's root. */
static module_id module_of(struct profile *p, const struct process *process, struct span path,
			   const struct image_opts *image)
{
	struct strbuf full = { 0 };
	module_id module;

	strbuf_addf(&full, "/proc/%u/root%.*s", process->pid, (int)path.size, path.at);
	if (is_kept(strbuf_peek(&full), image) || root_is_other(process->pid))
		path = strbuf_peek(&full);
	module = profile_module(p, path, SPAN(""));
	strbuf_release(&full);
	return module;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void read_dump(const struct dumps *d, struct dump *dump, uint64_t when)
{
	struct span path = profile_peek(d->p, d->p->module[dump->module.i].path);

	dump->looked = dump->read = when;
	/* The size is read first: if the file grows while it is read, the next check will notice. */
	dump->size = jitdump_size(path, d->image);
	jit_codes_open(&dump->codes, path, d->image);
}

/*
 * Reads the dump again if it has grown, and returns whether it did.  Each time, the whole file is read, so a dump
 * that grew by less than an eighth is read only if the last reading was 50 ms ago.
 */
static bool read_again(const struct dumps *d, struct dump *dump)
{
	enum { PATIENCE = 50 * 1000 * 1000, LITTLE = 8 };
	struct span path = profile_peek(d->p, d->p->module[dump->module.i].path);
	uint64_t when = now(), size = jitdump_size(path, d->image);

	if (size <= dump->size) {
		dump->looked = when;
		return false;
	}
	if (size - dump->size < dump->size / LITTLE && when - dump->read < PATIENCE)
		return false;
	read_dump(d, dump, when);
	return true;
}

void dumps_map(struct dumps *d, struct profile *p, struct process *process, struct span path,
	       const struct image_opts *image)
{
	module_id module;
	uint32_t pid;

	if (!image || !jitdump_is_path(path, &pid))
		return;
	module = module_of(p, process, path, image);
	for (size_t i = 0; i < d->nr; i++)
		if (d->dump[i].module.i == module.i) {
			process->dump = (uint32_t)i + 1;
			return;
		}
	if (d->nr == DUMPS_MAX)
		return;
	GROW(d->dump, d->nr, d->cap);
	d->dump[d->nr] = (struct dump){ .module = module };
	d->p = p;
	d->image = image;
	read_dump(d, &d->dump[d->nr], now());
	process->dump = (uint32_t)++d->nr;
}

static const struct jit_code *find_code(const struct dumps *d, const struct process *process,
					uint64_t ip)
{
	struct dump *dump = process->dump ? &d->dump[process->dump - 1] : NULL;
	const struct jit_code *code;

	if (!dump)
		return NULL;
	/* Other code may have been generated at that address since. */
	if (d->now != JIT_ANY_TIME && d->now > dump->looked)
		read_again(d, dump);
	code = jit_codes_find(&dump->codes, ip, d->now);
	if (!code && read_again(d, dump))
		code = jit_codes_find(&dump->codes, ip, d->now);
	return code;
}

bool dumps_place(struct dumps *d, const struct process *process, uint64_t ip, struct frame *f)
{
	/* If a function ends with a call, the return address is after its end. */
	uint64_t back = f->flags & FRAME_RETURN_ADDRESS && ip;
	const struct jit_code *code = find_code(d, process, ip - back);

	if (!code)
		return false;
	f->kind = FRAME_JIT;
	f->module = d->dump[process->dump - 1].module;
	f->address = ip - code->begin + code->place;
	f->flags |= FRAME_IN_MODULE;
	return true;
}

bool dumps_find(struct dumps *d, const struct process *process, uint64_t pc, struct unwind_map *map)
{
	const struct jit_code *code = find_code(d, process, pc);

	if (!code)
		return false;
	/* Adjacent addresses may belong to newer code, so the mapping has this address only. */
	*map = (struct unwind_map){
		.begin = pc,
		.end = pc + 1,
		.offset = pc - code->begin + code->place,
		.cfi = code->has_rows ? d->dump[process->dump - 1].codes.cfi : NULL,
	};
	return true;
}
