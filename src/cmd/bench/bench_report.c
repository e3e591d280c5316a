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

/* Times of a command share a unit. */
struct time_unit {
	const char *name;
	double ns;
};

static struct time_unit unit_for(double ns)
{
	return ns >= 1e9   ? (struct time_unit){ "s", 1e9 }
	       : ns >= 1e6 ? (struct time_unit){ "ms", 1e6 }
			   : (struct time_unit){ "µs", 1e3 };
}

static void add_time(struct strbuf *out, double ns, struct time_unit u)
{
	strbuf_addf(out, "%.*f %s", ns >= 1e9 ? 3 : 1, ns / u.ns, u.name);
}

static void add_command(const struct bench_command *c, size_t number, struct strbuf *out)
{
	double *value = bench_values(c, METRIC_TIME), mean[3] = { 0 }, squares = 0;
	double min = INFINITY, max = 0;
	struct time_unit u;

	for (size_t i = 0; i < c->timed.nr; i++)
		for (size_t k = METRIC_TIME; k <= METRIC_SYSTEM; k++)
			mean[k] += c->timed.at[i].value[k] / (double)c->timed.nr;
	for (size_t i = 0; i < c->timed.nr; i++) {
		squares += (value[i] - mean[0]) * (value[i] - mean[0]);
		min = fmin(min, value[i]);
		max = fmax(max, value[i]);
	}
	free(value);
	u = unit_for(mean[0]);
	strbuf_addf(out, "Benchmark %zu: ", number);
	legible_add(out, span_of(c->name));
	strbuf_add(out, SPAN("\n  Time (mean ± σ):     "));
	add_time(out, mean[0], u);
	strbuf_add(out, SPAN(" ± "));
	add_time(out, c->timed.nr > 1 ? sqrt(squares / (double)(c->timed.nr - 1)) : 0, u);
	strbuf_add(out, SPAN("    [User: "));
	add_time(out, mean[METRIC_USER], unit_for(mean[METRIC_USER]));
	strbuf_add(out, SPAN(", System: "));
	add_time(out, mean[METRIC_SYSTEM], unit_for(mean[METRIC_SYSTEM]));
	strbuf_add(out, SPAN("]\n  Range (min … max):   "));
	add_time(out, min, u);
	strbuf_add(out, SPAN(" … "));
	add_time(out, max, u);
	strbuf_addf(out, "    %zu run%s\n\n", c->timed.nr, c->timed.nr == 1 ? "" : "s");
}

/* Comparisons */

void bench_change_add(struct strbuf *out, double ratio)
{
	if (!isfinite(ratio))
		strbuf_add(out, SPAN("?"));
	else if (ratio >= 2)
		strbuf_addf(out, ratio < 1000 ? "× %.2f" : "× %.1g", ratio);
	else
		strbuf_addf(out, "%+.*f %%", fabs(ratio - 1) < 0.1 ? 2 : 1, 100 * (ratio - 1));
}

void bench_interval_add(struct strbuf *out, const struct ratio *r)
{
	strbuf_addch(out, '[');
	bench_change_add(out, r->low);
	strbuf_add(out, SPAN(", "));
	bench_change_add(out, r->high);
	strbuf_addch(out, ']');
}

static void add_detectable(struct strbuf *out, double change)
{
	/* What is ten times as long is none that anybody would overlook. */
	strbuf_add(out, SPAN("no difference detected"));
	if (change < 10)
		strbuf_addf(out,
			    change < 1 ? " (smallest detectable: %.2g %%)"
				       : " (smallest detectable: %.0f %%)",
			    100 * change);
}

