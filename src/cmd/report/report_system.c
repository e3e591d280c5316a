#include "cmd/report/report_system.h"

#include "base/alloc.h"
#include "base/json.h"
#include "cli/table.h"
#include "record/system/system.h"
#include "render/number.h"
#include "render/shorten.h"

#include <math.h>

struct range {
	double mean, least, most;
};

/* The range of the points of a series, which has at least one. */
static struct range range_of(const struct series *s)
{
	double unit = pow(10, s->scale), sum = 0;
	int64_t least = s->point[0].value, most = least;

	for (size_t i = 0; i < s->nr; i++) {
		int64_t value = s->point[i].value;

		sum += (double)value;
		least = value < least ? value : least;
		most = value > most ? value : most;
	}
	return (struct range){ .mean = sum / (double)s->nr * unit,
			       .least = (double)least * unit,
			       .most = (double)most * unit };
}

/* "34.2 %", "120 MB", "3.1" */
static void add_value(struct strbuf *out, double value, struct span unit)
{
	if (number_is_measured(unit))
		number_add_count(out, value, unit);
	else
		strbuf_addf(out, "%.1f%s", value,
			    span_is(unit, "%")		  ? " %"
			    : span_is(unit, "per second") ? "/s"
							  : "");
}

static void add_cell(struct table *t, double value, struct span unit)
{
	struct strbuf text = { 0 };

	add_value(&text, value, unit);
	table_add(t, strbuf_peek(&text), STYLE_PLAIN);
	strbuf_release(&text);
}

static void write_table(const struct report *r, struct strbuf *out)
{
	static const struct table_column columns[] = {
		{ .title = "mean", .kind = TABLE_NUMBER }, { .title = "min", .kind = TABLE_NUMBER },
		{ .title = "max", .kind = TABLE_NUMBER },  { .title = "scope", .kind = TABLE_NAME },
		{ .title = "system", .kind = TABLE_NAME },
	};
	const struct profile *p = r->p;
	struct table t = { .column = columns,
			   .nr_column = ARRAY_SIZE(columns),
			   .shorten = shorten };

	for (size_t i = 0; i < p->nr_series; i++) {
		const struct series *s = &p->series[i];
		struct span unit = profile_peek(p, s->unit), scope = profile_peek(p, s->scope);
		struct range x;

		if (!s->nr)
			continue;
		x = range_of(s);
		add_cell(&t, x.mean, unit);
		add_cell(&t, x.least, unit);
		add_cell(&t, x.most, unit);
		table_add(&t, scope.size ? scope : SPAN("target"), STYLE_PLAIN);
		table_add(&t, profile_peek(p, s->name), STYLE_PLAIN);
	}
	if (r->format == REPORT_MARKDOWN)
		table_write_markdown(&t, out);
	else
		table_write(&t, &r->term, out);
	table_release(&t);
}

static void write_json(const struct profile *p, struct strbuf *out)
{
	const char *between = "";

	strbuf_add(out, SPAN("  \"system\": ["));
	for (size_t i = 0; i < p->nr_series; i++) {
		const struct series *s = &p->series[i];
		struct range x;

		if (!s->nr)
			continue;
		x = range_of(s);
		strbuf_addf(out, "%s\n    {\"name\": ", between);
		json_add_string(out, profile_peek(p, s->name));
		strbuf_add(out, SPAN(", \"of\": "));
		json_add_string(out, profile_peek(p, s->scope));
		strbuf_add(out, SPAN(", \"unit\": "));
		json_add_string(out, profile_peek(p, s->unit));
		strbuf_addf(out, ", \"mean\": %.3f, \"min\": %.*f, \"max\": %.*f}", x.mean,
			    -s->scale, x.least, -s->scale, x.most);
		between = ",";
	}
	strbuf_add(out, SPAN("\n  ]\n"));
}

int report_system_write(const struct report *r, struct strbuf *out, struct error *e)
{
	bool any = false;

	for (size_t i = 0; i < r->p->nr_series; i++)
		any |= r->p->series[i].nr;
	if (!any) {
		error_set(e, ERROR_INPUT, "the profile has no system metrics");
		return error_hint(e,
				  "wick record stores them in .wick, .html, .svg and .data files");
	}
	if (r->format == REPORT_JSON)
		write_json(r->p, out);
	else
		write_table(r, out);
	return 0;
}

/* The values of the one-line summary, and the minimum from which each is shown: percent, bytes, … */
static const struct {
	enum system_value value;
	double worth;
} important[] = {
	{ SYSTEM_CPU, 0 },
	{ SYSTEM_RUNNABLE, 0 },
	{ SYSTEM_PRESSURE_CPU, 5 },
	{ SYSTEM_PRESSURE_IO, 5 },
	{ SYSTEM_IOWAIT, 5 },
	{ SYSTEM_STEAL, 1 },
	{ SYSTEM_PRESSURE_MEMORY, 1 },
	{ SYSTEM_NETWORK_ERRORS, 0.1 },
	{ SYSTEM_RETRANSMITS, 0.1 },
	{ SYSTEM_MEMORY_KILLS, 0.1 },
	{ SYSTEM_THROTTLED, 0.1 },
	{ SYSTEM_USED, 0 },
	{ SYSTEM_DELAYED, 5 },
	{ SYSTEM_RESIDENT, 0 },
	{ SYSTEM_FAULTS, 1 },
};

static const struct series *find_series(const struct profile *p, const struct system_value_row *row)
{
	for (size_t i = 0; i < p->nr_series; i++) {
		const struct series *s = &p->series[i];

		if (s->nr && span_is(profile_peek(p, s->name), row->name) &&
		    span_is(profile_peek(p, s->scope), row->scope))
			return s;
	}
	return NULL;
}

void report_system_add_line(const struct profile *p, struct strbuf *out)
{
	const char *between = "";

	for (size_t i = 0; i < ARRAY_SIZE(important); i++) {
		const struct system_value_row *row = system_value_row(important[i].value);
		const struct series *s = find_series(p, row);
		struct range x;

		if (!s)
			continue;
		x = range_of(s);
		if (x.most < important[i].worth)
			continue;
		strbuf_addf(out, "%s%s%s%s ", between, row->scope, *row->scope ? " " : "",
			    row->name);
		add_value(out, x.mean, span_of(row->unit));
		strbuf_add(out, SPAN(" (peak "));
		add_value(out, x.most, span_of(row->unit));
		strbuf_add(out, SPAN(")"));
		between = ", ";
	}
}
