#include "cmd/view/view.h"

#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cmd/print_notes.h"
#include "cmd/report/report_table.h"
#include "cmd/report/report_tree.h"
#include "cmd/view/terminal_view.h"
#include "load/filtering.h"
#include "write/formats.h"

#include <stdlib.h>

struct command {
	struct load_opts in;
	struct choose_opts choose;
	struct filtering filtering;
	struct terminal_view_opts view;
	bool report;
	struct load_result read;
	struct chosen chosen;
	struct progress progress;
	struct terminal_view l; /* while the viewer runs */
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	FILTERING_OPTIONS(filtering),
	FORMAT_FROM_OPTION(in.from),
	CHOOSE_OPTIONS(choose),
	WAKERS_OPTION(choose),
	PER_THREAD_OPTION(choose),
	TERMINAL_VIEW_OPTIONS(view),
	{ "report", 0, OPTION_FLAG, AT(report), NULL,
	  "print functions and call tree as text [if there is no terminal]", 0 },
	NAMING_OPTIONS(in.naming),
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_words values[] = { FORMAT_FROM_WORDS, { 0 } };

const struct option_table view_table = {
	.usage = "wick view [options] [FILE...]",
	.about =
		"Shows a profile in any supported format (wick convert --formats lists them) as a flame graph\n"
		"in the terminal.  Several files are added up; without any, wick reads standard input.  Press ?\n"
		"for the keys.  Without a terminal, wick prints text.",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
	.words = values,
};

static int write_picture(void *arg, const char *path, struct error *e)
{
	struct command *c = arg;
	struct profile *part = viewer_part(&c->l.view);

	return terminal_view_write(part ? part : &c->read.p, &c->chosen, path, e);
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

static int explore(struct command *c, struct error *e)
{
	struct model_opts o = model_chosen(&c->read.p, &c->chosen);
	struct model m;
	int ret;

	model_init(&m, &o);
	if (model_total(&m) <= 0) {
		model_release(&m);
		return choose_nothing(&c->choose, e);
	}
	c->view.naming = &c->in.naming;
	terminal_view_init(&c->l, &m, &c->view, title_of(c));
	c->l.write = write_picture;
	c->l.arg = c;
	ret = terminal_view_run(&c->l, e);
	terminal_view_release(&c->l);
	model_release(&m);
	return ret;
}

/* Without a terminal: prints the table and the tree of wick report. */
static int print(struct command *c, struct error *e)
{
	static const enum sum_key functions[] = { SUM_MODULE, SUM_FUNCTION };
	struct report r = { .p = &c->read.p,
			    .counts_lost = c->read.reader->copies,
			    .c = &c->chosen,
			    .in = c->chosen.in[c->chosen.nr_column - 1],
			    .term = term_find(COLOR_AUTO),
			    .most = REPORT_ROWS };
	struct report_tree_opts tree = { .min = REPORT_LEAST };
	struct strbuf text = { 0 };
	int ret;

	report_facts_find(&r);
	if (!r.nr_sample)
		return choose_nothing(&c->choose, e);
	report_facts_write(&r, &text);
	ret = report_table_write(&r, functions, ARRAY_SIZE(functions), &text, e);
	strbuf_addch(&text, '\n');
	r.most = 0;
	if (!ret)
		ret = report_tree_write(&r, &tree, &text, e);
	if (c->view.ascii)
		pager_make_ascii(&text);
	if (!ret)
		pager_show(strbuf_peek(&text), PAGER_ON_TERMINAL);
	print_notes_below(&c->read.p, NOTES_SUMMED);
	strbuf_release(&text);
	return ret;
}

static int run(struct command *c, struct error *e)
{
	struct error no_terminal = ERROR_INIT;
	int ret;

	if (filtering_parse(&c->filtering, &c->choose.filter, e))
		return -1;
	c->report |= terminal_view_check(&no_terminal) != 0;
	c->in.read.ticks = c->filtering.time != NULL;
	c->in.read.times = c->in.read.cpus = c->in.read.srcline = true;
	c->choose.keeps_events = true;
	load_watch(&c->in, &c->progress);
	ret = load(&c->in, &c->read, e);
	progress_end(&c->progress);
	if (!ret)
		ret = choose_events(&c->choose, &c->read.p, &c->read.hints, &c->chosen, e);
	if (!ret)
		ret = c->report ? print(c, e) : explore(c, e);
	chosen_release(&c->chosen);
	load_release(&c->read);
	return ret;
}

int view_main(int argc, char **argv)
{
	struct command c = { .in = { .read = { .threads = load_threads() } } };
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
		ret = load_check_input(&c.in, "wick view", &e) || run(&c, &e) ? -1 : 0;
	}
	option_list_release(&operands);
	filtering_release(&c.filtering);
	return message_result(ret, &e);
}
