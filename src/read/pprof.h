/* What the samples of a pprof profile speak of by number: strings, functions, locations. */
#ifndef WICK_READ_PPROF_H
#define WICK_READ_PPROF_H

#include "base/intern.h"
#include "base/strbuf.h"
#include "read/build.h"

/* Messages that others speak of by number. */
struct pprof_table {
	struct intern ids;
	struct span *message;
	size_t nr, cap;
};

struct pprof_tables {
	struct build *b;
	struct span *string;
	size_t nr_string, cap_string;
	struct pprof_table mappings, functions, locations;
	frame_id *frame; /* by location, once it has one */
	bool *has_frame;
	struct strbuf text;
};

void pprof_table_add(struct pprof_table *t, struct span message);

/* All locations are there: frames can be asked for. */
void pprof_tables_end(struct pprof_tables *t);
void pprof_tables_release(struct pprof_tables *t);

/* Empty where there is none of that number. */
struct span pprof_string(const struct pprof_tables *t, uint64_t i);

/* A location that nobody described is called by its number. */
frame_id pprof_frame(struct pprof_tables *t, uint64_t id);

#endif
