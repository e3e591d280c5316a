/* Where boxes are: shared beginnings, orders, charts, changes, what is too narrow. */
#include "render/layout.h"

#include "base/strbuf.h"
#include "profile/spelling.h"
#include "span_tap.h"
#include "stacks.h"

#include <stdlib.h>

static const bool first[] = { true, false }, second[] = { false, true };
static const struct layout_least none = { 0 };

/* "0 all 0-6; 1 main 0-6", in the order of the boxes; a change stands behind its box. */
static void check_boxes(const struct layout *l, const struct labels *labels, const char *want,
			const char *what)
{
	struct strbuf b = { 0 };

	strbuf_add(&b, SPAN(""));
	for (size_t i = 0; i < l->nr; i++) {
		const struct box *x = &l->box[i];
		struct span name = x->label == LAYOUT_ALL    ? SPAN("all")
				   : x->label == LAYOUT_MORE ? SPAN("more")
							     : labels_peek(labels, x->label);

		strbuf_addf(&b, "%s%u %.*s %lld-%lld", i ? "; " : "", x->depth, (int)name.size,
			    name.at, (long long)x->begin, (long long)x->end);
		if (x->has_delta)
			strbuf_addf(&b, " %+lld", (long long)x->delta);
	}
	is_str(b.at, want, what);
	strbuf_release(&b);
}

static void check_tree(const struct profile *p, const struct tree_opts *o, enum tree_order order,
		       struct layout_least least, const char *want, const char *what)
{
	struct layout l;
	struct tree t;

	tree_build(&t, p, o);
	layout_tree(&l, &t, order, least);
	check_boxes(&l, &t.labels, want, what);
	layout_release(&l);
	tree_release(&t);
}

static void test_tree(void)
{
	struct tree_opts o = { .nr_column = 1, .in = { first } };
	struct profile p;
	struct layout l;
	struct tree t;

	init_profile(&p, (const char *const[]){ "samples", NULL });
	check_tree(&p, &o, TREE_NAME, none, "0 all 0-0",
		   "an empty profile is laid out as one box without width");
	add_stack(&p, 0, "main", 1);
	check_tree(&p, &o, TREE_NAME, none, "0 all 0-1; 1 main 0-1",
		   "a stack of one frame is laid out as a box above the root");
	add_stack(&p, 0, "main;b", 3);
	add_stack(&p, 0, "main;a;c", 2);
	check_tree(&p, &o, TREE_NAME, none, "2 a 1-3; 3 c 1-3; 0 all 0-6; 1 main 0-6; 2 b 3-6",
		   "frames that stacks share are one box, and self weight comes before callees");
	check_tree(&p, &o, TREE_WIDTH, none, "2 b 1-4; 0 all 0-6; 1 main 0-6; 2 a 4-6; 3 c 4-6",
		   "TREE_WIDTH puts the widest callee first");
	/* Printed, "main b" stands between "main" and "main;a". */
	add_stack(&p, 0, "main b", 4);
	check_tree(&p, &o, TREE_NAME, none,
		   "2 a 1-3; 3 c 1-3; 1 main 0-6; 2 b 3-6; 0 all 0-10; 1 main b 6-10",
		   "a name that sorts between a frame and its callees does not split it");
	o.reverse = true;
	check_tree(&p, &o, TREE_NAME, none,
		   "1 b 0-3; 2 main 0-3; 1 c 3-5; 2 a 3-5; 3 main 3-5; 1 main 5-6; 0 all 0-10; "
		   "1 main b 6-10",
		   "a reversed tree is laid out from the leaves");
	o.reverse = false;
	tree_build(&t, &p, &o);
	layout_tree(&l, &t, TREE_NAME, none);
	ok(l.total == 10, "a layout has the total of its tree");
	is_int(l.depth, 3, "a layout is as deep as its tree");
	is_int(l.scale, 0, "a layout has the scale of its tree");
	layout_release(&l);
	layout_tree(&l, &t, TREE_NAME, (struct layout_least){ .share = 0.3 });
	check_boxes(&l, &t.labels, "1 main 0-6; 2 b 3-6; 0 all 0-10; 1 main b 6-10",
		    "boxes below the smallest share are left out");
	is_int(l.depth, 2, "a layout is as deep as the boxes that it keeps");
	layout_release(&l);
	layout_tree(&l, &t, TREE_NAME, (struct layout_least){ .share = 0.3, .whole = 14 });
	check_boxes(&l, &t.labels, "1 main 0-6; 0 all 0-10",
		    "the smallest share is of `whole` if that is more than the total");
	layout_release(&l);
	layout_tree(&l, &t, TREE_NAME, (struct layout_least){ .share = 0.3, .whole = 1e300 });
	check_boxes(&l, &t.labels, "0 all 0-10", "the root is never too narrow");
	layout_release(&l);
	tree_release(&t);
	profile_release(&p);
}

