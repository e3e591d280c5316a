/* A fast path for two plain folded files: compares lines, with the same output as diff(). */
#ifndef WICK_CMD_DIFF_DIFF_LINES_H
#define WICK_CMD_DIFF_DIFF_LINES_H

#include "cmd/diff/diff.h"

/* 1: written; 0: the options or files need the general path, and nothing was done; -1: error. */
int diff_lines(const struct diff_opts *o, struct diff_result *r, struct error *e);

#endif
