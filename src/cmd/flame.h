/* wick flame: draws a profile in any format as a flame graph. */
#ifndef WICK_CMD_FLAME_H
#define WICK_CMD_FLAME_H

#include "load/load.h"
#include "render/draw.h"
#include "write/sink.h"

struct flame_opts {
	struct load_opts in;
	struct choose_opts choose;
	struct draw_opts draw;
	bool draw_empty; /* if there are no stacks, draw a picture that says so */
	const struct sink *output;
	size_t nr_output;
};

struct flame_result {
	struct load_result in;
	struct chosen chosen;
	struct draw_opts draw; /* the settings used: a comparison changes some of them */
	struct drawing *drawing;
	struct drawn drawn;
};

/*
 * All steps: reads, draws and writes.  Prints no messages.  The result must be released, even after
 * -1.
 */
int flame(const struct flame_opts *o, struct flame_result *r, struct error *e);
void flame_release(struct flame_result *r);

/* Reports the file that was written, and its contents. */
void flame_print_written(const struct sink *to, const struct draw_opts *o, const struct profile *p,
			 const struct drawn *drawn);

int flame_main(int argc, char **argv);
extern const struct option_table flame_table;

#endif
