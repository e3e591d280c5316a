/*
 * Text that lists stacks frame by frame, from the leaf on: backtraces of
 * debuggers, thread dumps, maps of stacks and counts.  Such formats differ in
 * what their lines look like; what is done with them is here.
 */
#ifndef WICK_READ_LISTING_H
#define WICK_READ_LISTING_H

#include "base/strbuf.h"
#include "read/build.h"

struct listing;

/* Looks at one line: most push a frame, end a stack, or mean nothing. */
typedef int listing_line(struct listing *l, struct span line, struct error *e);

struct listing {
	struct build *b;
	listing_line *line;
	/* What the end of a stack means; NULL: it is counted if it has a frame. */
	int (*end)(struct listing *l, struct error *e);
	bool own_events;	  /* the reader names them; else they are samples */
	void *state;		  /* the reader's own */
	int64_t weight;		  /* of the stack that is being listed; 1 to begin with */
	struct strbuf name, part; /* names in the making */
};

/* Reads all lines, and ends the last stack. */
int listing_read(struct listing *l, struct error *e);

/* A frame's name must not look like two in folded text: without its ; */
struct span listing_name(struct listing *l, struct span name);

/* The next frame, a caller of those before. */
void listing_push_frame(struct listing *l, frame_id f);

/* The same for a frame with a name and nothing else; without one it is an unknown frame. */
void listing_push(struct listing *l, struct span name);

/* The same for what is no function: the key of a map. */
void listing_push_label(struct listing *l, struct span name);

/* The stack ends here. */
int listing_end(struct listing *l, struct error *e);

/* The stack ends here and was seen that often; a count without a stack is noted. */
int listing_count(struct listing *l, struct span count, struct error *e);

/* For `end`, where the count stands behind the stack: it never came. */
int listing_cut_short(struct listing *l, struct error *e);

/* Cuts "#12 " off the front of a line. */
bool listing_number(struct span *line, uint64_t *number);

/* The id of a process or thread at the front of s, 12 or 0x1f; THREAD_UNKNOWN: there is none. */
uint32_t listing_id(struct span s);

#endif
