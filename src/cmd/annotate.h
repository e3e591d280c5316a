/* wick annotate: what each line or instruction of a function took. */
#ifndef WICK_CMD_ANNOTATE_H
#define WICK_CMD_ANNOTATE_H

int annotate_main(int argc, char **argv);
extern const struct option_table annotate_table;

#endif
