/* When and where a recording was made, as far as it tells, and what that says about the files that are here. */
#include "read/perf_data.h"

#include <sys/utsname.h>

/* A recording without a name is of this machine, as most are. */
static bool is_of_here(const struct profile *p)
{
	struct utsname name;

	for (size_t i = 0; i < p->nr_info; i++)
		if (span_is(profile_peek(p, p->info[i].key), "host"))
			return !uname(&name) &&
			       span_is(profile_peek(p, p->info[i].value), name.nodename);
	return true;
}

/* Most do not tell.  Then it was when the file was written; a copy of it is younger, which hides changes at worst. */
static uint64_t end_of(const struct perf_data *d)
{
	if (!d->clock.wall)
		return source_changed(d->b->text->source);
	return d->clock.wall + (d->time > d->clock.then ? d->time - d->clock.then : 0);
}

void perf_check_files(struct perf_data *d)
{
	struct files_recorded r = { .here = is_of_here(d->b->p), .until = end_of(d) };

	ingest_check_files(&d->ingest, &r);
}
