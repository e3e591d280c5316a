/* Results for people. */
#include "base/alloc.h"
#include "base/legible.h"
#include "cli/messages.h"
#include "cli/table.h"
#include "cmd/bench/bench_parts.h"
#include "fold/steady.h"
#include "render/number.h"
#include "render/shorten.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Rows of the table of functions. */
enum { FUNCTIONS_SHOWN = 10 };

/* Characters of a time: "1000.0 ms" */
enum { TIME_WIDTH = 9 };

/* Style */

struct term bench_term(const struct bench *b)
{
	switch ((enum bench_style)b->o.style) {
	case BENCH_STYLE_FULL:
	case BENCH_STYLE_COLOR:
		return term_find(COLOR_ALWAYS);
	case BENCH_STYLE_BASIC:
	case BENCH_STYLE_NOCOLOR:
		return term_find(COLOR_NEVER);
	case BENCH_STYLE_AUTO:
	case BENCH_STYLE_NONE:
		break;
	}
	return term_find(COLOR_AUTO);
}

void bench_progress_init(const struct bench *b, struct progress *p)
{
	progress_init(p);
	if (b->o.style == BENCH_STYLE_FULL || b->o.style == BENCH_STYLE_NOCOLOR)
		p->on = true;
	if (b->o.style == BENCH_STYLE_BASIC || b->o.style == BENCH_STYLE_COLOR || b->o.quiet)
		p->on = false;
}

/* Times */

struct bench_time_unit bench_unit(const struct bench *b, double ns)
{
	static const struct bench_time_unit units[] = {
		[BENCH_UNIT_AUTO] = { "ns", 1, 0 },
		[BENCH_MICROSECONDS] = { "µs", 1e3, 1 },
		[BENCH_MILLISECONDS] = { "ms", 1e6, 1 },
		[BENCH_SECONDS] = { "s", 1e9, 3 },
	};

	return units[b->o.unit	 ? b->o.unit
		     : ns >= 1e9 ? BENCH_SECONDS
		     : ns >= 1e6 ? BENCH_MILLISECONDS
				 : BENCH_MICROSECONDS];
}

static void add_time(struct strbuf *out, double ns, struct bench_time_unit u)
{
	strbuf_addf(out, "%.*f %s", u.digits, ns / u.ns, u.name);
}

static double mean_of(const struct bench_command *c, size_t metric)
{
	double sum = 0;

	for (size_t i = 0; i < c->timed.nr; i++)
		sum += c->timed.at[i].value[metric];
	return c->timed.nr ? sum / (double)c->timed.nr : 0;
}

struct bench_stats bench_stats(const struct bench_command *c)
{
	double *value = bench_values(c, METRIC_TIME), squares = 0;
	struct bench_stats s = { .mean = mean_of(c, METRIC_TIME),
				 .user = mean_of(c, METRIC_USER),
				 .system = mean_of(c, METRIC_SYSTEM),
				 .median = median_of(value, c->timed.nr),
				 .min = c->timed.nr ? value[0] : 0 };

	for (size_t i = 0; i < c->timed.nr; i++) {
		squares += (value[i] - s.mean) * (value[i] - s.mean);
		s.min = fmin(s.min, value[i]);
		s.max = fmax(s.max, value[i]);
	}
	s.deviation = c->timed.nr > 1 ? sqrt(squares / (double)(c->timed.nr - 1)) : 0;
	free(value);
	return s;
}

/* Appends a time, right-aligned, so that those of two lines are aligned. */
static void add_aligned(const struct term *term, enum term_style style, struct bench_time_unit u,
			double ns, struct strbuf *out)
{
	struct strbuf text = { 0 };
	size_t width;

	add_time(&text, ns, u);
	width = text.size - (u.ns == 1e3); /* µ has two bytes */
	strbuf_addf(out, "%*s", width < TIME_WIDTH ? (int)(TIME_WIDTH - width) : 0, "");
	term_add(out, term, style, strbuf_peek(&text));
	strbuf_release(&text);
}

