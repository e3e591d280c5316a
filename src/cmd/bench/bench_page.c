/* The page: distributions, the order of runs, functions and the flame graph of the difference. */
#include "base/alloc.h"
#include "base/output.h"
#include "base/utf8.h"
#include "cmd/bench/bench_parts.h"
#include "fold/steady.h"
#include "render/number.h"
#include "render/peer/svg_text.h"

#include <math.h>
#include <stdlib.h>

/* Pixels of a chart. */
enum {
	WIDTH = 900,
	LEFT = 10,
	AXIS_LEFT = 64,
	STRIP = 76,
	DOTS = 28,
	ORDER_HEIGHT = 240,
	TICKS = 5,
	EDGE = 40,
	LABEL = 90, /* bytes of a name */
};

/* Pixels of the bar of an interval: a ratio of 1 is in the middle, 0.5 and 2 are at the ends. */
enum { BAR = 140, BAR_HEIGHT = 14 };

/* Colors of commands, as classes c0, c1, …; further commands reuse them. */
enum { NR_COLORS = 6 };

static const char head[] =
	"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width\">\n<title>wick bench</title>\n<style>\n"
	":root { color-scheme: light dark; --line: #8886; --soft: #667; --good: #1a7f37; --bad: #b3261e;\n"
	" --c0: #33669a; --c1: #d4443f; --c2: #228833; --c3: #aa3377; --c4: #1790b8; --c5: #a0760a; }\n"
	"@media (prefers-color-scheme: dark) { :root { --soft: #99a; --good: #4ac26b; --bad: #ff8079;\n"
	" --c0: #6fb1f0; --c1: #ff8a80; --c2: #6fce7f; --c3: #ee88c5; --c4: #66ccee; --c5: #e0b64a; } }\n"
	"body { font: 15px/1.5 system-ui, sans-serif; max-width: 62em; margin: 1.5em auto; padding: 0 1em; }\n"
	"h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin: 1.8em 0 .4em; }\n"
	".verdict { font-size: 1.15em; padding-left: .8em; border-left: 4px solid var(--soft); overflow-wrap: anywhere; }\n"
	".verdict small { display: block; font-size: .8em; color: var(--soft); }\n"
	".verdict.faster { border-color: var(--good); } .verdict.slower { border-color: var(--bad); }\n"
	"td.faster, td.less { color: var(--good); } td.slower, td.more { color: var(--bad); }\n"
	".wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }\n"
	"td, th { padding: .15em .8em; text-align: right; white-space: nowrap; }\n"
	"th { border-bottom: 1px solid var(--line); font-weight: 600; } p.soft { color: var(--soft); }\n"
	"td:first-child, th:first-child, td.name { text-align: left; }\n"
	"td.wraps { white-space: normal; overflow-wrap: anywhere; min-width: 14em; } summary { cursor: pointer; color: var(--soft); }\n"
	"code { font: 13px ui-monospace, monospace; } svg.chart { width: 100%; min-width: 40em; height: auto; }\n"
	"svg text { font: 12px system-ui, sans-serif; fill: currentColor; } svg .tick { fill: var(--soft); }\n"
	"svg line { stroke: var(--line); } svg .median { stroke-width: 2; } svg .half { opacity: .18; }\n"
	"svg circle { fill-opacity: .75; } svg .interval { stroke-width: 4; stroke-linecap: round; stroke: var(--soft); }\n"
	"svg .interval.faster, svg .interval.less { stroke: var(--good); }\n"
	"svg .interval.slower, svg .interval.more { stroke: var(--bad); }\n"
	".c0 { fill: var(--c0); stroke: var(--c0); } .c1 { fill: var(--c1); stroke: var(--c1); }\n"
	".c2 { fill: var(--c2); stroke: var(--c2); } .c3 { fill: var(--c3); stroke: var(--c3); }\n"
	".c4 { fill: var(--c4); stroke: var(--c4); } .c5 { fill: var(--c5); stroke: var(--c5); }\n"
	"svg circle, svg rect { stroke: none; }\n"
	".dot { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .5em; }\n"
	".dot.c0 { background: var(--c0); } .dot.c1 { background: var(--c1); } .dot.c2 { background: var(--c2); }\n"
	".dot.c3 { background: var(--c3); } .dot.c4 { background: var(--c4); } .dot.c5 { background: var(--c5); }\n"
	"iframe { width: 100%; height: 42em; border: 1px solid var(--line); }\n"
	"</style></head><body>\n<h1>wick bench</h1>\n";

