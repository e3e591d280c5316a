#include "cmd/report/report.h"

#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cmd/print_notes.h"
#include "cmd/report/report_brief.h"
#include "cmd/report/report_locks.h"
#include "cmd/report/report_system.h"
#include "cmd/report/report_table.h"
#include "cmd/report/report_tree.h"
#include "load/filtering.h"
#include "load/load.h"
#include "write/formats.h"

enum view {
	VIEW_FUNCTIONS,
	VIEW_MODULES,
	VIEW_THREADS,
	VIEW_LINES,
	VIEW_BY,
	VIEW_TREE,
	VIEW_CALLERS,
	VIEW_CALLEES,
	VIEW_SYSTEM,
	VIEW_BRIEF,
};

enum { ROWS_NOT_GIVEN = UINT32_MAX };

struct command {
	struct load_opts in;
	struct choose_opts choose;
	struct progress progress;
	struct filtering filtering;
	bool modules, threads, lines, tree, system, brief;
	const char *by, *callers, *callees;
	double min; /* percent */
	enum view view;
	enum sum_key key[NR_SUM_KEYS];
	size_t nr_key;
	bool json, markdown;
	enum report_format format;
	struct wait_summary waits; /* of --brief */
	bool has_waits;
	int color; /* enum term_color */
	unsigned rows;
	int pager; /* enum pager_use */
	bool ascii;
	bool quiet, verbose;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "tree", 0, OPTION_FLAG, AT(tree), NULL, "print the call tree, from the root", 0 },
	{ "callers", 0, OPTION_STRING, AT(callers), "FN",
	  "print the callers of FN, a name or pattern", 0 },
	{ "callees", 0, OPTION_STRING, AT(callees), "FN", "print the callees of FN", 0 },
	{ "min", 0, OPTION_NUMBER, AT(min), "PERCENT",
	  "in --tree, --callers and --callees, merge branches below this share [0.5]", 0 },
	{ "modules", 0, OPTION_FLAG, AT(modules), NULL, "sum by program or library", 0 },
	{ "threads", 0, OPTION_FLAG, AT(threads), NULL, "sum by thread", 0 },
	{ "lines", 0, OPTION_FLAG, AT(lines), NULL, "sum by source line", 0 },
	{ "by", 0, OPTION_STRING, AT(by), "KEY,...",
	  "sum by any of " SUM_KEY_LIST "in the order given", 0 },
	{ "system", 0, OPTION_FLAG, AT(system), NULL,
	  "print CPU use, pressure, memory and throttling during the recording", 0 },
	{ "brief", 0, OPTION_FLAG, AT(brief), NULL,
	  "print at most 4 KiB of text, for CI logs and language models", 0 },
	{ "rows", 'n', OPTION_UINT, AT(rows), "N",
	  "number of rows, 0 for all [40; all for trees and JSON]", 0 },
	{ "json", 0, OPTION_FLAG, AT(json), NULL, "print JSON", 0 },
	{ "markdown", 0, OPTION_FLAG, AT(markdown), NULL, "print a Markdown table", 0 },
	FILTERING_OPTIONS(filtering),
	FORMAT_FROM_OPTION(in.from),
	CHOOSE_OPTIONS(choose),
	WAKERS_OPTION(choose),
	NAMING_OPTIONS(in.naming),
	TERM_COLOR_OPTION(color),
	PAGER_OPTION(pager),
	PAGER_ASCII_OPTION(ascii),
	{ "strict", 0, OPTION_FLAG, AT(in.read.strict), NULL,
	  "stop at the first error in the input", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "do not report dropped data", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list dropped data, with line numbers",
	  0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_words values[] = { { "KEY", SUM_KEY_CHOICES },
					      FORMAT_FROM_WORDS,
					      { 0 } };

const struct option_table report_table = {
	.usage = "wick report [options] [FILE...]",
	.about =
		"Prints where the time went: the self and total cost of each function.  Reads any supported\n"
		"format (wick convert --formats lists them); several files are added up; without any, wick\n"
		"reads standard input.",
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
	[VIEW_SYSTEM] = { "system", { 0 }, 0 },
	[VIEW_BRIEF] = { "brief", { 0 }, 0 },
};

/* Is the report about locks only?  Then it has more than a table. */
static bool is_locks(const struct command *c)
{
	return c->nr_key == 1 && c->key[0] == SUM_LOCK;
}

static void add_option(struct strbuf *out, const char *name, const char *value)
{
	/* Characters that need no quotes in any shell. */
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+.,:/";

	strbuf_addf(out, "%s--%s", out->size ? " " : "", name);
	if (!value)
		return;
	strbuf_addch(out, ' ');
	if (*value && !value[strspn(value, plain)])
		strbuf_add(out, span_of(value));
	else
		report_brief_quote(out, span_of(value));
}

static void add_string(struct strbuf *out, const char *name, const char *value)
{
	if (value)
		add_option(out, name, value);
}

static void add_list(struct strbuf *out, const char *name, const struct option_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		add_option(out, name, l->at[i]);
}

/* The given options that select what is shown: another view of the same needs them, too. */
static void add_selection(const struct command *c, struct strbuf *out)
{
	static const char *const weights[] = {
#define X(id, name) name,
		WEIGHTS(X)
#undef X
	};
	const struct filtering *f = &c->filtering;

	add_string(out, "event", c->choose.event);
	if (c->choose.weight != WEIGHT_AUTO)
		add_option(out, "weight", weights[c->choose.weight]);
	if (c->choose.wakers)
		add_option(out, "wakers", NULL);
	for (size_t i = 0; i < f->steps.nr; i++)
		add_option(out, f->steps.at[i].name, f->steps.at[i].value);
	add_list(out, "thread", &f->threads);
	add_list(out, "module", &f->modules);
	add_list(out, "reason", &f->reasons);
	add_string(out, "time", f->time);
	add_string(out, "from", c->in.from);
	add_string(out, "symfs", c->in.naming.symfs);
	add_string(out, "debug-dir", c->in.naming.debug_dir);
	if (c->in.naming.no_inline)
		add_option(out, "no-inline", NULL);
}

static void write_brief(const struct command *c, const struct report *r, struct strbuf *out)
{
	struct strbuf given = { 0 };
	struct report_brief_opts o = { .file = c->in.nr_file == 1 ? c->in.file[0] : NULL,
				       .selects_event = c->choose.event || c->choose.wakers ||
							c->choose.weight != WEIGHT_AUTO,
				       .waits = c->has_waits ? &c->waits : NULL };

	add_selection(c, &given);
	o.options = strbuf_peek(&given);
	report_brief_write(r, &o, out);
	strbuf_release(&given);
}

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
	case VIEW_SYSTEM:
		return report_system_write(r, out, e);
	case VIEW_BRIEF:
		write_brief(c, r, out);
		return 0;
	case VIEW_FUNCTIONS:
	case VIEW_MODULES:
	case VIEW_THREADS:
	case VIEW_LINES:
	case VIEW_BY:
		break;
	}
	if (!is_locks(c))
		return report_table_write(r, c->key, c->nr_key, out, e);
	if (r->format == REPORT_JSON)
		report_locks_write(r, out);
	if (report_table_write(r, c->key, c->nr_key, out, e))
		return -1;
	if (r->format == REPORT_TEXT)
		report_locks_write(r, out);
	return 0;
}

