/*
 * Writes perf.data.  The kernel's records are written unchanged, in the order in which they are
 * added; samples have a finished call chain instead of a stack copy.  Records are compressed with
 * zstd, as by `perf record -z`.
 *
 * recording_close() reports write errors, and gives the file its name.
 */
#ifndef WICK_PERF_FILE_RECORDING_H
#define WICK_PERF_FILE_RECORDING_H

#include "base/error.h"
#include "perf/event.h"
#include "perf/file/perf_file.h"

struct recording;

struct recording *recording_new(const char *path, struct error *e);

/* The byte order of the file and of all added bytes, by default the host's.  To be called first. */
void recording_order(struct recording *r, enum byte_order order);

/* Adds an event by its perf_event_attr; events are numbered from 0.  IDs are u64s. */
void recording_add_event(struct recording *r, struct span attr);
void recording_add_ids(struct recording *r, size_t event, struct span ids);
void recording_name_event(struct recording *r, size_t event, struct span name);

/*
 * Adds a record as the kernel or perf wrote it; or one that is encoded for the event with that
 * attr.
 */
void recording_add(struct recording *r, struct span record);
void recording_add_record(struct recording *r, const struct record *record, const struct attr *a);

/* Adds a sample of the event with that attr, with a finished call chain: see enum chain_end. */
void recording_add_sample(struct recording *r, const struct record *sample, const struct attr *a,
			  const struct words *chain);

/*
 * The same for a truncated chain, whose root may become known later.  The sample waits for that,
 * and so do all records after it.  recording_settle() requests the root by the ticket (not 0).
 */
void recording_add_open_sample(struct recording *r, const struct record *sample,
			       const struct attr *a, const struct words *chain, uint32_t ticket);

/*
 * file_waits.c: the same for a sample of a wait that only wick reads, not perf.  All of them are
 * kept in memory until the end.
 */
void recording_hide_sample(struct recording *r, const struct record *sample, const struct attr *a,
			   const struct words *chain, uint32_t ticket);
size_t recording_hidden_size(const struct recording *r);

/* Was such a sample added, or the feature section with these samples set? */
bool recording_has_waits(const struct recording *r);

enum {
	/* Limit of bytes of hidden samples that are read; a recorder writes fewer. */
	RECORDING_HIDDEN_MAX = 256 * 1024 * 1024,
	/* If more bytes wait, all are written as they are, without roots. */
	RECORDING_HELD_MAX = 64 * 1024 * 1024,
};

/* The address of the root for a ticket; false: it is still unknown. */
typedef bool recording_root(void *arg, uint32_t ticket, uint64_t *pc);

/* Writes all waiting samples, with the roots that are known; root may be NULL. */
void recording_settle(struct recording *r, recording_root *root, void *arg);

/* Sets the content of a feature section (enum feature), as in another perf.data. */
void recording_set_feature(struct recording *r, unsigned feature, struct span bytes);

/* Appends to a feature section that is a list, such as build IDs. */
void recording_add_feature(struct recording *r, unsigned feature, struct span bytes);

/*
 * Encodes feature sections: a string, the words of a command line, numbers of CPUs, another build
 * ID (misc as in the header of a record: whether it is the kernel's).  recording_set_clock(): the
 * samples' clock (CLOCK_) and the time of day at the same moment, both in ns.
 */
void recording_set_text(struct recording *r, unsigned feature, struct span text);
void recording_set_command(struct recording *r, const char *const *word, size_t nr);
void recording_set_cpus(struct recording *r, uint32_t nr_there, uint32_t nr_online);
void recording_add_build_id(struct recording *r, struct span path, struct span build_id,
			    unsigned misc);
void recording_set_clock(struct recording *r, uint32_t clock, uint64_t time_of_day, uint64_t time);

/* file_series.c: the series of a profile, which only wick reads. */
struct profile;
void recording_set_series(struct recording *r, const struct profile *p);

/* The number of added samples, and of chains that were too long for a record of 64 kB. */
uint64_t recording_nr_sample(const struct recording *r);
uint64_t recording_nr_truncated(const struct recording *r);

/* Completes the file, and frees r, even on errors. */
int recording_close(struct recording *r, struct error *e);

/* Frees r without leaving a file. */
void recording_drop(struct recording *r);

/*
 * recording_attr.c: sample_type, and the whole perf_event_attr, of an event with finished chains:
 * as if it had recorded call chains, without registers and stacks.
 */
uint64_t attr_finished_type(const struct attr *a);
void attr_finish(struct span from, char *to, enum byte_order order);

#endif