/* Weights that cannot be drawn take no room and harm nobody. */
static void test_odd_weights(void)
{
	struct tree_opts o = { .nr_column = 1, .in = { first } };
	struct profile p;
	struct layout l;
	struct tree t;

	init_profile(&p, (const char *const[]){ "samples", NULL });
	add_stack(&p, 0, "", 1);
	add_stack(&p, 0, "a", 0);
	add_stack(&p, 0, "b", -5);
	add_stack(&p, 0, "c;d", 2);
	check_tree(&p, &o, TREE_NAME, none, "0 all 0-3; 1 c 1-3; 2 d 1-3",
		   "weights of 0 or less get no box, and an empty stack widens only the root");
	profile_rescale(&p, 0, -2);
	o.samples = true;
	tree_build(&t, &p, &o);
	layout_tree(&l, &t, TREE_NAME, none);
	ok(l.scale == 0 && l.total == 4,
	   "a layout of samples has whole numbers where weights have fractions");
	layout_release(&l);
	tree_release(&t);
	profile_release(&p);
}

static void test_changes(void)
{
	struct tree_opts o = { .nr_column = 2, .in = { first, second } };
	struct profile p;
	struct layout l;
	struct tree t;

	init_profile(&p, (const char *const[]){ "before", "after", NULL });
	add_stack(&p, 0, "main;a", 5);
	add_stack(&p, 1, "main;a", 2);
	add_stack(&p, 0, "main;b", 1);
	add_stack(&p, 1, "main;b", 8);
	add_stack(&p, 0, "main;gone", 4);
	add_stack(&p, 1, "main", 1);
	check_tree(
		&p, &o, TREE_NAME, none, "2 a 1-3 -3; 0 all 0-11 +0; 1 main 0-11 +1; 2 b 3-11 +7",
		"boxes of a comparison have the width of after and the change of their self weight");
	tree_build(&t, &p, &o);
	layout_tree(&l, &t, TREE_NAME, none);
	is_int(l.max_delta, 7, "a layout has the largest change of its boxes");
	layout_release(&l);
	tree_release(&t);
	profile_release(&p);

	init_profile(&p, (const char *const[]){ "before", "after", NULL });
	profile_rescale(&p, 0, -1);
	add_stack(&p, 0, "a", 15);
	add_stack(&p, 1, "a", 2);
	tree_build(&t, &p, &o);
	layout_tree(&l, &t, TREE_NAME, none);
	check_boxes(&l, &t.labels, "0 all 0-20 +0; 1 a 0-20 +5",
		    "a comparison is laid out in the finer of two scales");
	ok(l.scale == -1 && l.max_delta == 10, "the largest change of a layout is at least 1");
	layout_release(&l);
	tree_release(&t);
	profile_release(&p);
}

static void check_chart(const struct profile *p, const struct tree_opts *o,
			enum chart_direction direction, struct layout_least least, const char *want,
			const char *what)
{
	struct labels labels;
	struct layout l;

	labels_init(&labels, p, o->spelling);
	layout_chart(&l, p, &labels, o, direction, least);
	check_boxes(&l, &labels, want, what);
	layout_release(&l);
	labels_release(&labels);
}

static void test_charts(void)
{
	struct tree_opts o = { .nr_column = 1, .in = { first } };
	struct profile p;

	init_profile(&p, (const char *const[]){ "samples", "other", NULL });
	profile_keep_ticks(&p, 100);
	check_chart(&p, &o, CHART_FORWARD, none, "0 all 0-0",
		    "a chart of an empty profile is one box without width");
	add_stack(&p, 0, "main;b", 1);
	add_stack(&p, 0, "main;a", 2);
	add_stack(&p, 1, "main;x", 9);
	add_stack(&p, 0, "main;a", 3);
	add_stack(&p, 0, "main;b", 4);
	check_chart(&p, &o, CHART_FORWARD, none,
		    "2 b 0-1; 2 a 1-6; 0 all 0-10; 1 main 0-10; 2 b 6-10",
		    "a chart merges only equal neighbors");
	check_chart(&p, &o, CHART_BACKWARD, none,
		    "2 b 0-4; 2 a 4-9; 0 all 0-10; 1 main 0-10; 2 b 9-10",
		    "a backward chart begins with the last sample");
	check_chart(&p, &o, CHART_FORWARD, (struct layout_least){ .share = 0.2 },
		    "2 a 1-6; 0 all 0-10; 1 main 0-10; 2 b 6-10",
		    "a chart leaves out boxes below the smallest share");
	o.samples = true;
	check_chart(&p, &o, CHART_FORWARD, none, "2 b 0-1; 2 a 1-3; 0 all 0-4; 1 main 0-4; 2 b 3-4",
		    "a chart of samples gives each sample the width 1");
	profile_release(&p);
}

