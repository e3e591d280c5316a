/*
 * Stacks of Go's goroutines as text, as printed by a panic, SIGQUIT and ?debug=2,
 *
 *     goroutine 18 [chan receive, 5 minutes]:
 *     main.(*Pool).take(0xc000012000, {0x4ff208?, 0x1})
 *     	/src/pool.go:31 +0x70
 *     created by main.main in goroutine 1
 *     	/src/main.go:12 +0x45
 *
 * and by ?debug=1, where equal stacks are merged:
 *
 *     goroutine profile: total 5
 *     4 @ 0x42d576 0x45d7c5
 *     #	0x45d7c4	main.(*Pool).take+0x24	/src/pool.go:31
 */
#include "base/alloc.h"
#include "read/readers.h"
#include "read/text/listing.h"

static const char profile_mark[] = "goroutine profile: total ";

struct goroutine {
	struct strbuf name; /* of the frame whose source line is on the next line */
	bool in_stack, created;
	int64_t weight;
};

/* "/src/pool.go:31 +0x70" */
static void parse_source(struct span text, struct profile *p, struct line *line)
{
	struct span file = span_trim(text);
	size_t colon;
	uint64_t number;

	file = span_upto(file, span_find_text(file, " +0x"));
	colon = span_rfind(file, ':');
	if (!span_u64(span_from(file, colon + 1), &number) || number > UINT32_MAX)
		return;
	line->file = profile_string(p, span_upto(file, colon));
	line->line = (uint32_t)number;
}

static void push(struct listing *l, struct span name, struct span source)
{
	struct line line = { .function = profile_string(l->b->p, listing_name(l, name)) };

	if (build_wants_lines(l->b, source.size > 0))
		parse_source(source, l->b->p, &line);
	listing_push_frame(l,
			   profile_frame(l->b->p, &(struct frame){ .line = &line, .nr_line = 1 }));
}

/* Pushes the frame that waits for its source line; `source` is empty if that is missing. */
static void push_waiting(struct listing *l, struct span source)
{
	struct goroutine *g = l->state;

	if (g->name.size)
		push(l, strbuf_peek(&g->name), source);
	strbuf_reset(&g->name);
}

static int end_stack(struct listing *l, struct error *e)
{
	struct goroutine *g = l->state;
	int ret = 0;

	push_waiting(l, SPAN(""));
	if (l->b->nr)
		ret = build_end_many(l->b, LEAF_FIRST, g->weight, (uint64_t)g->weight, e);
	g->in_stack = g->created = false;
	return ret;
}

/* What the goroutine waits for, without the time, becomes a label of the sample. */
static void set_state(struct listing *l, struct span state)
{
	struct label label = { .key = profile_string(l->b->p, SPAN("state")) };

	label.value = profile_string(l->b->p, span_upto(state, span_find(state, ',')));
	l->b->labels = profile_labels(l->b->p, &label, 1);
}

/* "goroutine 18 [chan receive, 5 minutes]:" */
static bool parse_goroutine(struct span line, struct span *state)
{
	struct span rest = line, word = span_word(&rest);
	size_t open = span_find(line, '[');

	if (!span_is(word, "goroutine") || !span_digits(span_word(&rest)).size ||
	    !span_ends(line, "]:"))
		return false;
	*state = span_from(span_upto(line, line.size - 2), open + 1);
	return open < line.size;
}

/* "4 @ 0x42d576 0x45d7c5" */
static bool parse_count(struct span line, uint64_t *count)
{
	struct span digits = span_digits(line);

	return digits.size && span_starts(span_from(line, digits.size), " @ 0x") &&
	       span_u64(digits, count) && *count <= INT64_MAX;
}

/* "main.(*Pool).take(0xc000012000, …)": the last parenthesis opens the arguments. */
static void call_line(struct listing *l, struct span line)
{
	struct goroutine *g = l->state;
	bool is_call = span_find(line, '(') < line.size;

	push_waiting(l, SPAN(""));
	if (span_starts(line, "created by "))
		g->created = true;
	else if (span_starts(line, "..."))
		listing_push_label(l, SPAN(TRUNCATED_FRAME));
	else if (is_call && !g->created)
		strbuf_add(&g->name, span_upto(line, span_rfind(line, '(')));
}

/* "#	0x45d7c4	main.take+0x24	/src/pool.go:31" */
static void profile_line(struct listing *l, struct span line)
{
	struct span rest = span_from(line, 1), address = span_word(&rest), name = span_word(&rest);

	/* Other lines have labels: "# labels: {"route":"/"}" */
	if (name.size && span_starts(address, "0x"))
		push(l, span_upto(name, span_rfind_text(name, "+0x")), rest);
}

static int goroutine_line(struct listing *l, struct span line, struct error *e)
{
	struct goroutine *g = l->state;
	struct span state;
	uint64_t count;

	if (parse_goroutine(line, &state)) {
		if (listing_end(l, e))
			return -1;
		set_state(l, state);
		g->weight = 1;
		g->in_stack = true;
	} else if (parse_count(line, &count)) {
		if (listing_end(l, e))
			return -1;
		g->weight = (int64_t)count;
		g->in_stack = true;
	} else if (!span_trim(line).size) {
		return listing_end(l, e);
	} else if (!g->in_stack) {
		return 0;
	} else if (span_starts(line, "#")) {
		profile_line(l, line);
	} else if (!is_blank(line.at[0])) {
		call_line(l, line);
	} else if (!g->created) {
		push_waiting(l, line);
	}
	return 0;
}

static int goroutine_read(struct build *b, struct error *e)
{
	struct goroutine g = { .weight = 1 };
	int ret;

	b->event = profile_event(b->p, SPAN("goroutines"), SPAN("goroutines"));
	ret = listing_read(&(struct listing){ .b = b,
					      .line = goroutine_line,
					      .end = end_stack,
					      .own_events = true,
					      .state = &g },
			   e);
	strbuf_release(&g.name);
	return ret;
}

static bool goroutine_accepts(struct span head)
{
	struct span state;

	while (head.size) {
		struct span line = span_line(&head);

		if (span_starts(line, profile_mark) || parse_goroutine(line, &state))
			return true;
	}
	return false;
}

const struct reader reader_goroutine = {
	.name = "goroutine",
	.title = "Go goroutine dumps",
	.accepts = goroutine_accepts,
	.read = goroutine_read,
};
