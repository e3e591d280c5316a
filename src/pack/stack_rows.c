/*
 * Stacks are written in preorder, as two columns: the number of levels from the previous stack up
 * to the stack's caller (0: the previous stack is the caller), and the stack's frame.
 *
 * The walk (preorder.h) jumps around in memory and is slow, so three steps run at the same time:
 * the walk collects a batch of runs, a thread writes the previous batch, and the threads of the
 * sections deflate what is written.
 */
#include "pack/stack_rows.h"

#include "base/alloc.h"
#include "pack/preorder.h"

#include <pthread.h>
#include <stdlib.h>

enum { BATCH = 8192 }; /* runs passed to the thread at a time */

struct batch {
	struct preorder_run run[BATCH];
	size_t nr;
};

/* Writes batches, in its own thread if that could be created. */
struct scribe {
	struct stack_rows *r;
	const struct profile *p;
	const uint32_t *frame_number;
	struct section *ups, frames; /* the two columns */
	uint32_t number;	     /* of the next stack in the pack */
	uint32_t depth;		     /* of the last stack */
	const struct batch *batch;   /* to be written */
	pthread_t thread;
	bool threaded;
};

static void list_named(struct stack_rows *r, const struct profile *p)
{
	rank_init(&r->named, p->nr_stack);
	for (size_t i = 0; i < p->nr_count; i++)
		rank_add(&r->named, p->count[i].stack.i);
	for (size_t i = 0; i < p->nr_tick; i++)
		rank_add(&r->named, p->tick[i].stack.i);
	for (size_t i = 0; i < p->nr_interval; i++)
		rank_add(&r->named, p->interval[i].stack.i);
	for (size_t i = 0; i < p->nr_link; i++)
		rank_add(&r->named, p->link[i].stack.i);
	rank_count(&r->named, p->nr_stack);
	r->number = xcalloc(rank_of(&r->named, p->nr_stack - 1) + 1, sizeof(*r->number));
}

/* Stores the numbers of those stacks of a run that counts and ticks refer to. */
static void number_run(struct stack_rows *r, const struct preorder_run *run, uint32_t number)
{
	size_t end = (size_t)run->first + run->nr;

	for (size_t i = run->first; (i = rank_next(&r->named, i, end)) < end; i++)
		r->number[rank_of(&r->named, i)] = number + (uint32_t)(i - run->first);
}

/* Writes a run to both columns.  After the first, each stack is the callee of the previous one. */
static void write_run(struct scribe *s, const struct preorder_run *run)
{
	const struct stack *stack = s->p->stack + run->first;
	struct strbuf *ups = &s->ups->body, *frames = &s->frames.body;
	char *to;

	strbuf_reserve(ups, VARINT_MAX + run->nr);
	to = bytes_put_varint(ups->at + ups->size, s->depth + 1 - run->depth);
	memset(to, 0, run->nr - 1);
	ups->size = (size_t)(to - ups->at) + run->nr - 1;
	strbuf_reserve(frames, (size_t)VARINT_MAX * run->nr);
	to = frames->at + frames->size;
	for (uint32_t i = 0; i < run->nr; i++)
		to = bytes_put_varint(to, s->frame_number[stack[i].frame.i]);
	frames->size = (size_t)(to - frames->at);
}

static void *write_batch(void *arg)
{
	struct scribe *s = arg;

	for (size_t i = 0; i < s->batch->nr; i++) {
		const struct preorder_run *run = &s->batch->run[i];

		number_run(s->r, run, s->number);
		write_run(s, run);
		s->number += run->nr;
		s->depth = run->depth + run->nr - 1;
		section_cut(s->ups);
		section_cut(&s->frames);
	}
	return NULL;
}

static void wait_for(struct scribe *s)
{
	if (s->threaded)
		pthread_join(s->thread, NULL);
	s->threaded = false;
}

/*
 * Writes a batch in a thread; the last one, which is not full, in this one: it has nothing else to
 * do.
 */
static void hand_over(struct scribe *s, const struct batch *b)
{
	wait_for(s);
	s->batch = b;
	if (b->nr == BATCH)
		s->threaded = !pthread_create(&s->thread, NULL, write_batch, s);
	if (!s->threaded)
		write_batch(s);
}

static void write_rows(struct scribe *s, struct preorder *order)
{
	/* Not cleared: clearing 200 kB would take longer than writing a small pack. */
	struct batch *batch = xmalloc(2 * sizeof(*batch)), *b = batch;

	do {
		b = b == batch ? batch + 1 : batch;
		for (b->nr = 0; b->nr < BATCH && preorder_next(order, &b->run[b->nr]);)
			b->nr++;
		hand_over(s, b);
	} while (b->nr == BATCH);
	free(batch);
}

void stack_rows_write(struct stack_rows *r, const struct profile *p, const struct orders *o,
		      struct section *section)
{
	struct scribe s = { .r = r,
			    .p = p,
			    .frame_number = o->frames.number,
			    .ups = section,
			    .frames.expected = p->nr_stack * 3,
			    .number = 1 };
	struct preorder order;

	list_named(r, p);
	if (p->nr_stack == 1)
		return;
	section->expected = s.frames.expected;
	bytes_add_varint(&section->body, p->nr_stack - 1);
	preorder_init(&order, p, o->name);
	write_rows(&s, &order);
	preorder_release(&order);
	section_append(section, &s.frames);
}

void stack_rows_release(struct stack_rows *r)
{
	rank_release(&r->named);
	free(r->number);
	*r = (struct stack_rows){ 0 };
}

int stack_rows_read(struct profile *p, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b), depth = 0, cap = 0;
	struct bytes ups = bytes_column(b, nr), frame = bytes_column(b, nr);
	stack_id *at = NULL; /* by depth: the callers of the last stack, and the stack itself */
	int ret = nr < PROFILE_MAX_ROWS ? 0 : section_wrong(e, "too many stacks");

	GROW(at, depth, cap);
	at[0] = (stack_id){ 0 };
	for (size_t i = 0; i < nr && !ret; i++) {
		uint64_t up = bytes_upto(&ups, depth);
		frame_id f = { section_handle(&frame, p->nr_frame) };

		if (ups.failed || frame.failed) {
			ret = section_cut_short(e);
			break;
		}
		depth = depth + 1 - up;
		if (depth > PROFILE_DEPTH_MAX) {
			ret = section_wrong(e, "stack too deep");
			break;
		}
		GROW(at, depth, cap);
		at[depth] = profile_push(p, at[depth - 1], f);
		if (at[depth].i != i + 1)
			ret = section_wrong(e, "duplicate stack");
	}
	free(at);
	return !ret && b->failed ? section_cut_short(e) : ret;
}
