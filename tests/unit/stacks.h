/* Small profiles: add_stack(&p, 0, "main;work", 3). */
#ifndef STACKS_H
#define STACKS_H

#include "profile/profile.h"

static inline frame_id named_frame(struct profile *p, struct span name)
{
	struct line line = { .function = profile_string(p, name) };

	return profile_frame(p, &(struct frame){ .line = &line, .nr_line = 1 });
}

/* The stack of "main;work"; "" is the empty one. */
static inline stack_id stack_of(struct profile *p, const char *path)
{
	struct span rest = span_of(path);
	stack_id stack = { 0 };

	while (rest.size) {
		size_t n = span_find(rest, ';');

		stack = profile_push(p, stack, named_frame(p, span_upto(rest, n)));
		rest = span_from(rest, n + 1);
	}
	return stack;
}

static inline void add_stack(struct profile *p, uint32_t event, const char *path, int64_t weight)
{
	struct tick t = { .event = event, .stack = stack_of(p, path), .weight = weight };

	t.time = p->nr_tick;
	profile_add(p, &t);
}

/* An event for every name up to NULL. */
static inline void init_profile(struct profile *p, const char *const *event)
{
	profile_init(p);
	for (; *event; event++)
		profile_event(p, span_of(*event), SPAN("samples"));
}

#endif
