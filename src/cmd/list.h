/* wick list: the events that -e accepts on this machine. */
#ifndef WICK_CMD_LIST_H
#define WICK_CMD_LIST_H

int list_main(int argc, char **argv);
extern const struct option_table list_table;

#endif
