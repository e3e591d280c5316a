#include "cmd/report/report_brief.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "base/utf8.h"
#include "cmd/print_notes.h"
#include "cmd/report/report_system.h"
#include "fold/sums.h"
#include "render/number.h"
#include "render/shorten.h"

#include <math.h>

/*
 * All lines but those of functions are below BRIEF_MAX together, also if each character has four
 * bytes; the functions take what is left, which is enough for all of them in most programs.
 */
enum { ROWS = 10, NAME_MAX_HERE = 60, MODULE_MAX = 20, TEXT_MAX = 100, MORE_MAX = 48 };

/* The text, cut to so many characters. */
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
				break;
			strbuf_add(&text, SPAN(" of "));
			add_cut(&text, event, NAME_MAX_HERE);
			break;
		}
	add_line(out, "recorded", strbuf_peek(&text), TEXT_MAX);
	strbuf_release(&text);
}

/* Do the weights of the shown events come from samples?  Measured ones have no error of chance. */
static bool is_sampled(const struct report *r)
{
	for (size_t i = 0; i < r->p->nr_event; i++)
		if (r->in[i] && r->p->event[i].source == SOURCE_SAMPLED)
			return true;
	return false;
}

/*
 * How far a share of n samples may be off by chance, with 95 % confidence (Agresti and Coull): 2
 * samples more on either side keep that above 0 for what was met always or never.
 */
static double margin(double share, uint64_t n)
{
	double more = (double)n + 4, p = (share * (double)n + 2) / more;

	return 1.96 * sqrt(p * (1 - p) / more);
}

static void write_row(const struct report *r, const struct sums *s, const struct sums_row *row,
		      struct strbuf *out)
{
	double self = report_share(r, row->self);
	struct span module = sums_peek(s, row, 0);

	strbuf_addf(out, "%7.2f %%", 100 * self);
	if (is_sampled(r))
		strbuf_addf(out, " ±%.2f", 100 * margin(self, r->nr_sample));
	strbuf_addf(out, " %8.2f %%  ", 100 * report_share(r, row->total));
	shorten(out, sums_peek(s, row, 1), NAME_MAX_HERE);
	if (module.size) {
		strbuf_add(out, SPAN(" ("));
		add_cut(out, module, MODULE_MAX);
		strbuf_add(out, SPAN(")"));
	}
	strbuf_addch(out, '\n');
}

/* The name as a word of a shell. */
static void add_quoted(struct strbuf *out, struct span name)
{
	strbuf_addch(out, '\'');
	for (size_t i = 0; i < name.size; i++)
		if (name.at[i] == '\'')
			strbuf_add(out, SPAN("'\\''"));
		else
			strbuf_addch(out, name.at[i]);
	strbuf_addch(out, '\'');
}

/* Can it be typed as it is shown?  Neither what is long nor what would do harm to a terminal. */
static bool is_word_to_type(struct span text, size_t max)
{
	struct strbuf shown = { 0 };
	bool same;

	legible_add(&shown, text);
	same = text.size && text.size <= max && span_eq(strbuf_peek(&shown), text);
	strbuf_release(&shown);
	return same;
}

/* The callers of the largest function. */
static void write_next(struct span hottest, const char *file, struct strbuf *out)
{
	struct span path = span_of(file ? file : "FILE");
	bool callers = is_word_to_type(hottest, NAME_MAX_HERE);

	if (!is_word_to_type(path, TEXT_MAX))
		path = SPAN("FILE");
	strbuf_add(out, SPAN("next: wick "));
	if (callers) {
		strbuf_add(out, SPAN("report --callers "));
		add_quoted(out, hottest);
	} else {
		strbuf_add(out, SPAN("report --tree"));
	}
	strbuf_addch(out, ' ');
	if (span_is(path, "FILE"))
		strbuf_add(out, path);
	else
		add_quoted(out, path);
	strbuf_addch(out, '\n');
}

/* The largest functions, in so many bytes. */
static void write_where(const struct report *r, const struct sums *s, size_t room,
			struct strbuf *out)
{
	struct strbuf row = { 0 };
	size_t i = 0, end = out->size + room - MORE_MAX;

	for (; i < s->nr && i < ROWS && s->row[i].self > 0; i++) {
		strbuf_reset(&row);
		write_row(r, s, &s->row[i], &row);
		if (out->size + row.size > end)
			break;
		strbuf_add(out, strbuf_peek(&row));
	}
	if (i < s->nr)
		strbuf_addf(out, "  and %zu more function%s\n", s->nr - i,
			    s->nr - i == 1 ? "" : "s");
	strbuf_release(&row);
}

void report_brief_write(const struct report *r, const char *file, struct strbuf *out)
{
	static const enum sum_key key[] = { SUM_MODULE, SUM_FUNCTION };
	struct sums_opts o = { .key = key,
			       .nr_key = ARRAY_SIZE(key),
			       .spelling = r->c->spelling,
			       .samples = r->c->samples,
			       .in = r->in };
	struct strbuf text = { 0 }, below = { 0 };
	struct sums s;

	sums_init(&s, r->p, &o);
	add_notes_sum(&text, r->p, NOTES_HIDDEN);
	add_line(&below, "lost", text.size ? strbuf_peek(&text) : SPAN("nothing"),
		 (size_t)2 * TEXT_MAX);
	strbuf_reset(&text);
	report_system_add_line(r->p, &text);
	add_line(&below, "system", strbuf_peek(&text), (size_t)5 * TEXT_MAX);
	write_next(s.nr ? sums_peek(&s, &s.row[0], 1) : SPAN(""), file, &below);
	write_what(r, out);
	strbuf_addf(out, "columns: self%s, total, function\n",
		    is_sampled(r) ? " ± sampling error (95 %)" : "");
	write_where(r, &s, BRIEF_MAX - out->size - below.size, out);
	strbuf_add(out, strbuf_peek(&below));
	strbuf_release(&text);
	strbuf_release(&below);
	sums_release(&s);
}
