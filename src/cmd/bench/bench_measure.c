/* All runs: their order, their number, and the commands before and after them. */
#include "base/alloc.h"
#include "cli/progress.h"
#include "cmd/bench/bench_parts.h"
#include "fold/steady.h"
#include "record/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	CALIBRATIONS = 50, /* runs of an empty shell */
	RUNS_LEAST = 10,
	ROUNDS_LEAST = 3, /* with --time: the least number that has an interval */
	NOT_FOUND = 127,  /* the exit status of a shell whose program does not exist */
};

static const double SECONDS_UNTIL = 600; /* the limit for all runs, with --until only */
static const double SECONDS_LOAD = 1;	 /* in less time, the load cannot be measured */

struct measuring {
	struct bench *b;
	struct bench_spawn *s;
	size_t *order; /* of the commands, in this round and the next */
	size_t nr_order;
	size_t nr_run;	   /* so far, of all commands */
	size_t next_check; /* the round in which --until is checked again */
	uint64_t begin;
	struct progress progress;
};

static double nanoseconds(struct timeval t)
{
	return (double)t.tv_sec * 1e9 + (double)t.tv_usec * 1e3;
}

/*
 * The kernel includes the memory that a process had before its exec, as a copy of the spawner, in
 * its peak.  Smaller peaks cannot be measured, so all such runs get the same value.
 */
static void raise_memory_floor(struct bench *b, double memory)
{
	static const double STEP = 256 << 10;

	b->memory_floor = fmax(b->memory_floor, STEP * ceil(memory / STEP));
}

/* Sets the values of a run, without the resources that the child used before its exec. */
static void set_values(struct bench *b, const struct bench_started *r, bool in_shell,
		       struct bench_run *run)
{
	const struct rusage *from = &r->begin.used, *to = &r->used;
	const double times[] = { (double)(r->end - r->begin.time),
				 nanoseconds(to->ru_utime) - nanoseconds(from->ru_utime),
				 nanoseconds(to->ru_stime) - nanoseconds(from->ru_stime) };

	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		run->value[i] = fmax(0, times[i] - (in_shell ? b->overhead[i] : 0));
	raise_memory_floor(b, (double)from->ru_maxrss * 1024);
	run->value[METRIC_MEMORY] = fmax((double)to->ru_maxrss * 1024, b->memory_floor);
	run->value[METRIC_MINOR_FAULTS] = (double)(to->ru_minflt - from->ru_minflt);
	run->value[METRIC_MAJOR_FAULTS] = (double)(to->ru_majflt - from->ru_majflt);
	run->value[METRIC_SWITCHES] = (double)(to->ru_nvcsw - from->ru_nvcsw);
	run->value[METRIC_PREEMPTIONS] = (double)(to->ru_nivcsw - from->ru_nivcsw);
	run->status = r->status;
}

/* The increase of a counter; extrapolated if it was multiplexed. */
static double gain(struct counter_reading before, struct counter_reading after)
{
	double value = (double)(after.value - before.value);
	double running = (double)(after.running - before.running);

	return running > 0 ? value * (double)(after.enabled - before.enabled) / running : value;
}

enum keep { KEEP_NOTHING, KEEP_RUN };

/* One run of a command: the `number`-th warm-up, or timed run, from 0. */
struct turn {
	struct bench_command *c;
	enum keep keep; /* KEEP_NOTHING: a warm-up */
	size_t number;
};

static int fail(const struct bench *b, const struct turn *t, const struct bench_started *r,
		struct error *e)
{
	char what[40];

	if (r->signal)
		snprintf(what, sizeof(what), "was killed by signal %d", r->signal);
	else
		snprintf(what, sizeof(what), "failed with exit status %d", r->status);
	error_set(e, ERROR_SYSTEM, "'%s' %s in %s %zu", t->c->title, what,
		  t->keep == KEEP_RUN ? "run" : "warm-up run", t->number + 1);
	if (b->o.git && !b->o.build && r->status == NOT_FOUND)
		return error_hint(
			e, "a worktree has committed files only: use --build to build the rest");
	return error_hint(e, "use -i to ignore failures, or --output inherit to see its output");
}

static int run_timed(struct measuring *m, const struct turn *t, struct error *e)
{
	struct counter_reading before[ARRAY_SIZE(m->b->counter)];
	struct bench_program p = { t->c->path, t->c->argv, t->c->folder, { 0 } };
	size_t nr_counter = m->b->nr_metric - METRIC_COUNTERS;
	struct bench_run run = { .order = m->nr_run };
	struct bench_started r;
	char iteration[40];
	int ret;

	snprintf(iteration, sizeof(iteration), t->keep == KEEP_RUN ? "%zu" : "warmup-%zu",
		 t->number);
	bench_spawn_iterate(m->s, iteration);
	ret = bench_streams_open(m->s, t->c->output, p.stream, e);
	for (size_t i = 0; i < nr_counter; i++)
		before[i] = counter_read(&m->b->counter[i]);
	if (!ret)
		ret = bench_spawn_run(m->s, &p, &r, e);
	for (size_t i = 0; i < nr_counter; i++)
		run.value[METRIC_COUNTERS + i] = gain(before[i], counter_read(&m->b->counter[i]));
	bench_streams_close(m->s, p.stream);
	if (ret || m->b->interrupted)
		return ret;
	if (r.status && !m->b->ignored[r.status])
		return fail(m->b, t, &r, e);
	if (t->keep == KEEP_NOTHING)
		return 0;
	set_values(m->b, &r, t->c->in_shell, &run);
	*bench_runs_add(&t->c->timed) = run;
	m->nr_run++;
	return 0;
}

