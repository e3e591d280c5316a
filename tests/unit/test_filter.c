/*
 * Filters: generated profiles go through generated filters, and what is left is
 * compared with the same done slowly, to a list of paths.
 */
#include "fold/filter.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "fold/walk.h"
#include "profile/spelling.h"
#include "random.h"
#include "tap.h"

#include <stdlib.h>

enum {
	MAX_DEPTH = 12,
	NR_NAMES = 5,
	NR_THREADS = 3,
	MAX_SAMPLES = 60,
	MAX_STEPS = 4,
	FIRST_TIME = 100,
	ROUNDS = 3000,
};

/* One name of a path; a frame may have several. */
struct item {
	char name;	 /* 'a' and so on; 0: called like its module */
	uint32_t module; /* 1 or 2; 0: none */
	bool kernel, inlined;
	bool goes_on; /* of the same frame as the one before */
};

struct sample {
	struct item item[MAX_DEPTH];
	size_t nr;
	uint32_t thread;
	int64_t weight;
	uint64_t time;
};

static struct sample generate(struct random *r, uint64_t time)
{
	struct sample s = { .nr = random_below(r, MAX_DEPTH + 1),
			    .thread = random_below(r, NR_THREADS),
			    .weight = 1 + random_below(r, 9),
			    .time = time };

	for (size_t i = 0; i < s.nr; i++) {
		struct item *it = &s.item[i], *before = i ? it - 1 : NULL;

		it->name = (char)('a' + random_below(r, NR_NAMES));
		if (before && !random_below(r, 4)) {
			it->goes_on = it->inlined = true;
			it->module = before->module;
			it->kernel = before->kernel;
			continue;
		}
		it->module = random_below(r, 3);
		it->kernel = !random_below(r, 5);
		it->inlined = !it->module && !random_below(r, 3);
	}
	return s;
}

static frame_id frame_of(struct profile *p, const struct item *it, size_t nr)
{
	static const char *const path[] = { "", "/lib/m1", "m2" };
	struct line line[MAX_DEPTH];
	struct frame f = { .kind = it->kernel ? FRAME_KERNEL : FRAME_USER,
			   .flags = it->inlined ? FRAME_INLINED : 0,
			   .line = line,
			   .nr_line = (uint32_t)nr };

	f.module = profile_module(p, span_of(path[it->module]), SPAN(""));
	for (size_t i = 0; i < nr; i++)
		line[nr - 1 - i] = (struct line){
			.function = profile_string(p, (struct span){ .at = &it[i].name, .size = 1 })
		};
	return profile_frame(p, &f);
}

static void add_sample(struct profile *p, const struct sample *s)
{
	static const char *const comm[] = { "zero", "one", "two" };
	struct tick t = { .weight = s->weight, .time = s->time };

	for (size_t i = 0, n; i < s->nr; i += n) {
		for (n = 1; i + n < s->nr && s->item[i + n].goes_on; n++)
			;
		t.stack = profile_push(p, t.stack, frame_of(p, &s->item[i], n));
	}
	t.thread = profile_thread(
		p, &(struct thread){ .pid = 7,
				     .tid = 10 + s->thread,
				     .comm = profile_string(p, span_of(comm[s->thread])) });
	profile_add(p, &t);
}

/* What a step does, said again: to one path. */

struct plain_step {
	enum transform what;
	char name; /* the pattern is just this letter */
	uint32_t module;
};

static bool is_hit(const struct item *it, char name)
{
	return it->name == name || (!it->name && name == 'm'); /* [m1] */
}

static size_t find_hit(const struct sample *s, char name)
{
	for (size_t i = 0; i < s->nr; i++)
		if (is_hit(&s->item[i], name))
			return i;
	return s->nr;
}

static void remove_item(struct sample *s, size_t at)
{
	s->nr--;
	memmove(&s->item[at], &s->item[at + 1], (s->nr - at) * sizeof(s->item[0]));
}

