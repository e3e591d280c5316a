#include "cmd/report/report_brief.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "base/utf8.h"
#include "cmd/print_notes.h"
#include "cmd/report/report_system.h"
#include "cmd/report/report_waits.h"
#include "fold/sums.h"
#include "perf/wait_record.h"
#include "read/perf_script/script_header.h"
#include "render/number.h"
#include "render/shorten.h"

#include <math.h>

/*
 * All lines except those of functions fit into BRIEF_MAX, even if each character has four bytes.  Functions take
 * the rest, which is enough for all rows in most programs.
 */
enum {
	ROWS = 10,
	NAME_MAX_HERE = 60,
	MODULE_MAX = 20,
	LOCK_MAX = 40,
	TEXT_MAX = 100,
	OPTIONS_MAX = 300,
	MORE_MAX = 48
};

/* The data for the lines of a report. */
struct brief {
	const struct report *r;
	const struct report_brief_opts *o;
	struct sums s;
	struct report_waits waits;
	bool only_waits; /* only waits are shown */
};

/* Appends the text, truncated to `max` characters. */
static void add_cut(struct strbuf *out, struct span text, size_t max)
{
	struct strbuf shown = { 0 };

	legible_add(&shown, text);
	text = strbuf_peek(&shown);
	if (utf8_length(text) <= max) {
		strbuf_add(out, text);
	} else {
		strbuf_add(out, span_upto(text, utf8_bytes(text, max - 1)));
		strbuf_add(out, SPAN("…"));
	}
	strbuf_release(&shown);
}

static void add_line(struct strbuf *out, const char *key, struct span text, size_t max)
{
	if (!text.size)
		return;
	strbuf_addf(out, "%s: ", key);
	add_cut(out, text, max);
	strbuf_addch(out, '\n');
}

static void write_what(const struct report *r, struct strbuf *out)
{
	static const char *const keys[] = { "command", "captured" };
	const struct profile *p = r->p;
	const char *between = " of ";
	struct strbuf text = { 0 };

	for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
		for (size_t i = 0; i < p->nr_info; i++)
			if (span_is(profile_peek(p, p->info[i].key), keys[k])) {
				add_line(out, keys[k], profile_peek(p, p->info[i].value), TEXT_MAX);
				break;
			}
	number_add_count(&text, sum_value(r->all, r->scale), r->unit);
	if (!span_is(r->unit, "samples")) {
		strbuf_add(&text, SPAN(" in "));
		number_add_count(&text, (double)r->nr_sample, SPAN("samples"));
	}
	for (size_t i = 0; i < p->nr_event; i++)
		if (r->in[i]) {
			struct span event = profile_peek(p, p->event[i].name);

			/* Folded stacks do not say what their samples are of. */
			if (span_is(event, "samples"))
				continue;
			strbuf_add(&text, span_of(between));
			add_cut(&text, event, NAME_MAX_HERE);
			between = ", ";
		}
	add_line(out, "recorded", strbuf_peek(&text), TEXT_MAX);
	strbuf_release(&text);
}

/* Do the weights of the shown events come from samples?  Measured weights have no sampling error. */
static bool is_sampled(const struct report *r)
{
	for (size_t i = 0; i < r->p->nr_event; i++)
		if (r->in[i] && r->p->event[i].source == SOURCE_SAMPLED)
			return true;
	return false;
}

/*
 * The margin of error of a share of n samples, with 95 % confidence (Agresti and Coull): adding 2 samples to either
 * side keeps it above 0 even for a share of 0 or 1.
 */
static double margin(double share, uint64_t n)
{
	double more = (double)n + 4, p = (share * (double)n + 2) / more;

	return 1.96 * sqrt(p * (1 - p) / more);
}

/* "[lock]": is it the leaf of waits?  These have rows of their own. */
static bool is_reason(const struct brief *b, struct span function)
{
	struct span inside;

	if (!b->waits.nr || function.size < 2 || function.at[0] != '[')
		return false;
	inside = span_upto(span_from(function, 1), function.size - 2);
	for (unsigned i = 0; i < NR_WAIT_REASONS; i++)
		if (span_is(inside, wait_reason_name((enum wait_reason)i)))
			return true;
	return false;
}

static void add_module(struct strbuf *out, struct span module)
{
	if (!module.size)
		return;
	strbuf_add(out, SPAN(" ("));
	add_cut(out, module, MODULE_MAX);
	strbuf_add(out, SPAN(")"));
}

/* sampled: also appends the margin of error. */
static void add_shares(const struct brief *b, const struct sums_row *row, bool sampled,
		       struct strbuf *out)
{
	double share = report_share(b->r, row->self);

	strbuf_addf(out, "%7.2f %%", 100 * share);
	if (sampled)
		strbuf_addf(out, " ±%.2f", 100 * margin(share, b->r->nr_sample));
	if (!b->only_waits)
		strbuf_addf(out, " %8.2f %%", 100 * report_share(b->r, row->total));
	strbuf_add(out, SPAN("  "));
}

