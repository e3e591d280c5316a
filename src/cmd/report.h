/* wick report: what any profiler wrote in, tables for people and programs out. */
#ifndef WICK_CMD_REPORT_H
#define WICK_CMD_REPORT_H

int report_main(int argc, char **argv);

#endif
