/* Samples in input order with their times: private to the profile. */
#ifndef WICK_PROFILE_TICKS_H
#define WICK_PROFILE_TICKS_H

#include "profile/profile.h"

void ticks_add(struct profile *p, const struct tick *t);

#endif
