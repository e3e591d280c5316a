/* What calls.c and calls_far.c share. */
#ifndef CALLS_H
#define CALLS_H

static inline unsigned far_step(unsigned x, unsigned i)
{
	return i % 2 ? x * 2654435761u : x / (i + 1);
}

unsigned far_sum(const char *text, unsigned nr);

#endif
