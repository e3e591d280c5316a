/* wick stat: counts events, time and memory of a command. */
#ifndef WICK_CMD_STAT_STAT_H
#define WICK_CMD_STAT_STAT_H

int stat_main(int argc, char **argv);
extern const struct option_table stat_table;

#endif