static void add_cpu(const struct bench_stats *s, struct bench_time_unit u, struct strbuf *out)
{
	strbuf_add(out, SPAN("    [User: "));
	add_time(out, s->user, u);
	strbuf_add(out, SPAN(", System: "));
	add_time(out, s->system, u);
	strbuf_add(out, SPAN("]\n"));
}

static void add_command(const struct bench *b, size_t number, const struct term *term,
			struct strbuf *out)
{
	const struct bench_command *c = &b->command[number];
	const struct bench_stats s = bench_stats(c);
	const struct bench_time_unit u = bench_unit(b, s.mean);
	struct strbuf title = { 0 };

	strbuf_addf(&title, "Benchmark %zu", number + 1);
	term_add(out, term, STYLE_BOLD, strbuf_peek(&title));
	strbuf_release(&title);
	strbuf_add(out, SPAN(": "));
	legible_add(out, span_of(c->title));
	if (c->timed.nr == 1) {
		strbuf_add(out, SPAN("\n  Time (abs ≡):       "));
		add_aligned(term, STYLE_BOLD, u, s.mean, out);
		strbuf_addf(out, "%*s", TIME_WIDTH + 3, "");
		add_cpu(&s, u, out);
		strbuf_addch(out, '\n');
		return;
	}
	strbuf_add(out, SPAN("\n  Time (mean ± σ):    "));
	add_aligned(term, STYLE_BOLD, u, s.mean, out);
	strbuf_add(out, SPAN(" ± "));
	add_aligned(term, STYLE_PLAIN, u, s.deviation, out);
	add_cpu(&s, u, out);
	strbuf_add(out, SPAN("  Range (min … max):  "));
	add_aligned(term, STYLE_PLAIN, u, s.min, out);
	strbuf_add(out, SPAN(" … "));
	add_aligned(term, STYLE_PLAIN, u, s.max, out);
	strbuf_addf(out, "    %zu runs\n\n", c->timed.nr);
}

/* Comparisons */

static void add_change(struct strbuf *out, double ratio)
{
	if (!isfinite(ratio))
		strbuf_add(out, SPAN("?"));
	else if (ratio >= 2)
		strbuf_addf(out, ratio < 1000 ? "× %.2f" : "× %.1g", ratio);
	else
		strbuf_addf(out, "%+.*f %%", fabs(ratio - 1) < 0.1 ? 2 : 1, 100 * (ratio - 1));
}

/*
 * Is the ratio meaningful?  If one side is 0 and the other is not, it depends on the constant that
 * is added to both.
 */
static bool has_ratio(const struct bench_command *c, size_t metric)
{
	return bench_is_zero(c, metric) == bench_is_zero(c->reference, metric);
}

void bench_change_add(const struct bench_command *c, size_t metric, struct strbuf *out)
{
	if (has_ratio(c, metric))
		add_change(out, c->ratio[metric].value);
	else
		strbuf_add(out, bench_is_zero(c, metric) ? SPAN("to 0") : SPAN("from 0"));
}

void bench_interval_add(const struct bench_command *c, size_t metric, struct strbuf *out)
{
	/* With too few runs, there is no interval. */
	if (!has_ratio(c, metric) || !isfinite(c->ratio[metric].high))
		return;
	strbuf_addch(out, '[');
	add_change(out, c->ratio[metric].low);
	strbuf_add(out, SPAN(", "));
	add_change(out, c->ratio[metric].high);
	strbuf_addch(out, ']');
}

/* "slower", "no difference detected (1.2 % would have been)", "too few runs for a verdict" */
static void add_verdict(struct strbuf *out, const struct ratio *r)
{
	if (r->verdict != RATIO_SAME || !bench_is_known(r)) {
		strbuf_addf(out, "%s",
			    bench_is_known(r) ? bench_verdict(r) : "too few runs for a verdict");
		return;
	}
	strbuf_add(out, SPAN("no difference detected"));
	/* A detectable difference of ten times or more is not worth a mention. */
	if (r->detectable < 10)
		strbuf_addf(out,
			    r->detectable < 1 ? " (%.2g %% would have been)"
					      : " (%.0f %% would have been)",
			    100 * r->detectable);
}

