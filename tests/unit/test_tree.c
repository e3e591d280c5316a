/* The tree of what is shown, and its walk in the order of sorted lines. */
#include "fold/walk.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/spelling.h"
#include "random.h"
#include "span_tap.h"

#include <stdlib.h>

/* Every line as it is walked over: "path|sum|sum". */
struct lines {
	const struct labels *labels;
	char **at;
	size_t nr, cap, nr_column;
};

static void join(struct strbuf *out, const struct labels *labels, const struct tree_path *path)
{
	for (size_t i = 0; i < path->nr; i++) {
		if (i)
			strbuf_addch(out, ';');
		strbuf_add(out, labels_peek(labels, path->label[i]));
	}
}

static void add_line(void *arg, const struct tree_path *path, const struct tree_line *line)
{
	struct lines *l = arg;
	struct strbuf b = { 0 };

	join(&b, l->labels, path);
	for (size_t k = 0; k < l->nr_column; k++)
		strbuf_addf(&b, "|%lld", (long long)line->sum[k]);
	GROW(l->at, l->nr, l->cap);
	l->at[l->nr++] = b.at;
}

static struct lines walk(const struct profile *p, const struct tree_opts *o)
{
	struct lines l = { .nr_column = o->nr_column };
	struct tree t;

	tree_build(&t, p, o);
	l.labels = &t.labels;
	tree_walk(&t, TREE_TEXT, add_line, &l);
	tree_release(&t);
	return l;
}

static void release(struct lines *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->at[i]);
	free(l->at);
}

static frame_id frame_of(struct profile *p, struct span name, const char *module)
{
	struct line line = { .function = profile_string(p, name) };
	struct frame f = { .line = &line, .nr_line = 1 };

	if (*module)
		f.module = profile_module(p, span_of(module), SPAN(""));
	return profile_frame(p, &f);
}

static void add(struct profile *p, uint32_t event, const char *comm, const char *path,
		const char *module, int64_t weight)
{
	struct tick t = { .event = event, .weight = weight };
	struct span rest = span_of(path);

	while (rest.at) {
		size_t n = span_find(rest, ';');

		t.stack = profile_push(p, t.stack, frame_of(p, span_upto(rest, n), module));
		rest = n < rest.size ? span_from(rest, n + 1) : (struct span){ 0 };
	}
	if (*comm)
		t.thread = profile_thread(
			p, &(struct thread){ .comm = profile_string(p, span_of(comm)) });
	profile_add(p, &t);
}

static void check_lines(const struct profile *p, const struct tree_opts *o, const char *want,
			const char *what)
{
	struct lines l = walk(p, o);
	struct strbuf b = { 0 };

	strbuf_add(&b, SPAN(""));
	for (size_t i = 0; i < l.nr; i++)
		strbuf_addf(&b, "%s\n", l.at[i]);
	is_str(b.at, want, what);
	strbuf_release(&b);
	release(&l);
}

