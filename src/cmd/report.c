#include "cmd/report.h"

#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cmd/filtering.h"
#include "cmd/report_table.h"
#include "cmd/report_tree.h"
#include "cmd/tell.h"

enum view {
	VIEW_FUNCTIONS,
	VIEW_MODULES,
	VIEW_THREADS,
	VIEW_LINES,
	VIEW_BY,
	VIEW_TREE,
	VIEW_CALLERS,
	VIEW_CALLEES,
};

enum { ROWS_NOT_GIVEN = UINT32_MAX };

struct command {
	struct collapse_opts in;
	struct progress progress;
	struct filtering filtering;
	bool modules, threads, lines, tree;
	const char *by, *callers, *callees;
	double min; /* percent */
	enum view view;
	enum sum_key key[NR_SUM_KEYS];
	size_t nr_key;
	bool json, markdown;
	enum report_format format;
	int color; /* enum term_color */
	unsigned rows;
	int pager; /* enum pager_use */
	bool quiet, verbose;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "tree", 0, OPTION_FLAG, AT(tree), NULL, "who calls whom, from the root", 0 },
	{ "callers", 0, OPTION_STRING, AT(callers), "FN",
	  "who calls that function, or those that match it as a pattern", 0 },
	{ "callees", 0, OPTION_STRING, AT(callees), "FN", "what it calls", 0 },
	{ "min", 0, OPTION_NUMBER, AT(min), "PERCENT",
	  "in these three, narrower parts are one line [0.5]", 0 },
	{ "modules", 0, OPTION_FLAG, AT(modules), NULL, "by program or library", 0 },
	{ "threads", 0, OPTION_FLAG, AT(threads), NULL, "by thread", 0 },
	{ "lines", 0, OPTION_FLAG, AT(lines), NULL, "by line of the source", 0 },
	{ "by", 0, OPTION_STRING, AT(by), "KEY,...",
	  "by any of comm, thread, cpu, module, function, line, in this order", 0 },
	{ "rows", 'n', OPTION_UINT, AT(rows), "N",
	  "show that many rows; 0: all [40; all of a tree and in JSON]", 0 },
	{ "json", 0, OPTION_FLAG, AT(json), NULL, "tell it to programs", 0 },
	{ "markdown", 0, OPTION_FLAG, AT(markdown), NULL, "a table for Markdown", 0 },
	FILTERING_OPTIONS(filtering),
	COLLAPSE_EVENT_OPTIONS(in),
	NAMING_OPTIONS(in.naming),
	TERM_COLOR_OPTION(color),
	PAGER_OPTION(pager),
	{ "strict", 0, OPTION_FLAG, AT(in.read.strict), NULL,
	  "stop at the first thing that cannot be read", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "do not say what was left out", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list what was left out, with lines", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

static const struct option_words values[] = { { "KEY", "comm|thread|cpu|module|function|line" },
					      { 0 } };

const struct option_table report_table = {
	.usage = "wick report [options] [FILE...]",
	.about =
		"Tells in a table where the time went: what each function took itself, and with all that\n"
		"it called.  Reads any format that `wick collapse` reads; several files are added up, and\n"
		"without one standard input is read.",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
	.words = values,
};

/* The keys of each view; a tree has none. */
static const struct {
	const char *name;
	enum sum_key key[2];
	size_t nr;
} views[] = {
	[VIEW_FUNCTIONS] = { "functions", { SUM_MODULE, SUM_FUNCTION }, 2 },
	[VIEW_MODULES] = { "modules", { SUM_MODULE }, 1 },
	[VIEW_THREADS] = { "threads", { SUM_THREAD }, 1 },
	[VIEW_LINES] = { "lines", { SUM_FUNCTION, SUM_LINE }, 2 },
	[VIEW_BY] = { "by", { 0 }, 0 },
	[VIEW_TREE] = { "tree", { 0 }, 0 },
	[VIEW_CALLERS] = { "callers", { 0 }, 0 },
	[VIEW_CALLEES] = { "callees", { 0 }, 0 },
};

static int write_view(const struct command *c, const struct report *r, struct strbuf *out,
		      struct error *e)
{
	struct report_tree_opts o = { .min = c->min / 100 };

	switch (c->view) {
	case VIEW_CALLERS:
		o.what = AROUND_CALLERS;
		o.function = c->callers;
		return report_tree_write(r, &o, out, e);
	case VIEW_CALLEES:
		o.what = AROUND_CALLEES;
		o.function = c->callees;
		return report_tree_write(r, &o, out, e);
	case VIEW_TREE:
		return report_tree_write(r, &o, out, e);
	case VIEW_FUNCTIONS:
	case VIEW_MODULES:
	case VIEW_THREADS:
	case VIEW_LINES:
	case VIEW_BY:
		break;
	}
	return report_table_write(r, c->key, c->nr_key, out, e);
}

static int write_report(const struct command *c, const struct report *r, struct strbuf *out,
			struct error *e)
{
	if (!r->nr_sample)
		return collapse_nothing(&c->in, e);
	if (r->format == REPORT_JSON)
		strbuf_addf(out, "{\n  \"report\": 1,\n  \"view\": \"%s\",\n", views[c->view].name);
	report_facts_write(r, out);
	if (write_view(c, r, out, e))
		return -1;
	if (r->format == REPORT_JSON)
		strbuf_add(out, SPAN("}\n"));
	return 0;
}

static int report(struct command *c, struct collapse_result *r, struct error *e)
{
	struct strbuf text = { 0 };
	struct chosen chosen;
	struct report report;
	int ret;

	if (collapse_choose(&c->in, r, &chosen, e))
		return -1;
	if (chosen.nr_column == 2)
		notes_add(&r->p.notes, NOTE_ONLY_AFTER, 1, 0, SPAN(""));
	report = (struct report){ .r = r,
				  .c = &chosen,
				  .in = chosen.in[chosen.nr_column - 1],
				  .format = c->format,
				  .term = term_find((enum term_color)c->color),
				  .most = c->rows };
	report_facts_find(&report);
	ret = write_report(c, &report, &text, e);
	chosen_release(&chosen);
	tell_notes(&r->p, c->quiet ? TELL_NOTHING : c->verbose ? TELL_EACH : TELL_SUM);
	if (!ret)
		pager_show(strbuf_peek(&text), (enum pager_use)c->pager);
	strbuf_release(&text);
	return ret;
}

static int run(struct command *c, struct error *e)
{
	struct collapse_result r;
	int ret;

	collapse_watch(&c->in, &c->progress);
	ret = collapse_read(&c->in, &r, e);
	progress_end(&c->progress);
	if (!ret)
		ret = report(c, &r, e);
	collapse_release(&r);
	return ret;
}

/* Finds the view that the options ask for; at most one may be given. */
static int find_view(struct command *c, struct error *e)
{
	const bool asked[] = {
		[VIEW_MODULES] = c->modules, [VIEW_THREADS] = c->threads,
		[VIEW_LINES] = c->lines,     [VIEW_BY] = c->by,
		[VIEW_TREE] = c->tree,	     [VIEW_CALLERS] = c->callers,
		[VIEW_CALLEES] = c->callees,
	};

	for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
		if (asked[i] && c->view != VIEW_FUNCTIONS)
			return error_set(e, ERROR_USAGE, "--%s and --%s: it is one or the other",
					 views[c->view].name, views[i].name);
		if (asked[i])
			c->view = (enum view)i;
	}
	return 0;
}

