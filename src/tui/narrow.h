/* Looking at a part: what was asked for, one thing after the other, and can be taken back. */
#ifndef WICK_TUI_NARROW_H
#define WICK_TUI_NARROW_H

#include "base/error.h"
#include "base/strbuf.h"
#include "fold/filter.h"

enum narrow_kind {
	NARROW_FOCUS,	  /* only samples with this function */
	NARROW_HIDE,	  /* without this function's frames */
	NARROW_RECURSION, /* a function that calls itself is one frame */
	NARROW_THREAD,
	NARROW_MODULE, /* only samples that ended in this program or library */
	NARROW_KERNEL, /* … in the kernel */
	NARROW_TIME,
};

struct narrow_step {
	enum narrow_kind kind;
	struct strbuf text; /* the function, the thread, the module */
	struct time_span span;
};

struct narrow {
	struct narrow_step *step;
	size_t nr, cap;
};

void narrow_release(struct narrow *n);
void narrow_add(struct narrow *n, enum narrow_kind kind, struct span text,
		const struct time_span *span);

/* Takes the last one back; false when there is none. */
bool narrow_pop(struct narrow *n);

/* Takes back the last one of a kind; false when there is none. */
bool narrow_drop(struct narrow *n, enum narrow_kind kind);

/* Cuts the profile down. */
int narrow_apply(const struct narrow *n, struct profile *p, unsigned spelling, struct error *e);

/* Appends what it is: "only memcpy, thread 12". */
void narrow_add_text(const struct narrow *n, struct strbuf *out);

/* "1.25 to 1.50 s" */
void narrow_add_time(struct strbuf *out, const struct time_span *span);

/* A pattern that matches this name alone. */
void narrow_add_pattern(struct strbuf *out, struct span name);

#endif
