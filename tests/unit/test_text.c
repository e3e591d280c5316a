/* Sources cut into chunks, and the lines that a text makes of them. */
#include "base/text.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "packed.h"
#include "random.h"
#include "span_tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 256 * 1024 };

static struct source *source_over(struct span bytes, enum split split)
{
	struct error e = ERROR_INIT;
	struct source *s = source_new(stream_over(bytes), &e);

	source_split(s, split, NULL);
	return s;
}

/* What the lines of some bytes are, told the plain way. */
static bool plain_line(struct span *rest, struct span *line)
{
	size_t n = span_find(*rest, '\n');

	if (!rest->size)
		return false;
	*line = span_upto(*rest, n);
	*rest = span_from(*rest, n + 1);
	if (span_ends(*line, "\r"))
		line->size--;
	return true;
}

/* Every line once, in order, with its number. */
static bool reads_lines(struct span bytes, enum split split, bool ahead)
{
	struct source *source = source_over(bytes, split);
	struct span rest = bytes, want, got;
	uint64_t number = 0;
	bool same = true;
	struct text t;

	if (ahead)
		source_read_ahead(source);
	text_init(&t, source);
	while (same && plain_line(&rest, &want))
		same = text_line(&t, &got) && span_eq(got, want) && t.line == ++number;
	same = same && !text_line(&t, &got) && !t.failed;
	text_release(&t);
	source_free(source);
	return same;
}

/* The same whether the next chunk is read meanwhile or not. */
static bool reads_as_lines(struct span bytes, enum split split)
{
	return reads_lines(bytes, split, false) && reads_lines(bytes, split, true);
}

static void test_lines(void)
{
	ok(reads_as_lines(SPAN(""), SPLIT_LINE), "an empty input has no lines");
	ok(reads_as_lines(SPAN("\n"), SPLIT_LINE), "a newline is one empty line");
	ok(reads_as_lines(SPAN("a"), SPLIT_LINE), "a last line needs no newline");
	ok(reads_as_lines(SPAN("a\r\n\r\nb\r"), SPLIT_LINE), "a line may end in CR LF");
	ok(reads_as_lines(SPAN("a\rb\n\r\r\n"), SPLIT_LINE),
	   "a CR that is not in front of a newline is a byte of its line");
	ok(reads_as_lines(SPAN("\0\n\0\0"), SPLIT_LINE), "a NUL is a byte of its line");
}

static void add_bytes(struct strbuf *b, char c, size_t nr)
{
	strbuf_reserve(b, nr);
	memset(b->at + b->size, c, nr);
	b->size += nr;
}

/* A line, or the CR LF at its end, on every side of where a chunk ends. */
static void test_borders(void)
{
	struct strbuf b = { 0 };
	bool lines = true, crlf = true, bare = true;

	for (size_t first = CHUNK - 4; first <= CHUNK + 4; first++)
		for (size_t second = 0; second < 3; second++) {
			strbuf_reset(&b);
			add_bytes(&b, 'a', first);
			strbuf_addf(&b, "\n%.*s\nb\n", (int)second, "cc");
			lines &= reads_as_lines(strbuf_peek(&b), SPLIT_LINE);
			lines &= reads_as_lines(strbuf_peek(&b), SPLIT_BLANK_LINE);
			strbuf_reset(&b);
			add_bytes(&b, 'a', first);
			strbuf_addf(&b, "\r\n%.*s\r\nb\r\n", (int)second, "cc");
			crlf &= reads_as_lines(strbuf_peek(&b), SPLIT_LINE);
			crlf &= reads_as_lines(strbuf_peek(&b), SPLIT_BLANK_LINE);
			strbuf_reset(&b);
			add_bytes(&b, 'a', first);
			bare &= reads_as_lines(strbuf_peek(&b), SPLIT_LINE);
		}
	ok(lines, "lines that end near a chunk boundary are read whole");
	ok(crlf, "lines whose CR LF crosses a chunk boundary are read whole");
	ok(bare, "a last line about as long as a chunk is read whole");
	strbuf_release(&b);
}

/* Blocks of lines as perf script has them; size is about what it will be. */
static void add_blocks(struct strbuf *b, size_t size, uint64_t seed, const char *end)
{
	struct random r = { seed };

	while (b->size < size) {
		uint32_t nr = 1 + random_below(&r, 80);

		for (uint32_t i = 0; i < nr; i++) {
			add_bytes(b, 'x', random_below(&r, 120));
			strbuf_addf(b, "%u%s", i, end);
		}
		strbuf_addf(b, "%s", end);
	}
}

