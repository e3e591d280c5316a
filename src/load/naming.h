/* How commands resolve symbols: the options, and where to search for files with symbols. */
#ifndef WICK_LOAD_NAMING_H
#define WICK_LOAD_NAMING_H

#include "base/error.h"
#include "base/strbuf.h"
#include "cli/progress.h"
#include "image/image.h"
#include "profile/profile.h"

struct naming {
	const char *symfs; /* the files are below this directory; NULL: at their recorded paths */
	const char *debug_dir; /* another directory with debug files; NULL: none */
	bool no_inline;	       /* symbols only: neither inlined calls nor source lines */
	bool offline;	       /* do not ask debuginfod servers: downloads take time */
	/* As in struct image_opts. */
	char *(*kept)(void *arg, struct span path, struct span build_id);
	void *kept_arg;
	struct section_store *store;
};

/*
 * Rows of an option table; `field` is the naming in the struct that it fills, with AT() as in every
 * command.
 */
#define NAMING_OPTIONS(field) \
	{ "symfs", \
	  0, \
	  OPTION_STRING, \
	  AT(field.symfs), \
	  "DIR", \
	  "search for recorded programs and libraries below DIR", \
	  0 }, \
		{ "no-inline", \
		  0, \
		  OPTION_FLAG, \
		  AT(field.no_inline), \
		  NULL, \
		  "resolve addresses without inlined calls and source lines", \
		  0 }, \
	{ \
		"debug-dir", 0, OPTION_STRING, AT(field.debug_dir), "DIR", \
			"also search DIR for debug files, by build ID", 0 \
	}

/* Where to search for files, as image_opts; `image` is valid as long as this struct. */
struct naming_files {
	struct image_opts image;
	const char *dir[4];	   /* directories with debug files by build ID; NULL at the end */
	struct strbuf perf, cache; /* ~/.debug and ~/.cache/wick */
	const char *servers;	   /* $DEBUGINFOD_URLS */
	struct fetcher *fetcher;   /* NULL: servers are not queried */
	bool offline;		   /* … because of the options */
};

void naming_files_init(struct naming_files *f, const struct naming *n);

/*
 * From now on, also queries the servers of $DEBUGINFOD_URLS, unless offline; `progress` must outlive f.
 */
void naming_files_ask(struct naming_files *f, struct progress *progress);
void naming_files_release(struct naming_files *f);

/* -1 if a directory given by an option does not exist. */
int naming_check(const struct naming *n, struct error *e);

/* Symbolizes all addresses of the profile; unresolved ones are counted in notes. */
void naming_apply(const struct naming *n, unsigned threads, struct profile *p);

/*
 * naming_function.c: the offset of a function in a file, for probes.  By its symbol, or by its
 * demangled name: shop::Cart::total<long>.  -1: there is none, or several.
 */
int naming_find_function(struct span path, struct span function, uint64_t *offset, struct error *e);

#endif