static bool is_recursion(const struct item *a, const struct item *b)
{
	return a->name == b->name && a->kernel == b->kernel && (a->name || a->module == b->module);
}

static void collapse_module(struct sample *s, uint32_t module)
{
	for (size_t i = 0; i < s->nr;) {
		struct item *it = &s->item[i];
		bool follows = i && s->item[i - 1].module == module;

		if (follows && (it->module == module || (it->inlined && !it->module))) {
			remove_item(s, i);
			continue;
		}
		if (it->module == module)
			it->name = 0;
		i++;
	}
}

/* false: the sample is gone. */
static bool apply_plainly(struct sample *s, const struct plain_step *step)
{
	size_t hit = find_hit(s, step->name);

	switch (step->what) {
	case TRANSFORM_FOCUS:
		return hit < s->nr;
	case TRANSFORM_IGNORE:
		return hit == s->nr;
	case TRANSFORM_HIDE:
		for (; hit < s->nr; hit = find_hit(s, step->name))
			remove_item(s, hit);
		return true;
	case TRANSFORM_ROOT:
		if (hit == s->nr)
			return false;
		for (; hit > 0; hit--)
			remove_item(s, 0);
		return true;
	case TRANSFORM_RECURSION:
		for (size_t i = 1; i < s->nr;)
			if (is_recursion(&s->item[i - 1], &s->item[i]))
				remove_item(s, i);
			else
				i++;
		return true;
	case TRANSFORM_NO_KERNEL:
		for (size_t i = 0; i < s->nr;)
			if (s->item[i].kernel)
				remove_item(s, i);
			else
				i++;
		return true;
	case TRANSFORM_MODULE:
		collapse_module(s, step->module);
		return true;
	}
	return false;
}

/* Lines "one;a;[m1] 12", sorted, equal ones added up. */
struct lines {
	char *path[MAX_SAMPLES];
	int64_t weight[MAX_SAMPLES];
	size_t nr;
};

static void add_line(struct lines *l, const struct sample *s)
{
	struct strbuf b = { 0 };

	strbuf_addf(&b, "%s", s->thread == 0 ? "zero" : s->thread == 1 ? "one" : "two");
	for (size_t i = 0; i < s->nr; i++) {
		if (s->item[i].name)
			strbuf_addf(&b, ";%c", s->item[i].name);
		else
			strbuf_addf(&b, ";[m%u]", s->item[i].module);
		if (s->item[i].kernel)
			strbuf_add(&b, SPAN("_[k]"));
	}
	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->path[i], b.at)) {
			l->weight[i] += s->weight;
			strbuf_release(&b);
			return;
		}
	l->path[l->nr] = b.at;
	l->weight[l->nr++] = s->weight;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* As one text; the lines are gone. */
static char *join(struct lines *l)
{
	char *line[MAX_SAMPLES];
	struct strbuf b = { 0 };

	strbuf_add(&b, SPAN(""));
	for (size_t i = 0; i < l->nr; i++) {
		struct strbuf one = { 0 };

		strbuf_addf(&one, "%s %lld\n", l->path[i], (long long)l->weight[i]);
		line[i] = one.at;
		free(l->path[i]);
	}
	if (l->nr)
		qsort(line, l->nr, sizeof(*line), by_text);
	for (size_t i = 0; i < l->nr; i++) {
		strbuf_add(&b, span_of(line[i]));
		free(line[i]);
	}
	return b.at;
}

/* The same of a profile. */

struct walked {
	struct lines lines;
	const struct labels *labels;
};

static void walk_line(void *arg, const struct tree_path *path, const struct tree_line *line)
{
	struct walked *w = arg;
	struct strbuf b = { 0 };

	for (size_t i = 0; i < path->nr; i++) {
		if (i)
			strbuf_addch(&b, ';');
		strbuf_add(&b, labels_peek(w->labels, path->label[i]));
	}
	w->lines.path[w->lines.nr] = b.at;
	w->lines.weight[w->lines.nr++] = (int64_t)line->sum[0];
}

