/*
 * Intervals, links and series: sums stay exact whatever the limit makes of times, a range of time
 * takes what lies in it, merging keeps what links name, and a pack gives everything back.
 */
#include "base/alloc.h"
#include "pack/pack_read.h"
#include "pack/pack_write.h"
#include "profile/anonymize.h"
#include "random.h"
#include "span_tap.h"
#include "stacks.h"

#include <stdio.h>
#include <stdlib.h>

enum { WAITS, SPANS, ALLOCATIONS };

static void init(struct profile *p, size_t max)
{
	static const char *const event[] = { "off-cpu", "spans", "heap", NULL };

	init_profile(p, event);
	profile_keep_intervals(p, max);
	p->event[WAITS].source = p->event[SPANS].source = SOURCE_MEASURED;
	p->event[SPANS].extent = EXTENT_SELF;
	p->event[ALLOCATIONS].extent = EXTENT_WHOLE;
}

static void add(struct profile *p, uint32_t event, const char *path, uint64_t begin, uint64_t end,
		int64_t weight)
{
	struct interval v = { .begin = begin,
			      .end = end,
			      .weight = weight,
			      .event = (uint16_t)event,
			      .stack = stack_of(p, path),
			      .nr = 1 };

	profile_add_interval(p, &v);
}

static int64_t weight_of(struct profile *p, uint32_t event, const char *path)
{
	struct count c = { .event = event, .stack = stack_of(p, path) };
	const struct count *found = profile_find_count(p, &c);

	return found ? found->weight : 0;
}

static void range(struct profile *p, uint64_t begin, uint64_t end)
{
	struct time_span span = { .begin = begin, .end = end };

	profile_recount(p, &(struct recount){ .span = &span });
}

static void test_range(void)
{
	struct profile p;

	init(&p, 100);
	add(&p, WAITS, "main;read", 100, 200, 100);
	add(&p, WAITS, "main;lock", 300, 400, 100);
	/* main 0..100, with load 20..60, in it parse 30..50 */
	add(&p, SPANS, "main", 0, 100, 60);
	add(&p, SPANS, "main;load", 20, 60, 20);
	add(&p, SPANS, "main;load;parse", 30, 50, 20);
	add(&p, ALLOCATIONS, "main;new", 10, 1000, 64);
	add(&p, ALLOCATIONS, "main;new", 45, INTERVAL_OPEN, 32);
	is_str(profile_check(&p), NULL, "a profile with intervals passes its check");
	range(&p, 40, 150);
	is_int(weight_of(&p, WAITS, "main;read"), 50, "a range takes its share of a wait");
	is_int(weight_of(&p, WAITS, "main;lock"), 0, "a range drops a wait outside of it");
	is_int(weight_of(&p, SPANS, "main"), 40,
	       "a range takes the self time that a span has in it");
	is_int(weight_of(&p, SPANS, "main;load"), 10, "a range cuts a nested span");
	is_int(weight_of(&p, SPANS, "main;load;parse"), 10, "a range cuts the innermost span");
	is_int(weight_of(&p, ALLOCATIONS, "main;new"), 32,
	       "a range takes the allocations that begin in it, whole");
	is_str(profile_check(&p), NULL, "a profile passes its check after a range");
	profile_release(&p);
}

static void test_range_ticks(void)
{
	struct profile p;

	init(&p, 100);
	profile_keep_ticks(&p, 100);
	add_stack(&p, WAITS, "main;read", 100);
	profile_add_extent(&p, &(struct interval){ .begin = 5,
						   .end = 105,
						   .weight = 100,
						   .stack = stack_of(&p, "main;read"),
						   .nr = 1 });
	range(&p, 0, 30);
	is_int(weight_of(&p, WAITS, "main;read"), 25,
	       "an event with both ticks and intervals is cut by its intervals");
	is_int(p.nr_tick, 1, "a cut interval is a tick again");
	is_int(p.tick[0].weight, 25, "the tick of a cut interval has its weight");
	profile_release(&p);
}

