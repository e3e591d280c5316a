/* wick top: live flame graph of running processes. */
#ifndef WICK_CMD_TOP_H
#define WICK_CMD_TOP_H

int top_main(int argc, char **argv);
extern const struct option_table top_table;

#endif
