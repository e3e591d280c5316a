/* Results for other programs: hyperfine's keys and columns, and verdicts beside them. */
#include "base/json.h"
#include "base/output.h"
#include "cmd/bench/bench_parts.h"
#include "fold/steady.h"

#include <math.h>
#include <stdlib.h>

/* Statistics of a command, in seconds. */
struct summary {
	double mean, deviation, median, user, system, min, max;
};

static double mean_of(const struct bench_command *c, size_t metric)
{
	double sum = 0;

	for (size_t i = 0; i < c->timed.nr; i++)
		sum += c->timed.at[i].value[metric];
	return c->timed.nr ? sum / (double)c->timed.nr : 0;
}

static struct summary summarize(const struct bench_command *c)
{
	double *value = bench_values(c, METRIC_TIME), squares = 0;
	struct summary s = { .mean = mean_of(c, METRIC_TIME) / 1e9,
			     .user = mean_of(c, METRIC_USER) / 1e9,
			     .system = mean_of(c, METRIC_SYSTEM) / 1e9,
			     .median = median_of(value, c->timed.nr) / 1e9,
			     .min = c->timed.nr ? value[0] / 1e9 : 0 };

	for (size_t i = 0; i < c->timed.nr; i++) {
		double seconds = value[i] / 1e9;

		squares += (seconds - s.mean) * (seconds - s.mean);
		s.min = fmin(s.min, seconds);
		s.max = fmax(s.max, seconds);
	}
	s.deviation = c->timed.nr > 1 ? sqrt(squares / (double)(c->timed.nr - 1)) : 0;
	free(value);
	return s;
}

/* JSON */

static void json_number(struct strbuf *out, double number)
{
	if (isfinite(number))
		strbuf_addf(out, "%.12g", number);
	else
		strbuf_add(out, SPAN("null"));
}

static void json_values(struct strbuf *out, const struct bench_command *c, size_t metric,
			double factor)
{
	const struct bench_runs *runs = bench_runs(c, metric);

	strbuf_addch(out, '[');
	for (size_t i = 0; i < runs->nr; i++) {
		strbuf_add(out, i ? SPAN(", ") : SPAN(""));
		json_number(out, runs->at[i].value[metric] * factor);
	}
	strbuf_addch(out, ']');
}

/* "verdict": "faster", "ratio": 0.9, "interval": [0.89, 0.91], "detectable": 0.012 */
static void json_ratio(struct strbuf *out, const struct ratio *r)
{
	strbuf_addf(out, "\"verdict\": \"%s\", \"ratio\": ", bench_verdict(r));
	json_number(out, r->value);
	strbuf_add(out, SPAN(", \"interval\": ["));
	json_number(out, isfinite(r->high) ? r->low : NAN);
	strbuf_add(out, SPAN(", "));
	json_number(out, r->high);
	strbuf_add(out, SPAN("], \"detectable\": "));
	json_number(out, r->detectable);
}

static void json_metrics(const struct bench *b, const struct bench_command *c, struct strbuf *out)
{
	strbuf_add(out, SPAN("      \"metrics\": {"));
	for (size_t k = 0; k < b->nr_metric; k++) {
		bool seconds = !strcmp(b->metric[k].unit, "ns");

		if (!(c->metrics & 1u << k))
			continue;
		strbuf_addf(out, "%s\n        ", k ? "," : "");
		json_add_string(out, span_of(b->metric[k].key));
		strbuf_add(out, SPAN(": {\"values\": "));
		json_values(out, c, k, seconds ? 1e-9 : 1);
		if (c->reference && c->reference->metrics & 1u << k) {
			strbuf_add(out, SPAN(", "));
			json_ratio(out, &c->ratio[k]);
		}
		strbuf_addch(out, '}');
	}
	strbuf_add(out, SPAN("\n      }"));
}

