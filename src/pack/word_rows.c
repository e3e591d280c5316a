#include "pack/word_rows.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "profile/spelling.h"

#include <stdlib.h>

struct words {
	const struct profile *p;
	const struct orders *o;
	struct strbuf which, sizes, bytes; /* columns */
	struct strbuf word;		   /* the word spelled last */
};

/* Where a word is: in this section, the frame's function name, or a string; see docs/pack.md. */
enum { WORD_TEXT, WORD_FUNCTION, WORD_STRING };

/* Adds s->word, which usually is the name of the function. */
static void add_word(struct words *s, uint32_t function)
{
	struct span word = strbuf_peek(&s->word);
	uint32_t have = function;

	/* Comparing with the expected name before a lookup saves 80 ns. */
	if (function == INTERN_NONE || !span_eq(word, profile_peek(s->p, (str_id){ function })))
		have = intern_find(&s->p->strings, word, intern_hash(word));
	if (have != INTERN_NONE && have == function) {
		bytes_add_varint(&s->which, WORD_FUNCTION);
	} else if (have != INTERN_NONE && (!have || s->o->strings.number[have])) {
		bytes_add_varint(&s->which, WORD_STRING + s->o->strings.number[have]);
	} else {
		/* Also for a string that no row refers to: those are not written. */
		bytes_add_varint(&s->which, WORD_TEXT);
		bytes_add_varint(&s->sizes, word.size);
		strbuf_add(&s->bytes, word);
	}
	strbuf_reset(&s->word);
}

/*
 * By frame: is its only word the name of its function?  Frames and names are visited in the order
 * of memory; in the order of the pack, each would be a cache miss.
 */
static bool *find_plain(struct words *s, unsigned spelling)
{
	const struct profile *p = s->p;
	bool *plain = xcalloc(p->nr_frame, sizeof(*plain));

	for (uint32_t f = 0; f < p->nr_frame; f++) {
		if (p->frame[f].nr_line != 1)
			continue;
		spelling_frame(&s->word, p, (frame_id){ f }, 0, spelling);
		plain[f] = span_eq(strbuf_peek(&s->word),
				   profile_peek(p, p->frame[f].line[0].function));
		strbuf_reset(&s->word);
	}
	return plain;
}

static void add_frame_words(struct words *s, struct strbuf *out, unsigned spelling)
{
	const struct order *o = &s->o->frames;
	const struct profile *p = s->p;
	bool *plain = find_plain(s, spelling);

	bytes_add_varint(out, o->nr);
	for (size_t i = 0; i < o->nr; i++) {
		frame_id f = { o->row[i] };
		const struct frame *frame = &p->frame[f.i];
		size_t nr = plain[f.i] || !frame->nr_line ? 1 : frame->nr_line;

		bytes_add_varint(out, nr);
		if (plain[f.i]) {
			bytes_add_varint(&s->which, WORD_FUNCTION);
			continue;
		}
		for (size_t line = nr; line-- > 0;) {
			spelling_frame(&s->word, p, f, line, spelling);
			add_word(s, frame->nr_line ? frame->line[line].function.i : INTERN_NONE);
		}
	}
	free(plain);
}

static void add_thread_words(struct words *s, struct strbuf *out, unsigned spelling)
{
	const struct order *o = &s->o->threads;

	bytes_add_varint(out, o->nr);
	for (size_t i = 0; i < o->nr; i++) {
		spelling_thread(&s->word, s->p, (thread_id){ o->row[i] }, spelling);
		bytes_add_varint(out, s->word.size != 0);
		if (s->word.size)
			add_word(s, INTERN_NONE);
	}
}

void word_rows_write(const struct profile *p, const struct orders *o, const struct pack_view *view,
		     struct strbuf *out)
{
	unsigned spelling = view->spelling & ~(unsigned)SPELL_MARKS;
	struct words s = { .p = p, .o = o };

	add_frame_words(&s, out, spelling);
	add_thread_words(&s, out, spelling);
	strbuf_add(out, strbuf_peek(&s.which));
	strbuf_add(out, strbuf_peek(&s.sizes));
	strbuf_add(out, strbuf_peek(&s.bytes));
	strbuf_release(&s.which);
	strbuf_release(&s.sizes);
	strbuf_release(&s.bytes);
	strbuf_release(&s.word);
}

/* The color of a frame's line, by the word that is shown for it. */
static uint32_t color_of(const struct profile *p, const struct pack_view *view, frame_id f,
			 size_t line, struct strbuf *word)
{
	unsigned spelling = view->spelling | SPELL_MARKS;

	if (spelling_is_function(p, f, line, spelling))
		return view->color(view->color_arg,
				   profile_peek(p, p->frame[f.i].line[line].function), &f, line);
	strbuf_reset(word);
	spelling_frame(word, p, f, line, spelling);
	return view->color(view->color_arg, strbuf_peek(word), &f, line);
}

/* By frame, if it has one line: its color.  Visited in the order of memory, as in find_plain(). */
static uint32_t *find_colors(const struct profile *p, const struct pack_view *view,
			     struct strbuf *word)
{
	uint32_t *color = xcalloc(p->nr_frame, sizeof(*color));

	for (uint32_t f = 0; f < p->nr_frame; f++)
		if (p->frame[f].nr_line == 1)
			color[f] = color_of(p, view, (frame_id){ f }, 0, word);
	return color;
}

void word_rows_write_colors(const struct profile *p, const struct orders *o,
			    const struct pack_view *view, struct section *section)
{
	const struct order *frames = &o->frames, *threads = &o->threads;
	struct strbuf word = { 0 }, *out = &section->body;
	uint32_t *color = find_colors(p, view, &word);

	for (size_t i = 0; i < frames->nr; i++) {
		frame_id f = { frames->row[i] };
		size_t nr = p->frame[f.i].nr_line;

		if (nr == 1)
			bytes_add_varint(out, color[f.i]);
		else
			for (size_t line = nr ? nr : 1; line-- > 0;)
				bytes_add_varint(out, color_of(p, view, f, line, &word));
		section_cut_even(section);
	}
	for (size_t i = 0; i < threads->nr; i++) {
		strbuf_reset(&word);
		spelling_thread(&word, p, (thread_id){ threads->row[i] },
				view->spelling | SPELL_MARKS);
		if (word.size)
			bytes_add_varint(out,
					 view->color(view->color_arg, strbuf_peek(&word), NULL, 0));
	}
	free(color);
	strbuf_release(&word);
}
