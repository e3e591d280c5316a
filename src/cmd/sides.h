/* The facts of two recordings that are compared, each with its side. */
#ifndef WICK_CMD_SIDES_H
#define WICK_CMD_SIDES_H

#include "profile/profile.h"

/* Makes "input" "before: input". */
void sides_mark(struct profile *p, struct span side);

/* What is the same on both sides is of none. */
void sides_join(struct profile *p);

#endif
