/* The filters of a session, as a stack: each key press adds one, and they can be undone. */
#ifndef WICK_TUI_NARROW_H
#define WICK_TUI_NARROW_H

#include "base/error.h"
#include "base/strbuf.h"
#include "fold/filter.h"

enum narrow_kind {
	NARROW_FOCUS,	  /* only samples with this function */
	NARROW_HIDE,	  /* without this function's frames */
	NARROW_RECURSION, /* recursion is one frame */
	NARROW_THREAD,	  /* only this thread */
	NARROW_MODULE,	  /* only samples whose leaf frame is in this module */
	NARROW_KERNEL,	  /* only samples whose leaf frame is in the kernel */
	NARROW_TIME,	  /* only this range of time */
};

struct narrow_step {
	enum narrow_kind kind;
	struct strbuf text;    /* the name of the function, thread or module */
	struct time_span span; /* of NARROW_TIME: ns since the first sample */
};

struct narrow {
	struct narrow_step *step;
	size_t nr, cap;
};

void narrow_release(struct narrow *n);

/* The text is copied; span may be NULL, unless the kind is NARROW_TIME. */
void narrow_add(struct narrow *n, enum narrow_kind kind, struct span text,
		const struct time_span *span);

/* Removes the last step; false: there is none. */
bool narrow_pop(struct narrow *n);

/* Removes the last step of a kind; false: there is none. */
bool narrow_drop(struct narrow *n, enum narrow_kind kind);

/* Filters the profile; -1 as filter_apply(). */
int narrow_apply(const struct narrow *n, struct profile *p, unsigned spelling, struct error *e);

/* Appends the steps in words: "only memcpy, thread 12". */
void narrow_add_text(const struct narrow *n, struct strbuf *out);

/* "1.25 to 1.50 s" */
void narrow_add_time(struct strbuf *out, const struct time_span *span);

/* Appends a pattern that matches exactly this name. */
void narrow_add_pattern(struct strbuf *out, struct span name);

#endif
