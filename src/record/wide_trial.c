#include "record/wide_trial.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	RING_SIZE = 64 * 1024, /* more than a second of samples of 16 bytes */
	ENOUGH = 1000,	       /* samples of tasks until the verdict */
	/*
	 * If per-CPU clocks have a smaller share of these samples, that is hardly chance, and the rest of the
	 * recording would lack samples, too.
	 */
	GOOD_PERCENT = 93,
};

static int open_clock(const struct sampler *s, int cpu)
{
	struct perf_event_attr a = { .size = sizeof(a), .sample_type = PERF_SAMPLE_TID };

	for (size_t i = 0; i < s->nr_attr; i++) {
		const struct perf_event_attr *from = &s->attr[i];

		if (!s->event[i].is_sampled || !from->freq)
			continue;
		a.type = from->type;
		a.config = from->config;
		a.freq = 1;
		a.sample_freq = from->sample_freq;
		a.exclude_user = from->exclude_user;
		a.exclude_kernel = from->exclude_kernel;
		a.exclude_hv = from->exclude_hv;
		a.exclude_idle = 1;
		return (int)syscall(SYS_perf_event_open, &a, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	}
	return -1;
}

void wide_trial_open(struct wide_trial *t, const struct sampler *s, uint64_t nr)
{
	struct error refused = ERROR_INIT;

	if (t->cpu || t->refused)
		return;
	t->cpu = xcalloc(s->nr_sampled_cpu, sizeof(*t->cpu));
	t->nr_of_tasks = nr;
	for (size_t i = 0; i < s->nr_sampled_cpu; i++) {
		struct trial_cpu *one = &t->cpu[t->nr_cpu];

		one->fd = open_clock(s, s->cpu[i]);
		if (one->fd < 0)
			break;
		t->nr_cpu++;
		if (ring_open(&one->ring, one->fd, RING_SIZE, &refused))
			break;
	}
	if (t->nr_cpu == s->nr_sampled_cpu && t->cpu[t->nr_cpu - 1].ring.page)
		return;
	wide_trial_close(t);
	t->refused = true;
}

void wide_trial_close(struct wide_trial *t)
{
	for (size_t i = 0; i < t->nr_cpu; i++) {
		ring_close(&t->cpu[i].ring);
		close(t->cpu[i].fd);
	}
	free(t->cpu);
	t->cpu = NULL;
	t->nr_cpu = 0;
}

/* Does a sample, which only contains pid and tid, belong to the target? */
static bool is_of(const struct family *f, struct span bytes)
{
	struct perf_event_header header;
	struct {
		uint32_t pid, tid;
	} task;

	memcpy(&header, bytes.at, sizeof(header));
	if (header.type != PERF_RECORD_SAMPLE || bytes.size < sizeof(header) + sizeof(task))
		return false;
	memcpy(&task, bytes.at + sizeof(header), sizeof(task));
	return family_has(f, task.pid, task.tid);
}

enum trial_verdict wide_trial_check(struct wide_trial *t, const struct family *f, uint64_t nr)
{
	struct span bytes;
	bool stays;

	for (size_t i = 0; i < t->nr_cpu; i++) {
		struct ring *ring = &t->cpu[i].ring;

		ring_pending(ring);
		while (ring_next(ring, &bytes, &stays))
			t->nr_of_cpus += is_of(f, bytes);
		/* Returns all space at once: the records are not needed any more. */
		ring_round(ring);
		ring_round(ring);
	}
	if (nr - t->nr_of_tasks < ENOUGH)
		return TRIAL_GOES_ON;
	t->refused = t->nr_of_cpus * 100 < (nr - t->nr_of_tasks) * GOOD_PERCENT;
	wide_trial_close(t);
	return t->refused ? TRIAL_BAD : TRIAL_GOOD;
}