/*
 * Runs a line even if wick has received a signal: --conclude and --cleanup must follow their
 * counterparts.
 */
static int run_last(struct measuring *m, const char *what, const char *line,
		    const struct bench_command *c, struct error *e)
{
	int interrupted = m->b->interrupted, ret;

	m->b->interrupted = 0;
	ret = bench_spawn_line(m->s, &(struct bench_line){ what, line, c, NULL }, e);
	if (interrupted)
		m->b->interrupted = interrupted;
	return ret;
}

static int run_once(struct measuring *m, const struct turn *t, struct error *e)
{
	const struct bench_command *c = t->c;
	struct error ignored = ERROR_INIT;
	int ret;

	if (c->prepare &&
	    bench_spawn_line(m->s, &(struct bench_line){ "--prepare", c->prepare, c, NULL }, e))
		return -1;
	if (m->b->interrupted)
		return 0;
	ret = run_timed(m, t, e);
	/* If both fail, the first error is reported. */
	if (c->conclude && run_last(m, "--conclude", c->conclude, c, ret ? &ignored : e))
		ret = -1;
	return ret;
}

/*
 * Measures the shell's own time, which is subtracted: the median, since a mean would include
 * outliers that the runs of the command do not have.
 */
static int calibrate(struct measuring *m, struct error *e)
{
	double value[ARRAY_SIZE(m->b->overhead)][CALIBRATIONS] = { 0 };
	const char *const *argv = NULL;
	struct bench_program p = { .stream = { m->s->null, m->s->null, m->s->null } };

	for (size_t i = 0; i < m->b->nr_command && !argv; i++)
		argv = m->b->command[i].in_shell ? bench_words(m->b, "", e) : NULL;
	if (argv) {
		p.argv = argv;
		p.path = bench_find(m->b, argv[0]);
	}
	for (int i = 0; i < CALIBRATIONS && argv && !m->b->interrupted; i++) {
		struct bench_run run = { 0 };
		struct bench_started r;

		progress_text(&m->progress, "measuring the shell");
		if (bench_spawn_run(m->s, &p, &r, e))
			return error_within(e, "--shell");
		if (r.status && !m->b->interrupted)
			return error_set(e, ERROR_SYSTEM,
					 "the shell '%s' failed with exit status %d", argv[0],
					 r.status);
		set_values(m->b, &r, false, &run);
		for (size_t k = 0; k < ARRAY_SIZE(value); k++)
			value[k][i] = run.value[k];
	}
	for (size_t k = 0; k < ARRAY_SIZE(value) && argv; k++)
		m->b->overhead[k] = median_of(value[k], CALIBRATIONS);
	return 0;
}

/* Rounds */

/*
 * Two rounds are a block: the first in random order, the second in reverse order: ABBA or BAAB.  So
 * a steady drift affects all commands equally.  The very first round is a separate block (ratio.h).
 */
static void choose_order(struct measuring *m, size_t round)
{
	size_t nr = m->nr_order;

	if (round && round % 2 == 0) {
		for (size_t i = 0; i < nr / 2; i++) {
			size_t other = m->order[nr - 1 - i];

			m->order[nr - 1 - i] = m->order[i];
			m->order[i] = other;
		}
		return;
	}
	for (size_t i = nr; i > 1; i--) {
		size_t k = seeded_below(&m->b->chance, i), other = m->order[i - 1];

		m->order[i - 1] = m->order[k];
		m->order[k] = other;
	}
}

static double elapsed(const struct measuring *m)
{
	return (double)(session_now() - m->begin) / 1e9;
}

/* The current precision: that of the worst comparison. */
static double width_of(const struct bench *b)
{
	double *first = bench_values(&b->command[0], METRIC_TIME), width = 0;

	if (b->nr_command == 1)
		width = ratio_precision(first, b->command[0].timed.nr, bench_confidence(b));
	for (size_t i = 1; i < b->nr_command; i++) {
		double *values = bench_values(&b->command[i], METRIC_TIME);
		struct ratio r =
			ratio_of_pairs(first, values, b->command[i].timed.nr,
				       1 - (1 - bench_confidence(b)) / (double)(b->nr_command - 1));

		width = fmax(width, (r.high - r.low) / 2);
		free(values);
	}
	free(first);
	return width;
}

/* Is the interval narrow enough?  Checked in some rounds only, since it takes a while. */
static bool is_narrow(struct measuring *m, size_t round)
{
	if (round < m->next_check)
		return false;
	m->next_check = round + round / 8 + 1;
	return width_of(m->b) <= m->b->limit_width;
}