static void put(struct output *out, const char *text)
{
	output_add(out, span_of(text));
}

static void put_text(struct output *out, const char *text)
{
	svg_text(out, span_of(text));
}

static void put_number(struct output *out, double value, const char *unit)
{
	struct strbuf text = { 0 };

	number_add_count(&text, value, span_of(unit));
	svg_text(out, strbuf_peek(&text));
	strbuf_release(&text);
}

/* Charts */

/* Times from `low` to `high` are drawn; longer ones are drawn at the end. */
struct scale {
	double low, high;
};

/* The scale of all runs, without outliers, which would squeeze all others into a line. */
static struct scale find_scale(const struct bench *b)
{
	struct scale s = { INFINITY, 0 };
	double longest = 0;

	for (size_t i = 0; i < b->nr_command; i++) {
		double *value = bench_values(&b->command[i], METRIC_TIME);
		double median = median_of(value, b->command[i].timed.nr);

		for (size_t k = 0; k < b->command[i].timed.nr; k++) {
			s.low = fmin(s.low, value[k]);
			longest = fmax(longest, value[k]);
		}
		s.high = fmax(s.high, 2 * median);
		free(value);
	}
	s.high = fmin(s.high, longest);
	if (!(s.high > s.low))
		s = (struct scale){ 0.9 * s.low, 1.1 * s.low + 1 };
	return s;
}

static double place(const struct scale *s, double value)
{
	return fmin(1, (value - s->low) / (s->high - s->low));
}

static double x_of(const struct scale *s, double value)
{
	return LEFT + place(s, value) * (WIDTH - 2 * LEFT);
}

static int color_of(size_t command)
{
	return (int)(command % NR_COLORS);
}

static void put_title(struct output *out, double value)
{
	put(out, "<title>");
	put_number(out, value, "ns");
	put(out, "</title></circle>\n");
}

/* The distance between ticks, for about TICKS of them: 1, 2 or 5 times a power of 10. */
static double step_of(const struct scale *s)
{
	static const double round[] = { 1, 2, 5, 10 };
	double least = (s->high - s->low) / TICKS, power = pow(10, floor(log10(least)));

	for (size_t i = 0; i < ARRAY_SIZE(round); i++)
		if (round[i] * power >= least)
			return round[i] * power;
	return 10 * power;
}

/* The i-th tick of a scale; false: there are no more. */
static bool find_tick(const struct scale *s, size_t i, double *value)
{
	*value = (ceil(s->low / step_of(s)) + (double)i) * step_of(s);
	return *value <= s->high;
}

/* Writes the times below a chart. */
static void put_ticks(struct output *out, const struct scale *s, double y)
{
	double value;

	for (size_t i = 0; find_tick(s, i, &value); i++) {
		double x = x_of(s, value);

		svg_printf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\"/>", x, x, y,
			   y + 4);
		svg_printf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%g\" text-anchor=\"%s\">", x,
			   y + 16,
			   x < EDGE	      ? "start"
			   : x > WIDTH - EDGE ? "end"
					      : "middle");
		put_number(out, value, "ns");
		put(out, "</text>\n");
	}
}

/* Writes a name, truncated to fit into a chart; the tooltip has all of it. */
static void put_label(struct output *out, const char *name)
{
	struct span all = span_of(name), part = span_upto(all, utf8_cut(all, LABEL));

	put(out, "<title>");
	svg_text(out, all);
	put(out, "</title>");
	svg_text(out, part);
	if (part.size < all.size)
		put(out, "…");
}

/*
 * Writes a command's strip of dots, with a band from the first to the third quartile, and the
 * median.
 */
