#include "cmd/tell.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"

#include <stdio.h>

static void tell_filtered(const struct profile *p)
{
	for (size_t i = 0; i < p->notes.nr; i++) {
		const struct note *n = &p->notes.note[i];

		if (n->code == NOTE_FILTERED)
			message("other events are not shown; --event %.*s shows them, --event all adds up all",
				(int)n->text.size, n->text.at);
	}
}

static void tell_summed(const struct profile *p)
{
	for (size_t i = 0; i < p->notes.nr; i++) {
		const struct note *n = &p->notes.note[i];

		if (n->code == NOTE_SUMMED)
			message("events are added up %.*s", (int)n->text.size, n->text.at);
	}
}

/* What helps is told as it is, and not counted. */
static void tell_advice(const struct profile *p)
{
	for (size_t i = 0; i < p->notes.nr; i++) {
		const struct note *n = &p->notes.note[i];

		if (n->code == NOTE_ADVICE)
			message("%.*s", (int)n->text.size, n->text.at);
	}
}

/* Notes that are told in a way of their own. */
static bool is_apart(enum note_code code)
{
	return code == NOTE_FILTERED || code == NOTE_SUMMED || code == NOTE_ADVICE;
}

/* Where there is no place to tell, how many there are says it all. */
static bool is_listed(const struct note *n)
{
	return !is_apart(n->code) && (n->line || n->text.size);
}

static bool has_listed(const struct profile *p)
{
	for (size_t i = 0; i < p->notes.nr; i++)
		if (is_listed(&p->notes.note[i]))
			return true;
	return false;
}

static void list_notes(const struct profile *p)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; i < p->notes.nr; i++) {
		const struct note *n = &p->notes.note[i];

		if (!is_listed(n))
			continue;
		strbuf_reset(&text);
		if (n->input)
			strbuf_addf(&text, "%s: ", n->input);
		if (n->line)
			strbuf_addf(&text, "line %llu: ", (unsigned long long)n->line);
		strbuf_add(&text, span_of(note_what(n->code, 1)));
		if (n->text.size)
			strbuf_addf(&text, ": %.*s", (int)n->text.size, n->text.at);
		message("%s", text.at);
	}
	strbuf_release(&text);
}

/* "3 lines that are no event", a comma before it unless it is the first. */
static void tell_one(const struct profile *p, enum note_code code, bool *first)
{
	uint64_t count = p->notes.count[code];

	if (!count)
		return;
	fprintf(stderr, "%s%llu %s", *first ? "wick: " : ", ", (unsigned long long)count,
		note_what(code, count));
	*first = false;
}

/* What is done about it the next time. */
static void tell_help(const struct profile *p)
{
	if (p->notes.count[NOTE_STACK_CUT])
		message("longer copies of stacks reach further: record with --call-graph dwarf,65528");
}

void tell_notes(const struct profile *p, enum tell how)
{
	bool first = true;

	if (how == TELL_NOTHING)
		return;
	if (how == TELL_EACH)
		list_notes(p);
	for (int code = 0; code < NR_NOTE_CODES; code++)
		if (!is_apart((enum note_code)code))
			tell_one(p, (enum note_code)code, &first);
	if (!first)
		fputs(how == TELL_SUM && has_listed(p) ? " (-v lists them)\n" : "\n", stderr);
	tell_help(p);
	tell_advice(p);
	tell_summed(p);
	tell_filtered(p);
}

void tell_losses(const struct profile *p)
{
	static const enum note_code losses[] = { NOTE_LINE_TOO_LONG, NOTE_TOO_DEEP,
						 NOTE_NAME_TOO_LONG, NOTE_COUNT_TOO_LARGE,
						 NOTE_LOST };
	bool first = true;

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++)
		tell_one(p, losses[i], &first);
	if (!first)
		fputc('\n', stderr);
}
