/* What a fuzz target offers to libFuzzer, and to replay.c in its place. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/*
 * Chooses the reader that the inputs to come are for, by its name in the table of readers; NULL lets
 * the content decide, as `wick collapse` does.  -1: there is no such reader.
 *
 * Under libFuzzer, LLVMFuzzerInitialize() passes the variable FUZZ_READER; a replay passes the name
 * of the corpus folder.
 */
int fuzz_choose(const char *reader);

/* libFuzzer's own names. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
