/*
 * VTune's top-down reports as CSV: the self time of functions (vtune), and the
 * memory they allocated (vtune-mc).
 *
 *	Function Stack,CPU Time:Self,Module
 *	Total,0.0,[Unknown]
 *	 main,0.05,app
 *	  "std::max<int, long>",0.2,app
 *
 * Each level is indented by one blank.  The header has the titles of the
 * columns; messages of VTune (`war:…`) may precede it.
 */
#include "base/csv.h"
#include "profile/spelling.h"
#include "read/readers.h"
#include "read/text/names.h"
#include "read/text/outline.h"

/* What is counted, and its column if the header does not have it. */
struct report {
	const char *column, *event, *unit;
	bool seconds;	   /* values are seconds, counted as milliseconds */
	bool may_be_empty; /* an empty value is 0 */
	bool keep_zero;
	size_t weight, module, nr_column;
};

/* VTune 2013 and 2015 print other columns than later versions, and in another order. */
static const struct report cpu_time = {
	.column = "CPU Time:Self",
	.event = "cpu-time",
	.unit = "ms",
	.seconds = true,
	.weight = 3,
	.module = 1,
	.nr_column = 4,
};
static const struct report allocations = {
	.column = "Allocations:Self",
	.event = "allocations",
	.unit = "count",
	.may_be_empty = true,
	.weight = 3,
	.module = 4,
	.nr_column = 5,
};
static const struct report allocated = {
	.column = "Allocation Size:Self",
	.event = "allocated",
	.unit = "bytes",
	.may_be_empty = true,
	.keep_zero = true,
	.weight = 1,
	.module = 4,
	.nr_column = 5,
};

struct vtune {
	struct build *b;
	const struct report *report;
	size_t weight, module, nr_column; /* columns, by the header */
	struct csv csv;
	struct outline outline;
	struct strbuf name;
};

/* Fractions of a millisecond are kept down to the nanosecond. */
enum { MS_SCALE = -6 };

static bool parse_seconds(const struct vtune *v, struct span s, int64_t *weight)
{
	double w;

	if (!span_double(s, &w))
		return false;
	w *= 1000;
	if (!v->b->o->rows.whole_ms)
		w *= 1e6;
	/* INT64_MAX is rounded up to a double, so an equal value is too large. */
	if (w >= (double)INT64_MAX)
		return false;
	if (w > 0) {
		*weight = (int64_t)w;
		*weight += w - (double)*weight >= 0.5;
	}
	return true;
}

static bool parse_weight(struct vtune *v, struct span s, int64_t *weight)
{
	*weight = 0;
	if (!s.size && v->report->may_be_empty)
		return true;
	return v->report->seconds ? parse_seconds(v, s, weight) : build_weight(v->b, s, weight);
}

/* The number of commas in a name that should have been quoted. */
static size_t commas_in_name(struct vtune *v)
{
	const struct csv *c = &v->csv;
	size_t more = c->nr > v->nr_column ? c->nr - v->nr_column : 0;
	int64_t weight;

	if (c->field[0].quoted || !parse_weight(v, c->field[v->weight + more].text, &weight))
		return 0;
	return more;
}

/* The module, if the row has one: surplus commas belong to the last column. */
static struct span row_module(const struct vtune *v, size_t commas)
{
	const struct csv *c = &v->csv;
	size_t at = v->module + commas;

	if (v->module == SIZE_MAX || at >= c->nr)
		return SPAN("");
	if (v->module + 1 == v->nr_column && at + 1 < c->nr)
		return csv_written(c, at, c->nr - 1);
	return c->field[at].text;
}

