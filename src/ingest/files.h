/*
 * Files of which a recording has no build-id: is what is here under their paths what was recorded?  That cannot be
 * proved, but what the recording and the file tell of each other may speak against it.
 */
#ifndef WICK_INGEST_FILES_H
#define WICK_INGEST_FILES_H

#include "event/event.h"
#include "image/image.h"
#include "profile/profile.h"

struct files {
	struct file {
		struct file_identity identity; /* as it was mapped */
		bool several;		       /* there was another one under this path */
	} * file;			       /* by module */
	size_t nr;
};

void files_release(struct files *f);

/* The module was mapped from this file. */
void files_see(struct files *f, module_id module, const struct file_identity *identity);

/* Where and when a recording was made. */
struct files_recorded {
	bool here;	/* on this machine, as far as it tells */
	uint64_t until; /* ns since 1970; 0: not known */
};

enum file_doubt {
	FILE_SAME,	/* nothing was done to it since */
	FILE_UNCERTAIN, /* nothing is known but its path */
	FILE_NEWER,	/* it was written to after the recording */
	FILE_REPLACED,	/* another file has its path by now */
};

struct stat;

/* What is to be thought of the file that is found now. */
enum file_doubt file_doubt(const struct file *file, const struct files_recorded *r,
			   const char *path, const struct stat *now);

/* Notes it for those modules that were used and have no build-id. */
void files_note(const struct files *f, struct profile *p, const bool *used,
		const struct files_recorded *r, const struct image_opts *o);

#endif
