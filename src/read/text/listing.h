/*
 * Text that lists stacks frame by frame, from the leaf: backtraces of debuggers, thread dumps, maps
 * of stacks and counts.  A reader provides a function that parses one line; the loop, and the
 * handling of stacks, is here.
 */
#ifndef WICK_READ_TEXT_LISTING_H
#define WICK_READ_TEXT_LISTING_H

#include "base/strbuf.h"
#include "read/build.h"

struct listing;

/* Parses one line: pushes a frame, ends a stack, or ignores it.  -1: reading ends. */
typedef int listing_line(struct listing *l, struct span line, struct error *e);

struct listing {
	struct build *b;
	listing_line *line;
	/* Called at the end of a stack; NULL: it is counted if it has a frame. */
	int (*end)(struct listing *l, struct error *e);
	bool own_events;	  /* the reader sets b->event; else the event is "samples" */
	bool is_measured;	  /* a count is a time, not a number of samples */
	void *state;		  /* the reader's own */
	int64_t weight;		  /* of the stack being listed; 1 at first */
	struct strbuf name, part; /* buffers for names */
};

/* Reads all lines, and ends the last stack. */
int listing_read(struct listing *l, struct error *e);

/* The name with each semicolon replaced, which would split it in folded stacks. */
struct span listing_name(struct listing *l, struct span name);

/* Pushes the next frame, the caller of the one before. */
void listing_push_frame(struct listing *l, frame_id f);

/* The same for a frame with only a name; an empty name makes it an unknown frame. */
void listing_push(struct listing *l, struct span name);

/* The same for a label, such as the key of a map, which is not a function. */
void listing_push_label(struct listing *l, struct span name);

/* The stack ends here. */
int listing_end(struct listing *l, struct error *e);

/*
 * The stack ends here with this count of samples; without a stack, they are of an unknown function.
 */
int listing_count(struct listing *l, struct span count, struct error *e);

/* An `end` for formats with the count below the stack: the count is missing, so drop the stack. */
int listing_cut_short(struct listing *l, struct error *e);

/* Removes "#12 " from the start of a line; false if the line does not start with it. */
bool listing_number(struct span *line, uint64_t *number);

/* A process or thread ID at the start of s, 12 or 0x1f; THREAD_UNKNOWN: there is none. */
uint32_t listing_id(struct span s);

#endif
