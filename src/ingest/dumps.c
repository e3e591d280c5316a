#include "ingest/dumps.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <stdlib.h>

void dumps_release(struct dumps *d)
{
	for (size_t i = 0; i < d->nr; i++)
		jit_codes_release(&d->dump[i].codes);
	free(d->dump);
	*d = (struct dumps){ 0 };
}

/* Two containers may have a process 7 each: their dumps are told apart by the way to them. */
static module_id module_of(struct profile *p, const struct process *process, struct span path)
{
	struct strbuf full = { 0 };
	module_id module;

	if (root_is_other(process->pid))
		strbuf_addf(&full, "/proc/%u/root", process->pid);
	strbuf_add(&full, path);
	module = profile_module(p, strbuf_peek(&full), SPAN(""));
	strbuf_release(&full);
	return module;
}

void dumps_map(struct dumps *d, struct profile *p, struct process *process, struct span path,
	       const struct image_opts *image)
{
	module_id module;
	uint32_t pid;

	if (!image || !jitdump_is_path(path, &pid))
		return;
	module = module_of(p, process, path);
	for (size_t i = 0; i < d->nr; i++)
		if (d->dump[i].module.i == module.i) {
			process->dump = (uint32_t)i + 1;
			return;
		}
	if (d->nr == DUMPS_MAX)
		return;
	GROW(d->dump, d->nr, d->cap);
	d->dump[d->nr] = (struct dump){ .module = module };
	jit_codes_open(&d->dump[d->nr].codes, profile_peek(p, p->module[module.i].path), image);
	process->dump = (uint32_t)++d->nr;
}

bool dumps_place(const struct dumps *d, const struct process *process, uint64_t ip, uint64_t time,
		 struct frame *f)
{
	/* What a call returns to may be behind the end of its function. */
	uint64_t back = f->flags & FRAME_RETURN_ADDRESS && ip;
	const struct dump *dump = process->dump ? &d->dump[process->dump - 1] : NULL;
	uint64_t place;

	if (!dump || !jit_codes_find(&dump->codes, ip - back, time, &place))
		return false;
	f->kind = FRAME_JIT;
	f->module = dump->module;
	f->address = place + back;
	f->flags |= FRAME_IN_MODULE;
	return true;
}