static void test_merging(void)
{
	const bool all[] = { true, true }, first[] = { true, false }, second[] = { false, true };
	struct tree_opts o = { .nr_column = 1, .in = { all } };
	struct profile p;

	profile_init(&p);
	check_lines(&p, &o, "", "a profile without samples has no lines");
	profile_event(&p, SPAN("before"), SPAN("samples"));
	profile_event(&p, SPAN("after"), SPAN("samples"));
	add(&p, 0, "", "main;memcpy", "", 1);
	check_lines(&p, &o, "main;memcpy|1\n", "a profile with one stack has one line");
	add(&p, 0, "", "main;memcpy", "libc", 2);
	check_lines(&p, &o, "main;memcpy|3\n",
		    "frames of two modules that are spelled alike are one node");
	o.spelling = SPELL_MODULE;
	check_lines(&p, &o, "libc`main;libc`memcpy|2\nmain;memcpy|1\n",
		    "SPELL_MODULE keeps frames of the same name in two modules apart");
	o.spelling = SPELL_THREAD;
	add(&p, 1, "java", "main", "", 4);
	check_lines(&p, &o, "java;main|4\nmain;memcpy|3\n",
		    "SPELL_THREAD makes the thread's name the root");
	add(&p, 1, "main", "memcpy", "", 8);
	check_lines(&p, &o, "java;main|4\nmain;memcpy|11\n",
		    "a thread's name and a frame that are spelled alike are one root");
	o.spelling = SPELL_THREAD | SPELL_PID | SPELL_ID_FRAMES;
	check_lines(&p, &o, "PID=0;java;main|4\nPID=0;main;memcpy|8\nmain;memcpy|3\n",
		    "SPELL_ID_FRAMES puts the process ID in front of the thread's name");
	o.spelling = 0;
	check_lines(&p, &o, "main|4\nmain;memcpy|3\nmemcpy|8\n",
		    "the thread's name is left out without SPELL_THREAD");

	o.in[0] = first;
	check_lines(&p, &o, "main;memcpy|3\n", "a column has only its own events");
	o = (struct tree_opts){ .nr_column = 2, .in = { first, second } };
	add(&p, 1, "", "main;memcpy", "", 16);
	check_lines(&p, &o, "main|0|4\nmain;memcpy|3|16\nmemcpy|0|8\n",
		    "a line has the sums of two columns");
	o = (struct tree_opts){ .nr_column = 1, .in = { all }, .samples = true };
	check_lines(&p, &o, "main|1\nmain;memcpy|3\nmemcpy|1\n",
		    "lines count samples instead of weights if tree_opts.samples is set");
	profile_release(&p);
}

/* All stacks begin alike, and no two frames do: the tree is the table of stacks if it can be. */
static void test_one_root(void)
{
	const bool all[] = { true };
	struct tree_opts o = { .nr_column = 1, .in = { all }, .spelling = SPELL_THREAD };
	struct profile p;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN("samples"));
	add(&p, 0, "java", "main;a", "", 1);
	add(&p, 0, "java", "main", "", 2);
	check_lines(&p, &o, "java;main|2\njava;main;a|1\n",
		    "all lines begin with the name of the only thread");
	o.spelling |= SPELL_PID | SPELL_TID | SPELL_ID_FRAMES;
	check_lines(&p, &o, "PID=0;TID=0;java;main|2\nPID=0;TID=0;java;main;a|1\n",
		    "all lines begin with the PID, the TID and the name of the only thread");
	o.reverse = true;
	check_lines(&p, &o, "a;main;java;TID=0;PID=0|1\nmain;java;TID=0;PID=0|2\n",
		    "reversed lines end with the name, the TID and the PID of the thread");
	profile_release(&p);
}

/* Calls inlined into a function are frames of their own when it is shown. */
static void test_inlined(void)
{
	const bool all[] = { true };
	struct tree_opts o = { .nr_column = 1, .in = { all } };
	struct line line[2];
	struct tick t = { .weight = 5 };
	struct profile p;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN("cycles"));
	line[0] = (struct line){ .function = profile_string(&p, SPAN("inner")) };
	line[1] = (struct line){ .function = profile_string(&p, SPAN("outer")) };
	t.stack = profile_push(&p, (stack_id){ 0 }, frame_of(&p, SPAN("main"), ""));
	t.stack = profile_push(
		&p, t.stack,
		profile_frame(&p, &(struct frame){ .address = 9, .line = line, .nr_line = 2 }));
	profile_add(&p, &t);
	add(&p, 0, "", "main;outer;inner", "", 2);
	check_lines(&p, &o, "main;outer;inner|7\n",
		    "inlined calls are nodes below each other, as if they were not inlined");
	profile_release(&p);
}

