/*
 * Two profiles of counts, ticks, intervals, links and series are merged, cut to a time range and
 * packed: every step leaves a sound profile, and the pack holds all of it.
 *
 * An input is a list of steps: what, of which profile, and arguments.  The limits are small, so that
 * few rows exceed them.
 */
#include "fuzz.h"

#include "base/fields.h"
#include "pack/pack_read.h"
#include "pack/pack_write.h"
#include "profile/profile.h"

#include <stdio.h>
#include <stdlib.h>

enum step {
	STEP_COUNT,
	STEP_TICK,
	STEP_INTERVAL,
	STEP_EXTENT, /* an interval of what is counted as a sample */
	STEP_LINK,
	STEP_SERIES,
	STEP_SCALE,
	STEP_KEEP_LESS,
	NR_STEPS,
};

enum { NR_EVENTS = 4, MAX_TICKS = 12, MAX_INTERVALS = 9 };

static void die(const char *when, const char *why)
{
	fprintf(stderr, "merge: %s: %s\n", when, why);
	abort();
}

static void check(const char *when, const struct profile *p)
{
	const char *wrong = profile_check(p);

	if (wrong)
		die(when, wrong);
}

static uint32_t event_of(struct profile *p, unsigned i)
{
	static const char *const name[NR_EVENTS] = { "cpu-clock", "off-cpu", "time", "alloc" };
	uint32_t event = profile_event(p, span_of(name[i]), SPAN("ns"));

	p->event[event].extent = (enum extent)(i % 3);
	return event;
}

static stack_id stack_of(struct profile *p, unsigned i)
{
	char name[2] = { 0 };
	stack_id stack = { 0 };

	for (; i; i /= 4) {
		struct line line;

		name[0] = (char)('a' + i % 4);
		line = (struct line){ .function = profile_string(p, span_of(name)) };
		stack = profile_push(
			p, stack, profile_frame(p, &(struct frame){ .line = &line, .nr_line = 1 }));
	}
	return stack;
}

static thread_id thread_of(struct profile *p, unsigned i)
{
	return i ? profile_thread(p, &(struct thread){ .pid = 1, .tid = i }) : (thread_id){ 0 };
}

static label_id labels_of(struct profile *p, unsigned i)
{
	struct label l = { profile_string(p, SPAN("reason")),
			   profile_string(p, i == 1 ? SPAN("lock") : SPAN("disk")) };

	return i ? profile_labels(p, &l, 1) : (label_id){ 0 };
}

/* Weights of all sizes, since the largest do not add up. */
static int64_t weight_of(unsigned i)
{
	int64_t weight = (int64_t)((UINT64_C(1) << i % 63) - 1);

	return i & 64 ? -weight : weight;
}

static void add_row(struct profile *p, struct fields *f, enum step step, link_id *link)
{
	unsigned what = fields_u8(f), weight = fields_u8(f), of = fields_u8(f);
	uint64_t time = fields_u16(f);
	struct tick t = { .time = time ? time : 1,
			  .event = event_of(p, what % NR_EVENTS),
			  .thread = thread_of(p, of % 4),
			  .stack = stack_of(p, of / 4 % 16),
			  .labels = labels_of(p, of / 64 % 3),
			  .weight = weight_of(weight) };
	struct interval v = { .begin = time,
			      .end = time + (what >> 4),
			      .event = (uint16_t)t.event,
			      .thread = t.thread,
			      .stack = t.stack,
			      .labels = t.labels,
			      .link = what & 4 ? *link : (link_id){ 0 },
			      .weight = t.weight,
			      .nr = 1 };
	struct count c = { .event = t.event,
			   .thread = t.thread,
			   .stack = t.stack,
			   .labels = t.labels,
			   .weight = t.weight,
			   .nr = 1 };

	if (what & 8)
		v.end = INTERVAL_OPEN;
	if (step == STEP_COUNT) {
		profile_add_count(p, &c);
	} else if (step == STEP_TICK) {
		p->event[t.event].untimed |= !time;
		profile_add(p, &t);
	} else if (step == STEP_INTERVAL) {
		profile_add_interval(p, &v);
	} else if (!profile_add(p, &t)) {
		profile_add_extent(p, &v);
	}
}

static void add_link(struct profile *p, struct fields *f, link_id *link)
{
	unsigned what = fields_u8(f), of = fields_u8(f);
	struct link l = { .kind = (enum link_kind)(what % 4),
			  .thread = thread_of(p, of % 4),
			  .stack = stack_of(p, of / 4 % 16),
			  .interval = INTERVAL_NONE,
			  .next = what & 4 ? *link : (link_id){ 0 } };

	if (what & 8 && p->nr_interval)
		l.interval = (uint32_t)((what >> 4) % p->nr_interval);
	*link = profile_link(p, &l);
}