static int write_report(const struct command *c, const struct report *r, struct strbuf *out,
			struct error *e)
{
	/* The values of the system exist even if the target only waited and has no samples. */
	if (c->view != VIEW_SYSTEM) {
		if (!r->nr_sample)
			return choose_nothing(&c->choose, e);
		if (choose_weightless(r->p, e))
			return -1;
	}
	if (r->format == REPORT_JSON)
		strbuf_addf(out, "{\n  \"report\": 1,\n  \"view\": \"%s\",\n", views[c->view].name);
	if (c->view != VIEW_BRIEF)
		report_facts_write(r, out);
	if (write_view(c, r, out, e))
		return -1;
	if (r->format == REPORT_JSON)
		strbuf_add(out, SPAN("}\n"));
	return 0;
}

/* Does a sample of the event have that label? */
static bool has_label(const struct profile *p, uint32_t event, const char *key)
{
	for (size_t i = 0; i < p->nr_count; i++)
		if (p->count[i].event == event && sum_label(p, p->count[i].labels, key).i)
			return true;
	return false;
}

/* Without --event, a key selects the event if only the samples of one event have it, such as the reason of waits. */
static void choose_by_keys(struct command *c, const struct profile *p)
{
	for (size_t k = 0; k < c->nr_key && !c->choose.event; k++) {
		const char *label = sum_key_row(c->key[k])->label;

		for (uint32_t i = 0; label && i < p->nr_event; i++)
			if (has_label(p, i, label)) {
				if (i)
					c->choose.event = profile_peek(p, p->event[i].name).at;
				break;
			}
	}
}

