/* How many records were lost because ring buffers were full, by the kernel's counters of each event. */
#include "record/perf_events/sampler.h"
#include "record/waits/sched_bpf.h"

#include <unistd.h>

/* The kernel's counter of lost records of an event. */
static uint64_t lost_of(int fd)
{
	struct {
		uint64_t value, lost;
	} now;

	return read(fd, &now, sizeof(now)) == (ssize_t)sizeof(now) ? now.lost : 0;
}

static void add_lost(struct sampler_lost *to, const struct sampler *s, const struct sampler_fd *fd)
{
	if (s->event[fd->event].is_switches)
		to->switches += lost_of(fd->fd);
	else if (!s->event[fd->event].is_tracepoint)
		to->samples += lost_of(fd->fd);
}

struct sampler_lost sampler_lost(const struct sampler *s)
{
	struct sampler_lost sum = s->lost;

	for (size_t i = 0; i < s->nr_fd; i++)
		add_lost(&sum, s, &s->fd[i]);
	if (s->bpf)
		sum.switches += sched_bpf_lost(s->bpf);
	return sum;
}

bool sampler_counts_lost(const struct sampler *s)
{
	return !s->trace && s->nr_attr && s->attr[0].read_format & SAMPLER_FORMAT_LOST;
}

void sampler_drop(struct sampler *s, const struct sampler_fd *fd)
{
	add_lost(&s->lost, s, fd);
	close(fd->fd);
}
