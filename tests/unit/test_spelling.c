#include "profile/spelling.h"

#include "base/alloc.h"
#include "span_tap.h"

static void check_frame(const struct profile *p, frame_id f, unsigned spelling, const char *want,
			const char *what)
{
	struct strbuf b = { 0 };

	strbuf_addch(&b, '^');
	spelling_frame(&b, p, f, 0, spelling);
	is_span(span_from(strbuf_peek(&b), 1), want, what);
	if (spelling_is_function(p, f, 0, spelling))
		is_span(profile_peek(p, p->frame[f.i].line[0].function), want,
			"… which is the function's name");
	strbuf_release(&b);
}

static frame_id add_frame(struct profile *p, struct frame f, const char *name, const char *file,
			  uint32_t number)
{
	struct line line = { .function = profile_string(p, span_of(name)),
			     .file = profile_string(p, span_of(file)),
			     .line = number };

	f.line = &line;
	f.nr_line = 1;
	return profile_frame(p, &f);
}

static void test_marks(void)
{
	static const struct {
		struct frame f;
		const char *name, *all, *plain;
		const char *what;
	} rows[] = {
		{ { .kind = FRAME_USER }, "f", "f", "f", "a function" },
		{ { .kind = FRAME_KERNEL }, "f", "f_[k]", "f", "of the kernel" },
		{ { .kind = FRAME_JIT }, "f", "f_[j]", "f", "compiled just in time" },
		{ { .flags = FRAME_JIT_INLINED }, "f", "f_[i]", "f", "inlined by a JIT" },
		{ { .kind = FRAME_JIT, .flags = FRAME_JIT_INLINED },
		  "f",
		  "f_[i]",
		  "f",
		  "which says more than the JIT alone" },
		{ { .flags = FRAME_WAKER }, "f", "f_[w]", "f", "of a waker" },
		{ { .kind = FRAME_KERNEL, .flags = FRAME_WAKER },
		  "f",
		  "f_[w]",
		  "f",
		  "also in the kernel" },
		{ { .kind = FRAME_JIT }, "f_[j]", "f_[j]", "f_[j]", "a mark is not set twice" },
		{ { .flags = FRAME_INLINED }, "f", "f", "f", "inlining by a compiler has none" },
	};
	struct profile p;

	profile_init(&p);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		frame_id f = add_frame(&p, rows[i].f, rows[i].name, "", 0);

		check_frame(&p, f, SPELL_MARKS, rows[i].all, rows[i].what);
		check_frame(&p, f, 0, rows[i].plain, "and without marks");
	}
	check_frame(&p, add_frame(&p, (struct frame){ .kind = FRAME_KERNEL }, "f", "", 0),
		    SPELL_MARKS & ~SPELL_KERNEL, "f", "each mark is asked for by itself");
	profile_release(&p);
}

/* Names that need not be spelled to be known. */
static void test_function(void)
{
	struct profile p;
	frame_id f;

	profile_init(&p);
	f = add_frame(&p, (struct frame){ .kind = FRAME_KERNEL }, "ext4_file_read_iter", "a.c", 7);
	ok(spelling_is_function(&p, f, 0, SPELL_JIT), "a name without additions is known");
	ok(!spelling_is_function(&p, f, 0, SPELL_KERNEL), "one with a mark is not");
	ok(!spelling_is_function(&p, f, 0, SPELL_SRCLINE), "one with a source line is not");
	ok(!spelling_is_function(&p, f, 0, SPELL_MODULE_BANG), "one with a module is not");
	f = add_frame(&p, (struct frame){ 0 }, "f;g", "", 0);
	ok(!spelling_is_function(&p, f, 0, 0), "a short one with a separator is not");
	f = add_frame(&p, (struct frame){ 0 }, "abcdefgh\nijk", "", 0);
	ok(!spelling_is_function(&p, f, 0, 0), "a long one with a separator is not");
	ok(!spelling_is_function(&p, (frame_id){ 0 }, 0, 0), "an unnamed frame is not");
	profile_release(&p);
}