static void put_strip(struct output *out, const struct bench_command *c, size_t number,
		      const struct scale *s)
{
	double *value = bench_values(c, METRIC_TIME), median = median_of(value, c->timed.nr);
	double top = (double)(STRIP * number), low = quantile_of(value, c->timed.nr, 0.25);
	double high = quantile_of(value, c->timed.nr, 0.75);
	struct seeded jitter = { .state = number };
	int color = color_of(number);

	svg_printf(out, "<circle class=\"c%d\" cx=\"%d\" cy=\"%g\" r=\"5\"/>", color, LEFT + 5,
		   top + 12);
	svg_printf(out, "<text x=\"%d\" y=\"%g\">", LEFT + 16, top + 16);
	put_label(out, c->title);
	put(out, " · median ");
	put_number(out, median, "ns");
	svg_printf(out, " · %zu run%s</text>\n", c->timed.nr, c->timed.nr == 1 ? "" : "s");
	svg_printf(out,
		   "<rect class=\"c%d half\" x=\"%.1f\" width=\"%.1f\" y=\"%g\" height=\"%d\"/>\n",
		   color, x_of(s, low), fmax(1, x_of(s, high) - x_of(s, low)), top + 26, DOTS + 12);
	for (size_t k = 0; k < c->timed.nr; k++) {
		svg_printf(out, "<circle class=\"c%d run\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\">", color,
			   x_of(s, value[k]), top + 32 + (double)seeded_below(&jitter, DOTS));
		put_title(out, value[k]);
	}
	svg_printf(out,
		   "<line class=\"c%d median\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\"/>\n",
		   color, x_of(s, median), x_of(s, median), top + 24, top + 40 + DOTS);
	free(value);
}

static void put_distributions(struct output *out, const struct bench *b, const struct scale *s)
{
	double height = (double)(STRIP * b->nr_command);

	put(out, "<h2 id=\"distributions\">Distributions</h2>\n");
	svg_printf(
		out,
		"<div class=\"wide\"><svg class=\"chart\" viewBox=\"0 0 %d %g\" role=\"img\" aria-label=\"times of all runs\">\n",
		WIDTH, height + 22);
	for (size_t i = 0; i < b->nr_command; i++)
		if (b->command[i].timed.nr)
			put_strip(out, &b->command[i], i, s);
	svg_printf(out, "<line x1=\"0\" x2=\"%d\" y1=\"%g\" y2=\"%g\"/>\n", WIDTH, height, height);
	put_ticks(out, s, height);
	put(out, "</svg></div>\n");
}

static double y_of(const struct scale *s, double value)
{
	return ORDER_HEIGHT - 8 - place(s, value) * (ORDER_HEIGHT - 16);
}

/* Writes all runs in their order, from left to right. */
static void put_order(struct output *out, const struct bench *b, const struct scale *s)
{
	size_t last = 1;
	double value;

	for (size_t i = 0; i < b->nr_command; i++)
		for (size_t k = 0; k < b->command[i].timed.nr; k++)
			last = b->command[i].timed.at[k].order > last
				       ? b->command[i].timed.at[k].order
				       : last;
	put(out, "<h2 id=\"order\">Order of runs</h2>\n");
	svg_printf(
		out,
		"<div class=\"wide\"><svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"times in the order of runs\">\n",
		WIDTH, ORDER_HEIGHT + 20);
	for (size_t i = 0; find_tick(s, i, &value); i++) {
		svg_printf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", AXIS_LEFT,
			   WIDTH, y_of(s, value), y_of(s, value));
		svg_printf(out, "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
			   AXIS_LEFT - 6, y_of(s, value) + 4);
		put_number(out, value, "ns");
		put(out, "</text>\n");
	}
	for (size_t i = 0; i < b->nr_command; i++)
		for (size_t k = 0; k < b->command[i].timed.nr; k++) {
			const struct bench_run *run = &b->command[i].timed.at[k];

			svg_printf(out,
				   "<circle class=\"c%d run\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\">",
				   color_of(i),
				   AXIS_LEFT + LEFT +
					   (double)run->order / (double)last *
						   (WIDTH - AXIS_LEFT - 2 * LEFT),
				   y_of(s, run->value[METRIC_TIME]));
			put_title(out, run->value[METRIC_TIME]);
		}
	svg_printf(out, "<text class=\"tick\" x=\"%d\" y=\"%d\">first run</text>", AXIS_LEFT + LEFT,
		   ORDER_HEIGHT + 15);
	svg_printf(
		out,
		"<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"end\">last run</text>\n</svg></div>\n",
		WIDTH - LEFT, ORDER_HEIGHT + 15);
}

/* Tables */

static void put_cell(struct output *out, double value, const char *unit)
{
	put(out, "<td>");
	put_number(out, value, unit);
	put(out, "</td>");
}

/* The position of a ratio in the bar of an interval: pixels. */
static double bar_of(double ratio)
{
	double x = ratio > 0 ? log2(ratio) : -INFINITY;

	return BAR / 2.0 * (1 + fmin(1, fmax(-1, x)));
}

