/*
 * Files of which a recording has no build-id: is the file that has the path now the one that was
 * recorded?  That cannot be proved, but inodes and times may show that it is not.
 */
#ifndef WICK_INGEST_FILES_H
#define WICK_INGEST_FILES_H

#include "event/event.h"
#include "image/image.h"
#include "profile/profile.h"

struct files {
	struct file {
		struct file_identity identity; /* device and inode, as it was last mapped */
		bool several;		       /* another inode was mapped under this path */
	} * file;			       /* by module */
	size_t nr;
};

void files_release(struct files *f);

/* A mapping record says that the module was this file. */
void files_see(struct files *f, module_id module, const struct file_identity *identity);

/* Where and when a recording was made. */
struct files_recorded {
	bool here;	/* on this machine, as far as can be told */
	uint64_t until; /* when it ended: ns since 1970; 0: not known */
};

enum file_doubt {
	FILE_SAME,	/* it was not changed since */
	FILE_UNCERTAIN, /* only the path is the same for sure */
	FILE_NEWER,	/* it was written to after the recording */
	FILE_REPLACED,	/* another file has the path now */
};

struct stat;

/* Compares what was recorded with the file that has the path now. */
enum file_doubt file_doubt(const struct file *file, const struct files_recorded *r,
			   const char *path, const struct stat *now);

/* Notes the doubts about all modules that were used and have no build-id. */
void files_note(const struct files *f, struct profile *p, const bool *used,
		const struct files_recorded *r, const struct image_opts *o);

#endif
