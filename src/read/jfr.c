/*
 * JDK Flight Recorder's events as `jfr print` prints them:
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
 * An event that took time weighs that, one that allocated weighs its bytes,
 * and all others are samples.  Events without a stack tell of no function.
 */
#include "base/alloc.h"
#include "base/decimal.h"
#include "profile/spelling.h"
#include "read/java.h"
#include "read/readers.h"

/* What an event may weigh: the kinds differ in what they call it. */
static const struct weight {
	const char *key, *unit;
} weights[] = {
	{ "duration = ", "ns" },
	{ "weight = ", "bytes" },
	{ "allocationSize = ", "bytes" },
};

static const struct {
	const char *name, *of;
	int64_t times;
} units[] = {
	{ "ns", "ns", 1 },	    { "us", "ns", 1000 },	{ "ms", "ns", 1000000 },
	{ "s", "ns", 1000000000 },  { "m", "ns", 60000000000 }, { "h", "ns", 3600000000000 },
	{ "bytes", "bytes", 1 },    { "byte", "bytes", 1 },	{ "kB", "bytes", 1 << 10 },
	{ "MB", "bytes", 1 << 20 }, { "GB", "bytes", 1 << 30 },
};

struct jfr {
	struct strbuf event;
	const struct weight *weight; /* NULL: a sample */
	int64_t value;
	struct thread thread;
	bool in_stack;
};

/* "18.6 MB", and "1 m 3 s" of what took long */
static int64_t parse_amount(struct span text, const char *of)
{
	int64_t sum = 0, value;
	struct decimal d;

	while (decimal_parse(span_word(&text), &d)) {
		struct span unit = span_word(&text);

		for (size_t i = 0; i < ARRAY_SIZE(units); i++)
			if (span_is(unit, units[i].name) && !strcmp(units[i].of, of))
				d.value *= units[i].times;
		if (!decimal_at(d, 0, &value) || value < 0 ||
		    __builtin_add_overflow(sum, value, &sum))
			return 0;
	}
	return sum;
}

static int end_event(struct listing *l, struct error *e)
{
	struct jfr *j = l->state;
	struct build *b = l->b;
	int64_t weight = j->weight ? j->value : 1;
	int ret = 0;

	if (b->nr && weight) {
		b->event = profile_event(b->p, strbuf_peek(&j->event),
					 span_of(j->weight ? j->weight->unit : "samples"));
		b->thread = profile_thread(b->p, &j->thread);
		ret = build_end(b, LEAF_FIRST, weight, e);
	} else if (!b->nr && span_ends(strbuf_peek(&j->event), "Sample")) {
		/* Only for sampled events: most others describe the machine, and never have a stack. */
		notes_add(&b->p->notes, NOTE_NO_STACK, 1, b->text->line, strbuf_peek(&j->event));
	}
	build_drop(b);
	strbuf_reset(&j->event);
	j->in_stack = false;
	return ret;
}

static int begin_event(struct listing *l, struct span name, struct error *e)
{
	struct jfr *j = l->state;
	/* If the event before lacks its }, it was cut off: it ends here. */
	int ret = listing_end(l, e);

	strbuf_add(&j->event, name);
	j->weight = NULL;
	j->thread = (struct thread){ .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };
	return ret;
}

static void read_fact(struct listing *l, struct span line)
{
	struct jfr *j = l->state;
	struct span name = span_from(line, span_find(line, '"') + 1);

	for (size_t i = 0; i < ARRAY_SIZE(weights); i++)
		if (span_starts(line, weights[i].key)) {
			j->weight = &weights[i];
			j->value = parse_amount(span_from(line, strlen(weights[i].key)),
						weights[i].unit);
		}
	if (span_starts(line, "sampledThread = \"") || span_starts(line, "eventThread = \""))
		j->thread.comm = profile_string(l->b->p, span_upto(name, span_find(name, '"')));
	j->in_stack = span_starts(line, "stackTrace = [");
}

static int jfr_line(struct listing *l, struct span line, struct error *e)
{
	struct jfr *j = l->state;
	struct span text = span_trim(line);

	if (line.size && !is_blank(line.at[0]))
		return span_ends(text, " {") ? begin_event(l, span_upto(text, text.size - 2), e)
					     : listing_end(l, e);
	if (!j->in_stack)
		read_fact(l, text);
	else if (span_is(text, "]"))
		j->in_stack = false;
	else if (span_is(text, "..."))
		listing_push_label(l, SPAN("[truncated]"));
	else if (text.size)
		java_push(l, text);
	return 0;
}

static int jfr_read(struct build *b, struct error *e)
{
	struct jfr j = { .in_stack = false };
	int ret = listing_read(&(struct listing){ .b = b,
						  .line = jfr_line,
						  .end = end_event,
						  .own_events = true,
						  .state = &j },
			       e);

	strbuf_release(&j.event);
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
