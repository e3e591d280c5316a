#include "load/naming.h"

#include "symbol/crates.h"
#include "symbol/debuginfod.h"
#include "symbol/demangle.h"
#include "symbol/symbolize.h"

#include <stdlib.h>
#include <sys/stat.h>

/* The user's cache directory, for results that are slow to compute. */
static void find_cache(struct naming_files *f, const char *home)
{
	const char *cache = getenv("XDG_CACHE_HOME");

	if (cache && *cache == '/')
		strbuf_addf(&f->cache, "%s/wick", cache);
	else if (home && *home == '/')
		strbuf_addf(&f->cache, "%s/.cache/wick", home);
	else
		return;
	f->image.cache_dir = f->cache.at;
}

void naming_files_init(struct naming_files *f, const struct naming *n)
{
	const char *home = getenv("HOME");
	size_t nr = 0;

	*f = (struct naming_files){
		.image = { .symfs = n->symfs,
			   .kept = n->kept,
			   .kept_arg = n->kept_arg,
			   .store = n->store,
			   .demangle = demangle },
		.offline = n->offline,
	};
	f->dir[nr++] = "/usr/lib/debug";
	if (n->debug_dir)
		f->dir[nr++] = n->debug_dir;
	/* perf buildid-cache: copies of recorded programs. */
	if (home) {
		strbuf_addf(&f->perf, "%s/.debug", home);
		f->dir[nr++] = f->perf.at;
	}
	f->image.debug_dir = f->dir;
	find_cache(f, home);
}

void naming_files_ask(struct naming_files *f, struct progress *progress)
{
	progress_init(progress);
	f->servers = f->offline ? NULL : getenv("DEBUGINFOD_URLS");
	if (f->servers && *f->servers)
		f->fetcher = fetcher_new(progress_fetch, progress);
	if (f->fetcher) {
		f->image.fetch = fetcher_fetch;
		f->image.fetch_arg = f->fetcher;
	}
}

void naming_files_release(struct naming_files *f)
{
	fetcher_free(f->fetcher);
	strbuf_release(&f->perf);
	strbuf_release(&f->cache);
}

static int check_folder(const char *option, const char *path, struct error *e)
{
	struct stat st;

	if (!path || (!stat(path, &st) && S_ISDIR(st.st_mode)))
		return 0;
	return error_set(e, ERROR_USAGE, "%s: '%s' is not a directory", option, path);
}

int naming_check(const struct naming *n, struct error *e)
{
	return check_folder("--symfs", n->symfs, e) || check_folder("--debug-dir", n->debug_dir, e)
		       ? -1
		       : 0;
}

void naming_apply(const struct naming *n, unsigned threads, struct profile *p)
{
	struct symbolize_opts s = { .threads = threads };
	struct naming_files files;
	struct progress progress;

	naming_files_init(&files, n);
	naming_files_ask(&files, &progress);
	s.image = files.image;
	s.image.lines = !n->no_inline;
	notes_forget(&p->notes, NOTE_NO_SERVER);
	symbolize(p, &s);
	crates_find(p);
	if (files.servers && files.fetcher && fetcher_is_silent(files.fetcher))
		notes_add(&p->notes, NOTE_NO_SERVER, 1, 0, span_of(files.servers));
	progress_end(&progress);
	naming_files_release(&files);
}