/* What folded text says comes out as it went in, whatever is in a name. */
static void test_round_trip(void)
{
	static const char *const names[] = {
		"f",	  "f_[k]",	"f_[j]",     "f_[i]",	  "f_[w]",     "f_[x]",
		"f_[k",	  "_[k]",	"",	     "[k]",	  "f_[k]_[k]", "f_[j]_[j]",
		"f_[j]g", "f_[j]g_[j]", "f_[i]_[k]", "f_[k]_[i]", "f_[w]_[w]", "f_[i]_[i]_[i]",
	};
	struct profile p;

	profile_init(&p);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct frame f = { 0 };
		struct span name = spelling_unmark(span_of(names[i]), &f);
		char text[32], what[64];

		snprintf(text, sizeof(text), "%.*s", (int)name.size, name.at);
		snprintf(what, sizeof(what), "'%s' there and back", names[i]);
		check_frame(&p, add_frame(&p, f, text, "", 0), SPELL_MARKS, names[i], what);
	}
	profile_release(&p);
}

static void test_unmark(void)
{
	struct frame f = { 0 };

	is_span(spelling_unmark(SPAN("do_idle_[k]"), &f), "do_idle", "a mark is taken off");
	is_int(f.kind, FRAME_KERNEL, "and becomes a fact");
	f = (struct frame){ 0 };
	is_span(spelling_unmark(SPAN("f_[i]"), &f), "f", "an inlined one");
	ok(f.kind == FRAME_USER && f.flags == FRAME_JIT_INLINED, "becomes a flag");
	f = (struct frame){ 0 };
	is_span(spelling_unmark(SPAN("f_[z]"), &f), "f_[z]", "what is no mark stays");
	ok(f.kind == FRAME_USER && !f.flags, "and says nothing");
}

static void test_parts(void)
{
	struct profile p;
	module_id module, list;
	frame_id named, line, unnamed, generated, nowhere, bad;

	profile_init(&p);
	list = profile_module(&p, SPAN("/tmp/perf-12.map"), SPAN(""));
	module = profile_module(&p, SPAN("/usr/lib/my lib.so"), SPAN(""));
	named = add_frame(&p, (struct frame){ .kind = FRAME_KERNEL, .module = module }, "f", "", 0);
	line = add_frame(&p, (struct frame){ .module = module }, "f", "a.c", 12);
	unnamed = profile_frame(&p, &(struct frame){ .module = module, .address = 0x7f12 });
	nowhere = profile_frame(&p, &(struct frame){ .kind = FRAME_KERNEL, .address = 0x10 });
	bad = add_frame(&p, (struct frame){ .module = module }, "f\xff", "a\xfe.c", 0);

	check_frame(&p, named, 0, "f", "a name");
	check_frame(&p, named, SPELL_MODULE, "/usr/lib/my lib.so`f", "with its module");
	check_frame(&p, named, SPELL_MODULE | SPELL_KERNEL, "/usr/lib/my lib.so`f_[k]", "and mark");
	check_frame(&p, line, SPELL_SRCLINE, "f:a.c:12", "with its line");
	check_frame(&p, line, 0, "f", "or without");
	check_frame(&p, named, SPELL_SRCLINE, "f", "where there is none");
	check_frame(&p, unnamed, 0, "[my lib.so]", "without a name: the module's file");
	check_frame(&p, unnamed, SPELL_ADDRESS, "[my lib.so <7f12>]", "with its address");
	check_frame(&p, unnamed, SPELL_MODULE, "[my lib.so]", "and never twice");
	generated = profile_frame(&p, &(struct frame){ .kind = FRAME_JIT,
						       .flags = FRAME_IN_MODULE,
						       .module = list,
						       .address = 0x7f12 });
	check_frame(&p, generated, 0, "[jit]", "code that no list names is alike in all processes");
	generated = profile_frame(&p, &(struct frame){ .kind = FRAME_JIT, .module = list });
	check_frame(&p, generated, 0, "[perf-12.map]", "and as a text has it, if it is of one");
	check_frame(&p, nowhere, SPELL_ADDRESS | SPELL_KERNEL, "[unknown <10>]_[k]",
		    "nothing is known but the kind");
	check_frame(&p, (frame_id){ 0 }, 0, "[unknown]", "the unknown frame");
	check_frame(&p, bad, SPELL_SRCLINE, "f\xff:a\xfe.c", "bytes are kept");
	check_frame(&p, bad, SPELL_SRCLINE | SPELL_UTF8, "f\xef\xbf\xbd:a\xef\xbf\xbd.c",
		    "unless UTF-8 is asked for");
	profile_release(&p);
}

