#include "cmd/bench/bench.h"

#include "base/alloc.h"
#include "cli/duration.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/bench/bench_parts.h"
#include "load/naming.h"
#include "record/session.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STATUS_SLOWER = 3 };

/* Limit of --profile-runs: more are not useful. */
enum { PROFILE_RUNS_MOST = 1000 };

/* The default time for the runs of a command. */
static const double SECONDS_EACH = 3;

#define AT(field) offsetof(struct bench_opts, field)

static const struct option options[] = {
	{ "runs", 'r', OPTION_UINT, AT(runs), "N", "run each command exactly N times", 1 },
	{ "min-runs", 'm', OPTION_UINT, AT(min_runs), "N", "run each command at least N times [10]",
	  0 },
	{ "max-runs", 'M', OPTION_UINT, AT(max_runs), "N", "run each command at most N times", 1 },
	{ "time", 0, OPTION_STRING, AT(time), "TIME",
	  "total time of all runs, such as 30s or 5m [3s per command]", 0 },
	{ "min-benchmarking-time", 0, OPTION_STRING, AT(each_time), "SECONDS", NULL, 0 },
	{ "until", 0, OPTION_STRING, AT(until), "PERCENT",
	  "stop when the ratio is known to within ±PERCENT", 0 },
	{ "warmup", 'w', OPTION_UINT, AT(warmup), "N", "run each command N times first, untimed",
	  0 },
	{ "prepare", 'p', OPTION_LIST, AT(prepare), "COMMAND",
	  "run this before every run; give it once, or once per command", 0 },
	{ "setup", 's', OPTION_STRING, AT(setup), "COMMAND",
	  "run this once before the runs of each command", 0 },
	{ "conclude", 'C', OPTION_LIST, AT(conclude), "COMMAND",
	  "run this after every run; give it once, or once per command", 0 },
	{ "cleanup", 'c', OPTION_STRING, AT(cleanup), "COMMAND",
	  "run this once after the runs of each command", 0 },
	{ "command-name", 'n', OPTION_LIST, AT(name), "NAME",
	  "name for a command in the results; repeatable", 0 },
	{ "reference", 0, OPTION_STRING, AT(reference), "COMMAND",
	  "compare all others with this command [the first]", 0 },
	{ "reference-name", 0, OPTION_STRING, AT(reference_name), "NAME",
	  "name for the command of --reference in the results", 0 },
	{ "shell", 'S', OPTION_STRING, AT(shell), "SHELL",
	  "shell that runs the commands, or none; its start-up time is subtracted [sh]", 0 },
	{ NULL, 'N', OPTION_FLAG, AT(no_shell), NULL, "same as --shell none", 0 },
	{ "ignore-failure", 'i', OPTION_MAYBE, AT(ignore_failure), "STATUS,...",
	  "ignore these exit statuses [all]", 0 },
	{ "parameter-scan", 'P', OPTION_TUPLE, AT(scan), "VAR MIN MAX",
	  "run the commands with each number from MIN to MAX in place of {VAR}", 0 },
	{ "parameter-step-size", 'D', OPTION_STRING, AT(step), "DELTA",
	  "step of --parameter-scan [1]", 0 },
	{ "parameter-list", 'L', OPTION_TUPLE, AT(list), "VAR VALUE,...",
	  "run the commands with each value in place of {VAR}; repeatable", 0 },
	{ "input", 0, OPTION_STRING, AT(input), "null|FILE",
	  "standard input of the commands [null]", 0 },
	{ "output", 0, OPTION_LIST, AT(output), "null|pipe|inherit|FILE",
	  "standard output of the commands, given once or once per command; inherit also shows standard error [null]",
	  0 },
	{ "show-output", 0, OPTION_FLAG, AT(show_output), NULL, "same as --output inherit", 0 },
	{ "event", 'e', OPTION_LIST, AT(event), "EVENT,...",
	  "also count these events [cycles, instructions, branch-misses and cache-misses, if available]",
	  0 },
	{ "profile-runs", 0, OPTION_STRING, AT(profile), "N|auto",
	  "profile N extra runs of each command, untimed, and show their waits and the functions that changed; auto: as many as that takes, for up to 10 s [0; auto with -o]",
	  0 },
	{ "page", 'o', OPTION_STRING, AT(page), "FILE.html",
	  "write an HTML report: distributions, order of runs, functions, differential flame graph",
	  0 },
	{ "export-json", 0, OPTION_STRING, AT(json), "FILE", "write all results as JSON", 0 },
	{ "export-csv", 0, OPTION_STRING, AT(csv), "FILE", "write the summary as CSV", 0 },
	{ "export-markdown", 0, OPTION_STRING, AT(markdown), "FILE",
	  "write the summary as a Markdown table", 0 },
	{ "export-asciidoc", 0, OPTION_STRING, AT(asciidoc), "FILE",
	  "write the summary as an AsciiDoc table", 0 },
	{ "export-orgmode", 0, OPTION_STRING, AT(orgmode), "FILE",
	  "write the summary as an Org table", 0 },
	{ "time-unit", 'u', OPTION_CHOICE, AT(unit), "auto|microsecond|millisecond|second",
	  "unit of times, except in JSON and CSV, which have seconds", 0 },
	{ "sort", 0, OPTION_CHOICE, AT(sort), "auto|command|mean-time",
	  "order of comparisons and tables [auto: comparisons by mean time, tables by command]",
	  0 },
	{ "style", 0, OPTION_CHOICE, AT(style), "auto|basic|full|nocolor|color|none",
	  "basic: neither colors nor progress, full: both, none: same as --quiet [auto]", 0 },
	{ "save", 0, OPTION_STRING, AT(save), "FILE", "save the results for --baseline", 0 },
	{ "baseline", 0, OPTION_STRING, AT(baseline), "FILE",
	  "compare with results written by --save", 0 },
	{ "fail-above", 0, OPTION_STRING, AT(fail_above), "PERCENT",
	  "exit with status 3 if a command is slower by more than PERCENT", 0 },
	{ "git", 0, OPTION_STRING, AT(git), "A..B",
	  "compare the command in two Git revisions, each in its own worktree", 0 },
	{ "build", 0, OPTION_STRING, AT(build), "COMMAND", "build each revision with this command",
	  0 },
	{ "target-user", 0, OPTION_STRING, AT(target_user), "USER",
	  "run the commands as this user [the caller of sudo]", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "print errors only", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

const struct option_table bench_table = {
	.usage = "wick bench [options] 'COMMAND A' ['COMMAND B'...]\n"
		 "       wick bench [options] -- COMMAND A... [:: COMMAND B...]",
	.about =
		"Runs commands repeatedly, in random order, and reports whether they differ in time, memory\n"
		"and other metrics: faster, slower, or no difference detected.  Accepts hyperfine's options.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.operand = "COMMAND",
};

const char *bench_text(struct bench *b, const char *format, ...)
{
	const char *text;
	va_list args;

	va_start(args, format);
	text = arena_vtext(&b->arena, format, args);
	va_end(args);
	return text;
}

int bench_output_open(const struct bench *b, struct output *out, const char *path, struct error *e)
{
	if (output_open_whole(out, path, e))
		return -1;
	if (b->run_as.owner != (uid_t)-1 && out->place.path && !out->place.is_foreign)
		(void)!fchown(out->fd, b->run_as.owner, b->run_as.owner_group);
	return 0;
}

const char *bench_folder(struct bench *b, struct error *e)
{
	const char *in = getenv("TMPDIR");
	char *path =
		(char *)(uintptr_t)bench_text(b, "%s/wick-bench-XXXXXX", in && *in ? in : P_tmpdir);

	if (mkdtemp(path))
		return path;
	error_sys(e, "%s", path);
	return NULL;
}

/* Options */

/* "2", "2%", "0.5 %" as a fraction */
static int parse_percent(const char *option, const char *text, double *fraction, struct error *e)
{
	struct span s = span_trim(span_of(text));
	double value;

	if (span_ends(s, "%"))
		s = span_trim(span_upto(s, s.size - 1));
	if (!span_double(s, &value) || !(value >= 0 && value <= 1000))
		return error_set(e, ERROR_USAGE,
				 "invalid percentage '%s' for %s: expected a number such as 2%%",
				 text, option);
	*fraction = value / 100;
	return 0;
}

/* "", "all-non-zero" or "1,2" */
static int set_ignored(struct bench *b, struct error *e)
{
	const char *given = b->o.ignore_failure;
	bool all = given && (!*given || !strcmp(given, "all-non-zero"));
	struct span rest = span_of(given && !all ? given : "");

	for (size_t i = 0; i < ARRAY_SIZE(b->ignored); i++)
		b->ignored[i] = all;
	while (rest.size) {
		struct span one = span_upto(rest, span_find(rest, ','));
		uint64_t status;

		if (!span_u64(span_trim(one), &status) || status >= ARRAY_SIZE(b->ignored))
			return error_set(
				e, ERROR_USAGE,
				"invalid exit status '%.*s' for --ignore-failure: expected 0 to 255",
				(int)one.size, one.at);
		b->ignored[status] = true;
		rest = span_from(rest, one.size + 1);
	}
	return 0;
}

/* "5" or "auto" */
static int set_profile_runs(struct bench *b, struct error *e)
{
	const char *given = b->o.profile ? b->o.profile : b->o.page ? "auto" : "0";
	uint64_t nr = BENCH_PROFILE_AUTO;

	if (strcmp(given, "auto") != 0 &&
	    (!span_u64(span_of(given), &nr) || nr > PROFILE_RUNS_MOST))
		return error_set(
			e, ERROR_USAGE,
			"invalid number '%s' for --profile-runs: expected 0 to %d, or auto", given,
			PROFILE_RUNS_MOST);
	b->o.profile_runs = (unsigned)nr;
	return 0;
}

static int set_limits(struct bench *b, struct error *e)
{
	uint64_t ns = 0;

	if (b->o.time && duration_parse("--time", b->o.time, &ns, e))
		return -1;
	if (b->o.time && !ns)
		return error_set(e, ERROR_USAGE, "--time must be positive");
	b->limit_time = (double)ns / 1e9;
	b->each_time = SECONDS_EACH;
	if (b->o.each_time &&
	    (!span_double(span_of(b->o.each_time), &b->each_time) || !(b->each_time >= 0)))
		return error_set(e, ERROR_USAGE,
				 "invalid time '%s' for --min-benchmarking-time: expected seconds",
				 b->o.each_time);
	if (b->o.until && parse_percent("--until", b->o.until, &b->limit_width, e))
		return -1;
	if (b->o.until && !(b->limit_width > 0))
		return error_set(e, ERROR_USAGE, "--until must be positive");
	if (b->o.fail_above && parse_percent("--fail-above", b->o.fail_above, &b->fail_above, e))
		return -1;
	if (b->o.runs != BENCH_NOT_GIVEN && (b->o.time || b->o.until))
		return error_set(e, ERROR_USAGE, "--runs and %s are mutually exclusive",
				 b->o.time ? "--time" : "--until");
	if (b->o.runs != BENCH_NOT_GIVEN &&
	    (b->o.min_runs != BENCH_NOT_GIVEN || b->o.max_runs != BENCH_NOT_GIVEN))
		return error_set(e, ERROR_USAGE, "--runs and %s are mutually exclusive",
				 b->o.min_runs != BENCH_NOT_GIVEN ? "--min-runs" : "--max-runs");
	if (b->o.min_runs != BENCH_NOT_GIVEN && b->o.min_runs > b->o.max_runs)
		return error_set(e, ERROR_USAGE, "--min-runs exceeds --max-runs");
	if (b->o.no_shell && b->o.shell)
		return error_set(e, ERROR_USAGE, "-N and --shell are mutually exclusive");
	if (b->o.reference_name && !b->o.reference)
		return error_set(e, ERROR_USAGE, "--reference-name requires --reference");
	if (b->o.show_output && b->o.output.nr)
		return error_set(e, ERROR_USAGE,
				 "--output and --show-output are mutually exclusive");
	if (b->o.build && !b->o.git)
		return error_set(e, ERROR_USAGE, "--build requires --git");
	if (set_profile_runs(b, e))
		return -1;
	b->o.quiet |= b->o.style == BENCH_STYLE_NONE;
	return set_ignored(b, e);
}

/*
 * wick's own counters, which all started processes inherit: their increase during a run is that of
 * the run, plus the few microseconds in which wick starts it.  enable_on_exec would exclude these,
 * but the kernel may swap the events of parent and child, and then the wrong one is enabled.
 */
static int set_counters(struct bench *b, struct error *e)
{
	static const char *const by_default[] = { "cycles", "instructions", "branch-misses",
						  "cache-misses" };
	const pid_t us = 0;
	const struct counted target = { .task = &us, .nr_task = 1, .follow = FOLLOW_ALL };
	size_t nr = b->o.event.nr ? b->o.event.nr : counter_has_pmu() ? ARRAY_SIZE(by_default) : 0;

	for (size_t i = 0; i < nr; i++)
		if (events_add(&b->events,
			       span_of(b->o.event.nr ? b->o.event.at[i] : by_default[i]),
			       naming_find_function, e))
			return -1;
	if (b->events.nr > ARRAY_SIZE(b->counter))
		return error_set(e, ERROR_USAGE, "--event: too many events (limit: %zu)",
				 ARRAY_SIZE(b->counter));
	for (size_t i = 0; i < b->events.nr; i++) {
		struct counter *c = &b->counter[b->nr_metric - METRIC_COUNTERS];
		struct strbuf name = { 0 };

		counter_open(c, &b->events.event[i], &target);
		event_name(&name, &b->events.event[i]);
		if (!c->why) {
			const char *text = bench_text(b, "%s%s", name.at, c->user_only ? ":u" : "");

			counter_start(c);
			b->metric[b->nr_metric++] = (struct bench_metric_name){ text, text, "" };
		} else if (b->o.event.nr) {
			bench_warn(b, bench_text(b, "cannot count %s on this machine", name.at),
				   "`wick list` lists the events that can be counted");
		}
		strbuf_release(&name);
	}
	return 0;
}

static void set_metrics(struct bench *b)
{
	static const struct bench_metric_name own[] = {
		[METRIC_TIME] = { "time", "time", "ns" },
		[METRIC_USER] = { "user time", "user", "ns" },
		[METRIC_SYSTEM] = { "system time", "system", "ns" },
		[METRIC_MEMORY] = { "peak memory", "memory", "bytes" },
		[METRIC_MINOR_FAULTS] = { "minor faults", "minor_faults", "" },
		[METRIC_MAJOR_FAULTS] = { "major faults", "major_faults", "" },
		[METRIC_SWITCHES] = { "voluntary switches", "voluntary_switches", "" },
		[METRIC_PREEMPTIONS] = { "involuntary switches", "involuntary_switches", "" },
	};

	for (; b->nr_metric < ARRAY_SIZE(own); b->nr_metric++)
		b->metric[b->nr_metric] = own[b->nr_metric];
	for (int i = 0; i < NR_WAIT_REASONS; i++, b->nr_metric++) {
		struct span name = span_of(wait_reason_name((enum wait_reason)i));
		int nr = (int)span_find(name, ' '); /* the first word of "cpu wait" */

		b->metric[b->nr_metric] =
			(struct bench_metric_name){ bench_text(b, "%.*s wait", nr, name.at),
						    bench_text(b, "wait_%.*s", nr, name.at), "ns" };
	}
}

/* Running */

/* The other commands are compared with the first one, unless there is a baseline. */
static int set_references(struct bench *b, struct error *e)
{
	for (size_t i = 0; i < b->nr_command; i++) {
		b->command[i].metrics = ((1u << b->nr_metric) - 1) & ~BENCH_WAITS;
		b->command[i].reference = i ? &b->command[0] : NULL;
	}
	return b->o.baseline ? bench_saved_read(b, e) : 0;
}

static bool has_runs(const struct bench *b)
{
	for (size_t i = 0; i < b->nr_command; i++)
		if (b->command[i].timed.nr)
			return true;
	return false;
}

/* Determines the exit status. */
static int judge(const struct bench *b)
{
	int ret = 0;

	for (size_t i = 0; i < b->nr_command && !isnan(b->fail_above); i++) {
		const struct bench_command *c = &b->command[i];
		const struct ratio *r = &c->ratio[METRIC_TIME];

		if (!c->reference || r->verdict != RATIO_MORE || r->value - 1 <= b->fail_above)
			continue;
		message("'%s' is %.2f %% slower, above the limit of %g %%", c->title,
			100 * (r->value - 1), 100 * b->fail_above);
		ret = STATUS_SLOWER;
	}
	return b->interrupted ? 128 + b->interrupted : ret;
}

static int measure(struct bench *b, struct bench_spawn *s, struct error *e)
{
	if (!b->interrupted && bench_measure(b, s, e))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(b->counter); i++)
		counter_close(&b->counter[i]);
	if (!has_runs(b)) {
		message("interrupted before a run has ended: no results");
		return 128 + b->interrupted;
	}
	if (b->o.profile_runs && !b->interrupted && bench_profile(b, s, e)) {
		message_error(e);
		*e = (struct error)ERROR_INIT;
	}
	if (b->interrupted)
		message("interrupted: reporting the runs so far");
	bench_compare(b);
	bench_check_conditions(b);
	if (!b->o.quiet)
		bench_report(b);
	if (bench_export(b, e) || (b->o.page && bench_page_write(b, e)))
		return -1;
	return judge(b);
}

static int run(struct bench *b, const struct option_list *operands, bool after_dashes,
	       struct error *e)
{
	struct bench_spawn s = BENCH_SPAWN_INIT;
	int ret;

	set_metrics(b);
	if (set_limits(b, e) || bench_export_check(b, e) ||
	    bench_commands(b, operands, after_dashes, e) || set_counters(b, e) ||
	    set_references(b, e) || run_as_find(&b->run_as, b->o.target_user, e))
		return -1;
	if (signals_take(&b->signals, SIGNALS_FOR_COMMAND, e))
		return -1;
	ret = bench_spawn_init(&s, b, e);
	if (!ret && b->o.git)
		ret = bench_git_open(b, &s, e);
	if (!ret)
		ret = measure(b, &s, e);
	bench_git_close(b, &s);
	bench_spawn_release(&s);
	signals_end(&b->signals);
	return ret;
}

static void release_runs(struct bench_command *c)
{
	bench_runs_release(&c->timed);
	bench_runs_release(&c->recorded);
}

static void release(struct bench *b)
{
	for (size_t i = 0; i < b->nr_command; i++)
		release_runs(&b->command[i]);
	for (size_t i = 0; i < b->nr_saved; i++)
		release_runs(&b->saved[i]);
	for (size_t i = 0; i < ARRAY_SIZE(b->counter); i++)
		counter_close(&b->counter[i]);
	free(b->command);
	free(b->saved);
	free(b->warning);
	bench_profile_release(&b->profile);
	run_as_release(&b->run_as);
	events_release(&b->events);
	arena_release(&b->arena);
	option_list_release(&b->o.prepare);
	option_list_release(&b->o.conclude);
	option_list_release(&b->o.name);
	option_list_release(&b->o.output);
	option_list_release(&b->o.scan);
	option_list_release(&b->o.list);
	option_list_release(&b->o.event);
}

int bench_main(int argc, char **argv)
{
	struct bench b = { .o = { .runs = BENCH_NOT_GIVEN,
				  .min_runs = BENCH_NOT_GIVEN,
				  .max_runs = BENCH_NOT_GIVEN },
			   .run_as = RUN_AS_INIT,
			   .fail_above = NAN,
			   .chance = { .state = session_now() } };
	int dashes = options_dashes(argc, argv);
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&bench_table, &b.o, dashes, argv, &operands, &e);

	if (ret > 0) {
		options_help(&bench_table);
		option_list_release(&operands);
		release(&b);
		return 0;
	}
	if (!ret && dashes < argc && operands.nr)
		ret = error_set(&e, ERROR_USAGE,
				"commands given both before and after --: use one or the other");
	for (int i = dashes + 1; i < argc; i++)
		option_list_add(&operands, argv[i]);
	if (!ret)
		ret = run(&b, &operands, dashes < argc, &e);
	option_list_release(&operands);
	release(&b);
	return message_result(ret, &e);
}
