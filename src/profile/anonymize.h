/*
 * A profile to show to strangers: without the names of the host and the user,
 * without the command line, and with file names instead of paths.
 */
#ifndef WICK_PROFILE_ANONYMIZE_H
#define WICK_PROFILE_ANONYMIZE_H

#include "profile/profile.h"

/*
 * Adds `from` to `into`, which is new.  Names of functions and threads, build-ids and times stay;
 * notes lose their text, as it quotes the input.
 */
void profile_anonymize(struct profile *into, const struct profile *from);

#endif
