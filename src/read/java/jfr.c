/*
 * JDK Flight Recorder events, as printed by `jfr print`:
 *
 *     jdk.ExecutionSample {
 *       startTime = 03:07:14.963
 *       sampledThread = "main" (javaThreadId = 1)
 *       stackTrace = [
 *         org.acme.Calc.step(int, String) line: 354
 *         ...
 *       ]
 *     }
 *
 * Strings are not escaped: the message of an exception may have several lines.
 */
#include "profile/spelling.h"
#include "read/java/java.h"
#include "read/java/jfr_event.h"
#include "read/readers.h"

struct jfr {
	struct jfr_event event;
	bool in_stack, in_string;
};

static int end_event(struct listing *l, struct error *e)
{
	struct jfr *j = l->state;
	int ret = jfr_event_end(&j->event, l->b, e);

	/* The string may have taken the place of any number of events. */
	if (!ret && j->in_string)
		ret = build_note(l->b, NOTE_NO_END, SPAN("string without a closing quote"), e);
	jfr_event_begin(&j->event, SPAN(""));
	j->in_stack = j->in_string = false;
	return ret;
}

static int begin_event(struct listing *l, struct span name, struct error *e)
{
	struct jfr *j = l->state;
	/* If the previous event lacks its }, it was truncated: it ends here. */
	int ret = listing_end(l, e);

	jfr_event_begin(&j->event, name);
	return ret;
}

static void read_fact(struct listing *l, struct span line)
{
	struct jfr *j = l->state;
	size_t end = span_find_text(line, " = ");
	struct span value = span_from(line, end + 3), string = span_from(value, 1);

	if (end < line.size)
		jfr_event_parse(&j->event, span_upto(line, end), value);
	if (span_starts(line, "sampledThread = \"") || span_starts(line, "eventThread = \""))
		j->event.thread.comm =
			profile_string(l->b->p, span_upto(string, span_rfind(string, '"')));
	j->in_stack = span_starts(line, "stackTrace = [");
	j->in_string = span_starts(value, "\"") && !span_contains(string, "\"");
}

/* "jdk.ExecutionSample {" */
static bool is_head(struct span line)
{
	return span_ends(line, " {") && span_find(line, ' ') == line.size - 2;
}

static int jfr_line(struct listing *l, struct span line, struct error *e)
{
	struct jfr *j = l->state;
	struct span text = span_trim(line);

	if (j->in_string) {
		j->in_string = !span_ends(text, "\"");
		return 0;
	}
	if (line.size && !is_blank(line.at[0])) {
		if (is_head(text))
			return begin_event(l, span_upto(text, text.size - 2), e);
		return span_is(text, "}") ? listing_end(l, e) : 0;
	}
	if (!j->in_stack)
		read_fact(l, text);
	else if (span_is(text, "]"))
		j->in_stack = false;
	else if (span_is(text, "..."))
		listing_push_label(l, SPAN(TRUNCATED_FRAME));
	else if (text.size)
		java_push(l, text);
	return 0;
}

static int jfr_read(struct build *b, struct error *e)
{
	struct jfr j = { .in_stack = false };
	uint32_t nr_event = (uint32_t)b->p->nr_event;
	int ret = listing_read(&(struct listing){ .b = b,
						  .line = jfr_line,
						  .end = end_event,
						  .own_events = true,
						  .state = &j },
			       e);

	jfr_choose_lead(b->p, nr_event);
	strbuf_release(&j.event.name);
	return ret;
}

/* An event, and when it began. */
static bool jfr_accepts(struct span head)
{
	while (head.size) {
		struct span line = span_line(&head);

		if (span_trim(line).size)
			return span_ends(line, " {") &&
			       span_starts(span_trim_start(span_line(&head)), "startTime = ");
	}
	return false;
}

const struct reader reader_jfr = {
	.name = "jfr",
	.title = "jfr print",
	.accepts = jfr_accepts,
	.read = jfr_read,
	.spelling = SPELL_THREAD,
};
