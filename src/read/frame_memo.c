#include "read/frame_memo.h"

#include "base/alloc.h"
#include "read/memo.h"

#include <stdlib.h>

static void add_number(struct frame_memo *m, uint32_t number)
{
	GROW(m->several, m->nr_several, m->cap_several);
	m->several[m->nr_several++] = number;
}

void frame_memo_keep(struct frame_memo *m, struct span text, uint64_t hash, const struct build *b,
		     size_t from)
{
	struct frame_memo_row row = { 0 };
	size_t nr;
	uint32_t i;

	/* The stack is far too deep, and some of its frames were dropped. */
	if (b->nr < from)
		return;
	nr = b->nr - from;
	if (m->texts.bytes.used > MEMO_BYTES_MAX)
		frame_memo_release(m);
	i = intern_hashed(&m->texts, text, hash);
	/* What is not a whole line must not be guessed: nothing is as long as this. */
	row.line = span_ends(text, "\n") ? intern_peek(&m->texts, i)
					 : (struct span){ .size = SIZE_MAX };
	if (nr == 1) {
		row.value = b->frame[from].i;
	} else {
		row.value = (uint32_t)m->nr_several | FRAME_MEMO_SEVERAL;
		add_number(m, (uint32_t)nr);
		for (size_t k = from; k < b->nr; k++)
			add_number(m, b->frame[k].i);
	}
	GROW(m->row, (size_t)i, m->cap);
	m->row[i] = row;
	m->row[m->last].next = i;
	m->last = i;
}

void frame_memo_release(struct frame_memo *m)
{
	intern_release(&m->texts);
	free(m->row);
	free(m->several);
	*m = (struct frame_memo){ 0 };
}
