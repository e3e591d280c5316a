/*
 * The output of wallClockProfiler; the stacks are in its last part:
 *
 *     Full stacks:
 *     99.791% ===================================== (17194 samples)
 *       1: poll   (at /x/loop.nim:343)
 *       2: main   (at /x/main.nim:3)
 */
#include "read/readers.h"
#include "read/text/listing.h"

/* "99.791% ==== (17194 samples)" */
static bool parse_samples(struct span line, struct span *samples)
{
	struct span rest = line, percent = span_word(&rest);

	if (!span_digits(percent).size || !span_ends(percent, "%"))
		return false;
	rest = span_from(rest, span_find(rest, '(') + 1);
	*samples = span_digits(rest);
	return samples->size && span_starts(span_from(rest, samples->size), " samples)");
}

/* "1: poll   (at /x/loop.nim:343)" */
static bool parse_frame(struct span line, struct span *name)
{
	size_t digits = span_digits(line).size;

	*name = span_from(line, digits + 2);
	return digits && span_starts(span_from(line, digits), ": ");
}

static int wcp_line(struct listing *l, struct span line, struct error *e)
{
	bool *in_stacks = l->state;
	struct span s;

	line = span_trim(line);
	*in_stacks |= span_starts(line, "Full stacks");
	if (!*in_stacks)
		return 0;
	if (parse_frame(line, &s)) {
		listing_push(l, s);
		return 0;
	}
	if (parse_samples(line, &s)) {
		if (listing_end(l, e))
			return -1;
		l->weight = 0;
		if (!build_weight(l->b, s, &l->weight))
			return build_note(l->b, NOTE_BAD_COUNT, s, e);
	}
	return line.size ? 0 : listing_end(l, e);
}

static int wcp_read(struct build *b, struct error *e)
{
	bool in_stacks = false;

	return listing_read(&(struct listing){ .b = b, .line = wcp_line, .state = &in_stacks }, e);
}

static bool wcp_accepts(struct span head)
{
	bool in_stacks = false;
	struct span samples;

	while (head.size) {
		struct span line = span_trim(span_line(&head));

		in_stacks |= span_starts(line, "Full stacks");
		if (in_stacks && parse_samples(line, &samples))
			return true;
	}
	return false;
}

const struct reader reader_wcp = {
	.name = "wcp",
	.title = "wallClockProfiler stacks",
	.accepts = wcp_accepts,
	.read = wcp_read,
};
