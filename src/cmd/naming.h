/* How the commands find the names of what was recorded as addresses. */
#ifndef WICK_CMD_NAMING_H
#define WICK_CMD_NAMING_H

#include "base/error.h"
#include "base/strbuf.h"
#include "cli/progress.h"
#include "image/image.h"
#include "profile/profile.h"

struct naming {
	const char *symfs;     /* the files are below this folder; NULL: where they were */
	const char *debug_dir; /* also look there for debug files; NULL: nowhere */
	bool no_inline;	       /* the names of symbols will do */
	/* As image_opts has them. */
	char *(*kept)(void *arg, struct span path, struct span build_id);
	void *kept_arg;
};

/* The rows of a command's table, where `field` is its naming; with AT() as every command has it. */
#define NAMING_OPTIONS(field) \
	{ "symfs", \
	  0, \
	  OPTION_STRING, \
	  AT(field.symfs), \
	  "DIR", \
	  "look for programs and libraries below DIR (perf.data)", \
	  0 }, \
		{ "no-inline", \
		  0, \
		  OPTION_FLAG, \
		  AT(field.no_inline), \
		  NULL, \
		  "leave out calls that were inlined, and lines of the source (perf.data)", \
		  0 }, \
	{ \
		"debug-dir", 0, OPTION_STRING, AT(field.debug_dir), "DIR", \
			"look there too for debug files by build-id (perf.data)", 0 \
	}

/* Where that leads: `image` is good as long as this is. */
struct naming_files {
	struct image_opts image;
	const char *dir[4];
	struct strbuf perf, cache;
	const char *servers;
	struct fetcher *fetcher; /* NULL: they are not asked */
};

void naming_files_init(struct naming_files *f, const struct naming *n);

/* From here on the servers of $DEBUGINFOD_URLS are asked too; the progress must outlive it. */
void naming_files_ask(struct naming_files *f, struct progress *progress);
void naming_files_release(struct naming_files *f);

/* The folders that were named must be there. */
int naming_check(const struct naming *n, struct error *e);

/* Names every address that can be named; what cannot is noted. */
void naming_apply(const struct naming *n, unsigned threads, struct profile *p);

/*
 * naming_function.c: where in the file the function is, by the name of its symbol or as people write
 * it: shop::Cart::total<long>.  For probes.
 */
int naming_find_function(struct span path, struct span function, uint64_t *offset, struct error *e);

#endif
