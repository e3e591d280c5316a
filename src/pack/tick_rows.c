#include "pack/tick_rows.h"

#include "base/alloc.h"

/*
 * The first tick from i on that is written.  If some events have times, ticks of events without
 * times (numbered by lines of the input) are omitted: one bit holds for all.
 */
static size_t next_written(const struct profile *p, size_t i)
{
	while (i < p->nr_tick && p->timed && p->event[p->tick[i].event].untimed)
		i++;
	return i;
}

void tick_rows_write(const struct profile *p, const struct orders *o,
		     const struct stack_rows *stacks, struct strbuf *out)
{
	uint64_t time = 0;
	uint32_t stack = 0;
	size_t nr = 0;

	if (!p->max_tick)
		return;
	for (size_t i = next_written(p, 0); i < p->nr_tick; i = next_written(p, i + 1))
		nr++;
	bytes_add_varint(out, p->max_tick);
	bytes_add_varint(out, p->tick_quantum);
	bytes_add_varint(out, p->timed);
	bytes_add_varint(out, nr);
	for (size_t i = next_written(p, 0); i < p->nr_tick; i = next_written(p, i + 1)) {
		bytes_add_signed(out, (int64_t)(p->tick[i].time - time));
		time = p->tick[i].time;
	}
	for (size_t i = next_written(p, 0); i < p->nr_tick; i = next_written(p, i + 1))
		bytes_add_varint(out, p->tick[i].event);
	for (size_t i = next_written(p, 0); i < p->nr_tick; i = next_written(p, i + 1))
		bytes_add_varint(out, o->threads.number[p->tick[i].thread.i]);
	for (size_t i = next_written(p, 0); i < p->nr_tick; i = next_written(p, i + 1)) {
		uint32_t number = stack_rows_number(stacks, p->tick[i].stack);

		bytes_add_signed(out, (int64_t)number - stack);
		stack = number;
	}
	for (size_t i = next_written(p, 0); i < p->nr_tick; i = next_written(p, i + 1))
		bytes_add_varint(out, o->labels.number[p->tick[i].labels.i]);
	for (size_t i = next_written(p, 0); i < p->nr_tick; i = next_written(p, i + 1))
		bytes_add_signed(out, p->tick[i].weight);
}

struct tick_columns {
	struct bytes time, event, thread, stack, labels, weight;
	uint64_t now, at; /* time and stack of the last row */
};

static int next_tick(const struct profile *p, struct tick_columns *c, struct tick *t)
{
	c->now += (uint64_t)bytes_signed(&c->time);
	c->at += (uint64_t)bytes_signed(&c->stack);
	*t = (struct tick){ .time = c->now,
			    .event = section_handle(&c->event, p->nr_event),
			    .thread = { section_handle(&c->thread, p->nr_thread) },
			    .stack = { (uint32_t)c->at },
			    .labels = { section_handle(&c->labels, p->nr_labels) },
			    .weight = bytes_signed(&c->weight) };
	return c->time.failed || c->event.failed || c->thread.failed || c->stack.failed ||
			       c->labels.failed || c->weight.failed || c->at >= p->nr_stack
		       ? -1
		       : 0;
}

static int add_ticks(struct profile *p, struct tick_columns *c, size_t nr, struct error *e)
{
	for (size_t i = 0; i < nr; i++) {
		struct tick t;

		if (next_tick(p, c, &t))
			return section_cut_short(e);
		GROW(p->tick, p->nr_tick, p->cap_tick);
		p->tick[p->nr_tick++] = t;
	}
	return profile_ticks_add_up(p) ? 0 : section_wrong(e, "ticks do not add up to the counts");
}

/* More than fit into memory, but small enough that twice the number does not overflow. */
#define TICKS_MAX ((uint64_t)1 << 40)

int tick_rows_read(struct profile *p, struct bytes *b, struct error *e)
{
	uint64_t max = bytes_upto(b, TICKS_MAX), quantum = bytes_varint(b),
		 timed = bytes_upto(b, true);
	size_t nr = bytes_count(b);
	struct tick_columns c = { .time = bytes_column(b, nr) };

	c.event = bytes_column(b, nr);
	c.thread = bytes_column(b, nr);
	c.stack = bytes_column(b, nr);
	c.labels = bytes_column(b, nr);
	c.weight = bytes_column(b, nr);
	if (b->failed || (nr && !p->nr_event))
		return section_cut_short(e);
	if (!max || nr > max || !quantum)
		return section_wrong(e, "more ticks than declared");
	if (add_ticks(p, &c, nr, e)) {
		p->nr_tick = 0;
		return -1;
	}
	profile_keep_ticks(p, (size_t)max);
	p->tick_quantum = quantum;
	p->timed = timed;
	return 0;
}
