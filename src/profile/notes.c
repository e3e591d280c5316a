#include "profile/notes.h"

#include "base/alloc.h"

#include <stdlib.h>

const char *note_what(enum note_code code, uint64_t count)
{
	static const char *const what[][2] = {
#define X(code, one, many) [code] = { one, many },
		NOTE_CODES(X)
#undef X
	};

	return what[code][count != 1];
}

const char *note_name(enum note_code code)
{
	static const char *const name[] = {
#define X(code, one, many) [code] = #code,
		NOTE_CODES(X)
#undef X
	};

	return name[code] + sizeof("NOTE_") - 1;
}

void notes_add(struct notes *n, enum note_code code, uint64_t count, uint64_t line,
	       struct span text)
{
	struct span kept = span_upto(text, NOTE_TEXT_MAX);

	n->count[code] += count;
	/* The limit is on the notes stored, not on what they count. */
	if (n->kept[code] == NOTES_KEPT)
		return;
	n->kept[code]++;
	GROW(n->note, n->nr, n->cap);
	kept.at = xmemdup(kept.at, kept.size);
	n->note[n->nr++] = (struct note){ .code = code, .line = line, .text = kept };
}

void notes_name_input(struct notes *n, size_t begin, const char *input)
{
	for (size_t i = begin; i < n->nr; i++)
		n->note[i].input = input;
}

void notes_forget(struct notes *n, enum note_code code)
{
	size_t nr = 0;

	for (size_t i = 0; i < n->nr; i++)
		if (n->note[i].code == code)
			free((void *)(uintptr_t)n->note[i].text.at);
		else
			n->note[nr++] = n->note[i];
	n->nr = nr;
	n->count[code] = 0;
	n->kept[code] = 0;
}

void notes_merge(struct notes *into, const struct notes *from)
{
	for (size_t i = 0; i < from->nr; i++) {
		const struct note *note = &from->note[i];
		size_t begin = into->nr;

		notes_add(into, note->code, 0, note->line, note->text);
		notes_name_input(into, begin, note->input);
	}
	for (int code = 0; code < NR_NOTE_CODES; code++)
		into->count[code] += from->count[code];
}

void notes_release(struct notes *n)
{
	for (size_t i = 0; i < n->nr; i++)
		free((void *)(uintptr_t)n->note[i].text.at);
	free(n->note);
	*n = (struct notes){ 0 };
}
