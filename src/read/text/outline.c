#include "read/text/outline.h"

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
	stack_id stack = o->row[o->nr - 1].stack;
	uint64_t nr = o->samples ? (uint64_t)weight : 1;

	if (o->callers) {
		for (size_t i = 0; i < o->nr; i++)
			build_push(o->b, o->row[i].frame);
		return build_end_many(o->b, LEAF_FIRST, weight, nr, e);
	}
	if (o->last_counts)
		return build_replace(o->b, stack, weight, nr, e);
	return build_add(o->b, stack, weight, nr, e);
}

static int close_row(struct outline *o, bool keep_zero, struct error *e)
{
	const struct outline_row *row = &o->row[o->nr - 1];
	bool counts = !row->idle || row->has_callees;
	int64_t self = row->weight;
	int ret = 0;

	switch (o->weight) {
	case OUTLINE_SELF:
		counts = false; /* outline_add() has counted it */
		break;
	case OUTLINE_TOTAL:
		/* If the callees have more than their caller, it has no self weight. */
		self = row->callees > row->weight ? 0 : row->weight - row->callees;
		break;
	case OUTLINE_LEAVES:
		counts &= !row->has_callees;
		break;
	}
	if (counts && (self || keep_zero))
		ret = count_path(o, self, e);
	o->nr--;
	return ret;
}

/* Closes the rows that are not callers of a row of this level. */
static int close_rows(struct outline *o, size_t level, struct error *e)
{
	/* The row that was read last is a leaf. */
	bool keep_zero = o->keep_zero && !(o->nr && o->row[o->nr - 1].idle);

	while (o->nr && o->row[o->nr - 1].level >= level)
		if (close_row(o, keep_zero, e))
			return -1;
	return 0;
}

int outline_add(struct outline *o, size_t level, frame_id frame, int64_t weight, struct error *e)
{
	stack_id stack = { 0 };

	if (close_rows(o, level, e))
		return -1;
	if (o->nr >= PROFILE_DEPTH_MAX) {
		if (build_note(o->b, NOTE_TOO_DEEP, SPAN(""), e))
			return -1;
		return o->weight == OUTLINE_SELF ? count_path(o, weight, e) : 0;
	}
	if (level > o->level_max && build_note(o->b, NOTE_SKIPPED_INDENT, o->line, e))
		return -1;
	o->level_max = level + 1;
	if (o->nr) {
		struct outline_row *row = &o->row[o->nr - 1];

		stack = row->stack;
		row->has_callees = true;
		if (__builtin_add_overflow(row->callees, weight, &row->callees))
			row->callees = INT64_MAX;
	}
	if (!o->callers)
		stack = profile_push(o->b->p, stack, frame);
	GROW(o->row, o->nr, o->cap);
	o->row[o->nr++] = (struct outline_row){
		.stack = stack, .frame = frame, .level = level, .weight = weight, .idle = o->idle
	};
	if (o->weight == OUTLINE_SELF && (weight || o->keep_zero))
		return count_path(o, weight, e);
	return 0;
}

int outline_end(struct outline *o, struct error *e)
{
	o->level_max = 0;
	return close_rows(o, 0, e);
}
