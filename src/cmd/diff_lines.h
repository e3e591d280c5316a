/* Comparing two plain folded files by their lines: the same output, without frames in between. */
#ifndef WICK_CMD_DIFF_LINES_H
#define WICK_CMD_DIFF_LINES_H

#include "cmd/diff.h"

/* 1: written; 0: this needs more than lines, and nothing was done; -1: it cannot be written. */
int diff_lines(const struct diff_opts *o, struct diff_result *r, struct error *e);

#endif
