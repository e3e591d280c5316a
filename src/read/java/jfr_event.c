#include "read/java/jfr_event.h"

#include "base/alloc.h"
#include "base/decimal.h"
#include "read/java/java.h"

/*
 * Fields that may be the weight of an event; of several, the last one here counts.  The first object in
 * a new TLAB is sampled because of the TLAB, so it represents everything allocated there.
 */
static const struct jfr_weight weights[] = {
	{ "size", "bytes" }, /* of async-profiler's profiler.Malloc */
	{ "duration", "ns" },	 { "weight", "bytes" },	   { "allocationSize", "bytes" },
	{ "tlabSize", "bytes" }, { "samples", "samples" },
};

/* The event shown by default: the first of these that has samples, else the first event. */
static const char *const leads[] = {
	"jdk.ExecutionSample",	  "jdk.CPUTimeSample",		"profiler.WallClockSample",
	"jdk.NativeMethodSample", "jdk.ObjectAllocationSample", "jdk.ObjectAllocationInNewTLAB",
};

static const struct {
	const char *name, *of;
	int64_t times;
} units[] = {
	{ "ns", "ns", 1 },
	{ "us", "ns", 1000 },
	{ "ms", "ns", 1000000 },
	{ "s", "ns", 1000000000 },
	{ "m", "ns", 60000000000 },
	{ "h", "ns", 3600000000000 },
	{ "d", "ns", 86400000000000 },
	{ "bytes", "bytes", 1 },
	{ "byte", "bytes", 1 },
	{ "kB", "bytes", 1 << 10 },
	{ "MB", "bytes", 1 << 20 },
	{ "GB", "bytes", 1 << 30 },
	{ "TB", "bytes", (int64_t)1 << 40 },
	/* ISO 8601, as in PT1M2.5S */
	{ "D", "ns", 86400000000000 },
	{ "H", "ns", 3600000000000 },
	{ "M", "ns", 60000000000 },
	{ "S", "ns", 1000000000 },
};

void jfr_event_begin(struct jfr_event *j, struct span name)
{
	strbuf_reset(&j->name);
	strbuf_add(&j->name, name);
	j->weight = NULL;
	j->value = 0;
	j->bad_value = false;
	j->thread = (struct thread){ .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };
	j->begin = 0;
}

/* The weight that a field sets; NULL: it is not a weight, or a previous field has priority. */
static const struct jfr_weight *find_weight(const struct jfr_event *j, struct span field)
{
	for (const struct jfr_weight *w = weights; w < weights + ARRAY_SIZE(weights); w++)
		if (span_is(field, w->field) && (!j->weight || w > j->weight))
			return w;
	return NULL;
}

/* The JDK writes a duration of 0 for what takes no time, as an exception: the event counts. */
static bool is_instant(struct span field, int64_t value)
{
	return !value && span_is(field, "duration");
}

void jfr_event_set(struct jfr_event *j, struct span field, int64_t value)
{
	const struct jfr_weight *w = find_weight(j, field);

	if (!w || is_instant(field, value))
		return;
	j->weight = w;
	j->value = value;
	j->bad_value = value < 0;
}

/* "18.6", or "18,6" where the language of the JDK's user writes it so. */
static bool parse_number(struct span number, struct decimal *d)
{
	char plain[64];
	size_t comma = span_find(number, ',');

	if (comma == number.size || number.size > sizeof(plain))
		return decimal_parse(number, d);
	memcpy(plain, number.at, number.size);
	plain[comma] = '.';
	return decimal_parse((struct span){ plain, number.size }, d);
}

/* Adds "18.6" of a unit; without a unit, in that of the event. */
static bool add_amount(struct span number, struct span unit, const char *of, int64_t *sum)
{
	struct decimal d;
	int64_t value, times = unit.size ? 0 : 1;

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (span_is(unit, units[i].name) && !strcmp(units[i].of, of))
			times = units[i].times;
	return times && parse_number(number, &d) && decimal_times(&d, times) &&
	       decimal_at(d, 0, &value) && value >= 0 && !__builtin_add_overflow(*sum, value, sum);
}

/* "P1DT2H3M4.5S", without the P */
static bool parse_iso(struct span text, int64_t *sum)
{
	bool any = false;

	while (text.size) {
		size_t n = 0;

		if (span_starts(text, "T"))
			text = span_from(text, 1);
		while (n < text.size && (is_digit(text.at[n]) || text.at[n] == '.'))
			n++;
		if (!add_amount(span_upto(text, n), span_upto(span_from(text, n), 1), "ns", sum))
			return false;
		text = span_from(text, n + 1);
		any = true;
	}
	return any;
}

