/* The facts (profile.info) of two recordings that are compared, each with its side in the key. */
#ifndef WICK_CMD_SIDES_H
#define WICK_CMD_SIDES_H

#include "base/strbuf.h"
#include "profile/profile.h"

/* Puts the side in front of all keys: "input" becomes "before: input". */
void sides_mark(struct profile *p, struct span side);

/* The key of the event that was chosen. */
#define EVENT_FACT "event"

/*
 * Facts that are equal on both sides become one, without a side.  Returns whether the events of the
 * sides differ; false also if one names none.
 */
bool sides_join(struct profile *p);

/* "before has page-faults, after has cpu-clock" */
void sides_list_events(const struct profile *p, struct strbuf *out);

#endif
