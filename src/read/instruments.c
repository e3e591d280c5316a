/*
 * Call trees that were copied out of Instruments (Edit > Deep Copy):
 *
 *     Running Time	Self		Symbol Name
 *     100.0 ms  100.0%	0.0 ms	 	main
 *     80.0 ms   80.0%	20.0 ms	 	 child
 */
#include "base/alloc.h"
#include "read/outline.h"
#include "read/readers.h"

static const char before_name[] = "\t \t";

static const struct {
	const char *name;
	int64_t milliseconds;
} units[] = {
	{ "ms", 1 },
	{ "s", 1000 },
	{ "min", 60000 },
};

struct row {
	size_t level;
	struct span name, self;
	int64_t unit;
};

static struct span last_word(struct span *s)
{
	struct span word;
	size_t n;

	*s = span_trim_end(*s);
	n = s->size;
	while (n > 0 && !is_blank(s->at[n - 1]))
		n--;
	word = span_from(*s, n);
	*s = span_upto(*s, n);
	return word;
}

static bool parse_row(struct span line, struct row *row)
{
	size_t at = span_find_text(line, before_name);
	struct span left = span_upto(line, at), unit = last_word(&left), text;

	row->self = last_word(&left);
	if (!span_ends(last_word(&left), "%"))
		return false;
	row->unit = 0;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (span_is(unit, units[i].name))
			row->unit = units[i].milliseconds;
	text = span_from(line, at + sizeof(before_name) - 1);
	row->name = span_trim_start(text);
	row->level = text.size - row->name.size;
	return row->unit && row->name.size;
}

static int read_row(struct outline *o, struct span line, struct error *e)
{
	struct row row;
	int64_t weight;

	if (!parse_row(line, &row))
		return build_note(o->b, NOTE_BAD_LINE, line, e);
	if (!build_weight(o->b, row.self, &weight) ||
	    __builtin_mul_overflow(weight, row.unit, &weight))
		return build_note(o->b, NOTE_BAD_COUNT, line, e);
	o->line = line;
	return outline_add(o, row.level, build_name(o->b, row.name), weight, e);
}

static int instruments_read(struct build *b, struct error *e)
{
	struct outline o = { .b = b, .weight = OUTLINE_SELF, .keep_zero = b->o->keep_zero };
	struct span line;
	struct row row;
	int ret = 0;

	b->event = profile_event(b->p, SPAN("time"), SPAN("ms"));
	/* The columns have names, as a rule. */
	if (text_line(b->text, &line) && parse_row(line, &row))
		ret = read_row(&o, line, e);
	while (!ret && text_line(b->text, &line))
		if (span_trim(line).size)
			ret = read_row(&o, line, e);
	if (!ret)
		ret = outline_end(&o, e);
	outline_release(&o);
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
