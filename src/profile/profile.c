#include "profile/profile.h"

#include "base/alloc.h"
#include "base/row_index.h"
#include "profile/ticks.h"

#include <assert.h>
#include <stdlib.h>

void profile_init(struct profile *p)
{
	*p = (struct profile){ 0 };
	profile_string(p, SPAN(""));
	profile_module(p, SPAN(""), SPAN(""));
	profile_frame(p, &(struct frame){ 0 });
	GROW(p->stack, p->nr_stack, p->cap_stack);
	p->stack[p->nr_stack++] = (struct stack){ 0 };
	profile_thread(p, &(struct thread){ .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN });
	profile_labels(p, NULL, 0);
	GROW(p->link, p->nr_link, p->cap_link);
	p->link[p->nr_link++] = (struct link){ .interval = INTERVAL_NONE };
}

void profile_release(struct profile *p)
{
	struct row_index *index[] = { &p->module_index, &p->frame_index, &p->thread_index,
				      &p->label_index,	&p->count_index, &p->link_index };

	for (size_t i = 0; i < ARRAY_SIZE(index); i++)
		free(index[i]->slot);
	free(p->module);
	free(p->frame);
	free(p->stack);
	free(p->stack_index.slot);
	free(p->thread);
	free(p->event);
	free(p->labels);
	free(p->count);
	free(p->tick);
	free(p->interval);
	free(p->link);
	for (size_t i = 0; i < p->nr_series; i++)
		free(p->series[i].point);
	free(p->series);
	free(p->info);
	intern_release(&p->strings);
	arena_release(&p->arena);
	notes_release(&p->notes);
	*p = (struct profile){ 0 };
}

void profile_settle(struct profile *p)
{
	free(p->stack_index.slot);
	free(p->frame_index.slot);
	free(p->count_index.slot);
	p->stack_index = (struct stack_index){ 0 };
	p->frame_index = p->count_index = (struct row_index){ 0 };
}

str_id profile_string(struct profile *p, struct span s)
{
	if (s.size > PROFILE_NAME_MAX) {
		notes_add(&p->notes, NOTE_NAME_TOO_LONG, 1, 0, s);
		s.size = PROFILE_NAME_MAX;
	}
	return (str_id){ intern(&p->strings, s) };
}

struct span profile_peek(const struct profile *p, str_id s)
{
	return intern_peek(&p->strings, s.i);
}

/* Modules */

static uint32_t module_hash(const struct module *m)
{
	return (uint32_t)row_mix(m->path.i, m->build_id.i);
}

module_id profile_module(struct profile *p, struct span path, struct span build_id)
{
	struct row_index *x = &p->module_index;
	struct module m = { .path = profile_string(p, path),
			    .build_id = profile_string(p, build_id) };
	uint32_t hash = module_hash(&m), row, at;

	if (row_index_full(x, p->nr_module)) {
		row_index_grow(x, p->nr_module);
		for (size_t i = 0; i < p->nr_module; i++)
			row_index_put(x, module_hash(&p->module[i]), i);
	}
	FOR_EACH_ROW (row, at, x, hash)
		if (p->module[row].path.i == m.path.i && p->module[row].build_id.i == m.build_id.i)
			return (module_id){ row };
	GROW(p->module, p->nr_module, p->cap_module);
	p->module[p->nr_module] = m;
	x->slot[at] = row_index_slot(x, hash, p->nr_module);
	return (module_id){ (uint32_t)p->nr_module++ };
}

/* Frames */

static uint32_t frame_hash(const struct frame *f)
{
	uint64_t h = row_mix((uint64_t)f->kind << 32 | f->flags, f->address);

	/*
	 * A frame with an address is identified by that address, not by its
	 * names: so that symbolizing it does not change its hash.
	 */
	h = row_mix(h, f->module.i);
	if (f->address)
		return (uint32_t)h;
	for (size_t i = 0; i < f->nr_line; i++) {
		h = row_mix(h, (uint64_t)f->line[i].function.i << 32 | f->line[i].file.i);
		h = row_mix(h, f->line[i].line);
	}
	return (uint32_t)h;
}

