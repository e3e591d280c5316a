/* The facts (profile.info) of two compared recordings, each with its side in the key. */
#ifndef WICK_CMD_DIFF_SIDES_H
#define WICK_CMD_DIFF_SIDES_H

#include "base/strbuf.h"
#include "profile/profile.h"

/* Prefixes all keys with the side: "input" becomes "before: input". */
void sides_mark(struct profile *p, struct span side);

/* The key of the event that was chosen. */
#define EVENT_FACT "event"

/*
 * Merges facts that are equal on both sides into one without a side.  Returns whether the sides
 * have different events; false if one names none.
 */
bool sides_join(struct profile *p);

/* "before has page-faults, after has cpu-clock" */
void sides_list_events(const struct profile *p, struct strbuf *out);

/*
 * Appends how the sides were sampled, if that differs or samples are missing: "before was sampled per thread, after
 * per CPU; up to 9 % of the samples are missing, …".  False: neither, and nothing is appended.
 */
bool sides_list_sampling(const struct profile *p, struct strbuf *out);

#endif
