/*
 * Profiles of Go and others, as printed by `go tool pprof -raw`:
 *
 *     Samples:
 *     samples/count cpu/nanoseconds
 *               2   20000000: 3 2
 *                     thread:[app] pid:[12]
 *     Locations
 *          2: 0x599530 M=1 main.run /src/main.go:7 s=0
 *          3: 0x58a999 M=1 main.work /src/work.go:12 s=0
 *                  main.loop /src/work.go:30 s=0
 *     Mappings
 *     1: 0x400000/0x59a000/0x0 /usr/bin/app 1f0cd2 [FN]
 *
 * A stack is a list of locations from the leaf; their names come later, and
 * their modules last.  A line without a number is the function that the one
 * above it was inlined into.
 */
#include "base/alloc.h"
#include "base/intern.h"
#include "read/build.h"
#include "read/perf_script/script_frame.h"
#include "read/pprof/pprof.h"
#include "read/readers.h"
#include "read/text/names.h"

#include <stdlib.h>

enum {
	COLUMNS_MAX = 16,
	/*
	 * Limit of nested inlined calls at one location.  Real programs have fewer,
	 * and each is a frame in every stack with that location.
	 */
	INLINED_MAX = 32,
	LABELS_MAX = 32,
	SAMPLE_MAX = 64 * 1024, /* bytes of labels, without the last line */
};

enum section { SECTION_NONE, SECTION_SAMPLES, SECTION_LOCATIONS, SECTION_MAPPINGS };

struct values {
	int64_t column[COLUMNS_MAX];
};

/* Its functions are go.line[first…], innermost first. */
struct location {
	size_t first, nr_line;
	uint64_t address, mapping; /* mapping 0: none */
	bool nameless;		   /* its only function is its address */
};

struct mapping {
	uint64_t start, offset;
	module_id module;
	enum frame_kind kind;
};

struct go {
	struct build *b;
	enum section section;
	uint32_t event[COLUMNS_MAX]; /* by column */
	bool bytes[COLUMNS_MAX];     /* by column: its unit */
	size_t nr_event;
	bool heap;	       /* the period is in bytes */
	uint64_t period;       /* of a heap: bytes between two samples; 0: not a heap, or unknown */
	bool counts;	       /* the first column is a count, of samples or something else */
	struct intern stacks;  /* as written, with their labels: "3 2\n thread:[app]" */
	struct values *values; /* by stack */
	size_t cap_values;
	/* The sample that is being read; labels may follow */
	struct strbuf sample;
	struct values sample_values;
	uint64_t sample_line;
	struct intern ids; /* of the locations */
	struct location *location;
	frame_id *frame; /* by location */
	size_t cap_location, cap_frame;
	struct line *line;
	size_t nr_line, cap_line;
	struct location *last;	   /* the one that is being read; NULL: none */
	struct intern mapping_ids; /* as numbers */
	struct mapping *mapping;
	size_t cap_mapping;
	struct strbuf name;
	struct strbuf comments; /* a line each */
};

/* Comments, in which wick writes the source of weights: bytes kept. */
enum { COMMENTS_MAX = 64 * 1024 };

static void keep_comment(struct go *g, struct span comment)
{
	if (g->comments.size + comment.size >= COMMENTS_MAX)
		return;
	strbuf_add(&g->comments, comment);
	strbuf_addch(&g->comments, '\n');
}

static void read_comments(struct go *g)
{
	struct span rest = strbuf_peek(&g->comments);

	while (rest.size) {
		struct span line = span_line(&rest);

		for (size_t i = 0; i < g->nr_event; i++)
			pprof_comment(g->b->p, g->event[i], line);
	}
	strbuf_reset(&g->comments);
}

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
		g->bytes[g->nr_event] = span_is(unit, "bytes");
		word = span_upto(word, slash);
		if (!g->nr_event) {
			g->counts = span_is(unit, "count");
			samples = pprof_counts_samples(word, unit);
		}
		g->event[g->nr_event++] = g->b->event =
			profile_event(g->b->p, word, pprof_unit(unit));
		if (!samples && g->period <= 1)
			build_measure(g->b, SOURCE_MEASURED, EXTENT_SHARE);
	}
	read_comments(g);
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

