#include "cmd/naming.h"

#include "cli/progress.h"
#include "symbol/crates.h"
#include "symbol/debuginfod.h"
#include "symbol/symbolize.h"

#include <stdlib.h>
#include <sys/stat.h>

void naming_files_init(struct naming_files *f, const struct naming *n)
{
	const char *home = getenv("HOME");
	size_t nr = 0;

	*f = (struct naming_files){
		.image = { .symfs = n->symfs, .kept = n->kept, .kept_arg = n->kept_arg }
	};
	f->dir[nr++] = "/usr/lib/debug";
	if (n->debug_dir)
		f->dir[nr++] = n->debug_dir;
	/* perf keeps copies of what it recorded. */
	if (home) {
		strbuf_addf(&f->perf, "%s/.debug", home);
		f->dir[nr++] = f->perf.at;
	}
	f->image.debug_dir = f->dir;
}

void naming_files_release(struct naming_files *f)
{
	strbuf_release(&f->perf);
}

static int check_folder(const char *option, const char *path, struct error *e)
{
	struct stat st;

	if (!path || (!stat(path, &st) && S_ISDIR(st.st_mode)))
		return 0;
	return error_set(e, ERROR_USAGE, "%s: '%s' is no folder here", option, path);
}

int naming_check(const struct naming *n, struct error *e)
{
	return check_folder("--symfs", n->symfs, e) || check_folder("--debug-dir", n->debug_dir, e)
		       ? -1
		       : 0;
}

void naming_apply(const struct naming *n, unsigned threads, struct profile *p)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct symbolize_opts s = { .threads = threads };
	struct fetcher *fetcher = NULL;
	struct naming_files files;
	struct progress progress;

	naming_files_init(&files, n);
	s.image = files.image;
	s.image.lines = !n->no_inline;
	progress_init(&progress);
	if (urls && *urls)
		fetcher = fetcher_new(progress_fetch, &progress);
	if (fetcher) {
		s.image.fetch = fetcher_fetch;
		s.image.fetch_arg = fetcher;
	}
	notes_forget(&p->notes, NOTE_NO_SERVER);
	symbolize(p, &s);
	crates_find(p);
	if (fetcher && fetcher_is_silent(fetcher))
		notes_add(&p->notes, NOTE_NO_SERVER, 1, 0, span_of(urls));
	progress_end(&progress);
	fetcher_free(fetcher);
	naming_files_release(&files);
}

bool naming_find_function(struct span path, struct span function, uint64_t *offset)
{
	struct naming_files files;
	bool found;

	naming_files_init(&files, &(struct naming){ 0 });
	found = image_function(path, function, &files.image, offset);
	naming_files_release(&files);
	return found;
}
