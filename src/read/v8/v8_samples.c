/* The samples of a V8 profile: their nodes and durations. */
#include "base/decimal.h"
#include "read/v8/v8.h"

bool v8_number(struct span text, int64_t *value)
{
	struct decimal d;

	return decimal_parse(text, &d) && decimal_at(d, 0, value);
}

/* Adds a sample of this duration (weight); stamp: us, below 0 if the clock was wrong. */
static int add_sample(struct v8_tree *t, int64_t id, int64_t stamp, int64_t weight, struct error *e)
{
	uint32_t node = v8_tree_find(t, id);
	stack_id stack;

	if (node == V8_NO_NODE)
		return build_note(t->b, NOTE_BAD_REF, SPAN(""), e);
	if (v8_tree_stack(t, node, &stack, e))
		return -1;
	/* A sample of only the root marks an end. */
	if (!stack.i && !weight)
		return 0;
	if (stamp >= 0 && stamp < INT64_MAX / 2000 && weight < INT64_MAX / 2000)
		build_extent(t->b, stack, (uint64_t)stamp * 1000, (uint64_t)(stamp + weight) * 1000,
			     weight);
	return build_end_at(t->b, stack, weight, e);
}

/* V8's clock goes back at times. */
static int64_t duration(int64_t begin, int64_t end)
{
	int64_t time;

	return __builtin_sub_overflow(end, begin, &time) || time < 0 ? 0 : time;
}

int v8_samples_end(struct v8_last *last, int64_t stamp, struct error *e)
{
	struct build *b = last->tree->b;
	int64_t begin = last->stamp;

	if (!last->is_known)
		return 0;
	last->is_known = false;
	b->time = begin > 0 && begin < INT64_MAX / 1000 ? (uint64_t)begin * 1000 : 0;
	return add_sample(last->tree, last->id, begin, duration(begin, stamp), e);
}

int v8_sample(struct v8_last *last, int64_t id, int64_t stamp, struct error *e)
{
	if (v8_samples_end(last, stamp, e))
		return -1;
	*last = (struct v8_last){ .tree = last->tree, .id = id, .stamp = stamp, .is_known = true };
	return 0;
}

int64_t v8_later(int64_t stamp, int64_t delta)
{
	return __builtin_add_overflow(stamp, delta, &stamp) ? INT64_MAX : stamp;
}
