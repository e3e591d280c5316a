#include "cmd/stat/stat_print.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/utf8.h"
#include "render/number.h"

#include <math.h>
#include <stdlib.h>

struct stat_row *stat_rows_add(struct stat_rows *r, const char *unit)
{
	GROW(r->at, r->nr, r->cap);
	r->at[r->nr] = (struct stat_row){ .unit = unit };
	return &r->at[r->nr++];
}

void stat_rows_release(struct stat_rows *r)
{
	for (size_t i = 0; i < r->nr; i++) {
		strbuf_release(&r->at[i].name);
		strbuf_release(&r->at[i].note);
	}
	free(r->at);
	*r = (struct stat_rows){ 0 };
}

/* By Welford: the mean and the sum of squares need no other run to be kept. */
void stat_rows_add_run(struct stat_rows *r, struct stat_rows *run)
{
	if (!r->nr_run++) {
		struct stat_rows first = *run;

		*run = (struct stat_rows){ 0 };
		first.nr_run = 1;
		*r = first;
		return;
	}
	for (size_t i = 0; i < r->nr; i++) {
		struct stat_row *row = &r->at[i];
		double before = run->at[i].value - row->value;

		row->counted &= run->at[i].counted;
		row->value += before / r->nr_run;
		row->squares += before * (run->at[i].value - row->value);
	}
}

/* The standard error of the mean, as perf stat -r prints it. */
static double deviation(const struct stat_rows *r, const struct stat_row *row)
{
	return r->nr_run > 1 ? sqrt(row->squares / (r->nr_run - 1) / r->nr_run) : 0;
}

/* Text */

static void add_blanks(struct strbuf *out, size_t used, size_t width)
{
	for (; used < width; used++)
		strbuf_addch(out, ' ');
}

static void add_row(struct strbuf *out, const struct stat_rows *r, const struct stat_row *row)
{
	enum { VALUE_WIDTH = 20, DEVIATION_WIDTH = 12, NAME_WIDTH = 18 };
	struct strbuf value = { 0 };

	number_add_count(&value, row->value, span_of(row->unit));
	add_blanks(out, utf8_length(strbuf_peek(&value)), VALUE_WIDTH);
	strbuf_add(out, strbuf_peek(&value));
	if (r->nr_run > 1) {
		strbuf_reset(&value);
		strbuf_addf(&value, "± %.2f %%",
			    row->value > 0 ? 100 * deviation(r, row) / row->value : 0);
		add_blanks(out, utf8_length(strbuf_peek(&value)), DEVIATION_WIDTH);
		strbuf_add(out, strbuf_peek(&value));
	}
	strbuf_addf(out, "  %s", row->name.at);
	if (row->note.size) {
		add_blanks(out, utf8_length(strbuf_peek(&row->name)), NAME_WIDTH);
		strbuf_addf(out, "  %s", row->note.at);
	}
	strbuf_addch(out, '\n');
	strbuf_release(&value);
}

static bool is_missing(const struct stat_row *row, const struct stat_row *like)
{
	return !row->counted && span_eq(strbuf_peek(&row->note), strbuf_peek(&like->note));
}

/* Events that are missing for the same reason share one line, at the first of them. */
static void add_missing(struct strbuf *out, const struct stat_rows *r, size_t first)
{
	const struct stat_row *like = &r->at[first];

	for (size_t i = 0; i < first; i++)
		if (is_missing(&r->at[i], like))
			return;
	strbuf_add(out, SPAN("not counted: "));
	for (size_t i = first; i < r->nr; i++)
		if (is_missing(&r->at[i], like))
			strbuf_addf(out, "%s%s", i == first ? "" : ", ", r->at[i].name.at);
	strbuf_addf(out, ": %s\n", like->note.at);
}

void stat_print_text(struct strbuf *out, const struct stat_rows *r)
{
	for (size_t i = 0; i < r->nr; i++)
		if (r->at[i].counted)
			add_row(out, r, &r->at[i]);
	for (size_t i = 0; i < r->nr; i++)
		if (!r->at[i].counted)
			add_missing(out, r, i);
}

/* JSON */

void stat_print_json(struct strbuf *out, const struct stat_rows *r)
{
	strbuf_addf(out, "{\"status\": %d, \"runs\": %u, \"counters\": [", r->status, r->nr_run);
	for (size_t i = 0; i < r->nr; i++) {
		const struct stat_row *row = &r->at[i];

		strbuf_addf(out, "%s\n  {\"name\": ", i ? "," : "");
		json_add_string(out, strbuf_peek(&row->name));
		if (row->counted)
			/* A mean of counts has a fraction. */
			strbuf_addf(out, ", \"value\": %.*f", r->nr_run > 1 ? 3 : 0, row->value);
		else
			strbuf_add(out, SPAN(", \"value\": null"));
		if (row->counted && r->nr_run > 1)
			strbuf_addf(out, ", \"deviation\": %.6g", deviation(r, row));
		if (*row->unit)
			strbuf_addf(out, ", \"unit\": \"%s\"", row->unit);
		if (row->note.size) {
			strbuf_add(out, SPAN(", \"note\": "));
			json_add_string(out, strbuf_peek(&row->note));
		}
		strbuf_addch(out, '}');
	}
	strbuf_add(out, SPAN("\n]}\n"));
}