/* "takes 8.1 % less time than './old'" */
void bench_summarize(const struct bench *b, const struct bench_command *c, struct strbuf *out)
{
	const struct ratio *r = &c->ratio[METRIC_TIME];
	size_t nr = c->timed.nr < c->reference->timed.nr ? c->timed.nr : c->reference->timed.nr;
	bool paired = c->reference->argv && !b->in_blocks;

	if (r->verdict == RATIO_SAME) {
		add_detectable(out, r->detectable);
		strbuf_add(out, SPAN(": '"));
		legible_add(out, span_of(c->name));
		strbuf_add(out, SPAN("' against '"));
	} else {
		strbuf_addf(out, "%s: '", bench_verdict(r));
		legible_add(out, span_of(c->name));
		if (r->verdict == RATIO_MORE && r->value >= 2)
			strbuf_addf(out, "' takes %.2f times as long as '", r->value);
		else
			strbuf_addf(out, "' takes %.*f %% %s time than '",
				    fabs(r->value - 1) < 0.1 ? 2 : 1, 100 * fabs(r->value - 1),
				    r->value < 1 ? "less" : "more");
	}
	legible_add(out, span_of(c->reference->name));
	strbuf_addf(out, "'%s\n  ratio %.4f", c->reference->argv ? "" : " of the baseline",
		    r->value);
	if (isfinite(r->high))
		strbuf_addf(out,
			    r->high < 1000 ? ", 95 %% interval %.4f to %.4f"
					   : ", 95 %% interval %.2g to %.2g",
			    r->low, r->high);
	else
		strbuf_add(out, SPAN(", too few runs for an interval"));
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

/* All metrics of two commands, by their medians. */
static void add_metrics(const struct bench *b, const struct bench_command *c, struct strbuf *out)
{
	static const struct table_column column[] = {
		{ "median", TABLE_NAME, false },     { "before", TABLE_NUMBER, false },
		{ "after", TABLE_NUMBER, false },    { "change", TABLE_NUMBER, false },
		{ "interval", TABLE_NUMBER, false }, { "", TABLE_NAME, false },
	};
	struct table t = { .column = column, .nr_column = ARRAY_SIZE(column), .shorten = shorten };
	struct term term = term_find(COLOR_AUTO);

	for (size_t k = 0; k < b->nr_metric; k++) {
		const struct ratio *r = &c->ratio[k];
		struct strbuf text = { 0 };

		if (!(c->reference->metrics & c->metrics & 1u << k) || bench_is_zero(c, k))
			continue;
		table_add(&t, span_of(b->metric[k].title), STYLE_PLAIN);
		add_value(&t, b, c->reference, k);
		add_value(&t, b, c, k);
		bench_change_add(&text, r->value);
		table_add(&t, strbuf_peek(&text), STYLE_PLAIN);
		strbuf_reset(&text);
		bench_interval_add(&text, r);
		table_add(&t, strbuf_peek(&text), STYLE_PLAIN);
		table_add(&t, span_of(bench_word(r, k)), STYLE_BOLD);
		strbuf_release(&text);
	}
	table_write(&t, &term, out);
	table_release(&t);
	strbuf_addch(out, '\n');
}

/* Functions */

/* "+8.1 ms" */
static void add_signed_time(struct strbuf *out, double ns)
{
	strbuf_addch(out, ns < 0 ? '-' : '+');
	add_time(out, fabs(ns), unit_for(fabs(ns)));
}

static void add_functions(const struct bench_profile *p, struct strbuf *out)
{
	static const struct table_column column[] = {
		{ "before", TABLE_NUMBER, false }, { "after", TABLE_NUMBER, false },
		{ "change", TABLE_NUMBER, false }, { "explains", TABLE_NUMBER, false },
		{ "function", TABLE_NAME, false },
	};
	struct table t = { .column = column, .nr_column = ARRAY_SIZE(column), .shorten = shorten };
	struct term term = term_find(COLOR_AUTO);

	for (size_t i = 0; i < p->nr_function && i < FUNCTIONS_SHOWN; i++) {
		const struct bench_function *f = &p->function[i];
		const double times[] = { f->before, f->after };
		struct strbuf text = { 0 };

		for (size_t k = 0; k < ARRAY_SIZE(times); k++) {
			add_time(&text, times[k], unit_for(times[k]));
			table_add(&t, strbuf_peek(&text), STYLE_PLAIN);
			strbuf_reset(&text);
		}
		add_signed_time(&text, f->after - f->before);
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

void bench_explain(const struct bench *b, struct strbuf *out)
{
	const struct bench_profile *p = &b->profile;

	if (!p->made)
		return;
	if (p->why_not) {
		strbuf_addf(out, "Functions: %s\n", p->why_not);
		return;
	}
	strbuf_add(out,
		   p->user_only ? SPAN("User CPU time per run: ") : SPAN("CPU time per run: "));
	add_time(out, p->cpu[0], unit_for(p->cpu[0]));
	strbuf_add(out, SPAN(" before, "));
	add_time(out, p->cpu[1], unit_for(p->cpu[1]));
	strbuf_add(out, SPAN(" after ("));
	add_signed_time(out, p->cpu[1] - p->cpu[0]);
	strbuf_addf(out, "); %u profiled runs each\n", b->o.profile_runs);
	if (p->nr_function)
		add_functions(p, out);
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

/* Is standard output for a program to read? */
static bool exports_there(const struct bench *b)
{
	const char *const paths[] = { b->o.json, b->o.csv, b->o.markdown, b->o.save, b->o.page };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (paths[i] && !strcmp(paths[i], "-"))
			return true;
	return false;
}

void bench_report(const struct bench *b)
{
	const struct bench_command *last = NULL;
	struct strbuf out = { 0 };
	size_t nr_compared = 0;

	for (size_t i = 0; i < b->nr_command; i++) {
		if (b->command[i].timed.nr)
			add_command(&b->command[i], i + 1, &out);
		if (b->command[i].reference) {
			last = &b->command[i];
			nr_compared++;
		}
	}
	if (nr_compared == 1)
		add_metrics(b, last, &out);
	for (size_t i = 0; i < b->nr_command; i++)
		if (b->command[i].reference)
			bench_summarize(b, &b->command[i], &out);
	if (b->profile.made && out.size)
		strbuf_addch(&out, '\n');
	bench_explain(b, &out);
	/* Several commands have a line of space behind each: not behind the last. */
	if (!nr_compared && out.size)
		out.size--;
	if (!exports_there(b)) {
		fwrite(out.at, 1, out.size, stdout);
		fflush(stdout);
	}
	strbuf_release(&out);
	print_warnings(b);
}