static void check_thread(const struct profile *p, thread_id t, unsigned spelling, const char *want,
			 const char *what)
{
	struct strbuf b = { 0 };

	strbuf_addf(&b, "a b;");
	spelling_thread(&b, p, t, spelling);
	is_span(span_upto(strbuf_peek(&b), 4), "a b;", "what was there stays");
	is_span(span_from(strbuf_peek(&b), 4), want, what);
	strbuf_release(&b);
}

static void test_threads(void)
{
	struct profile p;
	thread_id both, tid, lines;

	profile_init(&p);
	both = profile_thread(
		&p, &(struct thread){
			    .pid = 12, .tid = 34, .comm = profile_string(&p, SPAN("V8 Work;er")) });
	tid = profile_thread(&p, &(struct thread){ .pid = THREAD_UNKNOWN,
						   .tid = 34,
						   .comm = profile_string(&p, SPAN("x\xff")) });
	lines = profile_thread(&p, &(struct thread){ .comm = profile_string(&p, SPAN("a\nb\r")) });
	check_thread(&p, both, 0, "", "not asked for");
	check_thread(&p, lines, SPELL_THREAD, "a_b_", "a name with lines in it is one");
	check_thread(&p, lines, SPELL_THREAD | SPELL_BLANKS, "a b ", "also where blanks stay");
	check_thread(&p, both, SPELL_THREAD, "V8_Work:er", "a name that folded text can hold");
	check_thread(&p, both, SPELL_THREAD | SPELL_PID, "V8_Work:er-12", "with its process");
	check_thread(&p, both, SPELL_THREAD | SPELL_PID | SPELL_TID, "V8_Work:er-12/34",
		     "and thread");
	check_thread(&p, both, SPELL_THREAD | SPELL_TID, "V8_Work:er-12/34",
		     "which say each other");
	check_thread(&p, both, SPELL_THREAD | SPELL_TID | SPELL_LONE_TID, "V8_Work:er-34",
		     "unless the thread stands alone");
	check_thread(&p, tid, SPELL_THREAD | SPELL_TID, "x\xff-?/34", "a process not told");
	check_thread(&p, tid, SPELL_THREAD | SPELL_UTF8, "x\xef\xbf\xbd", "as UTF-8");
	check_thread(&p, (thread_id){ 0 }, SPELL_THREAD | SPELL_TID, "", "no thread has no name");
	profile_release(&p);
}

static void test_utf8(void)
{
#define BAD "\xef\xbf\xbd"
	static const struct {
		const char *from, *to, *what;
	} rows[] = {
		{ "", "", "nothing" },
		{ "abc", "abc", "ASCII" },
		{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x94\xa5", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x94\xa5",
		  "two, three and four bytes" },
		{ "a\xff"
		  "b",
		  "a" BAD "b", "a byte that is never in UTF-8" },
		{ "\x80\x80", BAD BAD, "what follows, without what it follows" },
		{ "\xc0\xaf", BAD BAD, "two bytes where one would do" },
		{ "\xe0\x80\xaf", BAD BAD BAD, "three where two would do" },
		{ "\xf0\x80\x80\xaf", BAD BAD BAD BAD, "four where three would do" },
		{ "\xed\xa0\x80", BAD BAD BAD, "half of a pair of UTF-16" },
		{ "\xf4\x90\x80\x80", BAD BAD BAD BAD, "past the last character" },
		{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf", "the last character" },
		{ "\xc3", BAD, "cut short after one byte" },
		{ "\xe2\x82", BAD, "after two: one character that is not whole" },
		{ "\xc3(", BAD "(", "and what comes then is kept" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf b = { 0 };

		spelling_utf8(&b, span_of(rows[i].from));
		is_span(strbuf_peek(&b), rows[i].to, rows[i].what);
		strbuf_release(&b);
	}
}

int main(void)
{
	test_marks();
	test_function();
	test_round_trip();
	test_unmark();
	test_parts();
	test_threads();
	test_utf8();
	return done();
}
