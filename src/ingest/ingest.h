/*
 * Records in, profile out.  Records of processes and mappings (process.h) say
 * whose a sample is, and which file each address of its call chain is in.  An
 * address becomes an offset in that file, so that runs whose libraries were
 * loaded elsewhere have the same frames.
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
	struct chain chain; /* of the last sample, for whoever writes it to a file */
	struct ways ways;
	struct dumps dumps;
	struct files files;
	struct map kernel; /* the mapping of the kernel's own code; end 0: not recorded */
	/* Set by the caller after ingest_init(), as is stacks.image: */
	struct beyond beyond; /* its read(), by a recorder */
	bool chains_only; /* samples are not put into the profile: only their chains are wanted */
	bool keeps_cpus;  /* samples have the processor as a label */
	bool times_only;  /* samples without a time are counted, but are no ticks */
	struct cpu_labels cpus;
	/* ingest_build_id(): build-ids by the number that the path has in `paths` */
	struct intern paths;
	struct span *build_id;
	size_t nr_build_id, cap_build_id;
	struct arena arena; /* their bytes */
	frame_id *frame; /* of the current sample, from the leaf, without those that its way has */
	size_t nr, cap;
};

void ingest_init(struct ingest *g, struct profile *p);
void ingest_release(struct ingest *g);

/* The file of that path had this build-id (bytes): used for mappings that have none with them. */
void ingest_build_id(struct ingest *g, struct span path, struct span build_id);

/* Takes one record, in the order of time.  event: for a sample, its event in the profile. */
int ingest_record(struct ingest *g, const struct record *r, const struct attr *a, uint32_t event,
		  struct error *e);

/*
 * known.c: the names and mappings of all processes as they are known by now, as records without
 * times, for a file that begins in the middle of a recording.  Their bytes are good until the sink
 * returns.
 */
typedef void ingest_sink(void *arg, const struct record *r);
void ingest_known(const struct ingest *g, ingest_sink *sink, void *arg);

/* The build-id of a module as bytes, in `to`, which has room for BUILD_ID_MAX; empty where it is not known. */
struct span ingest_build_id_of(const struct profile *p, module_id m, char *to);

/* A recording_root: the root of the chains of a ticket.  When there are no more records. */
bool ingest_root(void *ingest, uint32_t ticket, uint64_t *pc);

/* There are no more records: puts cut stacks into their places, and notes what is missing. */
void ingest_finish(struct ingest *g);

/* For a recording that was made earlier: notes which files may have changed since. */
void ingest_check_files(struct ingest *g, const struct files_recorded *r);

#endif
