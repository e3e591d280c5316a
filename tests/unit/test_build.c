/* The stack builder, the indented tree on top of it, and the memo. */
#include "read/build.h"

#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/text/memo.h"
#include "read/text/outline.h"
#include "span_tap.h"

#include <stdlib.h>

/* What a reader has in hand. */
struct fixture {
	struct profile p;
	struct text text;
	struct read_opts o;
	struct build b;
	struct error e;
};

static void fixture_init(struct fixture *f)
{
	*f = (struct fixture){ .text = { .line = 7 } };
	profile_init(&f->p);
	f->b = (struct build){ .text = &f->text, .p = &f->p, .o = &f->o };
	profile_event(&f->p, SPAN("samples"), SPAN("samples"));
}

static void fixture_release(struct fixture *f)
{
	free(f->b.frame);
	profile_release(&f->p);
}

/* "a;b 3\n" for every count, in the order in which they came. */
static struct strbuf spell(const struct profile *p)
{
	struct strbuf b = { 0 };

	strbuf_add(&b, SPAN(""));
	for (size_t i = 0; i < p->nr_count; i++) {
		stack_id at[64];
		size_t nr = 0;

		for (stack_id s = p->count[i].stack; s.i; s = p->stack[s.i].caller)
			at[nr++] = s;
		while (nr-- > 0) {
			spelling_frame(&b, p, p->stack[at[nr].i].frame, 0, SPELL_MODULE);
			strbuf_addf(&b, nr ? ";" : " ");
		}
		strbuf_addf(&b, "%lld\n", (long long)p->count[i].weight);
	}
	return b;
}

static void check_counts(struct fixture *f, const char *want, const char *what)
{
	struct strbuf b = spell(&f->p);

	is_str(b.at, want, what);
	strbuf_release(&b);
}

static void test_push(void)
{
	struct fixture f;

	fixture_init(&f);
	build_push_name(&f.b, SPAN("main"));
	build_push(&f.b, build_frame(&f.b, FRAME_USER, SPAN("libc"), SPAN("read")));
	is_int(build_end(&f.b, ROOT_FIRST, 3, &f.e), 0, "build_end() accepts a sample");
	build_push_name(&f.b, SPAN("leaf"));
	build_push_name(&f.b, SPAN("root"));
	build_end(&f.b, LEAF_FIRST, 4, &f.e);
	build_push_name(&f.b, SPAN("forgotten"));
	build_drop(&f.b);
	build_push_name(&f.b, SPAN("many"));
	build_end_many(&f.b, LEAF_FIRST, 50, 10, &f.e);
	check_counts(&f, "main;libc`read 3\nroot;leaf 4\nmany 50\n",
		     "frames are pushed in the order of the input");
	is_int(f.p.count[2].nr, 10, "build_end_many() counts all samples of a stack");
	is_str(profile_check(&f.p), NULL, "a profile of pushed samples passes profile_check()");
	fixture_release(&f);
}

static void test_ticks(void)
{
	struct fixture f;

	fixture_init(&f);
	profile_keep_ticks(&f.p, 100);
	build_push_name(&f.b, SPAN("a"));
	build_end(&f.b, ROOT_FIRST, 1, &f.e);
	f.b.time = 500;
	build_push_name(&f.b, SPAN("a"));
	build_end_many(&f.b, ROOT_FIRST, 9, 3, &f.e);
	is_int(f.p.tick[0].time, 7, "a tick without a time has its line number instead");
	is_int(f.p.tick[1].time, 500, "a tick with a time has that time");
	is_int(f.p.tick[1].weight, 9,
	       "several samples at once are one tick with their whole weight");
	is_int(f.p.count[0].nr, 4, "several samples at once count as many samples");
	is_str(profile_check(&f.p), NULL, "a profile with ticks passes profile_check()");
	fixture_release(&f);
}

static void check_depth(enum path_order order, const char *what)
{
	struct fixture f;
	struct strbuf name = { 0 };
	size_t depth = 0;
	stack_id s;

	fixture_init(&f);
	for (size_t i = 0; i < PROFILE_DEPTH_MAX + 10; i++) {
		bool is_leaf = i == (order == LEAF_FIRST ? 0 : PROFILE_DEPTH_MAX + 9);

		build_push_name(&f.b, is_leaf ? SPAN("leaf") : SPAN("f"));
	}
	is_int(build_end(&f.b, order, 1, &f.e), 0, what);
	is_int(f.p.notes.count[NOTE_TOO_DEEP], 1,
	       "a stack above the depth limit is counted in a note");
	s = f.p.count[0].stack;
	spelling_frame(&name, &f.p, f.p.stack[s.i].frame, 0, 0);
	is_span(strbuf_peek(&name), "leaf", "a stack above the depth limit keeps its leaf");
	for (; s.i; s = f.p.stack[s.i].caller)
		depth++;
	is_int(depth, PROFILE_DEPTH_MAX,
	       "a stack above the depth limit keeps as many frames as the limit allows");
	strbuf_release(&name);
	fixture_release(&f);
}

