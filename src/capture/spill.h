/*
 * When the distinct stacks of a recording reach their memory limit, further samples are written to
 * a perf.data file beside the first output.
 */
#ifndef WICK_CAPTURE_SPILL_H
#define WICK_CAPTURE_SPILL_H

#include "capture/capture.h"
#include "write/output_file.h"

struct spill {
	/* Set by the caller: the first output, and the owner of the files. */
	const char *beside;
	uid_t owner;
	gid_t owner_group;
	/* Private: */
	char *path; /* NULL: nothing was spilled */
	struct output_file file;
	struct recording *data; /* while it is written; or NULL */
};

enum {
	/* Memory limit for the stacks of a recording, without --memory. */
	RECORD_MEMORY_DEFAULT = 512 * 1024 * 1024,
};

/* "512M", "100k", "2G": bytes. */
int record_memory_parse(const char *text, size_t *bytes, struct error *e);

/* A capture_spill; the argument is a struct spill. */
struct recording *spill_open(void *spill, struct error *e);

/* Finishes the file, if there is one, and gives it its name. */
int spill_finish(struct spill *s, const struct profile *p, struct error *e);
void spill_release(struct spill *s);

#endif
