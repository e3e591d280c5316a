/* What the commands say about what was left out of a profile. */
#ifndef WICK_CMD_TELL_H
#define WICK_CMD_TELL_H

#include "profile/profile.h"

enum tell { TELL_NOTHING, TELL_SUM, TELL_EACH };

/* One line for all that could not be read, after each of them when they are wanted. */
void tell_notes(const struct profile *p, enum tell how);

/* One line for what wick itself could not keep, where another program's words have none for it. */
void tell_losses(const struct profile *p);

#endif
