#include "cmd/naming.h"

#include "base/strbuf.h"
#include "symbol/symbolize.h"

#include <stdlib.h>

void naming_apply(const struct naming *n, unsigned threads, struct profile *p)
{
	const char *dir[4] = { "/usr/lib/debug" }, *home = getenv("HOME");
	struct symbolize_opts s = {
		.threads = threads,
		.image = { .lines = !n->no_inline, .debug_dir = dir, .symfs = n->symfs }
	};
	struct strbuf perf = { 0 };
	size_t nr = 1;

	if (n->debug_dir)
		dir[nr++] = n->debug_dir;
	/* perf keeps copies of what it recorded. */
	if (home) {
		strbuf_addf(&perf, "%s/.debug", home);
		dir[nr++] = perf.at;
	}
	symbolize(p, &s);
	strbuf_release(&perf);
}
