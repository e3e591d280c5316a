/* wick convert: converts between profile formats. */
#ifndef WICK_CMD_CONVERT_H
#define WICK_CMD_CONVERT_H

#include "cmd/print_notes.h"
#include "load/load.h"

/*
 * Copies the input, a perf.data file, to `path` record by record, without building a profile, and
 * prints a summary.  Progress goes to the watcher of load_watch().
 */
int convert_data(const struct load_opts *in, const struct choose_opts *choose, const char *path,
		 struct progress *progress, enum note_detail how, struct error *e);

int convert_main(int argc, char **argv);
extern const struct option_table convert_table;

#endif