/* Sums by stack are the same with and without a limit. */
static void test_swap(void)
{
	struct profile p;

	init(&p, 100);
	add(&p, WAITS, "a", 0, 10, 10);
	add(&p, SPANS, "b", 0, 5, 5);
	profile_swap_events(&p, WAITS, SPANS);
	is_str(profile_check(&p) ? profile_check(&p) : "", "",
	       "swapped events keep their intervals");
	is_int(p.interval[0].event, SPANS, "an interval has the new number of its event");
	profile_release(&p);
}

static void test_limit(void)
{
	enum { NR = 20000 };
	static const char *const path[] = { "a;b", "a;c", "a;c;d" };
	struct profile p, q;
	struct random r = { .state = 3 };
	uint64_t now = 0;
	size_t nr = 0;

	init(&p, NR + 1);
	init(&q, 1000);
	for (int i = 0; i < NR; i++) {
		uint64_t time = 1 + random_below(&r, 1000), gap = random_below(&r, 500);
		const char *at = path[random_below(&r, 3)];

		add(&p, WAITS, at, now, now + time, (int64_t)time);
		add(&q, WAITS, at, now, now + time, (int64_t)time);
		now += time + gap;
	}
	is_int(p.nr_interval, NR, "intervals below the limit are all kept");
	ok(q.nr_interval <= 1000, "intervals above the limit are merged");
	for (size_t i = 0; i < 3; i++)
		is_int(weight_of(&q, WAITS, path[i]), weight_of(&p, WAITS, path[i]),
		       "merging intervals keeps the sum of a stack");
	is_str(profile_check(&q), NULL, "merged intervals add up to the counts");
	for (size_t i = 0; i < q.nr_interval; i++)
		nr += q.interval[i].nr;
	is_int(nr, NR, "merged intervals know how many they stand for");
	ok(q.notes.count[NOTE_INTERVALS_COARSE] > 0,
	   "a note counts the intervals that were merged");
	profile_release(&p);
	profile_release(&q);
}

/* A wait whose waker and holder are linked, and a span that was started in another. */
static void add_linked(struct profile *p, uint64_t begin)
{
	link_id holder = profile_link(p, &(struct link){ .kind = LINK_HOLDER,
							 .stack = stack_of(p, "holder;work"),
							 .interval = INTERVAL_NONE });
	link_id waker = profile_link(p, &(struct link){ .kind = LINK_WAKER,
							.stack = stack_of(p, "waker;unlock"),
							.interval = INTERVAL_NONE,
							.next = holder });
	link_id parent;
	uint32_t row;

	profile_add_interval(p, &(struct interval){ .begin = begin,
						    .end = begin + 50,
						    .weight = 50,
						    .event = WAITS,
						    .stack = stack_of(p, "main;lock"),
						    .link = waker,
						    .nr = 1 });
	add(p, SPANS, "task", begin + 60, begin + 70, 10);
	row = (uint32_t)p->nr_interval - 1;
	parent = profile_link(p, &(struct link){ .kind = LINK_PARENT, .interval = row });
	profile_add_interval(p, &(struct interval){ .begin = begin + 80,
						    .end = begin + 90,
						    .weight = 10,
						    .event = SPANS,
						    .stack = stack_of(p, "continued"),
						    .link = parent,
						    .nr = 1 });
}

/* The beginning of the interval that the link of another one names. */
static uint64_t parent_begin(struct profile *p, size_t nth)
{
	for (size_t i = 0; i < p->nr_interval; i++) {
		const struct link *l = &p->link[p->interval[i].link.i];

		if (l->kind == LINK_PARENT && l->interval != INTERVAL_NONE && !nth--)
			return p->interval[l->interval].begin;
	}
	return 0;
}

static void test_links(void)
{
	struct profile p, q;

	init(&p, 100);
	init(&q, 100);
	add_linked(&p, 1000);
	is_int(p.nr_link, 4, "links are rows of their own, behind the empty one");
	add_linked(&p, 2000);
	is_int(p.nr_link, 5, "equal links are one row");
	add_linked(&q, 5000);
	profile_merge(&p, &q);
	is_str(profile_check(&p), NULL, "a merged profile passes its check");
	is_int(p.nr_interval, 9, "merging adds the intervals");
	is_int(parent_begin(&p, 2), 5060, "a merged link names the interval it named");
	range(&p, 2000, 6000);
	is_str(profile_check(&p), NULL, "a range drops intervals and keeps links sound");
	is_int(parent_begin(&p, 1), 5060, "a link names its interval after a range");
	range(&p, 5075, 6000);
	is_int(parent_begin(&p, 0), 0, "a link to a dropped interval names none");
	profile_release(&p);
	profile_release(&q);
}

