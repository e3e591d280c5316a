/*
 * What eu-stack of elfutils prints, once for every sample:
 *
 *     PID 12 - process
 *     TID 12:
 *     #0  0x00007f0000000001 poll
 *     #1  0x00007f0000000002
 */
#include "profile/spelling.h"
#include "read/listing.h"
#include "read/readers.h"

static int set_id(struct listing *l, uint32_t *id, struct span text, struct error *e)
{
	int ret = listing_end(l, e);

	*id = listing_id(text);
	l->b->thread = profile_thread(l->b->p, l->state);
	return ret;
}

/* "#0  0x00007f0000000001 name": what is left when number and address are gone. */
static bool cut_frame(struct span *line)
{
	uint64_t number;

	if (!listing_number(line, &number) || !span_starts(*line, "0x"))
		return false;
	span_word(line);
	return true;
}

static int elfutils_line(struct listing *l, struct span line, struct error *e)
{
	struct thread *t = l->state;

	if (span_starts(line, "PID "))
		return set_id(l, &t->pid, span_from(line, 4), e);
	if (span_starts(line, "TID "))
		return set_id(l, &t->tid, span_from(line, 4), e);
	if (cut_frame(&line))
		listing_push(l, span_from(line, 1));
	return 0;
}

static int elfutils_read(struct build *b, struct error *e)
{
	struct thread t = { .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };

	return listing_read(&(struct listing){ .b = b, .line = elfutils_line, .state = &t }, e);
}

/* A process or thread, and a frame of it. */
static bool elfutils_accepts(struct span head)
{
	bool in_thread = false;

	while (head.size) {
		struct span line = span_line(&head);

		in_thread |= span_starts(line, "PID ") || span_starts(line, "TID ");
		if (in_thread && cut_frame(&line))
			return !span_starts(line, " in ");
	}
	return false;
}

const struct reader reader_elfutils = {
	.name = "elfutils",
	.title = "eu-stack backtraces",
	.accepts = elfutils_accepts,
	.read = elfutils_read,
	.spelling = SPELL_THREAD | SPELL_ID_FRAMES,
};
