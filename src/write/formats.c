#include "write/formats.h"

#include "base/alloc.h"
#include "base/nearest.h"
#include "base/strbuf.h"
#include "read/read.h"

#include <stdio.h>
#include <string.h>

static const struct writer writers[] = {
#define X(id, ...) [FORMAT_##id] = { __VA_ARGS__ },
	WRITERS(X)
#undef X
};

static bool ends_in(struct span path, const char *ending)
{
	return ending && span_ends(path, ending);
}

/* The longest matching extension decides: .speedscope.json is not .json. */
bool format_find(const char *path, enum format *format)
{
	struct span whole = span_of(path);
	size_t longest = 0;

	for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
		const char *const ending[] = { writers[i].ending, writers[i].other_ending };

		for (size_t k = 0; k < ARRAY_SIZE(ending); k++)
			if (ends_in(whole, ending[k]) && strlen(ending[k]) > longest) {
				longest = strlen(ending[k]);
				*format = (enum format)i;
			}
	}
	return longest > 0;
}

size_t format_ending_size(const char *path)
{
	struct span name = span_base(span_of(path));
	enum format format;
	size_t dot = span_rfind(name, '.');

	if (format_find(path, &format)) {
		const char *const ending[] = { writers[format].ending,
					       writers[format].other_ending };

		for (size_t k = 0; k < ARRAY_SIZE(ending); k++)
			if (ends_in(name, ending[k]) && strlen(ending[k]) < name.size)
				return strlen(ending[k]);
	}
	return dot && dot < name.size ? name.size - dot : 0;
}

const struct writer *format_writer(enum format format)
{
	return &writers[format];
}

const char *format_default_path(int to)
{
	return writers[to == FORMAT_BY_NAME ? FORMAT_SVG : to].path;
}

bool format_is_picture(enum format format)
{
	return format == FORMAT_SVG || format == FORMAT_HTML || format == FORMAT_WICK;
}

bool format_is_copied(enum format format)
{
	return format == FORMAT_DATA;
}

bool format_shows_all(enum format format)
{
	return format != FORMAT_SVG && writers[format].holds & HOLDS_EVENTS;
}

/* The kinds of labels in the profile. */
static unsigned held_by_labels(const struct profile *p)
{
	unsigned has = 0;

	for (size_t i = 1; i < p->nr_labels; i++)
		for (size_t k = 0; k < p->labels[i].nr; k++)
			has |= span_is(profile_peek(p, p->labels[i].label[k].key), "cpu")
				       ? HOLDS_CPUS
				       : HOLDS_LABELS;
	return has;
}

static unsigned held_by_frames(const struct profile *p)
{
	unsigned has = 0;

	for (size_t i = 0; i < p->nr_frame; i++) {
		const struct frame *f = &p->frame[i];

		if (f->nr_line > 1 || f->flags & FRAME_INLINED)
			has |= HOLDS_INLINED;
		if (f->module.i)
			has |= HOLDS_MODULES;
		for (size_t k = 0; k < f->nr_line; k++)
			if (f->line[k].line)
				has |= HOLDS_LINES;
	}
	for (size_t i = 1; i < p->nr_module; i++)
		if (p->module[i].build_id.i)
			has |= HOLDS_BUILD_IDS;
	return has;
}

static unsigned held_by_times(const struct profile *p)
{
	unsigned has = 0;

	if (p->timed || p->has_intervals || p->unread & UNREAD_TIMES)
		has |= HOLDS_TIMES;
	for (size_t i = 0; i < p->nr_tick && !(has & HOLDS_SAMPLE_TIMES); i++)
		if (profile_ticks_timed(p, p->tick[i].event) &&
		    p->event[p->tick[i].event].source == SOURCE_SAMPLED)
			has |= HOLDS_SAMPLE_TIMES;
	if (p->nr_link > 1)
		has |= HOLDS_LINKS;
	for (size_t i = 0; i < p->nr_series; i++)
		if (p->series[i].nr)
			has |= HOLDS_SERIES;
	return has;
}

static unsigned held_by_weights(const struct profile *p)
{
	unsigned has = write_overflows(p) ? HOLDS_SUMS : 0;

	for (uint32_t i = 0; i < p->nr_event; i++) {
		if (write_rounds(p, i))
			has |= HOLDS_FRACTIONS;
		if (!span_is(write_unit(p, i), "nanoseconds"))
			has |= HOLDS_WEIGHTS;
	}
	return has;
}

/*
 * The parts (enum writer_holds) that the profile has.  Not events: notes report those that are not
 * written.
 */
