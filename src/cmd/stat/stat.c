#include "cmd/stat/stat.h"

#include "base/alloc.h"
#include "base/output.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/print_notes.h"
#include "cmd/stat/stat_count.h"
#include "cmd/stat/stat_print.h"
#include "load/naming.h"
#include "record/launch/run_as.h"
#include "record/perf_events/access.h"
#include "record/perf_events/events.h"
#include "render/number.h"
#include "write/output_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct command {
	struct option_list event, argv, pid;
	const char *output, *target_user;
	bool json;
	unsigned runs;
	/* What comes of them */
	struct stat_count count;
	struct events events;
	const char **line; /* the command, with a NULL behind; or NULL */
	struct run_as run_as;
	struct output_file file; /* of `output` */
	int status;		 /* the first that is not 0, of all runs */
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "event", 'e', OPTION_LIST, AT(event), "EVENT,...",
	  "events to count; `wick list` lists them", 0 },
	{ "pid", 'p', OPTION_LIST, AT(pid), "PID|NAME,...",
	  "attach to running processes (all threads)", 0 },
	{ "children", 0, OPTION_FLAG, AT(count.children), NULL,
	  "also count all their child processes", 0 },
	{ "all", 'a', OPTION_FLAG, AT(count.all), NULL, "count all processes of this machine", 0 },
	{ "repeat", 'r', OPTION_UINT, AT(runs), "N",
	  "run the command N times and print mean and standard error [1]", 1 },
	{ "target-user", 0, OPTION_STRING, AT(target_user), "USER",
	  "run the command as this user [the caller of sudo]", 0 },
	{ "output", 'o', OPTION_STRING, AT(output), "FILE", "output file [standard error]", 0 },
	{ "json", 0, OPTION_FLAG, AT(json), NULL, "print JSON", 0 },
	/* Without help: for people who are used to perf. */
	{ "all-cpus", 0, OPTION_FLAG, AT(count.all), NULL, NULL, 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

const struct option_table stat_table = {
	.usage = "wick stat [-e EVENT,...] [-r N] [--] COMMAND...\n"
		 "       wick stat [-e EVENT,...] -p PID|-a [[--] COMMAND...]",
	.about =
		"Runs the command, counts events of it and its child processes, and prints time, memory and\n"
		"counts to standard error.  The exit status is the command's.  With -p or -a, wick counts\n"
		"that target until it ends, until Ctrl-C, or while the command runs.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.command = true,
};

/* Of a CPU, the task clock would be the time that passed. */
static const char *const by_default[] = {
	"task-clock", "context-switches", "cpu-migrations", "minor-faults",  "major-faults",
	"cycles",     "instructions",	  "branches",	    "branch-misses", "cache-misses",
};

static int set_events(struct command *c, struct error *e)
{
	size_t nr = c->event.nr ? c->event.nr : ARRAY_SIZE(by_default);

	for (size_t i = 0; i < nr; i++) {
		const char *name = c->event.nr ? c->event.at[i] : by_default[i];

		if (!c->event.nr && !i && c->count.all)
			name = "cpu-clock";
		if (events_add(&c->events, span_of(name), naming_find_function, e))
			return -1;
	}
	c->count.events = &c->events;
	return 0;
}

static int set_targets(struct command *c, struct error *e)
{
	if (c->pid.nr && c->count.all)
		return error_set(e, ERROR_USAGE, "-p and -a are mutually exclusive");
	if (c->count.children && !c->pid.nr)
		return error_set(e, ERROR_USAGE, "--children requires -p");
	if (c->runs > 1 && (!c->argv.nr || c->pid.nr || c->count.all))
		return error_set(e, ERROR_USAGE, "--repeat requires a command to count");
	if (!c->argv.nr && !c->pid.nr && !c->count.all) {
		error_set(e, ERROR_USAGE, "no command or target given");
		return error_hint(e, "wick stat COMMAND..., or -p PID, or -a");
	}
	for (size_t i = 0; i < c->pid.nr; i++)
		if (targets_add_processes(&c->count.targets, span_of(c->pid.at[i]), e))
			return -1;
	if (c->count.children)
		targets_add_children(&c->count.targets);
	return 0;
}

static int set_opts(struct command *c, struct error *e)
{
	if (set_targets(c, e) || set_events(c, e) || run_as_find(&c->run_as, c->target_user, e))
		return -1;
	c->count.user = run_as_user(&c->run_as);
	if (c->argv.nr) {
		c->line = xcalloc(c->argv.nr + 1, sizeof(*c->line));
		memcpy(c->line, c->argv.at, c->argv.nr * sizeof(*c->line));
		c->count.command = c->line;
	}
	/* Open the output first, so that errors with it show before the command runs. */
	return c->output ? output_file_open(&c->file, c->output, c->run_as.owner,
					    c->run_as.owner_group, e)
			 : 0;
}

/* What was counted */

static bool is_software(const struct sampled *event, uint64_t config)
{
	return event->type == PERF_TYPE_SOFTWARE && event->config == config;
}

static bool is_time(const struct sampled *event)
{
	return is_software(event, PERF_COUNT_SW_TASK_CLOCK) ||
	       is_software(event, PERF_COUNT_SW_CPU_CLOCK);
}

/*
 * The kernel's accounting (rusage) of an event, which needs no permission; NULL: it has none.  It
 * includes the kernel's part, so not for :u and :k.
 */
static const uint64_t *own_account(const struct launch *l, const struct sampled *event)
{
	if (event->no_user || event->no_kernel)
		return NULL;
	if (is_software(event, PERF_COUNT_SW_CONTEXT_SWITCHES))
		return &l->switches;
	if (is_software(event, PERF_COUNT_SW_PAGE_FAULTS_MIN))
		return &l->faults;
	return is_software(event, PERF_COUNT_SW_PAGE_FAULTS_MAJ) ? &l->major_faults : NULL;
}

static void add_reason(struct strbuf *out, const struct stat_count *c, const struct sampled *event,
		       int why)
{
	const struct sampling what = stat_count_wanted(c);
	const struct perf_event_attr a = { .type = event->type,
					   .exclude_kernel = !event->needs_kernel };
	struct error e = ERROR_INIT;

	if (access_is_missing(why) && !counter_has_pmu()) {
		strbuf_add(out, SPAN("no PMU on this machine"));
		return;
	}
	if (access_is_missing(why)) {
		strbuf_add(out, SPAN("not supported by this CPU"));
		return;
	}
	access_refused(&what, &a, why, &e);
	strbuf_addf(out, "%s%s%s", e.text, *e.hint ? "; " : "", e.hint);
}

static void add_counter(struct stat_rows *r, const struct stat_count *c, size_t i)
{
	const struct sampled *event = &c->events->event[i];
	const struct counter *counter = &c->counter[i];
	const uint64_t *account =
		stat_count_is_of_others(c) ? NULL : own_account(&c->launch, event);
	struct stat_row *row = stat_rows_add(r, is_time(event) ? "ns" : "");

	event_name(&row->name, event);
	row->counted = !counter->why;
	row->value = (double)counter->value;
	if ((counter->why || counter->user_only) && account) {
		row->counted = true;
		row->value = (double)*account;
	} else if (counter->why) {
		add_reason(&row->note, c, event, counter->why);
	} else if (!(counter->share > 0)) {
		row->counted = counter->value > 0;
		strbuf_add(&row->note, SPAN("never scheduled on a counter"));
	} else {
		/* Clocks ignore exclude_kernel, and always include the kernel's time. */
		if (counter->user_only && !is_time(event))
			strbuf_add(&row->name, SPAN(":u"));
		if (counter->share < 1)
			strbuf_addf(&row->note, "estimated: counted %.0f %% of the time",
				    counter->share * 100);
	}
}

/* The row of another event, if that was counted. */
static const struct stat_row *find_row(const struct stat_rows *r, const char *name)
{
	for (size_t i = 0; i < r->nr; i++) {
		struct span own = strbuf_peek(&r->at[i].name);

		if (r->at[i].counted && r->at[i].value > 0 &&
		    span_is(span_upto(own, span_find(own, ':')), name))
			return &r->at[i];
	}
	return NULL;
}

/* Notes that relate two counts, such as instructions per cycle. */
static const struct ratio {
	const char *name, *of, *text;
	bool share;
} ratios[] = {
	{ "task-clock", "time", "CPUs used", false },
	{ "instructions", "cycles", "per cycle", false },
	{ "branch-misses", "branches", "of branches", true },
	{ "cache-misses", "cache-references", "of cache-references", true },
};

static void add_ratios(struct stat_rows *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(ratios); i++) {
		const struct ratio *ratio = &ratios[i];
		const struct stat_row *found = find_row(r, ratio->name);
		const struct stat_row *of = find_row(r, ratio->of);
		struct strbuf *note;

		if (!found || !of)
			continue;
		note = &r->at[found - r->at].note;
		if (note->size)
			strbuf_add(note, SPAN("; "));
		if (ratio->share)
			number_add_share(note, found->value / of->value);
		else
			strbuf_addf(note, "%.2f", found->value / of->value);
		strbuf_addf(note, " %s", ratio->text);
	}
}

