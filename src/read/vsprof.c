/*
 * Visual Studio's call trees as CSV:
 *
 *	Level,Function Name,Number of Calls,Elapsed Inclusive Time %,…,Module Name,
 *	0,"app.exe",0,100.00,…,"",
 *	1,"App.Main()",1,91.25,…,"app.exe",
 *	2,"App.Work(int32)","2,893,824",54.37,…,"app.exe",
 *
 * Instrumentation counts calls.  The calls of callees are not a part of the
 * caller's, so there is no exact self weight; like other tools, wick subtracts
 * the calls of the last callee.  Sampling has a column of self samples, which
 * are exact.
 */
#include "base/alloc.h"
#include "base/csv.h"
#include "read/build.h"
#include "read/readers.h"
#include "read/text/names.h"

#include <stdlib.h>

enum weight { CALLS, LEAVES, SELF };

struct row {
	size_t level;
	stack_id stack;
	int64_t weight;
};

struct vsprof {
	struct build *b;
	enum weight weight;
	size_t count, module; /* columns */
	struct csv csv;
	struct row *row; /* from the root to the row read last */
	size_t nr, cap;
	struct strbuf name;
};

/* Counts the path to the deepest row. */
static int count_path(struct vsprof *v, struct error *e)
{
	const struct row *row = &v->row[v->nr - 1];

	if (!row->weight && v->weight != LEAVES)
		return 0;
	if (v->b->o->rows.last_counts && v->weight == CALLS)
		return build_replace(v->b, row->stack, row->weight, 1, e);
	return build_add(v->b, row->stack, row->weight, (uint64_t)row->weight, e);
}

/* A caller keeps the calls that exceed those of its last callee, if there are any. */
static int close_callers(struct vsprof *v, size_t depth, struct error *e)
{
	while (v->nr > depth) {
		int64_t calls = v->row[--v->nr].weight;
		struct row *caller;

		if (!v->nr)
			break;
		caller = &v->row[v->nr - 1];
		if (calls < caller->weight)
			caller->weight -= calls;
		if (v->nr > depth && caller->weight != calls && count_path(v, e))
			return -1;
	}
	return 0;
}

/* Closes the rows that are not callers of a row of this level. */
static int close_rows(struct vsprof *v, size_t level, struct error *e)
{
	size_t depth = v->nr;

	while (depth && v->row[depth - 1].level >= level)
		depth--;
	if (depth == v->nr)
		return 0;
	if (v->weight != SELF && count_path(v, e))
		return -1;
	if (v->weight == CALLS && depth + 1 < v->nr)
		return close_callers(v, depth, e);
	v->nr = depth;
	return 0;
}

static int add_row(struct vsprof *v, size_t level, frame_id frame, int64_t weight, struct error *e)
{
	stack_id caller = { 0 };

	if (close_rows(v, level, e))
		return -1;
	if (v->nr >= PROFILE_DEPTH_MAX)
		return build_note(v->b, NOTE_TOO_DEEP, SPAN(""), e);
	if (v->nr)
		caller = v->row[v->nr - 1].stack;
	GROW(v->row, v->nr, v->cap);
	v->row[v->nr++] = (struct row){ .level = level,
					.stack = profile_push(v->b->p, caller, frame),
					.weight = weight };
	return v->weight == SELF ? count_path(v, e) : 0;
}

/* Reading rows */

/*
 * An integer, its thousands separated by commas, points or blanks: 2,893,824.
 * If groups have another size, it is a fraction or something else.
 */
static bool parse_number(struct span s, uint64_t *value)
{
	size_t first = 0;
	char part, digits[32];
	size_t nr = 0;

	while (first < s.size && is_digit(s.at[first]))
		first++;
	if (first == s.size)
		return span_u64(s, value);
	part = s.at[first];
	if (!first || first > 3 || (part != ',' && part != '.' && part != ' '))
		return false;
	for (size_t i = 0; i < s.size; i++) {
		bool is_part = i >= first && (i - first) % 4 == 0;

		if (is_part ? s.at[i] != part : !is_digit(s.at[i]))
			return false;
		if (is_part)
			continue;
		if (nr == sizeof(digits))
			return false;
		digits[nr++] = s.at[i];
	}
	return (s.size - first) % 4 == 0 &&
	       span_u64((struct span){ .at = digits, .size = nr }, value);
}

static bool parse_count(struct span s, uint64_t *count)
{
	uint64_t value;

	if (!parse_number(span_trim(s), &value) || value > INT64_MAX)
		return false;
	*count = value;
	return true;
}

