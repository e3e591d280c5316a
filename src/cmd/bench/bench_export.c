/* Results for other programs: hyperfine's keys and columns, plus verdicts. */
#include "base/alloc.h"
#include "base/json.h"
#include "base/output.h"
#include "cmd/bench/bench_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

/*
 * "verdict": "faster", "ratio": 0.9, "interval": [0.89, 0.91], "detectable": 0.012; the verdict is missing
 * if there are too few runs.
 */
static void json_ratio(struct strbuf *out, const struct ratio *r)
{
	if (bench_is_known(r))
		strbuf_addf(out, "\"verdict\": \"%s\", ", bench_verdict(r));
	strbuf_add(out, SPAN("\"ratio\": "));
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
	struct bench_stats s = bench_stats(c);
	const struct {
		const char *key;
		double value;
	} numbers[] = { { "mean", s.mean },	{ "stddev", c->timed.nr > 1 ? s.deviation : NAN },
			{ "median", s.median }, { "user", s.user },
			{ "system", s.system }, { "min", s.min },
			{ "max", s.max } };

	strbuf_add(out, SPAN("    {\n      \"command\": "));
	json_add_string(out, span_of(c->name));
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		strbuf_addf(out, ",\n      \"%s\": ", numbers[i].key);
		json_number(out, numbers[i].value / 1e9);
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

static int by_parameter(const void *a, const void *b)
{
	const struct bench_parameter *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* The parameters sorted by name; the caller frees them. */
static struct bench_parameter *parameters_of(const struct bench_command *c)
{
	struct bench_parameter *p = xcalloc(c->nr_parameter + 1, sizeof(*p));

	for (size_t i = 0; i < c->nr_parameter; i++)
		p[i] = c->parameter[i];
	qsort(p, c->nr_parameter, sizeof(*p), by_parameter);
	return p;
}

static void add_csv(const struct bench *b, struct strbuf *out)
{
	/* Not the first command, which may be that of --reference. */
	const struct bench_command *last = &b->command[b->nr_command - 1];
	struct bench_parameter *p = parameters_of(last);
	struct strbuf title = { 0 };

	strbuf_add(out, SPAN("command,mean,stddev,median,user,system,min,max"));
	for (size_t i = 0; i < last->nr_parameter; i++) {
		strbuf_reset(&title);
		strbuf_addf(&title, "parameter_%s", p[i].name);
		strbuf_addch(out, ',');
		csv_text(out, title.at);
	}
	strbuf_release(&title);
	strbuf_addch(out, '\n');
	free(p);
	for (size_t i = 0; i < b->nr_command; i++) {
		const struct bench_command *c = &b->command[i];
		const struct bench_stats s = bench_stats(c);
		const double numbers[] = { s.mean,   s.deviation, s.median, s.user,
					   s.system, s.min,	  s.max };

		csv_text(out, c->name);
		for (size_t k = 0; k < ARRAY_SIZE(numbers); k++)
			strbuf_addf(out, ",%.12g", numbers[k] / 1e9);
		p = parameters_of(c);
		for (size_t k = 0; k < last->nr_parameter; k++) {
			strbuf_addch(out, ',');
			csv_text(out, k < c->nr_parameter ? p[k].value : "");
		}
		strbuf_addch(out, '\n');
		free(p);
	}
}

/* Files */

/* Is the path a writable file, or a new file in a writable folder? */
static int check_path(const char *path, struct error *e)
{
	const char *slash = strrchr(path, '/');
	struct strbuf folder = { 0 };
	struct stat st;

	if (!strcmp(path, "-"))
		return 0;
	if (!stat(path, &st)) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : 0;
		return errno || access(path, W_OK) ? error_sys(e, "%s", path) : 0;
	}
	strbuf_addf(&folder, "%.*s/", slash ? (int)(slash - path) : 1, slash ? path : ".");
	if (errno == ENOENT)
		errno = access(folder.at, W_OK | X_OK) ? errno : 0;
	strbuf_release(&folder);
	return errno ? error_sys(e, "%s", path) : 0;
}

int bench_export_check(const struct bench *b, struct error *e)
{
	const char *const paths[] = { b->o.json,     b->o.save,	   b->o.csv, b->o.markdown,
				      b->o.asciidoc, b->o.orgmode, b->o.page };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (paths[i] && check_path(paths[i], e))
			return -1;
	return 0;
}

int bench_export(const struct bench *b, struct error *e)
{
	const struct {
		const char *path;
		void (*add)(const struct bench *b, struct strbuf *out);
	} files[] = { { b->o.json, add_json },
		      { b->o.save, add_json },
		      { b->o.csv, add_csv },
		      { b->o.markdown, bench_markdown_add },
		      { b->o.asciidoc, bench_asciidoc_add },
		      { b->o.orgmode, bench_orgmode_add } };
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct strbuf text = { 0 };
		struct output out;

		if (!files[i].path)
			continue;
		files[i].add(b, &text);
		if (bench_output_open(b, &out, files[i].path, e)) {
			ret = -1;
		} else {
			output_add(&out, strbuf_peek(&text));
			ret |= output_close(&out, e);
		}
		strbuf_release(&text);
	}
	return ret;
}