static void test_random(void)
{
	static const char *const ends[] = { "\n", "\r\n" };
	bool right = true;

	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct strbuf b = { 0 };

		add_blocks(&b, 700000 + seed * 1000, seed, ends[seed & 1]);
		strbuf_addf(&b, "last line");
		right &= reads_as_lines(strbuf_peek(&b), SPLIT_LINE);
		right &= reads_as_lines(strbuf_peek(&b), SPLIT_BLANK_LINE);
		strbuf_release(&b);
	}
	ok(right, "random lines over several chunks are read back unchanged");
}

/* Takes all chunks, and says whether each but the last ends as it should. */
static size_t check_chunks(struct span bytes, enum split split, const char *end, const char *what)
{
	struct source *source = source_over(bytes, split);
	struct error e = ERROR_INIT;
	struct chunk c = { 0 };
	size_t nr = 0, at = 0;
	bool right = true, ended = true;

	while (source_next(source, &c, &e) > 0) {
		right &= ended && c.number == nr && c.size &&
			 span_eq((struct span){ .at = c.buf, .size = c.size },
				 span_upto(span_from(bytes, at), c.size));
		ended = span_ends((struct span){ .at = c.buf, .size = c.size }, end);
		at += c.size;
		nr++;
	}
	ok(right && at == bytes.size, what);
	free(c.buf);
	source_free(source);
	return nr;
}

static void test_split(void)
{
	struct strbuf b = { 0 };

	add_blocks(&b, 2000000, 5, "\n");
	ok(check_chunks(strbuf_peek(&b), SPLIT_LINE, "\n",
			"SPLIT_LINE ends each chunk with a line") >= 7,
	   "SPLIT_LINE splits 2 MB into at least 7 chunks");
	ok(check_chunks(strbuf_peek(&b), SPLIT_BLANK_LINE, "\n\n",
			"SPLIT_BLANK_LINE ends each chunk with an empty line") >= 7,
	   "SPLIT_BLANK_LINE splits 2 MB into at least 7 chunks");
	strbuf_reset(&b);
	add_blocks(&b, 1000000, 6, "\r\n");
	ok(check_chunks(strbuf_peek(&b), SPLIT_BLANK_LINE, "\r\n\r\n",
			"SPLIT_BLANK_LINE splits at empty lines with CR LF") >= 3,
	   "SPLIT_BLANK_LINE splits 1 MB with CR LF into at least 3 chunks");

	strbuf_reset(&b);
	while (b.size < 3000000)
		strbuf_addf(&b, "swapper 0 [001] %zu.5: cycles:\n", b.size);
	ok(check_chunks(strbuf_peek(&b), SPLIT_BLANK_LINE, "\n",
			"3 MB without an empty line are split at the end of a line") >= 2,
	   "SPLIT_BLANK_LINE splits 3 MB without an empty line into at least 2 chunks");
	strbuf_release(&b);
}

static bool is_heading(struct span line)
{
	return span_starts(line, "heading") && !span_ends(line, "\r");
}

/* Where empty lines are missing, those who know the lines say where a chunk may end. */
static void test_begins(void)
{
	struct strbuf b = { 0 };
	struct error e = ERROR_INIT;
	struct source *s;
	struct chunk c = { 0 };
	size_t nr = 0, size = 0;
	bool right = true;

	while (b.size < 7000000) {
		strbuf_addf(&b, "heading %zu\r\n", b.size);
		for (size_t i = 0; i < 700; i++)
			strbuf_addf(&b, "\tline %zu\r\n", i);
	}
	s = source_over(strbuf_peek(&b), SPLIT_BLANK_LINE);
	source_split(s, SPLIT_BLANK_LINE, is_heading);
	for (; source_next(s, &c, &e) > 0; nr++) {
		right &= span_starts((struct span){ .at = c.buf, .size = c.size }, "heading ");
		size += c.size;
	}
	ok(right, "a chunk of an input without empty lines begins where a block can");
	ok(nr >= 3 && size == b.size,
	   "an input without empty lines is split into chunks that have all of it");
	free(c.buf);
	source_free(s);
	strbuf_release(&b);
}

static void test_head(void)
{
	struct strbuf b = { 0 };
	struct source *s = source_over(SPAN("a 1\n"), SPLIT_LINE);

	is_span(source_head(s), "a 1\n", "the head of a short input is all of it");
	source_free(s);
	add_bytes(&b, 'a', SOURCE_HEAD_SIZE + 1);
	s = source_over(strbuf_peek(&b), SPLIT_LINE);
	is_int(source_head(s).size, SOURCE_HEAD_SIZE,
	       "the head of a long input has SOURCE_HEAD_SIZE bytes");
	source_free(s);
	strbuf_release(&b);
}

