/*
 * perf.data: what `perf record` writes.  A file has a header that leads to sections:
 * events, features and records.  A pipe has records only, some of which take the place
 * of these sections.  The parts:
 *
 *	perf_feed       the input as a sequence of bytes
 *	perf_data       cuts it into records, and handles those of perf itself (USER_…)
 *	perf_contents   the header of a file, its events and features
 *	perf_kernel     the kernel's records: sorted by time, then handed to ingest/
 */
#ifndef WICK_READ_PERF_DATA_H
#define WICK_READ_PERF_DATA_H

#include "event/attrs.h"
#include "event/deferred.h"
#include "event/perf_file.h"
#include "event/queue.h"
#include "event/readings.h"
#include "ingest/ingest.h"
#include "read/build.h"
#include "read/perf_feed.h"

struct perf_unpack;

struct perf_data {
	struct build *b;
	enum byte_order order;
	struct attrs attrs; /* the recorded events, with the ids that records name them by */
	uint32_t *event;    /* by attr: the event of the profile; NO_EVENT: not made yet */
	size_t nr_event;
	struct queue queue;
	struct deferred deferred;
	struct readings readings;
	struct ingest ingest;
	struct perf_feed feed;
	struct perf_unpack *unpack; /* NULL until the first compressed record */
	uint64_t nr_record;	    /* the number of the record being read, from 1 */
	uint64_t time;		    /* of the kernel's record that was read last: ns */
	/* One moment, by the clock of the records (then) and by UTC since 1970 (wall): ns; 0: unknown. */
	struct {
		uint64_t then, wall;
	} clock;
	/*
	 * A record of the kernel was read.  No event may be declared after that: it could change
	 * which event the records before it belong to.
	 */
	bool is_declared;
};

/* Notes something wrong with the record being read; with strict reading that is an error (-1). */
int perf_data_note(struct perf_data *d, enum note_code code, const char *what, struct error *e);

/* Adds an event, as a perf_event_attr; adds ids to the event that was added last. */
bool perf_data_add_attr(struct perf_data *d, struct span bytes);
void perf_data_add_ids(struct perf_data *d, struct span bytes);

/*
 * perf_contents.c: reads the events and features of a file.  f is its header behind magic and size;
 * sets *records to where the records are.
 */
struct perf_section {
	uint64_t offset, size;
};
int perf_contents_read(struct perf_data *d, struct fields *f, struct perf_section *records,
		       struct error *e);

enum {
	/* A larger section is not read: those that we need have far less. */
	PERF_SECTION_MAX = 64 * 1024 * 1024,
};

/*
 * perf_kernel.c: queues a record of the kernel; ingests one whose turn in the order of time has come
 * (a queue's callback: arg is the perf_data); ingests all that still wait.
 */
int perf_kernel_record(struct perf_data *d, struct span bytes, struct error *e);
int perf_kernel_turn(void *arg, struct span bytes, struct error *e);
int perf_kernel_end(struct perf_data *d, struct error *e);

/* perf_features.c: a feature of the recording (host, command line, …), by perf's HEADER_… number. */
void perf_feature(struct perf_data *d, unsigned feature, struct span bytes);

/* … and one row of the feature of build-ids, which in a pipe is a record. */
void perf_build_id(struct perf_data *d, struct span record);

/* perf_files.c: notes files without a build-id that may have changed since the recording. */
void perf_check_files(struct perf_data *d);

/* perf_unpack.c: decompresses records, and hands them to perf_data_record(). */
int perf_unpack(struct perf_data *d, struct span packed, struct error *e);
void perf_unpack_free(struct perf_unpack *u);

/* perf_copy.c: with read_opts.copy, writes what is read into another recording; else nothing. */
void perf_copy_begin(struct perf_data *d);
void perf_copy_attr(struct perf_data *d, struct span bytes);
void perf_copy_ids(struct perf_data *d, struct span bytes);
void perf_copy_feature(struct perf_data *d, unsigned feature, struct span bytes);
void perf_copy_build_id(struct perf_data *d, struct span record);
void perf_copy_user_record(struct perf_data *d, struct span bytes, uint32_t type);
void perf_copy_record(struct perf_data *d, struct span bytes, const struct record *r,
		      const struct attr *a);
void perf_copy_end(struct perf_data *d);

/* perf_folder.c: the files of `perf record --threads` beside the input, one of each thread. */
int perf_folder_read(struct perf_data *d, struct error *e);

/*
 * perf_resync.c: skips damaged bytes up to the next record; false when there is none.  *passed is how
 * many were skipped.
 */
bool perf_resync(struct perf_data *d, uint64_t *passed);

/* Can this be the header of a record: is its type known, and its size plausible? */
bool perf_is_header(struct record_header h);

/* Reads the next record of the feed.  1: there may be more; 0: it has ended; -1: error. */
int perf_data_next(struct perf_data *d, struct error *e);

/* Handles one whole record, of the kernel or of perf itself. */
int perf_data_record(struct perf_data *d, struct span bytes, struct error *e);

#endif
