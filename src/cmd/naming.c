#include "cmd/naming.h"

#include "cli/progress.h"
#include "symbol/debuginfod.h"
#include "symbol/symbolize.h"

#include <stdlib.h>

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
	symbolize(p, &s);
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
