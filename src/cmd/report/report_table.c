#include "cmd/report/report_table.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/legible.h"
#include "cli/table.h"
#include "render/number.h"
#include "render/shorten.h"

/* Is it one of "sym|symbol"? */
static bool is_other_name(struct span name, const char *others)
{
	struct span rest = span_of(others ? others : "");

	while (rest.size) {
		struct span other = span_upto(rest, span_find(rest, '|'));

		if (span_eq(name, other))
			return true;
		rest = span_from(rest, other.size + 1);
	}
	return false;
}

static bool find_key(struct span name, enum sum_key *key)
{
	for (int i = 0; i < NR_SUM_KEYS; i++) {
		const struct sum_key_row *row = sum_key_row((enum sum_key)i);

		if (span_is(name, row->name) || is_other_name(name, row->other_names)) {
			*key = (enum sum_key)i;
			return true;
		}
	}
	return false;
}

static int unknown_key(struct span name, struct error *e)
{
	error_set(e, ERROR_USAGE, "invalid key '%.*s' for --by: expected ", (int)name.size,
		  name.at);
	for (int i = 0; i < NR_SUM_KEYS; i++)
		error_add(e, "%s%s",
			  !i			? ""
			  : i + 1 < NR_SUM_KEYS ? ", "
						: " or ",
			  sum_key_row((enum sum_key)i)->name);
	return -1;
}

int report_keys_parse(const char *text, enum sum_key *key, size_t *nr, struct error *e)
{
	struct span rest = span_of(text);

	*nr = 0;
	do {
		struct span name = span_upto(rest, span_find(rest, ','));
		enum sum_key found;

		if (!find_key(name, &found))
			return unknown_key(name, e);
		for (size_t i = 0; i < *nr; i++)
			if (key[i] == found)
				return error_set(e, ERROR_USAGE, "--by: %s is given twice",
						 sum_key_row(found)->name);
		key[(*nr)++] = found;
		rest = span_from(rest, name.size + 1);
	} while (rest.size);
	return 0;
}

static bool has_frame_keys(const enum sum_key *key, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (sum_key_is_of_frame(key[i]))
			return true;
	return false;
}

/* The number of rows without those of weight 0, which are last: a filter removed their samples. */
static size_t nr_rows(const struct sums *s)
{
	size_t nr = s->nr;

	while (nr && s->row[nr - 1].self <= 0 && s->row[nr - 1].total <= 0)
		nr--;
	return nr;
}

/* May a key be missing in all samples?  The module may, beside functions. */
static bool may_miss(enum sum_key missing, const enum sum_key *key, size_t nr_key)
{
	for (size_t k = 0; k < nr_key; k++)
		if (key[k] == SUM_FUNCTION)
			return missing == SUM_MODULE;
	return false;
}

/* Text */

enum { COLUMNS_MAX = 4 + NR_SUM_KEYS };

struct columns {
	struct table_column at[COLUMNS_MAX];
	size_t nr;
	bool total; /* there is a column of totals: only for keys of frames */
	bool measured;
	bool shown[NR_SUM_KEYS];
	struct strbuf unit; /* its title */
};

static void push(struct columns *c, const char *title, enum table_kind kind)
{
	c->at[c->nr++] = (struct table_column){ .title = title, .kind = kind };
}

static void find_columns(const struct report *r, const enum sum_key *key, const struct sums *s,
			 struct columns *c)
{
	*c = (struct columns){ .total = has_frame_keys(key, s->nr_key),
			       .measured = number_is_measured(r->unit) };
	legible_add(&c->unit, r->unit);
	push(c, c->total ? "self" : "share", TABLE_NUMBER);
	if (c->total)
		push(c, "total", TABLE_NUMBER);
	push(c, c->unit.at, TABLE_NUMBER);
	push(c, "", TABLE_BAR);
	for (size_t k = 0; k < s->nr_key; k++) {
		c->shown[k] = sums_has(s, k);
		if (c->shown[k])
			push(c, sum_key_row(key[k])->name,
			     key[k] == SUM_LINE ? TABLE_PATH : TABLE_NAME);
		/* If the table is too wide, the column of modules is dropped first. */
		if (c->shown[k] && key[k] == SUM_MODULE)
			c->at[c->nr - 1].spare = may_miss(SUM_MODULE, key, s->nr_key);
	}
}

/* Samples without the label have a row, too. */
static struct span or_none(struct span text, enum sum_key key)
{
	return text.size || !sum_key_row(key)->label ? text : SPAN("(none)");
}

