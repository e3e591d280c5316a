/* wick report: what any profiler wrote in, tables for people and programs out. */
#ifndef WICK_CMD_REPORT_H
#define WICK_CMD_REPORT_H

extern const struct option_table report_table;

int report_main(int argc, char **argv);

#endif
