/* The facts of two recordings that are compared, each with its side. */
#ifndef WICK_CMD_SIDES_H
#define WICK_CMD_SIDES_H

#include "base/strbuf.h"
#include "profile/profile.h"

/* Makes "input" "before: input". */
void sides_mark(struct profile *p, struct span side);

/* The fact that says which event was chosen. */
#define EVENT_FACT "event"

/* What is the same on both sides is of none.  Tells whether one side has an event that the other has not. */
bool sides_join(struct profile *p);

/* "before has page-faults, after has cpu-clock" */
void sides_list_events(const struct profile *p, struct strbuf *out);

#endif