static char *text_of(const struct profile *p, unsigned spelling)
{
	static const bool in[] = { true };
	struct tree_opts o = { .spelling = spelling, .nr_column = 1, .in = { in } };
	struct walked w = { 0 };
	struct tree t;

	tree_build(&t, p, &o);
	w.labels = &t.labels;
	tree_walk(&t, TREE_TEXT, walk_line, &w);
	tree_release(&t);
	return join(&w.lines);
}

/* Steps for both, of the same numbers. */
static size_t generate_steps(struct random *r, struct plain_step *plain, struct filter_step *step,
			     struct pattern **pattern)
{
	size_t nr = random_below(r, MAX_STEPS + 1);
	struct error e = ERROR_INIT;

	for (size_t i = 0; i < nr; i++) {
		plain[i] = (struct plain_step){
			.what = (enum transform)random_below(r, TRANSFORM_MODULE + 1),
			.name = (char)(random_below(r, 8) ? 'a' + random_below(r, NR_NAMES) : 'm'),
			.module = 1 + random_below(r, 2)
		};
		step[i] = (struct filter_step){ .what = plain[i].what };
		if (plain[i].what == TRANSFORM_MODULE) {
			step[i].module = plain[i].module == 1 ? SPAN("m1") : SPAN("m2");
		} else if (plain[i].what != TRANSFORM_RECURSION) {
			pattern[i] = pattern_new((struct span){ &plain[i].name, 1 }, &e);
			step[i].pattern = pattern[i];
		}
	}
	return nr;
}

/* One profile, its filter, and what should be left. */
struct trial {
	struct profile p;
	struct filter f;
	struct plain_step plain[MAX_STEPS];
	struct filter_step step[MAX_STEPS];
	struct pattern *pattern[MAX_STEPS];
	struct time_span span;
	struct lines want;
};

static void add_to_both(struct trial *t, struct sample s)
{
	uint64_t since = s.time - FIRST_TIME;
	bool stays = (!t->f.nr_thread || s.thread > 0) &&
		     (!t->f.span || (since >= t->span.begin && since < t->span.end));

	add_sample(&t->p, &s);
	for (size_t k = 0; k < t->f.nr_step && stays; k++)
		stays = apply_plainly(&s, &t->plain[k]);
	if (stays)
		add_line(&t->want, &s);
}

static void begin_trial(struct trial *t, struct random *r)
{
	static const char *const threads[] = { "one", "12" };
	size_t nr = random_below(r, MAX_SAMPLES - NR_THREADS);

	*t = (struct trial){ .span = { 5, 30 } };
	t->f = (struct filter){ .step = t->step, .thread = threads };
	t->f.nr_step = generate_steps(r, t->plain, t->step, t->pattern);
	t->f.nr_thread = random_below(r, 2) * 2;
	t->f.span = random_below(r, 3) ? NULL : &t->span;
	profile_init(&t->p);
	profile_keep_ticks(&t->p, PROFILE_TICKS_DEFAULT);
	t->p.timed = true;
	profile_event(&t->p, SPAN("cycles"), SPAN("cycles"));
	/* Every module and thread is there, or asking for it would be an error. */
	profile_module(&t->p, SPAN("/lib/m1"), SPAN(""));
	profile_module(&t->p, SPAN("m2"), SPAN(""));
	for (uint32_t i = 0; i < NR_THREADS; i++)
		add_to_both(t, (struct sample){ .thread = i, .time = FIRST_TIME });
	for (size_t i = 0; i < nr; i++)
		add_to_both(t, generate(r, FIRST_TIME + i));
}

