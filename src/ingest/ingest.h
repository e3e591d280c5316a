/*
 * Turns records into a profile.  Records of processes and mappings (process.h) say which process a
 * sample belongs to, and which file each address of its call chain is in.  An address becomes an
 * offset in that file, so that runs with different load addresses have the same frames.
 */
#ifndef WICK_INGEST_INGEST_H
#define WICK_INGEST_INGEST_H

#include "base/error.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "ingest/chain.h"
#include "ingest/dumps.h"
#include "ingest/file_changes.h"
#include "ingest/late_root.h"
#include "ingest/locks.h"
#include "ingest/prefix_cache.h"
#include "ingest/process.h"
#include "ingest/sample_labels.h"
#include "ingest/stacks.h"
#include "ingest/truncated.h"
#include "ingest/waits.h"
#include "perf/event.h"
#include "profile/profile.h"

struct ingest {
	struct profile *p;
	struct processes processes;
	struct stacks stacks;
	struct truncated truncated;
	struct chain chain; /* of the last sample, for writing it to a file */
	struct prefix_cache prefixes;
	struct dumps dumps;
	struct waits waits;
	struct locks locks;
	struct files files;
	struct map kernel; /* the mapping of the kernel's own code; end 0: not recorded */
	/* Set by the caller after ingest_init(), like stacks.image: */
	struct late_root beyond; /* with read() set: a live recording */
	bool chains_only;	 /* only build chains; samples are not added to the profile */
	bool keeps_labels;	 /* samples have labels: the CPU, and how many threads ran */
	bool times_only;	 /* samples without a time are counted, but are not ticks */
	struct sample_labels labels;
	/* ingest_build_id(): build IDs by the number of the path in `paths` */
	struct intern paths;
	struct span *build_id;
	size_t nr_build_id, cap_build_id;
	struct arena arena; /* their bytes */
	/* of the current sample, from the leaf, without the frames in the prefix cache */
	frame_id *frame;
	size_t nr, cap;
};

void ingest_init(struct ingest *g, struct profile *p);
void ingest_release(struct ingest *g);

/* The file with that path had this build ID (bytes): used for mappings without one. */
void ingest_build_id(struct ingest *g, struct span path, struct span build_id);

/* Is it a mapping of generated code, whose symbols are only in the map of a JIT compiler? */
bool ingest_is_generated(const struct record *r);

/* Processes one record, in order of time.  event: for a sample, its event in the profile. */
int ingest_record(struct ingest *g, const struct record *r, const struct attr *a, uint32_t event,
		  struct error *e);

/* The same for a wait record that a recorder has made from a sample of another event. */
int ingest_wait(struct ingest *g, const struct record *r, const struct attr *a,
		const struct wait_record *own, struct error *e);

/*
 * known_processes.c: the current names and mappings of all processes as records without times, for
 * a file that begins in the middle of a recording.  Their bytes are valid until the sink returns.
 */
typedef void ingest_sink(void *arg, const struct record *r);
void ingest_known(const struct ingest *g, ingest_sink *sink, void *arg);

/* The build ID of a module as bytes, in `to`, which has room for BUILD_ID_MAX; empty if unknown. */
struct span ingest_build_id_of(const struct profile *p, module_id m, char *to);

/*
 * A recording_root: the root of the chains of a ticket, to be called when there are no more
 * records.
 */
bool ingest_root(void *ingest, uint32_t ticket, uint64_t *pc);

/* To be called after the last record: gives truncated stacks their roots, and adds notes. */
void ingest_finish(struct ingest *g);

/* For a recording made earlier: adds notes about files that may have changed since. */
void ingest_check_files(struct ingest *g, const struct files_recorded *r);

#endif
