/*
 * Lines repeat: what frames a piece of text stands for is worked out once.
 *
 * Lines also follow each other: a function is mostly called from one place,
 * so below its line stands the line that stood there the last time.  Whole
 * lines that are remembered can be guessed that way, which costs a comparison
 * and neither a search for the end of the line nor a hash.
 *
 * Bounded like struct memo: when it is full, it forgets everything.
 */
#ifndef WICK_READ_FRAME_MEMO_H
#define WICK_READ_FRAME_MEMO_H

#include "base/intern.h"
#include "read/frame_runs.h"

struct frame_memo_row {
	struct span line; /* the text, if it is a whole line */
	uint32_t value;	  /* what it stands for: see frame_runs.h */
	uint32_t next;	  /* what followed the last time */
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

/* Pushes the frames that the text stands for; false when that is not known. */
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

/* Takes the next line if it is the expected one, end and all, and pushes its frames. */
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

/* Remembers that the text stands for the frames that were pushed since there were `from`. */
void frame_memo_keep(struct frame_memo *m, struct span text, uint64_t hash, const struct build *b,
		     size_t from);
void frame_memo_release(struct frame_memo *m);

#endif
