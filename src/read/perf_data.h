/*
 * perf.data: what `perf record` writes, in a file with a table of contents or
 * down a pipe.  Between both are the same records; perf_data.c puts the parts
 * below together.
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
	struct attrs attrs;
	uint32_t *event; /* of the profile, by attr; NO_EVENT: not yet */
	size_t nr_event;
	struct queue queue;
	struct deferred deferred;
	struct readings readings;
	struct ingest ingest;
	struct perf_feed feed;
	struct perf_unpack *unpack; /* NULL until the first packed record */
	uint64_t nr_record;	    /* the one being read, from 1 */
	uint64_t time;		    /* of the kernel's latest one */
	struct {
		uint64_t then, wall; /* what its clock said when, in ns since 1970; 0: not told */
	} clock;
	/*
	 * One of the kernel's was read: recorders have told of all events by then.  One that came later
	 * would change whose the records before it are.
	 */
	bool is_declared;
};

/* Something in the record that is being read is not as it should be: counted, or with strict reading an error. */
int perf_data_note(struct perf_data *d, enum note_code code, const char *what, struct error *e);

/* One more event that the records may be of; ids of the one that was added last. */
bool perf_data_add_attr(struct perf_data *d, struct span bytes);
void perf_data_add_ids(struct perf_data *d, struct span bytes);

/*
 * perf_contents.c: what the header of a file leads to, events and facts about the whole; the rest of the header is f,
 * and *records where they are.
 */
struct perf_section {
	uint64_t offset, size;
};
int perf_contents_read(struct perf_data *d, struct fields *f, struct perf_section *records,
		       struct error *e);

enum {
	/* Sections that are read whole: none that is needed comes near. */
	PERF_SECTION_MAX = 64 * 1024 * 1024,
};

/* perf_kernel.c: a record of the kernel's that was read; one whose turn it is (arg is the perf_data); the rest of them. */
int perf_kernel_record(struct perf_data *d, struct span bytes, struct error *e);
int perf_kernel_turn(void *arg, struct span bytes, struct error *e);
int perf_kernel_end(struct perf_data *d, struct error *e);

/* perf_features.c: a section of facts about the whole, by its number in perf's list. */
void perf_feature(struct perf_data *d, unsigned feature, struct span bytes);

/* … and one row of the table of build-ids, which is a record in a pipe. */
void perf_build_id(struct perf_data *d, struct span record);

/* perf_files.c: which files may be others than those that were recorded. */
void perf_check_files(struct perf_data *d);

/* perf_unpack.c: feeds the records that are packed in one back into perf_data_record(). */
int perf_unpack(struct perf_data *d, struct span packed, struct error *e);
void perf_unpack_free(struct perf_unpack *u);

/* perf_copy.c: what is read is written again where somebody asked for that, see read_opts.copy. */
void perf_copy_begin(struct perf_data *d);
void perf_copy_attr(struct perf_data *d, struct span bytes);
void perf_copy_ids(struct perf_data *d, struct span bytes);
void perf_copy_feature(struct perf_data *d, unsigned feature, struct span bytes);
void perf_copy_build_id(struct perf_data *d, struct span record);
void perf_copy_user_record(struct perf_data *d, struct span bytes, uint32_t type);
void perf_copy_record(struct perf_data *d, struct span bytes, const struct record *r,
		      const struct attr *a);
void perf_copy_end(struct perf_data *d);

/* perf_folder.c: what the threads of a recorder wrote, each into a file of its own beside the first. */
int perf_folder_read(struct perf_data *d, struct error *e);

/*
 * perf_resync.c: goes on to where records begin again, past bytes that make no sense; false when they do nowhere.
 * A header that can be one is of a type that is known, and of a size that can be.
 */
bool perf_resync(struct perf_data *d, uint64_t *passed);
bool perf_is_header(struct record_header h);

/* The next record of the feed.  1: there may be more; 0: that was the last one. */
int perf_data_next(struct perf_data *d, struct error *e);

/* One record, of the kernel's or of perf's own. */
int perf_data_record(struct perf_data *d, struct span bytes, struct error *e);

#endif
