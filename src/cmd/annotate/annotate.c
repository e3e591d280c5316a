#include "cmd/annotate/annotate.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "base/utf8.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cmd/annotate/annotate_view.h"
#include "cmd/print_notes.h"
#include "fold/sums.h"
#include "load/filtering.h"
#include "load/function_list.h"
#include "load/load.h"
#include "profile/spelling.h"
#include "symbol/symbolize.h"
#include "write/formats.h"

#include <stdlib.h>
#include <unistd.h>

enum { FUNCTIONS_DEFAULT = 5, TAB = 8 };

struct command {
	struct load_opts in;
	struct choose_opts choose;
	struct progress progress;
	struct filtering filtering;
	const char *function, *source;
	bool code, intel;
	unsigned most;
	int color; /* enum term_color */
	int pager; /* enum pager_use */
	bool quiet, verbose;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "asm", 0, OPTION_FLAG, AT(code), NULL, "show instructions instead of source lines", 0 },
	{ "intel", 0, OPTION_FLAG, AT(intel), NULL, "use Intel syntax for x86 instructions", 0 },
	{ "source", 0, OPTION_STRING, AT(source), "DIR",
	  "directory with the sources [their paths at compile time]", 0 },
	{ "functions", 'n', OPTION_UINT, AT(most), "N",
	  "show at most N matching functions, heaviest first; 0 for all [5]", 0 },
	FILTERING_OPTIONS(filtering),
	FORMAT_FROM_OPTION(in.from),
	CHOOSE_OPTIONS(choose),
	NAMING_OPTIONS(in.naming),
	TERM_COLOR_OPTION(color),
	PAGER_OPTION(pager),
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "do not report dropped data", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list dropped data, with line numbers",
	  0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_words values[] = { FORMAT_FROM_WORDS, { 0 } };

const struct option_table annotate_table = {
	.usage = "wick annotate [options] FN [FILE...]",
	.about =
		"Shows the source or the instructions of a function with the cost of each line.  `self` is the\n"
		"line's share of the samples whose leaf is in the function; `total` also counts samples in\n"
		"functions that the line calls.  Code inlined into the function is listed below it.  FN is a\n"
		"name or a pattern.",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
	.words = values,
};

/* Parts of both views */

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

/* Expands tabs as a terminal does for text that begins in its first column. */
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
	strbuf_addf(v->out, ": %.2f %% self, %.2f %% with inlined code, %.2f %% total\n",
		    percent(a->self, a->all), percent(a->code, a->all), percent(a->total, a->all));
	strbuf_release(&name);
}

int annotate_write_function(const struct annotate_view *view, const struct annotation_opts *o,
			    struct error *e)
{
	struct annotate_view v = *view;
	struct annotation a;
	int ret;

	annotation_init(&a, v.p, o);
	v.a = &a;
	write_head(&v, o->function);
	term_add(v.out, &v.term, STYLE_BOLD,
		 v.code ? SPAN("      self     total       address  instruction")
			: SPAN("      self     total    line  source"));
	strbuf_addch(v.out, '\n');
	ret = v.code ? annotate_write_code(&v, e) : annotate_write_lines(&v, e);
	annotation_release(&a);
	if (!ret)
		return 0;
	/* If one of several functions cannot be shown, the error takes its place. */
	legible_add(v.out, span_of(e->text));
	strbuf_addch(v.out, '\n');
	return error_within(e, "%.*s", (int)o->function.size, o->function.at);
}

static bool is_meant(const struct sums *s, size_t row, const struct intern *meant)
{
	struct span function = sums_peek(s, &s->row[row], 0);

	return s->row[row].total > 0 &&
	       intern_find(meant, function, intern_hash(function)) != INTERN_NONE;
}

/* Does a sample of the event have a matching function? */
static bool has_function(const struct profile *p, uint32_t event, const struct sums_opts *all,
			 const struct intern *meant)
{
	bool *in = xcalloc(p->nr_event, sizeof(*in)), found = false;
	struct sums_opts o = *all;
	struct sums s;

	in[event] = true;
	o.in = in;
	sums_init(&s, p, &o);
	for (size_t i = 0; i < s.nr && !found; i++)
		found = is_meant(&s, i, meant);
	sums_release(&s);
	free(in);
	return found;
}

/* Explains why no matching function has samples: only other events have it, or none. */
static int no_samples(const struct command *c, const struct profile *p, const struct sums_opts *o,
		      const struct intern *meant, struct error *e)
{
	struct span shown = { 0 };
	size_t nr = 0;

	for (uint32_t i = 0; i < p->nr_event; i++)
		if (o->in[i]) {
			shown = profile_peek(p, p->event[i].name);
			nr++;
		}
	for (uint32_t i = 0; i < p->nr_event; i++) {
		struct span other = profile_peek(p, p->event[i].name);

		if (o->in[i] || !has_function(p, i, o, meant))
			continue;
		if (nr != 1)
			shown = SPAN("these events");
		error_set(e, ERROR_INPUT, "no sample of %.*s has a function '%s'", (int)shown.size,
			  shown.at, c->function);
		return error_hint(e, "use --event %.*s, which has it", (int)other.size, other.at);
	}
	return choose_nothing(&c->choose, e);
}

