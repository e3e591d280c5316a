/*
 * The stack builder of the text readers: push frames in input order, then end the sample.
 *
 *	build_push_name(b, name);                  once for each frame
 *	build_end(b, LEAF_FIRST, weight, e);       counts the sample, starts the next
 *
 * It also enforces the limits of a profile (depth, length of a name) and counts malformed input in
 * notes.  Functions that return int return 0, or -1 with the error set: a limit is exceeded, or
 * reading is strict and there was a note.
 */
#ifndef WICK_READ_BUILD_H
#define WICK_READ_BUILD_H

#include "base/decimal.h"
#include "base/text.h"
#include "profile/profile.h"
#include "read/read.h"

struct build {
	struct text *text; /* the input */
	struct span head;  /* the first bytes of the whole input, for every thread */
	struct profile *p; /* the output */
	const struct read_opts *o;
	unsigned threads; /* how many a reader with `turns` may start, see turns.h */
	frame_id *frame;  /* of the sample being built, in the order of the input */
	size_t nr, cap;
	/* Of the sample being built; readers set them, and they persist for the next one. */
	uint32_t event; /* of profile.event */
	thread_id thread;
	label_id labels;
	link_id link;		    /* of intervals */
	uint64_t time;		    /* ns; 0: none, and samples are ordered by line number */
	struct read_result *result; /* a reader may change its defaults */
};

/* Are source lines requested?  If not, but the input has some, the profile says so (UNREAD_LINES). */
static inline bool build_wants_lines(const struct build *b, bool has_some)
{
	if (!b->o->srcline && has_some)
		b->p->unread |= UNREAD_LINES;
	return b->o->srcline;
}

/* The same for labels: one of UNREAD_CPUS and UNREAD_LABELS. */
static inline bool build_wants_labels(const struct build *b, unsigned which, bool has_some)
{
	if (!b->o->cpus && has_some)
		b->p->unread |= which;
	return b->o->cpus;
}

/* The next frame of the sample. */
static inline void build_push(struct build *b, frame_id f);

/* A frame with only a name. */
frame_id build_name(struct build *b, struct span name);

/* A named frame of a module. */
frame_id build_frame(struct build *b, enum frame_kind kind, struct span module, struct span name);

/* Pushes a frame with only a name. */
void build_push_name(struct build *b, struct span name);

/* Counts the pushed frames as one sample of that weight, and starts the next. */
int build_end(struct build *b, enum path_order order, int64_t weight, struct error *e);

/* The same for nr samples, whose total is weight. */
int build_end_many(struct build *b, enum path_order order, int64_t weight, uint64_t nr,
		   struct error *e);

/* Builds the stack of the pushed frames without counting it, and starts the next. */
int build_stack(struct build *b, enum path_order order, stack_id *stack, struct error *e);

/* Counts one sample of a stack from build_stack() or the reader itself. */
int build_end_at(struct build *b, stack_id stack, int64_t weight, struct error *e);

/* Prefetches the count of a stack, for readers that know several stacks before they add to them. */
void build_fetch_count(const struct build *b, uint32_t event, stack_id stack);

/* The same for several samples at once. */
int build_add(struct build *b, stack_id stack, int64_t weight, uint64_t nr, struct error *e);

/* The same at that time: ns, which may be 0. */
int build_add_at(struct build *b, stack_id stack, int64_t weight, uint64_t nr, uint64_t time,
		 struct error *e);

/* The same as build_add(), but replaces the previous count of that stack (and event, thread, labels). */
int build_replace(struct build *b, stack_id stack, int64_t weight, uint64_t nr, struct error *e);

/*
 * Sets the source of the weights of b->event, and how much of an interval falls into a time range.
 */
void build_measure(struct build *b, enum weight_source source, enum extent extent);

/* Adds the begin and end (ns) of something that was already counted.  Stored only on request. */
void build_extent(struct build *b, stack_id stack, uint64_t begin, uint64_t end, int64_t weight);

/* How many samples of this period a weight represents: at least one. */
static inline uint64_t build_nr_of(int64_t weight, uint64_t period)
{
	uint64_t nr = period && weight > 0
			      ? (uint64_t)weight / period + ((uint64_t)weight % period > period / 2)
			      : 1;

	return nr ? nr : 1;
}

/* Drops the pushed frames. */
static inline void build_drop(struct build *b)
{
	b->nr = 0;
}

/* Reports a problem in the last line: a note, or with strict reading an error (-1). */
int build_note(struct build *b, enum note_code code, struct span text, struct error *e);

/* The same for an earlier line, by the value of text->line at that time. */
int build_note_at(struct build *b, uint64_t line, enum note_code code, struct span text,
		  struct error *e);

/*
 * Parses a decimal number, with or without a fraction, as a weight of b->event in units of its
 * scale, which is made finer if the fraction needs it.  False: not a number, or too large.
 */
bool build_weight(struct build *b, struct span number, int64_t *weight);

/* The same for a number that was already parsed. */
bool build_decimal(struct build *b, struct decimal number, int64_t *weight);

/* Room for one more frame. */
void build_grow(struct build *b);

static inline void build_push(struct build *b, frame_id f)
{
	if (__builtin_expect(b->nr == b->cap, 0))
		build_grow(b);
	b->frame[b->nr++] = f;
}

#endif