static void test_unread(void)
{
	struct source *s = source_over(SPAN("a\r\nb\n"), SPLIT_LINE);
	struct span line;
	struct text t;

	text_init(&t, s);
	ok(text_line(&t, &line) && text_at_start(&t),
	   "a text is at its start after its first line");
	text_unread(&t, line);
	ok(text_line(&t, &line) && span_is(line, "a"),
	   "a line that was given back comes once more");
	is_int((intmax_t)t.line, 1, "a line that was given back is counted once");
	ok(text_line(&t, &line) && span_is(line, "b"),
	   "the second line follows one that was given back");
	ok(!text_at_start(&t), "a text is not at its start after two lines");
	text_release(&t);
	source_free(s);
}

/* "first", a line of that size, "second": which of them arrive, with which numbers? */
static void check_long_line(size_t size, const char *end, bool kept, const char *what)
{
	struct strbuf b = { 0 };
	struct source *s;
	struct span line;
	struct text t;
	bool right = true;

	strbuf_addf(&b, "first\n");
	add_bytes(&b, 'x', size);
	strbuf_addf(&b, "%s", end);
	s = source_over(strbuf_peek(&b), SPLIT_BLANK_LINE);
	text_init(&t, s);
	right &= text_line(&t, &line) && span_is(line, "first") && t.line == 1;
	if (kept)
		right &= text_line(&t, &line) && line.size == size && t.line == 2;
	if (*end)
		right &= text_line(&t, &line) && span_is(line, "second") && t.line == 3;
	right &= !text_line(&t, &line) && !t.failed;
	right &= source_overlong(s) == !kept;
	ok(right, what);
	text_release(&t);
	source_free(s);
	strbuf_release(&b);
}

static void test_long_lines(void)
{
	static const char more[] = "\nsecond\n";

	check_long_line(SOURCE_LINE_MAX, more, true, "a line of SOURCE_LINE_MAX bytes is read");
	check_long_line(SOURCE_LINE_MAX, "", true, "a last line of SOURCE_LINE_MAX bytes is read");
	check_long_line(SOURCE_LINE_MAX + 1, more, false,
			"a line above SOURCE_LINE_MAX is skipped, reported and has a line number");
	check_long_line(SOURCE_LINE_MAX + 1, "", false,
			"a last line above SOURCE_LINE_MAX is skipped and reported");
	check_long_line((size_t)SOURCE_LINE_MAX * 2 - 100, more, false,
			"a line of nearly twice SOURCE_LINE_MAX is skipped and reported");
}

static void count_bytes(void *arg, uint64_t position, uint64_t size)
{
	uint64_t *seen = arg;

	seen[0] += position > seen[1] || position == size;
	seen[1] = position;
	seen[2] = size;
}

static void test_watch(void)
{
	struct strbuf b = { 0 };
	struct error e = ERROR_INIT;
	struct chunk c = { 0 };
	uint64_t seen[3] = { 0 }, nr = 0;
	char path[] = "/tmp/wick-text.XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	struct source *s;

	add_blocks(&b, 1000000, 9, "\n");
	fwrite(b.at, 1, b.size, f);
	fclose(f);
	s = source_new(stream_open(path, &e), &e);
	source_watch(s, count_bytes, seen);
	while (source_next(s, &c, &e) > 0)
		nr++;
	is_int(seen[0], nr + 1, "a watcher is called after every chunk, at growing positions");
	ok(seen[1] == b.size && seen[2] == b.size,
	   "the last position that a watcher gets is the size of the file");
	free(c.buf);
	source_free(s);
	unlink(path);
	strbuf_release(&b);
}

/* Threads */

enum { NR_THREADS = 4 };

struct taker {
	pthread_t thread;
	struct text text;
	uint64_t *line, *number; /* as written in the lines; as the text counts them */
	size_t nr, cap, cap_number;
};

static void *take_lines(void *arg)
{
	struct taker *taker = arg;
	struct span line;

	while (text_line(&taker->text, &line)) {
		uint64_t number = 0;

		if (!span_u64(span_trim(line), &number))
			continue;
		GROW(taker->line, taker->nr, taker->cap);
		if (taker->cap_number < taker->cap) {
			taker->cap_number = taker->cap;
			taker->number = xreallocarray(taker->number, taker->cap, sizeof(number));
		}
		taker->line[taker->nr] = number;
		taker->number[taker->nr++] = taker->text.line;
	}
	return NULL;
}