static bool same_line(const struct line *a, const struct line *b)
{
	return a->function.i == b->function.i && a->file.i == b->file.i && a->line == b->line;
}

static bool same_frame(const struct frame *a, const struct frame *b)
{
	if (a->kind != b->kind || a->flags != b->flags || a->module.i != b->module.i ||
	    a->address != b->address)
		return false;
	if (a->address)
		return true;
	if (a->nr_line != b->nr_line)
		return false;
	for (size_t i = 0; i < a->nr_line; i++)
		if (!same_line(&a->line[i], &b->line[i]))
			return false;
	return true;
}

static const struct line *keep_lines(struct profile *p, const struct line *line, size_t nr)
{
	struct line *kept = NULL;

	if (nr) {
		kept = arena_take(&p->arena, nr * sizeof(*kept));
		memcpy(kept, line, nr * sizeof(*kept));
	}
	return kept;
}

void profile_fetch_frame(const struct profile *p, const struct frame *f)
{
	row_index_fetch(&p->frame_index, frame_hash(f));
}

frame_id profile_frame(struct profile *p, const struct frame *f)
{
	struct row_index *x = &p->frame_index;
	uint32_t hash = frame_hash(f), row, at;

	if (row_index_full(x, p->nr_frame)) {
		row_index_grow(x, p->nr_frame);
		for (size_t i = 0; i < p->nr_frame; i++)
			row_index_put(x, frame_hash(&p->frame[i]), i);
	}
	FOR_EACH_ROW (row, at, x, hash)
		if (same_frame(&p->frame[row], f))
			return (frame_id){ row };
	GROW(p->frame, p->nr_frame, p->cap_frame);
	p->frame[p->nr_frame] = *f;
	p->frame[p->nr_frame].line = keep_lines(p, f->line, f->nr_line);
	x->slot[at] = row_index_slot(x, hash, p->nr_frame);
	return (frame_id){ (uint32_t)p->nr_frame++ };
}

void profile_name(struct profile *p, frame_id f, const struct line *line, size_t nr)
{
	p->frame[f.i].line = keep_lines(p, line, nr);
	p->frame[f.i].nr_line = (uint32_t)nr;
}

/* Threads */

static uint32_t thread_hash(const struct thread *t)
{
	return (uint32_t)row_mix((uint64_t)t->pid << 32 | t->tid, t->comm.i);
}

thread_id profile_thread(struct profile *p, const struct thread *t)
{
	struct row_index *x = &p->thread_index;
	uint32_t hash = thread_hash(t), row, at;

	if (row_index_full(x, p->nr_thread)) {
		row_index_grow(x, p->nr_thread);
		for (size_t i = 0; i < p->nr_thread; i++)
			row_index_put(x, thread_hash(&p->thread[i]), i);
	}
	FOR_EACH_ROW (row, at, x, hash) {
		const struct thread *have = &p->thread[row];

		if (have->pid == t->pid && have->tid == t->tid && have->comm.i == t->comm.i)
			return (thread_id){ row };
	}
	GROW(p->thread, p->nr_thread, p->cap_thread);
	p->thread[p->nr_thread] = *t;
	x->slot[at] = row_index_slot(x, hash, p->nr_thread);
	return (thread_id){ (uint32_t)p->nr_thread++ };
}

/* Events: there are few, so a linear search will do. */

uint32_t profile_event(struct profile *p, struct span name, struct span unit)
{
	str_id n = profile_string(p, name), u = profile_string(p, unit);

	for (size_t i = 0; i < p->nr_event; i++)
		if (p->event[i].name.i == n.i && p->event[i].unit.i == u.i)
			return (uint32_t)i;
	if (p->nr_event == PROFILE_EVENTS_MAX) {
		notes_add(&p->notes, NOTE_EVENTS_MANY, 1, 0, name);
		return PROFILE_EVENTS_MAX - 1;
	}
	GROW(p->event, p->nr_event, p->cap_event);
	p->event[p->nr_event] = (struct event){ .name = n, .unit = u };
	return (uint32_t)p->nr_event++;
}

