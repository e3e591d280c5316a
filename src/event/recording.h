/*
 * Writes perf.data: the kernel's records as they are, in the order in which
 * they come, but for samples, whose call chain is finished and which have no
 * copies of stacks any more.  Records are packed with zstd, as `perf record
 * -z` does it, and everything is in the byte order of what is copied.
 *
 * Failing to write shows at recording_close(), where the file gets its name.
 */
#ifndef WICK_EVENT_RECORDING_H
#define WICK_EVENT_RECORDING_H

#include "base/error.h"
#include "event/event.h"
#include "event/perf_file.h"

struct recording;

struct recording *recording_new(const char *path, struct error *e);

/* In what order its bytes are; that of this machine until this is called, before all else. */
void recording_order(struct recording *r, enum byte_order order);

/* One more event: its perf_event_attr as it was asked for, counted from 0; and ids of its records. */
void recording_add_event(struct recording *r, struct span attr);
void recording_add_ids(struct recording *r, size_t event, struct span ids);
void recording_name_event(struct recording *r, size_t event, struct span name);

/* A record as the kernel or perf wrote it; or one of this event that is not there as bytes. */
void recording_add(struct recording *r, struct span record);
void recording_add_record(struct recording *r, const struct record *record, const struct attr *a);

/* A sample that the event of this attr wrote, with another call chain: see enum chain_end. */
void recording_add_sample(struct recording *r, const struct record *sample, const struct attr *a,
			  const struct words *chain);

/*
 * The same for one that is cut off and may still get a root, which is asked for by its ticket (not 0).  It waits for
 * that, and so does all that comes behind it: as much as RECORDING_HELD_MAX bytes.
 */
void recording_add_open_sample(struct recording *r, const struct record *sample,
			       const struct attr *a, const struct words *chain, uint32_t ticket);

enum {
	/* Past this, what waits is written as it is. */
	RECORDING_HELD_MAX = 64 * 1024 * 1024,
};

/* The address of a ticket's root; false: it has none. */
typedef bool recording_root(void *arg, uint32_t ticket, uint64_t *pc);

/* All is known by now: what waits gets its roots and is written. */
void recording_settle(struct recording *r, recording_root *root, void *arg);

/* A fact about the whole as the file has it, of perf's numbers; the last one counts. */
void recording_set_feature(struct recording *r, unsigned feature, struct span bytes);

/* … made of rows: one more of them. */
void recording_add_feature(struct recording *r, unsigned feature, struct span bytes);

/* The same for those who have not read but recorded: a text, the words of a command line, processors, a build-id; and what
 * the clock of the samples (one of CLOCK_*) showed at some time of the day, both in ns. */
void recording_set_text(struct recording *r, unsigned feature, struct span text);
void recording_set_command(struct recording *r, const char *const *word, size_t nr);
void recording_set_cpus(struct recording *r, uint32_t nr_there, uint32_t nr_online);
void recording_add_build_id(struct recording *r, struct span path, struct span build_id,
			    unsigned misc);
void recording_set_clock(struct recording *r, uint32_t clock, uint64_t time_of_day, uint64_t time);

/* How many samples are in it, and of how many the root was cut off: a record has 64 kB. */
uint64_t recording_nr_sample(const struct recording *r);
uint64_t recording_nr_cut(const struct recording *r);

/* Writes the rest; frees it, also after -1. */
int recording_close(struct recording *r, struct error *e);

/* Frees it, and leaves no file. */
void recording_drop(struct recording *r);

/* recording_attr.c: what is asked for in a recording of finished chains: sample types, and all of an attr. */
uint64_t attr_finished_type(const struct attr *a);
void attr_finish(struct span from, char *to, enum byte_order order);

#endif
