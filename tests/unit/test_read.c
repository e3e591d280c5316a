/* The table of readers, guessing, and reading with one thread and with several. */
#include "read/read.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/spelling.h"
#include "random.h"
#include "span_tap.h"
#include "write/folded.h"

#include <stdlib.h>
#include <unistd.h>

static void test_table(void)
{
	const struct reader *const *list = reader_list();
	bool found = true, complete = true;

	for (size_t i = 0; list[i]; i++) {
		found &= reader_find(span_of(list[i]->name)) == list[i];
		complete &= list[i]->title && list[i]->read;
	}
	ok(found, "every reader is found by its name");
	ok(complete, "every reader has a title and a function that reads");
	ok(!reader_find(SPAN("nonsense")) && !reader_find(SPAN("")),
	   "unknown and empty names of readers are not found");
}

static void test_guess(void)
{
	static const struct {
		const char *head, *reader;
	} rows[] = {
		/* folded */
		{ "main;a 1\nmain;b 2\n", "folded" },
		{ "a 1\nb 2\n", "folded" },
		{ "main loop 5\nadd 6\n", "folded" },
		{ "cc 12\ndd 34\n", "folded" },
		{ "main 1", "folded" },
		{ "# a comment\n\nmain;a 1.5\n", "folded" },
		{ "main;a 1 2\n", "folded" },
		{ "main;a 1\r\nmain;b 2\r\n", "folded" },
		{ "\xef\xbb\xbfmain;a 1\n", "folded" },
		{ "main;a 1\nthis is cut shor", "folded" },
		{ "main;operator new[](unsigned long) 7\n", "folded" },
		/* perf */
		{ "bash 12 [000] 1.5: cycles:\n\t7f12 main (/bin/bash)\n", "perf" },
		{ "bash 12 [000] 1.5: cycles:\n7f12 main (/bin/bash)\n", "perf" },
		{ "# a comment\n\nbash 12 cycles:\n\t7f12 main (/bin/bash)\n", "perf" },
		{ "bash 12\n\t7f12 main (/bin/bash)\n", "perf" },
		{ "bash 12 1.5: cycles: 7f12 main (/bin/bash)\n", "perf" },
		{ "a 12 1.5: PERF_RECORD_LOST lost 2\na 12 1.5: x:\n\t7f12 f (b)\n", "perf" },
		{ "bash 12 [000] 1.5: cycles:\n\nbash 12 1.6: cycles:\n\t7f12 f (b)\n", "perf" },
		{ "bash 12 [000] 1.5: cycles:\r\n\t7f12 main (/bin/bash)\r\n", "perf" },
		/* Chrome traces */
		{ "{\"traceEvents\": []}\n", "chrome-tracing" },
		{ "\xef\xbb\xbf{\"a\": {\"b\": [1]}, \"traceEvents\": [{", "chrome-tracing" },
		{ "[{\"pid\": 1, \"ph\": \"X\"", "chrome-tracing" },
		{ "{\"a\": {\"traceEvents\": []}}\n", NULL },
		{ "[{\"a\": 1}, {\"ph\": \"X\"}]", NULL },
		{ "[1]", NULL },
		/* neither */
		{ "", NULL },
		{ "\n\n", NULL },
		{ "# a comment\n", NULL },
		{ "hello world\n", NULL },
		{ "main;a\n", NULL },
		{ "main;a 1\nthis is no stack\nmain;b 2\n", "folded" },
		{ "main;a 1\nthis is no stack\nnor this\nmain;b 2\n", NULL },
		{ "a 1\nthis is no stack\nb 2\n", NULL },
		{ "12\n13\n", NULL },
		{ "a 1.2.3\n", NULL },
		{ "a -1\n", NULL },
		{ "bash 12 [000] 1.5: cycles:\nno frame\n", NULL },
		{ "\x7f"
		  "ELF\x02\x01\x01",
		  NULL },
		{ "<?xml version=\"1.0\"?>\n<trace/>\n", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct reader *r = reader_guess(span_of(rows[i].head));

		is_str(r ? r->name : NULL, rows[i].reader,
		       *rows[i].head ? rows[i].head : "empty input is not guessed");
	}
}

/* What comes of some text: its profile, and the folded text of that. */
struct outcome {
	struct profile p;
	struct error e;
	struct read_result result;
	int ret;
	char *folded;
};

static char *spell(const struct reader *r, const struct read_opts *o, const struct profile *p)
{
	char path[] = "/tmp/wick-read.XXXXXX";
	bool *in = xcalloc(p->nr_event, sizeof(*in));
	struct folded_opts f = { .spelling = r->spelling, .nr_column = 1, .in = { in } };
	struct strbuf text = { 0 };
	struct error e = ERROR_INIT;
	struct output out;
	char buf[4096];
	ssize_t n;
	int fd = mkstemp(path);

	if (o->srcline)
		f.spelling |= SPELL_SRCLINE;
	for (size_t i = 0; i < p->nr_event; i++)
		in[i] = true;
	output_open(&out, path, &e);
	folded_write(&out, p, &f);
	output_close(&out, &e);
	strbuf_add(&text, SPAN(""));
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		strbuf_add(&text, (struct span){ .at = buf, .size = (size_t)n });
	close(fd);
	unlink(path);
	free(in);
	return text.at;
}

static void outcome_of(struct outcome *x, const char *reader, struct span text,
		       const struct read_opts *o)
{
	const struct reader *r = reader_find(span_of(reader));
	struct source *source;

	*x = (struct outcome){ 0 };
	source = source_new(stream_over(text), &x->e);
	profile_init(&x->p);
	x->ret = read_source(r, source, o, &x->p, &x->result, &x->e);
	x->folded = spell(r, o, &x->p);
	source_free(source);
}

static void outcome_release(struct outcome *x)
{
	profile_release(&x->p);
	free(x->folded);
}

static void check_read(const char *reader, const char *text, const struct read_opts *o,
		       const char *want, const char *what)
{
	struct outcome x;

	outcome_of(&x, reader, span_of(text), o);
	is_int(x.ret, 0, what);
	is_str(x.folded, want, "the profile gives the expected folded stacks");
	is_str(profile_check(&x.p), NULL, "the profile that was read is sound");
	outcome_release(&x);
}

static void test_perf(void)
{
	static const char *const after_f[] = { "f" };
	const struct read_opts plain = { .threads = 1 };
	const struct read_opts skip = { .script.skip_after = after_f,
					.script.nr_skip_after = 1,
					.srcline = true };
	struct outcome x;

	check_read("perf",
		   "bash 12 1.5: cycles:\n\t7f12 f (/bin/bash)\n \t\n"
		   "bash 12 1.6: cycles:\n\t7f12 g (/bin/bash)\n\r\n",
		   &plain, "bash;f 1\nbash;g 1\n", "a line of blanks is an empty line");
	check_read("perf",
		   "bash 12 1.5: cycles:\n\t7f12 e (/bin/bash)\n  a.c:1\n\t7f13 f (/bin/bash)\n"
		   "  b.c:2\n\t7f14 g (/bin/bash)\n  c.c:3\n\n",
		   &skip, "f:b.c:2;e:a.c:1 1\n",
		   "the source of a frame that is left out is not another frame's");
	check_read("perf", "java\n\t7f12 Lx/Y->Lx/Z (/tmp/perf-1.map)\n\n", &plain,
		   "java;x/Y;x/Z_[i] 1\n", "a name may be all that stands above a stack");

	/* A line that is none of perf's makes no event, and knows where it stood. */
	outcome_of(&x, "perf",
		   SPAN("could not open\nsome file\n\n\nbash 12 1.5: 7 cycles:\n\t7f12 f (x)\n\n"),
		   &plain);
	is_str(x.folded, "bash;f 7\n", "lines of garbage are left out");
	ok(x.p.nr_event == 1 && span_is(profile_peek(&x.p, x.p.event[0].name), "cycles"),
	   "lines of garbage are not an event");
	is_int(x.p.notes.count[NOTE_BAD_EVENT], 1, "lines of garbage are counted once");
	for (size_t i = 0; i < x.p.notes.nr; i++)
		if (x.p.notes.note[i].code == NOTE_BAD_EVENT)
			is_int(x.p.notes.note[i].line, 1,
			       "the note about lines of garbage has the number of their first line");
	outcome_release(&x);

	outcome_of(&x, "perf", SPAN("\na 1 1.5: c:\n?\n\n"), &plain);
	ok(x.p.notes.nr == 2 && x.p.notes.note[0].code == NOTE_NO_STACK &&
		   x.p.notes.note[0].line == 2 && x.p.notes.note[1].line == 3,
	   "notes are in the order of lines, whenever they were made");
	outcome_release(&x);

	outcome_of(&x, "perf", SPAN("a 1 1.5: 9223372036854775808 c:\n\t7f f (x)\n\n"), &plain);
	is_int(x.p.notes.count[NOTE_COUNT_TOO_LARGE], 1, "a period too large is counted");
	outcome_release(&x);
}

/* Blocks of perf text, with now and then a malformed line; lists the lines of these. */
static struct strbuf generate(size_t size, uint64_t **bad, size_t *nr_bad)
{
	struct strbuf b = { 0 };
	struct random r = { 17 };
	uint64_t line = 0;
	size_t cap = 0;

	*bad = NULL;
	*nr_bad = 0;
	while (b.size < size) {
		uint32_t depth = 1 + random_below(&r, 20);

		strbuf_addf(&b, "proc%u %u [001] %zu.5: %u cycles:\n", random_below(&r, 5),
			    random_below(&r, 50), b.size, 1 + random_below(&r, 1000));
		line++;
		for (uint32_t i = 0; i < depth; i++) {
			strbuf_addf(&b, "\t%x f%u (/lib/%u.so)\n", random_below(&r, 1 << 30),
				    random_below(&r, 100), random_below(&r, 3));
			line++;
		}
		if (!random_below(&r, 40)) {
			strbuf_addf(&b, "\tno frame at all\n");
			line++;
			GROW(*bad, *nr_bad, cap);
			(*bad)[(*nr_bad)++] = line;
		}
		strbuf_addf(&b, "\n");
		line++;
	}
	return b;
}

static bool notes_are(const struct notes *n, const uint64_t *bad, size_t nr_bad)
{
	size_t nr = nr_bad < NOTES_KEPT ? nr_bad : NOTES_KEPT;

	if (n->count[NOTE_BAD_STACK_LINE] != nr_bad || n->nr != nr)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (n->note[i].line != bad[i])
			return false;
	return true;
}

static void check_threads(size_t size, const char *what)
{
	static const unsigned threads[] = { 1, 2, 3, 8, 100000 };
	uint64_t *bad;
	size_t nr_bad;
	struct strbuf text = generate(size, &bad, &nr_bad);
	bool same = true, notes = true, sound = true;
	char *alone = NULL, name[96];

	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		struct read_opts o = { .threads = threads[i] };
		struct outcome x;

		outcome_of(&x, "perf", strbuf_peek(&text), &o);
		if (!alone)
			alone = xstrdup(x.folded);
		same &= !x.ret && !strcmp(x.folded, alone);
		notes &= notes_are(&x.p.notes, bad, nr_bad);
		sound &= !profile_check(&x.p);
		outcome_release(&x);
	}
	snprintf(name, sizeof(name), "%s: any number of threads reads the same", what);
	ok(same && strlen(alone) > 10000, name);
	snprintf(name, sizeof(name), "%s: the first of %zu notes are kept, in the order of lines",
		 what, nr_bad);
	ok(notes, name);
	snprintf(name, sizeof(name), "%s: the profiles are sound", what);
	ok(sound, name);
	free(alone);
	free(bad);
	strbuf_release(&text);
}

