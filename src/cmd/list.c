#include "cmd/list.h"

#include "base/alloc.h"
#include "base/pattern.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "record/events.h"
#include "record/trial.h"

#include <stdio.h>
#include <stdlib.h>

struct command {
	const char *kind; /* NULL: all */
	struct pattern *pattern;
	size_t nr;
};

static const struct option options[] = {
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

static const struct option_table table = {
	.usage = "wick list [hardware|software|cache|tracepoint] [PATTERN]",
	.about =
		"Lists the events that `wick record -e` takes samples of, and tells which of them cannot be\n"
		"counted here.  The pattern is a regular expression.",
	.option = options,
	.syntax = SYNTAX_GNU,
};

static void show(void *arg, const char *kind, const char *name, const struct sampled *event)
{
	struct command *c = arg;

	struct error ignored = ERROR_INIT;
	bool matches = true;

	if (c->kind && strcmp(c->kind, kind) != 0)
		return;
	if (c->pattern && pattern_match(c->pattern, span_of(name), &matches, &ignored))
		return;
	if (!matches)
		return;
	c->nr++;
	printf("%-12s %s%s\n", kind, name,
	       event && trial_event(event) ? "  (not counted here)" : "");
}

static bool is_kind(const char *word)
{
	static const char *const kinds[] = { "hardware", "software", "cache", "tracepoint" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(word, kinds[i]))
			return true;
	return false;
}

static int set_words(struct command *c, const struct option_list *words, struct error *e)
{
	size_t i = 0;

	if (i < words->nr && is_kind(words->at[i]))
		c->kind = words->at[i++];
	if (i < words->nr) {
		c->pattern = pattern_new(span_of(words->at[i++]), e);
		if (!c->pattern)
			return -1;
	}
	return i < words->nr
		       ? error_set(e, ERROR_USAGE, "one pattern is enough: '%s'", words->at[i])
		       : 0;
}

int list_main(int argc, char **argv)
{
	struct option_list words = { 0 };
	struct error e = ERROR_INIT;
	struct command c = { 0 };
	int ret = options_parse(&table, &c, argc, argv, &words, &e);

	if (ret > 0) {
		options_help(&table);
		option_list_release(&words);
		return 0;
	}
	if (!ret)
		ret = set_words(&c, &words, &e);
	if (!ret) {
		event_names(show, &c);
		event_tracepoints(show, &c);
		if (!c.nr)
			ret = error_set(&e, ERROR_INPUT, "there is no such event");
	}
	pattern_free(c.pattern);
	option_list_release(&words);
	if (!ret)
		return 0;
	message_error(&e);
	return message_status(&e);
}