static void test_scales(void)
{
	const bool all[] = { true, true };
	struct tree_opts o = { .nr_column = 1, .in = { all } };
	struct profile p;
	struct tree t;

	profile_init(&p);
	profile_event(&p, SPAN("a"), SPAN("s"));
	profile_event(&p, SPAN("b"), SPAN("s"));
	profile_rescale(&p, 0, -1);
	add(&p, 0, "", "main", "", 15);
	add(&p, 1, "", "main", "", 2);
	check_lines(&p, &o, "main|35\n",
		    "weights of different scales are added in the finer one: 1.5 + 2 = 3.5");
	tree_build(&t, &p, &o);
	is_int(t.scale, -1, "the scale of a tree is the finest of its events");
	tree_release(&t);
	profile_release(&p);
}

static void test_wide(void)
{
	const bool all[] = { true, true };
	struct tree_opts o = { .nr_column = 1, .in = { all } };
	struct profile p;
	struct tree t;
	weight_sum want = 2 * (weight_sum)INT64_MAX;

	profile_init(&p);
	profile_event(&p, SPAN("a"), SPAN("s"));
	add(&p, 0, "", "idle", "", -5);
	add(&p, 0, "", "main", "", INT64_MAX);
	tree_build(&t, &p, &o);
	ok(t.nr_line == 2 && t.narrow && !t.wide, "sums take 64 bits where they fit");
	ok(tree_line(&t, 0).sum[0] == -5 && tree_line(&t, 1).sum[0] == INT64_MAX,
	   "sums of 64 bits are exact, negative and up to INT64_MAX");
	tree_release(&t);
	add(&p, 0, "", "main", "lib", INT64_MAX);
	tree_build(&t, &p, &o);
	ok(t.nr_line == 2 && tree_line(&t, 1).sum[0] == want, "a sum above INT64_MAX is exact");
	ok(tree_line(&t, 0).sum[0] == -5,
	   "a sum above INT64_MAX leaves the lines before it unchanged");
	tree_release(&t);
	profile_release(&p);
}

/* Names that stand close to where a path goes on or ends, and beginnings of each other. */
static struct span random_name(struct random *r, char *buf)
{
	static const char bytes[] = "ab !:<=;\t\x01\x7f\xff\"_";
	size_t size = random_below(r, 4);

	for (size_t i = 0; i < size; i++) {
		buf[i] = bytes[random_below(r, sizeof(bytes) - 1)];
		if (buf[i] == ';')
			buf[i] = ' ';
	}
	return (struct span){ .at = buf, .size = size };
}

static int by_bytes(const void *a, const void *b)
{
	return span_compare(*(const struct span *)a, *(const struct span *)b);
}

struct paths {
	const struct labels *labels;
	struct strbuf *at;
	size_t nr;
	uint32_t last[16]; /* labels of the line before */
};

static void compare_path(void *arg, const struct tree_path *from_root, const struct tree_line *line)
{
	struct paths *want = arg;
	struct strbuf path = { 0 };
	bool shares = true;

	(void)line;
	join(&path, want->labels, from_root);
	for (size_t i = 0; i < from_root->nr && i < 16; i++) {
		shares &= i >= from_root->shared || from_root->label[i] == want->last[i];
		want->last[i] = from_root->label[i];
	}
	/* SIZE_MAX: some path came that was not the one that should. */
	if (want->nr != SIZE_MAX && shares &&
	    span_eq(strbuf_peek(&path), strbuf_peek(&want->at[want->nr])))
		want->nr++;
	else
		want->nr = SIZE_MAX;
	strbuf_release(&path);
}

