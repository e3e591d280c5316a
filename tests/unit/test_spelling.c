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
			"a name that spelling_is_function() knows is the function's");
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
		{ { .kind = FRAME_USER }, "f", "f", "f", "a function has no mark" },
		{ { .kind = FRAME_KERNEL },
		  "f",
		  "f_[k]",
		  "f",
		  "a function of the kernel is marked _[k]" },
		{ { .kind = FRAME_JIT },
		  "f",
		  "f_[j]",
		  "f",
		  "a JIT-compiled function is marked _[j]" },
		{ { .flags = FRAME_JIT_INLINED },
		  "f",
		  "f_[i]",
		  "f",
		  "a function inlined by a JIT is marked _[i]" },
		{ { .kind = FRAME_JIT, .flags = FRAME_JIT_INLINED },
		  "f",
		  "f_[i]",
		  "f",
		  "_[i] takes precedence over _[j]" },
		{ { .flags = FRAME_WAKER },
		  "f",
		  "f_[w]",
		  "f",
		  "a function of a waker is marked _[w]" },
		{ { .kind = FRAME_KERNEL, .flags = FRAME_WAKER },
		  "f",
		  "f_[w]",
		  "f",
		  "_[w] takes precedence over _[k]" },
		{ { .kind = FRAME_JIT },
		  "f_[j]",
		  "f_[j]",
		  "f_[j]",
		  "a mark that the name already has is not added twice" },
		{ { .flags = FRAME_INLINED },
		  "f",
		  "f",
		  "f",
		  "a function inlined by a compiler has no mark" },
	};
	struct profile p;

	profile_init(&p);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		frame_id f = add_frame(&p, rows[i].f, rows[i].name, "", 0);

		check_frame(&p, f, SPELL_MARKS, rows[i].all, rows[i].what);
		check_frame(&p, f, 0, rows[i].plain, "without SPELL_MARKS, a name gets no mark");
	}
	check_frame(&p, add_frame(&p, (struct frame){ .kind = FRAME_KERNEL }, "f", "", 0),
		    SPELL_MARKS & ~SPELL_KERNEL, "f",
		    "without SPELL_KERNEL, a function of the kernel gets no mark");
	profile_release(&p);
}

/* Names that need not be spelled to be known. */
static void test_function(void)
{
	struct profile p;
	frame_id f;

	profile_init(&p);
	f = add_frame(&p, (struct frame){ .kind = FRAME_KERNEL }, "ext4_file_read_iter", "a.c", 7);
	ok(spelling_is_function(&p, f, 0, SPELL_JIT),
	   "a name without additions is plainly its function");
	ok(!spelling_is_function(&p, f, 0, SPELL_KERNEL),
	   "a name with a mark is not plainly its function");
	ok(!spelling_is_function(&p, f, 0, SPELL_SRCLINE),
	   "a name with a source line is not plainly its function");
	ok(!spelling_is_function(&p, f, 0, SPELL_MODULE_BANG),
	   "a name with a module is not plainly its function");
	f = add_frame(&p, (struct frame){ 0 }, "f;g", "", 0);
	ok(!spelling_is_function(&p, f, 0, 0),
	   "a short name with a separator is not plainly its function");
	f = add_frame(&p, (struct frame){ 0 }, "abcdefgh\nijk", "", 0);
	ok(!spelling_is_function(&p, f, 0, 0),
	   "a long name with a separator is not plainly its function");
	ok(!spelling_is_function(&p, (frame_id){ 0 }, 0, 0),
	   "an unnamed frame is not plainly its function");
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
		snprintf(what, sizeof(what), "'%s' is the same after unmarking and marking",
			 names[i]);
		check_frame(&p, add_frame(&p, f, text, "", 0), SPELL_MARKS, names[i], what);
	}
	profile_release(&p);
}

static void test_unmark(void)
{
	struct frame f = { 0 };

	is_span(spelling_unmark(SPAN("do_idle_[k]"), &f), "do_idle",
		"spelling_unmark() removes a mark");
	is_int(f.kind, FRAME_KERNEL, "spelling_unmark() makes _[k] a frame of the kernel");
	f = (struct frame){ 0 };
	is_span(spelling_unmark(SPAN("f_[i]"), &f), "f", "spelling_unmark() removes _[i]");
	ok(f.kind == FRAME_USER && f.flags == FRAME_JIT_INLINED,
	   "spelling_unmark() makes _[i] a flag");
	f = (struct frame){ 0 };
	is_span(spelling_unmark(SPAN("f_[z]"), &f), "f_[z]",
		"spelling_unmark() keeps a text that is not a mark");
	ok(f.kind == FRAME_USER && !f.flags,
	   "spelling_unmark() sets neither kind nor flags without a mark");
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

	check_frame(&p, named, 0, "f", "a frame is spelled as its function");
	check_frame(&p, named, SPELL_MODULE, "/usr/lib/my lib.so`f",
		    "SPELL_MODULE puts the module before the function");
	check_frame(&p, named, SPELL_MODULE | SPELL_KERNEL, "/usr/lib/my lib.so`f_[k]",
		    "SPELL_MODULE and SPELL_KERNEL put module and mark around the function");
	check_frame(&p, line, SPELL_SRCLINE, "f:a.c:12",
		    "SPELL_SRCLINE puts the source line after the function");
	check_frame(&p, line, 0, "f", "without SPELL_SRCLINE, a source line is not spelled");
	check_frame(&p, named, SPELL_SRCLINE, "f",
		    "SPELL_SRCLINE adds nothing to a frame without a source line");
	check_frame(&p, unnamed, 0, "[my lib.so]",
		    "an unresolved frame is spelled as the file name of its module");
	check_frame(&p, unnamed, SPELL_ADDRESS, "[my lib.so <7f12>]",
		    "SPELL_ADDRESS adds the address to an unresolved frame");
	check_frame(&p, unnamed, SPELL_MODULE, "[my lib.so]",
		    "SPELL_MODULE does not repeat the module of an unresolved frame");
	generated = profile_frame(&p, &(struct frame){ .kind = FRAME_JIT,
						       .flags = FRAME_IN_MODULE,
						       .module = list,
						       .address = 0x7f12 });
	check_frame(&p, generated, 0, "[jit]",
		    "unresolved code of a JIT is spelled without its process");
	generated = profile_frame(&p, &(struct frame){ .kind = FRAME_JIT, .module = list });
	check_frame(&p, generated, 0, "[perf-12.map]",
		    "unresolved code of a JIT that text names is spelled as its map file");
	check_frame(&p, nowhere, SPELL_ADDRESS | SPELL_KERNEL, "[unknown <10>]_[k]",
		    "an unresolved frame without a module is spelled with address and mark");
	check_frame(&p, (frame_id){ 0 }, 0, "[unknown]", "the unknown frame is spelled [unknown]");
	check_frame(&p, bad, SPELL_SRCLINE, "f\xff:a\xfe.c",
		    "without SPELL_UTF8, bytes that are not UTF-8 are kept");
	check_frame(&p, bad, SPELL_SRCLINE | SPELL_UTF8, "f\xef\xbf\xbd:a\xef\xbf\xbd.c",
		    "SPELL_UTF8 replaces bytes that are not UTF-8");
	profile_release(&p);
}

