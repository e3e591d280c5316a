/*
 * Profiles of Go and others as `go tool pprof -raw` prints them:
 *
 *     Samples:
 *     samples/count cpu/nanoseconds
 *               2   20000000: 3 2
 *     Locations
 *          2: 0x599530 M=1 main.run /src/main.go:7 s=0
 *          3: 0x58a999 M=1 main.work /src/work.go:12 s=0
 *                  main.loop /src/work.go:30 s=0
 *     Mappings
 *
 * A stack is a list of locations from the leaf on; what they are called comes
 * later.  A line without a number is what the function above it was inlined
 * into.
 */
#include "base/alloc.h"
#include "base/intern.h"
#include "read/build.h"
#include "read/pprof/pprof.h"
#include "read/readers.h"
#include "read/text/names.h"

#include <stdlib.h>

enum {
	COLUMNS_MAX = 16,
	/*
	 * Calls inlined into each other at one location.  Few compilers go so far,
	 * and every one is a frame in every stack that passes there.
	 */
	INLINED_MAX = 32,
};

enum section { SECTION_NONE, SECTION_SAMPLES, SECTION_LOCATIONS };

struct values {
	int64_t column[COLUMNS_MAX];
};

struct go {
	struct build *b;
	enum section section;
	uint32_t event[COLUMNS_MAX]; /* by column */
	size_t nr_event;
	bool counts;	       /* the first column is a number, of samples or something else */
	struct intern stacks;  /* as written: "3 2" */
	struct values *values; /* by stack */
	size_t cap_values;
	struct intern ids; /* of the locations */
	frame_id *frame;   /* by location */
	size_t cap_frame;
	/* The location that is being read: its functions from the innermost on. */
	struct line *line;
	size_t nr_line, cap_line;
	uint32_t location;
	struct strbuf name;
};

static bool is_types(struct span line)
{
	struct span word = span_word(&line);

	return span_find(word, '/') < word.size;
}

/* "samples/count cpu/nanoseconds[dflt]": as in pprof, the default is shown first, or else the last one. */
static void read_types(struct go *g, struct span line)
{
	uint32_t nr_before = (uint32_t)g->b->p->nr_event;
	size_t shown = SIZE_MAX;
	bool samples = false;

	for (struct span word = span_word(&line); word.size && g->nr_event < COLUMNS_MAX;
	     word = span_word(&line)) {
		size_t slash = span_find(word, '/');
		struct span unit = span_from(word, slash + 1);

		if (span_ends(unit, "[dflt]"))
			shown = g->nr_event;
		unit = span_upto(unit, span_find(unit, '['));
		word = span_upto(word, slash);
		if (!g->nr_event) {
			g->counts = span_is(unit, "count");
			samples = pprof_counts_samples(word, unit);
		}
		g->event[g->nr_event++] = g->b->event = profile_event(g->b->p, word, unit);
		if (!samples)
			build_measure(g->b, SOURCE_MEASURED, EXTENT_SHARE);
	}
	if (shown == SIZE_MAX)
		shown = g->nr_event ? g->nr_event - 1 : 0;
	if (shown && !g->b->o->first_type && g->event[0] >= nr_before &&
	    g->event[shown] > g->event[0]) {
		uint32_t first = g->event[0];

		profile_swap_events(g->b->p, first, g->event[shown]);
		g->event[0] = g->event[shown];
		g->event[shown] = first;
	}
}

static struct values *values_of(struct go *g, struct span ids)
{
	uint32_t known = g->stacks.nr, stack = intern(&g->stacks, ids);

	if (stack == known) {
		GROW(g->values, (size_t)stack, g->cap_values);
		g->values[stack] = (struct values){ 0 };
	}
	return &g->values[stack];
}

/* "2   20000000: 3 2 " */
static int read_sample(struct go *g, struct span line, struct error *e)
{
	size_t colon = span_find(line, ':');
	struct span numbers = span_upto(line, colon), ids = span_trim(span_from(line, colon + 1));
	struct values *values;

	/* Below a sample stand its labels: "bytes:[4096]" */
	if (!span_digits(span_trim(numbers)).size || !span_digits(ids).size)
		return 0;
	if (!g->nr_event) {
		g->counts = true;
		g->event[g->nr_event++] = profile_event(g->b->p, SPAN("samples"), SPAN("count"));
	}
	values = values_of(g, ids);
	for (size_t i = 0; i < g->nr_event; i++) {
		struct span word = span_word(&numbers);
		uint64_t value;
		int64_t sum;

		if (!word.size)
			break;
		if (!span_u64(word, &value) || value > INT64_MAX ||
		    __builtin_add_overflow(values->column[i], (int64_t)value, &sum))
			return build_note(g->b, NOTE_BAD_COUNT, line, e);
		values->column[i] = sum;
	}
	return 0;
}