/* "takes 8.1 % less time than './old'" */
void bench_summarize(const struct bench *b, const struct bench_command *c, struct strbuf *out)
{
	const struct ratio *r = &c->ratio[METRIC_TIME];
	size_t nr = c->timed.nr < c->reference->timed.nr ? c->timed.nr : c->reference->timed.nr;
	bool paired = c->reference->argv && !b->in_blocks;

	add_verdict(out, r);
	strbuf_add(out, SPAN(": '"));
	legible_add(out, span_of(c->title));
	if (r->verdict == RATIO_SAME) {
		strbuf_add(out, SPAN("' against '"));
	} else {
		if (r->verdict == RATIO_MORE && r->value >= 2)
			strbuf_addf(out, "' takes %.2f times as long as '", r->value);
		else
			strbuf_addf(out, "' takes %.*f %% %s time than '",
				    fabs(r->value - 1) < 0.1 ? 2 : 1, 100 * fabs(r->value - 1),
				    r->value < 1 ? "less" : "more");
	}
	legible_add(out, span_of(c->reference->title));
	strbuf_addf(out, "'%s\n  ratio %.4f", c->reference->argv ? "" : " of the baseline",
		    r->value);
	if (isfinite(r->high))
		strbuf_addf(out,
			    r->high < 1000 ? ", 95 %% interval %.4f to %.4f"
					   : ", 95 %% interval %.2g to %.2g",
			    r->low, r->high);
	strbuf_addf(out, ", %zu %s\n", nr, paired ? (nr == 1 ? "pair" : "pairs") : "runs each");
}

static void add_value(struct table *t, const struct bench *b, const struct bench_command *c,
		      size_t metric)
{
	struct strbuf text = { 0 };

	bench_median_add(b, c, metric, &text);
	table_add(t, strbuf_peek(&text), STYLE_PLAIN);
	strbuf_release(&text);
}

const char *bench_word(const struct ratio *r, size_t metric)
{
	if (r->verdict == RATIO_SAME)
		return "";
	if (metric == METRIC_TIME)
		return bench_verdict(r);
	return r->verdict == RATIO_LESS ? "less" : "more";
}

/* The medians of all metrics of two commands. */
static void add_metrics(const struct bench *b, const struct bench_command *c,
			const struct term *term, struct strbuf *out)
{
	static const struct table_column column[] = {
		{ "median", TABLE_NAME, false },     { "before", TABLE_NUMBER, false },
		{ "after", TABLE_NUMBER, false },    { "change", TABLE_NUMBER, false },
		{ "interval", TABLE_NUMBER, false }, { "", TABLE_NAME, false },
	};
	struct table t = { .column = column, .nr_column = ARRAY_SIZE(column), .shorten = shorten };

	for (size_t k = 0; k < b->nr_metric; k++) {
		const struct ratio *r = &c->ratio[k];
		struct strbuf text = { 0 };

		if (!(c->reference->metrics & c->metrics & 1u << k) || bench_are_zero(c, k))
			continue;
		table_add(&t, span_of(b->metric[k].title), STYLE_PLAIN);
		add_value(&t, b, c->reference, k);
		add_value(&t, b, c, k);
		bench_change_add(c, k, &text);
		table_add(&t, strbuf_peek(&text), STYLE_PLAIN);
		strbuf_reset(&text);
		bench_interval_add(c, k, &text);
		table_add(&t, strbuf_peek(&text), STYLE_PLAIN);
		table_add(&t, span_of(bench_word(r, k)), STYLE_BOLD);
		strbuf_release(&text);
	}
	table_write(&t, term, out);
	table_release(&t);
	strbuf_addch(out, '\n');
}

/* Functions */

