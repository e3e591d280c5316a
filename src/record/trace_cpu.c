/* Who runs, and for how long: only that is looked at, for what waits takes no processor's time. */
#include "record/tracer.h"

#include "record/session.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <unistd.h>

/* "time-on-processors time-waited slices" */
bool traced_used(const struct traced *k, struct used *used)
{
	char text[96];
	ssize_t n = k->schedstat >= 0 ? pread(k->schedstat, text, sizeof(text), 0) : -1;
	struct span line = { text, n > 0 ? (size_t)n : 0 };

	return line.size && span_u64(span_word(&line), &used->time) &&
	       span_u64(span_word(&line), &used->waited);
}

void traced_begin(struct traced *k)
{
	k->unmet = true;
	if (traced_used(k, &k->seen))
		k->paid = (int64_t)k->seen.time;
}

/* "12 (the name) R …" */
bool traced_runs(const struct traced *k)
{
	char path[64], text[512];
	struct span line = { text, 0 };
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)k->space->pid, (int)k->tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text));
	close(fd);
	line.size = n > 0 ? (size_t)n : 0;
	/* Its name may have anything in it. */
	return span_starts(span_from(line, span_rfind(line, ')')), ") R");
}

/*
 * A thread that has not come further since the last look did not run, unless
 * it is in the middle of it: the kernel only counts now and then.
 */
static bool is_due(struct tracer *t, struct traced *k)
{
	struct used now = k->seen;
	bool told = traced_used(k, &now), further = !told || now.time != k->seen.time;

	k->seen = now;
	if (!t->sampling || k->waits) {
		traced_begin(k);
		return false;
	}
	if (!further && !k->ran)
		return false;
	k->ran = traced_runs(k);
	return k->ran;
}

void tracer_look(struct tracer *t)
{
	uint64_t begin = session_now(), end;

	if (begin < t->rest_until)
		return;
	for (size_t i = 0; i < TRACER_BUCKETS; i++)
		for (struct traced *k = t->task[i]; k; k = k->next)
			if (!k->asked && !k->fresh && is_due(t, k)) {
				k->asked = session_now();
				if (ptrace(PTRACE_INTERRUPT, k->tid, NULL, NULL))
					k->asked = 0;
			}
	end = session_now();
	t->rest_until = end + 9 * (end - begin);
}
