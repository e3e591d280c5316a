/* Why a recording has no samples, and what helps. */
#include "cmd/record/record_summary.h"

#include "tap.h"

#include <string.h>

static struct sampled clock_event = { .type = PERF_TYPE_SOFTWARE,
				      .config = PERF_COUNT_SW_CPU_CLOCK };

/* The error for a recording of a running target. */
static struct error nothing(const struct capture *c, bool on_exec)
{
	static const char *const command[] = { "true", NULL };
	struct capture_opts o = { .sampling = { .event = &clock_event,
						.nr_event = 1,
						.frequency = 997,
						.on_exec = on_exec },
				  .command = on_exec ? command : NULL };
	struct error e = ERROR_INIT;

	record_nothing(c, &o, true, &e);
	return e;
}

static bool says(const struct error *e, const char *words)
{
	return strstr(e->text, words) || strstr(e->hint, words);
}

int main(void)
{
	const uint64_t ms = 1000000;
	struct capture c = { .time = 27 * ms };
	struct error e = nothing(&c, false);

	ok(says(&e, "hardly any CPU time"),
	   "record_nothing reports that a target used hardly any CPU time");
	ok(!says(&e, "waiting") && !says(&e, "busy"),
	   "record_nothing does not claim waits if none were recorded");

	c.waits.nr_thread = 2000;
	c.waits.off[WAIT_CPU] = 25000 * ms;
	c.waits.off[WAIT_SLEEP] = 27 * ms;
	e = nothing(&c, false);
	ok(says(&e, "waiting for a CPU") && !says(&e, "busy"),
	   "record_nothing reports that the target was waiting for a CPU if its waits show it");

	c.waits.off[WAIT_CPU] = 0;
	e = nothing(&c, false);
	ok(says(&e, "waiting all the time") && says(&e, "keeps the target busy"),
	   "record_nothing reports that the target was waiting if its waits show it");

	c.nr_child = 3;
	e = nothing(&c, false);
	ok(says(&e, "child processes") && says(&e, "--children"),
	   "record_nothing suggests --children if the target has child processes");

	c = (struct capture){ .time = 266 * ms, .expected = 100 };
	e = nothing(&c, false);
	ok(!says(&e, "setuid") && says(&e, "ended before their first sample"),
	   "record_nothing does not take a target whose threads ended for a setuid program");
	e = nothing(&c, true);
	ok(says(&e, "setuid"), "record_nothing reports that a command may be a setuid program");
	c = (struct capture){ .time = 508 * ms, .nr_hidden = 1, .user_only = true };
	e = nothing(&c, true);
	ok(says(&e, "does not record setuid programs"),
	   "record_nothing reports a setuid program that used hardly any CPU time");
	ok(says(&e, "--wide"), "record_nothing suggests --wide for a setuid program");
	ok(!says(&e, "--runs"), "record_nothing does not suggest --runs for a setuid program");

	c = (struct capture){ .time = 508 * ms, .kernel_time = 400 * ms, .user_only = true };
	e = nothing(&c, true);
	ok(says(&e, "kernel samples are not permitted") && says(&e, "as root") &&
		   says(&e, "--wall") && !says(&e, "--runs"),
	   "record_nothing suggests --wall for a command that is in the kernel");

	c = (struct capture){ .time = 266 * ms, .expected = 100 };
	c.nr_start = 100;
	e = nothing(&c, false);
	ok(says(&e, "too short-lived"), "record_nothing reports threads that are too short-lived");
	return done();
}