/* "/src/main.go:7 s=0", with the column in newer versions: "/src/main.go:7:12 s=0" */
static void parse_source(struct span text, struct profile *p, struct line *line)
{
	struct span file = span_trim(span_upto(text, span_rfind_text(text, " s="))), before;
	uint64_t number;

	for (int part = 0; part < 2; part++) {
		size_t colon = span_rfind(file, ':');

		before = span_upto(file, colon);
		if (!span_u64(span_from(file, colon + 1), &number) || number > UINT32_MAX)
			break;
		file = before;
		line->line = (uint32_t)number;
	}
	line->file = profile_string(p, file);
}

/* "main.work /src/work.go:12 s=0" */
static void add_function(struct go *g, struct span text)
{
	struct span name = span_word(&text);
	struct line line = { 0 };

	if (!name.size || (g->nr_line && g->b->o->drop_inlined))
		return;
	if (g->nr_line == INLINED_MAX) {
		notes_add(&g->b->p->notes, NOTE_TOO_DEEP, 1, g->b->text->line, name);
		return;
	}
	line.function = profile_string(g->b->p, name_tidy(name, TIDY_NONE, &g->name));
	if (g->b->o->srcline)
		parse_source(text, g->b->p, &line);
	GROW(g->line, g->nr_line, g->cap_line);
	g->line[g->nr_line++] = line;
}

static void end_location(struct go *g)
{
	struct frame f = { .line = g->line, .nr_line = (uint32_t)g->nr_line };

	if (g->nr_line)
		g->frame[g->location] = profile_frame(g->b->p, &f);
	g->nr_line = 0;
}

/* "3: 0x58a999 M=1 main.work /src/work.go:12 s=0" */
static void read_location(struct go *g, struct span line)
{
	struct span text = span_trim(line), id = span_digits(text), address, mark, rest;

	if (!id.size || !span_starts(span_from(text, id.size), ": 0x")) {
		if (is_blank(line.at[0]) && g->nr_line)
			add_function(g, text);
		return;
	}
	end_location(g);
	g->location = intern(&g->ids, id);
	GROW(g->frame, (size_t)g->location, g->cap_frame);
	text = span_from(text, id.size + 1);
	address = span_word(&text);
	/* The mapping, and whether functions with the same code were made one. */
	for (rest = text, mark = span_word(&rest); span_starts(mark, "M=") || span_is(mark, "[F]");
	     mark = span_word(&rest))
		text = rest;
	add_function(g, span_trim(text).size ? text : address);
}

/* A location that is not listed is named by its number. */
static frame_id frame_of(struct go *g, struct span id)
{
	uint32_t location = intern_find(&g->ids, id, intern_hash(id));

	return location == INTERN_NONE ? build_name(g->b, id) : g->frame[location];
}

/* Now that the locations have names. */
static int count_stacks(struct go *g, struct error *e)
{
	struct build *b = g->b;
	bool keep_zero = b->o->keep_zero;

	for (uint32_t i = 0; i < g->stacks.nr; i++)
		for (size_t k = 0; k < g->nr_event; k++) {
			int64_t value = g->values[i].column[k],
				nr = g->counts ? g->values[i].column[0] : 1;
			struct span ids = intern_peek(&g->stacks, i), id;

			if (!value && !keep_zero)
				continue;
			while ((id = span_word(&ids)).size)
				build_push(b, frame_of(g, id));
			b->event = g->event[k];
			if (build_end_many(b, LEAF_FIRST, value, nr ? (uint64_t)nr : 1, e))
				return -1;
		}
	return 0;
}

/* One profile ends: the next has locations of its own. */
static int end_profile(struct go *g, struct error *e)
{
	int ret;

	end_location(g);
	ret = count_stacks(g, e);
	intern_release(&g->stacks);
	intern_release(&g->ids);
	g->nr_event = 0;
	g->section = SECTION_NONE;
	return ret;
}

static int read_line(struct go *g, struct span line, struct error *e)
{
	if (span_starts(line, "Samples:")) {
		int ret = end_profile(g, e);

		g->section = SECTION_SAMPLES;
		return ret;
	}
	if (span_starts(line, "Mappings"))
		return end_profile(g, e);
	if (g->section == SECTION_SAMPLES) {
		if (span_starts(line, "Locations"))
			g->section = SECTION_LOCATIONS;
		else if (!g->nr_event && is_types(line))
			read_types(g, line);
		else
			return read_sample(g, line, e);
	} else if (g->section == SECTION_LOCATIONS && line.size) {
		read_location(g, line);
	}
	return 0;
}

static int go_read(struct build *b, struct error *e)
{
	struct go g = { .b = b };
	struct span line;
	int ret = 0;

	while (!ret && text_line(b->text, &line))
		if (!span_starts(line, "#"))
			ret = read_line(&g, line, e);
	if (!ret)
		ret = end_profile(&g, e);
	intern_release(&g.stacks);
	intern_release(&g.ids);
	free(g.values);
	free(g.frame);
	free(g.line);
	strbuf_release(&g.name);
	return ret;
}

/* "Samples:", and below it their types. */
static bool go_accepts(struct span head)
{
	while (head.size)
		if (span_starts(span_line(&head), "Samples:"))
			return is_types(span_line(&head));
	return false;
}

const struct reader reader_go = {
	.name = "go",
	.title = "go tool pprof -raw",
	.accepts = go_accepts,
	.read = go_read,
};
