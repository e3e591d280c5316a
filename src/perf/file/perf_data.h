/*
 * perf.data: what `perf record` writes.  A file has a header that points to sections: events,
 * features and records.  A pipe has records only, some of which replace these sections.  The parts:
 *
 *	file_feed       the input as a sequence of bytes
 *	perf_data       splits it into records, and handles those of perf itself (USER_…)
 *	file_contents   the header of a file, its events and features
 *	file_order      the kernel's records: sorted by time, then passed to ingest/
 *	file_sched      samples of the scheduler's tracepoints, as waits
 *	file_waits      samples of waits that perf does not see
 */
#ifndef WICK_PERF_FILE_PERF_DATA_H
#define WICK_PERF_FILE_PERF_DATA_H

#include "ingest/ingest.h"
#include "perf/attrs.h"
#include "perf/deferred.h"
#include "perf/file/file_feed.h"
#include "perf/file/perf_file.h"
#include "perf/queue.h"
#include "perf/readings.h"
#include "read/build.h"

struct perf_unpack;

/* The meaning of a scheduler tracepoint: see file_sched.c. */
enum sched_says { SCHED_NOTHING, SCHED_SWITCH, SCHED_WAKE };

struct perf_data {
	struct build *b;
	enum byte_order order;
	struct attrs attrs; /* the recorded events, with the IDs by which records refer to them */
	uint32_t *event;    /* by attr: the event of the profile; NO_EVENT: not added yet */
	size_t nr_event;
	struct queue queue;
	struct deferred deferred;
	struct readings readings;
	struct ingest ingest;
	struct perf_feed feed;
	bool has_end;		    /* the header says where the records end */
	struct perf_unpack *unpack; /* NULL until the first compressed record */
	uint64_t nr_record;	    /* the number of the record being read, from 1 */
	uint64_t time;		    /* of the kernel record read last: ns */
	/* One moment by the records' clock (then) and since 1970 (wall): ns; 0: unknown. */
	struct {
		uint64_t then, wall;
	} clock;
	/*
	 * A kernel record was read.  No event may be declared after that: it could change which
	 * event earlier records belong to.
	 */
	bool is_declared;
	/* The records of file_waits.c; those before the offset `at` were queued. */
	struct {
		struct strbuf bytes;
		size_t at;
	} hidden;
	struct {
		bool is_known;	       /* perf_sched_begin() was called: nr and says are set */
		enum sched_says *says; /* by attr */
		size_t nr;	       /* 0: not a recording of `perf sched` */
	} sched;
};

/* Adds a note about the record being read; with --strict that is an error (-1). */
int perf_data_note(struct perf_data *d, enum note_code code, const char *what, struct error *e);

/* Adds an event, as a perf_event_attr; adds IDs to the event that was added last. */
bool perf_data_add_attr(struct perf_data *d, struct span bytes);
void perf_data_add_ids(struct perf_data *d, struct span bytes);

/*
 * file_contents.c: reads the events and features of a file.  f is its header after magic and size;
 * sets *records to where the records are.
 */
struct perf_section {
	uint64_t offset, size;
};
int perf_contents_read(struct perf_data *d, struct fields *f, struct perf_section *records,
		       struct error *e);

enum {
	/* Larger sections are ignored: those that are used are far smaller. */
	PERF_SECTION_MAX = 64 * 1024 * 1024,
};

/*
 * file_order.c: queues a kernel record; ingests one when its turn by time has come (the sink of the
 * queue: arg is the perf_data); ingests all that still wait.
 */
int perf_kernel_record(struct perf_data *d, struct span bytes, struct error *e);
int perf_kernel_turn(void *arg, struct span bytes, struct error *e);
int perf_kernel_end(struct perf_data *d, struct error *e);

/*
 * file_sched.c: turns the samples of `perf sched record` into waits, too.  perf_sched_begin() is
 * called when all events are known, before the first sample.
 */
void perf_sched_begin(struct perf_data *d);
int perf_sched_sample(struct perf_data *d, const struct record *r, int attr, struct error *e);

/*
 * file_features.c: a feature of the recording (host, command line, …), by perf's HEADER_… number.
 */
void perf_feature(struct perf_data *d, unsigned feature, struct span bytes);

/* … and one row of the build-ID feature, which is a record in a pipe. */
void perf_build_id(struct perf_data *d, struct span record);

/*
 * file_waits.c: reads the section of waits that perf does not see; queues those up to a time;
 * returns whether a record is from that section.
 */
void perf_waits_read(struct perf_data *d, struct span bytes);
int perf_waits_queue(struct perf_data *d, uint64_t time, struct error *e);
bool perf_waits_has(const struct perf_data *d, struct span record);

/* file_series.c: the series of the system, a feature of wick's own. */
void perf_series_read(struct perf_data *d, struct span bytes);

/*
 * file_age.c: adds notes about files without a build ID that may have changed since the recording.
 */
void perf_check_files(struct perf_data *d);

/* file_unpack.c: decompresses records, and passes them to perf_data_record(). */
int perf_unpack(struct perf_data *d, struct span packed, struct error *e);
void perf_unpack_free(struct perf_unpack *u);

/*
 * file_copy.c: with read_opts.copy, writes the input to another recording; otherwise, these do
 * nothing.
 */
void perf_copy_begin(struct perf_data *d);
void perf_copy_attr(struct perf_data *d, struct span bytes);
void perf_copy_ids(struct perf_data *d, struct span bytes);
void perf_copy_feature(struct perf_data *d, unsigned feature, struct span bytes);
void perf_copy_build_id(struct perf_data *d, struct span record);
void perf_copy_user_record(struct perf_data *d, struct span bytes, uint32_t type);
void perf_copy_record(struct perf_data *d, struct span bytes, const struct record *r,
		      const struct attr *a);
void perf_copy_end(struct perf_data *d);

/* file_folder.c: the files of `perf record --threads` beside the input, one for each thread. */
int perf_folder_read(struct perf_data *d, struct error *e);

/*
 * file_resync.c: skips corrupt bytes up to the next record; false if there is none.  *passed is the
 * number of skipped bytes.
 */
bool perf_resync(struct perf_data *d, uint64_t *passed);

/* Can this be the header of a record: is its type known, and its size plausible? */
bool perf_is_header(struct record_header h);

/* Reads the next record of the feed.  1: there may be more; 0: it has ended; -1: error. */
int perf_data_next(struct perf_data *d, struct error *e);

/* Handles one complete record, of the kernel or of perf itself. */
int perf_data_record(struct perf_data *d, struct span bytes, struct error *e);

#endif
