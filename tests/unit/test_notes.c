#include "profile/notes.h"

#include "base/strbuf.h"
#include "span_tap.h"

/* How many notes of a code were kept whole. */
static size_t kept(const struct notes *n, enum note_code code)
{
	size_t nr = 0;

	for (size_t i = 0; i < n->nr; i++)
		nr += n->note[i].code == code;
	return nr;
}

static void test_words(void)
{
	bool all = true;

	for (int code = 0; code < NR_NOTE_CODES; code++)
		all &= note_what((enum note_code)code, 1)[0] &&
		       strcmp(note_what((enum note_code)code, 1),
			      note_what((enum note_code)code, 2)) != 0;
	ok(all, "every note code has a singular and another plural");
}

static void test_bounds(void)
{
	struct notes n = { 0 };
	struct strbuf text = { 0 };

	for (size_t i = 0; i < 5000; i++)
		notes_add(&n, NOTE_BAD_LINE, 1, i + 1, SPAN("x"));
	is_int(n.count[NOTE_BAD_LINE], 5000, "every note is counted");
	is_int(kept(&n, NOTE_BAD_LINE), NOTES_KEPT, "notes of one code are kept up to NOTES_KEPT");
	is_int(n.note[0].line, 1, "the first note is kept");
	is_int(n.note[NOTES_KEPT - 1].line, NOTES_KEPT,
	       "the last kept note is the one with the number NOTES_KEPT");
	notes_add(&n, NOTE_BAD_COUNT, 1, 7, SPAN("y"));
	is_int(kept(&n, NOTE_BAD_COUNT), 1,
	       "a note of another code is kept after NOTES_KEPT of the first");

	while (text.size < 1000)
		strbuf_addch(&text, 'z');
	notes_add(&n, NOTE_BAD_EVENT, 1, 8, strbuf_peek(&text));
	is_int(n.note[n.nr - 1].text.size, NOTE_TEXT_MAX, "a note truncates a long text");
	strbuf_reset(&text);
	strbuf_add(&text, SPAN("short"));
	notes_add(&n, NOTE_BAD_EVENT, 1, 9, strbuf_peek(&text));
	memset(text.at, '?', text.size);
	is_span(n.note[n.nr - 1].text, "short", "a note has a copy of its text");
	notes_release(&n);
	strbuf_release(&text);
	ok(!n.nr && !n.count[NOTE_BAD_LINE], "notes_release leaves no notes and no counts");
}

/* One note may stand for many things; it is still one note. */
static void test_large_counts(void)
{
	struct notes n = { 0 };

	notes_add(&n, NOTE_FILTERED, 5000, 0, SPAN("instructions"));
	notes_add(&n, NOTE_FILTERED, 3, 0, SPAN("branches"));
	is_int(n.count[NOTE_FILTERED], 5003, "a note counts for as many things as it stands for");
	is_int(kept(&n, NOTE_FILTERED), 2, "a note that stands for many things is kept as one");
	notes_release(&n);
}

static void test_merge(void)
{
	struct notes a = { 0 }, b = { 0 };

	for (size_t i = 0; i < 60; i++)
		notes_add(&a, NOTE_BAD_LINE, 1, i, SPAN("a"));
	for (size_t i = 0; i < 200; i++)
		notes_add(&b, NOTE_BAD_LINE, 1, 1000 + i, SPAN("b"));
	notes_add(&b, NOTE_LOST, 70, 12, SPAN(""));
	notes_add(&b, NOTE_LOST, 80, 13, SPAN("ring 1"));
	notes_merge(&a, &b);
	is_int(a.count[NOTE_BAD_LINE], 260, "notes_merge adds up counts");
	is_int(a.count[NOTE_LOST], 150,
	       "notes_merge adds up the counts of notes that stand for many things");
	is_int(kept(&a, NOTE_BAD_LINE), NOTES_KEPT,
	       "notes_merge keeps at most NOTES_KEPT notes of a code");
	is_int(kept(&a, NOTE_LOST), 2,
	       "notes_merge keeps notes of a code that only the source has");
	notes_release(&b);
	is_span(a.note[a.nr - 1].text, "ring 1",
		"a merged note has its text after its source is released");
	notes_merge(&a, &b);
	is_int(a.count[NOTE_BAD_LINE], 260, "notes_merge of empty notes changes no count");
	notes_release(&a);
}

int main(void)
{
	test_words();
	test_bounds();
	test_large_counts();
	test_merge();
	return done();
}
