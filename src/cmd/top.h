/* wick top: where the time of what runs goes, while it runs. */
#ifndef WICK_CMD_TOP_H
#define WICK_CMD_TOP_H

int top_main(int argc, char **argv);
extern const struct option_table top_table;

#endif
