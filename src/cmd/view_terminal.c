#include "cmd/view_terminal.h"

#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cmd/filtering.h"
#include "cmd/looking.h"
#include "cmd/report_table.h"
#include "cmd/report_tree.h"
#include "cmd/tell.h"

#include <stdlib.h>

struct command {
	struct collapse_opts in;
	struct filtering filtering;
	struct looking_opts looking;
	bool report;
	struct collapse_result read;
	struct chosen chosen;
	struct progress progress;
	struct looking l; /* while it is looked at */
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	FILTERING_OPTIONS(filtering),
	COLLAPSE_EVENT_OPTIONS(in),
	LOOKING_OPTIONS(looking),
	{ "report", 0, OPTION_FLAG, AT(report), NULL,
	  "print it as text instead: functions, and who calls whom [where there is no terminal]",
	  0 },
	NAMING_OPTIONS(in.naming),
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

const struct option_table view_table = {
	.usage = "wick view [options] [FILE...]",
	.about =
		"Shows what a profiler wrote, in any format that `wick collapse` reads, as a flame graph in\n"
		"the terminal.  Several files are added up; without one, standard input is read, and keys\n"
		"come from the terminal.  ? tells what they do.  Where there is no terminal, it is text.",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
};

static int write_picture(void *arg, const char *path, struct error *e)
{
	struct command *c = arg;
	struct profile *part = viewer_part(&c->l.view);

	return looking_write(part ? part : &c->read.p, c->read.spelling, &c->chosen, path, e);
}

static struct span title_of(const struct command *c)
{
	const char *path = c->in.nr_file == 1 ? c->in.file[0] : NULL;
	const char *slash = path ? strrchr(path, '/') : NULL;

	if (c->in.nr_file > 1)
		return SPAN("several files");
	return path && strcmp(path, "-") != 0 ? span_of(slash ? slash + 1 : path)
					      : SPAN("standard input");
}

static int look(struct command *c, struct error *e)
{
	struct model_opts o = looking_model(&c->read.p, &c->chosen);
	struct model m;
	int ret;

	model_init(&m, &o);
	if (model_total(&m) <= 0) {
		model_release(&m);
		return collapse_nothing(&c->in, e);
	}
	c->looking.naming = &c->in.naming;
	looking_init(&c->l, &m, &c->looking, title_of(c));
	c->l.write = write_picture;
	c->l.arg = c;
	ret = looking_run(&c->l, e);
	looking_release(&c->l);
	model_release(&m);
	return ret;
}

/* Without a terminal: prints what wick report does, and its tree. */
static int print(struct command *c, struct error *e)
{
	static const enum sum_key functions[] = { SUM_MODULE, SUM_FUNCTION };
	struct report r = { .r = &c->read,
			    .c = &c->chosen,
			    .in = c->chosen.in[c->chosen.nr_column - 1],
			    .term = term_find(COLOR_AUTO),
			    .most = REPORT_ROWS };
	struct report_tree_opts tree = { .min = REPORT_LEAST };
	struct strbuf text = { 0 };
	int ret;

	report_facts_find(&r);
	if (!r.nr_sample)
		return collapse_nothing(&c->in, e);
	report_facts_write(&r, &text);
	ret = report_table_write(&r, functions, ARRAY_SIZE(functions), &text, e);
	strbuf_addch(&text, '\n');
	r.most = 0;
	if (!ret)
		ret = report_tree_write(&r, &tree, &text, e);
	tell_notes(&c->read.p, TELL_SUM);
	if (!ret)
		pager_show(strbuf_peek(&text), PAGER_ON_TERMINAL);
	strbuf_release(&text);
	return ret;
}

static int run(struct command *c, struct error *e)
{
	struct error no_terminal = ERROR_INIT;
	int ret;

	if (filtering_parse(&c->filtering, &c->in.filter, e))
		return -1;
	c->report |= looking_check(&no_terminal) != 0;
	c->in.read.ticks = c->filtering.time != NULL;
	c->in.read.times = c->in.read.cpus = c->in.read.srcline = true;
	c->in.keeps_events = true;
	collapse_watch(&c->in, &c->progress);
	ret = collapse_read(&c->in, &c->read, e);
	progress_end(&c->progress);
	if (!ret)
		ret = collapse_choose(&c->in, &c->read, &c->chosen, e);
	if (!ret)
		ret = c->report ? print(c, e) : look(c, e);
	chosen_release(&c->chosen);
	collapse_release(&c->read);
	return ret;
}

int view_main(int argc, char **argv)
{
	struct command c = { .in = { .read = { .threads = collapse_threads() } } };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&view_table, &c, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&view_table);
		return 0;
	}
	if (!ret) {
		c.in.file = operands.at;
		c.in.nr_file = operands.nr;
		ret = collapse_check_input(&c.in, "wick view", &e) || run(&c, &e) ? -1 : 0;
	}
	option_list_release(&operands);
	filtering_release(&c.filtering);
	return message_result(ret, &e);
}
