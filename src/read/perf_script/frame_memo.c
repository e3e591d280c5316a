#include "read/perf_script/frame_memo.h"

#include "base/alloc.h"
#include "read/text/memo.h"

#include <stdlib.h>

void frame_memo_keep(struct frame_memo *m, struct span text, uint64_t hash, const struct build *b,
		     size_t from)
{
	struct frame_memo_row row = { 0 };
	uint32_t i;

	/* build_grow() has dropped frames, because the stack is far too deep. */
	if (b->nr < from)
		return;
	if (m->texts.bytes.used > MEMO_BYTES_MAX)
		frame_memo_release(m);
	i = intern_hashed(&m->texts, text, hash);
	/* Only whole lines can be predicted.  SIZE_MAX: no input is that long, so it never matches. */
	row.line = span_ends(text, "\n") ? intern_peek(&m->texts, i)
					 : (struct span){ .size = SIZE_MAX };
	row.value = frame_runs_add(&m->runs, b, from, 0);
	GROW(m->row, (size_t)i, m->cap);
	m->row[i] = row;
	m->row[m->last].next = i;
	m->last = i;
}

void frame_memo_release(struct frame_memo *m)
{
	intern_release(&m->texts);
	free(m->row);
	frame_runs_release(&m->runs);
	*m = (struct frame_memo){ 0 };
}
