/* What the commands say about what was left out of a profile. */
#ifndef WICK_CMD_TELL_H
#define WICK_CMD_TELL_H

#include "base/strbuf.h"
#include "profile/profile.h"

enum tell { TELL_NOTHING, TELL_SUM, TELL_EACH };

/* One line for all that could not be read, after each of them when they are wanted. */
void tell_notes(const struct profile *p, enum tell how);

/* The parts of that, for who says it in lines of their own. */

/* "3 lines that are no event, 1 sample lost" */
void tell_add_sum(struct strbuf *text, const struct profile *p, enum tell how);

/* A line for each, if they are wanted. */
void tell_each(const struct profile *p, enum tell how);

/* What is done about it the next time; NULL: nothing that is known. */
const char *tell_help(const struct profile *p);

/* What is told as it is, and not counted. */
void tell_apart(const struct profile *p);

/* Events that are not shown, and the command in front of --event that does; "": the same again. */
void tell_left_out(const struct profile *p, const char *command);

/* A signal ended the command: what a shell says then, which knows of us alone.  0: none did. */
void tell_signal(const char *command, int number);

/* One line for what wick itself could not keep, where another program's words have none for it. */
void tell_losses(const struct profile *p);

#endif
