/*
 * Merging: several profiles put together are the same as one that was given
 * everything from the start.  Samples are generated, dealt to several
 * profiles, and compared as text, since the numbers of rows differ.
 */
#include "profile/profile.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "random.h"
#include "span_tap.h"
#include "stacks.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_DEPTH = 90, FINEST = 3 };

struct sample {
	uint32_t event, pid, tid, nr_label, depth;
	uint32_t frame[MAX_DEPTH]; /* what kind of frame, and which: see frame_of() */
	int64_t weight;		   /* in thousandths */
	uint64_t time;
	bool name; /* this sample knows what its addresses are called */
};

static struct sample generate(struct random *r, uint64_t time)
{
	struct sample s = {
		.event = random_below(r, 3),
		.pid = random_below(r, 3),
		.tid = random_below(r, 4),
		.nr_label = random_below(r, 3),
		.depth = random_below(r, 10) ? random_below(r, 6) : random_below(r, MAX_DEPTH),
		.weight = (int64_t)random_below(r, 50) * 1000 - 3000,
		.time = time,
		.name = random_below(r, 2),
	};

	/* Event 1 is never split; the others need finer scales late. */
	if (s.event != 1 && !random_below(r, 40))
		s.weight += random_below(r, 2) ? 500 : 125;
	for (uint32_t i = 0; i < s.depth; i++)
		s.frame[i] = random_below(r, 60);
	return s;
}

static str_id text_of(struct profile *p, const char *prefix, uint32_t i)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%s%u", prefix, i);

	return profile_string(p, (struct span){ .at = text, .size = (size_t)n });
}

static module_id module_of(struct profile *p, uint32_t i)
{
	char path[32];

	snprintf(path, sizeof(path), "/lib/%u.so", i);
	return profile_module(p, span_of(path), i & 1 ? SPAN("cafe") : SPAN(""));
}

static frame_id frame_of(struct profile *p, uint32_t i, bool name)
{
	struct line line[2] = {
		{ .function = text_of(p, "inner", i), .file = text_of(p, "a.c", i % 5), .line = i },
		{ .function = text_of(p, "outer", i % 7) },
	};
	struct frame f = { .kind = (enum frame_kind)(i % 3), .flags = i % 4 };
	frame_id id;

	if (i % 4)
		f.module = module_of(p, i % 4);
	if (i < 20) {
		f.line = line;
		f.nr_line = 1 + i % 2;
		return profile_frame(p, &f);
	}
	f.address = i;
	id = profile_frame(p, &f);
	if (name)
		profile_name(p, id, line, 2);
	return id;
}

static label_id labels_of(struct profile *p, const struct sample *s)
{
	struct label label[3];

	for (uint32_t i = 0; i < s->nr_label; i++)
		label[i] = (struct label){ .key = text_of(p, "key", 9 - i),
					   .value = text_of(p, "value", s->tid) };
	return profile_labels(p, label, s->nr_label);
}

static void add_sample(struct profile *p, const struct sample *s)
{
	static const char *const events[] = { "cycles", "instructions", "ns" };
	struct tick t = { .time = s->time };
	frame_id path[MAX_DEPTH];
	int64_t weight = s->weight;
	int scale = -FINEST;

	t.event = profile_event(p, span_of(events[s->event]), SPAN("unit"));
	for (; scale < 0 && weight % 10 == 0; scale++)
		weight /= 10;
	profile_rescale(p, t.event, scale);
	t.weight = s->weight;
	for (scale = -FINEST; scale < p->event[t.event].scale; scale++)
		t.weight /= 10;
	t.thread = profile_thread(p, &(struct thread){ .pid = s->pid,
						       .tid = s->tid,
						       .comm = text_of(p, "comm", s->pid) });
	t.labels = labels_of(p, s);
	for (uint32_t i = 0; i < s->depth; i++)
		path[i] = frame_of(p, s->frame[i], s->name);
	t.stack = profile_push_path(p, (stack_id){ 0 }, path, s->depth, ROOT_FIRST);
	profile_add(p, &t);
}

/* Rows as text */