static struct values *values_of(struct go *g, struct span sample)
{
	uint32_t known = g->stacks.nr, stack = intern(&g->stacks, sample);

	if (stack == known) {
		GROW(g->values, (size_t)stack, g->cap_values);
		g->values[stack] = (struct values){ 0 };
	}
	return &g->values[stack];
}

static int end_sample(struct go *g, struct error *e)
{
	struct values *values;
	int ret = 0;

	if (!g->sample.size)
		return 0;
	values = values_of(g, strbuf_peek(&g->sample));
	for (size_t i = 0; i < g->nr_event && !ret; i++) {
		int64_t sum;

		if (__builtin_add_overflow(values->column[i], g->sample_values.column[i], &sum))
			ret = build_note_at(g->b, g->sample_line, NOTE_COUNT_TOO_LARGE, SPAN(""),
					    e);
		else
			values->column[i] = sum;
	}
	strbuf_reset(&g->sample);
	return ret;
}

/* "2   20000000: 3 2 " */
static int read_sample(struct go *g, struct span line, struct error *e)
{
	size_t colon = span_find(line, ':');
	struct span numbers = span_upto(line, colon), ids = span_trim(span_from(line, colon + 1));

	/* A sample is followed by its labels: "bytes:[4096]" */
	if (!span_digits(span_trim(numbers)).size || !span_digits(ids).size) {
		if (g->sample.size && g->sample.size < SAMPLE_MAX && !g->b->o->first_type) {
			strbuf_addch(&g->sample, '\n');
			strbuf_add(&g->sample, span_trim(line));
		}
		return 0;
	}
	if (end_sample(g, e))
		return -1;
	if (!g->nr_event) {
		g->counts = true;
		g->event[g->nr_event++] = profile_event(g->b->p, SPAN("samples"), SPAN("count"));
	}
	g->sample_values = (struct values){ 0 };
	g->sample_line = g->b->text->line;
	for (size_t i = 0; i < g->nr_event; i++) {
		struct span word = span_word(&numbers);
		uint64_t value;

		if (!word.size)
			break;
		if (!span_u64(word, &value) || value > INT64_MAX)
			return build_note(g->b, NOTE_BAD_COUNT, line, e);
		g->sample_values.column[i] = (int64_t)value;
	}
	strbuf_add(&g->sample, ids);
	return 0;
}

/* "thread:[app] pid:[12]", on several lines; thread, pid and tid become the thread, as in pprof.c. */
static void set_labels(struct go *g, struct span text)
{
	struct thread thread = { .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };
	struct label label[LABELS_MAX];
	struct profile *p = g->b->p;
	bool has_thread = false;
	size_t nr = 0;

	while (text.size) {
		size_t colon = span_find_text(text, ":["), end = colon;
		struct span key = span_trim(span_upto(text, colon)), value;
		uint64_t id;

		while (end < text.size && !(text.at[end] == ']' &&
					    (end + 1 == text.size || is_blank(text.at[end + 1]) ||
					     text.at[end + 1] == '\n')))
			end++;
		if (end == text.size)
			break;
		value = span_upto(span_from(text, colon + 2), end - colon - 2);
		text = span_from(text, end + 1);
		if (span_is(key, "thread")) {
			thread.comm = profile_string(p, value);
			has_thread = true;
		} else if ((span_is(key, "pid") || span_is(key, "tid")) && span_u64(value, &id) &&
			   id < THREAD_UNKNOWN) {
			*(span_is(key, "pid") ? &thread.pid : &thread.tid) = (uint32_t)id;
			has_thread = true;
		} else if (key.size && nr < LABELS_MAX) {
			label[nr++] = (struct label){ .key = profile_string(p, key),
						      .value = profile_string(p, value) };
		}
	}
	g->b->thread = has_thread ? profile_thread(p, &thread) : (thread_id){ 0 };
	g->b->labels = profile_labels(p, label, nr);
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

	if (!name.size || (g->last->nr_line && g->b->o->drop_inlined))
		return;
	if (g->last->nr_line == INLINED_MAX) {
		notes_add(&g->b->p->notes, NOTE_TOO_DEEP, 1, g->b->text->line, name);
		return;
	}
	line.function = profile_string(g->b->p, name_tidy(name, TIDY_NONE, &g->name));
	if (build_wants_lines(g->b, span_contains(text, ":")))
		parse_source(text, g->b->p, &line);
	GROW(g->line, g->nr_line, g->cap_line);
	g->line[g->nr_line++] = line;
	g->last->nr_line++;
}

