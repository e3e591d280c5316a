/* What is below each node of a tree, the heaviest first. */
#include "fold/branches.h"

#include "base/strbuf.h"
#include "span_tap.h"
#include "stacks.h"

static void add_node(struct strbuf *out, const struct branches *b, uint32_t node)
{
	struct span name = node ? labels_peek(&b->t->labels, tree_label(b->t, node)) : SPAN("all");

	strbuf_addf(out, "%.*s %lld/%lld", (int)name.size, name.at, (long long)b->self[node],
		    (long long)b->total[node]);
	if (b->first[node] == b->first[node + 1])
		return;
	strbuf_addch(out, '(');
	for (uint32_t i = b->first[node]; i < b->first[node + 1]; i++) {
		if (i > b->first[node])
			strbuf_add(out, SPAN(", "));
		add_node(out, b, b->child[i]);
	}
	strbuf_addch(out, ')');
}

static void check(const struct profile *p, const struct tree_opts *with, const char *want,
		  const char *what)
{
	static const bool first[] = { true };
	struct tree_opts o = *with;
	struct strbuf got = { 0 };
	struct branches b;
	struct tree t;

	o.nr_column = 1;
	o.in[0] = first;
	tree_build(&t, p, &o);
	branches_init(&b, &t);
	add_node(&got, &b, 0);
	is_str(got.at, want, what);
	strbuf_release(&got);
	branches_release(&b);
	tree_release(&t);
}

int main(void)
{
	static const char *const events[] = { "samples", NULL };
	static const char *const f[] = { "f" };
	struct tree_opts whole = { 0 };
	struct tree_opts last = { .base = f, .nr_base = 1 };
	struct profile p;

	init_profile(&p, events);
	check(&p, &whole, "all 0/0", "an empty profile has a root of weight 0");
	add_stack(&p, 0, "main;a;f", 1);
	add_stack(&p, 0, "main;b;f;c;f;d", 5);
	add_stack(&p, 0, "main", 2);
	add_stack(&p, 0, "main;c", 1);
	check(&p, &whole,
	      "all 0/9(main 2/9(b 0/5(f 0/5(c 0/5(f 0/5(d 5/5)))), a 0/1(f 1/1), c 1/1))",
	      "children are sorted by total, then by name");
	check(&p, &last, "all 0/5(f 0/5(d 5/5))",
	      "paths begin at the innermost base function that is neither leaf nor root");
	profile_release(&p);
	return done();
}
