/* How much memory a profile takes, for callers that must stop before it is used up. */
#include "profile/profile.h"

static size_t index_size(const struct row_index *x)
{
	return x->slot ? ((size_t)x->mask + 1) * sizeof(*x->slot) : 0;
}

static size_t stack_index_size(const struct stack_index *x)
{
	return x->slot ? ((size_t)x->mask + 1) * sizeof(*x->slot) : 0;
}

static size_t intern_size(const struct intern *t)
{
	return index_size(&t->index) + t->cap * sizeof(const struct interned *) + t->bytes.used;
}

static size_t series_size(const struct profile *p)
{
	size_t size = p->cap_series * sizeof(*p->series);

	for (size_t i = 0; i < p->nr_series; i++)
		size += p->series[i].cap * sizeof(*p->series[i].point);
	return size;
}

size_t profile_size(const struct profile *p)
{
	return p->cap_module * sizeof(*p->module) + p->cap_frame * sizeof(*p->frame) +
	       p->cap_stack * sizeof(*p->stack) + p->cap_thread * sizeof(*p->thread) +
	       p->cap_event * sizeof(*p->event) + p->cap_labels * sizeof(*p->labels) +
	       p->cap_count * sizeof(*p->count) + p->cap_tick * sizeof(*p->tick) +
	       p->cap_interval * sizeof(*p->interval) + p->cap_link * sizeof(*p->link) +
	       index_size(&p->link_index) + series_size(p) + p->cap_info * sizeof(*p->info) +
	       stack_index_size(&p->stack_index) + index_size(&p->module_index) +
	       index_size(&p->frame_index) + index_size(&p->thread_index) +
	       index_size(&p->label_index) + index_size(&p->count_index) + p->arena.used +
	       intern_size(&p->strings);
}