/* "+8.1 ms" */
static void add_signed_time(const struct bench *b, double ns, struct strbuf *out)
{
	strbuf_addch(out, ns < 0 ? '-' : '+');
	add_time(out, fabs(ns), bench_unit(b, fabs(ns)));
}

static void add_functions(const struct bench *b, struct strbuf *out)
{
	const struct bench_profile *p = &b->profile;
	static const struct table_column column[] = {
		{ "before", TABLE_NUMBER, false }, { "after", TABLE_NUMBER, false },
		{ "change", TABLE_NUMBER, false }, { "explains", TABLE_NUMBER, false },
		{ "function", TABLE_NAME, false },
	};
	struct table t = { .column = column, .nr_column = ARRAY_SIZE(column), .shorten = shorten };
	const struct term term = bench_term(b);

	for (size_t i = 0; i < p->nr_function && i < FUNCTIONS_SHOWN; i++) {
		const struct bench_function *f = &p->function[i];
		const double times[] = { f->before, f->after };
		struct strbuf text = { 0 };

		for (size_t k = 0; k < ARRAY_SIZE(times); k++) {
			add_time(&text, times[k], bench_unit(b, times[k]));
			table_add(&t, strbuf_peek(&text), STYLE_PLAIN);
			strbuf_reset(&text);
		}
		add_signed_time(b, f->after - f->before, &text);
		table_add(&t, strbuf_peek(&text), STYLE_PLAIN);
		strbuf_reset(&text);
		if (isfinite(f->share))
			strbuf_addf(&text, "%.0f ± %.0f %%", 100 * f->share, 100 * f->error);
		table_add(&t, strbuf_peek(&text), STYLE_PLAIN);
		table_add(&t, span_of(f->name), STYLE_PLAIN);
		strbuf_release(&text);
	}
	table_write(&t, &term, out);
	table_release(&t);
}

/* Names the comparison if there are several: "'B' against 'A': " */
static void add_profiled(const struct bench *b, struct strbuf *out)
{
	const struct bench_command *c = b->profile.command;

	if (b->nr_command < 3 || !c || !c->reference)
		return;
	strbuf_addch(out, '\'');
	legible_add(out, span_of(c->title));
	strbuf_add(out, SPAN("' against '"));
	legible_add(out, span_of(c->reference->title));
	strbuf_add(out, SPAN("':\n"));
}

void bench_explain(const struct bench *b, struct strbuf *out)
{
	const struct bench_profile *p = &b->profile;

	if (!p->made)
		return;
	if (p->why_not) {
		strbuf_addf(out, "Functions: %s\n", p->why_not);
		return;
	}
	add_profiled(b, out);
	strbuf_add(out,
		   p->user_only ? SPAN("User CPU time per run: ") : SPAN("CPU time per run: "));
	add_time(out, p->cpu[0], bench_unit(b, p->cpu[0]));
	strbuf_add(out, SPAN(" before, "));
	add_time(out, p->cpu[1], bench_unit(b, p->cpu[1]));
	strbuf_add(out, SPAN(" after ("));
	add_signed_time(b, p->cpu[1] - p->cpu[0], out);
	strbuf_addf(out, "); %zu profiled runs each\n", p->nr_run);
	if (p->nr_function)
		add_functions(b, out);
	else
		strbuf_add(
			out,
			SPAN("No function changed significantly; more --profile-runs detect smaller changes.\n"));
	if (p->nr_function > FUNCTIONS_SHOWN)
		strbuf_addf(out, "… and %zu more; --export-json lists all.\n",
			    p->nr_function - FUNCTIONS_SHOWN);
}

static void print_warnings(const struct bench *b)
{
	for (size_t i = 0; i < b->nr_warning; i++) {
		message("warning: %s", b->warning[i].text);
		if (*b->warning[i].hint)
			fprintf(stderr, "hint: %s\n", b->warning[i].hint);
	}
}

/* Does an export go to standard output? */
static bool exports_there(const struct bench *b)
{
	const char *const paths[] = { b->o.json,     b->o.save,	   b->o.csv, b->o.markdown,
				      b->o.asciidoc, b->o.orgmode, b->o.page };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (paths[i] && !strcmp(paths[i], "-"))
			return true;
	return false;
}