static unsigned held_by(const struct profile *p)
{
	unsigned has =
		held_by_labels(p) | held_by_frames(p) | held_by_times(p) | held_by_weights(p);

	if (p->nr_thread > 2)
		has |= HOLDS_THREADS;
	if (p->unread & UNREAD_CPUS)
		has |= HOLDS_CPUS;
	if (p->unread & UNREAD_LABELS)
		has |= HOLDS_LABELS;
	if (p->unread & UNREAD_LINES)
		has |= HOLDS_LINES;
	return has;
}

bool format_loses(enum format format, const struct profile *p, struct strbuf *text)
{
	static const struct {
		const char *name;
		unsigned bit;
		unsigned with; /* not reported if one of these is lost, too */
	} parts[] = {
		{ "times", HOLDS_TIMES, 0 },
		{ "times of samples", HOLDS_SAMPLE_TIMES, HOLDS_TIMES },
		{ "threads", HOLDS_THREADS, 0 },
		{ "which calls are inlined", HOLDS_INLINED, 0 },
		{ "source lines", HOLDS_LINES, 0 },
		{ "labels", HOLDS_LABELS, 0 },
		{ "CPUs", HOLDS_CPUS, 0 },
		{ "fractional weights", HOLDS_FRACTIONS, 0 },
		{ "sums above 2^63", HOLDS_SUMS, 0 },
		{ "weights other than times", HOLDS_WEIGHTS, 0 },
		{ "modules", HOLDS_MODULES, 0 },
		{ "build IDs", HOLDS_BUILD_IDS, HOLDS_MODULES },
		{ "wakers and causes", HOLDS_LINKS, HOLDS_TIMES },
		{ "counters", HOLDS_SERIES, 0 },
	};
	unsigned lost = held_by(p) & ~writers[format].holds;
	size_t nr = 0;

	if (format_is_copied(format))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (lost & parts[i].bit && !(lost & parts[i].with))
			strbuf_addf(text, "%s%s", nr++ ? ", " : "", parts[i].name);
	if (writers[format].holds & HOLDS_TIMED_ONLY && write_untimed(p))
		strbuf_addf(text, "%ssamples without timestamps", nr++ ? ", " : "");
	return nr > 0;
}

int format_choose(const char *path, int to, int piped, enum format *format, struct error *e)
{
	bool is_pipe = !strcmp(path, "-");
	struct nearest n;

	if (to == FORMAT_BY_NAME && is_pipe)
		to = piped;
	if (to != FORMAT_BY_NAME) {
		*format = (enum format)to;
		return 0;
	}
	if (!is_pipe && format_find(path, format))
		return 0;
	if (is_pipe) {
		error_set(e, ERROR_USAGE, "standard output requires a format");
		return error_hint(e,
				  "name it with --to FORMAT; `wick convert --formats` lists all");
	}
	error_set(e, ERROR_USAGE, "%s: unknown file extension", path);
	nearest_init(&n, span_of(path + strlen(path) - format_ending_size(path)));
	for (size_t i = 0; i < ARRAY_SIZE(writers); i++)
		nearest_offer(&n, writers[i].ending);
	if (n.name)
		return error_hint(e, "did you mean %s?  `wick convert --formats` lists all",
				  n.name);
	return error_hint(e, "use .svg or .html; `wick convert --formats` lists all");
}

int format_check_data(const char *path, struct error *e)
{
	if (strcmp(path, "-") != 0)
		return 0;
	return error_set(e, ERROR_USAGE, "perf.data cannot be written to standard output");
}

int format_reader(const char *name, const struct reader **reader, struct error *e)
{
	struct nearest n;

	*reader = reader_find(span_of(name));
	for (size_t i = 0; i < ARRAY_SIZE(writers) && !*reader; i++)
		if (writers[i].reader &&
		    (!strcmp(name, writers[i].name) || !strcmp(name, writers[i].ending + 1)))
			*reader = reader_find(span_of(writers[i].reader));
	if (*reader)
		return 0;
	nearest_init(&n, span_of(name));
	for (const struct reader *const *r = reader_list(); *r; r++)
		nearest_offer(&n, (*r)->name);
	error_set(e, ERROR_USAGE, "unknown format '%s'", name);
	if (n.name)
		return error_hint(e, "did you mean '%s'?  `wick convert --formats` lists all",
				  n.name);
	return error_hint(e, "`wick convert --formats` lists all");
}

void format_list_read(void)
{
	for (const struct reader *const *r = reader_list(); *r; r++)
		printf("%-18s %s\n", (*r)->name, (*r)->title);
}

void format_list_written(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(writers); i++)
		printf("%-18s %s (%s%s%s)\n", writers[i].name, writers[i].title, writers[i].ending,
		       writers[i].other_ending ? ", " : "",
		       writers[i].other_ending ? writers[i].other_ending : "");
}