/* Writes the matching functions that have samples, the heaviest first.  1: none has any. */
static int write_heaviest(const struct command *c, const struct annotate_view *v,
			  const struct sums *s, const struct intern *meant,
			  struct annotation_opts *o, struct error *e)
{
	size_t nr = 0, nr_failed = 0, nr_shown;
	struct error other = ERROR_INIT; /* the error of the heaviest is the one to report */

	for (size_t i = 0; i < s->nr; i++) {
		if (!is_meant(s, i, meant))
			continue;
		o->function = sums_peek(s, &s->row[i], 0);
		if ((!c->most || nr < c->most) &&
		    annotate_write_function(v, o, nr_failed ? &other : e))
			nr_failed++;
		nr++;
	}
	if (!nr)
		return 1;
	nr_shown = c->most && nr > c->most ? c->most : nr;
	if (nr > nr_shown)
		strbuf_addf(v->out,
			    "\n"
			    "and %zu more matching function%s (-n 0 shows all)\n",
			    nr - nr_shown, nr - nr_shown == 1 ? "" : "s");
	return nr_failed < nr_shown ? 0 : -1;
}

static int write_functions(const struct command *c, const struct annotate_view *v,
			   const struct chosen *chosen, struct error *e)
{
	static const enum sum_key by_function[] = { SUM_FUNCTION };
	struct annotation_opts o = { .samples = chosen->samples,
				     .in = chosen->in[chosen->nr_column - 1] };
	struct sums_opts so = { .key = by_function, .nr_key = 1, .samples = o.samples, .in = o.in };
	struct function_list functions;
	struct intern meant = { 0 };
	struct labels labels;
	struct sums sums;
	int ret;

	so.spelling = o.spelling =
		chosen->spelling & ~(unsigned)(SPELL_THREAD | SPELL_AROUND | SPELL_MARKS);
	labels_init(&labels, v->p, o.spelling);
	ret = function_list_find(&functions, &labels, v->p, chosen->spelling, c->function, e);
	if (!ret) {
		for (size_t i = 0; i < functions.nr; i++)
			intern(&meant, span_of(functions.at[i]));
		sums_init(&sums, v->p, &so);
		ret = write_heaviest(c, v, &sums, &meant, &o, e);
		sums_release(&sums);
		if (ret > 0)
			ret = no_samples(c, v->p, &so, &meant, e);
	}
	intern_release(&meant);
	function_list_release(&functions);
	labels_release(&labels);
	return ret;
}

static int annotate(struct command *c, struct load_result *r, struct error *e)
{
	struct strbuf text = { 0 };
	struct naming_files files;
	struct roots roots = { 0 };
	struct chosen chosen;
	struct annotate_view v = { .p = &r->p,
				   .source = c->source,
				   .code = c->code,
				   .intel = c->intel,
				   .to_code = "--asm",
				   .out = &text };
	int ret;

	if (choose_events(&c->choose, &r->p, &r->hints, &chosen, e))
		return -1;
	if (chosen.nr_column == 2)
		notes_add(&r->p.notes, NOTE_ONLY_AFTER, 1, 0, SPAN(""));
	naming_files_init(&files, &c->in.naming);
	naming_files_ask(&files, &c->progress);
	symbolize_find_files(&r->p, &files.image, &roots);
	files.image.lines = true;
	v.image = &files.image;
	v.term = term_find((enum term_color)c->color);
	ret = write_functions(c, &v, &chosen, e);
	progress_end(&c->progress);
	if (!ret)
		pager_show(strbuf_peek(&text), (enum pager_use)c->pager);
	print_notes_below(&r->p, c->quiet ? NOTES_HIDDEN : c->verbose ? NOTES_EACH : NOTES_SUMMED);
	naming_files_release(&files);
	chosen_release(&chosen);
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
		ret = annotate(c, &r, e);
	load_release(&r);
	return ret;
}

/* Detects a command line with a file but without a function. */
static int check_input(const struct command *c, struct error *e)
{
	if (!load_check_input(&c->in, "wick annotate FN", e))
		return 0;
	if (access(c->function, R_OK))
		return -1;
	error_set(e, ERROR_USAGE, "no function given: %s is a file", c->function);
	return error_hint(e, "wick annotate FN %s", c->function);
}

static int set_opts(struct command *c, const struct option_list *operands, struct error *e)
{
	if (!operands->nr) {
		error_set(e, ERROR_USAGE, "no function given");
		return error_hint(e, "wick annotate FN [FILE...]");
	}
	c->function = operands->at[0];
	c->in.file = operands->at + 1;
	c->in.nr_file = operands->nr - 1;
	c->in.read.srcline = true;
	if (check_input(c, e) || filtering_parse(&c->filtering, &c->choose.filter, e))
		return -1;
	c->in.read.cpus |= choose_needs_labels(&c->choose);
	c->in.read.ticks = c->filtering.time != NULL;
	return 0;
}

int annotate_main(int argc, char **argv)
{
	struct command c = { .in = { .read = { .threads = load_threads() } },
			     .most = FUNCTIONS_DEFAULT,
			     .pager = PAGER_ON_TERMINAL };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&annotate_table, &c, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&annotate_table);
		return 0;
	}
	if (!ret)
		ret = set_opts(&c, &operands, &e) || run(&c, &e) ? -1 : 0;
	option_list_release(&operands);
	filtering_release(&c.filtering);
	return message_result(ret, &e);
}
