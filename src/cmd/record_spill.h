/*
 * When the distinct stacks of a recording take as much memory as they may, further
 * samples are written to a perf.data file beside the first output.
 */
#ifndef WICK_CMD_RECORD_SPILL_H
#define WICK_CMD_RECORD_SPILL_H

#include "cmd/capture.h"
#include "cmd/outputs.h"

struct record_spill {
	/* Set by the caller: the first output, and whose the files are. */
	const char *beside;
	uid_t owner;
	gid_t owner_group;
	/* Its own. */
	char *path; /* NULL: nothing was spilled */
	struct output_file file;
	struct recording *data; /* while it is written; or NULL */
};

enum {
	/* How much memory the stacks of a recording may take, without --memory. */
	RECORD_MEMORY_DEFAULT = 512 * 1024 * 1024,
};

/* "512M", "100k", "2G": bytes. */
int record_memory_parse(const char *text, size_t *bytes, struct error *e);

/* A capture_spill; the argument is a struct record_spill. */
struct recording *record_spill_open(void *spill, struct error *e);

/* Ends the file, and puts it in its place, if there is one. */
int record_spill_finish(struct record_spill *s, const struct profile *p, struct error *e);
void record_spill_release(struct record_spill *s);

#endif
