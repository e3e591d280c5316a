/* Verdicts, and warnings about the conditions. */
#include "base/alloc.h"
#include "cmd/bench/bench_parts.h"
#include "fold/steady.h"
#include "render/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * The probability that none of the verdicts about time is wrong, over all commands; the same for
 * those about all other metrics.
 */
static const double CONFIDENCE = 0.95;

static const double FIRST_MATTERS = 0.05; /* warns if the first run is slower by more than this */
static const double LOAD_MATTERS = 0.2;	  /* warns if other processes use more CPUs */
static const double SHORT = 5e6;	  /* ns: too short to subtract a shell's start-up time */

const struct bench_runs *bench_runs(const struct bench_command *c, size_t metric)
{
	return BENCH_WAITS & 1u << metric ? &c->recorded : &c->timed;
}

struct bench_run *bench_runs_add(struct bench_runs *r)
{
	GROW(r->at, r->nr, r->cap);
	r->at[r->nr] = (struct bench_run){ 0 };
	return &r->at[r->nr++];
}

void bench_runs_release(struct bench_runs *r)
{
	free(r->at);
	*r = (struct bench_runs){ 0 };
}

double *bench_values(const struct bench_command *c, size_t metric)
{
	const struct bench_runs *r = bench_runs(c, metric);
	double *value = xcalloc(r->nr + 1, sizeof(*value));

	for (size_t i = 0; i < r->nr; i++)
		value[i] = r->at[i].value[metric];
	return value;
}

double bench_median(const struct bench_command *c, size_t metric)
{
	double *value = bench_values(c, metric);
	double median = median_of(value, bench_runs(c, metric)->nr);

	free(value);
	return median;
}

void bench_median_add(const struct bench *b, const struct bench_command *c, size_t metric,
		      struct strbuf *out)
{
	struct span unit = span_of(b->metric[metric].unit);
	double median = bench_median(c, metric);

	if (metric == METRIC_MEMORY && median <= b->memory_floor)
		strbuf_add(out, SPAN("≤ "));
	/* Rounds, as the median of an even number of counts may be a half. */
	number_add_count(out, number_is_measured(unit) ? median : round(median), unit);
}

bool bench_is_zero(const struct bench_command *c, size_t metric)
{
	const struct bench_runs *r = bench_runs(c, metric);

	for (size_t i = 0; i < r->nr; i++)
		if (r->at[i].value[metric] > 0)
			return false;
	return true;
}

bool bench_are_zero(const struct bench_command *c, size_t metric)
{
	return bench_is_zero(c, metric) && bench_is_zero(c->reference, metric);
}

bool bench_is_known(const struct ratio *r)
{
	return r->verdict != RATIO_SAME || isfinite(r->high);
}

const char *bench_verdict(const struct ratio *r)
{
	static const char *const words[] = {
		[RATIO_SAME] = "no difference", [RATIO_LESS] = "faster", [RATIO_MORE] = "slower"
	};

	return words[r->verdict];
}

static void compare_metric(const struct bench *b, struct bench_command *c, size_t metric,
			   double confidence)
{
	double *before = bench_values(c->reference, metric), *after = bench_values(c, metric);
	size_t nr_before = bench_runs(c->reference, metric)->nr,
	       nr_after = bench_runs(c, metric)->nr;

	c->ratio[metric] =
		c->reference->argv && !b->in_blocks
			? ratio_of_pairs(before, after, nr_before < nr_after ? nr_before : nr_after,
					 confidence)
			: ratio_of_sides(before, nr_before, after, nr_after, confidence);
	free(before);
	free(after);
}

/* The number of metrics other than time that may differ: not those that are 0 in all runs. */
static size_t nr_other_metrics(const struct bench *b, const struct bench_command *c)
{
	size_t nr = 0;

	for (size_t k = METRIC_TIME + 1; k < b->nr_metric; k++)
		nr += c->reference->metrics & c->metrics & 1u << k && !bench_are_zero(c, k);
	return nr ? nr : 1;
}

double bench_confidence(const struct bench *b)
{
	return b->limit_width > 0 ? RATIO_UNTIL : CONFIDENCE;
}

void bench_compare(struct bench *b)
{
	double error = 1 - bench_confidence(b);
	size_t nr = 0;

	for (size_t i = 0; i < b->nr_command; i++) {
		struct bench_command *c = &b->command[i];

		/* Interrupted before one of the two could run. */
		if (c->reference && (!c->timed.nr || !c->reference->timed.nr))
			c->reference = NULL;
		nr += c->reference != NULL;
	}
	for (size_t i = 0; i < b->nr_command; i++) {
		struct bench_command *c = &b->command[i];
		size_t nr_other = c->reference ? nr_other_metrics(b, c) : 1;

		for (size_t k = 0; k < b->nr_metric && c->reference; k++)
			if (c->reference->metrics & c->metrics & 1u << k)
				compare_metric(b, c, k,
					       1 - error / (double)(nr * (k ? nr_other : 1)));
	}
}

