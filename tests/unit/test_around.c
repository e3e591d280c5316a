/* Who calls a function, and what it calls. */
#include "fold/around.h"

#include "base/strbuf.h"
#include "span_tap.h"
#include "stacks.h"

/* "f 5(a 3(main 3) b 2)": a node, what ends below it, and those below. */
static weight_sum sum_of(const struct tree *t, uint32_t node)
{
	weight_sum sum = 0;

	for (size_t i = 0; i < t->nr_line; i++)
		for (uint32_t n = t->line_node[i]; n; n = tree_parent(t, n))
			if (n == node)
				sum += tree_line(t, i).sum[0];
	return sum;
}

static void add_node(struct strbuf *out, const struct tree *t, uint32_t node)
{
	struct span name = labels_peek(&t->labels, tree_label(t, node));
	bool any = false;

	strbuf_addf(out, "%.*s %d", (int)name.size, name.at, (int)sum_of(t, node));
	for (uint32_t n = node + 1; n < t->nr_node; n++)
		if (tree_parent(t, n) == node) {
			strbuf_add(out, any ? SPAN(" ") : SPAN("("));
			any = true;
			add_node(out, t, n);
		}
	strbuf_add(out, any ? SPAN(")") : SPAN(""));
}

static void check(const struct tree *t, const char *function, enum around what, const char *want,
		  const char *why)
{
	struct span name = span_of(function);
	struct strbuf got = { 0 };
	struct tree around;
	bool wanted[16] = { 0 };

	for (; name.size; name = span_from(name, span_find(name, ' ') + 1)) {
		struct span one = span_upto(name, span_find(name, ' '));

		wanted[labels_find(&t->labels, one)] = true;
	}
	around_build(&around, t, wanted, what);
	if (around.nr_node > 1)
		add_node(&got, &around, 1);
	strbuf_add(&got, SPAN(""));
	is_str(got.at, want, why);
	around_release(&around);
	strbuf_release(&got);
}

int main(void)
{
	static const char *const events[] = { "samples", NULL };
	static const bool in[] = { true };
	struct tree_opts o = { .nr_column = 1, .in = { in } };
	struct profile p;
	struct tree t;

	init_profile(&p, events);
	add_stack(&p, 0, "main;a;f;x", 3);
	add_stack(&p, 0, "main;b;f", 2);
	add_stack(&p, 0, "main;a;f;g;f;x", 1);
	add_stack(&p, 0, "main;c", 7);
	tree_build(&t, &p, &o);
	check(&t, "f", AROUND_CALLERS, "f 6(a 4(main 4) b 2(main 2))",
	      "callers of a function form a tree up to the root");
	check(&t, "f", AROUND_CALLEES, "f 6(x 3 g 1(f 1(x 1)))",
	      "callees of a recursive function count from its outermost call");
	check(&t, "f g", AROUND_CALLEES, "f 6(x 3 g 1(f 1(x 1)))",
	      "callees of several functions count from the outermost of them");
	check(&t, "main", AROUND_CALLERS, "main 13", "the root function has no callers");
	check(&t, "c", AROUND_CALLEES, "c 7", "a leaf function has no callees");
	tree_release(&t);
	profile_release(&p);
	return done();
}
