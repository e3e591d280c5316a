/* A table of the functions that cost most, for issues and pull requests. */
#include "base/alloc.h"
#include "fold/sums.h"
#include "profile/spelling.h"
#include "write/writer.h"

/* More than people read; .csv has all of them. */
enum { ROWS_MAX = 50 };

static double share(const struct sums *s, weight_sum part)
{
	return s->all ? (double)part * 100 / (double)s->all : 0;
}

/* Escapes the characters that would end or format a table cell. */
static void add_cell(struct strbuf *line, struct span text)
{
	for (size_t i = 0; i < text.size; i++) {
		char c = text.at[i];

		if (is_one_of(c, "|\\`*_<>[]&#~"))
			strbuf_addch(line, '\\');
		strbuf_addch(line, (unsigned char)c < ' ' ? ' ' : c);
	}
	strbuf_add(line, SPAN(" |"));
}

static void add_weight(struct strbuf *line, const struct sums *s, weight_sum weight)
{
	strbuf_addch(line, ' ');
	sum_add_digits(line, weight, s->scale);
	strbuf_addf(line, " | %.1f %% |", share(s, weight));
}

static void write_head(struct output *out, const struct write_what *what, const struct sums *s)
{
	uint32_t event = write_first_event(what, what->in[0]);
	struct span unit =
		what->samples ? SPAN("samples") : profile_peek(what->p, what->p->event[event].unit);
	struct strbuf line = { 0 };

	strbuf_add(&line, SPAN("Event: "));
	add_cell(&line, profile_peek(what->p, what->p->event[event].name));
	line.size -= 2;
	strbuf_add(&line, SPAN(", total: "));
	sum_add_digits(&line, s->all, s->scale);
	if (unit.size)
		strbuf_addf(&line, " %s", unit.at);
	strbuf_add(&line, SPAN("\n\n| self | | total | | function | module |\n"
			       "|---:|---:|---:|---:|---|---|\n"));
	output_add(out, strbuf_peek(&line));
	strbuf_release(&line);
}

int markdown_writer(struct output *out, const struct write_what *what, struct error *e)
{
	static const enum sum_key keys[] = { SUM_FUNCTION, SUM_MODULE };
	const struct sums_opts o = { .key = keys,
				     .nr_key = ARRAY_SIZE(keys),
				     .spelling = (what->spelling & ~(unsigned)SPELL_AROUND) |
						 SPELL_UTF8,
				     .samples = what->samples,
				     .in = what->in[0] };
	struct strbuf line = { 0 };
	weight_sum rest = 0;
	struct sums s;

	(void)e;
	sums_init(&s, what->p, &o);
	write_head(out, what, &s);
	for (size_t i = 0; i < s.nr; i++) {
		if (i >= ROWS_MAX) {
			rest += s.row[i].self;
			continue;
		}
		strbuf_reset(&line);
		strbuf_addch(&line, '|');
		add_weight(&line, &s, s.row[i].self);
		add_weight(&line, &s, s.row[i].total);
		for (size_t key = 0; key < ARRAY_SIZE(keys); key++) {
			strbuf_addch(&line, ' ');
			add_cell(&line, sums_peek(&s, &s.row[i], key));
		}
		strbuf_addch(&line, '\n');
		output_add(out, strbuf_peek(&line));
	}
	if (s.nr > ROWS_MAX) {
		strbuf_reset(&line);
		strbuf_addf(&line, "\nOther functions: %zu, %.1f %%\n", s.nr - ROWS_MAX,
			    share(&s, rest));
		output_add(out, strbuf_peek(&line));
	}
	sums_release(&s);
	strbuf_release(&line);
	return 0;
}
