/*
 * Call graphs of FreeBSD's pmcstat -G: a function, followed by its callers.
 *
 *     @ inst_retired.any [17 samples]
 *
 *     03.07%  [17]       witness_unlock @ /boot/kernel/kernel
 *      70.59%  [12]        __mtx_unlock_flags
 */
#include "read/readers.h"
#include "read/text/outline.h"

struct row {
	size_t level;
	struct span samples, function, module;
};

static bool parse_row(struct span line, struct row *row)
{
	struct span s = span_trim_start(line);
	size_t n = 0;

	row->level = line.size - s.size;
	while (n < s.size && (is_digit(s.at[n]) || s.at[n] == '.'))
		n++;
	if (!n || !span_starts(span_from(s, n), "%  ["))
		return false;
	s = span_from(s, n + 4);
	row->samples = span_digits(s);
	s = span_from(s, row->samples.size);
	if (!row->samples.size || !span_starts(s, "]"))
		return false;
	s = span_from(s, 1);
	row->function = span_word(&s);
	row->module = span_starts(s, " @ ") ? span_trim(span_from(s, 3)) : SPAN("");
	return row->function.size > 0;
}

/* "@ inst_retired.any [17 samples]" begins the graph of an event. */
static bool parse_event(struct span line, struct span *event)
{
	if (!span_starts(line, "@ ") || !span_ends(line, " samples]"))
		return false;
	line = span_from(line, 2);
	*event = span_word(&line);
	return true;
}

struct pmc {
	struct outline tree;
	bool has_event;
};

static int begin_event(struct pmc *m, struct span event, struct error *e)
{
	struct build *b = m->tree.b;
	int ret = outline_end(&m->tree, e);

	b->event = profile_event(b->p, event, SPAN("samples"));
	m->has_event = true;
	return ret;
}

static int pmc_line(struct pmc *m, struct span line, struct error *e)
{
	struct build *b = m->tree.b;
	struct span event;
	struct row row;
	frame_id frame;
	int64_t weight;

	if (parse_event(line, &event))
		return begin_event(m, event, e);
	if (!parse_row(line, &row))
		return 0;
	if (!m->has_event && begin_event(m, SPAN("samples"), e))
		return -1;
	if (!build_weight(b, row.samples, &weight))
		return build_note(b, NOTE_BAD_COUNT, line, e);
	m->tree.line = line;
	frame = build_frame(b, FRAME_USER, row.module, row.function);
	return outline_add(&m->tree, row.level, frame, weight, e);
}

static int pmc_read(struct build *b, struct error *e)
{
	/* pmcstat omits rare callers.  With OUTLINE_TOTAL, their share is charged to the row above them. */
	enum outline_weight weight = b->o->rows.leaf_totals ? OUTLINE_LEAVES : OUTLINE_TOTAL;
	struct pmc m = { .tree = { .b = b, .weight = weight, .callers = true, .samples = true } };
	struct span line;
	int ret = 0;

	while (!ret && text_line(b->text, &line))
		ret = pmc_line(&m, line, e);
	if (!ret)
		ret = outline_end(&m.tree, e);
	outline_release(&m.tree);
	return ret;
}

static bool pmc_accepts(struct span head)
{
	struct row row;

	while (head.size)
		if (parse_row(span_line(&head), &row))
			return !row.level;
	return false;
}

const struct reader reader_pmc = {
	.name = "pmc",
	.title = "pmcstat call graphs",
	.accepts = pmc_accepts,
	.read = pmc_read,
};
