#include "read/outline.h"

#include "base/alloc.h"

#include <stdlib.h>

void outline_release(struct outline *o)
{
	free(o->row);
	*o = (struct outline){ 0 };
}

/* Counts the path to the deepest row. */
static int count_path(struct outline *o, int64_t weight, struct error *e)
{
	if (!weight && !o->keep_zero)
		return 0;
	for (size_t i = 0; i < o->nr; i++)
		build_push(o->b, o->row[i].frame);
	return build_end(o->b, ROOT_FIRST, weight, e);
}

static int close_row(struct outline *o, struct error *e)
{
	const struct outline_row *row = &o->row[o->nr - 1];
	int64_t self = row->weight;
	int ret = 0;

	switch (o->weight) {
	case OUTLINE_SELF:
		break;
	case OUTLINE_TOTAL:
		/* Callees that claim more than their caller has leave it nothing. */
		self = row->callees > row->weight ? 0 : row->weight - row->callees;
		ret = count_path(o, self, e);
		break;
	case OUTLINE_LEAVES:
		if (!row->has_callees)
			ret = count_path(o, self, e);
	}
	o->nr--;
	return ret;
}

int outline_add(struct outline *o, size_t level, frame_id frame, int64_t weight, struct error *e)
{
	while (o->nr && o->row[o->nr - 1].level >= level)
		if (close_row(o, e))
			return -1;
	if (o->nr >= PROFILE_DEPTH_MAX) {
		if (build_note(o->b, NOTE_TOO_DEEP, SPAN(""), e))
			return -1;
		return o->weight == OUTLINE_SELF ? count_path(o, weight, e) : 0;
	}
	if (level > o->deepest && build_note(o->b, NOTE_SKIPPED_INDENT, SPAN(""), e))
		return -1;
	o->deepest = level + 1;
	if (o->nr) {
		struct outline_row *caller = &o->row[o->nr - 1];

		caller->has_callees = true;
		if (__builtin_add_overflow(caller->callees, weight, &caller->callees))
			caller->callees = INT64_MAX;
	}
	GROW(o->row, o->nr, o->cap);
	o->row[o->nr++] = (struct outline_row){ .level = level, .frame = frame, .weight = weight };
	return o->weight == OUTLINE_SELF ? count_path(o, weight, e) : 0;
}

int outline_end(struct outline *o, struct error *e)
{
	while (o->nr)
		if (close_row(o, e))
			return -1;
	o->deepest = 0;
	return 0;
}
