/* wick convert: what any profiler wrote in, a file of another kind out. */
#ifndef WICK_CMD_CONVERT_H
#define WICK_CMD_CONVERT_H

int convert_main(int argc, char **argv);
extern const struct option_table convert_table;

#endif