static void add_point(struct profile *p, struct fields *f)
{
	unsigned what = fields_u8(f);
	struct series *s = profile_series(p, what & 1 ? SPAN("RSS") : SPAN("CPU use"),
					  SPAN("bytes"), what & 2 ? SPAN("machine") : SPAN(""));

	series_add(p, s, fields_u16(f), (int8_t)fields_u8(f));
}

static void do_step(struct profile *both, link_id *link, struct fields *f)
{
	unsigned what = fields_u8(f), which = what >> 7;
	struct profile *p = &both[which];
	enum step step = (enum step)(what % NR_STEPS);

	switch (step) {
	case STEP_COUNT:
	case STEP_TICK:
	case STEP_INTERVAL:
	case STEP_EXTENT:
		add_row(p, f, step, &link[which]);
		break;
	case STEP_LINK:
		add_link(p, f, &link[which]);
		break;
	case STEP_SERIES:
		add_point(p, f);
		break;
	case STEP_SCALE:
		profile_rescale(p, event_of(p, fields_u8(f) % NR_EVENTS), -(fields_u8(f) % 10));
		break;
	case STEP_KEEP_LESS:
	case NR_STEPS:
		if (what & 64)
			profile_drop_ticks(p);
		else
			p->timed = true;
		break;
	}
}

/* As after reading: what is there of a part only is dropped. */
static void finish(struct profile *p)
{
	if (!profile_ticks_add_up(p))
		profile_drop_partial_ticks(p);
	if (!profile_intervals_add_up(p))
		profile_drop_partial_intervals(p);
}

/* Packs p into `out`, and fills `read`, which is empty, from that. */
static void pass_through(const struct profile *p, struct strbuf *out, struct profile *read)
{
	struct error e = ERROR_INIT;

	profile_init(read);
	pack_write(out, p, NULL);
	if (pack_read(read, strbuf_peek(out), NULL, NULL, &e))
		die("pack", e.text);
	check("pack", read);
	if (read->nr_interval != p->nr_interval || read->nr_series != p->nr_series ||
	    read->nr_count != p->nr_count)
		die("pack", "it has another number of rows");
}

/* What is in a pack has the same bytes when it is packed again; rows that nothing refers to are gone. */
static void check_pack(const struct profile *p)
{
	struct strbuf pack[3] = { 0 };
	struct profile read[3];

	pass_through(p, &pack[0], &read[0]);
	pass_through(&read[0], &pack[1], &read[1]);
	pass_through(&read[1], &pack[2], &read[2]);
	if (!span_eq(strbuf_peek(&pack[1]), strbuf_peek(&pack[2])))
		die("pack", "the same profile has other bytes");
	for (int i = 0; i < 3; i++) {
		profile_release(&read[i]);
		strbuf_release(&pack[i]);
	}
}

/* Merges into a profile that was read: its links are rows without an index. */
static void check_read(const struct profile *both)
{
	struct strbuf pack = { 0 };
	struct profile read;

	pass_through(&both[0], &pack, &read);
	profile_merge(&read, &both[1]);
	check("merge into a pack", &read);
	profile_release(&read);
	strbuf_release(&pack);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fields f = fields_over((struct span){ (const char *)data, size }, ORDER_LITTLE);
	struct time_span span = { .begin = fields_u16(&f) };
	struct profile both[2];
	link_id link[2] = { 0 };

	span.end = span.begin + fields_u16(&f);
	for (int i = 0; i < 2; i++) {
		profile_init(&both[i]);
		profile_keep_ticks(&both[i], MAX_TICKS);
		profile_keep_intervals(&both[i], MAX_INTERVALS);
	}
	while (fields_left(&f))
		do_step(both, link, &f);
	for (int i = 0; i < 2; i++) {
		finish(&both[i]);
		check("read", &both[i]);
		check_pack(&both[i]);
	}
	check_read(both);
	profile_merge(&both[0], &both[1]);
	check("merge", &both[0]);
	check_pack(&both[0]);
	profile_recount(&both[0], &(struct recount){ .span = &span });
	finish(&both[0]);
	check("time", &both[0]);
	check_pack(&both[0]);
	for (int i = 0; i < 2; i++)
		profile_release(&both[i]);
	return 0;
}
