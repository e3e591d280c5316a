/*
 * Maps of stacks that bpftrace printed:
 *
 *     @[
 *         tcp_recvmsg+808
 *         sys_read+85
 *     , prog]: 3
 *
 * The keys behind the stack stand at its root.  A map has a name, `@reads[`,
 * when there is more than one of them: each is an event.
 */
#include "read/listing.h"
#include "read/readers.h"

/* `@[` or `@reads[`: its name, and what stands behind the bracket. */
static bool parse_map(struct span line, struct span *name, struct span *rest)
{
	size_t bracket = span_find(line, '[');

	if (!span_starts(line, "@") || bracket == line.size)
		return false;
	*name = span_from(span_upto(line, bracket), 1);
	*rest = span_from(line, bracket + 1);
	return !rest->size || span_starts(*rest, ", ");
}

/* ", prog]: 3": the keys and the value.  False while the stack goes on. */
static bool parse_close(struct span line, struct span *keys, struct span *value)
{
	size_t bracket = span_rfind_text(line, "]:");

	*keys = span_upto(line, bracket);
	*value = span_from(line, bracket + 2);
	return bracket < line.size && (!value->size || is_blank(value->at[0]));
}

static int close_map(struct listing *l, struct span keys, struct span value, struct error *e)
{
	struct span number = span_trim_start(value);
	bool *in_map = l->state;

	if (span_starts(keys, ","))
		keys = span_from(keys, 1);
	if (keys.size && is_blank(keys.at[0]))
		keys = span_from(keys, 1);
	if (keys.size)
		listing_push_label(l, keys);
	*in_map = false;
	/* A histogram has no number, and stands on the lines below. */
	if (span_digits(number).size)
		number = span_digits(number);
	return listing_count(l, number, e);
}

static int open_map(struct listing *l, struct span line, struct error *e)
{
	struct span name, rest, keys, value;
	bool *in_map = l->state;

	if (!parse_map(line, &name, &rest))
		return 0;
	l->b->event = profile_event(l->b->p, name.size ? name : SPAN("samples"), SPAN("samples"));
	*in_map = !rest.size;
	return rest.size && parse_close(rest, &keys, &value) ? close_map(l, keys, value, e) : 0;
}

static struct span without_offset(struct span name)
{
	size_t plus = span_rfind(name, '+');
	struct span offset = span_from(name, plus + 1);

	return offset.size && span_digits(offset).size == offset.size ? span_upto(name, plus)
								      : name;
}

static int bpftrace_line(struct listing *l, struct span line, struct error *e)
{
	const bool *in_map = l->state;
	struct span keys, value;

	if (!*in_map)
		return open_map(l, line, e);
	if (parse_close(line, &keys, &value))
		return close_map(l, keys, value, e);
	line = span_trim_start(line);
	/* A comma alone parts two stacks of one sample, the kernel's and the program's. */
	if (span_starts(line, ","))
		listing_push_label(l, line);
	else if (line.size)
		listing_push(l, l->b->o->offsets ? line : without_offset(line));
	return 0;
}

static int bpftrace_read(struct build *b, struct error *e)
{
	bool in_map = false;

	return listing_read(&(struct listing){ .b = b,
					       .line = bpftrace_line,
					       .end = listing_cut_short,
					       .own_events = true,
					       .state = &in_map },
			    e);
}

static bool bpftrace_accepts(struct span head)
{
	struct span name, rest;

	while (head.size)
		if (parse_map(span_line(&head), &name, &rest))
			return true;
	return false;
}

const struct reader reader_bpftrace = {
	.name = "bpftrace",
	.title = "bpftrace maps of stacks",
	.accepts = bpftrace_accepts,
	.read = bpftrace_read,
};
