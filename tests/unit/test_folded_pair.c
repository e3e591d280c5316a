/* Two folded files as sums of lines, and what is not plain enough for it. */
#include "read/folded/folded_pair.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "random.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

/* Reads two texts from files; *p must be released. */
static bool read_texts(struct folded_pair *p, struct span before, struct span after,
		       unsigned threads, bool with_roots)
{
	char name[2][sizeof("/tmp/wick-test-folded-pair.XXXXXX")] = {
		"/tmp/wick-test-folded-pair.XXXXXX", "/tmp/wick-test-folded-pair.XXXXXX"
	};
	const struct span text[2] = { before, after };
	bool plain = true;

	for (unsigned i = 0; i < 2; i++) {
		int fd = mkstemp(name[i]);

		plain = plain && fd >= 0 &&
			write(fd, text[i].at, text[i].size) == (ssize_t)text[i].size;
		if (fd >= 0)
			close(fd);
	}
	plain = folded_pair_read(p, (const char *const[]){ name[0], name[1] }, threads,
				 with_roots) &&
		plain;
	unlink(name[0]);
	unlink(name[1]);
	return plain;
}

static void test_plain(void)
{
	static const struct {
		const char *text;
		bool plain;
	} cases[] = {
		{ "a;b 1\n", true },
		{ "a;b 1", true },
		{ "a;b 1\n\nc 2\n", true },
		{ "f_1 2\n", true },
		{ "std::vector<int, 3>;x 2\n", true },
		{ "a; 3\n", false },
		{ "a;b\n", false },
		{ "a;b 1.5\n", false },
		{ "a;b 1\r\n", false },
		{ "a;b  1\n", false },
		{ "a;b 1 \n", false },
		{ " a;b 1\n", false },
		{ "# a;b 1\n", false },
		{ "\xef\xbb\xbf"
		  "a 1\n",
		  false },
		{ "a;b 0\n", false },
		{ "a;b 1 2\n", false },
		{ "a;b 1.5 2\n", false },
		{ "a 1\nb 9999999999999999999\n", false },
		{ " 1\n", false },
		{ "1\n", false },
		{ "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct folded_pair p;

		ok(read_texts(&p, span_of(cases[i].text), SPAN("a;b 1\n"), 1, false) ==
			   cases[i].plain,
		   cases[i].text);
		folded_pair_release(&p);
		ok(read_texts(&p, SPAN("a;b 1\n"), span_of(cases[i].text), 2, false) ==
			   cases[i].plain,
		   "the second file is accepted only if all its lines are plain");
		folded_pair_release(&p);
	}
}

/* A line as the table should have it, and one of some file. */
struct line {
	struct span text;
	int64_t sum[2];
};

static int by_text(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	size_t shorter = x->text.size < y->text.size ? x->text.size : y->text.size;
	int order = memcmp(x->text.at, y->text.at, shorter);

	return order ? order : (x->text.size > y->text.size) - (x->text.size < y->text.size);
}

/* Few different bytes and long common beginnings: every path through the sort, and many equal lines. */
static void add_random_lines(struct strbuf *text, struct random *r, unsigned nr, bool sorted)
{
	for (unsigned i = 0; i < nr; i++) {
		unsigned letters = random_below(r, 12);

		for (unsigned k = random_below(r, 3) * 9; k; k--)
			strbuf_addch(text, 'x');
		strbuf_addch(text, 'x');
		if (sorted)
			strbuf_addf(text, "%06u", i);
		for (unsigned k = 0; k < letters; k++)
			strbuf_addch(text, "ab;\0"[random_below(r, 4)]);
		strbuf_addf(text, "z %u\n", 1 + random_below(r, 1000));
	}
}

/* Adds the lines of a text to those that are wanted. */
static void want_lines(struct line *line, size_t *nr, struct span text, unsigned side)
{
	while (text.size) {
		size_t end = span_find(text, '\n'), blank = span_rfind(span_upto(text, end), ' ');

		line[*nr] = (struct line){ .text = span_upto(text, blank) };
		line[(*nr)++].sum[side] = atoll(text.at + blank);
		text = span_from(text, end + 1);
	}
}

static size_t add_up(struct line *line, size_t nr)
{
	size_t kept = 0;

	qsort(line, nr, sizeof(*line), by_text);
	for (size_t i = 0; i < nr; i++) {
		struct line one = line[i];

		if (!kept || by_text(&line[kept - 1], &one))
			line[kept++] = (struct line){ .text = one.text };
		line[kept - 1].sum[0] += one.sum[0];
		line[kept - 1].sum[1] += one.sum[1];
	}
	return kept;
}

/* Is the text of a row this one? */
static bool is_text(const struct folded_pair *p, const struct folded_row *row, struct span text)
{
	struct span root = row->is_renamed ? p->root : SPAN("");

	return span_eq(root, span_upto(text, root.size)) &&
	       span_eq(span_from(text, root.size), (struct span){ row->at, row->size });
}

/* Are the rows of a pair, taken in ranges, these lines? */
static bool has_lines(struct folded_pair *p, const struct line *want, size_t nr)
{
	const struct folded_row *row;
	size_t at = 0;
	bool right = true;

	while (right && at < nr) {
		struct folded_range range = folded_pair_take(p, 1 + at % 7);

		right = (row = folded_range_next(p, &range));
		for (; right && row; row = folded_range_next(p, &range), at++)
			right = at < nr && is_text(p, row, want[at].text) &&
				want[at].sum[0] == row->sum[0] && want[at].sum[1] == row->sum[1];
	}
	return right && at == nr && !memcmp(p->at, p->nr_order, sizeof(p->at));
}

/* Compares with what sorting all lines of both files gives. */
static bool is_right(struct span before, struct span after, unsigned threads)
{
	struct line *want = xcalloc(before.size + after.size, sizeof(*want));
	struct folded_pair p;
	size_t nr = 0;
	bool right;

	want_lines(want, &nr, before, 0);
	want_lines(want, &nr, after, 1);
	nr = add_up(want, nr);
	right = read_texts(&p, before, after, threads, false);
	folded_pair_sort(&p, threads);
	right = right && has_lines(&p, want, nr);
	folded_pair_release(&p);
	free(want);
	return right;
}

static void test_sums(void)
{
	struct random r = { 7 };
	unsigned nr_wrong = 0;

	for (unsigned round = 0; round < 60; round++) {
		struct strbuf text[2] = { { 0 }, { 0 } };

		add_random_lines(&text[0], &r, 1 + 20 * round, round % 4 == 1);
		add_random_lines(&text[1], &r, 1 + random_below(&r, 1000), round % 4 == 2);
		nr_wrong += !is_right(strbuf_peek(&text[0]), strbuf_peek(&text[1]), 1 + round % 3);
		/* Nothing is new. */
		nr_wrong += !is_right(strbuf_peek(&text[0]), strbuf_peek(&text[0]), 1 + round % 3);
		strbuf_release(&text[0]);
		strbuf_release(&text[1]);
	}
	is_int(nr_wrong, 0, "the sums of two files are those of all their lines, in order");
}

/* More than one chunk for each thread, and a line that is longer than a chunk's rest. */
static void test_large(void)
{
	struct strbuf text[2] = { { 0 }, { 0 } };
	struct random r = { 11 };

	add_random_lines(&text[0], &r, 150000, false);
	add_random_lines(&text[1], &r, 150000, false);
	ok(is_right(strbuf_peek(&text[0]), strbuf_peek(&text[1]), 4),
	   "the sums of files of several chunks are right on four threads");
	strbuf_release(&text[0]);
	strbuf_release(&text[1]);
}

/* Lines of some roots: `old` of the first file is `new` in the second; neighbors of both are in each. */
static void add_rooted_lines(struct strbuf *text, struct random *r, unsigned nr,
			     const char *renamed)
{
	static const char *const other[] = { "a", "new z", "new!", "newer", "old z", "z" };

	strbuf_addf(text, "%s 1\n", renamed);
	for (unsigned i = 0; i < nr; i++) {
		unsigned depth = random_below(r, 4);

		strbuf_addf(text, "%s",
			    random_below(r, 3) ? renamed
					       : other[random_below(r, ARRAY_SIZE(other))]);
		for (unsigned k = 0; k < depth; k++)
			strbuf_addf(text, ";%c", 'a' + (char)random_below(r, 4));
		strbuf_addf(text, " %u\n", 1 + random_below(r, 9));
	}
}

static uint32_t root_number(const struct folded_pair *p, struct span name)
{
	return intern_find(&p->roots.names, name, intern_hash(name));
}

static bool renames(struct random *r, unsigned threads)
{
	struct strbuf text[2] = { { 0 }, { 0 } }, same = { 0 };
	struct random again;
	unsigned nr = random_below(r, 400);
	struct folded_pair p;
	struct line *want;
	size_t nr_want = 0;
	bool right;

	again = *r;
	add_rooted_lines(&text[0], r, nr, "old");
	add_rooted_lines(&same, &again, nr, "new");
	add_rooted_lines(&text[1], r, random_below(r, 400), "new");
	want = xcalloc(same.size + text[1].size, sizeof(*want));
	want_lines(want, &nr_want, strbuf_peek(&same), 0);
	want_lines(want, &nr_want, strbuf_peek(&text[1]), 1);
	nr_want = add_up(want, nr_want);
	right = read_texts(&p, strbuf_peek(&text[0]), strbuf_peek(&text[1]), threads, true);
	folded_pair_rename(&p, root_number(&p, SPAN("old")), root_number(&p, SPAN("new")));
	folded_pair_sort(&p, threads);
	right = right && has_lines(&p, want, nr_want);
	folded_pair_release(&p);
	free(want);
	strbuf_release(&text[0]);
	strbuf_release(&text[1]);
	strbuf_release(&same);
	return right;
}

static void test_rename(void)
{
	struct random r = { 3 };
	unsigned nr_wrong = 0;

	for (unsigned round = 0; round < 200; round++)
		nr_wrong += !renames(&r, 1 + round % 3);
	is_int(nr_wrong, 0, "a root with another name has the lines of both, in order");
}

static void test_files(const char *path, const char *what)
{
	struct folded_pair p;

	ok(!folded_pair_read(&p, (const char *const[]){ path, path }, 1, false), what);
	folded_pair_release(&p);
}

int main(void)
{
	test_plain();
	test_sums();
	test_large();
	test_rename();
	test_files("/nowhere", "a file that does not exist is left to the reader");
	test_files("/dev/zero", "a device is left to the reader");
	return done();
}
