/*
 * Colors by the state of threads: running, or waiting for some reason.  A frame has the color of
 * the state in which most of its time was spent; the reason of a wait is a frame such as "[lock]".
 * web/states.js is the same in JavaScript; tests/color/ checks both.
 */
#ifndef WICK_RENDER_COLOR_STATES_H
#define WICK_RENDER_COLOR_STATES_H

#include "fold/tree.h"

/* States: 0 is running, the others are reasons of waits. */
enum { COLOR_RUNNING, NR_COLOR_STATES = 11 };

/* "lock" */
const char *color_state_name(unsigned state);

/* The state of a frame's name such as "[lock]"; COLOR_RUNNING if that is not a reason. */
unsigned color_state_of(struct span name);

/* The color of a name among the shades of a state, and the color of the state in a legend. */
unsigned color_by_state(unsigned state, struct span name);
unsigned color_of_state(unsigned state);

/* By node: the state in which most of its time was spent; the caller frees the array. */
uint8_t *color_states(const struct tree *t);

/* Do the shown events (in, by event) have waits, all of them with a reason? */
bool color_has_states(const struct profile *p, const bool *in);

#endif
