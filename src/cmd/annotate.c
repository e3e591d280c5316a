#include "cmd/annotate.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "base/utf8.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cmd/annotate_view.h"
#include "cmd/collapse.h"
#include "cmd/filtering.h"
#include "cmd/functions.h"
#include "cmd/tell.h"
#include "profile/spelling.h"
#include "symbol/symbolize.h"

#include <stdio.h>
#include <stdlib.h>

enum { FUNCTIONS_DEFAULT = 5, TAB = 8 };

struct command {
	struct collapse_opts in;
	struct progress progress;
	struct filtering filtering;
	const char *function, *source;
	bool code, intel;
	unsigned most;
	int color; /* enum term_color */
	bool quiet, verbose, pager;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "asm", 0, OPTION_FLAG, AT(code), NULL, "the instructions, not the source", 0 },
	{ "intel", 0, OPTION_FLAG, AT(intel), NULL, "those of x86 as Intel writes them", 0 },
	{ "source", 0, OPTION_STRING, AT(source), "DIR",
	  "the sources are below DIR, whatever folders they were in [where the compiler saw them]",
	  0 },
	{ "functions", 'n', OPTION_UINT, AT(most), "N",
	  "where FN matches several, show that many, the heaviest first; 0: all [5]", 0 },
	FILTERING_OPTIONS(filtering),
	{ "event", 'e', OPTION_STRING, AT(in.event), "NAME",
	  "only this event, or all: samples of all if one is a clock, else weights [the first]",
	  0 },
	{ "weight", 0, OPTION_CHOICE, AT(in.weight), "auto|samples|period",
	  "what a sample counts [auto: 1 for clocks, else its period]", 0 },
	NAMING_OPTIONS(in.naming),
	TERM_COLOR_OPTION(color),
	{ "pager", 0, OPTION_NEGATE, AT(pager), NULL,
	  "show what is longer than the terminal with $WICK_PAGER, $PAGER or less [yes]", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "do not say what was left out", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list what was left out, with lines", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

static const struct option_table table = {
	.usage = "wick annotate [options] FN [FILE...]",
	.about =
		"Shows the source of a function, or its instructions, with what each line took: `self` is\n"
		"what ended there, as a share of all that ended in the function's code; `total` is what\n"
		"passed through, as a share of all that passed through the function.  Code that was inlined\n"
		"into it stands below, with its own lines.  FN is a name, or a pattern that names match.",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
};

/* What both views write */

void annotate_add_share(const struct annotate_view *v, weight_sum part, weight_sum all)
{
	double share = all > 0 ? (double)part / (double)all : 0;
	struct strbuf text = { 0 };

	if (part)
		strbuf_addf(&text, "%8.2f %%", 100 * share);
	else
		strbuf_addf(&text, "%10s", "");
	term_add(v->out, &v->term, term_style_of(share), strbuf_peek(&text));
	strbuf_release(&text);
}

/* Spreads tabs out, as a terminal would if the text began at its left. */
static void spread_tabs(struct strbuf *out, struct span text)
{
	size_t column = 0;

	for (size_t i = 0; i < text.size; i++) {
		size_t nr = text.at[i] == '\t' ? TAB - column % TAB : 1;

		column += !utf8_is_inside(text.at[i]) ? nr : 0;
		if (text.at[i] != '\t')
			strbuf_addch(out, text.at[i]);
		else
			while (nr-- > 0)
				strbuf_addch(out, ' ');
	}
}

void annotate_add_text(const struct annotate_view *v, struct span text, size_t used,
		       enum term_style style)
{
	struct strbuf spread = { 0 }, shown = { 0 };
	size_t room = v->term.width > used + 10 ? v->term.width - used : 10;

	spread_tabs(&spread, text);
	legible_add(&shown, strbuf_peek(&spread));
	text = strbuf_peek(&shown);
	if (v->term.width && utf8_length(text) > room) {
		shown.size = utf8_bytes(text, room - 1);
		strbuf_add(&shown, SPAN("…"));
	}
	term_add(v->out, &v->term, style, strbuf_peek(&shown));
	strbuf_release(&spread);
	strbuf_release(&shown);
}

/* Functions */

static double percent(weight_sum sum, weight_sum all)
{
	return all > 0 ? 100 * (double)sum / (double)all : 0;
}

static void write_head(const struct annotate_view *v, struct span function)
{
	const struct annotation *a = v->a;
	struct strbuf name = { 0 };

	legible_add(&name, function);
	if (v->out->size)
		strbuf_addch(v->out, '\n');
	term_add(v->out, &v->term, STYLE_BOLD, strbuf_peek(&name));
	strbuf_addf(v->out,
		    ": %.2f %% itself, %.2f %% with what is inlined, %.2f %% with all it calls\n",
		    percent(a->self, a->all), percent(a->code, a->all), percent(a->total, a->all));
	strbuf_release(&name);
}

/* One that was met, and how much it took. */
struct met {
	const char *name;
	struct annotation a;
};

static int by_cost(const void *x, const void *y)
{
	const struct met *a = x, *b = y;

	if (a->a.code != b->a.code)
		return a->a.code < b->a.code ? 1 : -1;
	if (a->a.total != b->a.total)
		return a->a.total < b->a.total ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* Of those that are meant, the ones that a sample has met. */
static struct met *find_met(const struct profile *p, const struct annotation_opts *o,
			    const struct function_list *f, size_t *nr)
{
	struct met *met = xcalloc(f->nr, sizeof(*met));

	*nr = 0;
	for (size_t i = 0; i < f->nr; i++) {
		struct annotation_opts with = *o;

		with.function = span_of(f->at[i]);
		met[*nr].name = f->at[i];
		annotation_init(&met[*nr].a, p, &with);
		if (met[*nr].a.total > 0)
			++*nr;
		else
			annotation_release(&met[*nr].a);
	}
	if (*nr)
		qsort(met, *nr, sizeof(*met), by_cost);
	return met;
}

static int write_met(const struct command *c, struct annotate_view *v, const struct met *met,
		     size_t nr, struct error *e)
{
	size_t most = c->most && c->most < nr ? c->most : nr;

	for (size_t i = 0; i < most; i++) {
		v->a = &met[i].a;
		write_head(v, span_of(met[i].name));
		term_add(v->out, &v->term, STYLE_BOLD,
			 c->code ? SPAN("      self     total       address  instruction")
				 : SPAN("      self     total      line  source"));
		strbuf_addch(v->out, '\n');
		if (c->code ? annotate_write_code(v, e) : annotate_write_lines(v, e))
			return error_within(e, "%s", met[i].name);
	}
	if (most < nr)
		strbuf_addf(v->out, "\nand %zu more that match (-n 0 shows all)\n", nr - most);
	return nr ? 0 : collapse_nothing(&c->in, e);
}

static int write_functions(const struct command *c, struct annotate_view *v,
			   const struct chosen *chosen, struct error *e)
{
	struct annotation_opts o = { .samples = chosen->samples,
				     .in = chosen->in[chosen->nr_column - 1] };
	struct function_list functions;
	struct labels labels;
	struct met *met;
	size_t nr = 0;
	int ret;

	o.spelling = chosen->spelling & ~(unsigned)(SPELL_THREAD | SPELL_AROUND | SPELL_MARKS);
	labels_init(&labels, v->p, o.spelling);
	ret = function_list_find(&functions, &labels, c->function, e);
	if (!ret) {
		met = find_met(v->p, &o, &functions, &nr);
		ret = write_met(c, v, met, nr, e);
		while (nr > 0)
			annotation_release(&met[--nr].a);
		free(met);
	}
	function_list_release(&functions);
	labels_release(&labels);
	return ret;
}

static void show(const struct command *c, const struct strbuf *text)
{
	struct pager pager = { 0 };

	if (c->pager)
		pager_begin(&pager);
	fwrite(text->at, 1, text->size, stdout);
	pager_end(&pager);
}

static int annotate(struct command *c, struct collapse_result *r, struct error *e)
{
	struct strbuf text = { 0 };
	struct naming_files files;
	struct roots roots = { 0 };
	struct chosen chosen;
	struct annotate_view v = {
		.p = &r->p, .source = c->source, .intel = c->intel, .out = &text
	};
	int ret;

	if (collapse_choose(&c->in, r, &chosen, e))
		return -1;
	naming_files_init(&files, &c->in.naming);
	symbolize_find_files(&r->p, &files.image, &roots);
	files.image.lines = true;
	v.image = &files.image;
	v.term = term_find((enum term_color)c->color);
	ret = write_functions(c, &v, &chosen, e);
	tell_notes(&r->p, c->quiet ? TELL_NOTHING : c->verbose ? TELL_EACH : TELL_SUM);
	if (!ret)
		show(c, &text);
	naming_files_release(&files);
	chosen_release(&chosen);
	strbuf_release(&text);
	return ret;
}

static int run(struct command *c, struct error *e)
{
	struct collapse_result r;
	int ret;

	progress_init(&c->progress);
	c->in.watcher = progress_show;
	c->in.watcher_arg = &c->progress;
	ret = collapse_read(&c->in, &r, e);
	progress_end(&c->progress);
	if (!ret)
		ret = annotate(c, &r, e);
	collapse_release(&r);
	return ret;
}

static int set_opts(struct command *c, const struct option_list *operands, struct error *e)
{
	if (!operands->nr)
		return error_set(e, ERROR_USAGE, "which function? wick annotate FN [FILE...]");
	c->function = operands->at[0];
	c->in.file = operands->at + 1;
	c->in.nr_file = operands->nr - 1;
	c->in.read.srcline = true;
	if (filtering_parse(&c->filtering, &c->in.filter, e))
		return -1;
	c->in.read.ticks = c->filtering.time != NULL;
	return 0;
}

int annotate_main(int argc, char **argv)
{
	struct command c = { .in = { .read = { .threads = collapse_threads() } },
			     .most = FUNCTIONS_DEFAULT,
			     .pager = true };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&table, &c, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&table);
		return 0;
	}
	if (!ret)
		ret = set_opts(&c, &operands, &e) || run(&c, &e) ? -1 : 0;
	option_list_release(&operands);
	filtering_release(&c.filtering);
	if (!ret)
		return 0;
	message_error(&e);
	return message_status(&e);
}
