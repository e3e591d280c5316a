/* wick record: a program in, its flame graph out. */
#ifndef WICK_CMD_RECORD_H
#define WICK_CMD_RECORD_H

int record_main(int argc, char **argv);
extern const struct option_table record_table;

#endif