static void put_bar(struct output *out, const struct ratio *r, const char *word)
{
	svg_printf(out, "<td><svg width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"interval\">",
		   BAR + 8, BAR_HEIGHT);
	svg_printf(out, "<line x1=\"%g\" x2=\"%g\" y1=\"0\" y2=\"%d\"/>", 4 + BAR / 2.0,
		   4 + BAR / 2.0, BAR_HEIGHT);
	svg_printf(
		out,
		"<line class=\"interval %s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\"/></svg></td>",
		word, 4 + bar_of(r->low), 4 + bar_of(r->high), BAR_HEIGHT / 2.0, BAR_HEIGHT / 2.0);
}

static void put_metrics(struct output *out, const struct bench *b, const struct bench_command *c)
{
	const struct bench_command *const sides[] = { c->reference, c };

	put(out,
	    "<div class=\"wide\"><table class=\"metrics\"><tr><th>median</th><th>before</th><th>after</th><th>change</th>"
	    "<th>interval</th><th>half … twice</th><th></th></tr>\n");
	for (size_t k = 0; k < b->nr_metric; k++) {
		const struct ratio *r = &c->ratio[k];
		const char *word = bench_word(r, k);
		struct strbuf text = { 0 };

		if (!(c->reference->metrics & c->metrics & 1u << k) || bench_are_zero(c, k))
			continue;
		put(out, "<tr><td>");
		put_text(out, b->metric[k].title);
		put(out, "</td>");
		for (size_t i = 0; i < ARRAY_SIZE(sides); i++) {
			strbuf_reset(&text);
			bench_median_add(b, sides[i], k, &text);
			put(out, "<td>");
			svg_text(out, strbuf_peek(&text));
			put(out, "</td>");
		}
		strbuf_reset(&text);
		bench_change_add(c, k, &text);
		strbuf_add(&text, SPAN("</td><td>"));
		bench_interval_add(c, k, &text);
		put(out, "<td>");
		output_add(out, strbuf_peek(&text));
		put(out, "</td>");
		put_bar(out, r, word);
		svg_printf(out, "<td class=\"name %s\">%s</td></tr>\n", word, word);
		strbuf_release(&text);
	}
	put(out, "</table></div>\n");
}

/* Writes the table of all commands, as in the terminal. */
static void put_commands(struct output *out, const struct bench *b)
{
	put(out,
	    "<div class=\"wide\"><table class=\"commands\"><tr><th>command</th><th>mean</th><th>± σ</th><th>min</th><th>max</th>"
	    "<th>user</th><th>system</th><th>runs</th></tr>\n");
	for (size_t i = 0; i < b->nr_command; i++) {
		const struct bench_command *c = &b->command[i];
		const struct bench_stats s = bench_stats(c);
		const double times[] = { s.mean, s.deviation, s.min, s.max, s.user, s.system };

		if (!c->timed.nr)
			continue;
		svg_printf(out, "<tr><td class=\"wraps\"><span class=\"dot c%d\"></span><code>",
			   color_of(i));
		put_text(out, c->title);
		put(out, "</code></td>");
		for (size_t k = 0; k < ARRAY_SIZE(times); k++)
			put_cell(out, times[k], "ns");
		svg_printf(out, "<td>%zu</td></tr>\n", c->timed.nr);
	}
	put(out, "</table></div>\n");
}

static void put_functions(struct output *out, const struct bench *b)
{
	const struct bench_profile *p = &b->profile;

	put(out, "<h2 id=\"functions\">Functions</h2>\n");
	/* Names the comparison if there are several. */
	if (b->nr_command > 2 && p->command && p->command->reference) {
		put(out, "<p>'");
		put_text(out, p->command->title);
		put(out, "' against '");
		put_text(out, p->command->reference->title);
		put(out, "'</p>\n");
	}
	if (p->why_not || !p->nr_function) {
		put(out, "<p>");
		put_text(out, p->why_not ? p->why_not : "No function changed significantly.");
		put(out, "</p>\n");
		return;
	}
	put(out,
	    "<div class=\"wide\"><table class=\"functions\"><tr><th>function</th><th>before</th><th>after</th><th>change</th><th>explains</th></tr>\n");
	for (size_t i = 0; i < p->nr_function; i++) {
		const struct bench_function *f = &p->function[i];

		put(out, "<tr><td class=\"name\"><code>");
		put_text(out, f->name);
		put(out, "</code></td>");
		put_cell(out, f->before, "ns");
		put_cell(out, f->after, "ns");
		put(out, f->after < f->before ? "<td>-" : "<td>+");
		put_number(out, fabs(f->after - f->before), "ns");
		put(out, "</td>");
		if (isfinite(f->share))
			svg_printf(out, "<td>%.0f ± %.0f %%</td></tr>\n", 100 * f->share,
				   100 * f->error);
		else
			put(out, "<td></td></tr>\n");
	}
	put(out,
	    p->user_only
		    ? "</table></div>\n<p class=\"soft\">User CPU time per run in the function itself, without its callees.</p>\n"
		    : "</table></div>\n<p class=\"soft\">CPU time per run in the function itself, without its callees.</p>\n");
}

