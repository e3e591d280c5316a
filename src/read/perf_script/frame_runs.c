#include "read/perf_script/frame_runs.h"

#include "base/alloc.h"

#include <stdlib.h>

static void add_number(struct frame_runs *r, uint32_t number)
{
	GROW(r->number, r->nr, r->cap);
	r->number[r->nr++] = number;
}

uint32_t frame_runs_add(struct frame_runs *r, const struct build *b, size_t from, uint32_t mark)
{
	size_t place = r->nr;

	if (b->nr - from == 1 && !mark)
		return b->frame[from].i;
	add_number(r, (uint32_t)(b->nr - from));
	for (size_t i = from; i < b->nr; i++)
		add_number(r, b->frame[i].i);
	return (uint32_t)place | FRAME_RUN | mark;
}

void frame_runs_release(struct frame_runs *r)
{
	free(r->number);
	*r = (struct frame_runs){ 0 };
}