/* "M=1": the mapping; "[F]": the linker has folded functions with identical code. */
static void read_marks(struct span *text, struct location *location)
{
	for (;;) {
		struct span rest = *text, mark = span_word(&rest);

		if (span_starts(mark, "M="))
			span_u64(span_from(mark, 2), &location->mapping);
		else if (!span_is(mark, "[F]"))
			return;
		*text = rest;
	}
}

/* "3: 0x58a999 M=1 main.work /src/work.go:12 s=0" */
static void read_location(struct go *g, struct span line)
{
	struct span text = span_trim(line), id = span_digits(text), address;
	uint32_t known = g->ids.nr, i;

	if (!id.size || !span_starts(span_from(text, id.size), ": 0x")) {
		if (is_blank(line.at[0]) && g->last)
			add_function(g, text);
		return;
	}
	i = intern(&g->ids, id);
	if (i == known)
		GROW(g->location, (size_t)i, g->cap_location);
	g->last = &g->location[i];
	*g->last = (struct location){ .first = g->nr_line };
	text = span_from(text, id.size + 1);
	address = span_word(&text);
	span_hex(span_from(address, 2), &g->last->address);
	read_marks(&text, g->last);
	g->last->nameless = !span_trim(text).size;
	add_function(g, g->last->nameless ? address : text);
}

/*
 * "1: 0x400000/0x59a000/0x0 /usr/bin/app 1f0cd2 [FN]": start, end, offset, file, build ID, and flags.
 * The last two may be empty, but the blanks before them are always there.
 */
static void read_mapping(struct go *g, struct span line)
{
	struct span id = span_digits(line), rest = span_from(line, id.size + 1), numbers, word,
		    marks, build_id = SPAN("");
	struct mapping m = { 0 };
	uint64_t number, *const to[] = { &m.start, NULL, &m.offset };
	uint32_t known = g->mapping_ids.nr, i;

	if (!id.size || !span_starts(span_from(line, id.size), ": 0x") || !span_u64(id, &number))
		return;
	numbers = span_word(&rest);
	for (size_t k = 0; k < ARRAY_SIZE(to); k++) {
		word = span_upto(numbers, span_find(numbers, '/'));
		numbers = span_from(numbers, word.size + 1);
		if (to[k])
			span_hex(span_from(word, 2), to[k]);
	}
	rest = span_trim_start(rest);
	marks = span_from(rest, span_rfind(rest, ' ') + 1);
	if (!marks.size || span_starts(marks, "[F") || span_starts(marks, "[L") ||
	    span_starts(marks, "[I")) {
		rest = span_upto(rest, span_rfind(rest, ' '));
		build_id = span_from(rest, span_rfind(rest, ' ') + 1);
		rest = span_upto(rest, span_rfind(rest, ' '));
	}
	rest = span_trim(rest);
	if (!rest.size)
		return;
	m.kind = script_frame_kind(rest);
	m.module = profile_module(g->b->p, rest, build_id);
	i = intern(&g->mapping_ids, (struct span){ (const char *)&number, sizeof(number) });
	if (i != known)
		return;
	GROW(g->mapping, (size_t)i, g->cap_mapping);
	g->mapping[i] = m;
}

static frame_id make_frame(struct go *g, const struct location *l)
{
	struct frame f = { .line = g->line + l->first, .nr_line = (uint32_t)l->nr_line };
	struct span id = { (const char *)&l->mapping, sizeof(l->mapping) };
	uint32_t i = intern_find(&g->mapping_ids, id, intern_hash(id));
	const struct mapping *m = i == INTERN_NONE ? NULL : &g->mapping[i];

	if (m) {
		f.kind = m->kind;
		f.module = m->module;
	}
	/* Without a name, it can be symbolized later. */
	if (m && l->nameless && m->kind == FRAME_USER && l->address >= m->start) {
		f.nr_line = 0;
		f.address = l->address - m->start + m->offset;
		f.flags = FRAME_IN_MODULE;
	}
	return profile_frame(g->b->p, &f);
}

