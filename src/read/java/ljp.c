/*
 * Reports of the lightweight Java profiler: the count, the number of frames, and
 * the frames from the leaf.
 *
 *     42 2  my_func(prog.java:455)
 *           java.lang.Thread.run(Thread.java:744)
 *     Total trace count = 42
 */
#include "read/java/java.h"
#include "read/readers.h"

enum { WORDS_MAX = 4 };

/* The words of a line up to the ( of its frame; the frame begins with the last of them. */
static size_t split(struct span line, struct span word[WORDS_MAX], struct span *frame)
{
	struct span rest = span_upto(line, span_find(line, '('));
	size_t nr = 0;

	while (nr < WORDS_MAX && (word[nr] = span_word(&rest)).size)
		nr++;
	if (nr)
		*frame = span_between(word[nr - 1].at, line.at + line.size);
	return nr;
}

static int ljp_line(struct listing *l, struct span line, struct error *e)
{
	struct span word[WORDS_MAX], frame = line;
	size_t nr = split(line, word, &frame);

	if (nr && span_is(word[0], "Total"))
		return listing_end(l, e);
	if (nr == 3) {
		if (listing_end(l, e))
			return -1;
		if (!build_weight(l->b, word[0], &l->weight))
			return build_note(l->b, NOTE_BAD_COUNT, line, e);
		java_push(l, frame);
	} else if (nr == 1 && l->b->nr) {
		java_push(l, frame);
	}
	return 0;
}

static int ljp_read(struct build *b, struct error *e)
{
	return listing_read(&(struct listing){ .b = b, .line = ljp_line }, e);
}

/* Begins with a stack: two numbers and a frame with its source in parentheses. */
static bool ljp_accepts(struct span head)
{
	struct span word[WORDS_MAX], line = SPAN(""), frame;
	uint64_t number;

	while (head.size && !line.size)
		line = span_trim(span_line(&head));
	return split(line, word, &frame) == 3 && span_u64(word[0], &number) &&
	       span_u64(word[1], &number) && span_ends(frame, ")");
}

const struct reader reader_ljp = {
	.name = "ljp",
	.title = "lightweight Java profiler reports",
	.accepts = ljp_accepts,
	.read = ljp_read,
};