int profile_rescale(struct profile *p, uint32_t event, int scale)
{
	int64_t factor = 1, dummy;

	for (int s = p->event[event].scale; s > scale; s--)
		if (__builtin_mul_overflow(factor, 10, &factor))
			return -1;
	if (factor == 1)
		return 0;
	for (size_t i = 0; i < p->nr_count; i++)
		if (p->count[i].event == event &&
		    __builtin_mul_overflow(p->count[i].weight, factor, &dummy))
			return -1;
	/* Ticks of either sign may be larger than their sum. */
	for (size_t i = 0; i < p->nr_tick; i++)
		if (p->tick[i].event == event &&
		    __builtin_mul_overflow(p->tick[i].weight, factor, &dummy))
			return -1;
	for (size_t i = 0; i < p->nr_interval; i++)
		if (p->interval[i].event == event &&
		    __builtin_mul_overflow(p->interval[i].weight, factor, &dummy))
			return -1;
	for (size_t i = 0; i < p->nr_count; i++)
		if (p->count[i].event == event)
			p->count[i].weight *= factor;
	for (size_t i = 0; i < p->nr_tick; i++)
		if (p->tick[i].event == event)
			p->tick[i].weight *= factor;
	for (size_t i = 0; i < p->nr_interval; i++)
		if (p->interval[i].event == event)
			p->interval[i].weight *= factor;
	p->event[event].scale = scale;
	return 0;
}

/* Counts */

static uint32_t count_hash(const struct count *c)
{
	return (uint32_t)row_mix(row_mix((uint64_t)c->event << 32 | c->thread.i, c->stack.i),
				 c->labels.i);
}

static bool same_count(const struct count *a, const struct count *b)
{
	return a->stack.i == b->stack.i && a->thread.i == b->thread.i && a->event == b->event &&
	       a->labels.i == b->labels.i;
}

void profile_fetch_count(const struct profile *p, const struct count *c)
{
	row_index_fetch(&p->count_index, count_hash(c));
}

const struct count *profile_find_count(const struct profile *p, const struct count *c)
{
	const struct row_index *x = &p->count_index;
	uint32_t row, at;

	assert(x->slot || !p->nr_count);
	if (!x->slot)
		return NULL;
	FOR_EACH_ROW (row, at, x, count_hash(c))
		if (same_count(&p->count[row], c))
			return &p->count[row];
	return NULL;
}

int profile_add_count(struct profile *p, const struct count *c)
{
	struct row_index *x = &p->count_index;
	uint32_t hash = count_hash(c), row, at;

	if (row_index_full(x, p->nr_count)) {
		row_index_grow(x, p->nr_count);
		for (size_t i = 0; i < p->nr_count; i++)
			row_index_put(x, count_hash(&p->count[i]), i);
	}
	FOR_EACH_ROW (row, at, x, hash) {
		struct count *have = &p->count[row];
		int64_t sum;

		if (!same_count(have, c))
			continue;
		if (__builtin_add_overflow(have->weight, c->weight, &sum))
			return -1;
		have->weight = sum;
		have->nr += c->nr;
		return 0;
	}
	GROW(p->count, p->nr_count, p->cap_count);
	p->count[p->nr_count] = *c;
	x->slot[at] = row_index_slot(x, hash, p->nr_count);
	p->nr_count++;
	return 0;
}

int profile_add_many(struct profile *p, const struct tick *t, uint64_t nr)
{
	struct count c = { .event = t->event,
			   .thread = t->thread,
			   .stack = t->stack,
			   .labels = t->labels,
			   .weight = t->weight,
			   .nr = nr };

	if (profile_add_count(p, &c))
		return -1;
	if (p->max_tick)
		ticks_add(p, t);
	return 0;
}

int profile_add(struct profile *p, const struct tick *t)
{
	return profile_add_many(p, t, 1);
}

/* Facts */

void profile_inform(struct profile *p, struct span key, struct span value)
{
	struct info info = { .key = profile_string(p, key), .value = profile_string(p, value) };

	for (size_t i = 0; i < p->nr_info; i++)
		if (p->info[i].key.i == info.key.i && p->info[i].value.i == info.value.i)
			return;
	if (p->nr_info == PROFILE_INFO_MAX)
		return;
	GROW(p->info, p->nr_info, p->cap_info);
	p->info[p->nr_info++] = info;
}