/* Embeds the page of the comparison as an attribute, in which only & and quotes are special. */
static void put_flame_graph(struct output *out, const struct bench_profile *p)
{
	struct span rest = { p->page, p->page_size };

	put(out,
	    "<h2 id=\"flame\">Flame graph of the difference</h2>\n"
	    "<p class=\"soft\">Gray frames changed by no more than random samples may. The table of functions also uses what the timed runs prove, and finds smaller changes.</p>\n"
	    "<iframe title=\"flame graph\" srcdoc=\"");
	while (rest.size) {
		size_t n = 0;

		while (n < rest.size && rest.at[n] != '&' && rest.at[n] != '"')
			n++;
		output_add(out, span_upto(rest, n));
		if (n < rest.size)
			put(out, rest.at[n] == '&' ? "&amp;" : "&quot;");
		rest = span_from(rest, n + 1);
	}
	put(out, "\"></iframe>\n");
}

/* Writes all metrics of a comparison; if there are several, in a collapsed section. */
static void put_comparison(struct output *out, const struct bench *b, const struct bench_command *c,
			   bool is_one)
{
	if (!is_one)
		put(out, "<details><summary>all metrics</summary>\n");
	put_metrics(out, b, c);
	if (!is_one)
		put(out, "</details>\n");
}

static void put_verdicts(struct output *out, const struct bench *b)
{
	size_t nr = 0;

	for (size_t i = 0; i < b->nr_command; i++)
		nr += b->command[i].reference != NULL;
	for (size_t i = 0; i < b->nr_command; i++) {
		struct strbuf text = { 0 };
		struct span first;

		if (!b->command[i].reference)
			continue;
		bench_summarize(b, &b->command[i], &text);
		svg_printf(out, "<p class=\"verdict %s\">",
			   bench_word(&b->command[i].ratio[METRIC_TIME], METRIC_TIME));
		/* The verdict, and a line of numbers. */
		first = span_upto(strbuf_peek(&text), span_find(strbuf_peek(&text), '\n'));
		svg_text(out, first);
		put(out, "\n<small>");
		svg_text(out, span_trim(span_from(strbuf_peek(&text), first.size)));
		put(out, "</small></p>\n");
		put_comparison(out, b, &b->command[i], nr == 1);
		strbuf_release(&text);
	}
	for (size_t i = 0; i < b->nr_warning; i++) {
		put(out, i ? "<li>" : "<h2>Warnings</h2>\n<ul><li>");
		put_text(out, b->warning[i].text);
		if (*b->warning[i].hint) {
			put(out, " (");
			put_text(out, b->warning[i].hint);
			put(out, ")");
		}
		put(out, i + 1 < b->nr_warning ? "</li>\n" : "</li></ul>\n");
	}
}

static void put_machine(struct output *out)
{
	struct strbuf text = { 0 };

	bench_machine_describe(&text);
	put(out, "<p class=\"soft\">");
	svg_text(out, strbuf_peek(&text));
	put(out, "</p>\n");
	strbuf_release(&text);
}

int bench_page_write(const struct bench *b, struct error *e)
{
	struct scale s = find_scale(b);
	struct output out;

	if (bench_output_open(b, &out, b->o.page, e))
		return -1;
	put(&out, head);
	put_machine(&out);
	put_commands(&out, b);
	put_verdicts(&out, b);
	put_distributions(&out, b, &s);
	put_order(&out, b, &s);
	if (b->profile.made)
		put_functions(&out, b);
	if (b->profile.page_size)
		put_flame_graph(&out, &b->profile);
	put(&out, "</body></html>\n");
	return output_close(&out, e);
}