/* Many random stacks; their paths, sorted and each once, are what the walk gives. */
static bool walks_in_order(uint64_t seed, unsigned spelling, const char *const *module)
{
	enum { NR = 400 };
	const bool all[] = { true };
	struct tree_opts o = { .nr_column = 1, .in = { all }, .spelling = spelling };
	struct random r = { seed };
	struct strbuf *path = xcalloc(NR, sizeof(*path));
	struct span *sorted = xcalloc(NR, sizeof(*sorted));
	struct paths want = { .at = xcalloc(NR, sizeof(*want.at)) };
	size_t nr_distinct = 0;
	struct profile p;
	struct tree t;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN("cycles"));
	for (size_t i = 0; i < NR; i++) {
		struct tick tick = { .weight = 1 };
		uint32_t depth = 1 + random_below(&r, 5), comm = random_below(&r, 3);
		char buf[8];

		if (comm && spelling & SPELL_THREAD) {
			struct span name = comm == 1 ? SPAN("a") : SPAN("b:");

			tick.thread = profile_thread(
				&p, &(struct thread){ .comm = profile_string(&p, name) });
			strbuf_add(&path[i], name);
			strbuf_addch(&path[i], ';');
		}
		for (uint32_t k = 0; k < depth; k++) {
			struct span name = random_name(&r, buf);

			tick.stack = profile_push(&p, tick.stack,
						  frame_of(&p, name, module[random_below(&r, 2)]));
			if (k)
				strbuf_addch(&path[i], ';');
			strbuf_add(&path[i], name);
		}
		strbuf_add(&path[i], SPAN(""));
		sorted[i] = strbuf_peek(&path[i]);
		profile_add(&p, &tick);
	}
	qsort(sorted, NR, sizeof(*sorted), by_bytes);
	for (size_t i = 0; i < NR; i++)
		if (!i || !span_eq(sorted[i], sorted[i - 1]))
			strbuf_add(&want.at[nr_distinct++], sorted[i]);
	tree_build(&t, &p, &o);
	want.labels = &t.labels;
	tree_walk(&t, TREE_TEXT, compare_path, &want);
	tree_release(&t);
	profile_release(&p);
	for (size_t i = 0; i < NR; i++) {
		strbuf_release(&path[i]);
		strbuf_release(&want.at[i]);
	}
	free(path);
	free(sorted);
	free(want.at);
	return want.nr == nr_distinct;
}

static void test_order(void)
{
	static const char *const one[] = { "", "" }, *const two[] = { "", "lib" };
	bool distinct = true, merged = true, threads = true;

	for (uint64_t seed = 1; seed <= 40; seed++) {
		distinct &= walks_in_order(seed, 0, one);
		merged &= walks_in_order(seed, 0, two);
		threads &= walks_in_order(seed, SPELL_THREAD, two);
	}
	ok(distinct, "lines come in the order of LC_ALL=C sort");
	ok(merged, "lines of frames that are spelled alike come in the order of LC_ALL=C sort");
	ok(threads, "lines below the names of threads come in the order of LC_ALL=C sort");
}

/* A stack as deep as there are stacks, and one as wide. */
static void test_shapes(void)
{
	const bool all[] = { true };
	struct tree_opts o = { .nr_column = 1, .in = { all } };
	struct tick t = { .weight = 1 };
	struct profile p;
	struct lines l;
	frame_id f;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN("cycles"));
	f = frame_of(&p, SPAN("f"), "");
	for (size_t i = 0; i < 20000; i++)
		t.stack = profile_push(&p, t.stack, f);
	profile_add(&p, &t);
	l = walk(&p, &o);
	ok(l.nr == 1 && strlen(l.at[0]) == 2 * 20000 - 1 + 2,
	   "a stack of 20,000 frames is one line");
	release(&l);
	profile_release(&p);

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN("cycles"));
	for (uint32_t i = 0; i < 20000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%05u", i * 7 % 20000);
		t.stack = profile_push(&p, (stack_id){ 0 }, frame_of(&p, span_of(name), ""));
		profile_add(&p, &t);
	}
	l = walk(&p, &o);
	ok(l.nr == 20000 && !strcmp(l.at[0], "00000|1") && !strcmp(l.at[19999], "19999|1"),
	   "20,000 stacks of one frame are as many lines, sorted");
	release(&l);
	profile_release(&p);
}

int main(void)
{
	test_merging();
	test_one_root();
	test_inlined();
	test_scales();
	test_wide();
	test_order();
	test_shapes();
	return done();
}
