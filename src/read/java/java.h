/*
 * Frames as Java writes them in traces and dumps:
 *
 *     at org.acme.Service.call(Service.java:10)
 */
#ifndef WICK_READ_JAVA_JAVA_H
#define WICK_READ_JAVA_JAVA_H

#include "read/text/listing.h"

/* org.acme.Foo.bar with its packages kept, shortened or dropped; *out holds the result if it is new. */
struct span java_packages(struct span name, enum packages packages, struct strbuf *out);

/* Removes "  at " from the start of a line; false if the line does not start with it. */
bool java_frame(struct span *line);

/*
 * Pushes a frame, with its packages kept, shortened or dropped according to the options.  Returns
 * its name, which is valid until the next call.
 */
struct span java_push(struct listing *l, struct span frame);

#endif
