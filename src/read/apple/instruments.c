/*
 * Call trees copied from Instruments (Edit > Deep Copy):
 *
 *     Running Time	Self		Symbol Name
 *     100.0 ms  100.0%	0.0 ms	 	main
 *     80.0 ms   80.0%	20.0 ms	 	 child
 *
 * Versions differ: a unit may directly follow its number or only be in the title,
 * a dash is 0, the empty column may be missing, and allocations have no column
 * with self values.
 */
#include "base/alloc.h"
#include "read/readers.h"
#include "read/text/outline.h"

enum measure { TIME, CYCLES, BYTES };

static const struct {
	const char *event, *unit;
} measures[] = {
	[TIME] = { "time", "ms" },
	[CYCLES] = { "cycles", "cycles" },
	[BYTES] = { "bytes", "bytes" },
};

/* A unit in terms of the event's unit: times × 10^-digits. */
static const struct unit {
	const char *name;
	int64_t times;
	int digits;
	enum measure measure;
} units[] = {
	{ "ms", 1, 0, TIME },	     { "s", 1000, 0, TIME },	   { "min", 60000, 0, TIME },
	{ "h", 3600000, 0, TIME },   { "\xc2\xb5s", 1, 3, TIME },  { "us", 1, 3, TIME },
	{ "ns", 1, 6, TIME },	     { "cycles", 1, 0, CYCLES },   { "c", 1, 0, CYCLES },
	{ "Kc", 1000, 0, CYCLES },   { "Mc", 1000000, 0, CYCLES }, { "Gc", 1000000000, 0, CYCLES },
	{ "Bytes", 1, 0, BYTES },    { "KB", 1 << 10, 0, BYTES },  { "MB", 1 << 20, 0, BYTES },
	{ "GB", 1 << 30, 0, BYTES },
};

struct amount {
	struct span number;
	const struct unit *unit;
};

struct row {
	struct amount total, self;
	struct span name;
	size_t indent;
};

struct tree {
	struct build *b;
	struct outline outline;
	enum measure measure;
	bool begun;
	size_t indent; /* of the first row */
};

/* "4.93 s", "4273.0ms"; removes it from the text. */
static bool take_amount(struct span *text, struct amount *a)
{
	struct span s = span_trim_start(*text), unit;
	size_t n = 0;

	while (n < s.size && (is_digit(s.at[n]) || s.at[n] == '.'))
		n++;
	a->number = span_upto(s, n);
	*text = span_from(s, n);
	unit = span_word(text);
	a->unit = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (span_is(unit, units[i].name))
			a->unit = &units[i];
	return n > 0;
}

static struct span take_field(struct span *line)
{
	size_t n = span_find(*line, '\t');
	struct span field = span_upto(*line, n);

	*line = span_from(*line, n + 1);
	return field;
}

static bool parse_row(struct span line, struct row *row)
{
	struct span total = take_field(&line), self;
	size_t percent;

	if (!take_amount(&total, &row->total) || !row->total.unit)
		return false;
	percent = span_find(total, '%');
	if (percent == total.size)
		return false;
	/* There may be blanks instead of the tab. */
	self = span_trim(span_from(total, percent + 1));
	if (!self.size)
		self = take_field(&line);
	if (span_starts(line, " \t"))
		take_field(&line);
	row->name = span_trim_start(line);
	row->indent = line.size - row->name.size;
	if (span_is(span_trim(self), "-"))
		self = SPAN("0");
	if (!take_amount(&self, &row->self) || span_trim(self).size)
		return false;
	if (!row->self.unit)
		row->self.unit = row->total.unit;
	return row->name.size;
}

static bool weigh(struct build *b, const struct amount *a, int64_t *weight)
{
	struct decimal d;

	if (!decimal_parse(a->number, &d) || !decimal_times(&d, a->unit->times))
		return false;
	d.digits += a->unit->digits;
	return build_decimal(b, d, weight);
}

static int read_row(struct tree *t, struct span line, struct error *e)
{
	struct build *b = t->b;
	const struct amount *a;
	struct row row;
	int64_t weight;

	if (!parse_row(line, &row) || (t->begun && row.total.unit->measure != t->measure))
		return build_note(b, NOTE_BAD_LINE, line, e);
	if (!t->begun) {
		t->begun = true;
		t->measure = row.total.unit->measure;
		t->indent = row.indent;
		b->event = profile_event(b->p, span_of(measures[t->measure].event),
					 span_of(measures[t->measure].unit));
		/* Sums over an unknown number of samples. */
		build_measure(b, SOURCE_MEASURED, EXTENT_SHARE);
	}
	a = t->outline.weight == OUTLINE_SELF ? &row.self : &row.total;
	if (!weigh(b, a, &weight))
		return build_note(b, NOTE_BAD_COUNT, line, e);
	t->outline.line = line;
	return outline_add(&t->outline, row.indent > t->indent ? row.indent - t->indent : 0,
			   build_name(b, row.name), weight, e);
}

/* "Bytes Used	Count		Symbol Name" */
static bool has_self(struct span header)
{
	take_field(&header);
	return !span_is(span_trim(take_field(&header)), "Count");
}

static int instruments_read(struct build *b, struct error *e)
{
	struct tree t = { .b = b };
	struct span line;
	struct row row;
	int ret = 0;

	t.outline =
		(struct outline){ .b = b, .weight = OUTLINE_SELF, .keep_zero = b->o->keep_zero };
	/* The first line usually has the titles. */
	if (text_line(b->text, &line)) {
		if (parse_row(line, &row))
			ret = read_row(&t, line, e);
		else if (!has_self(line))
			t.outline.weight = OUTLINE_TOTAL;
	}
	while (!ret && text_line(b->text, &line))
		if (span_trim(line).size)
			ret = read_row(&t, line, e);
	if (!ret)
		ret = outline_end(&t.outline, e);
	outline_release(&t.outline);
	return ret;
}

/* A row on the first or second line. */
static bool instruments_accepts(struct span head)
{
	struct span first = span_line(&head), second = span_line(&head);
	struct row row;

	return parse_row(first, &row) || parse_row(second, &row);
}

const struct reader reader_instruments = {
	.name = "instruments",
	.title = "Instruments call trees",
	.accepts = instruments_accepts,
	.read = instruments_read,
};
