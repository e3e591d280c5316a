/* The samples of a profile of V8's: which node, and how long. */
#include "base/alloc.h"
#include "base/decimal.h"
#include "read/v8.h"

#include <stdlib.h>

bool v8_add_number(struct v8_numbers *n, struct span text)
{
	struct decimal d;
	int64_t value;

	if (!decimal_parse(text, &d) || !decimal_at(d, 0, &value))
		return false;
	GROW(n->value, n->nr, n->cap);
	n->value[n->nr++] = value;
	return true;
}

void v8_samples_release(struct v8_samples *s)
{
	free(s->node.value);
	free(s->delta.value);
	free(s->stamp.value);
	free(s->begin.value);
	free(s->end.value);
}

bool v8_samples_timed(const struct v8_samples *s)
{
	return s->node.nr && (s->delta.nr || s->stamp.nr);
}

static int add_sample(struct v8_tree *t, int64_t id, int64_t weight, struct error *e)
{
	uint32_t node = v8_tree_find(t, id);
	stack_id stack;

	if (node == V8_NO_NODE)
		return build_note(t->b, NOTE_BAD_REF, SPAN(""), e);
	if (v8_tree_stack(t, node, &stack, e))
		return -1;
	return build_end_at(t->b, stack, weight, e);
}

static void add_up_deltas(struct v8_samples *s)
{
	int64_t now = s->begin.nr ? s->begin.value[0] : 0;

	for (size_t i = 0; i < s->delta.nr; i++) {
		if (__builtin_add_overflow(now, s->delta.value[i], &now))
			now = INT64_MAX;
		GROW(s->stamp.value, s->stamp.nr, s->stamp.cap);
		s->stamp.value[s->stamp.nr++] = now;
	}
}

/* How long a sample lasted; V8's clock goes back at times. */
static int64_t duration(const struct v8_samples *s, size_t i)
{
	int64_t next = s->stamp.value[i], time;

	if (i + 1 < s->stamp.nr)
		next = s->stamp.value[i + 1];
	else if (s->end.nr)
		next = s->end.value[0];
	if (__builtin_sub_overflow(next, s->stamp.value[i], &time))
		return 0;
	return time > 0 ? time : 0;
}

int v8_samples_count(struct v8_samples *s, struct v8_tree *t, struct error *e)
{
	if (!s->stamp.nr)
		add_up_deltas(s);
	for (size_t i = 0; i < s->node.nr && i < s->stamp.nr; i++) {
		int64_t stamp = s->stamp.value[i];

		t->b->time = stamp > 0 && stamp < INT64_MAX / 1000 ? (uint64_t)stamp * 1000 : 0;
		if (add_sample(t, s->node.value[i], duration(s, i), e))
			return -1;
	}
	return 0;
}
