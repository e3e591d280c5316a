/* The orders of a walk, and of trees that are turned around or cut. */
#include "fold/walk.h"

#include "base/strbuf.h"
#include "profile/spelling.h"
#include "random.h"
#include "span_tap.h"
#include "stacks.h"

#include <stdlib.h>

struct lines {
	const struct labels *labels;
	struct strbuf text;
	uint32_t last[8];
	bool shares; /* what is said to be shared with the line before is */
};

static void add_line(void *arg, const struct tree_path *path, const struct tree_line *line)
{
	struct lines *l = arg;

	for (size_t i = 0; i < path->nr; i++) {
		struct span name = labels_peek(l->labels, path->label[i]);

		strbuf_addf(&l->text, "%s%.*s", i ? ";" : "", (int)name.size, name.at);
		l->shares &= i >= path->shared || l->last[i] == path->label[i];
		l->last[i] = path->label[i];
	}
	strbuf_addf(&l->text, " %lld\n", (long long)line->sum[0]);
}

static void check(const struct profile *p, const struct tree_opts *o, enum tree_order order,
		  const char *want, const char *what)
{
	struct lines l = { .shares = true };
	struct tree t;

	strbuf_add(&l.text, SPAN(""));
	tree_build(&t, p, o);
	l.labels = &t.labels;
	tree_walk(&t, order, add_line, &l);
	is_str(l.text.at, want, what);
	ok(l.shares, "a path has the labels that it reports as shared with the previous line");
	tree_release(&t);
	strbuf_release(&l.text);
}

static void test_orders(void)
{
	const bool all[] = { true };
	struct tree_opts o = { .nr_column = 1, .in = { all } };
	struct profile p;

	init_profile(&p, (const char *const[]){ "samples", NULL });
	add_stack(&p, 0, "a;z", 1);
	add_stack(&p, 0, "a b", 2);
	add_stack(&p, 0, "a", 3);
	add_stack(&p, 0, "a;b;c", 4);
	add_stack(&p, 0, "0", 4);
	check(&p, &o, TREE_TEXT, "0 4\na 3\na b 2\na;b;c 4\na;z 1\n",
	      "TREE_TEXT visits lines as LC_ALL=C sort sorts them");
	check(&p, &o, TREE_NAME, "0 4\na 3\na;b;c 4\na;z 1\na b 2\n",
	      "TREE_NAME visits children by name, and a node's lines together");
	check(&p, &o, TREE_WIDTH, "a 3\na;b;c 4\na;z 1\n0 4\na b 2\n",
	      "TREE_WIDTH visits the child with the largest total first");
	add_stack(&p, 0, "a b", 2);
	check(&p, &o, TREE_WIDTH, "a 3\na;b;c 4\na;z 1\n0 4\na b 4\n",
	      "TREE_WIDTH visits children with equal totals by name");
	add_stack(&p, 0, "", 7);
	check(&p, &o, TREE_WIDTH, " 7\na 3\na;b;c 4\na;z 1\n0 4\na b 4\n",
	      "TREE_WIDTH visits the line without a stack first");
	profile_release(&p);
}

static void test_reverse(void)
{
	const bool all[] = { true };
	struct tree_opts o = { .nr_column = 1, .in = { all }, .reverse = true };
	struct tick t = { .weight = 8 };
	struct profile p;

	init_profile(&p, (const char *const[]){ "samples", NULL });
	check(&p, &o, TREE_NAME, "", "a reversed tree of no samples has no lines");
	add_stack(&p, 0, "main;a;read", 1);
	add_stack(&p, 0, "main;b;read", 2);
	add_stack(&p, 0, "main;read", 4);
	check(&p, &o, TREE_NAME, "read;a;main 1\nread;b;main 2\nread;main 4\n",
	      "a reversed tree has leaves first, and callers below them");
	t.thread = profile_thread(&p, &(struct thread){ .comm = profile_string(&p, SPAN("java")) });
	t.stack = stack_of(&p, "main;read");
	profile_add(&p, &t);
	o.spelling = SPELL_THREAD;
	check(&p, &o, TREE_NAME, "read;a;main 1\nread;b;main 2\nread;main 4\nread;main;java 8\n",
	      "a reversed tree has the name of the thread last");
	profile_release(&p);
}

