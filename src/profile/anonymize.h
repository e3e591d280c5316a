/*
 * A profile for sharing: without the names of host and user, without the command line, and with
 * file names instead of paths.
 */
#ifndef WICK_PROFILE_ANONYMIZE_H
#define WICK_PROFILE_ANONYMIZE_H

#include "profile/profile.h"

/*
 * Adds `from` to `into`, which is new.  Names of functions and threads, build IDs and times stay;
 * notes lose their text, since it quotes the input.
 */
void profile_anonymize(struct profile *into, const struct profile *from);

#endif
