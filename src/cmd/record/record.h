/* wick record: records a command or a running target. */
#ifndef WICK_CMD_RECORD_RECORD_H
#define WICK_CMD_RECORD_RECORD_H

int record_main(int argc, char **argv);
extern const struct option_table record_table;

#endif
