/* Private to this folder: adds a tick without counting it. */
#ifndef WICK_PROFILE_TICKS_H
#define WICK_PROFILE_TICKS_H

#include "profile/profile.h"

void ticks_add(struct profile *p, const struct tick *t);

#endif
