#include "fold/modules.h"

struct span modules_name(const struct profile *p, const struct frame *f)
{
	struct span path = profile_peek(p, p->module[f->module.i].path);
	size_t slash = span_rfind(path, '/');

	if (!path.size && f->kind == FRAME_KERNEL)
		return SPAN("[kernel]");
	return slash < path.size ? span_from(path, slash + 1) : path;
}

frame_id modules_frame(const struct profile *p, stack_id at)
{
	frame_id own = p->stack[at.i].frame;

	for (; at.i; at = p->stack[at.i].caller) {
		const struct frame *f = &p->frame[p->stack[at.i].frame.i];

		if (f->module.i || !(f->flags & (FRAME_INLINED | FRAME_JIT_INLINED)))
			return p->stack[at.i].frame;
	}
	return own;
}