static void test_notes(void)
{
	struct fixture f;

	fixture_init(&f);
	is_int(build_note(&f.b, NOTE_BAD_LINE, SPAN("what?"), &f.e), 0,
	       "a note is no error unless reading is strict");
	is_int(f.p.notes.note[0].line, 7, "a note has the number of its line");
	f.o.strict = true;
	is_int(build_note(&f.b, NOTE_BAD_LINE, SPAN("what?"), &f.e), -1,
	       "a note is an error if reading is strict");
	is_str(f.e.text, "line 7: malformed line: what?",
	       "the error of a strict reader has line, kind and text of the note");
	is_int(f.e.kind, ERROR_INPUT, "the error of a strict reader is an input error");

	f.o.strict = false;
	build_push_name(&f.b, SPAN("a"));
	build_end(&f.b, ROOT_FIRST, INT64_MAX, &f.e);
	build_push_name(&f.b, SPAN("a"));
	is_int(build_end(&f.b, ROOT_FIRST, 1, &f.e), 0,
	       "a sum of weights above 64 bits is accepted");
	is_int(f.p.notes.count[NOTE_COUNT_TOO_LARGE], 1,
	       "a sum of weights above 64 bits is counted in a note");
	fixture_release(&f);
}

static void test_weight(void)
{
	static const struct {
		const char *number;
		bool good;
		int64_t weight;
		int scale;
	} rows[] = {
		{ "0", true, 0, 0 },
		{ "42", true, 42, 0 },
		{ "9223372036854775807", true, INT64_MAX, 0 },
		{ "9223372036854775808", false, 0, 0 },
		{ "18446744073709551616", false, 0, 0 },
		{ "3.0", true, 3, 0 },
		{ "3.", true, 3, 0 },
		{ "3.000000000000000000000", true, 3, 0 },
		{ "3.5", true, 35, -1 },
		{ "3.50", true, 35, -1 },
		{ "0.125", true, 125, -3 },
		{ "1.123456789", true, 1123456789, -9 },
		{ "1.1234567894", true, 1123456789, -9 },
		{ "1.1234567895", true, 1123456790, -9 },
		{ "0.29999999999999999", true, 300000000, -9 },
		{ "0.0000000004", true, 0, -9 },
		{ "9223372036.8547758079", false, 0, -9 },
		{ "9223372036.854775807", true, INT64_MAX, -9 },
		{ "9223372037.5", true, 92233720375, -1 },
		{ "922337203685477580.7", true, INT64_MAX, -1 },
		{ "922337203685477580.8", false, 0, -1 },
		{ "", false, 0, 0 },
		{ ".5", false, 0, 0 },
		{ "-1", false, 0, 0 },
		{ "1.x", false, 0, 0 },
		{ "1.2.3", false, 0, 0 },
		{ "1e5", false, 0, 0 },
		{ " 1", false, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fixture f;
		int64_t weight = 0;

		fixture_init(&f);
		is_int(build_weight(&f.b, span_of(rows[i].number), &weight), rows[i].good,
		       *rows[i].number ? rows[i].number : "an empty number is rejected");
		is_int(weight, rows[i].weight,
		       "a valid number has its weight, a rejected one leaves it unchanged");
		is_int(f.p.event[0].scale, rows[i].scale,
		       "the event gets the scale that the number's fraction needs");
		fixture_release(&f);
	}
}

/* Numbers of one event, one after the other: finer and finer, until nothing fits. */
static void test_scales(void)
{
	struct fixture f;
	int64_t weight = 0;

	fixture_init(&f);
	build_weight(&f.b, SPAN("3"), &weight);
	build_push_name(&f.b, SPAN("a"));
	build_end(&f.b, ROOT_FIRST, weight, &f.e);
	build_weight(&f.b, SPAN("0.25"), &weight);
	ok(weight == 25 && f.p.count[0].weight == 300,
	   "a fraction makes the scale of earlier weights finer");
	build_weight(&f.b, SPAN("2"), &weight);
	is_int(weight, 200, "a later weight is in the finer scale");
	build_push_name(&f.b, SPAN("b"));
	build_end(&f.b, ROOT_FIRST, INT64_MAX / 10, &f.e);
	ok(build_weight(&f.b, SPAN("0.12345"), &weight) && weight == 12 && f.p.event[0].scale == -2,
	   "digits of a fraction are dropped where a finer scale would overflow");
	is_int(f.p.notes.count[NOTE_FRACTION], 1,
	       "a fraction with dropped digits is counted in a note");
	fixture_release(&f);
}

/* Outline */

struct outlined {
	size_t level;
	const char *name;
	int64_t weight;
};

static void check_outline(enum outline_weight weight, const struct outlined *row, size_t nr,
			  const char *want, uint64_t nr_skipped, const char *what)
{
	struct fixture f;
	struct outline o = { .weight = weight };

	fixture_init(&f);
	o.b = &f.b;
	for (size_t i = 0; i < nr; i++)
		outline_add(&o, row[i].level, build_name(&f.b, span_of(row[i].name)), row[i].weight,
			    &f.e);
	outline_end(&o, &f.e);
	check_counts(&f, want, what);
	is_int(f.p.notes.count[NOTE_SKIPPED_INDENT], nr_skipped,
	       "skipped levels of an outline are counted in notes");
	is_str(profile_check(&f.p), NULL, "the profile of an outline passes profile_check()");
	outline_release(&o);
	fixture_release(&f);
}

static void test_outline(void)
{
	static const struct outlined tree[] = {
		{ 0, "main", 10 }, { 1, "a", 7 }, { 2, "b", 3 }, { 2, "c", 4 },
		{ 1, "d", 2 },	   { 0, "t", 0 }, { 1, "e", 5 },
	};
	static const struct outlined skips[] = {
		{ 0, "main", 9 }, { 3, "a", 5 }, { 3, "b", 3 }, { 4, "c", 2 }, { 1, "d", 1 },
	};
	static const struct outlined starts_deep[] = { { 4, "a", 1 },
						       { 4, "b", 1 },
						       { 5, "c", 1 } };

	check_outline(OUTLINE_SELF, tree, ARRAY_SIZE(tree),
		      "main 10\nmain;a 7\nmain;a;b 3\nmain;a;c 4\nmain;d 2\nt;e 5\n", 0,
		      "OUTLINE_SELF counts each row with its own weight");
	check_outline(OUTLINE_TOTAL, tree, ARRAY_SIZE(tree),
		      "main;a;b 3\nmain;a;c 4\nmain;d 2\nmain 1\nt;e 5\n", 0,
		      "OUTLINE_TOTAL counts each row with its weight minus that of its callees");
	check_outline(OUTLINE_LEAVES, tree, ARRAY_SIZE(tree),
		      "main;a;b 3\nmain;a;c 4\nmain;d 2\nt;e 5\n", 0,
		      "OUTLINE_LEAVES counts only rows without callees");
	check_outline(
		OUTLINE_SELF, skips, ARRAY_SIZE(skips),
		"main 9\nmain;a 5\nmain;b 3\nmain;b;c 2\nmain;d 1\n", 1,
		"a row that skips levels is a callee of the row before, and so are its siblings");
	check_outline(OUTLINE_SELF, starts_deep, ARRAY_SIZE(starts_deep), "a 1\nb 1\nb;c 1\n", 1,
		      "a first row that is indented is a root, and so are its siblings");
}

static void test_outline_limits(void)
{
	struct fixture f;
	struct outline o = { .weight = OUTLINE_TOTAL, .keep_zero = true };
	frame_id frame;

	fixture_init(&f);
	o.b = &f.b;
	frame = build_name(&f.b, SPAN("f"));
	outline_add(&o, 0, frame, 0, &f.e);
	outline_end(&o, &f.e);
	ok(f.p.nr_count == 1 && !f.p.count[0].weight, "keep_zero counts rows of weight 0");

	o.keep_zero = false;
	outline_add(&o, 0, frame, 3, &f.e);
	outline_add(&o, 1, frame, 5, &f.e);
	outline_end(&o, &f.e);
	ok(f.p.nr_count == 2 && f.p.count[1].weight == 5 && !f.p.count[0].weight,
	   "a caller whose callees exceed its total has no self weight");
	outline_release(&o);
	fixture_release(&f);

	/* A row too deep to be kept is its caller's. */
	fixture_init(&f);
	o = (struct outline){ .b = &f.b, .weight = OUTLINE_TOTAL };
	frame = build_name(&f.b, SPAN("f"));
	for (size_t i = 0; i < PROFILE_DEPTH_MAX + 10; i++)
		outline_add(&o, i, frame, 8, &f.e);
	outline_end(&o, &f.e);
	ok(f.p.nr_count == 1 && f.p.count[0].weight == 8,
	   "rows beyond the depth limit lose no weight");
	is_int(f.p.notes.count[NOTE_TOO_DEEP], 10,
	       "each row beyond the depth limit is counted in a note");
	outline_release(&o);
	fixture_release(&f);
}

static void test_memo(void)
{
	struct memo m = { 0 };
	bool kept = true, bounded = true;
	char key[2000];
	uint64_t hash;

	memset(key, 'k', sizeof(key));
	for (uint32_t i = 0; i < 20000; i++) {
		struct span s = { .at = key, .size = sizeof(key) };

		memcpy(key, &i, sizeof(i));
		hash = intern_hash(s);
		kept &= memo_find(&m, s, hash) == MEMO_NONE;
		memo_add(&m, s, hash, i * 3);
		kept &= memo_find(&m, s, hash) == i * 3;
		bounded &= m.keys.bytes.used < MEMO_BYTES_MAX + 4096;
	}
	ok(kept, "a memo finds a key from when it is added");
	ok(bounded, "a memo's keys stay within their limit");
	memo_release(&m);
}

int main(void)
{
	test_push();
	test_ticks();
	check_depth(LEAF_FIRST, "a stack above the depth limit is accepted leaf first");
	check_depth(ROOT_FIRST, "a stack above the depth limit is accepted root first");
	test_notes();
	test_weight();
	test_scales();
	test_outline();
	test_outline_limits();
	test_memo();
	return done();
}