static int read_row(struct vtune *v, struct span line, struct error *e)
{
	struct span rest = span_trim_start(line), name, number;
	const struct csv *c = &v->csv;
	size_t level, commas;
	int64_t weight;
	bool counts;

	csv_parse(&v->csv, rest);
	if (c->nr <= v->weight || c->unclosed)
		return build_note(v->b, NOTE_BAD_LINE, line, e);
	commas = commas_in_name(v);
	number = c->field[v->weight + commas].text;
	/* A row with an invalid count still has callees. */
	counts = parse_weight(v, number, &weight);
	if (!counts &&
	    build_note(v->b, NOTE_BAD_COUNT, v->b->o->rows.quote_line ? line : number, e))
		return -1;
	name = commas ? csv_written(c, 0, commas) : c->field[0].text;
	/* Some versions put the indentation inside the quotes. */
	level = line.size - rest.size + name.size;
	name = span_trim_start(name);
	level -= name.size;
	v->outline.line = line;
	v->outline.keep_zero = v->report->keep_zero && counts && number.size;
	name = name_plain(name, v->b->o->rows.leave_out, &v->name);
	return outline_add(&v->outline, level,
			   build_frame(v->b, FRAME_USER, row_module(v, commas), name), weight, e);
}

/* Finds the columns of a header; false if the line is not a header. */
static bool parse_header(struct vtune *v, struct span line)
{
	size_t weight, module;

	csv_parse(&v->csv, line);
	weight = csv_find(&v->csv, v->report->column);
	module = csv_find(&v->csv, "Module");
	if (module == v->csv.nr)
		module = csv_find(&v->csv, "Module Path");
	if (!span_is(v->csv.field[0].text, "Function Stack") || weight == v->csv.nr)
		return false;
	v->weight = weight;
	v->module = module < v->csv.nr ? module : SIZE_MAX;
	v->nr_column = v->csv.nr;
	return true;
}

static bool find_header(struct vtune *v)
{
	struct span line;

	while (text_line(v->b->text, &line)) {
		if (parse_header(v, line))
			return true;
		if (v->b->o->rows.any_header && !span_starts(line, "war:"))
			return true;
	}
	return false;
}

static int read_report(struct build *b, const struct report *report, struct error *e)
{
	struct vtune v = { .b = b,
			   .report = report,
			   .weight = report->weight,
			   .module = report->module,
			   .nr_column = report->nr_column,
			   .outline = { .b = b, .weight = OUTLINE_SELF } };
	struct span line;
	int ret = 0;

	b->event = profile_event(b->p, span_of(report->event), span_of(report->unit));
	/* Cannot overflow: nothing is counted yet. */
	if (report->seconds && !b->o->rows.whole_ms)
		(void)profile_rescale(b->p, b->event, MS_SCALE);
	if (!find_header(&v))
		ret = build_note(b, NOTE_NO_HEADER, SPAN(""), e);
	while (!ret && text_line(b->text, &line)) {
		line = span_trim_end(line);
		if (line.size)
			ret = read_row(&v, line, e);
	}
	if (!ret)
		ret = outline_end(&v.outline, e);
	outline_release(&v.outline);
	csv_release(&v.csv);
	strbuf_release(&v.name);
	return ret;
}

/* Some line is the header of a report with this column. */
static bool has_header(struct span head, const char *column)
{
	struct csv csv = { 0 };
	bool found = false;

	while (head.size && !found) {
		struct span line = span_line(&head);

		/* Most lines of other formats need no closer look. */
		if (!span_contains(span_upto(line, 32), "Function Stack"))
			continue;
		csv_parse(&csv, line);
		found = span_is(csv.field[0].text, "Function Stack") &&
			csv_find(&csv, column) < csv.nr;
	}
	csv_release(&csv);
	return found;
}

static int vtune_read(struct build *b, struct error *e)
{
	return read_report(b, &cpu_time, e);
}

static bool vtune_accepts(struct span head)
{
	return has_header(head, cpu_time.column);
}

const struct reader reader_vtune = {
	.name = "vtune",
	.title = "VTune hotspots as CSV",
	.accepts = vtune_accepts,
	.read = vtune_read,
	.split = SPLIT_LINE,
	.spelling = SPELL_MODULE,
};

static int vtune_mc_read(struct build *b, struct error *e)
{
	return read_report(b, b->o->rows.allocated_bytes ? &allocated : &allocations, e);
}

static bool vtune_mc_accepts(struct span head)
{
	return has_header(head, allocations.column) || has_header(head, allocated.column);
}

const struct reader reader_vtune_mc = {
	.name = "vtune-mc",
	.title = "VTune memory consumption as CSV",
	.accepts = vtune_mc_accepts,
	.read = vtune_mc_read,
	.split = SPLIT_LINE,
	.spelling = SPELL_MODULE,
};
