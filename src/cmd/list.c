#include "cmd/list.h"

#include "base/alloc.h"
#include "base/pattern.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "record/perf_events/access.h"
#include "record/perf_events/counting.h"
#include "record/perf_events/events.h"
#include "record/perf_events/permissions.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[NR_EVENT_KIND] = {
	[EVENT_TIME] = "time",	 [EVENT_HARDWARE] = "hardware", [EVENT_SOFTWARE] = "software",
	[EVENT_CACHE] = "cache", [EVENT_PMU] = "pmu",		[EVENT_TRACEPOINT] = "tracepoint",
};

struct list {
	bool wanted[NR_EVENT_KIND];
	struct pattern *pattern; /* NULL: no pattern, or a glob */
	const char *text;	 /* as given; NULL: all events */
	size_t nr, nr_missing, nr_denied;
	struct error e; /* of the pattern */
	int ret;
};

static const struct option options[] = {
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_words values[] = {
	{ "KIND", "time|hardware|software|cache|pmu|tracepoint" },
	{ 0 },
};

const struct option_table list_table = {
	.usage = "wick list [time|hardware|software|cache|pmu|tracepoint] [PATTERN]",
	.about =
		"Lists the events for `wick record -e` and `wick stat -e`, one per line: name, kind and\n"
		"description.  Events of kind time can be recorded, but not counted.  Events that this machine\n"
		"does not support are marked.",
	.option = options,
	.after =
		"Also supported, but not listed: r1a8 and cpu/event=0x3c,umask=0x1/ (raw events, see the CPU's\n"
		"manual), uprobe:FILE:FUNCTION and uretprobe:FILE:FUNCTION (calls of and returns from a function).",
	.syntax = SYNTAX_GNU,
	.operand = "KIND",
	.words = values,
};

/* The mark after an event that cannot be counted or sampled. */
static const char *mark(struct list *l, const struct event_row *row)
{
	bool needs_no_counter = row->kind == EVENT_TIME || row->kind == EVENT_TRACEPOINT;
	int why = needs_no_counter ? 0 : counter_try(&row->event);

	if (!why)
		return row->kind == EVENT_PMU && trial_event(&row->event) ? " (counting only)" : "";
	if (access_is_missing(why)) {
		l->nr_missing++;
		return " (not supported here)";
	}
	/* System-wide events (of a memory controller, …) cannot be opened for a task. */
	if (why == EINVAL)
		return " (only with -a)";
	l->nr_denied++;
	return " (not permitted here)";
}

static void show(void *arg, const struct event_row *row)
{
	struct list *l = arg;
	bool matches = true;

	if (!l->wanted[row->kind] || l->ret)
		return;
	if (l->pattern && pattern_match(l->pattern, span_of(row->name), &matches, &l->e)) {
		l->ret = -1;
		return;
	}
	if (l->text && !l->pattern)
		matches = !fnmatch(l->text, row->name, 0);
	if (!matches)
		return;
	l->nr++;
	printf("%-32s %-10s %s%s\n", row->name, kinds[row->kind], row->about, mark(l, row));
}

/* Explains the marks, with hints. */
static void explain(const struct list *l)
{
	struct error e = ERROR_INIT;

	if (l->nr_missing)
		message("%zu of %zu events are not supported here: %s", l->nr_missing, l->nr,
			counter_has_pmu() ? "this CPU does not have them"
					  : "no PMU, as in most virtual machines");
	if (!l->nr_denied)
		return;
	access_denied(ACCESS_KERNEL, &e);
	message_error(&e);
}

static int list_all(struct list *l, struct error *e)
{
	event_names_each(show, l);
	if (l->wanted[EVENT_PMU])
		event_pmus_each(show, l);
	if (l->wanted[EVENT_TRACEPOINT] && event_tracepoints_each(show, l, e)) {
		message_error(e);
		/* Continues only if other kinds were requested, too. */
		if (!l->wanted[EVENT_SOFTWARE])
			return 1;
	}
	explain(l);
	if (!l->nr && !l->nr_missing)
		message("no event matches '%s'", l->text ? l->text : "");
	return l->nr ? 0 : 1;
}

/* perf list has short names for the first two. */
static bool is_kind(const char *word, size_t kind)
{
	static const char *const as_in_perf[NR_EVENT_KIND] = {
		[EVENT_HARDWARE] = "hw", [EVENT_SOFTWARE] = "sw"
	};

	return !strcmp(word, kinds[kind]) || (as_in_perf[kind] && !strcmp(word, as_in_perf[kind]));
}

/*
 * Is the text a glob, such as "sched:*", as in -e?  Characters that only regular expressions have
 * make it one of these.
 */
static bool is_glob(struct span text)
{
	return event_is_glob(text) && !strpbrk(text.at, ".^$()+|\\[]{}");
}

static int set_operands(struct list *l, const struct option_list *words, struct error *e)
{
	size_t i = 0, kind = 0;

	while (words->nr && kind < NR_EVENT_KIND && !is_kind(words->at[0], kind))
		kind++;
	for (size_t k = 0; k < NR_EVENT_KIND; k++)
		l->wanted[k] = !words->nr || kind == NR_EVENT_KIND || k == kind;
	if (words->nr && kind < NR_EVENT_KIND)
		i++;
	if (words->nr > i + 1)
		return error_set(
			e, ERROR_USAGE,
			"unexpected argument '%s': expected at most one kind and one pattern",
			words->at[i + 1]);
	if (words->nr > i) {
		l->text = words->at[i];
		if (is_glob(span_of(l->text)))
			return 0;
		l->pattern = pattern_new(span_of(l->text), e);
		return l->pattern ? 0 : -1;
	}
	return 0;
}

int list_main(int argc, char **argv)
{
	struct option_list words = { 0 };
	struct error e = ERROR_INIT;
	struct list l = { 0 };
	int ret = options_parse(&list_table, &l, argc, argv, &words, &e);

	if (ret > 0) {
		options_help(&list_table);
		ret = 0;
	} else if (ret || set_operands(&l, &words, &e)) {
		ret = message_result(-1, &e);
	} else {
		ret = list_all(&l, &e);
		if (l.ret)
			ret = message_result(l.ret, &l.e);
	}
	pattern_free(l.pattern);
	option_list_release(&words);
	return ret;
}
