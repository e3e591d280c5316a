/* What samples of a pprof profile refer to by ID: strings, functions, locations, mappings. */
#ifndef WICK_READ_PPROF_PPROF_H
#define WICK_READ_PPROF_PPROF_H

#include "base/intern.h"
#include "base/strbuf.h"
#include "read/build.h"

/* Messages of one type, by their ids. */
struct pprof_table {
	struct intern ids;    /* id → index in message */
	struct span *message; /* undecoded bytes, in the input */
	size_t nr, cap;
};

struct pprof_tables {
	struct build *b;
	struct span *string;
	size_t nr_string, cap_string;
	struct pprof_table mappings, functions, locations;
	frame_id *frame; /* by location, if has_frame: created on demand */
	bool *has_frame;
	struct strbuf text;
};

void pprof_table_add(struct pprof_table *t, struct span message);

/* To be called when all messages were added, before pprof_frame(). */
void pprof_tables_end(struct pprof_tables *t);
void pprof_tables_release(struct pprof_tables *t);

/* Entry i of the string table; empty if there is none. */
struct span pprof_string(const struct pprof_tables *t, uint64_t i);

/* The frame of a location id; one without a Location message is named by its id. */
frame_id pprof_frame(struct pprof_tables *t, uint64_t id);

/* wick's name of a unit: ns for nanoseconds. */
struct span pprof_unit(struct span unit);

/* Reads a comment that wick wrote, "measured event: off-cpu", which gives the source of weights. */
void pprof_comment(struct profile *p, uint32_t event, struct span comment);

/* Is a column the number of samples, as opposed to contentions or objects? */
bool pprof_counts_samples(struct span name, struct span unit);

#endif
