/* For builds without libbpf or clang: there are no BPF programs. */
#include "record/waits/sched_bpf.h"

struct sched_bpf *sched_bpf_open(const struct sampling *what, struct error *e)
{
	(void)what;
	error_set(e, ERROR_SYSTEM, "BPF: this wick was built without libbpf");
	error_hint(e, "install libbpf-dev and clang, and build wick again");
	return NULL;
}

void sched_bpf_close(struct sched_bpf *b)
{
	(void)b;
}

void sched_bpf_add(struct sched_bpf *b, pid_t number, enum sched_bpf_from from)
{
	(void)b;
	(void)number;
	(void)from;
}

void sched_bpf_describe(struct sched_bpf *b, const struct attr *switches,
			const struct attr *samples)
{
	(void)b;
	(void)switches;
	(void)samples;
}

void sched_bpf_set(struct sched_bpf *b, bool on)
{
	(void)b;
	(void)on;
}

void sched_bpf_take(struct sched_bpf *b, struct strbuf *records)
{
	(void)b;
	(void)records;
}

int sched_bpf_fd(const struct sched_bpf *b)
{
	(void)b;
	return -1;
}

void sched_bpf_repeat(struct sched_bpf *b)
{
	(void)b;
}

uint64_t sched_bpf_lost(const struct sched_bpf *b)
{
	(void)b;
	return 0;
}