static void add_at(struct profile *p, uint64_t time, thread_id thread, uint32_t event,
		   const char *path)
{
	struct tick t = { .time = time,
			  .thread = thread,
			  .event = event,
			  .stack = stack_of(p, path),
			  .weight = 1 };

	profile_add(p, &t);
}

static thread_id thread_of(struct profile *p, uint32_t tid, struct span comm)
{
	struct thread t = { .pid = 1, .tid = tid, .comm = profile_string(p, comm) };

	return profile_thread(p, &t);
}

/* They run side by side, so their samples alternate. */
static void test_chart_of_threads(void)
{
	struct tree_opts o = { .nr_column = 1, .in = { first }, .spelling = SPELL_THREAD };
	struct profile p;
	thread_id x, y, z;

	init_profile(&p, (const char *const[]){ "samples", "other", NULL });
	profile_keep_ticks(&p, 100);
	x = thread_of(&p, 1, SPAN("x"));
	y = thread_of(&p, 2, SPAN("y"));
	z = thread_of(&p, 3, SPAN("x"));
	add_at(&p, 1, x, 1, "b");
	add_at(&p, 2, y, 0, "a");
	add_at(&p, 3, x, 0, "b");
	add_at(&p, 4, y, 0, "a");
	add_at(&p, 5, z, 0, "b");
	add_at(&p, 6, x, 0, "a");
	check_chart(
		&p, &o, CHART_FORWARD, none,
		"1 y 0-1; 2 a 0-1; 1 x 1-2; 2 b 1-2; 1 y 2-3; 2 a 2-3; 2 b 3-4; 0 all 0-5; 1 x 3-5; 2 a 4-5",
		"a chart without times keeps the order of the input");
	p.timed = true;
	check_chart(
		&p, &o, CHART_FORWARD, none,
		"1 y 0-2; 2 a 0-2; 2 b 2-3; 1 x 2-4; 2 a 3-4; 0 all 0-5; 1 x 4-5; 2 b 4-5",
		"a chart with times has threads one by one, in the order of their first shown samples");
	profile_release(&p);
}

static void add_pair(struct profile *p, const char *path, int64_t before, int64_t after)
{
	struct tick t = { .stack = stack_of(p, path), .time = p->nr_tick };

	t.weight = before;
	profile_add(p, &t);
	t.event = 1;
	t.weight = after;
	profile_add(p, &t);
}

static void test_chart_of_changes(void)
{
	struct tree_opts o = { .nr_column = 2, .in = { first, second } };
	struct profile p;

	init_profile(&p, (const char *const[]){ "before", "after", NULL });
	profile_keep_ticks(&p, 100);
	add_pair(&p, "b", 1, 4);
	add_pair(&p, "a", 3, 2);
	add_pair(&p, "b", 5, 5);
	check_chart(&p, &o, CHART_FORWARD, none,
		    "1 b 0-4 +3; 1 a 4-6 -1; 0 all 0-11 +0; 1 b 6-11 +0",
		    "a chart of a comparison merges before and after of a line");
	check_chart(&p, &o, CHART_BACKWARD, none,
		    "1 b 0-5 +0; 1 a 5-7 -1; 0 all 0-11 +0; 1 b 7-11 +3",
		    "a backward chart of a comparison begins with the last line");
	profile_release(&p);

	init_profile(&p, (const char *const[]){ "before", "after", NULL });
	profile_keep_ticks(&p, 100);
	profile_rescale(&p, 0, -1);
	add_pair(&p, "a", 15, 2);
	check_chart(&p, &o, CHART_FORWARD, none, "0 all 0-20 +0; 1 a 0-20 +5",
		    "a chart of a comparison has the finer of two scales");
	profile_release(&p);
}

