/*
 * The output of `sample` on macOS: a call tree drawn with blanks and + ! : |
 * between `Call graph:` and `Total number in stack`.  The number of a row
 * includes its callees.
 */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/spelling.h"
#include "read/readers.h"
#include "read/text/names.h"
#include "read/text/outline.h"

#define MARGIN "    "

struct sample {
	struct build *b;
	struct outline rows;
	struct strbuf name, rust, words;
};

/* A thread with such a leaf waits, and is not counted: waiting threads would hide the running ones. */
static const char *const waits[] = {
	"__psynch_cvwait",    "__select", "__semwait_signal", "__ulock_wait", "__wait4",
	"__workq_kernreturn", "kevent",	  "mach_msg_trap",    "read",	      "semaphore_wait_trap",
};

static bool is_wait(struct span module, struct span name)
{
	if (module.size && !span_is(module, "libsystem_kernel"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(waits); i++)
		if (span_is(name, waits[i]))
			return true;
	return false;
}

/*
 * Removes "(in libfoo.dylib) + 12  [0x7fff]".  A module may contain
 * parentheses: (in App Helper (Renderer)).
 */
static struct span cut_module(struct span *s)
{
	static const char mark[] = "(in ";
	size_t at = span_rfind_text(*s, mark), depth = 0, size = 0;
	struct span module = span_from(*s, at + sizeof(mark) - 1);

	while (size < module.size && (module.at[size] != ')' || depth)) {
		depth += module.at[size] == '(';
		depth -= module.at[size] == ')';
		size++;
	}
	*s = span_trim(span_upto(*s, at));
	module = span_upto(module, size);
	if (span_ends(module, ".dylib"))
		module.size -= sizeof(".dylib") - 1;
	return module;
}

/* `start`, and `-[NSThing.doIt]` for `-[NSThing doIt]`. */
static struct span two_words(struct sample *s, struct span text)
{
	struct span first = span_word(&text), second = span_word(&text);

	strbuf_reset(&s->words);
	strbuf_add(&s->words, first);
	if (second.size) {
		strbuf_addch(&s->words, '.');
		strbuf_add(&s->words, second);
	}
	return strbuf_peek(&s->words);
}

static struct span tidy_name(struct sample *s, struct span text)
{
	const struct read_opts *o = s->b->o;

	if (o->rows.two_words)
		return name_tidy(two_words(s, text), TIDY_NONE, &s->name);
	text = span_trim(name_tidy(text, o->tidy, &s->name));
	if (!o->mangled_rust)
		text = name_rust(text, &s->rust);
	/* After decoding escapes, the name may contain a semicolon. */
	return name_tidy(text, TIDY_NONE, &s->words);
}

static int add_row(struct sample *s, size_t level, struct span text, int64_t weight,
		   struct error *e)
{
	/* The roots are threads. */
	enum frame_kind kind = level ? FRAME_USER : FRAME_LABEL;
	struct span module = cut_module(&text), name = tidy_name(s, text);
	frame_id frame = build_frame(s->b, kind, module, name);

	s->rows.idle = is_wait(module, name);
	return outline_add(&s->rows, level, frame, weight, e);
}

/* "    +   ! 4282 main  (in app) + 12  [0x7fff]": two characters a level. */
static int row_line(struct sample *s, struct span line, struct error *e)
{
	size_t indent = sizeof(MARGIN) - 1;
	struct span rest, number;
	uint64_t weight;

	while (indent < line.size && strchr(" +|:!", line.at[indent]) && line.at[indent])
		indent++;
	rest = span_from(line, indent);
	if (!rest.size)
		return build_note(s->b, NOTE_NO_FUNCTION, line, e);
	indent -= sizeof(MARGIN) - 1;
	if (indent % 2 && build_note(s->b, NOTE_BAD_INDENT, line, e))
		return -1;
	number = span_word(&rest);
	if (!span_trim(rest).size)
		return build_note(s->b, NOTE_BAD_LINE, line, e);
	if (!span_u64(number, &weight) || weight > INT64_MAX)
		return build_note(s->b, NOTE_BAD_COUNT, number, e);
	s->rows.line = line;
	return add_row(s, (indent + 1) / 2, rest, (int64_t)weight, e);
}

static int read_rows(struct sample *s, struct error *e)
{
	bool in_graph = false, any_graph = false;
	struct span line;
	int ret = 0;

	while (!ret && text_line(s->b->text, &line)) {
		if (span_starts(line, "Call graph")) {
			in_graph = any_graph = true;
		} else if (in_graph && span_starts(line, "Total number")) {
			in_graph = false;
			ret = outline_end(&s->rows, e);
		} else if (in_graph) {
			line = span_trim_end(line);
			if (span_starts(line, MARGIN))
				ret = row_line(s, line, e);
			else if (line.size)
				ret = build_note(s->b, NOTE_BAD_STACK_LINE, line, e);
		}
	}
	if (!ret && !any_graph)
		ret = build_note(s->b, NOTE_NO_START, SPAN(""), e);
	if (!ret && in_graph)
		ret = build_note(s->b, NOTE_NO_END, SPAN(""), e);
	return ret ? ret : outline_end(&s->rows, e);
}

static int sample_read(struct build *b, struct error *e)
{
	struct sample s = { .b = b,
			    .rows = { .b = b,
				      .weight = OUTLINE_TOTAL,
				      .keep_zero = b->o->keep_zero,
				      .last_counts = b->o->rows.last_counts,
				      .samples = true } };
	int ret;

	b->event = profile_event(b->p, SPAN("samples"), SPAN("samples"));
	ret = read_rows(&s, e);
	outline_release(&s.rows);
	strbuf_release(&s.name);
	strbuf_release(&s.rust);
	strbuf_release(&s.words);
	return ret;
}

/* The line that begins the tree, and a row below it. */
static bool sample_accepts(struct span head)
{
	bool in_graph = false;

	while (head.size) {
		size_t n = span_find(head, '\n');
		struct span line = span_trim_end(span_upto(head, n));

		head = span_from(head, n + 1);
		if (in_graph && line.size)
			return span_starts(line, MARGIN) && is_digit(span_trim(line).at[0]);
		in_graph |= span_starts(line, "Call graph:");
	}
	return false;
}

const struct reader reader_sample = {
	.name = "sample",
	.title = "macOS sample",
	.accepts = sample_accepts,
	.read = sample_read,
	.split = SPLIT_LINE,
	.spelling = SPELL_MODULE,
};