static void test_spread(void)
{
	static const int64_t value[] = { 500, 0, 900, 1000 };
	static const int64_t want[] = { 500, 950, 1000, 1000, 1000 };
	struct profile p;
	struct series *s;

	init(&p, 100);
	s = profile_series(&p, SPAN("waiting"), SPAN("%"), SPAN(""));
	for (size_t i = 0; i < 4; i++)
		series_add(&p, s, 100 + 10 * i, value[i]);
	series_spread(s, 95, 1000);
	is_int(s->point[2].value, 900, "series_spread leaves points below the limit as they are");
	series_add(&p, s, 135, 3100); /* half as long: 1050 of the others */
	series_spread(s, 95, 1000);
	for (size_t i = 0; i < 5; i++)
		is_int(s->point[i].value, want[i],
		       "series_spread moves what exceeds the limit to earlier points");
	series_add(&p, s, 145, 9000);
	series_spread(s, 115, 1000);
	is_int(s->point[1].value, 950, "series_spread moves nothing to points before the begin");
	is_int(s->point[5].value, 1000, "series_spread drops what earlier points have no room for");
	profile_release(&p);
}

static void test_series(void)
{
	struct profile p, q;
	struct series *rss;
	int64_t most = 0;

	init(&p, 100);
	init(&q, 100);
	rss = profile_series(&p, SPAN("rss"), SPAN("bytes"), SPAN(""));
	series_add(&p, rss, 30, 3);
	series_add(&p, rss, 10, 1);
	series_add(&p, rss, 20, 2);
	is_int(rss->point[1].value, 2, "points are kept in the order of time");
	rss = profile_series(&q, SPAN("rss"), SPAN("bytes"), SPAN(""));
	rss->scale = -1;
	series_add(&q, rss, 15, 15);
	profile_merge(&p, &q);
	is_int(p.nr_series, 1, "series of the same name, unit and scope are one");
	is_int(p.series[0].nr, 4, "merging adds the points of a series");
	is_int(p.series[0].point[1].value, 15, "merging sorts points by time");
	is_int(p.series[0].point[3].value, 30, "merging converts to the finer scale");
	range(&p, 12, 25);
	is_int(p.series[0].nr, 2, "a range drops points outside of it");
	for (uint64_t i = 0; i < 3 * PROFILE_POINTS_MAX; i++)
		series_add(&p, &p.series[0], 100 + i, i == 70001 ? 1000000 : (int64_t)(i % 100));
	ok(p.series[0].nr <= PROFILE_POINTS_MAX, "a series keeps to its limit");
	for (size_t i = 0; i < p.series[0].nr; i++)
		most = p.series[0].point[i].value > most ? p.series[0].point[i].value : most;
	is_int(most, 1000000, "a series that got coarser keeps its peak");
	is_str(profile_check(&p), NULL, "a profile with series passes its check");
	profile_release(&p);
	profile_release(&q);
}

/* Intervals that all differ are never merged: the limit grows instead. */
static void test_limit_grows(void)
{
	enum { MAX = 4, NR = 100 };
	struct profile p, q;

	init(&p, MAX);
	init(&q, NR);
	for (uint64_t i = 0; i < NR; i++) {
		char path[16];

		snprintf(path, sizeof(path), "f%d", (int)i);
		add(&q, WAITS, path, i, i + 1, 1);
	}
	profile_merge(&p, &q);
	is_int(p.nr_interval, NR, "merging keeps intervals of different stacks beyond the limit");
	is_str(profile_check(&p), NULL, "merging raises the limit to the number of intervals");
	profile_release(&p);
	profile_release(&q);
}