static void json_result(const struct bench *b, const struct bench_command *c, struct strbuf *out)
{
	struct summary s = summarize(c);
	const struct {
		const char *key;
		double value;
	} numbers[] = { { "mean", s.mean },	{ "stddev", c->timed.nr > 1 ? s.deviation : NAN },
			{ "median", s.median }, { "user", s.user },
			{ "system", s.system }, { "min", s.min },
			{ "max", s.max } };

	strbuf_add(out, SPAN("    {\n      \"command\": "));
	json_add_string(out, span_of(c->name));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		strbuf_addf(out, ",\n      \"%s\": ", numbers[i].key);
		json_number(out, numbers[i].value);
	}
	strbuf_add(out, SPAN(",\n      \"times\": "));
	json_values(out, c, METRIC_TIME, 1e-9);
	strbuf_add(out, SPAN(",\n      \"memory_usage_byte\": "));
	json_values(out, c, METRIC_MEMORY, 1);
	strbuf_add(out, SPAN(",\n      \"exit_codes\": ["));
	for (size_t i = 0; i < c->timed.nr; i++)
		strbuf_addf(out, "%s%d", i ? ", " : "", c->timed.at[i].status);
	strbuf_add(out, SPAN("],\n      \"order\": ["));
	for (size_t i = 0; i < c->timed.nr; i++)
		strbuf_addf(out, "%s%zu", i ? ", " : "", c->timed.at[i].order);
	strbuf_add(out, SPAN("],\n"));
	for (size_t i = 0; i < c->nr_parameter; i++) {
		strbuf_add(out, i ? SPAN(", ") : SPAN("      \"parameters\": {"));
		json_add_string(out, span_of(c->parameter[i].name));
		strbuf_add(out, SPAN(": "));
		json_add_string(out, span_of(c->parameter[i].value));
	}
	strbuf_add(out, c->nr_parameter ? SPAN("},\n") : SPAN(""));
	if (c->reference) {
		strbuf_add(out, SPAN("      \"reference\": "));
		json_add_string(out, span_of(c->reference->name));
		strbuf_add(out, SPAN(",\n      "));
		json_ratio(out, &c->ratio[METRIC_TIME]);
		strbuf_add(out, SPAN(",\n"));
	}
	json_metrics(b, c, out);
	strbuf_add(out, SPAN("\n    }"));
}

static void json_functions(const struct bench *b, struct strbuf *out)
{
	strbuf_add(out, SPAN("  \"functions\": ["));
	for (size_t i = 0; i < b->profile.nr_function; i++) {
		const struct bench_function *f = &b->profile.function[i];

		strbuf_addf(out, "%s\n    {\"function\": ", i ? "," : "");
		json_add_string(out, span_of(f->name));
		strbuf_add(out, SPAN(", \"before\": "));
		json_number(out, f->before / 1e9);
		strbuf_add(out, SPAN(", \"after\": "));
		json_number(out, f->after / 1e9);
		strbuf_add(out, SPAN(", \"explains\": "));
		json_number(out, f->share);
		strbuf_add(out, SPAN(", \"explains_interval\": ["));
		json_number(out, f->share - f->error);
		strbuf_add(out, SPAN(", "));
		json_number(out, f->share + f->error);
		strbuf_add(out, SPAN("]}"));
	}
	strbuf_add(out, b->profile.nr_function ? SPAN("\n  ],\n") : SPAN("],\n"));
}

static void add_json(const struct bench *b, struct strbuf *out)
{
	strbuf_add(out, SPAN("{\n  \"results\": [\n"));
	for (size_t i = 0; i < b->nr_command; i++) {
		strbuf_add(out, i ? SPAN(",\n") : SPAN(""));
		json_result(b, &b->command[i], out);
	}
	strbuf_add(out, SPAN("\n  ],\n"));
	if (b->profile.made)
		json_functions(b, out);
	strbuf_add(out, SPAN("  \"warnings\": ["));
	for (size_t i = 0; i < b->nr_warning; i++) {
		strbuf_add(out, i ? SPAN(",\n    ") : SPAN("\n    "));
		json_add_string(out, span_of(b->warning[i].text));
	}
	strbuf_addf(out,
		    "%s],\n  \"interrupted\": %s,\n  \"memory_floor\": %.0f,\n  \"machine\": {",
		    b->nr_warning ? "\n  " : "", b->interrupted ? "true" : "false",
		    b->memory_floor);
	bench_machine_add(out);
	strbuf_add(out, SPAN("}\n}\n"));
}