/* The verdict on one comparison, as a sentence. */
static void add_sentence(const struct bench *b, const struct bench_command *c,
			 const struct term *term, struct strbuf *out)
{
	struct strbuf text = { 0 };
	size_t word;

	bench_summarize(b, c, &text);
	word = span_find(strbuf_peek(&text), ':');
	term_add(out, term, STYLE_BOLD, span_upto(strbuf_peek(&text), word));
	strbuf_add(out, span_from(strbuf_peek(&text), word));
	strbuf_release(&text);
}

struct compared {
	const struct bench_command *c;
	double mean;
};

static int by_mean(const void *a, const void *b)
{
	const struct compared *x = a, *y = b;

	if (x->mean != y->mean)
		return x->mean < y->mean ? -1 : 1;
	return x->c < y->c ? -1 : x->c > y->c;
}

/* Several comparisons as a table, a row for each. */
static void add_comparisons(const struct bench *b, struct compared *one, size_t nr,
			    const struct term *term, struct strbuf *out)
{
	static const struct table_column column[] = {
		{ "change", TABLE_NUMBER, false },
		{ "95 % interval", TABLE_NUMBER, false },
		{ "command", TABLE_NAME, false },
		{ "", TABLE_NUMBER, false },
	};
	struct table t = { .column = column, .nr_column = ARRAY_SIZE(column), .shorten = shorten };

	if (b->o.sort != BENCH_SORT_COMMAND)
		qsort(one, nr, sizeof(*one), by_mean);
	strbuf_add(out, SPAN("Compared with "));
	if (b->o.baseline) {
		strbuf_add(out, SPAN("the baseline"));
	} else {
		strbuf_addch(out, '\'');
		legible_add(out, span_of(one->c->reference->title));
		strbuf_addch(out, '\'');
	}
	strbuf_add(out, SPAN(":\n"));
	for (size_t i = 0; i < nr; i++) {
		const struct ratio *r = &one[i].c->ratio[METRIC_TIME];
		struct strbuf text = { 0 };

		bench_change_add(one[i].c, METRIC_TIME, &text);
		table_add(&t, strbuf_peek(&text), STYLE_PLAIN);
		strbuf_reset(&text);
		bench_interval_add(one[i].c, METRIC_TIME, &text);
		table_add(&t, strbuf_peek(&text), STYLE_PLAIN);
		table_add(&t, span_of(one[i].c->title), STYLE_PLAIN);
		strbuf_reset(&text);
		add_verdict(&text, r);
		table_add(&t, strbuf_peek(&text),
			  r->verdict == RATIO_SAME ? STYLE_PLAIN : STYLE_BOLD);
		strbuf_release(&text);
	}
	table_write(&t, term, out);
	table_release(&t);
}

void bench_report(const struct bench *b)
{
	struct compared *one = xcalloc(b->nr_command, sizeof(*one));
	const struct term term = bench_term(b);
	struct strbuf out = { 0 };
	size_t nr = 0;

	for (size_t i = 0; i < b->nr_command; i++) {
		const struct bench_command *c = &b->command[i];

		if (c->timed.nr)
			add_command(b, i, &term, &out);
		if (c->reference)
			one[nr++] = (struct compared){ c, bench_stats(c).mean };
	}
	if (nr == 1) {
		add_metrics(b, one->c, &term, &out);
		add_sentence(b, one->c, &term, &out);
	} else if (nr) {
		add_comparisons(b, one, nr, &term, &out);
	}
	if (b->profile.made && out.size)
		strbuf_addch(&out, '\n');
	bench_explain(b, &out);
	/* Removes the blank line after the last of several commands. */
	if (!nr && out.size)
		out.size--;
	if (!exports_there(b)) {
		fwrite(out.at, 1, out.size, stdout);
		fflush(stdout);
	}
	strbuf_release(&out);
	free(one);
	print_warnings(b);
}
