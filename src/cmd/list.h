/* wick list: the events that samples can be taken of. */
#ifndef WICK_CMD_LIST_H
#define WICK_CMD_LIST_H

int list_main(int argc, char **argv);

#endif
