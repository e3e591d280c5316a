/*
 * Codes are written with their names and texts, so that a version of wick that does not know a code
 * can still show the note.
 */
#include "pack/note_rows.h"

#include "base/alloc.h"
#include "pack/section.h"

#include <stdlib.h>

/* Omits notes about filtered and summed events of a picture: a pack has all events separately. */
static bool is_written(const struct notes *n, int code)
{
	return code != NOTE_FILTERED && code != NOTE_SUMMED && (n->count[code] || n->kept[code]);
}

static void write_note_texts(const struct notes *n, const unsigned *place, struct strbuf *out)
{
	struct strbuf line = { 0 }, size = { 0 }, text = { 0 };

	bytes_add_varint(out, n->nr - n->kept[NOTE_FILTERED] - n->kept[NOTE_SUMMED]);
	for (size_t i = 0; i < n->nr; i++) {
		const struct note *note = &n->note[i];

		if (!is_written(n, (int)note->code))
			continue;
		bytes_add_varint(out, place[note->code]);
		bytes_add_varint(&line, note->line);
		bytes_add_varint(&size, note->text.size);
		strbuf_add(&text, note->text);
	}
	strbuf_add(out, strbuf_peek(&line));
	strbuf_add(out, strbuf_peek(&size));
	strbuf_add(out, strbuf_peek(&text));
	strbuf_release(&line);
	strbuf_release(&size);
	strbuf_release(&text);
}

void note_rows_write(const struct notes *n, struct strbuf *out)
{
	unsigned place[NR_NOTE_CODES] = { 0 }, nr = 0;

	for (int code = 0; code < NR_NOTE_CODES; code++)
		if (is_written(n, code))
			place[code] = nr++;
	if (!nr)
		return;
	bytes_add_varint(out, nr);
	for (int i = 0; i < NR_NOTE_CODES; i++) {
		enum note_code code = (enum note_code)i;

		if (!is_written(n, i))
			continue;
		bytes_add_text(out, span_of(note_name(code)));
		bytes_add_varint(out, n->count[code]);
		bytes_add_text(out, span_of(note_what(code, n->count[code])));
	}
	write_note_texts(n, place, out);
}

/* The code with that name; false: unknown, as from a newer version of wick. */
static bool find_code(struct span name, enum note_code *code)
{
	for (int i = 0; i < NR_NOTE_CODES; i++)
		if (span_is(name, note_name((enum note_code)i))) {
			*code = (enum note_code)i;
			return true;
		}
	return false;
}

int note_rows_read(struct notes *notes, struct bytes *b, struct error *e)
{
	size_t nr_code = bytes_count(b), nr;
	enum note_code *codes = xcalloc(nr_code, sizeof(*codes));
	struct bytes code, line, size;

	for (size_t i = 0; i < nr_code; i++) {
		struct span name = bytes_text(b), what;
		uint64_t count = bytes_varint(b);

		what = bytes_text(b);
		codes[i] = NOTE_FOREIGN;
		if (b->failed)
			break;
		if (find_code(name, &codes[i]))
			notes->count[codes[i]] += count;
		else
			notes_add(notes, NOTE_FOREIGN, count, 0, what);
	}
	nr = bytes_count(b);
	code = bytes_column(b, nr);
	line = bytes_column(b, nr);
	size = bytes_column(b, nr);
	for (size_t i = 0; i < nr && !b->failed; i++) {
		size_t which = (size_t)bytes_varint(&code);
		uint64_t where = bytes_varint(&line);
		struct span text = bytes_take(b, bytes_varint(&size));

		if (code.failed || line.failed || size.failed || which >= nr_code)
			bytes_fail(b);
		else if (!b->failed)
			notes_add(notes, codes[which], 0, where, text);
	}
	free(codes);
	return b->failed ? section_cut_short(e) : 0;
}
