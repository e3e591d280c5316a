/* Functions of JavaScript, Python, Ruby and PHP in JSON profiles. */
#ifndef WICK_READ_SCRIPT_FUNCTION_H
#define WICK_READ_SCRIPT_FUNCTION_H

#include "read/build.h"

/*
 * The frame of a function: its module is its source file; the line is where it begins (0: unknown).
 * An anonymous function is named by its file and line.
 */
frame_id script_frame(struct build *b, struct span name, struct span file, uint32_t line);

/*
 * For `accepts`: is the head of an input a JSON object with a member `outer`, which
 * is an object with a member `inner`, or an array that begins with one?
 */
bool script_shows(struct span head, const char *outer, const char *inner);

#endif
