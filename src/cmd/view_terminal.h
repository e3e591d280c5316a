/* wick view: what any profiler wrote in, to look at in the terminal. */
#ifndef WICK_CMD_VIEW_TERMINAL_H
#define WICK_CMD_VIEW_TERMINAL_H

int view_main(int argc, char **argv);
extern const struct option_table view_table;

#endif