/* What is too narrow is told where there is enough of it side by side. */
static void test_more(void)
{
	struct tree_opts o = { .nr_column = 1, .in = { first } };
	struct layout_least least = { .share = 0.2, .more = true };
	struct profile p;

	init_profile(&p, (const char *const[]){ "samples", NULL });
	add_stack(&p, 0, "m;a;x", 1);
	add_stack(&p, 0, "m;b", 1);
	add_stack(&p, 0, "m;c", 5);
	add_stack(&p, 0, "m;d", 1);
	add_stack(&p, 0, "m;e", 1);
	add_stack(&p, 0, "m;f", 1);
	check_tree(&p, &o, TREE_NAME, least,
		   "2 more 0-2; 2 c 2-7; 0 all 0-10; 1 m 0-10; 2 more 7-10",
		   "narrow neighbors before and behind a wide box become boxes of LAYOUT_MORE");
	profile_release(&p);

	init_profile(&p, (const char *const[]){ "samples", NULL });
	add_stack(&p, 0, "m;a", 1);
	add_stack(&p, 0, "m;b", 1);
	add_stack(&p, 0, "m;c", 7);
	add_stack(&p, 0, "n;d", 1);
	check_tree(&p, &o, TREE_NAME, least, "2 more 0-2; 1 m 0-9; 2 c 2-9; 0 all 0-10",
		   "a narrow box without narrow neighbors does not become LAYOUT_MORE");
	profile_release(&p);
}

/* A comparison: both sides of every box, and widths by the wider one. */
static void test_either(void)
{
	static const bool before[] = { true, false }, after[] = { false, true };
	struct tree_opts o = { .nr_column = 2, .in = { before, after } };
	struct layout_least least = { .either = true };
	const struct box *all, *gone;
	struct profile p;
	struct layout l;
	struct tree t;

	init_profile(&p, (const char *const[]){ "before", "after", NULL });
	add_stack(&p, 0, "m;gone", 3);
	add_stack(&p, 0, "m;more", 1);
	add_stack(&p, 1, "m;more", 4);
	tree_build(&t, &p, &o);
	layout_tree(&l, &t, TREE_NAME, least);
	gone = &l.box[0];
	all = &l.box[1];
	ok(gone->end - gone->begin == 3, "a frame that is gone is as wide as it was before");
	ok(gone->sum[0] == 3 && gone->sum[1] == 0, "a frame that is gone has nothing after");
	ok(gone->self == 3, "a leaf that is gone has its weight by itself");
	ok(all->label == LAYOUT_ALL && all->end == 7,
	   "callers are as wide as their callees on both sides");
	ok(all->sum[0] == 4 && all->sum[1] == 4, "callers have the sums of both sides");
	ok(!all->self, "callers have nothing by themselves");
	layout_release(&l);
	tree_release(&t);
	profile_release(&p);
}

/* Boxes are sorted by 32 bits of their ends first: here they differ in the bits below these. */
static void test_large_weights(void)
{
	struct tree_opts o = { .nr_column = 1, .in = { first } };
	struct profile p;

	init_profile(&p, (const char *const[]){ "samples", NULL });
	add_stack(&p, 0, "z", 1000000000000000);
	add_stack(&p, 0, "b", 1);
	add_stack(&p, 0, "a;x", 2);
	add_stack(&p, 0, "a;y", 3);
	add_stack(&p, 0, "c", 1);
	check_tree(&p, &o, TREE_NAME, none,
		   "2 x 0-2; 1 a 0-5; 2 y 2-5; 1 b 5-6; 1 c 6-7; 0 all 0-1000000000000007; "
		   "1 z 7-1000000000000007",
		   "narrow boxes beside a large weight are sorted by their ends");
	profile_release(&p);
}

/* From some number of siblings on, another sort is used. */
static void test_many_siblings(void)
{
	struct tree_opts o = { .nr_column = 1, .in = { first } };
	const char *const wide = "1 a 0-10; 1 b 10-19; 1 c 19-27; 1 d 27-34; 1 e 34-40; 1 f 40-45; "
				 "1 g 45-49; 1 h 49-52; 1 i 52-54; 0 all 0-55; 1 j 54-55";
	struct profile p;

	init_profile(&p, (const char *const[]){ "samples", NULL });
	for (int i = 0; i < 10; i++)
		add_stack(&p, 0, (const char[]){ (char)('a' + i * 7 % 10), '\0' }, 10 - i * 7 % 10);
	check_tree(&p, &o, TREE_WIDTH, none, wide, "ten siblings are sorted by width");
	check_tree(&p, &o, TREE_NAME, none, wide, "ten siblings are sorted by name");
	profile_release(&p);
}

int main(void)
{
	test_large_weights();
	test_many_siblings();
	test_more();
	test_either();
	test_tree();
	test_odd_weights();
	test_changes();
	test_charts();
	test_chart_of_threads();
	test_chart_of_changes();
	return done();
}