/* Conditions */

void bench_warn(struct bench *b, const char *text, const char *hint)
{
	GROW(b->warning, b->nr_warning, b->cap_warning);
	b->warning[b->nr_warning++] = (struct bench_warning){ .text = text, .hint = hint };
}

double bench_busy(void)
{
	FILE *f = fopen("/proc/stat", "re");
	double ticks[8] = { 0 }, busy, own = 0;
	struct rusage used;

	if (!f)
		return 0;
	/* user, nice, system, idle, iowait, irq, softirq, steal */
	for (size_t i = 0; i < ARRAY_SIZE(ticks); i++)
		if (fscanf(f, i ? "%lf" : "cpu %lf", &ticks[i]) != 1)
			break;
	fclose(f);
	busy = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7]) /
	       (double)sysconf(_SC_CLK_TCK);
	for (int i = 0; i < 2; i++) {
		getrusage(i ? RUSAGE_CHILDREN : RUSAGE_SELF, &used);
		own += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
		       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
	}
	return busy - own;
}

static void check_command(struct bench *b, const struct bench_command *c)
{
	double *value = bench_values(c, METRIC_TIME), median = median_of(value, c->timed.nr);
	struct steady s = steady_judge(value, c->timed.nr);
	size_t nr_failed = 0;

	free(value);
	if (s.is_cold && s.first > FIRST_MATTERS)
		bench_warn(
			b,
			bench_text(b, "the first run of '%s' took %.0f %% longer than the median",
				   c->title, 100 * s.first),
			b->o.warmup
				? "increase --warmup, or use --prepare to empty caches before each run"
				: "use --warmup 3 to fill caches first, or --prepare to empty them before each run");
	if (s.nr_outlier)
		bench_warn(b,
			   bench_text(b, "%zu of %zu runs of '%s' took much longer than the others",
				      s.nr_outlier, c->timed.nr, c->title),
			   "stop other programs, or allow more runs: --time 60s");
	if (s.drift != 0)
		bench_warn(
			b,
			bench_text(b, "'%s' got %.1f %% %s between the first runs and the last",
				   c->title, 100 * fabs(s.drift),
				   s.drift > 0 ? "slower" : "faster"),
			"ratios still hold, since runs alternate; for absolute times, let the machine reach a steady state");
	if (c->in_shell && c->timed.nr && median < SHORT)
		bench_warn(
			b,
			bench_text(
				b,
				"'%s' takes less than 5 ms, which the shell's start-up time can distort",
				c->title),
			"use -N to run it without a shell");
	for (size_t i = 0; i < c->timed.nr; i++)
		nr_failed += c->timed.at[i].status != 0;
	if (nr_failed)
		bench_warn(b,
			   bench_text(b, "%zu of %zu runs of '%s' failed", nr_failed, c->timed.nr,
				      c->title),
			   "");
}

/* CPU frequencies follow the load, unless the governor is `performance`. */
static void check_frequency(struct bench *b)
{
	FILE *f = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "re");
	char governor[32] = "performance";

	if (!f)
		return;
	if (fscanf(f, "%31s", governor) == 1 && strcmp(governor, "performance") != 0)
		bench_warn(b,
			   bench_text(b, "the CPU frequency varies with the load (governor '%s')",
				      governor),
			   "sudo cpupower frequency-set -g performance");
	fclose(f);
}

void bench_check_conditions(struct bench *b)
{
	for (size_t i = 0; i < b->nr_command; i++)
		check_command(b, &b->command[i]);
	check_frequency(b);
	if (b->others > LOAD_MATTERS)
		bench_warn(b,
			   bench_text(b, "other processes kept %.1f of %ld CPUs busy", b->others,
				      sysconf(_SC_NPROCESSORS_ONLN)),
			   "stop them (`wick top -a` shows them), or compare user time");
	if (b->in_blocks && b->nr_command > 1)
		bench_warn(
			b, "runs do not alternate, because --setup differs between commands",
			"a slowdown of the machine can then look like a difference between commands");
	if (b->is_wide)
		bench_warn(
			b,
			bench_text(b,
				   "--until not reached: the interval is still wider than ±%g %%",
				   100 * b->limit_width),
			"allow more time: --time 30m");
}
