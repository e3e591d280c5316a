#include "cmd/naming.h"

#include "base/strbuf.h"
#include "cli/progress.h"
#include "symbol/debuginfod.h"
#include "symbol/symbolize.h"

#include <stdlib.h>

void naming_apply(const struct naming *n, unsigned threads, struct profile *p)
{
	const char *dir[4] = { "/usr/lib/debug" }, *home = getenv("HOME");
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct symbolize_opts s = {
		.threads = threads,
		.image = { .lines = !n->no_inline, .debug_dir = dir, .symfs = n->symfs }
	};
	struct fetcher *fetcher = NULL;
	struct strbuf perf = { 0 };
	struct progress progress;
	size_t nr = 1;

	if (n->debug_dir)
		dir[nr++] = n->debug_dir;
	/* perf keeps copies of what it recorded. */
	if (home) {
		strbuf_addf(&perf, "%s/.debug", home);
		dir[nr++] = perf.at;
	}
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
	strbuf_release(&perf);
}