/* The time limit of all runs: seconds. */
static double time_limit(const struct measuring *m)
{
	return m->b->limit_time > 0    ? m->b->limit_time
	       : m->b->limit_width > 0 ? SECONDS_UNTIL
				       : m->b->each_time * (double)m->nr_order;
}

/* Is this number of rounds enough? */
static bool is_enough(struct measuring *m, size_t round)
{
	const struct bench *b = m->b;
	bool has_least = b->o.min_runs != BENCH_NOT_GIVEN;
	size_t least = has_least ? b->o.min_runs : b->limit_time > 0 ? ROUNDS_LEAST : RUNS_LEAST;
	if (b->o.runs != BENCH_NOT_GIVEN)
		return round >= b->o.runs;
	if (round >= b->o.max_runs)
		return true;
	if (round < least)
		return false;
	if (b->limit_width > 0 && round >= RUNS_LEAST && is_narrow(m, round))
		return true;
	/* Would the next round end too late? */
	return elapsed(m) * (double)(round + 1) / (double)round > time_limit(m);
}

static void show(struct measuring *m, size_t round)
{
	char text[80];

	if (m->b->o.runs != BENCH_NOT_GIVEN)
		snprintf(text, sizeof(text), "round %zu of %u", round + 1, m->b->o.runs);
	else
		snprintf(text, sizeof(text), "round %zu, %.0f s of %.0f s", round + 1, elapsed(m),
			 time_limit(m));
	progress_text(&m->progress, text);
}

/* Runs rounds of the commands until there are enough. */
static int run_rounds(struct measuring *m, struct error *e)
{
	m->begin = session_now();
	m->next_check = 0;
	for (size_t round = 0; !round || !is_enough(m, round); round++) {
		bench_spawn_pad(m->s);
		choose_order(m, round);
		for (size_t i = 0; i < m->nr_order; i++) {
			show(m, round);
			if (run_once(m,
				     &(struct turn){ &m->b->command[m->order[i]], KEEP_RUN, round },
				     e))
				return -1;
			if (m->b->interrupted)
				return 0;
		}
	}
	return 0;
}

static int warm_up(struct measuring *m, struct error *e)
{
	for (unsigned k = 0; k < m->b->o.warmup; k++)
		for (size_t i = 0; i < m->nr_order; i++) {
			if (m->b->interrupted)
				return 0;
			progress_text(&m->progress, "warming up");
			if (run_once(m,
				     &(struct turn){ &m->b->command[m->order[i]], KEEP_NOTHING, k },
				     e))
				return -1;
		}
	return 0;
}

enum around { AROUND_SETUP, AROUND_CLEANUP };

static int run_around(struct measuring *m, enum around which, struct error *e)
{
	for (size_t i = 0; i < m->nr_order; i++) {
		const struct bench_command *c = &m->b->command[m->order[i]];
		const char *line = which == AROUND_SETUP ? c->setup : c->cleanup;

		if (line && which == AROUND_SETUP &&
		    bench_spawn_line(m->s, &(struct bench_line){ "--setup", line, c, NULL }, e))
			return -1;
		if (line && which == AROUND_CLEANUP && run_last(m, "--cleanup", line, c, e))
			return -1;
	}
	return 0;
}

static int by_index(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return x < y ? -1 : x > y;
}

/* Measures the commands from `first` on, alternating. */
static int measure_some(struct measuring *m, size_t first, size_t nr, struct error *e)
{
	m->nr_order = nr;
	for (size_t i = 0; i < nr; i++)
		m->order[i] = first + i;
	if (run_around(m, AROUND_SETUP, e) || warm_up(m, e) || run_rounds(m, e))
		return -1;
	/* Runs cleanups in the order of the command line, also after Ctrl-C. */
	qsort(m->order, nr, sizeof(*m->order), by_index);
	return run_around(m, AROUND_CLEANUP, e);
}

int bench_measure(struct bench *b, struct bench_spawn *s, struct error *e)
{
	struct measuring m = { .b = b, .s = s };
	size_t at_once = b->in_blocks ? 1 : b->nr_command;
	double busy, began, took;
	int ret;

	bench_progress_init(b, &m.progress);
	m.order = xcalloc(b->nr_command, sizeof(*m.order));
	ret = calibrate(&m, e);
	busy = bench_busy();
	began = (double)session_now() / 1e9;
	for (size_t i = 0; i < b->nr_command && !ret && !b->interrupted; i += at_once)
		ret = measure_some(&m, i, at_once, e);
	took = (double)session_now() / 1e9 - began;
	/* The kernel counts busy time in steps of 10 ms, on each CPU. */
	b->others = took >= SECONDS_LOAD ? (bench_busy() - busy) / took : 0;
	if (!ret && b->limit_width > 0 && !b->in_blocks && width_of(b) > b->limit_width)
		b->is_wide = true;
	progress_end(&m.progress);
	free(m.order);
	return ret;
}
