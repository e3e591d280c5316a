#include "cmd/stat.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "record/counting.h"
#include "record/events.h"
#include "record/session.h"
#include "render/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct command {
	struct option_list event, argv;
	struct events events;
	struct counter *counter; /* by event */
	const char **line;	 /* the command, with a NULL behind */
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "event", 'e', OPTION_LIST, AT(event), "EVENT,...",
	  "count these, instead of what is counted anyway", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

static const struct option_table table = {
	.usage = "wick stat [-e EVENT,...] [--] COMMAND...",
	.about =
		"Runs the command and tells on standard error what it took: time, memory, and what the\n"
		"kernel and the processor count.  The exit status is the command's own.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.command = true,
};

static const char *const by_default[] = {
	"task-clock", "context-switches", "cpu-migrations", "page-faults",   "major-faults",
	"cycles",     "instructions",	  "branches",	    "branch-misses", "cache-misses",
};

static int set_events(struct command *c, struct error *e)
{
	const char *const *list = c->event.nr ? c->event.at : by_default;
	size_t nr = c->event.nr ? c->event.nr : ARRAY_SIZE(by_default);

	for (size_t i = 0; i < nr; i++)
		if (events_add(&c->events, span_of(list[i]), NULL, e))
			return -1;
	return 0;
}

/* Telling */

static void tell(const char *name, struct strbuf *value)
{
	int width = 20;

	/* Blanks that do not break have more bytes than one. */
	for (size_t i = 0; i < value->size; i++)
		width += (value->at[i] & 0xc0) == 0x80;
	fprintf(stderr, "%*s  %s\n", width, value->at, name);
	strbuf_reset(value);
}

static const char *reason(int why)
{
	switch (why) {
	case EACCES:
	case EPERM:
		return "not allowed";
	default:
		return "not counted here";
	}
}

static bool is_time(const struct sampled *event)
{
	return event->type == PERF_TYPE_SOFTWARE && (event->config == PERF_COUNT_SW_TASK_CLOCK ||
						     event->config == PERF_COUNT_SW_CPU_CLOCK);
}

static void tell_counter(const struct command *c, size_t i)
{
	const struct counter *counter = &c->counter[i];
	struct strbuf text = { 0 }, name = { 0 };

	event_name(&name, &c->events.event[i]);
	if (counter->user_only)
		strbuf_add(&name, SPAN(":u"));
	if (counter->share > 0 && counter->share < 1)
		strbuf_addf(&name, " (counted %.0f %% of the time)", counter->share * 100);
	if (counter->why)
		strbuf_addf(&text, "%s", reason(counter->why));
	else if (is_time(&c->events.event[i]))
		number_add_count(&text, (double)counter->value, SPAN("ns"));
	else
		strbuf_addf(&text, "%llu", (unsigned long long)counter->value);
	tell(name.at, &text);
	strbuf_release(&text);
	strbuf_release(&name);
}

static void tell_all(const struct command *c, const struct launch *l, uint64_t ns)
{
	struct strbuf text = { 0 };

	number_add_count(&text, (double)ns, SPAN("ns"));
	tell("time", &text);
	number_add_count(&text, (double)l->user_time, SPAN("ns"));
	tell("of processors, in its own code", &text);
	number_add_count(&text, (double)l->kernel_time, SPAN("ns"));
	tell("of processors, in the kernel", &text);
	number_add_count(&text, (double)l->memory, SPAN("bytes"));
	tell("memory at most", &text);
	for (size_t i = 0; i < c->events.nr; i++)
		tell_counter(c, i);
	strbuf_release(&text);
}

/* Running */

static int run(struct command *c, struct error *e)
{
	struct launch_signals before;
	struct launch l = LAUNCH_INIT;
	uint64_t begin = 0;
	int ret;

	if (session_signals(&before, TOGGLE_NO, e) || launch_open(&l, c->line, NULL, &before, e))
		return -1;
	c->counter = xcalloc(c->events.nr, sizeof(*c->counter));
	for (size_t i = 0; i < c->events.nr; i++)
		counter_open(&c->counter[i], &c->events.event[i], l.pid);
	begin = session_now();
	ret = launch_run(&l, c->line[0], e);
	/* Signals from the terminal are the command's business. */
	if (!ret)
		launch_wait(&l);
	begin = session_now() - begin;
	for (size_t i = 0; i < c->events.nr; i++)
		counter_close(&c->counter[i]);
	session_signals_end(&before);
	launch_close(&l);
	if (!ret)
		tell_all(c, &l, begin);
	else
		message_error(e);
	return l.status;
}

int stat_main(int argc, char **argv)
{
	struct error e = ERROR_INIT;
	struct command c = { 0 };
	int ret = options_parse(&table, &c, argc, argv, &c.argv, &e);

	if (ret > 0) {
		options_help(&table);
		ret = 0;
	} else {
		if (!ret && !c.argv.nr)
			ret = error_set(&e, ERROR_USAGE, "what shall be run? wick stat COMMAND...");
		if (!ret)
			ret = set_events(&c, &e);
		if (!ret) {
			c.line = xcalloc(c.argv.nr + 1, sizeof(*c.line));
			memcpy(c.line, c.argv.at, c.argv.nr * sizeof(*c.line));
			ret = run(&c, &e);
		} else {
			message_error(&e);
			ret = message_status(&e);
		}
	}
	events_release(&c.events);
	free(c.counter);
	free(c.line);
	option_list_release(&c.argv);
	option_list_release(&c.event);
	return ret < 0 ? STATUS_OWN : ret;
}
