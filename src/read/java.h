/*
 * Frames as Java writes them in traces and dumps:
 *
 *     at org.acme.Service.call(Service.java:10)
 */
#ifndef WICK_READ_JAVA_H
#define WICK_READ_JAVA_H

#include "read/listing.h"

/* Cuts "  at " off the front of a line. */
bool java_frame(struct span *line);

/*
 * The name of the frame, with its packages as the options have it.  Pushes it
 * and returns it, valid until the next.
 */
struct span java_push(struct listing *l, struct span frame);

#endif