static void add_percent(struct table *t, double share)
{
	struct strbuf text = { 0 };

	report_add_percent(&text, share);
	table_add(t, strbuf_peek(&text), term_style_of(share));
	strbuf_release(&text);
}

static void add_row(const struct report *r, const enum sum_key *key, const struct columns *c,
		    const struct sums *s, const struct sums_row *row, struct table *t)
{
	double share = report_share(r, row->self);
	struct strbuf text = { 0 };

	add_percent(t, share);
	if (c->total)
		add_percent(t, report_share(r, row->total));
	number_add_count(&text, sum_value(row->self, s->scale), c->measured ? r->unit : SPAN(""));
	table_add(t, strbuf_peek(&text), STYLE_PLAIN);
	table_add_bar(t, share);
	for (size_t k = 0; k < s->nr_key; k++)
		if (c->shown[k])
			table_add(t, or_none(sums_peek(s, row, k), key[k]), STYLE_PLAIN);
	strbuf_release(&text);
}

static void write_table(const struct report *r, const enum sum_key *key, const struct sums *s,
			size_t nr, struct strbuf *out)
{
	struct table t = { .shorten = shorten };
	struct columns columns;

	find_columns(r, key, s, &columns);
	t.column = columns.at;
	t.nr_column = columns.nr;
	for (size_t i = 0; i < nr && (!r->most || i < r->most); i++)
		add_row(r, key, &columns, s, &s->row[i], &t);
	if (r->format == REPORT_MARKDOWN)
		table_write_markdown(&t, out);
	else
		table_write(&t, &r->term, out);
	report_write_more(r, nr, out);
	table_release(&t);
	strbuf_release(&columns.unit);
}

/* JSON */

static void write_json(const struct report *r, const enum sum_key *key, const struct sums *s,
		       size_t nr, struct strbuf *out)
{
	strbuf_add(out, SPAN("  \"rows\": ["));
	for (size_t i = 0; i < nr && (!r->most || i < r->most); i++) {
		strbuf_addf(out, "%s\n    {", i ? "," : "");
		for (size_t k = 0; k < s->nr_key; k++) {
			strbuf_addf(out, "\"%s\": ", sum_key_row(key[k])->name);
			json_add_string(out, sums_peek(s, &s->row[i], k));
			strbuf_add(out, SPAN(", "));
		}
		strbuf_add(out, SPAN("\"self\": "));
		sum_add_digits(out, s->row[i].self, s->scale);
		strbuf_add(out, SPAN(", \"total\": "));
		sum_add_digits(out, s->row[i].total, s->scale);
		strbuf_addch(out, '}');
	}
	strbuf_add(out, SPAN("\n  ]\n"));
}

/* Are reasons of waits recorded?  Then locks are, too. */
static bool has_reasons(const struct report *r, struct sums_opts o)
{
	static const enum sum_key reason = SUM_REASON;
	struct sums s;
	bool has;

	o.key = &reason;
	o.nr_key = 1;
	sums_init(&s, r->p, &o);
	has = sums_has(&s, 0);
	sums_release(&s);
	return has;
}

static int report_missing_key(const struct report *r, const struct sums_opts *o, enum sum_key key,
			      struct error *e)
{
	if (key == SUM_LOCK && has_reasons(r, *o))
		return error_set(e, ERROR_INPUT, "no thread waited for a lock");
	error_set(e, ERROR_INPUT, "the samples of this input have no %s", sum_key_row(key)->name);
	return sum_key_row(key)->hint ? error_hint(e, "%s", sum_key_row(key)->hint) : -1;
}

int report_table_write(const struct report *r, const enum sum_key *key, size_t nr_key,
		       struct strbuf *out, struct error *e)
{
	struct sums_opts o = { .key = key,
			       .nr_key = nr_key,
			       .spelling = r->c->spelling,
			       .samples = r->c->samples,
			       .in = r->in };
	struct sums s;
	int ret = 0;

	sums_init(&s, r->p, &o);
	for (size_t k = 0; k < nr_key && !ret; k++)
		if (!sums_has(&s, k) && !may_miss(key[k], key, nr_key))
			ret = report_missing_key(r, &o, key[k], e);
	if (!ret && r->format == REPORT_JSON)
		write_json(r, key, &s, nr_rows(&s), out);
	else if (!ret)
		write_table(r, key, &s, nr_rows(&s), out);
	sums_release(&s);
	return ret;
}