/* Several inputs into one profile: what was noted of the first stays first. */
static void test_inputs(void)
{
	uint64_t *bad;
	size_t nr_bad;
	struct strbuf text = generate(600000, &bad, &nr_bad);
	const struct read_opts o = { .threads = 4 };
	const struct reader *r = reader_find(SPAN("perf"));
	struct error e = ERROR_INIT;
	struct read_result result;
	struct profile p;

	profile_init(&p);
	for (size_t i = 0; i < 2; i++) {
		struct span bytes =
			i ? strbuf_peek(&text) : SPAN("\n\na 1 1.5: c:\n\t7f f (x)\n\t ?\n\n");
		struct source *source = source_new(stream_over(bytes), &e);

		is_int(read_source(r, source, &o, &p, &result, &e), 0,
		       "one of two inputs is read into the profile");
		source_free(source);
	}
	is_int(p.notes.note[0].line, 5, "the first input's notes are first");
	is_int(p.notes.note[1].line, bad[0], "the second input's notes follow those of the first");
	is_int(p.notes.count[NOTE_BAD_STACK_LINE], nr_bad + 1,
	       "malformed lines of both inputs are counted");
	profile_release(&p);
	strbuf_release(&text);
	free(bad);
}

static void test_strict(void)
{
	const struct read_opts o = { .threads = 8, .strict = true };
	uint64_t *bad;
	size_t nr_bad;
	struct strbuf text = generate(600000, &bad, &nr_bad);
	struct outcome x;
	char want[96];

	outcome_of(&x, "perf", strbuf_peek(&text), &o);
	is_int(x.ret, -1, "strict reading stops at a malformed line");
	is_int(x.e.kind, ERROR_INPUT, "strict reading reports an input error");
	snprintf(want, sizeof(want), "line %llu: line that is not a stack frame: no frame at all",
		 (unsigned long long)bad[0]);
	is_str(x.e.text, want, "the error of strict reading names the first malformed line");
	outcome_release(&x);
	strbuf_release(&text);
	free(bad);
}

static void test_folded(void)
{
	const struct read_opts plain = { .threads = 1 };

	check_read("folded", "\xef\xbb\xbfmain;a 1\nmain;a 2\n", &plain, "main;a 3\n",
		   "a byte order mark is no part of a name");
	check_read("folded", "a 1.5\na 2\nb 0.25\n", &plain, "a 3.5\nb 0.25\n", "fractions add up");
	check_read("folded", ";a; 1\n;a; 2\n;; 3\n",
		   &(struct read_opts){ .threads = 1, .folded.empty_leaf = true }, ";; 3\n;a; 3\n",
		   "names may be empty where an empty leaf is kept");
	check_read("folded", "a;b; 1\na;b 2\na;;c 4\n", &plain, "a;;c 4\na;b 3\n",
		   "an empty last name is dropped");
	check_read("folded", "a;b_[k] 1\na;b 2\n", &plain, "a;b 2\na;b_[k] 1\n",
		   "marks come out as they went in");
}

int main(void)
{
	test_table();
	test_guess();
	test_perf();
	test_folded();
	check_threads(300000, "300 kB of text");
	check_threads(2500000, "2.5 MB of text");
	test_inputs();
	test_strict();
	return done();
}