static void write_function(const struct brief *b, const struct sums_row *row, struct strbuf *out)
{
	add_shares(b, row, is_sampled(b->r), out);
	shorten(out, sums_peek(&b->s, row, 1), NAME_MAX_HERE);
	add_module(out, sums_peek(&b->s, row, 0));
	strbuf_addch(out, '\n');
}

/* "[lock] < take (app), lock queue_lock (app)" */
static void write_wait(const struct brief *b, const struct report_wait *row, struct strbuf *out)
{
	const struct report_waits *w = &b->waits;
	struct span function = report_wait_cell(w, row, CELL_FUNCTION);
	struct span lock = report_wait_cell(w, row, CELL_LOCK);

	add_shares(b, &(struct sums_row){ .self = row->sum, .total = row->sum }, false, out);
	strbuf_add(out, SPAN("["));
	add_cut(out, report_wait_cell(w, row, CELL_REASON), MODULE_MAX);
	strbuf_add(out, SPAN("]"));
	if (function.size) {
		strbuf_add(out, SPAN(" < "));
		shorten(out, function, NAME_MAX_HERE);
		add_module(out, report_wait_cell(w, row, CELL_MODULE));
	}
	if (lock.size) {
		strbuf_add(out, SPAN(", lock "));
		add_cut(out, lock, LOCK_MAX);
	}
	strbuf_addch(out, '\n');
}

void report_brief_quote(struct strbuf *out, struct span text)
{
	strbuf_addch(out, '\'');
	for (size_t i = 0; i < text.size; i++)
		if (text.at[i] == '\'')
			strbuf_add(out, SPAN("'\\''"));
		else
			strbuf_addch(out, text.at[i]);
	strbuf_addch(out, '\'');
}

/*
 * Can the text be typed as it is shown?  Not if it is truncated, or has characters that a terminal would interpret.
 */
static bool is_word_to_type(struct span text, size_t max)
{
	struct strbuf shown = { 0 };
	bool same;

	legible_add(&shown, text);
	same = text.size && text.size <= max && span_eq(strbuf_peek(&shown), text);
	strbuf_release(&shown);
	return same;
}

static void add_placeholder(struct strbuf *out, struct span text, size_t max, const char *otherwise)
{
	strbuf_addch(out, ' ');
	strbuf_add(out, is_word_to_type(text, max) ? text : span_of(otherwise));
}

/* Are there waits that are not shown, and do they take more time than what is shown? */
static bool has_more_waits(const struct brief *b)
{
	const struct wait_summary *s = b->o->waits;

	return s && s->knows_running && wait_sums_blocked(&s->sums) > s->sums.running &&
	       !b->waits.nr && !b->o->selects_event;
}

/* The next function from index i that is not a reason; NULL: none. */
static const struct sums_row *next_function(const struct brief *b, size_t *i)
{
	while (*i < b->s.nr && is_reason(b, sums_peek(&b->s, &b->s.row[*i], 1)))
		++*i;
	return *i < b->s.nr && !b->only_waits ? &b->s.row[*i] : NULL;
}

static bool is_larger(const struct report_wait *wait, const struct sums_row *function)
{
	return !function || wait->sum >= function->self;
}

/* Appends the view for the largest row, a function or a wait: its callers, or its lock. */
static void add_view(const struct brief *b, struct strbuf *out)
{
	size_t i = 0;
	const struct sums_row *row = next_function(b, &i);
	const struct report_wait *wait = b->waits.nr ? b->waits.row : NULL;
	struct span name = row ? sums_peek(&b->s, row, 1) : SPAN("");

	if (wait && is_larger(wait, row)) {
		if (report_wait_cell(&b->waits, wait, CELL_LOCK).size) {
			strbuf_add(out, SPAN("--by lock"));
			return;
		}
		/* A wait without a function only has its reason. */
		name = report_wait_cell(&b->waits, wait, CELL_FUNCTION);
	}
	if (is_word_to_type(name, NAME_MAX_HERE)) {
		strbuf_add(out, SPAN("--callers "));
		report_brief_quote(out, name);
	} else {
		strbuf_add(out, SPAN("--tree"));
	}
}

/* The command that shows more of the largest row, with the options that selected what is shown. */
static void write_next(const struct brief *b, struct strbuf *out)
{
	struct strbuf path = { 0 };

	strbuf_add(out, SPAN("next: wick report "));
	if (has_more_waits(b))
		strbuf_add(out, SPAN("--brief -e " OFF_CPU));
	else
		add_view(b, out);
	if (b->o->options.size)
		add_placeholder(out, b->o->options, OPTIONS_MAX, "OPTIONS");
	if (b->o->file && is_word_to_type(span_of(b->o->file), TEXT_MAX))
		report_brief_quote(&path, span_of(b->o->file));
	else
		strbuf_add(&path, SPAN("FILE"));
	strbuf_addch(out, ' ');
	strbuf_add(out, strbuf_peek(&path));
	strbuf_addch(out, '\n');
	strbuf_release(&path);
}