static void test_check(void)
{
	struct profile p;
	struct series *rss;
	size_t max, nr;
	uint64_t quantum;

	init(&p, 100);
	add_linked(&p, 1000);
	rss = profile_series(&p, SPAN("rss"), SPAN("bytes"), SPAN(""));
	series_add(&p, rss, 10, 1);
	is_str(profile_check(&p), NULL, "a profile with intervals passes its check");
	max = p.max_interval;
	p.max_interval = p.nr_interval - 1;
	ok(profile_check(&p), "the check finds more intervals than the limit");
	p.max_interval = max;
	quantum = p.interval_quantum;
	p.interval_quantum = 0;
	ok(profile_check(&p), "the check finds a quantum of intervals that is 0");
	p.interval_quantum = quantum;
	nr = rss->nr;
	rss->nr = PROFILE_POINTS_MAX + 1;
	ok(profile_check(&p), "the check finds a series with more points than the limit");
	rss->nr = nr;
	quantum = rss->quantum;
	rss->quantum = 0;
	ok(profile_check(&p), "the check finds a quantum of a series that is 0");
	rss->quantum = quantum;
	memset(&p.link[1].kind, 0x7f, sizeof(p.link[1].kind));
	ok(profile_check(&p), "the check finds an unknown kind of link");
	profile_release(&p);
}

/* Intervals of all kinds, with threads and labels. */
static void fill(struct profile *p, uint64_t seed, size_t nr)
{
	static const char *const path[] = { "a;b", "a;c", "a;c;d", "e", "" };
	struct random r = { .state = seed };

	init(p, seed % 3 ? 10000 : 100);
	for (size_t i = 0; i < nr; i++) {
		char comm[16];
		struct label reason = { .key = profile_string(p, SPAN("reason")) };
		struct interval v = { .begin = i * 1000 + random_below(&r, 900),
				      .event = (uint16_t)random_below(&r, 3),
				      .nr = 1 };
		uint32_t linked = random_below(&r, 6);

		snprintf(comm, sizeof(comm), "worker-%u", random_below(&r, 4));
		reason.value = profile_string(p, random_below(&r, 2) ? SPAN("lock") : SPAN("disk"));
		v.end = v.begin + random_below(&r, 100000);
		v.weight = random_below(&r, 5) ? (int64_t)(v.end - v.begin)
					       : (int64_t)random_below(&r, 9) - 3;
		v.stack = stack_of(p, path[random_below(&r, 5)]);
		v.thread = profile_thread(
			p, &(struct thread){ .pid = 1,
					     .tid = 1 + random_below(&r, 3),
					     .comm = profile_string(p, span_of(comm)) });
		if (random_below(&r, 2))
			v.labels = profile_labels(p, &reason, 1);
		if (v.event == ALLOCATIONS && random_below(&r, 2))
			v.end = INTERVAL_OPEN;
		if (linked == 1)
			v.link = profile_link(p, &(struct link){ .kind = LINK_WAKER,
								 .thread = v.thread,
								 .stack = stack_of(p, "waker"),
								 .interval = INTERVAL_NONE });
		if (linked == 2 && p->nr_interval && p->interval_quantum == 1)
			v.link = profile_link(
				p, &(struct link){ .kind = LINK_PARENT,
						   .interval = random_below(
							   &r, (uint32_t)p->nr_interval) });
		profile_add_interval(p, &v);
	}
	for (uint64_t i = 0; i < nr % 50; i++) {
		struct series *s = profile_series(p, SPAN("rss"), SPAN("bytes"),
						  i & 1 ? SPAN("machine") : SPAN(""));

		series_add(p, s, i * 1000000, (int64_t)random_below(&r, 1000) - 500);
	}
}

static bool same_intervals(const struct profile *a, const struct profile *b)
{
	uint64_t sum[2] = { 0 };
	const struct profile *side[2] = { a, b };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < side[k]->nr_interval; i++) {
			const struct interval *v = &side[k]->interval[i];
			const struct link *l = &side[k]->link[v->link.i];
			uint64_t h = v->begin * 31 + v->end * 37 + (uint64_t)v->weight * 41 +
				     v->nr * 43 + v->event * 47 +
				     side[k]->thread[v->thread.i].tid * 53 +
				     side[k]->labels[v->labels.i].nr * 59;

			if (v->link.i)
				h += 61 * l->kind + 67;
			if (v->link.i && l->interval != INTERVAL_NONE)
				h += 71 * side[k]->interval[l->interval].begin;
			sum[k] += h * 0x9e3779b97f4a7c15u ^ h >> 7;
		}
	return a->nr_interval == b->nr_interval && sum[0] == sum[1];
}