static void check_thread(const struct profile *p, thread_id t, unsigned spelling, const char *want,
			 const char *what)
{
	struct strbuf b = { 0 };

	strbuf_addf(&b, "a b;");
	spelling_thread(&b, p, t, spelling);
	is_span(span_upto(strbuf_peek(&b), 4), "a b;", "spelling_thread() keeps the text before");
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
	check_thread(&p, both, 0, "", "without SPELL_THREAD, no thread is spelled");
	check_thread(&p, lines, SPELL_THREAD, "a_b_", "line ends in a thread's name become _");
	check_thread(&p, lines, SPELL_THREAD | SPELL_BLANKS, "a b ",
		     "SPELL_BLANKS makes line ends in a thread's name blanks");
	check_thread(&p, both, SPELL_THREAD, "V8_Work:er",
		     "blanks and separators in a thread's name are replaced");
	check_thread(&p, both, SPELL_THREAD | SPELL_PID, "V8_Work:er-12",
		     "SPELL_PID adds the process to a thread's name");
	check_thread(&p, both, SPELL_THREAD | SPELL_PID | SPELL_TID, "V8_Work:er-12/34",
		     "SPELL_PID and SPELL_TID add process and thread to a thread's name");
	check_thread(&p, both, SPELL_THREAD | SPELL_TID, "V8_Work:er-12/34",
		     "SPELL_TID alone adds process and thread to a thread's name");
	check_thread(&p, both, SPELL_THREAD | SPELL_TID | SPELL_LONE_TID, "V8_Work:er-34",
		     "SPELL_LONE_TID adds the thread without its process");
	check_thread(&p, tid, SPELL_THREAD | SPELL_TID, "x\xff-?/34",
		     "an unknown process is spelled as ?");
	check_thread(&p, tid, SPELL_THREAD | SPELL_UTF8, "x\xef\xbf\xbd",
		     "SPELL_UTF8 replaces bytes of a thread's name that are not UTF-8");
	check_thread(&p, (thread_id){ 0 }, SPELL_THREAD | SPELL_TID, "",
		     "thread 0 is spelled as nothing");
	profile_release(&p);
}

static void test_utf8(void)
{
#define BAD "\xef\xbf\xbd"
	static const struct {
		const char *from, *to, *what;
	} rows[] = {
		{ "", "", "spelling_utf8() keeps an empty text" },
		{ "abc", "abc", "spelling_utf8() keeps ASCII" },
		{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x94\xa5", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x94\xa5",
		  "spelling_utf8() keeps characters of two, three and four bytes" },
		{ "a\xff"
		  "b",
		  "a" BAD "b", "spelling_utf8() replaces a byte that is never in UTF-8" },
		{ "\x80\x80", BAD BAD,
		  "spelling_utf8() replaces continuation bytes without a first byte" },
		{ "\xc0\xaf", BAD BAD,
		  "spelling_utf8() replaces an overlong sequence of two bytes" },
		{ "\xe0\x80\xaf", BAD BAD BAD,
		  "spelling_utf8() replaces an overlong sequence of three bytes" },
		{ "\xf0\x80\x80\xaf", BAD BAD BAD BAD,
		  "spelling_utf8() replaces an overlong sequence of four bytes" },
		{ "\xed\xa0\x80", BAD BAD BAD, "spelling_utf8() replaces a surrogate" },
		{ "\xf4\x90\x80\x80", BAD BAD BAD BAD,
		  "spelling_utf8() replaces a character behind the last one" },
		{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf",
		  "spelling_utf8() keeps the last character" },
		{ "\xc3", BAD, "spelling_utf8() replaces one byte of a truncated character" },
		{ "\xe2\x82", BAD,
		  "spelling_utf8() replaces two bytes of a truncated character by one U+FFFD" },
		{ "\xc3(", BAD "(", "spelling_utf8() keeps the byte after a truncated character" },
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
