/* Prints notes: what was dropped from a profile, and hints. */
#ifndef WICK_CMD_PRINT_NOTES_H
#define WICK_CMD_PRINT_NOTES_H

#include "base/strbuf.h"
#include "profile/profile.h"
#include "write/formats.h"

/* The amount of detail. */
enum note_detail { NOTES_HIDDEN, NOTES_SUMMED, NOTES_EACH };

/* Prints one line that sums up the notes; with NOTES_EACH, also a line for each before that. */
void print_notes(const struct profile *p, enum note_detail how);

/* The same below a report or for several files: only with the most important hint, unless NOTES_EACH is given. */
void print_notes_below(const struct profile *p, enum note_detail how);

/* Parts of this, for callers that print their own lines: */

/* "3 lines that are not events, 1 sample lost" */
void add_notes_sum(struct strbuf *text, const struct profile *p, enum note_detail how);

/* Prints a line for each note, if NOTES_EACH is given. */
void print_each_note(const struct profile *p, enum note_detail how);

/* How to avoid the problem next time; NULL: unknown. */
const char *hint_of_notes(const struct profile *p);

/* Prints the notes that have their own messages and are not part of the sum. */
void print_separate_notes(const struct profile *p);

/*
 * Prints which events are not shown, and the command (before --event) that shows them; "": the
 * same command again.
 */
void print_events_left_out(const struct profile *p, const char *command);

/* Prints what the profile has but the format of a file cannot hold: a line, or none. */
void print_lost(const char *path, enum format format, const struct profile *p);

/*
 * Reports the signal that killed the command, as a shell would: the shell only sees wick's status.
 * 0: none.
 */
void print_signal(const char *command, int number);

/*
 * One line for data that wick itself dropped, for drop-ins whose originals have no message for it.
 */
void print_losses(const struct profile *p);

#endif
