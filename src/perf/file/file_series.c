/*
 * The series of a profile, such as CPU usage, in a feature section of wick's own, whose number perf
 * does not use and skips.  It is text: a line for each series, and one for each of its points.
 *
 *	wick series 1
 *	series	cpu	%	machine	-1
 *	81912345678901 421
 */
#include "base/strbuf.h"
#include "base/text.h"
#include "perf/file/perf_data.h"
#include "perf/file/recording.h"

#include <inttypes.h>

static const char first_line[] = "wick series 1";

/* The next column of a line. */
static struct span take_column(struct span *line)
{
	struct span column = span_upto(*line, span_find(*line, '\t'));

	*line = span_from(*line, column.size + 1);
	return column;
}

/* "-1": a whole number. */
static bool parse_signed(struct span text, int64_t *number)
{
	bool is_negative = span_starts(text, "-");
	uint64_t size;

	if (!span_u64(is_negative ? span_from(text, 1) : text, &size) || size > INT64_MAX)
		return false;
	*number = is_negative ? -(int64_t)size : (int64_t)size;
	return true;
}

/* "cpu	%	machine	-1" */
static struct series *open_series(struct profile *p, struct span line)
{
	struct span name = take_column(&line), unit = take_column(&line),
		    scope = take_column(&line);
	int64_t scale;
	struct series *s;

	if (!name.size || !parse_signed(line, &scale) || scale > 0 || scale < PROFILE_SCALE_MIN)
		return NULL;
	s = profile_series(p, name, unit, scope);
	if (s && !s->nr)
		s->scale = (int)scale;
	return s && s->scale == scale ? s : NULL;
}

void perf_series_read(struct perf_data *d, struct span bytes)
{
	struct profile *p = d->b->p;
	struct series *s = NULL;
	struct text text;
	struct span line;
	bool is_valid;

	text_over(&text, bytes);
	is_valid = text_line(&text, &line) && span_is(line, first_line);
	while (is_valid && text_line(&text, &line)) {
		struct span time = span_word(&line);
		uint64_t ns;
		int64_t value;

		if (span_is(time, "series")) {
			s = open_series(p, span_from(line, 1));
			is_valid = s != NULL;
		} else {
			is_valid = s && span_u64(time, &ns) && ns <= INT64_MAX &&
				   parse_signed(span_trim(line), &value);
			if (is_valid)
				series_add(p, s, ns, value);
		}
	}
	text_release(&text);
	if (!is_valid)
		notes_add(&p->notes, NOTE_BAD_RECORD, 1, 0, SPAN("system metrics"));
}

void recording_set_series(struct recording *r, const struct profile *p)
{
	struct strbuf out = { 0 };

	for (size_t i = 0; i < p->nr_series; i++) {
		const struct series *s = &p->series[i];
		struct span name = profile_peek(p, s->name), unit = profile_peek(p, s->unit),
			    scope = profile_peek(p, s->scope);

		if (!out.size)
			strbuf_addf(&out, "%s\n", first_line);
		strbuf_addf(&out, "series\t%.*s\t%.*s\t%.*s\t%d\n", (int)name.size, name.at,
			    (int)unit.size, unit.at, (int)scope.size, scope.at, s->scale);
		for (size_t k = 0; k < s->nr; k++)
			strbuf_addf(&out, "%" PRIu64 " %" PRId64 "\n", s->point[k].time,
				    s->point[k].value);
	}
	if (out.size)
		recording_set_feature(r, FEATURE_SERIES, strbuf_peek(&out));
	strbuf_release(&out);
}
