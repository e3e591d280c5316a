/* The lines at the end of a recording: what was recorded, what is missing, and why. */
#include "cmd/record/record_summary.h"

#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MS = 1000000 };

static struct sampled clock_event = { .type = PERF_TYPE_SOFTWARE,
				      .config = PERF_COUNT_SW_CPU_CLOCK };
static struct capture_opts o = {
	.sampling = { .event = &clock_event, .nr_event = 1, .frequency = 997, .cgroup = -1 }
};
static FILE *printed;
static char text[4096];

static void begin(void)
{
	fflush(stderr);
	rewind(printed);
	if (ftruncate(fileno(printed), 0))
		abort();
}

/* Does what was printed since contain these words?  Numbers have no-break spaces, which are spaces here. */
static bool says(const char *words)
{
	size_t size, kept = 0;

	fflush(stderr);
	rewind(printed);
	size = fread(text, 1, sizeof(text) - 1, printed);
	for (size_t i = 0; i < size; i++)
		if (text[i] == '\xc2')
			text[kept++] = ' ';
		else if (text[i] != '\xa0')
			text[kept++] = text[i];
	text[kept] = '\0';
	if (!strstr(text, words))
		printf("# %s\n", text);
	return strstr(text, words);
}

static void print_samples(const struct capture *c)
{
	begin();
	record_print_samples(c, &o);
	record_print_waits(c, NULL);
}

static void print_missing(const struct capture *c)
{
	begin();
	record_print_missing(c, &o, NOTES_SUMMED);
}

static void test_times(void)
{
	struct capture c = { .time = 1510 * MS, .delayed = 500 * MS, .waits_time = 1010 * MS };

	c.waits = (struct wait_sums){ .nr_thread = 1, .off[WAIT_SLEEP] = 1010 * MS };
	o.delay = 500 * MS;
	print_samples(&c);
	ok(says("no CPU samples in 1.01 s, after a delay of 500 ms (the target was waiting)\n"),
	   "the time of samples is without the delay");
	ok(says("wick: 1.01 s: 0"), "the time of waits is without the delay");
	o.delay = 0;
	c.delayed = 0;
	c.traced = true;
	c.trace_frequency = 199;
	print_samples(&c);
	ok(says("(the target was waiting; perf events are not permitted; ptrace sampling at 199 Hz)\n"),
	   "all remarks are in one pair of parentheses");
}

static void test_unseen(void)
{
	struct capture c = { .nr_sample = 1000, .expected = 2000, .unseen = 0.5 };

	print_missing(&c);
	ok(says(" late timers") && !strstr(text, "setuid"),
	   "setuid programs are not blamed if there were none");
	c.nr_hidden = 2;
	print_missing(&c);
	ok(says("setuid programs, or late timers") && says("2 setuid or unreadable programs (use "),
	   "setuid programs are reported");
	c.nr_hidden = 0;
	o.sampling.cgroup = 3;
	print_missing(&c);
	ok(says("clocks of a cgroup") && !strstr(text, "--wide"),
	   "for a cgroup, --wide is not suggested");
	o.sampling.cgroup = -1;
	c.traced = true;
	c.trace_frequency = 199;
	c.trace.nr_sample = 300;
	c.trace.nr_taken = 100;
	print_missing(&c);
	ok(says("ptrace sampling did not reach 199 Hz") && !strstr(text, "threads"),
	   "slow ptrace sampling is not taken for threads that hardly run");
}

int main(void)
{
	int before = dup(STDERR_FILENO);

	printed = tmpfile();
	if (!printed || dup2(fileno(printed), STDERR_FILENO) < 0)
		return 1;
	test_times();
	test_unseen();
	dup2(before, STDERR_FILENO);
	return done();
}