/* "18.6 MB", "1 m 3 s" for long durations, "PT0.5S" if the field has no unit. */
static bool parse_amount(struct span text, const char *of, int64_t *sum)
{
	*sum = 0;
	text = span_trim(text);
	if (span_starts(text, "P"))
		return parse_iso(span_from(text, 1), sum);
	if (!text.size)
		return false;
	while (text.size) {
		struct span number = span_word(&text), unit = span_word(&text);

		if (!add_amount(number, unit, of, sum))
			return false;
	}
	return true;
}

void jfr_event_parse(struct jfr_event *j, struct span field, struct span text)
{
	const struct jfr_weight *w = find_weight(j, field);
	int64_t value = 0;
	bool good;

	if (!w)
		return;
	good = parse_amount(text, w->unit, &value);
	if (good && is_instant(field, value))
		return;
	j->weight = w;
	j->value = value;
	j->bad_value = !good;
}

/* Kinds of frames, by the names of the JDK and of async-profiler. */
static const struct {
	const char *name;
	enum frame_kind kind;
	unsigned flags;
} kinds[] = {
	{ "JIT compiled", FRAME_JIT, 0 },
	{ "C1 compiled", FRAME_JIT, 0 },
	{ "Inlined", FRAME_JIT, FRAME_INLINED },
	{ "Kernel", FRAME_KERNEL, 0 },
};

frame_id jfr_frame(struct build *b, struct span type, struct span method, uint32_t number,
		   struct span kind)
{
	struct strbuf name = { 0 }, part = { 0 };
	struct line line = { 0 };
	struct frame frame = { .line = &line, .nr_line = 1 };
	frame_id id;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (span_is(kind, kinds[i].name)) {
			frame.kind = kinds[i].kind;
			frame.flags = kinds[i].flags;
		}
	for (size_t i = 0; i < type.size; i++) {
		/* In hidden classes, the slash is followed by a number. */
		bool slash = type.at[i] == '/' && !is_digit(span_at(type, i + 1));

		strbuf_addch(&name, slash ? '.' : type.at[i]);
	}
	if (name.size && method.size)
		strbuf_addch(&name, '.');
	strbuf_add(&name, method);
	line.function =
		profile_string(b->p, java_packages(strbuf_peek(&name), b->o->packages, &part));
	if (build_wants_lines(b, number != 0))
		line.line = number;
	id = profile_frame(b->p, &frame);
	strbuf_release(&name);
	strbuf_release(&part);
	return id;
}

int jfr_event_end_at(struct jfr_event *j, struct build *b, stack_id stack, struct error *e)
{
	struct span unit = span_of(j->weight ? j->weight->unit : "samples");
	int64_t weight = j->weight ? j->value : 1;
	uint64_t nr = span_is(unit, "samples") ? (uint64_t)weight : 1, end;
	struct span name = strbuf_peek(&j->name);

	if (stack.i && j->bad_value)
		return build_note(b, NOTE_BAD_COUNT, name, e);
	if (!stack.i) {
		/* Most other events describe the machine, and never have a stack. */
		if (span_ends(name, "Sample") || span_ends(name, "TLAB"))
			notes_add(&b->p->notes, NOTE_NO_STACK, 1, b->text->line, name);
		return 0;
	}
	if (!weight)
		return 0;
	b->event = profile_event(b->p, name, unit);
	b->thread = profile_thread(b->p, &j->thread);
	b->time = j->begin;
	if (span_is(unit, "ns")) {
		build_measure(b, SOURCE_MEASURED, EXTENT_SHARE);
		if (j->begin && !__builtin_add_overflow(j->begin, (uint64_t)weight, &end))
			build_extent(b, stack, j->begin, end, weight);
	}
	return build_add(b, stack, weight, nr, e);
}

int jfr_event_end(struct jfr_event *j, struct build *b, struct error *e)
{
	stack_id stack = { 0 };

	if (b->nr && build_stack(b, LEAF_FIRST, &stack, e))
		return -1;
	build_drop(b);
	return jfr_event_end_at(j, b, stack, e);
}

void jfr_choose_lead(struct profile *p, uint32_t nr_before)
{
	for (size_t i = 0; i < ARRAY_SIZE(leads); i++)
		for (uint32_t event = 0; event < p->nr_event; event++)
			if (span_is(profile_peek(p, p->event[event].name), leads[i])) {
				if (event > nr_before)
					profile_swap_events(p, event, nr_before);
				return;
			}
}
