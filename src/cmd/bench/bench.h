/*
 * wick bench: compares the run time of commands, and finds the functions that make the difference.
 */
#ifndef WICK_CMD_BENCH_BENCH_H
#define WICK_CMD_BENCH_BENCH_H

int bench_main(int argc, char **argv);
extern const struct option_table bench_table;

#endif
