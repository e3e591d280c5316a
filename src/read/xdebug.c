/*
 * Function traces of PHP's Xdebug (xdebug.trace_format = 1), with fields
 * separated by tabs: level, number of the call, 0 for entry or 1 for exit,
 * time, memory, and for an entry the name of the function.
 *
 *     TRACE START [2007-05-06 18:29:01]
 *     1	0	0	0.010870	114112	{main}	1	../trace.php	0
 *     2	1	0	0.032009	114272	str_split	0	../trace.php	8
 *     2	1	1	0.032073	116632
 *     TRACE END   [2007-05-06 18:29:01]
 */
#include "base/alloc.h"
#include "read/build.h"
#include "read/readers.h"

#include <stdlib.h>

struct xdebug {
	struct build *b;
	bool in_trace;
	bool was_exit;	/* the previous line left a function */
	int64_t time;	/* of the previous line, in ns */
	stack_id *call; /* the stacks of functions entered but not left, outermost first */
	size_t nr, cap;
	size_t nr_deeper; /* how many more exceed the depth limit */
};

enum { LEVEL, CALL, IS_EXIT, TIME, MEMORY, FUNCTION, NR_FIELD };

/* Several tabs in a row count as one; missing fields are empty. */
static void split(struct span line, struct span field[NR_FIELD])
{
	for (size_t i = 0; i < NR_FIELD; i++) {
		size_t tab = span_find(line, '\t');

		field[i] = span_upto(line, tab);
		while (tab < line.size && line.at[tab] == '\t')
			tab++;
		line = span_from(line, tab);
	}
}

/* "0.032009" seconds in ns */
static bool parse_time(struct span text, int64_t *ns)
{
	enum { NS_DIGITS = 9 };
	size_t point = span_find(text, '.');
	struct span fraction = span_from(text, point + 1);
	uint64_t seconds, rest = 0;

	if (!span_u64(span_upto(text, point), &seconds) || seconds > INT64_MAX / 2000000000)
		return false;
	if (span_digits(fraction).size != fraction.size)
		return false;
	for (size_t i = 0; i < NS_DIGITS; i++)
		rest = rest * 10 + (i < fraction.size ? (uint64_t)(fraction.at[i] - '0') : 0);
	*ns = (int64_t)(seconds * 1000000000 + rest);
	return true;
}

static int count_calls(struct xdebug *x, int64_t weight, struct error *e)
{
	return x->nr ? build_end_at(x->b, x->call[x->nr - 1], weight, e) : 0;
}

/* Adds the time since the previous line to the innermost function, in us: mostly integers. */
static int count_time(struct xdebug *x, int64_t ns, struct error *e)
{
	struct profile *p = x->b->p;
	int64_t time = ns - x->time;

	x->b->time = (uint64_t)x->time;
	x->time = ns;
	if (x->nr && time % 1000 && profile_rescale(p, x->b->event, -3))
		notes_add(&p->notes, NOTE_FRACTION, 1, x->b->text->line, SPAN(""));
	return count_calls(x, p->event[x->b->event].scale ? time : time / 1000, e);
}

static int enter(struct xdebug *x, struct span function, struct error *e)
{
	stack_id caller = { 0 };

	x->was_exit = false;
	if (x->nr == PROFILE_DEPTH_MAX) {
		x->nr_deeper++;
		return build_note(x->b, NOTE_TOO_DEEP, SPAN(""), e);
	}
	if (x->nr)
		caller = x->call[x->nr - 1];
	GROW(x->call, x->nr, x->cap);
	x->call[x->nr++] = profile_push(x->b->p, caller, build_name(x->b, function));
	return 0;
}

static int leave(struct xdebug *x, struct error *e)
{
	/* A function that called no other is a leaf. */
	bool is_path = x->b->o->call_counts && !x->was_exit;
	int ret = is_path ? count_calls(x, 1, e) : 0;

	x->was_exit = true;
	if (x->nr_deeper)
		x->nr_deeper--;
	else
		x->nr--;
	return ret;
}

static int trace_line(struct xdebug *x, struct span line, struct error *e)
{
	struct span field[NR_FIELD];
	bool is_exit, is_entry;
	int64_t time;

	split(line, field);
	is_exit = span_is(field[IS_EXIT], "1");
	is_entry = span_is(field[IS_EXIT], "0") && field[FUNCTION].size;
	/* Return values and assignments. */
	if (span_is(field[IS_EXIT], "R") || span_is(field[CALL], "A"))
		return 0;
	if (!is_entry && !(is_exit && x->nr))
		return build_note(x->b, NOTE_BAD_LINE, line, e);
	if (!x->b->o->call_counts) {
		if (!parse_time(field[TIME], &time))
			return build_note(x->b, NOTE_BAD_LINE, line, e);
		if (count_time(x, time, e))
			return -1;
	}
	return is_exit ? leave(x, e) : enter(x, field[FUNCTION], e);
}

static int xdebug_read(struct build *b, struct error *e)
{
	struct xdebug x = { .b = b };
	struct span line;
	int ret = 0;

	b->event = b->o->call_counts ? profile_event(b->p, SPAN("calls"), SPAN("calls"))
				     : profile_event(b->p, SPAN("time"), SPAN("us"));
	build_measure(b, SOURCE_MEASURED, EXTENT_SHARE);
	while (!ret && text_line(b->text, &line)) {
		if (span_starts(line, "TRACE START")) {
			x.in_trace = true;
			x.was_exit = false;
			x.nr = x.nr_deeper = 0;
		} else if (span_starts(line, "TRACE END") || span_starts(line, "\t")) {
			x.in_trace = false;
		} else if (x.in_trace) {
			ret = trace_line(&x, line, e);
		}
	}
	free(x.call);
	return ret;
}

static bool xdebug_accepts(struct span head)
{
	while (head.size)
		if (span_starts(span_line(&head), "TRACE START ["))
			return true;
	return false;
}

const struct reader reader_xdebug = {
	.name = "xdebug",
	.title = "Xdebug function traces",
	.accepts = xdebug_accepts,
	.read = xdebug_read,
	.timed = true,
};