static bool same_series(const struct profile *a, const struct profile *b)
{
	if (a->nr_series != b->nr_series)
		return false;
	for (size_t i = 0; i < a->nr_series; i++)
		if (a->series[i].nr != b->series[i].nr ||
		    memcmp(a->series[i].point, b->series[i].point,
			   a->series[i].nr * sizeof(struct point)))
			return false;
	return true;
}

static void test_pack(void)
{
	bool intervals = true, series = true, events = true, bytes_same = true, sound = true;

	for (uint64_t seed = 1; seed < 20; seed++) {
		struct strbuf bytes = { 0 }, again = { 0 };
		struct error e = ERROR_INIT;
		struct profile p, back;

		fill(&p, seed, seed * seed * 3);
		pack_write(&bytes, &p, NULL);
		profile_init(&back);
		if (pack_read(&back, strbuf_peek(&bytes), NULL, NULL, &e))
			printf("# seed %d: %s\n", (int)seed, e.text);
		intervals &= same_intervals(&p, &back);
		series &= same_series(&p, &back);
		sound &= !profile_check(&back);
		for (size_t i = 0; i < p.nr_event; i++)
			events &= p.event[i].source == back.event[i].source &&
				  p.event[i].extent == back.event[i].extent;
		pack_write(&again, &back, NULL);
		bytes_same &= span_eq(strbuf_peek(&bytes), strbuf_peek(&again));
		strbuf_release(&bytes);
		strbuf_release(&again);
		profile_release(&p);
		profile_release(&back);
	}
	ok(intervals, "a pack gives back intervals and links");
	ok(series, "a pack gives back series");
	ok(events, "a pack gives back the source and extent of events");
	ok(sound, "a profile read from a pack passes its check");
	ok(bytes_same, "a profile that was read is written as the same bytes");
}

/* Bytes changed at random: an error, or a sound profile. */
static void test_hostile(void)
{
	struct strbuf bytes = { 0 };
	struct random r = { .state = 11 };
	struct profile p;
	bool sound = true;

	fill(&p, 7, 60);
	pack_write(&bytes, &p, NULL);
	for (int i = 0; i < 4000; i++) {
		struct strbuf bad = { 0 };
		struct error e = ERROR_INIT;
		struct profile back;

		strbuf_add(&bad, strbuf_peek(&bytes));
		for (uint32_t k = 0; k <= random_below(&r, 3); k++)
			bad.at[8 + random_below(&r, (uint32_t)bad.size - 8)] =
				(char)random_next(&r);
		profile_init(&back);
		pack_read(&back, strbuf_peek(&bad), NULL, NULL, &e);
		sound &= !profile_check(&back);
		profile_release(&back);
		strbuf_release(&bad);
	}
	ok(sound, "a damaged pack is an error or a sound profile");
	strbuf_release(&bytes);
	profile_release(&p);
}

static void test_anonymize(void)
{
	struct profile p, q;

	init(&p, 100);
	profile_init(&q);
	add_linked(&p, 1000);
	profile_series(&p, SPAN("memory"), SPAN("bytes"), SPAN("/sys/fs/cgroup/me/app"));
	profile_anonymize(&q, &p);
	is_str(profile_check(&q), NULL, "an anonymized profile passes its check");
	is_int(q.nr_interval, 3, "anonymizing keeps intervals");
	is_int(parent_begin(&q, 0), 1060, "anonymizing keeps links");
	is_span(profile_peek(&q, q.series[0].scope), "app", "anonymizing shortens paths of series");
	profile_release(&p);
	profile_release(&q);
}

static void test_rescale(void)
{
	struct profile p;

	init(&p, 100);
	add(&p, WAITS, "a", 0, 10, 10);
	profile_rescale(&p, WAITS, -2);
	is_int(p.interval[0].weight, 1000, "a finer scale converts intervals");
	is_str(profile_check(&p), NULL, "converted intervals add up to the counts");
	profile_release(&p);
}

int main(void)
{
	test_range();
	test_range_ticks();
	test_swap();
	test_limit();
	test_links();
	test_series();
	test_spread();
	test_limit_grows();
	test_check();
	test_pack();
	test_hostile();
	test_anonymize();
	test_rescale();
	return done();
}
