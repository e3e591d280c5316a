#include "cmd/report/report_tree.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/legible.h"
#include "base/utf8.h"
#include "fold/branches.h"
#include "fold/sums.h"
#include "load/function_list.h"
#include "profile/spelling.h"
#include "render/shorten.h"

#include <stdlib.h>

enum {
	LEVELS_MAX = 40, /* deeper lines are not indented further */
	LEVEL_WIDTH = 3, /* columns */
	NAME_PART = 4,	 /* at least 1 / NAME_PART of the width is for the name, at any depth */
};

/* A line that is still to be written. */
struct pending {
	uint32_t node;
	uint32_t depth; /* in the tree: calls from the root */
	uint32_t level; /* of indentation */
	bool is_chain;	/* it has the whole weight of its caller, and is not indented below it */
	bool is_last;	/* no sibling follows */
	/* Not 0: the line sums up this many children of the node that are too narrow. */
	uint32_t nr_narrow;
	weight_sum narrow; /* their total */
};

struct tree_writer {
	const struct report *r;
	const struct report_tree_opts *o;
	const struct branches *b;
	struct strbuf *out;
	struct pending *pending;
	size_t nr, cap;
	bool more[LEVELS_MAX + 1]; /* by level: does a sibling follow?  Then a guide is drawn */
	size_t nr_line;
	uint32_t levels; /* how many fit, up to LEVELS_MAX */
};

/* A tree of callers: they have no self weight to show. */
static bool is_callers(const struct report_tree_opts *o)
{
	return o->function && o->what == AROUND_CALLERS;
}

static struct span name_of(const struct tree_writer *w, uint32_t node)
{
	const struct tree *t = w->b->t;

	if (node)
		return labels_peek(&t->labels, tree_label(t, node));
	return t->root ? labels_peek(&t->labels, t->root - 1) : SPAN("all");
}

/* A stack: the line that is pushed last is written first. */
static void push(struct tree_writer *w, struct pending line)
{
	GROW(w->pending, w->nr, w->cap);
	w->pending[w->nr++] = line;
}

static bool is_narrow(const struct tree_writer *w, weight_sum total)
{
	return total <= 0 || report_share(w->r, total) < w->o->min;
}

static void push_below(struct tree_writer *w, const struct pending *p)
{
	const struct branches *b = w->b;
	uint32_t begin = b->first[p->node], end = b->first[p->node + 1], wide = begin;
	struct pending narrow = { .node = p->node, .depth = p->depth + 1, .is_last = true };

	/* Children are sorted by weight. */
	while (wide < end && !is_narrow(w, b->total[b->child[wide]]))
		wide++;
	for (uint32_t i = wide; i < end; i++)
		if (b->total[b->child[i]] > 0) {
			narrow.nr_narrow++;
			narrow.narrow += b->total[b->child[i]];
		}
	narrow.level = p->level + (p->level < w->levels);
	/* If they are too narrow even together, text omits them, but not JSON. */
	if (w->r->format != REPORT_JSON && is_narrow(w, narrow.narrow))
		narrow.nr_narrow = 0;
	if (narrow.nr_narrow)
		push(w, narrow);
	for (uint32_t i = wide; i-- > begin;) {
		uint32_t n = b->child[i];
		bool is_chain = b->total[n] == b->total[p->node];

		push(w,
		     (struct pending){
			     .node = n,
			     .depth = p->depth + 1,
			     .level = is_chain ? p->level : narrow.level,
			     .is_chain = is_chain,
			     .is_last = is_chain ? p->is_last : i + 1 == wide && !narrow.nr_narrow,
		     });
	}
}

/* Text */

static void add_guides(const struct tree_writer *w, const struct pending *p, struct strbuf *out)
{
	for (uint32_t i = 1; i < p->level; i++)
		strbuf_add(out, w->more[i] ? SPAN("│  ") : SPAN("   "));
	if (!p->level)
		return;
	if (p->is_chain)
		strbuf_add(out, w->more[p->level] ? SPAN("│  ") : SPAN("   "));
	else
		strbuf_add(out, p->is_last ? SPAN("└─ ") : SPAN("├─ "));
}

static void add_percent(const struct tree_writer *w, weight_sum sum)
{
	double share = report_share(w->r, sum);
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%8.2f %%", 100 * share);
	term_add(w->out, &w->r->term, term_style_of(share), strbuf_peek(&text));
	strbuf_release(&text);
}

/* The width of the columns before the guides. */
static size_t width_of_numbers(const struct tree_writer *w)
{
	return is_callers(w->o) ? 12 : 22;
}

/* The number of levels that leaves enough space for names. */
static uint32_t find_levels(const struct tree_writer *w)
{
	size_t width = w->r->term.width, used = width_of_numbers(w) + width / NAME_PART;

	if (!width || width > used + (size_t)LEVELS_MAX * LEVEL_WIDTH)
		return LEVELS_MAX;
	return width > used ? (uint32_t)((width - used) / LEVEL_WIDTH) : 0;
}

/* Appends as much of a name as fits. */
static void add_name(const struct tree_writer *w, struct span name, size_t room)
{
	struct strbuf text = { 0 };

	legible_add(&text, name);
	shorten(w->out, strbuf_peek(&text), room);
	strbuf_release(&text);
}

static void add_narrow(const struct tree_writer *w, uint32_t nr, size_t room)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "… %u below %g %%", nr, 100 * w->o->min);
	if (utf8_length(strbuf_peek(&text)) > room) {
		strbuf_reset(&text);
		strbuf_addf(&text, "… %u", nr);
	}
	strbuf_add(w->out, strbuf_peek(&text));
	strbuf_release(&text);
}

