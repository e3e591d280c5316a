/* Functions of scripts, as profiles of JavaScript, Python, Ruby and PHP tell of them in JSON. */
#ifndef WICK_READ_SCRIPT_H
#define WICK_READ_SCRIPT_H

#include "read/build.h"

/*
 * A function, the file that it is in, which is its module, and the line where
 * it begins (0: unknown).  Those without a name are told apart by their place.
 */
frame_id script_frame(struct build *b, struct span name, struct span file, uint32_t line);

/*
 * The head of an input is a JSON object with the member `outer`, which is an
 * object with the member `inner` or an array of such objects; as far as it goes.
 */
bool script_shows(struct span head, const char *outer, const char *inner);

#endif
