/* wick stat: a program in, what it took out. */
#ifndef WICK_CMD_STAT_H
#define WICK_CMD_STAT_H

int stat_main(int argc, char **argv);
extern const struct option_table stat_table;

#endif
