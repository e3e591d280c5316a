#include "cmd/diff_report.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cmd/sides.h"

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
	size_t width; /* of the terminal: columns; 0: no terminal, nothing is cut */
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

static bool is_within_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t columns_of(struct span text)
{
	size_t nr = 0;

	for (size_t i = 0; i < text.size; i++)
		nr += !is_within_character(text.at[i]);
	return nr;
}

enum cut { CUT_END, CUT_BEGIN };

/* As much of a text as fits into the columns that are left. */
static void print_fitting(const struct report *r, struct span text, size_t used, enum cut cut)
{
	size_t left = r->width > used + 10 ? r->width - used : 10, nr = columns_of(text), at;

	if (!r->width || nr <= left) {
		printf("%.*s\n", (int)text.size, text.at);
		return;
	}
	/* One column is for the ellipsis. */
	left--;
	if (cut == CUT_BEGIN) {
		size_t skip = nr - left;

		for (at = 0; at < text.size && (skip || is_within_character(text.at[at])); at++)
			skip -= !is_within_character(text.at[at]);
		printf("…%.*s\n", (int)(text.size - at), text.at + at);
		return;
	}
	for (at = 0; at < text.size && (left || is_within_character(text.at[at])); at++)
		left -= !is_within_character(text.at[at]);
	printf("%.*s…\n", (int)at, text.at);
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

static void spell_path(const struct report *r, uint32_t node, struct strbuf *out)
{
	const struct tree *t = &r->c.tree;
	uint32_t *way = NULL;
	size_t nr = 0, cap = 0;

	for (; node; node = tree_parent(t, node)) {
		GROW(way, nr, cap);
		way[nr++] = tree_label(t, node);
	}
	if (t->root)
		legible_add(out, labels_peek(&t->labels, t->root - 1));
	while (nr-- > 0) {
		if (out->size)
			strbuf_addch(out, ';');
		legible_add(out, labels_peek(&t->labels, way[nr]));
	}
	if (!out->size)
		strbuf_add(out, SPAN("all"));
	free(way);
}

/* Tables */

typedef void spell_row(const struct report *r, uint32_t item, struct strbuf *out);

/* Prints the numbers of samples that the verdict is based on. */
static int print_samples(const struct change_list *l, const struct noise_item *item)
{
	char interval[64];
	double low, high;

	noise_interval(&l->noise, item, &low, &high);
	snprintf(interval, sizeof(interval), "[%+.2f, %+.2f]", 100 * low, 100 * high);
	return printf("%-18s %10.0f %10.0f  ", interval, item->count[0], item->count[1]);
}

static void print_row(const struct report *r, const struct change_list *l, const struct row *row,
		      spell_row *spell, enum cut cut)
{
	const struct noise_item *item = &l->item[row->item];
	double share = r->c.total[0] > 0 ? item->count[0] / r->c.total[0] : 0;
	struct strbuf text = { 0 };
	int used = printf("%7.2f %% %7.2f %%  %+7.2f  ", 100 * share, 100 * (share + row->change),
			  100 * row->change);

	if (r->c.claim)
		used += print_samples(l, item);
	spell(r, row->item, &text);
	print_fitting(r, strbuf_peek(&text), used > 0 ? (size_t)used : 0, cut);
	strbuf_release(&text);
}

static void print_table(const struct report *r, const struct change_list *l, struct rows *rows,
			const char *what, spell_row *spell, enum cut cut)
{
	size_t most = r->how->most;

	sort_rows(rows);
	printf("\n%9s %9s  %7s  ", "before", "after", "change");
	if (r->c.claim)
		printf("%-18s %10s %10s  ", "interval", "n before", "n after");
	puts(what);
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

/* How many decimals a weight has: those of the finer side. */
static int digits_of(const struct report *r)
{
	const struct event *event = r->r->p.event;
	int finer = event[EVENT_BEFORE].scale < event[EVENT_AFTER].scale ? event[EVENT_BEFORE].scale
									 : event[EVENT_AFTER].scale;

	return r->r->known || finer >= 0 ? 0 : -finer;
}

static void print_side(const struct report *r, int side, const char *name)
{
	size_t files = side ? r->o->nr_after : r->o->nr_before;

	printf("%-7s %4zu file%s %12.*f%s", name, files, files == 1 ? " " : "s", digits_of(r),
	       r->c.total[side], r->r->known ? " samples" : "");
	if (r->o->normalize == NORMALIZE_DURATION)
		printf(" in %.3f s", r->c.nodes.noise.time[side]);
	putchar('\n');
}

static void print_head(const struct report *r)
{
	static const char *const held[] = {
		[NORMALIZE_NONE] = "Changes are in points of all that before had.",
		[NORMALIZE_TOTAL] = "Changes are in points of a side's total.",
		[NORMALIZE_DURATION] =
			"Changes are in points of all that before had, in the same time.",
	};
	const struct noise *n = &r->c.functions.noise;

	print_side(r, 0, "before");
	print_side(r, 1, "after");
	puts(held[r->o->normalize]);
	if (r->r->untold && r->o->counts_are_samples && r->r->known)
		puts("Counts of folded text are taken for samples.");
	if (!r->c.claim)
		return;
	printf("All that is claimed of functions is true with a confidence of %g %%, %s.\n",
	       100 * r->o->confidence,
	       n->spread ? "as far as the runs tell what differs between runs"
			 : "as far as sampling goes");
	if (!n->spread)
		puts("With one run a side, what differs between runs is not known: give several, a1 a2 a3 -- b1 b2 b3.");
}

static bool is_empty(const struct report *r)
{
	return r->c.total[0] <= 0 || r->c.total[1] <= 0;
}

/* Why nothing can be claimed. */
static const char *why_unknown(const struct report *r)
{
	if (is_empty(r))
		return r->c.total[0] <= 0 ? "there is nothing before" : "there is nothing after";
	if (r->r->other_event)
		return "before and after count different events";
	if (r->r->untold && !r->o->counts_are_samples)
		return "folded text does not say whether its counts are samples (--counts samples if they are)";
	return "these numbers do not tell how many samples there were";
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
	printf("\nNo claim is made: %s%s.\n", why_unknown(r),
	       is_empty(r) ? "" : ", so any of this may be noise");
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
	if (r->c.total[0] == r->c.total[1])
		printf("Nothing changed: all %zu functions are the same.\n", nr);
	else
		printf("No share changed: all %zu functions are the same; after has %.2f times the total of before.\n",
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
		print_table(r, &r->c.nodes, &frames, "frame that changed by itself", spell_path,
			    CUT_BEGIN);
	free(frames.at);
	putchar('\n');
	if (!nr_differ && !functions->nr)
		print_same(r, nr);
	else
		printf("%zu of %zu functions changed by less than the noise.\n", nr - changed, nr);
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
		message("%s: %+.2f points, more than %g", name.at, 100 * row->change,
			100 * r->how->fail_above);
		strbuf_release(&name);
		ret = 1;
	}
	return ret;
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
	struct report report = { .o = o, .how = how, .r = r, .width = terminal_width() };
	struct changes_opts co = { .tree = { .spelling = r->spelling },
				   .normalize = o->normalize,
				   .confidence = o->confidence,
				   .known = r->known,
				   .nr_run = { o->nr_before, o->nr_after },
				   .run_time = r->run_time };
	struct rows functions = { 0 };
	int ret = 0;

	changes_init(&report.c, &r->p, &co);
	find_functions(&report, &functions);
	print_head(&report);
	if (report.c.claim)
		print_changes(&report, &functions);
	else
		print_no_claim(&report, &functions);
	if (how->fails && !report.c.claim)
		ret = error_set(e, ERROR_INPUT, "--fail-above: %s", why_unknown(&report));
	else if (how->fails)
		ret = check_limit(&report, &functions);
	free(functions.at);
	changes_release(&report.c);
	return ret;
}
