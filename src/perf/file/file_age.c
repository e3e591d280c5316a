/* When and on which host a recording was made: files changed since then may not match it. */
#include "perf/file/perf_data.h"

#include <sys/utsname.h>

/* A recording without a host name is assumed to be of this machine. */
static bool is_of_here(const struct profile *p)
{
	struct utsname name;

	for (size_t i = 0; i < p->nr_info; i++)
		if (span_is(profile_peek(p, p->info[i].key), "host"))
			return !uname(&name) &&
			       span_is(profile_peek(p, p->info[i].value), name.nodename);
	return true;
}

/*
 * When the recording ended: ns since 1970.  Most recordings have no clock data: then it is the
 * modification time of the file.  A copy has a later one, so at worst a changed file goes
 * unnoticed.
 */
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