/* Appends the next row, the larger of the next function and the next wait.  False: there is none. */
static bool write_row(const struct brief *b, size_t *function, size_t *wait, struct strbuf *out)
{
	const struct sums_row *row = next_function(b, function);

	if (*wait < b->waits.nr && is_larger(&b->waits.row[*wait], row)) {
		write_wait(b, &b->waits.row[(*wait)++], out);
	} else if (row && row->self > 0) {
		write_function(b, row, out);
		++*function;
	} else {
		return false;
	}
	return true;
}

/* The number of functions from index i on, without reasons. */
static size_t nr_functions_from(const struct brief *b, size_t i)
{
	size_t nr = 0;

	for (; i < b->s.nr; i++)
		nr += !is_reason(b, sums_peek(&b->s, &b->s.row[i], 1));
	return nr;
}

static void add_more(struct strbuf *out, size_t nr, const char *what)
{
	if (nr)
		strbuf_addf(out, "  and %zu more %s%s\n", nr, what, nr == 1 ? "" : "s");
}

/* The largest functions and waits, in at most `room` bytes. */
static void write_where(const struct brief *b, size_t room, struct strbuf *out)
{
	struct strbuf row = { 0 };
	size_t function = 0, wait = 0, end = out->size + room - (size_t)2 * MORE_MAX;

	for (size_t i = 0; i < ROWS; i++) {
		size_t next_function = function, next_wait = wait;

		strbuf_reset(&row);
		if (!write_row(b, &next_function, &next_wait, &row) || out->size + row.size > end)
			break;
		strbuf_add(out, strbuf_peek(&row));
		function = next_function;
		wait = next_wait;
	}
	add_more(out, b->waits.nr - wait, "wait");
	if (!b->only_waits)
		add_more(out, nr_functions_from(b, function), "function");
	strbuf_release(&row);
}

static void write_columns(const struct brief *b, struct strbuf *out)
{
	strbuf_addf(out, "columns: %s%s", b->only_waits ? "share" : "self",
		    is_sampled(b->r) ? " ± sampling error (95 %)" : "");
	strbuf_add(out, b->only_waits ? SPAN(", reason < function that waits\n")
				      : SPAN(", total, function"));
	if (!b->only_waits)
		strbuf_add(out,
			   b->waits.nr ? SPAN(", or reason < function that waits\n") : SPAN("\n"));
}

/* The CPU time that samples of a clock do not show, if it is known: ns. */
static double unsampled_time(const struct report *r)
{
	bool clock = false;
	double sum = 0;

	for (size_t i = 0; i < r->p->nr_event; i++)
		clock |= r->in[i] && perf_event_is_clock(profile_peek(r->p, r->p->event[i].name));
	for (size_t i = 0; clock && i < r->p->nr_count; i++) {
		uint32_t event = r->p->count[i].event;

		if (!r->in[event] &&
		    span_is(profile_peek(r->p, r->p->event[event].name), UNSAMPLED))
			sum += (double)r->p->count[i].weight;
	}
	return sum;
}

static void write_lost(const struct report *r, struct strbuf *out)
{
	struct strbuf text = { 0 };
	double unsampled = unsampled_time(r);

	add_notes_sum(&text, r->p, NOTES_HIDDEN);
	if (unsampled > 0) {
		strbuf_add(&text, text.size ? SPAN(", ") : SPAN(""));
		number_add_count(&text, unsampled, SPAN("ns"));
		strbuf_add(&text, SPAN(" of CPU time without samples"));
	}
	add_line(out, "lost", text.size ? strbuf_peek(&text) : SPAN("nothing"),
		 (size_t)2 * TEXT_MAX);
	strbuf_reset(&text);
	report_system_add_line(r->p, &text);
	add_line(out, "system", strbuf_peek(&text), (size_t)5 * TEXT_MAX);
	strbuf_release(&text);
}

/* The states of all threads, whatever is shown. */
static void write_times(const struct wait_summary *s, struct strbuf *out)
{
	struct strbuf text = { 0 };

	if (s)
		wait_summary_add(&text, s);
	add_line(out, "time", strbuf_peek(&text), (size_t)3 * TEXT_MAX);
	strbuf_release(&text);
}

void report_brief_write(const struct report *r, const struct report_brief_opts *o,
			struct strbuf *out)
{
	static const enum sum_key key[] = { SUM_MODULE, SUM_FUNCTION };
	struct sums_opts by = { .key = key,
				.nr_key = ARRAY_SIZE(key),
				.spelling = r->c->spelling,
				.samples = r->c->samples,
				.in = r->in };
	struct brief b = { .r = r, .o = o };
	struct strbuf below = { 0 };

	sums_init(&b.s, r->p, &by);
	report_waits_find(&b.waits, r);
	b.only_waits = b.waits.nr && b.waits.all == r->all;
	write_lost(r, &below);
	write_next(&b, &below);
	write_what(r, out);
	write_times(o->waits, out);
	write_columns(&b, out);
	write_where(&b, BRIEF_MAX - out->size - below.size, out);
	strbuf_add(out, strbuf_peek(&below));
	strbuf_release(&below);
	report_waits_release(&b.waits);
	sums_release(&b.s);
}