static void add_string(struct strbuf *b, const struct profile *p, str_id s)
{
	strbuf_add(b, profile_peek(p, s));
	strbuf_addch(b, ',');
}

static void add_frame(struct strbuf *b, const struct profile *p, const struct frame *f)
{
	strbuf_addf(b, "[%d %u %llx ", (int)f->kind, f->flags, (unsigned long long)f->address);
	add_string(b, p, p->module[f->module.i].path);
	add_string(b, p, p->module[f->module.i].build_id);
	for (size_t i = 0; i < f->nr_line; i++) {
		add_string(b, p, f->line[i].function);
		add_string(b, p, f->line[i].file);
		strbuf_addf(b, "%u ", f->line[i].line);
	}
	strbuf_addch(b, ']');
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_label(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void add_labels(struct strbuf *b, const struct profile *p, const struct label_set *set)
{
	char text[4][64];

	for (size_t i = 0; i < set->nr; i++) {
		struct span key = profile_peek(p, set->label[i].key);
		struct span value = profile_peek(p, set->label[i].value);

		snprintf(text[i], sizeof(text[i]), "{%s=%s}", key.at, value.at);
	}
	qsort(text, set->nr, sizeof(text[0]), by_label);
	for (size_t i = 0; i < set->nr; i++)
		strbuf_addf(b, "%s", text[i]);
}

static void add_row(struct strbuf *b, const struct profile *p, const struct tick *t)
{
	const struct event *e = &p->event[t->event];
	const struct thread *thread = &p->thread[t->thread.i];
	long long weight = t->weight;

	add_string(b, p, e->name);
	add_string(b, p, e->unit);
	add_string(b, p, thread->comm);
	strbuf_addf(b, "%u/%u ", thread->pid, thread->tid);
	for (stack_id s = t->stack; s.i; s = p->stack[s.i].caller)
		add_frame(b, p, &p->frame[p->stack[s.i].frame.i]);
	add_labels(b, p, &p->labels[t->labels.i]);
	for (int scale = -FINEST; scale < e->scale; scale++)
		weight *= 10;
	strbuf_addf(b, " %lld", weight);
}

/* All counts and, in their order, all ticks. */
static char *spell(const struct profile *p)
{
	char **row = xcalloc(p->nr_count, sizeof(*row));
	struct strbuf all = { 0 }, one = { 0 };

	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		struct tick t = { .event = c->event,
				  .thread = c->thread,
				  .stack = c->stack,
				  .labels = c->labels,
				  .weight = c->weight };

		strbuf_reset(&one);
		add_row(&one, p, &t);
		strbuf_addf(&one, " of %llu\n", (unsigned long long)c->nr);
		row[i] = xstrdup(one.at);
	}
	qsort(row, p->nr_count, sizeof(*row), by_text);
	for (size_t i = 0; i < p->nr_count; i++) {
		strbuf_addf(&all, "%s", row[i]);
		free(row[i]);
	}
	for (size_t i = 0; i < p->nr_tick; i++) {
		strbuf_addf(&all, "%llu: ", (unsigned long long)p->tick[i].time);
		add_row(&all, p, &p->tick[i]);
		strbuf_addf(&all, "\n");
	}
	free(row);
	strbuf_release(&one);
	return all.at;
}

/* Deals nr samples in runs to nr_part profiles, merges these, and compares. */
static bool merges_to_the_same(uint64_t seed, size_t nr, size_t nr_part, bool ticks)
{
	struct profile whole, *part = xcalloc(nr_part, sizeof(*part));
	struct random r = { seed };
	bool same;
	char *a, *b;

	profile_init(&whole);
	if (ticks)
		profile_keep_ticks(&whole, 1000000);
	for (size_t i = 0; i < nr_part; i++) {
		profile_init(&part[i]);
		if (ticks)
			profile_keep_ticks(&part[i], 1000000);
	}
	for (size_t i = 0; i < nr; i++) {
		struct sample s = generate(&r, i);

		add_sample(&whole, &s);
		add_sample(&part[i * nr_part / nr], &s);
	}
	for (size_t i = 1; i < nr_part; i++)
		profile_merge(&part[0], &part[i]);
	a = spell(&whole);
	b = spell(&part[0]);
	same = !profile_check(&part[0]) && !strcmp(a, b) && part[0].nr_stack == whole.nr_stack &&
	       part[0].nr_frame == whole.nr_frame && part[0].nr_thread == whole.nr_thread &&
	       part[0].nr_labels == whole.nr_labels && part[0].nr_event == whole.nr_event;
	free(a);
	free(b);
	for (size_t i = 0; i < nr_part; i++)
		profile_release(&part[i]);
	profile_release(&whole);
	free(part);
	return same;
}

static void test_property(void)
{
	bool counts = true, ticks = true;

	for (uint64_t seed = 1; seed <= 12; seed++) {
		counts &= merges_to_the_same(seed, 30 + seed * 40, 2 + seed % 5, false);
		ticks &= merges_to_the_same(seed, 30 + seed * 40, 2 + seed % 5, true);
	}
	ok(counts, "merged parts have the counts of the whole");
	ok(ticks, "merged parts have the ticks of the whole, in order");
}

static void test_empty(void)
{
	struct profile a, b;
	struct sample s = { .event = 1, .depth = 1, .weight = 5000 };

	profile_init(&a);
	profile_init(&b);
	profile_merge(&a, &b);
	is_str(profile_check(&a), NULL, "a profile merged from two empty ones passes its check");
	ok(!a.nr_count, "merging two empty profiles adds no count");
	ok(a.nr_stack == 1 && a.nr_frame == 1, "merging two empty profiles adds no stack or frame");
	add_sample(&b, &s);
	profile_merge(&a, &b);
	ok(a.nr_count == 1 && a.count[0].weight == 5,
	   "merging into an empty profile adds the count");
	profile_merge(&a, &b);
	is_int((intmax_t)a.nr_count, 1, "merging a profile again adds no count");
	ok(a.count[0].weight == 10 && a.count[0].nr == 2,
	   "merging a profile again adds up weights and samples");
	notes_add(&b.notes, NOTE_BAD_LINE, 3, 7, SPAN("x"));
	profile_merge(&a, &b);
	is_int(a.notes.count[NOTE_BAD_LINE], 3, "merging a profile adds its notes");
	profile_release(&a);
	profile_release(&b);
}

static void add_weight(struct profile *p, int scale, int64_t weight)
{
	struct tick t = { .weight = weight };

	t.event = profile_event(p, SPAN("ns"), SPAN("ns"));
	profile_rescale(p, t.event, scale);
	profile_add(p, &t);
}

/* Sums and scales that do not fit: what is refused is counted, and nothing else is harmed. */
static void check_refused(int into_scale, int64_t into_weight, int scale, int64_t weight,
			  const char *what)
{
	struct profile a, b;
	char text[96];

	profile_init(&a);
	profile_init(&b);
	profile_keep_ticks(&a, 100);
	profile_keep_ticks(&b, 100);
	add_weight(&a, into_scale, into_weight);
	add_weight(&b, scale, weight);
	profile_merge(&a, &b);
	snprintf(text, sizeof(text), "profile_merge drops and counts %s", what);
	ok(a.nr_count == 1 && a.count[0].nr == 1 && a.notes.count[NOTE_COUNT_TOO_LARGE] == 1, text);
	snprintf(text, sizeof(text), "ticks match counts after profile_merge drops %s", what);
	is_str(profile_check(&a), NULL, text);
	profile_release(&a);
	profile_release(&b);
}

static void test_overflow(void)
{
	check_refused(0, INT64_MAX, 0, 1, "a weight whose sum overflows");
	check_refused(-9, 1, 0, INT64_MAX, "a weight too large for the finer scale");
	check_refused(0, INT64_MAX, -3, 1500, "a weight of too fine a scale");
}

static void hide_digits(struct strbuf *out, struct span name)
{
	for (size_t i = 0; i < name.size; i++)
		strbuf_addch(out, (char)(is_digit(name.at[i]) ? '#' : name.at[i]));
}

/* "event: stack weight/samples" a line. */
static void check_counts(const struct profile *p, const char *want, const char *what)
{
	struct strbuf b = { 0 };

	strbuf_add(&b, SPAN(""));
	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		const struct frame *f = &p->frame[p->stack[c->stack.i].frame.i];
		struct span event = profile_peek(p, p->event[c->event].name);
		struct span name = profile_peek(p, f->line[0].function);

		strbuf_addf(&b, "%.*s: %.*s %lld/%llu\n", (int)event.size, event.at, (int)name.size,
			    name.at, (long long)c->weight, (unsigned long long)c->nr);
	}
	is_str(b.at, want, what);
	is_str(profile_check(p), NULL, "the profile passes its check after profile_merge_with");
	strbuf_release(&b);
}

