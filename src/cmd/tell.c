#include "cmd/tell.h"

#include "cli/messages.h"

#include <stdio.h>

static void tell_filtered(const struct profile *p)
{
	for (size_t i = 0; i < p->notes.nr; i++) {
		const struct note *n = &p->notes.note[i];

		if (n->code == NOTE_FILTERED)
			message("other events are left out; --event %.*s shows them, --event all sums all",
				(int)n->text.size, n->text.at);
	}
}

static void list_notes(const struct profile *p)
{
	for (size_t i = 0; i < p->notes.nr; i++) {
		const struct note *n = &p->notes.note[i];

		if (n->code == NOTE_FILTERED)
			continue;
		fputs("wick: ", stderr);
		if (n->line)
			fprintf(stderr, "line %llu: ", (unsigned long long)n->line);
		fputs(note_what(n->code, 1), stderr);
		if (n->text.size)
			fprintf(stderr, ": %.*s", (int)n->text.size, n->text.at);
		fputc('\n', stderr);
	}
}

void tell_notes(const struct profile *p, enum tell how)
{
	bool first = true;

	if (how == TELL_NOTHING)
		return;
	if (how == TELL_EACH)
		list_notes(p);
	for (int code = 0; code < NR_NOTE_CODES; code++) {
		if (!p->notes.count[code] || code == NOTE_FILTERED)
			continue;
		fprintf(stderr, "%s%llu %s", first ? "wick: " : ", ",
			(unsigned long long)p->notes.count[code],
			note_what((enum note_code)code, p->notes.count[code]));
		first = false;
	}
	if (!first)
		fputs(how == TELL_EACH ? "\n" : " (-v lists them)\n", stderr);
	tell_filtered(p);
}
