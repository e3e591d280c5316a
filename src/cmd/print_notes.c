#include "cmd/print_notes.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "render/number.h"

#include <signal.h>
#include <string.h>

/* The subject of a note; advice begins with an amount and a colon, which are skipped. */
static struct span subject(const struct note *n)
{
	return n->code == NOTE_ADVICE ? span_from(n->text, span_find(n->text, ':')) : n->text;
}

/* Is it the first note like this?  Two inputs may cause the same one. */
static bool is_first(const struct notes *notes, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (notes->note[k].code == notes->note[i].code &&
		    span_eq(subject(&notes->note[k]), subject(&notes->note[i])))
			return false;
	return true;
}

void print_events_left_out(const struct profile *p, const char *command)
{
	struct strbuf names = { 0 };
	size_t nr = 0;

	for (size_t i = 0; i < p->notes.nr; i++) {
		const struct note *n = &p->notes.note[i];

		if (n->code == NOTE_FILTERED && is_first(&p->notes, i))
			strbuf_addf(&names, "%s%.*s", nr++ ? ", " : "", (int)n->text.size,
				    n->text.at);
	}
	if (nr == 1)
		message("other events are not shown: use %s--event %s, or --event all to add them up",
			command, names.at);
	else if (nr)
		message("other events are not shown: %s; use %s--event NAME, or --event all to add them up",
			names.at, command);
	strbuf_release(&names);
}

static void print_summed(const struct profile *p)
{
	for (size_t i = 0; i < p->notes.nr; i++) {
		const struct note *n = &p->notes.note[i];

		if (n->code == NOTE_SUMMED)
			message("events are added up %.*s", (int)n->text.size, n->text.at);
	}
}

/* Advice is printed as it is, and not counted. */
static void print_advice(const struct profile *p)
{
	for (size_t i = 0; i < p->notes.nr; i++) {
		const struct note *n = &p->notes.note[i];

		if (n->code == NOTE_ADVICE && is_first(&p->notes, i))
			message("%.*s", (int)n->text.size, n->text.at);
	}
}

/* Does the note have its own message? */
static bool is_apart(enum note_code code)
{
	return code == NOTE_FILTERED || code == NOTE_SUMMED || code == NOTE_ADVICE;
}

/* Is the note listed individually?  Without a line and a text, its count says everything. */
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

/* "3 lines that are not events", a comma before it unless it is the first. */
static void add_one(struct strbuf *text, const struct profile *p, enum note_code code)
{
	uint64_t count = p->notes.count[code];

	if (!count)
		return;
	strbuf_addf(text, "%s", text->size ? ", " : "");
	number_add_count(text, (double)count, span_of(""));
	strbuf_addf(text, " %s", note_what(code, count));
}

void add_notes_sum(struct strbuf *text, const struct profile *p, enum note_detail how)
{
	struct strbuf sum = { 0 };

	for (int code = 0; code < NR_NOTE_CODES; code++)
		if (!is_apart((enum note_code)code))
			add_one(&sum, p, (enum note_code)code);
	strbuf_add(text, strbuf_peek(&sum));
	if (sum.size && how == NOTES_SUMMED && has_listed(p))
		strbuf_add(text, SPAN(" (-v lists them)"));
	strbuf_release(&sum);
}

void print_each_note(const struct profile *p, enum note_detail how)
{
	if (how == NOTES_EACH)
		list_notes(p);
}

const char *hint_of_notes(const struct profile *p)
{
	return p->notes.count[NOTE_STACK_TRUNCATED]
		       ? "to avoid truncated stacks, record larger stack copies: --call-graph dwarf,65528"
		       : NULL;
}

void print_separate_notes(const struct profile *p)
{
	print_advice(p);
	print_summed(p);
}

/* Prints the first advice, which is the most important one (symbol/advice.c). */
static void print_first_advice(const struct profile *p)
{
	const struct note *first = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < p->notes.nr; i++)
		if (p->notes.note[i].code == NOTE_ADVICE && is_first(&p->notes, i)) {
			first = first ? first : &p->notes.note[i];
			nr++;
		}
	if (nr > 1)
		message("%.*s (-v: %zu more)", (int)first->text.size, first->text.at, nr - 1);
	else if (first)
		message("%.*s", (int)first->text.size, first->text.at);
}

static void print_all(const struct profile *p, enum note_detail how, bool below)
{
	struct strbuf sum = { 0 };

	if (how == NOTES_HIDDEN)
		return;
	print_each_note(p, how);
	add_notes_sum(&sum, p, how);
	if (sum.size)
		message("%s", sum.at);
	strbuf_release(&sum);
	if (hint_of_notes(p))
		message("%s", hint_of_notes(p));
	if (below && how != NOTES_EACH)
		print_first_advice(p);
	else
		print_advice(p);
	print_summed(p);
	print_events_left_out(p, "");
}

void print_notes(const struct profile *p, enum note_detail how)
{
	print_all(p, how, false);
}

void print_notes_below(const struct profile *p, enum note_detail how)
{
	print_all(p, how, true);
}

void print_losses(const struct profile *p)
{
	static const enum note_code losses[] = { NOTE_LINE_TOO_LONG, NOTE_TOO_DEEP,
						 NOTE_NAME_TOO_LONG, NOTE_COUNT_TOO_LARGE,
						 NOTE_LOST };
	struct strbuf text = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++)
		add_one(&text, p, losses[i]);
	if (text.size)
		message("%s", text.at);
	strbuf_release(&text);
}

void print_signal(const char *command, int number)
{
	/* Users know that they pressed Ctrl-C or closed the pipe. */
	if (number && number != SIGINT && number != SIGPIPE)
		message("%s was killed by signal %d (%s)", command, number, strsignal(number));
}

void print_lost(const char *path, enum format format, const struct profile *p)
{
	struct strbuf lost = { 0 };

	/* Folded stacks are expected to hold stacks and counts only. */
	if (format != FORMAT_FOLDED && format_loses(format, p, &lost))
		message("%s: %s cannot hold %s", strcmp(path, "-") != 0 ? path : "standard output",
			format_writer(format)->name, lost.at);
	strbuf_release(&lost);
}
