/* Folded text as sorted lines, and what is not plain enough for it. */
#include "read/folded_lines.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "random.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

static const char path[] = "/tmp/wick-test-folded-lines.XXXXXX";

/* Reads a text from a file; *l must be released. */
static bool read_text(struct folded_lines *l, struct span text)
{
	char name[sizeof(path)];
	int fd;
	bool plain;

	memcpy(name, path, sizeof(path));
	fd = mkstemp(name);
	plain = fd >= 0 && write(fd, text.at, text.size) == (ssize_t)text.size &&
		folded_lines_read(l, name);
	if (fd >= 0) {
		close(fd);
		unlink(name);
	}
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
		{ "a; 3\n", true },
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
		{ "a;b 1 2\n", false },
		{ "a;b 1.5 2\n", false },
		{ "a 1\nb 9999999999999999999\n", false },
		{ " 1\n", false },
		{ "1\n", false },
		{ "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct folded_lines l = { 0 };

		ok(read_text(&l, span_of(cases[i].text)) == cases[i].plain, cases[i].text);
		folded_lines_release(&l);
	}
}

static int by_line(const void *a, const void *b)
{
	return folded_line_compare(a, b);
}

/* Few different bytes and long common beginnings: every way through the sort. */
static void add_random_line(struct strbuf *text, struct random *r, size_t shared)
{
	size_t nr = random_below(r, 40);

	for (size_t i = 0; i < shared; i++)
		strbuf_addch(text, 'x');
	strbuf_addch(text, 'x');
	for (size_t i = 0; i < nr; i++)
		strbuf_addch(text, "ab;\0"[random_below(r, 4)]);
	strbuf_addf(text, "z %u\n", random_below(r, 1000));
}

static void test_sort(void)
{
	struct random r = { 7 };
	unsigned nr_wrong = 0, nr_plain = 0;
	enum { ROUNDS = 60 };

	for (int round = 0; round < ROUNDS; round++) {
		struct folded_lines l = { 0 };
		struct strbuf text = { 0 };
		struct folded_line *want;
		int64_t total = 0;

		for (int i = 0; i < 1 + 20 * round; i++)
			add_random_line(&text, &r, round % 3 ? random_below(&r, 3) * 9 : 50);
		nr_plain += read_text(&l, strbuf_peek(&text));
		want = xcalloc(l.nr, sizeof(*want));
		memcpy(want, l.line, l.nr * sizeof(*want));
		qsort(want, l.nr, sizeof(*want), by_line);
		for (size_t i = 0; i < l.nr; i++) {
			nr_wrong += folded_line_compare(&l.line[i], &want[i]) != 0;
			total += l.line[i].count;
		}
		nr_wrong += total != l.total || l.nr != (size_t)(1 + 20 * round);
		free(want);
		strbuf_release(&text);
		folded_lines_release(&l);
	}
	is_int(nr_plain, ROUNDS, "all is plain");
	is_int(nr_wrong, 0, "and sorted, and none is lost");
}

int main(void)
{
	struct folded_lines l;

	test_plain();
	test_sort();
	ok(!folded_lines_read(&l, "/nowhere"), "a file that is not there");
	folded_lines_release(&l);
	ok(!folded_lines_read(&l, "/dev/zero"), "and what is no file");
	folded_lines_release(&l);
	return done();
}
