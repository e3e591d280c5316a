#include "write/writer.h"

#include "base/alloc.h"

#include <stdlib.h>

uint32_t write_location(struct write_locations *l, const struct profile *p, stack_id *stack)
{
	size_t nr = 0;
	frame_id f;

	do {
		f = p->stack[stack->i].frame;
		*stack = p->stack[stack->i].caller;
		GROW(l->frame, nr, l->cap);
		l->frame[nr++] = f;
	} while (p->frame[f.i].flags & FRAME_INLINED && stack->i);
	if (nr == 1)
		return f.i;
	return (uint32_t)p->nr_frame +
	       intern(&l->groups, (struct span){ .at = (const char *)l->frame,
						 .size = nr * sizeof(*l->frame) });
}

size_t write_location_frames(struct write_locations *l, const struct profile *p, uint32_t location,
			     const frame_id **frame)
{
	struct span group;

	GROW(l->frame, 0, l->cap);
	*frame = l->frame;
	l->frame[0].i = location;
	if (location < p->nr_frame)
		return 1;
	group = intern_peek(&l->groups, location - (uint32_t)p->nr_frame);
	while (l->cap * sizeof(*l->frame) < group.size)
		GROW(l->frame, l->cap, l->cap);
	*frame = l->frame;
	memcpy(l->frame, group.at, group.size);
	return group.size / sizeof(*l->frame);
}

size_t write_nr_locations(const struct write_locations *l, const struct profile *p)
{
	return p->nr_frame + l->groups.nr;
}

void write_locations_release(struct write_locations *l)
{
	intern_release(&l->groups);
	free(l->frame);
}
