/* wick report: prints a profile as tables and trees, for people and programs. */
#ifndef WICK_CMD_REPORT_REPORT_H
#define WICK_CMD_REPORT_REPORT_H

extern const struct option_table report_table;

int report_main(int argc, char **argv);

#endif