static bool is_alike(struct random *r)
{
	const unsigned spelling = SPELL_THREAD | SPELL_KERNEL;
	struct error e = ERROR_INIT;
	struct trial t;
	char *wanted, *got;
	bool alike;

	begin_trial(&t, r);
	alike = !filter_apply(&t.p, &t.f, spelling, &e) && !profile_check(&t.p);
	got = text_of(&t.p, spelling);
	wanted = join(&t.want);
	alike = alike && !strcmp(got, wanted);
	if (!alike) {
		for (size_t k = 0; k < t.f.nr_step; k++)
			printf("# step %d %c %u\n", (int)t.plain[k].what, t.plain[k].name,
			       t.plain[k].module);
		tap_show(" got", got);
		tap_show("want", wanted);
	}
	free(got);
	free(wanted);
	for (size_t i = 0; i < MAX_STEPS; i++)
		pattern_free(t.pattern[i]);
	profile_release(&t.p);
	return alike;
}

/* What no sample needs any more is not kept. */
static void test_rows(void)
{
	struct error e = ERROR_INIT;
	struct pattern *pattern = pattern_new(SPAN("b"), &e);
	struct filter_step step = { .what = TRANSFORM_FOCUS, .pattern = pattern };
	struct sample a = { .item = { { .name = 'a' }, { .name = 'b' } }, .nr = 2, .weight = 1 };
	struct sample c = { .item = { { .name = 'a' }, { .name = 'c' }, { .name = 'd' } },
			    .nr = 3,
			    .weight = 2 };
	struct profile p;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN("cycles"));
	add_sample(&p, &a);
	add_sample(&p, &a);
	add_sample(&p, &c);
	is_int((intmax_t)p.nr_stack, 5,
	       "the profile has four stacks and the empty one before the filter");
	is_int(filter_apply(&p, &(struct filter){ .step = &step, .nr_step = 1 }, 0, &e), 0,
	       "a focus on a function is applied");
	is_int((intmax_t)p.nr_stack, 3, "a focus removes stacks that no sample needs");
	is_int((intmax_t)p.nr_count, 1, "a focus removes samples without the function");
	is_int((intmax_t)p.count[0].nr, 2, "a focus keeps the number of matching samples");
	is_int(p.count[0].weight, 2, "a focus keeps the weight of matching samples");
	pattern_free(pattern);
	profile_release(&p);
}

static void check_error(const struct profile *p, const struct filter *f, const char *text,
			const char *what)
{
	struct error e = ERROR_INIT;
	struct profile copy;

	profile_init(&copy);
	profile_merge(&copy, p);
	is_int(filter_apply(&copy, f, SPELL_THREAD, &e), -1, what);
	like(e.text, text, "a filter that is rejected has a reason");
	profile_release(&copy);
}

static void test_errors(void)
{
	static const char *const nobody[] = { "nobody" }, *const number[] = { "4294967295" };
	struct filter_step module = { .what = TRANSFORM_MODULE, .module = SPAN("m3") };
	struct time_span span = { 0, 1 };
	struct sample a = { .item = { { .name = 'a' } }, .nr = 1, .weight = 1, .thread = 2 };
	struct profile p;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN("cycles"));
	check_error(&p, &(struct filter){ .thread = nobody, .nr_thread = 1 },
		    "^no thread 'nobody': the input has no threads$",
		    "a thread is rejected if the input has no threads");
	add_sample(&p, &a);
	check_error(&p, &(struct filter){ .thread = nobody, .nr_thread = 1 },
		    "^unknown thread 'nobody'; the input has: two-7/12$",
		    "an unknown thread is rejected");
	check_error(&p, &(struct filter){ .thread = number, .nr_thread = 1 }, "^unknown thread",
		    "the number that stands for no thread is rejected");
	check_error(&p, &(struct filter){ .step = &module, .nr_step = 1 },
		    "^no module 'm3' in the input$", "an unknown module is rejected");
	check_error(&p, &(struct filter){ .span = &span }, "have no times",
		    "a time span is rejected if samples have no times");
	profile_release(&p);
}

int main(void)
{
	struct random r = { .state = 2024 };
	unsigned nr_alike = 0;

	for (unsigned i = 0; i < ROUNDS && nr_alike == i; i++)
		nr_alike += is_alike(&r);
	is_int(nr_alike, ROUNDS, "random filters leave what the same steps on plain paths leave");
	test_rows();
	test_errors();
	return done();
}