static void test_base(void)
{
	const bool all[] = { true };
	const char *bases[] = { "work", "idle" };
	struct tree_opts o = { .nr_column = 1, .in = { all }, .base = bases, .nr_base = 1 };
	struct profile p;

	init_profile(&p, (const char *const[]){ "samples", NULL });
	add_stack(&p, 0, "main;work;a", 1);
	add_stack(&p, 0, "other;work;a", 2);
	add_stack(&p, 0, "main;work;b;work;c", 4);
	add_stack(&p, 0, "main;work", 8);
	add_stack(&p, 0, "work;d", 16);
	add_stack(&p, 0, "main;idle;poll", 32);
	add_stack(&p, 0, "main;worker", 64);
	check(&p, &o, TREE_NAME, "work;a 3\nwork;c 4\n",
	      "paths begin at the innermost base that is neither the leaf nor the root");
	o.nr_base = 2;
	check(&p, &o, TREE_NAME, "idle;poll 32\nwork;a 3\nwork;c 4\n",
	      "paths begin at the innermost of several bases");
	o.reverse = true;
	check(&p, &o, TREE_NAME, "a;work 3\nc;work 4\npoll;idle 32\n",
	      "paths of a reversed tree end at the base");
	bases[0] = "nobody";
	o.nr_base = 1;
	check(&p, &o, TREE_NAME, "", "a tree has no lines if no stack has the base");
	profile_release(&p);
}

/* Compares two items: the name of a label, with a ; behind it if the number is odd. */
static bool is_before(const struct labels *l, uint32_t a, uint32_t b)
{
	struct span x = labels_peek(l, a / 2), y = labels_peek(l, b / 2);

	for (size_t i = 0;; i++) {
		int p = i < x.size ? (unsigned char)x.at[i] : i == x.size && a & 1 ? ';' : -1;
		int q = i < y.size ? (unsigned char)y.at[i] : i == y.size && b & 1 ? ';' : -1;

		if (p != q)
			return p < q;
		if (p < 0)
			return a < b;
	}
}

/* The places of random names of these letters, many of which begin others. */
static void test_places(const char *letters, const char *what)
{
	struct random r = { 7 };
	bool in[] = { true };
	struct tree_opts o = { .nr_column = 1, .in = { in } };
	uint32_t *place, wrong = 0, nr;
	struct profile p;
	struct tree t;

	profile_init(&p);
	profile_event(&p, SPAN("samples"), SPAN(""));
	for (size_t i = 0; i < 300; i++) {
		struct line line = { 0 };
		struct frame f = { .line = &line, .nr_line = 1 };
		char name[6];
		size_t size = 1 + random_below(&r, sizeof(name));

		for (size_t k = 0; k < size; k++)
			name[k] = letters[random_below(&r, (uint32_t)strlen(letters))];
		line.function = profile_string(&p, (struct span){ name, size });
		profile_frame(&p, &f);
	}
	tree_build(&t, &p, &o);
	place = tree_places(&t, NULL);
	nr = 2 * t.labels.nr;
	for (uint32_t a = 0; a < nr; a++)
		for (uint32_t b = 0; b < nr; b++)
			wrong += (place[a] < place[b]) != (a != b && is_before(&t.labels, a, b));
	is_int((long)wrong, 0, what);
	free(place);
	tree_release(&t);
	profile_release(&p);
}

int main(void)
{
	test_orders();
	test_reverse();
	test_base();
	test_places("a!z~",
		    "tree_places() has names that begin others in the order of printed lines");
	test_places("a!;", "tree_places() has names with a ';' in the order of printed lines");
	return done();
}
