/*
 * A cache from lines of text to frames: lines repeat, and each is parsed once.
 *
 * It also predicts the next line: a function is usually called from one place, so its line is
 * usually followed by the same line as the last time.  Checking that costs one comparison, and
 * neither a search for the end of the line nor a hash.
 *
 * Bounded like struct memo: when it is full, it is cleared.
 */
#ifndef WICK_READ_PERF_SCRIPT_FRAME_MEMO_H
#define WICK_READ_PERF_SCRIPT_FRAME_MEMO_H

#include "base/intern.h"
#include "read/perf_script/frame_runs.h"

struct frame_memo_row {
	struct span line; /* the text, if it is a whole line; else a span that no text matches */
	uint32_t value;	  /* its frames: see frame_runs.h */
	uint32_t next;	  /* the row that followed the last time */
};

struct frame_memo {
	struct intern texts;
	struct frame_memo_row *row; /* by number of the text */
	struct frame_runs runs;
	size_t cap;
	uint32_t last; /* the row used last */
};

static inline void frame_memo_use(struct frame_memo *m, uint32_t row, struct build *b)
{
	m->last = row;
	frame_runs_push(&m->runs, m->row[row].value, b);
}

/* Pushes the frames of a text; false if it is not cached. */
static inline bool frame_memo_push(struct frame_memo *m, struct span text, uint64_t hash,
				   struct build *b)
{
	uint32_t row = intern_find(&m->texts, text, hash);

	if (row == INTERN_NONE)
		return false;
	m->row[m->last].next = row;
	frame_memo_use(m, row, b);
	return true;
}

/*
 * If the input continues with the predicted line, consumes it (with its end) and pushes its frames.
 */
static inline bool frame_memo_push_next(struct frame_memo *m, struct text *t, struct build *b)
{
	uint32_t next;

	if (!m->texts.nr)
		return false;
	next = m->row[m->last].next;
	if (!text_take(t, m->row[next].line))
		return false;
	frame_memo_use(m, next, b);
	return true;
}

/* Caches the text's frames: those pushed since b->nr was `from`. */
void frame_memo_keep(struct frame_memo *m, struct span text, uint64_t hash, const struct build *b,
		     size_t from);
void frame_memo_release(struct frame_memo *m);

#endif
