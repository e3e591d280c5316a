/*
 * Files without a build ID in the recording: is the file that has the path now the one that was
 * recorded?  That cannot be proved, but inodes and times may show that it is not.
 */
#ifndef WICK_INGEST_FILE_CHANGES_H
#define WICK_INGEST_FILE_CHANGES_H

#include "image/image.h"
#include "perf/event.h"
#include "profile/profile.h"

struct files {
	struct file {
		struct file_identity identity; /* device and inode of its last mapping */
		bool several;		       /* another inode was mapped under this path */
	} * file;			       /* by module */
	size_t nr;
};

void files_release(struct files *f);

/* To be called for each mapping record: the module was this file. */
void files_see(struct files *f, module_id module, const struct file_identity *identity);

/* Where and when a recording was made. */
struct files_recorded {
	bool here;	/* on this machine, as far as known */
	uint64_t until; /* when it ended: ns since 1970; 0: unknown */
};

enum file_doubt {
	FILE_SAME,	/* it has not changed since */
	FILE_UNCERTAIN, /* only the path is known to be the same */
	FILE_NEWER,	/* it was modified after the recording */
	FILE_REPLACED,	/* the path is another file now */
};

struct stat;

/* Compares the recorded identity with the file that has the path now. */
enum file_doubt file_doubt(const struct file *file, const struct files_recorded *r,
			   const char *path, const struct stat *now);

/* Adds notes about all used modules without a build ID that may have changed. */
void files_note(const struct files *f, struct profile *p, const bool *used,
		const struct files_recorded *r, const struct image_opts *o);

#endif
