/* wick annotate: the cost of each line or instruction of a function. */
#ifndef WICK_CMD_ANNOTATE_ANNOTATE_H
#define WICK_CMD_ANNOTATE_ANNOTATE_H

int annotate_main(int argc, char **argv);
extern const struct option_table annotate_table;

#endif
