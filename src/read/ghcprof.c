/*
 * The .prof files of Haskell programs (+RTS -p or -P).  The tree of cost
 * centers follows this header:
 *
 *	                                        individual      inherited
 *	COST CENTRE MODULE  SRC        no. entries  %time %alloc   %time %alloc  ticks     bytes
 *
 *	MAIN        MAIN    <built-in> 337       0    0.0    0.0   100.0  100.0      0       728
 *	 CAF        Main    <entire>   532       0    0.0    0.0     0.0    0.0      0        16
 *
 * Each level is indented by one blank.  Names contain no blanks, and every
 * column begins where its title does, counted in characters; numbers are
 * right-aligned and may be wider than their title, so they begin after the
 * previous title.  Ticks and bytes are only there with -P.
 */
#include "base/alloc.h"
#include "base/utf8.h"
#include "read/readers.h"
#include "read/text/names.h"
#include "read/text/outline.h"

/* SRC is missing in profiles of GHC before version 8. */
static const struct {
	const char *text;
	bool may_be_absent;
} titles[] = {
	{ "COST", false },  { "CENTRE", false },  { "MODULE", false }, { "SRC", true },
	{ "no.", false },   { "entries", false }, { "%time", false },  { "%alloc", false },
	{ "%time", false }, { "%alloc", false },
};

/* What can be counted; %time has one digit after the decimal point. */
static const struct {
	const char *title, *event, *unit;
	double factor;
	enum weight_source source;
} costs[] = {
	[GHC_TIME] = { "%time", "time", "permille", 10, SOURCE_SAMPLED },
	[GHC_TICKS] = { "ticks", "ticks", "ticks", 1, SOURCE_SAMPLED },
	[GHC_BYTES] = { "bytes", "allocated", "bytes", 1, SOURCE_MEASURED },
};

struct ghcprof {
	struct build *b;
	size_t module, cost; /* where their columns begin */
	struct outline outline;
	struct strbuf name, plain;
};

static bool is_header(struct span line)
{
	struct span word = span_word(&line);

	for (size_t i = 0; i < ARRAY_SIZE(titles); i++) {
		bool fits = span_is(word, titles[i].text);

		if (!fits && !titles[i].may_be_absent)
			return false;
		if (fits)
			word = span_word(&line);
	}
	return true;
}

/* Finds the columns; false if the requested weight was not recorded. */
static bool parse_header(struct ghcprof *g, struct span line)
{
	enum ghc_weight weight = g->b->o->ghc_weight;
	size_t title = span_find_text(line, costs[weight].title);

	g->module = span_find_text(line, "MODULE");
	if (title == line.size)
		return false;
	g->cost = weight == GHC_TIME ? title : span_trim_end(span_upto(line, title)).size;
	return true;
}

/* The word in the column that begins at this character. */
static struct span column(struct span line, size_t character)
{
	line = span_from(line, utf8_bytes(line, character));
	return span_word(&line);
}

static bool parse_cost(struct ghcprof *g, struct span s, int64_t *cost)
{
	double factor = costs[g->b->o->ghc_weight].factor, value;
	uint64_t whole;

	*cost = 0;
	if (factor == 1 && span_u64(s, &whole) && whole <= INT64_MAX) {
		*cost = (int64_t)whole;
		return true;
	}
	/* INT64_MAX is rounded up to a double, so an equal value is too large. */
	if (!span_double(s, &value) || value * factor >= (double)INT64_MAX)
		return false;
	*cost = value > 0 ? (int64_t)(value * factor) : 0;
	return true;
}

static int read_row(struct ghcprof *g, struct span line, struct error *e)
{
	struct span rest = span_trim_start(line), name = rest, cost = column(line, g->cost);
	int64_t weight;

	/* A row with an invalid count still has callees. */
	if (!parse_cost(g, cost, &weight) && build_note(g->b, NOTE_BAD_COUNT, cost, e))
		return -1;
	strbuf_reset(&g->name);
	strbuf_add(&g->name, column(line, g->module));
	strbuf_addch(&g->name, '.');
	strbuf_add(&g->name, span_word(&name));
	name = name_plain(strbuf_peek(&g->name), NULL, &g->plain);
	g->outline.line = line;
	return outline_add(&g->outline, line.size - rest.size, build_name(g->b, name), weight, e);
}

static int read_header(struct ghcprof *g, struct error *e)
{
	enum ghc_weight weight = g->b->o->ghc_weight;
	struct span line;

	do {
		if (!text_line(g->b->text, &line))
			return build_note(g->b, NOTE_NO_START, SPAN(""), e);
	} while (!is_header(line));
	if (!parse_header(g, line)) {
		notes_add(&g->b->p->notes, NOTE_BAD_HEADER, 1, g->b->text->line,
			  span_of(costs[weight].title));
		return error_set(e, ERROR_INPUT, "no column '%s'", costs[weight].title);
	}
	/* An empty line. */
	text_line(g->b->text, &line);
	return 0;
}

static int ghcprof_read(struct build *b, struct error *e)
{
	struct ghcprof g = { .b = b,
			     .outline = { .b = b, .weight = OUTLINE_SELF, .keep_zero = true } };
	enum ghc_weight weight = b->o->ghc_weight;
	int ret = read_header(&g, e);
	struct span line;

	/* A tick is a sample; for shares of time, the number of samples is not in the file. */
	g.outline.samples = weight == GHC_TICKS;
	b->event = profile_event(b->p, span_of(costs[weight].event), span_of(costs[weight].unit));
	build_measure(b, costs[weight].source, EXTENT_SHARE);
	while (!ret && text_line(b->text, &line)) {
		line = span_trim_end(line);
		/* The table ends at an empty line. */
		if (!line.size)
			break;
		ret = read_row(&g, line, e);
	}
	if (!ret)
		ret = outline_end(&g.outline, e);
	outline_release(&g.outline);
	strbuf_release(&g.name);
	strbuf_release(&g.plain);
	return ret;
}

static bool ghcprof_accepts(struct span head)
{
	while (head.size)
		if (is_header(span_line(&head)))
			return true;
	return false;
}

const struct reader reader_ghcprof = {
	.name = "ghcprof",
	.title = "GHC .prof files",
	.accepts = ghcprof_accepts,
	.read = ghcprof_read,
	.split = SPLIT_LINE,
};