/* Only some events, under another name, as samples, with other names. */
static void test_with(void)
{
	const bool cycles[] = { true, false, false }, time[] = { false, true, true };
	struct profile from, into;
	struct merge_opts o = { .in = cycles };
	uint32_t after;

	init_profile(&from, (const char *const[]){ "cycles", "time", "wait", NULL });
	profile_keep_ticks(&from, 100);
	profile_rescale(&from, 1, -3);
	add_stack(&from, 0, "f1", 7);
	add_stack(&from, 0, "f1", 1);
	add_stack(&from, 1, "f1", 1500);
	add_stack(&from, 2, "f22", 2);

	profile_init(&into);
	profile_merge_with(&into, &from, &o);
	check_counts(&into, "cycles: f1 8/2\n", "profile_merge_with merges only the given events");
	profile_release(&into);

	init_profile(&into, (const char *const[]){ "before", "after", NULL });
	after = 1;
	o = (struct merge_opts){ .in = cycles, .as = &after };
	profile_merge_with(&into, &from, &o);
	check_counts(&into, "after: f1 8/2\n", "profile_merge_with adds an event as another one");
	is_int(into.event[1].scale, 0,
	       "profile_merge_with ignores the scale of events that are left out");
	o.in = time;
	profile_merge_with(&into, &from, &o);
	check_counts(&into, "after: f1 9500/3\nafter: f22 2000/1\n",
		     "profile_merge_with adds up several events as one");
	profile_release(&into);

	init_profile(&into, (const char *const[]){ "before", "after", NULL });
	o.samples = true;
	profile_merge_with(&into, &from, &o);
	check_counts(&into, "after: f1 1/1\nafter: f22 1/1\n",
		     "profile_merge_with adds samples instead of their weights");
	is_int(into.event[1].scale, 0, "samples that profile_merge_with adds are whole numbers");
	profile_release(&into);

	profile_init(&into);
	o = (struct merge_opts){ .in = cycles, .rename = hide_digits };
	profile_merge_with(&into, &from, &o);
	check_counts(&into, "cycles: f# 8/2\n", "profile_merge_with renames functions");
	profile_release(&into);
	profile_release(&from);
}

