#include "ingest/truncated.h"

#include "base/alloc.h"

#include <stdlib.h>

void truncated_release(struct truncated *c)
{
	for (size_t i = 0; i < c->nr_ended; i++)
		origins_free(c->ended[i]);
	free(c->ended);
	free(c->samples);
	*c = (struct truncated){ 0 };
}

void truncated_end(struct truncated *c, struct task *task)
{
	struct origins *o = task->origins;

	task->origins = NULL;
	if (!o || !o->nr_truncated) {
		origins_free(o);
		return;
	}
	GROW(c->ended, c->nr_ended, c->cap_ended);
	c->ended[c->nr_ended++] = o;
}

struct origins *truncated_origins(struct truncated *c, struct task *task)
{
	/* Another process reused the tid, without a FORK record. */
	if (task->origins && task->origins->pid != task->pid)
		truncated_end(c, task);
	if (!task->origins)
		task->origins = origins_new(task->pid, task->tid);
	return task->origins;
}

static uint32_t new_ticket(struct truncated *c, struct origins *o, uint32_t group)
{
	if (c->nr >= TRUNCATED_MAX)
		return 0;
	GROW(c->samples, c->nr, c->cap);
	c->samples[c->nr++] =
		(struct truncated_samples){ .origins = o, .group = group, .nr_root = o->nr_root };
	o->nr_truncated++;
	return (uint32_t)c->nr;
}

uint32_t truncated_take(struct truncated *c, struct origins *o, const struct unwind_trail *t)
{
	uint32_t group = origins_add_truncated(o, t), *ticket;

	if (group == ORIGIN_NONE)
		return 0;
	/* Reuses the group's ticket, unless another root of the thread was found since. */
	ticket = &o->group[group].ticket;
	if (!*ticket || c->samples[*ticket - 1].nr_root != o->nr_root)
		*ticket = new_ticket(c, o, group);
	return *ticket;
}

void truncated_count(struct truncated *c, uint32_t ticket, enum note_code unknown)
{
	if (unknown == NOTE_WAIT_TRUNCATED)
		c->samples[ticket - 1].nr_wait++;
	else
		c->samples[ticket - 1].nr++;
}

/* The frame [truncated]: the callers of the frames above it are unknown.  Each ticket has its own. */
static frame_id truncated(struct profile *p, uint32_t ticket)
{
	struct line line = { .function = profile_string(p, SPAN(TRUNCATED_FRAME)) };
	struct frame label = {
		.kind = FRAME_LABEL, .address = ticket, .line = &line, .nr_line = 1
	};

	return profile_frame(p, &label);
}

frame_id truncated_frame(struct truncated *c, struct profile *p, uint32_t ticket)
{
	struct truncated_samples *samples = ticket ? &c->samples[ticket - 1] : NULL;

	if (!samples)
		return truncated(p, 0);
	if (!samples->frame.i)
		samples->frame = truncated(p, ticket);
	c->is_pushed = true;
	return samples->frame;
}

const struct origin *truncated_root(struct truncated *c, uint32_t ticket)
{
	struct truncated_samples *samples = &c->samples[ticket - 1];

	return origins_find(samples->origins, samples->group, samples->nr_root);
}

/* The stack below which samples of a ticket belong: root and [truncated], or [truncated] alone. */
static stack_id push_ticket(struct truncated *c, struct profile *p, uint32_t ticket)
{
	const struct origin *root = truncated_root(c, ticket);
	stack_id stack = { 0 };

	if (root)
		stack = profile_push(p, stack, root->frame);
	return profile_push(p, stack, truncated(p, 0));
}

/* Rebuilds all stacks, with those of tickets in their final places. */
static void move_stacks(struct truncated *c, struct profile *p)
{
	uint32_t *ticket = xcalloc(p->nr_frame, sizeof(*ticket));
	size_t nr;
	struct stack *stack = profile_take_stacks(p, &nr);
	stack_id *to = xcalloc(nr, sizeof(*to));

	for (size_t i = 0; i < c->nr; i++)
		ticket[c->samples[i].frame.i] = (uint32_t)i + 1;
	ticket[0] = 0;
	for (size_t i = 1; i < nr; i++) {
		struct stack s = stack[i];

		to[i] = !s.caller.i && ticket[s.frame.i] ? push_ticket(c, p, ticket[s.frame.i])
							 : profile_push(p, to[s.caller.i], s.frame);
	}
	profile_recount(p, &(struct recount){ .stack = to });
	free(stack);
	free(to);
	free(ticket);
}

void truncated_finish(struct truncated *c, struct profile *p)
{
	if (c->is_pushed)
		move_stacks(c, p);
	for (uint32_t i = 1; i <= c->nr; i++) {
		const struct truncated_samples *s = &c->samples[i - 1];
		bool rooted = truncated_root(c, i);

		if (s->nr)
			notes_add(&p->notes, rooted ? NOTE_STACK_ROOTED : NOTE_STACK_TRUNCATED,
				  s->nr, 0, SPAN(""));
		if (s->nr_wait)
			notes_add(&p->notes, rooted ? NOTE_STACK_ROOTED : NOTE_WAIT_TRUNCATED,
				  s->nr_wait, 0, SPAN(""));
	}
}
