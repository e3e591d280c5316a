/*
 * Events in, profile out: who was running (process.h), and what the addresses
 * of a call chain are addresses of.  An address becomes a place in its module's
 * file, so that runs whose libraries lay elsewhere are one.
 */
#ifndef WICK_INGEST_INGEST_H
#define WICK_INGEST_INGEST_H

#include "base/error.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "event/event.h"
#include "ingest/beyond.h"
#include "ingest/chain.h"
#include "ingest/cuts.h"
#include "ingest/dumps.h"
#include "ingest/files.h"
#include "ingest/process.h"
#include "ingest/stacks.h"
#include "ingest/ways.h"
#include "profile/cpu_labels.h"
#include "profile/profile.h"

struct ingest {
	struct profile *p;
	struct processes processes;
	struct stacks stacks;
	struct cuts cuts;
	struct beyond beyond; /* whose read() is set by whoever records */
	struct chain chain;   /* of the last sample: for those who write it down */
	bool chains_only;     /* nothing else is wanted of samples: the profile does not get them */
	bool keeps_cpus;      /* samples have the processor as a label */
	struct cpu_labels cpus;
	bool times_only; /* samples without a time are counted and are no ticks */
	struct dumps dumps;
	struct files files;
	struct intern paths; /* with a build-id that was told beforehand, by number: */
	struct span *build_id;
	size_t nr_build_id, cap_build_id;
	struct arena arena;
	struct map kernel; /* the kernel's own code, as recorded */
	struct ways ways;
	frame_id *frame; /* of the sample: those that no way had */
	size_t nr, cap;
};

void ingest_init(struct ingest *g, struct profile *p);
void ingest_release(struct ingest *g);

/* The file of that path had this build-id (as bytes), when the recording does not tell with its mappings. */
void ingest_build_id(struct ingest *g, struct span path, struct span build_id);

/* One record, in the order of time, of that event of the profile. */
int ingest_record(struct ingest *g, const struct record *r, const struct attr *a, uint32_t event,
		  struct error *e);

/*
 * known.c: what is known of processes by now, as records without times; their bytes are good until the call
 * returns.
 */
typedef void ingest_sink(void *arg, const struct record *r);
void ingest_known(const struct ingest *g, ingest_sink *sink, void *arg);

/* The build-id of a module as bytes, in `to`, which has room for BUILD_ID_MAX; empty where it is not known. */
struct span ingest_build_id_of(const struct profile *p, module_id m, char *to);

/* A recording_root, of the ticket that a chain had; when there are no more records. */
bool ingest_root(void *ingest, uint32_t ticket, uint64_t *pc);

/* There are no more: notes what is known only then. */
void ingest_finish(struct ingest *g);

/* … and for a recording that was made some time ago, which files may be others by now. */
void ingest_check_files(struct ingest *g, const struct files_recorded *r);

#endif
