/* The functions that cost most: what a function takes itself, and what it takes with all it calls. */
#include "fold/hottest.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/spelling.h"
#include "span_tap.h"

#include <stdlib.h>

static void add_stack(struct profile *p, const char *names, int64_t weight)
{
	struct tick t = { .weight = weight };
	struct span rest = span_of(names);

	while (rest.size) {
		struct span name = span_upto(rest, span_find(rest, ';'));
		struct line line = { .function = profile_string(p, name) };
		struct frame f = { .line = &line, .nr_line = 1 };

		t.stack = profile_push(p, t.stack, profile_frame(p, &f));
		rest = span_from(rest, name.size + 1);
	}
	profile_add(p, &t);
}

static void check(const struct profile *p, unsigned spelling, const char *want, const char *what)
{
	static const bool first[] = { true };
	struct tree_opts o = { .spelling = spelling, .nr_column = 1, .in = { first } };
	struct strbuf got = { 0 };
	struct top_row *row;
	struct tree t;
	size_t nr;

	tree_build(&t, p, &o);
	row = top_list(&t, &nr);
	strbuf_add(&got, SPAN(""));
	for (size_t i = 0; i < nr; i++) {
		struct span name = labels_peek(&t.labels, row[i].label);

		strbuf_addf(&got, "%s%.*s %lld/%lld", i ? ", " : "", (int)name.size, name.at,
			    (long long)row[i].self, (long long)row[i].total);
	}
	is_str(got.at, want, what);
	strbuf_release(&got);
	free(row);
	tree_release(&t);
}

int main(void)
{
	struct profile p;

	profile_init(&p);
	profile_event(&p, SPAN("samples"), SPAN("samples"));
	check(&p, 0, "", "top_list of an empty profile has no functions");
	add_stack(&p, "main;a;b", 5);
	add_stack(&p, "main;a", 2);
	check(&p, 0, "b 5/5, a 2/7, main 0/7", "top_list sorts functions by self weight");
	add_stack(&p, "main;a;b;a", 1);
	check(&p, 0, "b 5/6, a 3/8, main 0/8",
	      "top_list counts the total of a recursive function once");
	add_stack(&p, "gone", 0);
	check(&p, 0, "b 5/6, a 3/8, main 0/8", "top_list leaves out a function without weight");
	profile_release(&p);
	return done();
}
