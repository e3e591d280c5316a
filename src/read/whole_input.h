/*
 * For formats whose parts refer to later ones: the whole input in memory, valid as long as its source.
 * It is mapped if it is large, so its pages can be freed once they were read.
 */
#ifndef WICK_READ_WHOLE_INPUT_H
#define WICK_READ_WHOLE_INPUT_H

#include "read/build.h"
#include "read/json_walk.h"

struct whole {
	struct source *source;
	struct span all;
	const char *passed; /* pages before this are freed */
};

int whole_open(struct whole *w, struct build *b, struct error *e);

/* Visits the members of the input, a JSON object; of a truncated one, those that are complete. */
int whole_json(struct whole *w, struct build *b, json_member_fn *member, void *arg,
	       struct error *e);

/*
 * To be called when the reader has passed this position: frees the pages before it, occasionally.  A
 * second pass may begin anywhere.
 */
void whole_passed(struct whole *w, const void *where);

#endif