static void test_info(void)
{
	struct profile into, from;

	profile_init(&into);
	profile_init(&from);
	profile_inform(&into, SPAN("command"), SPAN("./app"));
	profile_inform(&into, SPAN("command"), SPAN("./app"));
	is_int(into.nr_info, 1, "profile_inform adds an equal fact once");
	profile_inform(&from, SPAN("host"), SPAN("box"));
	profile_inform(&from, SPAN("command"), SPAN("./app"));
	profile_inform(&from, SPAN("command"), SPAN("./app -x"));
	profile_merge(&into, &from);
	is_int(into.nr_info, 3, "merging keeps the facts of both profiles, equal ones once");
	is_span(profile_peek(&into, into.info[2].value), "./app -x",
		"merging keeps two facts with the same key");
	for (int i = 0; i < PROFILE_INFO_MAX; i++) {
		char number[16];

		snprintf(number, sizeof(number), "%d", i);
		profile_inform(&into, SPAN("n"), span_of(number));
	}
	is_int(into.nr_info, PROFILE_INFO_MAX,
	       "profile_inform stores at most PROFILE_INFO_MAX facts");
	profile_release(&into);
	profile_release(&from);
}

int main(void)
{
	test_info();
	test_property();
	test_empty();
	test_overflow();
	test_with();
	return done();
}