static void add_rows(struct stat_rows *r, const struct stat_count *c)
{
	const struct launch *l = &c->launch;
	const struct {
		const char *name, *unit;
		uint64_t value;
	} always[] = {
		{ "time", "ns", c->time },
		{ "user", "ns", l->user_time },
		{ "kernel", "ns", l->kernel_time },
		{ "peak memory", "bytes", l->memory },
	};

	/* Of others, the kernel keeps no such account from here on. */
	for (size_t i = 0; i < (stat_count_is_of_others(c) ? 1 : ARRAY_SIZE(always)); i++) {
		struct stat_row *row = stat_rows_add(r, always[i].unit);

		strbuf_addf(&row->name, "%s", always[i].name);
		row->counted = true;
		row->value = (double)always[i].value;
	}
	for (size_t i = 0; i < c->events->nr; i++)
		add_counter(r, c, i);
}

/* Running */

static int write_rows(struct command *c, struct span text, struct error *e)
{
	struct output out;
	int ret;

	if (!c->output) {
		fputs(text.at, stderr);
		return 0;
	}
	ret = output_open(&out, output_file_write(&c->file), e);
	if (!ret) {
		output_add(&out, text);
		ret = output_close(&out, e);
	}
	ret = ret ? output_file_failed(&c->file, e) : output_file_finish(&c->file, e);
	/* What has run is not counted again: it is shown, at least. */
	if (ret && !c->file.is_finished && e->kind != ERROR_PIPE)
		fputs(text.at, stderr);
	return ret;
}