static struct span field(const struct vsprof *v, size_t column)
{
	return column < v->csv.nr ? v->csv.field[column].text : SPAN("");
}

/* inferno skips a comma at the start of a line, and so quotes the name as the level. */
static int note_level(struct vsprof *v, struct span line, struct error *e)
{
	struct span level = field(v, v->csv.field[0].written.size ? 0 : 1);

	return build_note(v->b, NOTE_BAD_LINE, v->b->o->rows.quote_level ? level : line, e);
}

static int read_row(struct vsprof *v, struct span line, struct error *e)
{
	bool quote_line = v->b->o->rows.quote_line;
	uint64_t level, count = 0;
	struct span name;

	csv_parse(&v->csv, line);
	if (!parse_number(span_trim(field(v, 0)), &level))
		return note_level(v, line, e);
	/* "1" and "1,": nothing follows the level. */
	if (v->csv.nr < 2 || (v->csv.nr == 2 && !v->csv.field[1].written.size))
		return build_note(v->b, NOTE_NO_FUNCTION, line, e);
	if (v->csv.unclosed || !v->csv.field[1].written.size)
		return build_note(v->b, NOTE_BAD_STACK_LINE, line, e);
	/* A row with an invalid count still has callees. */
	if (!parse_count(field(v, v->count), &count) &&
	    !(v->b->o->rows.optional_counts && !field(v, v->count).size) &&
	    build_note(v->b, NOTE_BAD_COUNT, quote_line ? line : field(v, v->count), e))
		return -1;
	/* Level 0 is the program; its rows begin at 1. */
	if (!level && v->weight == LEAVES)
		return 0;
	if (level > (v->nr ? v->row[v->nr - 1].level : 0) + 1 &&
	    build_note(v->b, NOTE_SKIPPED_INDENT, line, e))
		return -1;
	name = name_plain(field(v, 1), v->b->o->rows.leave_out, &v->name);
	return add_row(v, level ? level : 1,
		       build_frame(v->b, FRAME_USER, field(v, v->module), name), (int64_t)count, e);
}

/* Columns */

static const char own_samples[] = "Exclusive Samples";

static bool is_header(const struct csv *c)
{
	return c->nr > 2 && span_is(c->field[0].text, "Level") &&
	       span_is(c->field[1].text, "Function Name") &&
	       (span_is(c->field[2].text, "Number of Calls") || csv_find(c, own_samples) < c->nr);
}

static int read_header(struct vsprof *v, struct error *e)
{
	const struct csv *c = &v->csv;
	struct span line;
	bool known;

	if (!text_line(v->b->text, &line))
		return build_note(v->b, NOTE_NO_START, SPAN(""), e);
	csv_parse(&v->csv, line);
	known = is_header(c);
	if (!known && !v->b->o->rows.any_header)
		return build_note(v->b, NOTE_BAD_HEADER, line, e);
	/* With last_counts, stacks that look equal must be equal: modules, which are not shown, are ignored. */
	if (!v->b->o->rows.last_counts)
		v->module = csv_find(c, "Module Name");
	v->weight = v->b->o->rows.leaf_totals ? LEAVES : CALLS;
	if (csv_find(c, own_samples) < c->nr && v->weight == CALLS) {
		v->weight = SELF;
		v->count = csv_find(c, own_samples);
	}
	return 0;
}

static int vsprof_read(struct build *b, struct error *e)
{
	struct vsprof v = { .b = b, .count = 2, .module = SIZE_MAX };
	struct span line;
	int ret = read_header(&v, e);

	b->event = v.weight == CALLS ? profile_event(b->p, SPAN("calls"), SPAN("count"))
				     : profile_event(b->p, SPAN("samples"), SPAN("samples"));
	while (!ret && text_line(b->text, &line)) {
		line = span_trim_end(line);
		if (line.size)
			ret = read_row(&v, line, e);
	}
	if (!ret && v.nr && v.weight != SELF)
		ret = count_path(&v, e);
	csv_release(&v.csv);
	strbuf_release(&v.name);
	free(v.row);
	return ret;
}

static bool vsprof_accepts(struct span head)
{
	struct csv csv = { 0 };
	bool accepts;

	csv_parse(&csv, span_line(&head));
	accepts = is_header(&csv);
	csv_release(&csv);
	return accepts;
}

const struct reader reader_vsprof = {
	.name = "vsprof",
	.title = "Visual Studio call trees as CSV",
	.accepts = vsprof_accepts,
	.read = vsprof_read,
	.split = SPLIT_LINE,
};