static int set_format(struct command *c, struct error *e)
{
	if (c->json && c->markdown)
		return error_set(e, ERROR_USAGE, "--json and --markdown: it is one or the other");
	c->format = c->json ? REPORT_JSON : c->markdown ? REPORT_MARKDOWN : REPORT_TEXT;
	return 0;
}

static int set_view(struct command *c, struct error *e)
{
	if (find_view(c, e) || set_format(c, e))
		return -1;
	c->nr_key = views[c->view].nr;
	memcpy(c->key, views[c->view].key, sizeof(views[c->view].key));
	if (c->by && report_keys_parse(c->by, c->key, &c->nr_key, e))
		return -1;
	if ((c->callers && !*c->callers) || (c->callees && !*c->callees))
		return error_set(e, ERROR_USAGE, "--%s: of which function?", views[c->view].name);
	if (!(c->min >= 0 && c->min <= 100))
		return error_set(e, ERROR_USAGE, "--min: it is 0 to 100 percent");
	/* Readers keep lines and processors only if asked to. */
	for (size_t i = 0; i < c->nr_key; i++) {
		c->in.read.srcline |= c->key[i] == SUM_LINE;
		c->in.read.cpus |= c->key[i] == SUM_CPU;
	}
	if (c->rows == ROWS_NOT_GIVEN)
		c->rows = c->format == REPORT_JSON || !c->nr_key ? 0 : REPORT_ROWS;
	return 0;
}

static int set_opts(struct command *c, const struct option_list *operands, struct error *e)
{
	c->in.file = operands->at;
	c->in.nr_file = operands->nr;
	if (set_view(c, e) || collapse_check_input(&c->in, "wick report", e) ||
	    filtering_parse(&c->filtering, &c->in.filter, e))
		return -1;
	c->in.read.ticks = c->filtering.time != NULL;
	return 0;
}

int report_main(int argc, char **argv)
{
	struct command c = { .in = { .read = { .threads = collapse_threads() } },
			     .min = 100 * REPORT_LEAST,
			     .rows = ROWS_NOT_GIVEN,
			     .pager = PAGER_ON_TERMINAL };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&report_table, &c, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&report_table);
		return 0;
	}
	if (!ret)
		ret = set_opts(&c, &operands, &e) || run(&c, &e) ? -1 : 0;
	option_list_release(&operands);
	filtering_release(&c.filtering);
	return message_result(ret, &e);
}
