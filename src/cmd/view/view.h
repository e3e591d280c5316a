/* wick view: shows a profile in the terminal. */
#ifndef WICK_CMD_VIEW_VIEW_H
#define WICK_CMD_VIEW_VIEW_H

int view_main(int argc, char **argv);
extern const struct option_table view_table;

#endif
