#include "cmd/stat.h"

#include "base/alloc.h"
#include "base/output.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/naming.h"
#include "cmd/stat_tell.h"
#include "cmd/tell.h"
#include "record/access.h"
#include "record/counting.h"
#include "record/events.h"
#include "record/session.h"
#include "render/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct command {
	struct option_list event, argv;
	const char *output;
	bool json;
	/* What comes of them */
	struct events events;
	struct counter *counter; /* by event */
	const char **line;	 /* the command, with a NULL behind */
	struct launch launch;
	uint64_t time; /* ns */
	struct output out;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "event", 'e', OPTION_LIST, AT(event), "EVENT,...",
	  "count these instead, as `wick list` has them", 0 },
	{ "output", 'o', OPTION_STRING, AT(output), "FILE", "tell it there, not on standard error",
	  0 },
	{ "json", 0, OPTION_FLAG, AT(json), NULL, "tell it to programs", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

const struct option_table stat_table = {
	.usage = "wick stat [-e EVENT,...] [--] COMMAND...",
	.about =
		"Runs the command and tells on standard error what it took, with all that it started: time,\n"
		"memory, and what the kernel and the processor count.  The exit status is the command's own.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.command = true,
};

static const char *const by_default[] = {
	"task-clock", "context-switches", "cpu-migrations", "minor-faults",  "major-faults",
	"cycles",     "instructions",	  "branches",	    "branch-misses", "cache-misses",
};

static int set_opts(struct command *c, struct error *e)
{
	const char *const *list = c->event.nr ? c->event.at : by_default;
	size_t nr = c->event.nr ? c->event.nr : ARRAY_SIZE(by_default);

	if (!c->argv.nr)
		return error_set(e, ERROR_USAGE, "what shall be run? wick stat COMMAND...");
	for (size_t i = 0; i < nr; i++)
		if (events_add(&c->events, span_of(list[i]), naming_find_function, e))
			return -1;
	c->line = xcalloc(c->argv.nr + 1, sizeof(*c->line));
	memcpy(c->line, c->argv.at, c->argv.nr * sizeof(*c->line));
	c->counter = xcalloc(c->events.nr, sizeof(*c->counter));
	/* Open the output first, so that errors with it show before the command runs. */
	return c->output ? output_open_whole(&c->out, c->output, e) : 0;
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

static void add_reason(struct strbuf *out, const struct sampled *event, int why)
{
	const struct sampling what = { .nr_task = 1, .on_exec = true };
	const struct perf_event_attr a = { .type = event->type,
					   .exclude_kernel = !event->needs_kernel };
	struct error e = ERROR_INIT;

	if (access_is_missing(why) && !counter_has_pmu()) {
		strbuf_add(out, SPAN("no PMU in this machine"));
		return;
	}
	if (access_is_missing(why)) {
		strbuf_add(out, SPAN("this processor does not have it"));
		return;
	}
	access_refused(&what, &a, why, &e);
	strbuf_addf(out, "%s%s%s", e.text, *e.hint ? "; " : "", e.hint);
}

static void add_counter(struct stat_rows *r, const struct command *c, size_t i)
{
	const struct sampled *event = &c->events.event[i];
	const struct counter *counter = &c->counter[i];
	const uint64_t *account = own_account(&c->launch, event);
	struct stat_row *row = stat_rows_add(r, is_time(event) ? "ns" : "");

	event_name(&row->name, event);
	row->counted = !counter->why;
	row->value = (double)counter->value;
	if ((counter->why || counter->user_only) && account) {
		row->counted = true;
		row->value = (double)*account;
	} else if (counter->why) {
		add_reason(&row->note, event, counter->why);
	} else if (!(counter->share > 0)) {
		row->counted = counter->value > 0;
		strbuf_add(&row->note, SPAN("its turn never came"));
	} else {
		/* Clocks ignore exclude_kernel, and always include the kernel's time. */
		if (counter->user_only && !is_time(event))
			strbuf_add(&row->name, SPAN(":u"));
		if (counter->share < 1)
			strbuf_addf(&row->note, "estimated: it was counted %.0f %% of the time",
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
	{ "task-clock", "time", "processors busy", false },
	{ "instructions", "cycles", "a cycle", false },
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

static void add_rows(struct stat_rows *r, const struct command *c)
{
	const struct launch *l = &c->launch;
	const struct {
		const char *name, *unit;
		uint64_t value;
	} always[] = {
		{ "time", "ns", c->time },
		{ "user", "ns", l->user_time },
		{ "kernel", "ns", l->kernel_time },
		{ "memory at most", "bytes", l->memory },
	};

	r->status = l->status;
	for (size_t i = 0; i < ARRAY_SIZE(always); i++) {
		struct stat_row *row = stat_rows_add(r, always[i].unit);

		strbuf_addf(&row->name, "%s", always[i].name);
		row->counted = true;
		row->value = (double)always[i].value;
	}
	for (size_t i = 0; i < c->events.nr; i++)
		add_counter(r, c, i);
	add_ratios(r);
}

static int tell(struct command *c, struct error *e)
{
	struct stat_rows rows = { 0 };
	struct strbuf text = { 0 };
	int ret = 0;

	add_rows(&rows, c);
	if (c->json)
		stat_tell_json(&text, &rows);
	else
		stat_tell_text(&text, &rows);
	if (!c->output) {
		fputs(text.at, stderr);
	} else {
		output_add(&c->out, strbuf_peek(&text));
		ret = output_close(&c->out, e);
	}
	stat_rows_release(&rows);
	strbuf_release(&text);
	return ret;
}

/* Running */

static int run(struct command *c, struct error *e)
{
	struct launch *l = &c->launch;
	struct launch_signals before;
	uint64_t begin;
	int ret;

	if (events_make_probes(&c->events, e) || signals_take(&before, SIGNALS_FOR_COMMAND, e) ||
	    launch_open(l, c->line, NULL, NULL, &before, e))
		return -1;
	for (size_t i = 0; i < c->events.nr; i++)
		counter_open(&c->counter[i], &c->events.event[i], l->pid);
	begin = session_now();
	ret = launch_run(l, c->line[0], e);
	if (!ret)
		signals_wait(l, &before);
	c->time = session_now() - begin;
	for (size_t i = 0; i < c->events.nr; i++)
		counter_close(&c->counter[i]);
	signals_end(&before);
	launch_close(l);
	return ret;
}

/* The exit status: the command's; if that is 0 but the counts could not be written, ours. */
static int count(struct command *c, struct error *e)
{
	int ret = run(c, e);

	if (!ret)
		ret = tell(c, e);
	else if (c->output)
		output_drop(&c->out);
	if (ret)
		message_error(e);
	tell_signal(c->line[0], c->launch.signal);
	return ret && !c->launch.status ? message_status(e) : c->launch.status;
}

static void release(struct command *c)
{
	events_release(&c->events);
	free(c->counter);
	free(c->line);
	option_list_release(&c->argv);
	option_list_release(&c->event);
}

int stat_main(int argc, char **argv)
{
	struct command c = { .launch = LAUNCH_INIT };
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
