#include "dropin/inferno_log.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"

#include <stdio.h>

/* inferno's messages for our notes; for other notes it has none. */
static const struct spoken {
	const char *reader;
	enum note_code code;
	enum inferno_level level;
	const char *text; /* the note's text replaces {}, or follows; NULL: no message */
} spoken[] = {
	{ "perf", NOTE_BAD_EVENT, INFERNO_WARN, "Weird event line: " },
	{ "perf", NOTE_BAD_STACK_LINE, INFERNO_WARN, "Weird stack line: " },

	{ "dtrace", NOTE_NO_HEADER, INFERNO_WARN, "File ended while skipping headers" },
	{ "dtrace", NOTE_CUT_SHORT, INFERNO_FATAL, "Input data ends in the middle of a stack." },

	{ "sample", NOTE_NO_START, INFERNO_WARN, "File ended before start of call graph" },
	{ "sample", NOTE_NO_END, INFERNO_FATAL, "File ended before end of call graph" },
	{ "sample", NOTE_BAD_STACK_LINE, INFERNO_FATAL,
	  "Stack line doesn't start with 4 spaces:\n" },
	{ "sample", NOTE_BAD_INDENT, INFERNO_FATAL,
	  "Odd number of indentation characters for line:\n" },
	{ "sample", NOTE_SKIPPED_INDENT, INFERNO_FATAL, "Skipped indentation level at line:\n" },
	{ "sample", NOTE_NO_FUNCTION, INFERNO_FATAL,
	  "Found stack line with only indent characters:\n" },
	{ "sample", NOTE_BAD_COUNT, INFERNO_FATAL, "Invalid samples field: " },
	{ "sample", NOTE_BAD_LINE, INFERNO_FATAL, "Unable to parse stack line:\n" },

	{ "vtune", NOTE_NO_HEADER, INFERNO_WARN, "File ended before header" },
	{ "vtune", NOTE_SKIPPED_INDENT, INFERNO_FATAL, "Skipped indentation level at line:\n" },
	{ "vtune", NOTE_BAD_LINE, INFERNO_FATAL, "Unable to parse stack line:\n" },
	{ "vtune", NOTE_BAD_COUNT, INFERNO_FATAL, "Invalid `CPU Time:Self` field: " },

	{ "vsprof", NOTE_NO_START, INFERNO_WARN, "File ended before start of call graph" },
	{ "vsprof", NOTE_BAD_HEADER, INFERNO_FATAL,
	  "Expected first line to be header line\n    Level,Function Name,Number of Calls,"
	  "Elapsed Inclusive Time %,Elapsed Exclusive Time %,Avg Elapsed Inclusive Time,"
	  "Avg Elapsed Exclusive Time,Module Name,\nbut instead got\n    " },
	{ "vsprof", NOTE_SKIPPED_INDENT, INFERNO_FATAL, "Skipped level at line:\n" },
	{ "vsprof", NOTE_NO_FUNCTION, INFERNO_FATAL, "Missing function name in line:\n" },
	{ "vsprof", NOTE_BAD_STACK_LINE, INFERNO_FATAL,
	  "Unable to parse function name from line:\n" },
	{ "vsprof", NOTE_BAD_LINE, INFERNO_FATAL, "Unable to parse integer from '{}'" },
	{ "vsprof", NOTE_BAD_COUNT, INFERNO_FATAL, "Unable to parse integer from '{}'" },

	{ "ghcprof", NOTE_NO_START, INFERNO_WARN, "File ended before start of call graph" },
	{ "ghcprof", NOTE_SKIPPED_INDENT, INFERNO_FATAL, "Skipped indentation level at line:\n" },
	{ "ghcprof", NOTE_BAD_HEADER, INFERNO_FATAL,
	  "Expected '{}' column but it was not present" },
	{ "ghcprof", NOTE_BAD_COUNT, INFERNO_FATAL, "Invalid cost field: \"{}\"" },

	{ "xctrace", NOTE_NO_END, INFERNO_FATAL, "Unexpected EOF" },
	{ "xctrace", NOTE_BAD_REF, INFERNO_FATAL, "Invalid " },
	{ "xctrace", NOTE_NO_FUNCTION, INFERNO_FATAL, "No name(symbol) found in attributes" },

	{ "folded", NOTE_BAD_LINE, INFERNO_FATAL, NULL },
	{ "folded", NOTE_BAD_COUNT, INFERNO_FATAL, NULL },
};

static const struct spoken *find_spoken(const struct load_result *r, const struct note *note)
{
	for (size_t i = 0; r->reader && i < ARRAY_SIZE(spoken); i++)
		if (spoken[i].code == note->code && !strcmp(spoken[i].reader, r->reader->name))
			return &spoken[i];
	return NULL;
}

void inferno_print(const struct inferno_log *l, enum inferno_level level, const char *module,
		   const char *what, struct span text)
{
	static const char *const name[] = { "", "ERROR", "WARN ", "INFO " };

	if (l->quiet || (int)level > INFERNO_WARN + l->verbose)
		return;
	message_peer(stderr, "[%s inferno::%s] %s%.*s\n", name[level], module, what, (int)text.size,
		     text.at);
}

void inferno_print_notes(const struct inferno_log *l, const struct load_result *r)
{
	for (size_t i = 0; i < r->p.notes.nr; i++) {
		const struct note *note = &r->p.notes.note[i];
		const struct spoken *s = find_spoken(r, note);
		char module[64];

		if (!s || s->level == INFERNO_FATAL)
			continue;
		snprintf(module, sizeof(module), "collapse::%s%s", s->reader,
			 strcmp(s->reader, "perf") ? "" : "::logging");
		inferno_print(l, s->level, module, s->text, note->text);
	}
}

/* A string as Rust's {:?} prints it. */
static void add_quoted(struct strbuf *out, struct span s)
{
	static const char special[] = "\n\r\t\"\\", letter[] = "nrt\"\\";

	for (size_t i = 0; i < s.size; i++) {
		const char *at = s.at[i] ? strchr(special, s.at[i]) : NULL;

		if (at)
			strbuf_addf(out, "\\%c", letter[at - special]);
		else if ((unsigned char)s.at[i] < ' ' || s.at[i] == 0x7f)
			strbuf_addf(out, "\\u{%x}", s.at[i]);
		else
			strbuf_addch(out, s.at[i]);
	}
}

int inferno_check(const struct load_result *r, struct error *e)
{
	const struct note *first = NULL;
	const struct spoken *why = NULL;
	struct strbuf quoted = { 0 };
	struct span text;
	size_t place;

	for (size_t i = 0; i < r->p.notes.nr; i++) {
		const struct note *note = &r->p.notes.note[i];
		const struct spoken *s = find_spoken(r, note);

		if (s && s->level == INFERNO_FATAL && (!first || note->line < first->line)) {
			first = note;
			why = s;
		}
	}
	if (!first)
		return 0;
	if (!why->text)
		return error_set(e, ERROR_INPUT, "Kind(InvalidData)");
	text = span_of(why->text);
	place = span_find_text(text, "{}");
	add_quoted(&quoted, span_upto(text, place));
	add_quoted(&quoted, first->text);
	add_quoted(&quoted, span_from(text, place + 2));
	error_set(e, ERROR_INPUT, "Custom { kind: InvalidData, error: \"%.*s\" }", (int)quoted.size,
		  quoted.at);
	strbuf_release(&quoted);
	return -1;
}
