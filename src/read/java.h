/*
 * Frames as Java writes them in traces and dumps:
 *
 *     at org.acme.Service.call(Service.java:10)
 */
#ifndef WICK_READ_JAVA_H
#define WICK_READ_JAVA_H

#include "read/listing.h"

/* Cuts "  at " off the front of a line; false when the line does not begin so. */
bool java_frame(struct span *line);

/*
 * Pushes a frame, its packages kept, shortened or dropped as the options say.
 * Returns its name, which is valid until the next call.
 */
struct span java_push(struct listing *l, struct span frame);

#endif
