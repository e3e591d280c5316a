#include "cmd/diff/diff_report.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/legible.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "cli/messages.h"
#include "cli/table.h"
#include "cmd/diff/sides.h"
#include "render/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct report {
	const struct diff_opts *o;
	const struct diff_report_opts *how;
	const struct diff_result *r;
	struct changes c;
	const char *bullet; /* before each line of text: "" or that of a Markdown list */
	size_t width;	    /* of the terminal: columns; 0: no terminal, nothing is truncated */
};

/* A row of a table. */
struct row {
	uint32_t item;
	double change;
};

struct rows {
	struct row *at;
	size_t nr, cap;
};

static int by_size(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	double dx = fabs(x->change), dy = fabs(y->change);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

static void add_row(struct rows *rows, const struct change_list *l, uint32_t item)
{
	GROW(rows->at, rows->nr, rows->cap);
	rows->at[rows->nr++] =
		(struct row){ .item = item, .change = noise_change(&l->noise, &l->item[item]) };
}

static void sort_rows(struct rows *rows)
{
	if (rows->nr)
		qsort(rows->at, rows->nr, sizeof(*rows->at), by_size);
}

/* Names */

enum cut { CUT_END, CUT_BEGIN };

/* Prints as much of a text as fits into the remaining columns. */
static void print_fitting(const struct report *r, struct span text, size_t used, enum cut cut)
{
	size_t left = r->width > used + 10 ? r->width - used : 10, nr = utf8_length(text);

	if (!r->width || nr <= left) {
		printf("%.*s\n", (int)text.size, text.at);
		return;
	}
	/* One column is for the ellipsis. */
	left--;
	if (cut == CUT_BEGIN) {
		text = span_from(text, utf8_bytes(text, nr - left));
		printf("…%.*s\n", (int)text.size, text.at);
		return;
	}
	printf("%.*s…\n", (int)utf8_bytes(text, left), text.at);
}

static void spell_function(const struct report *r, uint32_t item, struct strbuf *out)
{
	const struct change_list *l = &r->c.functions;
	size_t nr_like = 0;

	if (item == l->nr - 1)
		strbuf_add(out, SPAN("all"));
	else
		legible_add(out, labels_peek(&r->c.tree.labels, item));
	for (uint32_t i = 0; i < l->nr - 1; i++)
		nr_like += l->like[i] == item && i != item;
	if (nr_like)
		strbuf_addf(out, " (and %zu with the same samples)", nr_like);
}

/* The labels from the root to a node; the caller frees path.label. */
static struct label_path path_of(const struct tree *t, uint32_t node)
{
	struct label_path path = { 0 };
	uint32_t at = node;

	for (path.nr = t->root != 0; at; at = tree_parent(t, at))
		path.nr++;
	path.label = xcalloc(path.nr, sizeof(*path.label));
	for (size_t i = path.nr; node; node = tree_parent(t, node))
		path.label[--i] = tree_label(t, node);
	if (t->root)
		path.label[0] = t->root - 1;
	return path;
}

static void spell_path(const struct report *r, uint32_t node, struct strbuf *out)
{
	const struct tree *t = &r->c.tree;
	struct label_path path = path_of(t, node);

	for (size_t i = 0; i < path.nr; i++) {
		if (i)
			strbuf_addch(out, ';');
		legible_add(out, labels_peek(&t->labels, path.label[i]));
	}
	if (!out->size)
		strbuf_add(out, SPAN("all"));
	free(path.label);
}

/* Tables */

typedef void spell_row(const struct report *r, uint32_t item, struct strbuf *out);

/* A number of samples, or a weight if weights are compared, in the event's unit. */
static double amount_of(const struct report *r, double count)
{
	return count * pow(10, r->c.scale);
}

static int digits_of(const struct report *r)
{
	return r->c.scale < 0 ? -r->c.scale : 0;
}

/* "n before", or with the unit of measured weights: "ns before" */
static void spell_amounts(const struct report *r, const char *side, struct strbuf *out)
{
	if (r->r->basis == BASIS_SAMPLES)
		strbuf_addch(out, 'n');
	else
		legible_add(out, profile_peek(&r->r->p, r->r->p.event[EVENT_AFTER].unit));
	strbuf_addf(out, " %s", side);
}

/* "1,234", or with the digits of the event's unit. */
static void add_amount(const struct report *r, double count, struct strbuf *out)
{
	if (digits_of(r))
		strbuf_addf(out, "%.*f", digits_of(r), amount_of(r, count));
	else
		number_add_count(out, amount_of(r, count), SPAN(""));
}

/* Prints the amounts that the verdict is based on. */
static int print_amounts(const struct report *r, const struct change_list *l,
			 const struct noise_item *item)
{
	struct strbuf before = { 0 }, after = { 0 };
	char interval[64];
	double low, high;
	int used;

	noise_interval(&l->noise, item, &low, &high);
	snprintf(interval, sizeof(interval), "[%+.2f, %+.2f]", 100 * low, 100 * high);
	add_amount(r, item->count[0], &before);
	add_amount(r, item->count[1], &after);
	used = printf("%-18s %10s %10s  ", interval, before.at, after.at);
	strbuf_release(&before);
	strbuf_release(&after);
	return used;
}

static double share_before(const struct report *r, const struct noise_item *item)
{
	return r->c.total[0] > 0 ? item->count[0] / r->c.total[0] : 0;
}

static void print_row(const struct report *r, const struct change_list *l, const struct row *row,
		      spell_row *spell, enum cut cut)
{
	const struct noise_item *item = &l->item[row->item];
	double share = share_before(r, item);
	struct strbuf text = { 0 };
	int used = printf("%7.2f %% %7.2f %%  %+7.2f  ", 100 * share, 100 * (share + row->change),
			  100 * row->change);

	if (r->c.claim)
		used += print_amounts(r, l, item);
	spell(r, row->item, &text);
	print_fitting(r, strbuf_peek(&text), used > 0 ? (size_t)used : 0, cut);
	strbuf_release(&text);
}

/* Adds the text as the next cell, and empties it. */
static void add_cell(struct table *t, struct strbuf *text)
{
	table_add(t, strbuf_peek(text), STYLE_PLAIN);
	strbuf_reset(text);
}

static void print_markdown(const struct report *r, const struct change_list *l,
			   const struct rows *rows, const char *what, spell_row *spell)
{
	struct table_column column[] = {
		{ "before", TABLE_NUMBER, false },   { "after", TABLE_NUMBER, false },
		{ "change", TABLE_NUMBER, false },   { what, TABLE_NAME, false },
		{ "interval", TABLE_NUMBER, false }, { NULL, TABLE_NUMBER, false },
		{ NULL, TABLE_NUMBER, false }
	};
	struct table t = { .column = column, .nr_column = r->c.claim ? 7 : 4 };
	struct strbuf text = { 0 }, title[2] = { { 0 }, { 0 } };

	for (int k = 0; k < 2; k++) {
		spell_amounts(r, k ? "after" : "before", &title[k]);
		column[5 + k].title = title[k].at;
	}
	for (size_t i = 0; i < rows->nr && i < r->how->most; i++) {
		const struct noise_item *item = &l->item[rows->at[i].item];
		double share = share_before(r, item), change = rows->at[i].change, low, high;

		strbuf_addf(&text, "%.2f %%", 100 * share);
		add_cell(&t, &text);
		strbuf_addf(&text, "%.2f %%", 100 * (share + change));
		add_cell(&t, &text);
		strbuf_addf(&text, "%+.2f", 100 * change);
		add_cell(&t, &text);
		spell(r, rows->at[i].item, &text);
		add_cell(&t, &text);
		if (!r->c.claim)
			continue;
		noise_interval(&l->noise, item, &low, &high);
		strbuf_addf(&text, "[%+.2f, %+.2f]", 100 * low, 100 * high);
		add_cell(&t, &text);
		for (int k = 0; k < 2; k++) {
			add_amount(r, item->count[k], &text);
			add_cell(&t, &text);
		}
	}
	table_write_markdown(&t, &text);
	printf("\n%.*s", (int)text.size, text.at);
	strbuf_release(&text);
	strbuf_release(&title[0]);
	strbuf_release(&title[1]);
	table_release(&t);
}

static void print_table(const struct report *r, const struct change_list *l, struct rows *rows,
			const char *what, spell_row *spell, enum cut cut)
{
	size_t most = r->how->most;
	struct strbuf before = { 0 }, after = { 0 };

	sort_rows(rows);
	if (r->how->format == DIFF_MARKDOWN) {
		print_markdown(r, l, rows, what, spell);
		if (rows->nr > most)
			printf("\nand %zu more (--top %zu)\n", rows->nr - most, rows->nr);
		return;
	}
	printf("\n%9s %9s  %7s  ", "before", "after", "change");
	spell_amounts(r, "before", &before);
	spell_amounts(r, "after", &after);
	if (r->c.claim)
		printf("%-18s %10s %10s  ", "interval", before.at, after.at);
	puts(what);
	strbuf_release(&before);
	strbuf_release(&after);
	for (size_t i = 0; i < rows->nr && i < most; i++)
		print_row(r, l, &rows->at[i], spell, cut);
	if (rows->nr > most)
		printf("and %zu more (--top %zu)\n", rows->nr - most, rows->nr);
}

/* Counts functions that have samples, and those of them that differ. */
static void count_functions(const struct report *r, size_t *nr, size_t *nr_differ)
{
	const struct change_list *l = &r->c.functions;

	*nr = *nr_differ = 0;
	for (uint32_t i = 0; i < l->nr - 1; i++) {
		if (l->item[i].count[0] <= 0 && l->item[i].count[1] <= 0)
			continue;
		++*nr;
		*nr_differ += noise_change(&l->noise, &l->item[i]) != 0;
	}
}

/* Functions that changed by more than noise; if nothing can be claimed, all that differ. */
static void find_functions(const struct report *r, struct rows *rows)
{
	const struct change_list *l = &r->c.functions;

	for (uint32_t i = 0; i < l->nr; i++)
		if (!l->item[i].same && (r->c.claim ? l->verdict[i] != NOISE_INSIDE
						    : noise_change(&l->noise, &l->item[i]) != 0))
			add_row(rows, l, i);
}

/* Frames that changed, unless one of their callees accounts for half of the change. */
static void find_frames(const struct report *r, struct rows *rows)
{
	const struct change_list *l = &r->c.nodes;
	bool *explained = xcalloc(l->nr, sizeof(*explained));

	for (uint32_t i = (uint32_t)l->nr; i-- > 1;) {
		uint32_t parent = tree_parent(&r->c.tree, i);

		if (l->verdict[i] == NOISE_INSIDE)
			continue;
		if (l->verdict[i] == l->verdict[parent] &&
		    2 * fabs(noise_change(&l->noise, &l->item[i])) >=
			    fabs(noise_change(&l->noise, &l->item[parent])))
			explained[parent] = true;
		if (!explained[i])
			add_row(rows, l, i);
	}
	free(explained);
}

static size_t nr_changed(const struct change_list *l)
{
	size_t nr = 0;

	/* The last item is the total. */
	for (size_t i = 0; i < l->nr - 1; i++)
		nr += l->verdict[i] != NOISE_INSIDE;
	return nr;
}

static double seconds_of(const struct report *r, int side)
{
	double sum = 0;

	for (size_t i = 0; i < r->r->nr_run; i++)
		if ((i >= r->o->nr_before) == side)
			sum += r->r->run_time[i];
	return sum;
}

static void print_side(const struct report *r, int side, const char *name)
{
	struct span unit = profile_peek(&r->r->p, r->r->p.event[EVENT_AFTER].unit);
	size_t files = side ? r->o->nr_after : r->o->nr_before;
	struct strbuf amount = { 0 };

	if (r->r->basis != BASIS_SAMPLES && number_is_measured(unit))
		number_add_count(&amount, amount_of(r, r->c.total[side]), unit);
	else
		add_amount(r, r->c.total[side], &amount);
	printf("%s%-7s %4zu file%s ", r->bullet, name, files, files == 1 ? " " : "s");
	/* printf() would count bytes. */
	for (size_t nr = utf8_length(strbuf_peek(&amount)); nr < 12; nr++)
		putchar(' ');
	fputs(amount.at, stdout);
	if (r->r->basis == BASIS_SAMPLES)
		printf(" sample%s", r->c.total[side] == 1 ? "" : "s");
	if (r->o->normalize == NORMALIZE_DURATION)
		printf(" in %.3f s", seconds_of(r, side));
	putchar('\n');
	strbuf_release(&amount);
}

/* What was set apart, as a share of the whole side. */
static double apart_share(const struct report *r, int side)
{
	double apart = r->r->apart[side];

	return apart > 0 ? 100 * apart / (apart + amount_of(r, r->c.total[side])) : 0;
}

static void print_apart(const struct report *r)
{
	if (r->r->apart[0] > 0 || r->r->apart[1] > 0)
		printf("%sInterrupts and preemption are excluded: %.2f %% of the %s before, %.2f %% after.\n",
		       r->bullet, apart_share(r, 0),
		       r->r->basis == BASIS_SAMPLES ? "samples" : "total", apart_share(r, 1));
}

static void print_sampling(const struct report *r)
{
	struct strbuf text = { 0 };

	if (r->r->basis == BASIS_SAMPLES && sides_list_sampling(&r->r->p, &text))
		printf("%s%c%s.\n", r->bullet, text.at[0] - 'a' + 'A', text.at + 1);
	strbuf_release(&text);
}

/* If both sides have equally many truncated stacks, these explain no change. */
static void print_truncated(const struct report *r)
{
	double before = 100 * r->c.truncated[0] / r->c.total[0],
	       after = 100 * r->c.truncated[1] / r->c.total[1];

	if (before != after)
		printf("%sTruncated stacks: %.2f %% of the samples before, %.2f %% after; they lack callers, so smaller %s are not significant.\n",
		       r->bullet, before, after, before < after ? "decreases" : "increases");
}

static void print_head(const struct report *r)
{
	static const char *const held[] = {
		[NORMALIZE_NONE] = "Changes are percentage points of the total before.",
		[NORMALIZE_TOTAL] = "Changes are percentage points of each side's total.",
		[NORMALIZE_DURATION] =
			"Changes are percentage points of the total before, scaled to equal durations.",
	};
	const struct noise *n = &r->c.functions.noise;

	print_side(r, 0, "before");
	print_side(r, 1, "after");
	printf("%s%s\n", r->bullet, held[r->o->normalize]);
	print_apart(r);
	if (r->r->untold && r->o->counts_are_samples && r->r->basis == BASIS_SAMPLES)
		printf("%sCounts without a unit are treated as samples.\n", r->bullet);
	if (!r->c.claim)
		return;
	print_sampling(r);
	print_truncated(r);
	printf("%sConfidence: %g %% that every reported change is real, if %s.\n", r->bullet,
	       100 * r->o->confidence,
	       n->spread ? "further runs vary as these do"
			 : "recordings of one program differ by at most " NOISE_FLOOR_TEXT);
	if (n->measured)
		printf("%sThese are measurements, not samples: significance depends on their variation between runs.\n",
		       r->bullet);
	if (!n->spread)
		printf("%sSeveral recordings per side measure how much they vary: a1 a2 a3 -- b1 b2 b3.\n",
		       r->bullet);
}

static bool is_empty(const struct report *r)
{
	return r->c.total[0] <= 0 || r->c.total[1] <= 0;
}

/* Why nothing can be claimed. */
static const char *why_unknown(const struct report *r)
{
	if (is_empty(r))
		return r->c.total[0] <= 0 ? "the before side is empty" : "the after side is empty";
	if (r->r->other_event)
		return "before and after count different events";
	if (r->r->untold && !r->o->counts_are_samples)
		return "counts without a unit may not be samples (use --counts samples if they are)";
	if (r->r->basis == BASIS_MEASURED)
		return "these are measurements, whose variation requires at least three runs per side";
	return "the number of samples is unknown";
}

/* "before has page-faults, after has cpu-clock." */
static void print_events(const struct report *r)
{
	struct strbuf text = { 0 };

	sides_list_events(&r->r->p, &text);
	printf("%s.\n", text.at);
	strbuf_release(&text);
}

static void print_no_claim(const struct report *r, struct rows *functions)
{
	if (r->r->other_event)
		print_events(r);
	printf("\n"
	       "Significance unknown: %s%s.\n",
	       why_unknown(r), is_empty(r) ? "" : ", so any change may be due to chance");
	if (is_empty(r))
		return;
	if (!functions->nr)
		puts("Nothing changed.");
	else
		print_table(r, &r->c.functions, functions, "function", spell_function, CUT_END);
}

/* All shares are the same; the totals need not be. */
static void print_same(const struct report *r, size_t nr)
{
	if (r->o->normalize != NORMALIZE_TOTAL || r->c.total[0] == r->c.total[1])
		printf("Nothing changed: all %zu functions are the same.\n", nr);
	else
		printf("No share changed: all %zu functions are the same, but the total after is %.2f times the total before.\n",
		       nr, r->c.total[1] / r->c.total[0]);
}

static void print_changes(const struct report *r, struct rows *functions)
{
	size_t nr, nr_differ, changed = nr_changed(&r->c.functions);
	struct rows frames = { 0 };

	count_functions(r, &nr, &nr_differ);
	if (functions->nr)
		print_table(r, &r->c.functions, functions, "function", spell_function, CUT_END);
	find_frames(r, &frames);
	if (frames.nr)
		print_table(r, &r->c.nodes, &frames, "call path of the change", spell_path,
			    CUT_BEGIN);
	free(frames.at);
	putchar('\n');
	if (!nr_differ && !functions->nr)
		print_same(r, nr);
	else
		printf("%zu of %zu functions did not change significantly.\n", nr - changed, nr);
}

/* JSON */

static void json_number(struct strbuf *out, const char *key, double number)
{
	strbuf_addf(out, "\"%s\": %.10g", key, number);
}

static void json_side(const struct report *r, int side, struct strbuf *out)
{
	strbuf_addf(out, "  \"%s\": {\"files\": %zu, ", side ? "after" : "before",
		    side ? r->o->nr_after : r->o->nr_before);
	strbuf_addf(out, "\"%s\": %.*f, \"set_apart\": %.*f",
		    r->r->basis == BASIS_SAMPLES ? "samples" : "total", digits_of(r),
		    amount_of(r, r->c.total[side]), digits_of(r), r->r->apart[side]);
	if (r->o->normalize == NORMALIZE_DURATION) {
		strbuf_add(out, SPAN(", "));
		json_number(out, "seconds", seconds_of(r, side));
	}
	strbuf_add(out, SPAN("},\n"));
}

static void json_matches(const struct report *r, struct strbuf *out)
{
	strbuf_add(out, SPAN("  \"matched\": ["));
	for (size_t i = 0; i < r->r->matches.nr; i++) {
		strbuf_add(out, i ? SPAN(", {\"before\": ") : SPAN("{\"before\": "));
		json_add_string(out, span_of(r->r->matches.at[i].before));
		strbuf_add(out, SPAN(", \"after\": "));
		json_add_string(out, span_of(r->r->matches.at[i].after));
		strbuf_addch(out, '}');
	}
	strbuf_add(out, SPAN("],\n"));
}

/* The numbers of a row, in percent of a side. */
static void json_row(const struct report *r, const struct change_list *l, const struct row *row,
		     struct strbuf *out)
{
	const struct noise_item *item = &l->item[row->item];
	double share = share_before(r, item), low, high;

	strbuf_add(out, SPAN(", "));
	json_number(out, "before", 100 * share);
	strbuf_add(out, SPAN(", "));
	json_number(out, "after", 100 * (share + row->change));
	strbuf_add(out, SPAN(", "));
	json_number(out, "change", 100 * row->change);
	if (r->c.claim) {
		noise_interval(&l->noise, item, &low, &high);
		strbuf_addf(out, ", \"interval\": [%.10g, %.10g], \"%s\": [%.*f, %.*f]", 100 * low,
			    100 * high, r->r->basis == BASIS_SAMPLES ? "samples" : "measured",
			    digits_of(r), amount_of(r, item->count[0]), digits_of(r),
			    amount_of(r, item->count[1]));
	}
	strbuf_addch(out, '}');
}

static void json_functions(const struct report *r, struct rows *rows, struct strbuf *out)
{
	const struct change_list *l = &r->c.functions;

	strbuf_add(out, SPAN("  \"functions\": ["));
	sort_rows(rows);
	for (size_t i = 0; i < rows->nr; i++) {
		uint32_t item = rows->at[i].item;

		strbuf_addf(out, "%s\n    {\"function\": ", i ? "," : "");
		if (item == l->nr - 1)
			strbuf_add(out, SPAN("null"));
		else
			json_add_string(out, labels_peek(&r->c.tree.labels, item));
		json_row(r, l, &rows->at[i], out);
	}
	strbuf_add(out, rows->nr ? SPAN("\n  ],\n") : SPAN("],\n"));
}

static void json_frames(const struct report *r, struct rows *rows, struct strbuf *out)
{
	const struct tree *t = &r->c.tree;

	strbuf_add(out, SPAN("  \"frames\": ["));
	sort_rows(rows);
	for (size_t i = 0; i < rows->nr; i++) {
		struct label_path path = path_of(t, rows->at[i].item);

		strbuf_addf(out, "%s\n    {\"stack\": [", i ? "," : "");
		for (size_t k = 0; k < path.nr; k++) {
			strbuf_add(out, k ? SPAN(", ") : SPAN(""));
			json_add_string(out, labels_peek(&t->labels, path.label[k]));
		}
		strbuf_addch(out, ']');
		free(path.label);
		json_row(r, &r->c.nodes, &rows->at[i], out);
	}
	strbuf_add(out, rows->nr ? SPAN("\n  ],\n") : SPAN("],\n"));
}

static void print_json(const struct report *r, struct rows *functions)
{
	static const char *const names[] = { [NORMALIZE_NONE] = "none",
					     [NORMALIZE_TOTAL] = "total",
					     [NORMALIZE_DURATION] = "duration" };
	size_t nr, nr_differ;
	struct rows frames = { 0 };
	struct strbuf out = { 0 };

	strbuf_add(&out, SPAN("{\n"));
	json_side(r, 0, &out);
	json_side(r, 1, &out);
	strbuf_addf(&out, "  \"normalize\": \"%s\",\n  ", names[r->o->normalize]);
	json_number(&out, "confidence", 100 * r->o->confidence);
	strbuf_add(&out, SPAN(",\n  "));
	json_number(&out, "not_sampled", 100 * r->c.functions.noise.missed);
	strbuf_addf(&out, ",\n  \"claim\": %s,\n  \"reason\": ", r->c.claim ? "true" : "false");
	if (r->c.claim)
		strbuf_add(&out, SPAN("null"));
	else
		json_add_string(&out, span_of(why_unknown(r)));
	strbuf_add(&out, SPAN(",\n"));
	json_matches(r, &out);
	json_functions(r, functions, &out);
	if (r->c.claim)
		find_frames(r, &frames);
	json_frames(r, &frames, &out);
	count_functions(r, &nr, &nr_differ);
	strbuf_addf(&out, "  \"nr_functions\": %zu,\n  \"nr_changed\": ", nr);
	if (r->c.claim)
		strbuf_addf(&out, "%zu\n}\n", nr_changed(&r->c.functions));
	else
		strbuf_add(&out, SPAN("null\n}\n"));
	fwrite(out.at, 1, out.size, stdout);
	strbuf_release(&out);
	free(frames.at);
}

/* Limits */

static int check_limit(const struct report *r, const struct rows *functions)
{
	int ret = 0;

	for (size_t i = 0; i < functions->nr; i++) {
		const struct row *row = &functions->at[i];
		struct strbuf name = { 0 };

		if (r->c.functions.verdict[row->item] != NOISE_MORE ||
		    row->change <= r->how->fail_above)
			continue;
		spell_function(r, row->item, &name);
		message("%s: %+.2f points exceeds --fail-above %g", name.at, 100 * row->change,
			100 * r->how->fail_above);
		strbuf_release(&name);
		ret = 1;
	}
	return ret;
}

static void print_text(const struct report *r, struct rows *functions)
{
	print_head(r);
	if (r->c.claim)
		print_changes(r, functions);
	else
		print_no_claim(r, functions);
}

static size_t terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}

int diff_report(const struct diff_opts *o, const struct diff_result *r,
		const struct diff_report_opts *how, struct error *e)
{
	struct report report = { .o = o,
				 .how = how,
				 .r = r,
				 .bullet = how->format == DIFF_MARKDOWN ? "- " : "",
				 .width = terminal_width() };
	struct changes_opts co = { .tree = { .spelling = r->spelling },
				   .normalize = o->normalize,
				   .confidence = o->confidence,
				   .basis = r->basis,
				   .nr_run = { o->nr_before, o->nr_after },
				   .run_size = r->run_size };
	struct rows functions = { 0 };
	int ret = 0;

	changes_init(&report.c, &r->p, &co);
	find_functions(&report, &functions);
	if (how->format == DIFF_JSON)
		print_json(&report, &functions);
	else
		print_text(&report, &functions);
	if (how->fails && !report.c.claim)
		ret = error_set(e, ERROR_INPUT, "--fail-above: %s", why_unknown(&report));
	else if (how->fails)
		ret = check_limit(&report, &functions);
	free(functions.at);
	changes_release(&report.c);
	return ret;
}