static void write_text(struct tree_writer *w, const struct pending *p)
{
	size_t room = w->r->term.width ? w->r->term.width - width_of_numbers(w) : SIZE_MAX;
	bool has_self = !is_callers(w->o);
	struct strbuf guides = { 0 };

	add_guides(w, p, &guides);
	add_percent(w, p->nr_narrow ? p->narrow : w->b->total[p->node]);
	if (has_self && p->nr_narrow)
		strbuf_addf(w->out, "%10s", "");
	else if (has_self)
		add_percent(w, w->b->self[p->node]);
	strbuf_add(w->out, SPAN("  "));
	term_add(w->out, &w->r->term, STYLE_DIM, strbuf_peek(&guides));
	if (w->r->term.width)
		room -= utf8_length(strbuf_peek(&guides));
	if (p->nr_narrow)
		add_narrow(w, p->nr_narrow, room);
	else
		add_name(w, name_of(w, p->node), room);
	strbuf_addch(w->out, '\n');
	strbuf_release(&guides);
}

/* JSON: a flat list of rows with their depth, since many parsers limit nesting. */
static void write_json(struct tree_writer *w, const struct pending *p)
{
	strbuf_addf(w->out, "%s\n    {\"depth\": %u, ", w->nr_line ? "," : "", p->depth);
	if (p->nr_narrow) {
		strbuf_addf(w->out, "\"narrow\": %u, \"total\": ", p->nr_narrow);
		sum_add_digits(w->out, p->narrow, w->r->scale);
	} else {
		strbuf_add(w->out, SPAN("\"function\": "));
		json_add_string(w->out, name_of(w, p->node));
		if (!is_callers(w->o)) {
			strbuf_add(w->out, SPAN(", \"self\": "));
			sum_add_digits(w->out, w->b->self[p->node], w->r->scale);
		}
		strbuf_add(w->out, SPAN(", \"total\": "));
		sum_add_digits(w->out, w->b->total[p->node], w->r->scale);
	}
	strbuf_addch(w->out, '}');
}

static void write_line(struct tree_writer *w, const struct pending *p)
{
	if (w->r->format == REPORT_JSON)
		write_json(w, p);
	else
		write_text(w, p);
	w->nr_line++;
}

/* The root; for a tree around a function, that function. */
static struct pending first_line(const struct tree_writer *w)
{
	struct pending p = { .is_last = true };

	if (w->o->function && w->b->first[1] == 1)
		p.node = w->b->child[0];
	return p;
}

static void write_lines(struct tree_writer *w)
{
	size_t most = w->r->most ? w->r->most : SIZE_MAX;

	push(w, first_line(w));
	while (w->nr && w->nr_line < most) {
		struct pending p = w->pending[--w->nr];

		if (p.nr_narrow || !p.is_chain)
			w->more[p.level] = !p.is_last;
		write_line(w, &p);
		if (!p.nr_narrow)
			push_below(w, &p);
	}
	if (w->nr && w->r->format != REPORT_JSON)
		strbuf_add(w->out, SPAN("… (-n 0 shows all)\n"));
}

static void write_heading(const struct tree_writer *w)
{
	term_add(w->out, &w->r->term, STYLE_BOLD,
		 is_callers(w->o) ? SPAN("     total  function and its callers")
				  : SPAN("     total      self  function"));
	strbuf_addch(w->out, '\n');
}

static void write_tree(const struct report *r, const struct report_tree_opts *o,
		       const struct tree *t, struct strbuf *out)
{
	struct branches b;
	struct tree_writer w = { .r = r, .o = o, .b = &b, .out = out };

	branches_init(&b, t);
	w.levels = find_levels(&w);
	switch (r->format) {
	case REPORT_JSON:
		strbuf_add(out, SPAN("  \"rows\": ["));
		write_lines(&w);
		strbuf_add(out, SPAN("\n  ]\n"));
		break;
	case REPORT_MARKDOWN:
		strbuf_add(out, SPAN("```\n"));
		write_heading(&w);
		write_lines(&w);
		strbuf_add(out, SPAN("```\n"));
		break;
	case REPORT_TEXT:
		write_heading(&w);
		write_lines(&w);
		break;
	}
	free(w.pending);
	branches_release(&b);
}

/* By label: is it one of these functions? */
static bool *find_wanted(const struct labels *l, const struct function_list *functions)
{
	bool *wanted = xcalloc(l->nr, sizeof(*wanted));

	for (size_t i = 0; i < functions->nr; i++) {
		struct span name = span_of(functions->at[i]);

		wanted[labels_find(l, name)] = true;
	}
	return wanted;
}

static int write_around(const struct report *r, const struct report_tree_opts *o,
			const struct tree *whole, struct strbuf *out, struct error *e)
{
	struct function_list functions = { 0 };
	struct tree t;
	bool *wanted;

	if (function_list_find(&functions, &whole->labels, r->p, r->c->spelling, o->function, e)) {
		function_list_release(&functions);
		return -1;
	}
	wanted = find_wanted(&whole->labels, &functions);
	around_build(&t, whole, wanted, o->what);
	write_tree(r, o, &t, out);
	around_release(&t);
	free(wanted);
	function_list_release(&functions);
	return 0;
}

int report_tree_write(const struct report *r, const struct report_tree_opts *o, struct strbuf *out,
		      struct error *e)
{
	struct tree_opts to = { .spelling = r->c->spelling,
				.samples = r->c->samples,
				.nr_column = 1,
				.in = { r->in } };
	struct tree t;
	int ret = 0;

	/* A thread may have the name of a function. */
	if (o->function)
		to.spelling &= ~(unsigned)SPELL_THREAD;
	tree_build(&t, r->p, &to);
	if (o->function)
		ret = write_around(r, o, &t, out, e);
	else
		write_tree(r, o, &t, out);
	tree_release(&t);
	return ret;
}