/* What the lines of the chunks before a chunk come to, from the texts' tables. */
static uint64_t lines_before(const struct taker *taker, uint64_t chunk)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < NR_THREADS; i++)
		for (size_t k = 0; k < taker[i].text.nr_seen; k++)
			if (taker[i].text.seen[k].number < chunk)
				lines += taker[i].text.seen[k].lines;
	return lines;
}

/* nr_line lines that hold their own number, up to `last`. */
static void check_threads(struct span bytes, uint64_t nr_line, uint64_t last, const char *what)
{
	struct source *source = source_over(bytes, SPLIT_LINE);
	struct taker taker[NR_THREADS] = { 0 };
	char *taken = xcalloc(last + 1, 1), text[96];
	bool once = true, numbers = true;
	uint64_t nr = 0;

	for (size_t i = 0; i < NR_THREADS; i++) {
		text_init(&taker[i].text, source);
		taker[i].text.shared = true;
		pthread_create(&taker[i].thread, NULL, take_lines, &taker[i]);
	}
	for (size_t i = 0; i < NR_THREADS; i++)
		pthread_join(taker[i].thread, NULL);
	for (size_t i = 0; i < NR_THREADS; i++) {
		uint64_t chunk = UINT64_MAX, before = 0;

		for (size_t k = 0; k < taker[i].nr; k++) {
			uint64_t line = taker[i].line[k], number = taker[i].number[k];

			if (number >> 32 != chunk) {
				chunk = number >> 32;
				before = lines_before(taker, chunk);
			}
			once &= line <= last && !taken[line]++;
			numbers &= before + (number & UINT32_MAX) == line;
		}
		nr += taker[i].nr;
	}
	for (size_t i = 0; i < NR_THREADS; i++) {
		free(taker[i].line);
		free(taker[i].number);
		text_release(&taker[i].text);
	}
	snprintf(text, sizeof(text), "%s: each line goes to exactly one thread", what);
	ok(once && nr == nr_line, text);
	snprintf(text, sizeof(text), "%s: the line numbers follow from the chunks", what);
	ok(numbers, text);
	free(taken);
	source_free(source);
}

static void test_threads(void)
{
	struct strbuf b = { 0 };
	uint64_t nr = 0;

	while (b.size < 3000000)
		strbuf_addf(&b, "%llu\n", (unsigned long long)++nr);
	check_threads(strbuf_peek(&b), nr, nr, "threads that share a source");

	/* A line that is too long is in no thread's hands, and yet a line. */
	strbuf_reset(&b);
	for (nr = 0; nr < 100000;)
		strbuf_addf(&b, "%llu\n", (unsigned long long)++nr);
	add_bytes(&b, '9', SOURCE_LINE_MAX + 1);
	strbuf_addf(&b, "\n");
	for (nr++; nr < 200000;)
		strbuf_addf(&b, "%llu\n", (unsigned long long)++nr);
	check_threads(strbuf_peek(&b), nr - 1, nr,
		      "threads that share a source with an overlong line");
	strbuf_release(&b);
}

/* Reading ahead ends where reading does, and where nobody reads any more. */
static void test_ahead(void)
{
	struct strbuf b = { 0 }, packed = { 0 };
	struct source *source;
	struct error e = ERROR_INIT;
	struct chunk c = { 0 };
	int ret;

	while (b.size < 4 * CHUNK)
		strbuf_add(&b, SPAN("a line\n"));
	source = source_over(strbuf_peek(&b), SPLIT_LINE);
	source_read_ahead(source);
	is_int(source_next(source, &c, &e), 1,
	       "a source that reads ahead gives a chunk, and can be freed after it");
	source_free(source);

	source = source_over(strbuf_peek(&b), SPLIT_LINE);
	source_read_ahead(source);
	while (source_next(source, &c, &e) == 1)
		;
	is_int(source_next(source, &c, &e), 0, "a source that reads ahead stays at its end");
	source_free(source);

	add_gzip(&packed, strbuf_peek(&b));
	source = source_over(span_upto(strbuf_peek(&packed), packed.size - 20), SPLIT_LINE);
	source_read_ahead(source);
	while ((ret = source_next(source, &c, &e)) == 1)
		;
	is_int(ret, -1, "a truncated gzip input fails when it is read ahead");
	ok(*e.text, "a truncated gzip input that is read ahead sets an error");
	is_int(source_next(source, &c, &e), 0,
	       "a truncated gzip input that is read ahead fails once, and then ends");
	source_free(source);
	strbuf_release(&packed);
	free(c.buf);
	strbuf_release(&b);
}

int main(void)
{
	test_ahead();
	test_lines();
	test_borders();
	test_random();
	test_split();
	test_begins();
	test_head();
	test_unread();
	test_long_lines();
	test_watch();
	test_threads();
	return done();
}
