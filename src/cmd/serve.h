/* wick serve: shows a profile in the browser. */
#ifndef WICK_CMD_SERVE_H
#define WICK_CMD_SERVE_H

int serve_main(int argc, char **argv);
extern const struct option_table serve_table;

#endif