static int write_counts(struct command *c, struct stat_rows *rows, struct error *e)
{
	struct strbuf text = { 0 };
	int ret;

	rows->status = c->status;
	add_ratios(rows);
	if (c->json)
		stat_print_json(&text, rows);
	else
		stat_print_text(&text, rows);
	ret = write_rows(c, strbuf_peek(&text), e);
	strbuf_release(&text);
	return ret;
}

/* Runs the command as often as was asked for; one that a signal ended is not run again. */
static int run(struct command *c, struct stat_rows *rows, struct error *e)
{
	struct launch_signals before;
	int ret = stat_count_prepare(&c->count, &before, e);

	if (ret)
		return ret;
	for (unsigned i = 0; i < c->runs && !ret && c->status <= 128; i++) {
		struct stat_rows latest = { 0 };

		ret = stat_count_run(&c->count, &before, e);
		if (!c->status && (c->line || ret))
			c->status = c->count.launch.status;
		if (!ret)
			add_rows(&latest, &c->count);
		if (!ret)
			stat_rows_add_run(rows, &latest);
		stat_rows_release(&latest);
	}
	signals_end(&before);
	return ret;
}

/* The exit status: the command's; if that is 0 but the counts could not be written, ours. */
static int count(struct command *c, struct error *e)
{
	struct stat_rows rows = { 0 };
	int ret = events_make_probes(&c->events, e) || run(c, &rows, e) ? -1 : 0;

	if (!ret)
		ret = write_counts(c, &rows, e);
	if (ret)
		message_error(e);
	if (c->line)
		print_signal(c->line[0], c->count.launch.signal);
	stat_rows_release(&rows);
	if (!c->line)
		return ret ? message_status(e) : 0;
	return ret && !c->status ? message_status(e) : c->status;
}

static void release(struct command *c)
{
	events_release(&c->events);
	targets_release(&c->count.targets);
	free(c->count.counter);
	if (c->file.asked)
		output_file_close(&c->file);
	run_as_release(&c->run_as);
	option_list_release(&c->pid);
	free(c->line);
	option_list_release(&c->argv);
	option_list_release(&c->event);
}

int stat_main(int argc, char **argv)
{
	struct command c = { .count = { .launch = LAUNCH_INIT }, .run_as = RUN_AS_INIT, .runs = 1 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&stat_table, &c, argc, argv, &c.argv, &e);

	if (ret > 0) {
		options_help(&stat_table);
		ret = 0;
	} else if (ret || set_opts(&c, &e)) {
		message_error(&e);
		ret = e.kind != ERROR_USAGE && c.argv.nr ? STATUS_OWN : message_status(&e);
	} else {
		ret = count(&c, &e);
	}
	release(&c);
	return ret;
}