/* CSV */

static void csv_text(struct strbuf *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		strbuf_addf(out, "%s", text);
		return;
	}
	strbuf_addch(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			strbuf_addch(out, '"');
		strbuf_addch(out, *text);
	}
	strbuf_addch(out, '"');
}

static void add_csv(const struct bench *b, struct strbuf *out)
{
	strbuf_add(out, SPAN("command,mean,stddev,median,user,system,min,max"));
	for (size_t i = 0; i < b->command[b->nr_command - 1].nr_parameter; i++) {
		strbuf_add(out, SPAN(",parameter_"));
		strbuf_addf(out, "%s", b->command[b->nr_command - 1].parameter[i].name);
	}
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < b->nr_command; i++) {
		const struct bench_command *c = &b->command[i];
		struct summary s = summarize(c);

		csv_text(out, c->name);
		strbuf_addf(out, ",%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g", s.mean, s.deviation,
			    s.median, s.user, s.system, s.min, s.max);
		for (size_t k = 0; k < c->nr_parameter; k++) {
			strbuf_addch(out, ',');
			csv_text(out, c->parameter[k].value);
		}
		strbuf_addch(out, '\n');
	}
}

/* Markdown */

static void markdown_code(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '`');
	for (; *text; text++) {
		if (*text == '|')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *text == '\n' ? ' ' : *text);
	}
	strbuf_addch(out, '`');
}

/* Relative to the fastest, or to --reference, as hyperfine has it. */
static void add_markdown(const struct bench *b, struct strbuf *out)
{
	struct summary base = summarize(&b->command[0]);
	bool seconds = base.mean >= 1;
	double factor = seconds ? 1 : 1e3;
	int digits = seconds ? 3 : 1;

	for (size_t i = 1; i < b->nr_command && !b->o.reference; i++) {
		struct summary s = summarize(&b->command[i]);

		base = s.mean < base.mean ? s : base;
	}
	strbuf_addf(
		out,
		"| Command | Mean [%s] | Min [%s] | Max [%s] | Relative |\n|:---|---:|---:|---:|---:|\n",
		seconds ? "s" : "ms", seconds ? "s" : "ms", seconds ? "s" : "ms");
	for (size_t i = 0; i < b->nr_command; i++) {
		struct summary s = summarize(&b->command[i]);
		double ratio = s.mean / base.mean;

		strbuf_add(out, SPAN("| "));
		markdown_code(out, b->command[i].name);
		strbuf_addf(out, " | %.*f ± %.*f | %.*f | %.*f |", digits, s.mean * factor, digits,
			    s.deviation * factor, digits, s.min * factor, digits, s.max * factor);
		if (s.mean == base.mean)
			strbuf_add(out, SPAN(" 1.00 |\n"));
		else if (!(base.mean > 0))
			strbuf_add(out, SPAN(" – |\n"));
		else
			strbuf_addf(out, " %.2f ± %.2f |\n", ratio,
				    ratio * hypot(s.deviation / s.mean,
						  base.deviation / base.mean));
	}
}

/* Files */

int bench_export(const struct bench *b, struct error *e)
{
	const struct {
		const char *path;
		void (*add)(const struct bench *b, struct strbuf *out);
	} files[] = { { b->o.json, add_json },
		      { b->o.save, add_json },
		      { b->o.csv, add_csv },
		      { b->o.markdown, add_markdown } };
	int ret = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct strbuf text = { 0 };
		struct output out;

		if (!files[i].path)
			continue;
		files[i].add(b, &text);
		if (output_open_whole(&out, files[i].path, e)) {
			ret = -1;
		} else {
			output_add(&out, strbuf_peek(&text));
			ret |= output_close(&out, e);
		}
		strbuf_release(&text);
	}
	return ret;
}