/* A location that is not listed is named by its number. */
static frame_id frame_of(struct go *g, struct span id)
{
	uint32_t location = intern_find(&g->ids, id, intern_hash(id));

	return location == INTERN_NONE ? build_name(g->b, id) : g->frame[location];
}

/* How many samples a value represents, as in pprof.c. */
static uint64_t samples_of(const struct go *g, const struct values *v, size_t column)
{
	size_t bytes = g->bytes[column] ? column : column + 1;

	if (g->period > 1)
		return bytes < g->nr_event && g->bytes[bytes]
			       ? build_nr_of(v->column[bytes], g->period)
			       : 1;
	return g->counts && v->column[0] ? (uint64_t)v->column[0] : 1;
}

/* Counts the stacks, when the locations have their names and modules. */
static int count_stacks(struct go *g, struct error *e)
{
	struct build *b = g->b;
	bool keep_zero = b->o->keep_zero;

	for (uint32_t i = 0; i < g->ids.nr; i++) {
		GROW(g->frame, (size_t)i, g->cap_frame);
		g->frame[i] = make_frame(g, &g->location[i]);
	}
	for (uint32_t i = 0; i < g->stacks.nr; i++)
		for (size_t k = 0; k < g->nr_event; k++) {
			int64_t value = g->values[i].column[k];
			struct span sample = intern_peek(&g->stacks, i),
				    ids = span_upto(sample, span_find(sample, '\n')), id;

			if (!value && !keep_zero)
				continue;
			set_labels(g, span_from(sample, ids.size));
			while ((id = span_word(&ids)).size)
				build_push(b, frame_of(g, id));
			b->event = g->event[k];
			if (build_end_many(b, LEAF_FIRST, value, samples_of(g, &g->values[i], k),
					   e))
				return -1;
		}
	return 0;
}

/* Ends a profile: the next one has its own locations. */
static int end_profile(struct go *g, struct error *e)
{
	int ret = end_sample(g, e);

	if (!ret)
		ret = count_stacks(g, e);
	intern_release(&g->stacks);
	intern_release(&g->ids);
	intern_release(&g->mapping_ids);
	g->nr_line = 0;
	g->last = NULL;
	g->nr_event = 0;
	g->section = SECTION_NONE;
	return ret;
}

/* "PeriodType: space bytes", and then "Period: 524288", of the profile that follows. */
static int read_period(struct go *g, struct span line, struct error *e)
{
	struct span value = span_trim(span_from(line, span_find(line, ':') + 1));

	if (g->section != SECTION_NONE && end_profile(g, e))
		return -1;
	if (span_starts(line, "PeriodType:")) {
		g->heap = span_ends(value, " bytes");
		return 0;
	}
	if (!g->heap || !span_u64(value, &g->period) || g->period > INT64_MAX)
		g->period = 0;
	g->heap = false;
	return 0;
}

static int read_line(struct go *g, struct span line, struct error *e)
{
	if (span_starts(line, "Samples:")) {
		int ret = end_profile(g, e);

		g->section = SECTION_SAMPLES;
		return ret;
	}
	/* Comments and periods precede the profile. */
	if (span_starts(line, "Comment: ") && g->section != SECTION_SAMPLES)
		keep_comment(g, span_from(line, strlen("Comment: ")));
	if (span_starts(line, "Period") && g->section != SECTION_SAMPLES)
		return read_period(g, line, e);
	switch (g->section) {
	case SECTION_NONE:
		break;
	case SECTION_SAMPLES:
		if (span_starts(line, "Locations")) {
			g->section = SECTION_LOCATIONS;
			return end_sample(g, e);
		}
		if (g->nr_event || !is_types(line))
			return read_sample(g, line, e);
		read_types(g, line);
		break;
	case SECTION_LOCATIONS:
		if (span_starts(line, "Mappings"))
			g->section = SECTION_MAPPINGS;
		else if (line.size)
			read_location(g, line);
		break;
	case SECTION_MAPPINGS:
		if (!g->b->o->first_type)
			read_mapping(g, line);
		break;
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
	intern_release(&g.mapping_ids);
	free(g.values);
	free(g.location);
	free(g.mapping);
	free(g.frame);
	free(g.line);
	strbuf_release(&g.name);
	strbuf_release(&g.comments);
	strbuf_release(&g.sample);
	return ret;
}

/* "Samples:", followed by their types. */
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