static int report(struct command *c, struct load_result *r, struct error *e)
{
	struct strbuf text = { 0 };
	struct chosen chosen;
	struct report report;
	int ret;

	choose_by_keys(c, &r->p);
	/* The summary is about all recorded threads, whatever is shown. */
	if (c->view == VIEW_BRIEF)
		c->has_waits = wait_summary_find(&c->waits, &r->p);
	if (choose_events(&c->choose, &r->p, &r->hints, &chosen, e))
		return -1;
	if (chosen.nr_column == 2)
		notes_add(&r->p.notes, NOTE_ONLY_AFTER, 1, 0, SPAN(""));
	report = (struct report){ .p = &r->p,
				  .counts_lost = r->reader->copies,
				  .c = &chosen,
				  .in = chosen.in[chosen.nr_column - 1],
				  .format = c->format,
				  .term = term_find((enum term_color)c->color),
				  .most = c->rows };
	report_facts_find(&report);
	ret = write_report(c, &report, &text, e);
	chosen_release(&chosen);
	if (c->ascii)
		pager_make_ascii(&text);
	if (!ret)
		pager_show(strbuf_peek(&text), (enum pager_use)c->pager);
	print_notes_below(&r->p, c->quiet || c->view == VIEW_BRIEF ? NOTES_HIDDEN
				 : c->verbose			   ? NOTES_EACH
								   : NOTES_SUMMED);
	strbuf_release(&text);
	return ret;
}

static int run(struct command *c, struct error *e)
{
	struct load_result r;
	int ret;

	load_watch(&c->in, &c->progress);
	ret = load(&c->in, &r, e);
	progress_end(&c->progress);
	if (!ret)
		ret = report(c, &r, e);
	load_release(&r);
	return ret;
}

/* Finds the view that the options select; at most one may be given. */
static int find_view(struct command *c, struct error *e)
{
	const bool asked[] = {
		[VIEW_MODULES] = c->modules, [VIEW_THREADS] = c->threads,
		[VIEW_LINES] = c->lines,     [VIEW_BY] = c->by,
		[VIEW_TREE] = c->tree,	     [VIEW_CALLERS] = c->callers,
		[VIEW_CALLEES] = c->callees, [VIEW_SYSTEM] = c->system,
		[VIEW_BRIEF] = c->brief,
	};

	for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
		if (asked[i] && c->view != VIEW_FUNCTIONS)
			return error_set(e, ERROR_USAGE, "--%s and --%s are mutually exclusive",
					 views[c->view].name, views[i].name);
		if (asked[i])
			c->view = (enum view)i;
	}
	return 0;
}

static int set_format(struct command *c, struct error *e)
{
	if (c->json && c->markdown)
		return error_set(e, ERROR_USAGE, "--json and --markdown are mutually exclusive");
	if (c->view == VIEW_BRIEF && (c->json || c->markdown))
		return error_set(e, ERROR_USAGE, "--brief and --%s are mutually exclusive",
				 c->json ? "json" : "markdown");
	if (c->ascii && (c->json || c->markdown))
		return error_set(e, ERROR_USAGE, "--ascii and --%s are mutually exclusive",
				 c->json ? "json" : "markdown");
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
		return error_set(e, ERROR_USAGE, "--%s requires a function", views[c->view].name);
	if (!(c->min >= 0 && c->min <= 100))
		return error_set(e, ERROR_USAGE, "--min must be from 0 to 100 %%");
	/* Readers store lines and CPUs only on request. */
	for (size_t i = 0; i < c->nr_key; i++) {
		c->in.read.srcline |= c->key[i] == SUM_LINE;
		c->in.read.cpus |= c->key[i] == SUM_CPU || c->key[i] == SUM_PARALLELISM;
		c->in.read.times |= c->key[i] == SUM_LOCK; /* holders are links of intervals */
	}
	c->in.read.times |= c->choose.wakers;
	if (c->rows == ROWS_NOT_GIVEN)
		c->rows = c->format == REPORT_JSON || !c->nr_key ? 0 : REPORT_ROWS;
	return 0;
}

static int set_opts(struct command *c, const struct option_list *operands, struct error *e)
{
	c->in.file = operands->at;
	c->in.nr_file = operands->nr;
	if (set_view(c, e) || load_check_input(&c->in, "wick report", e) ||
	    filtering_parse(&c->filtering, &c->choose.filter, e))
		return -1;
	c->in.read.cpus |= choose_needs_labels(&c->choose);
	c->in.read.ticks = c->filtering.time != NULL;
	return 0;
}

int report_main(int argc, char **argv)
{
	struct command c = { .in = { .read = { .threads = load_threads() } },
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
