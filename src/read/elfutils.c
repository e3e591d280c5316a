/*
 * The output of elfutils' eu-stack, one run per sample:
 *
 *     PID 12 - process
 *     TID 12:
 *     #0  0x00007f0000000001 poll
 *     #1  0x00007f0000000002
 *
 * With -m, the module follows the name; with -v, the kind of the address precedes it:
 *
 *     #2  0x00007f0000000003 - 1 main - /usr/bin/app
 *         main.c:12:3
 */
#include "profile/spelling.h"
#include "read/readers.h"
#include "read/text/listing.h"

static int set_id(struct listing *l, uint32_t *id, struct span text, struct error *e)
{
	int ret = listing_end(l, e);

	*id = listing_id(text);
	l->b->thread = profile_thread(l->b->p, l->state);
	return ret;
}

/* "#0  0x00007f0000000001 name": removes number and address. */
static bool cut_frame(struct span *line)
{
	uint64_t number;

	if (!listing_number(line, &number) || !span_starts(*line, "0x"))
		return false;
	span_word(line);
	return true;
}

/* Removes the module from the end, and the kind of the address from the start. */
static struct span cut_module(struct span *text)
{
	static const char kind[] = "- 1";
	size_t dash = span_rfind_text(*text, "- /");
	struct span module = SPAN("");

	if (dash >= text->size)
		dash = span_rfind_text(*text, "- [");
	/* In the name of an operator, there is no blank before the minus. */
	if (dash < text->size && (!dash || is_blank(text->at[dash - 1]))) {
		module = span_trim(span_from(*text, dash + 2));
		*text = span_trim_end(span_upto(*text, dash));
	}
	*text = span_trim_start(*text);
	if (span_starts(*text, kind) && (text->size == 3 || is_blank(text->at[3])))
		*text = span_trim_start(span_from(*text, 3));
	return module;
}

static void push_frame(struct listing *l, struct span text)
{
	struct span module = cut_module(&text);
	struct profile *p = l->b->p;
	struct line line = { 0 };
	struct frame frame = { .line = &line, .nr_line = text.size ? 1 : 0 };

	if (!module.size) {
		listing_push(l, text);
		return;
	}
	frame.module = profile_module(p, module, SPAN(""));
	line.function = profile_string(p, listing_name(l, text));
	listing_push_frame(l, profile_frame(p, &frame));
}

static int elfutils_line(struct listing *l, struct span line, struct error *e)
{
	struct thread *t = l->state;

	if (span_starts(line, "PID "))
		return set_id(l, &t->pid, span_from(line, 4), e);
	if (span_starts(line, "TID "))
		return set_id(l, &t->tid, span_from(line, 4), e);
	if (cut_frame(&line))
		push_frame(l, span_from(line, 1));
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
