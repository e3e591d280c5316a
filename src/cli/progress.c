#include "cli/progress.h"

#include "base/legible.h"

#include <stdio.h>
#include <unistd.h>

static double seconds_between(const struct timespec *a, const struct timespec *b)
{
	return (double)(b->tv_sec - a->tv_sec) + (double)(b->tv_nsec - a->tv_nsec) / 1e9;
}

void progress_init(struct progress *p)
{
	*p = (struct progress){ .on = isatty(STDERR_FILENO) };
	clock_gettime(CLOCK_MONOTONIC, &p->begin);
	p->last = p->begin;
}

void progress_show(void *progress, uint64_t position, uint64_t size)
{
	struct progress *p = progress;
	struct timespec now;
	double elapsed, rate;

	if (!p->on)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	elapsed = seconds_between(&p->begin, &now);
	if (elapsed < 1 || seconds_between(&p->last, &now) < 0.2)
		return;
	p->last = now;
	p->shown = true;
	rate = (double)position / elapsed;
	fprintf(stderr, "\r\033[Kreading: %.0f MB", (double)position / 1e6);
	if (size)
		fprintf(stderr, " of %.0f MB", (double)size / 1e6);
	fprintf(stderr, ", %.0f MB/s", rate / 1e6);
	if (size > position && rate > 0)
		fprintf(stderr, ", %.0f s left", (double)(size - position) / rate);
	fflush(stderr);
}

void progress_fetch(void *progress, struct span file, uint64_t position, uint64_t size)
{
	struct progress *p = progress;
	struct strbuf name = { 0 };
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!p->on || (position && seconds_between(&p->last, &now) < 0.2))
		return;
	p->last = now;
	p->shown = true;
	legible_add(&name, file);
	fprintf(stderr, "\r\033[Kdebug info for %.*s: ", (int)name.size, name.at);
	strbuf_release(&name);
	if (position)
		fprintf(stderr, "%.1f MB", (double)position / 1e6);
	else
		fputs("contacting server", stderr);
	if (size > position && position)
		fprintf(stderr, " of %.1f MB", (double)size / 1e6);
	fflush(stderr);
}

void progress_text(struct progress *p, const char *text)
{
	struct timespec now;

	if (!p->on)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (p->shown && seconds_between(&p->last, &now) < 0.2)
		return;
	p->last = now;
	p->shown = true;
	fprintf(stderr, "\r\033[K%s", text);
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
