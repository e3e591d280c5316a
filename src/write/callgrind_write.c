/*
 * callgrind's format, for kcachegrind, qcachegrind and callgrind_annotate: the self cost of each
 * line of a function, and the inclusive cost of each call.  An inlined call counts as a call.
 *
 * Each function of a stack gets the cost once.  So that recursion is not counted twice, each level
 * of recursion is a function of its own, named as callgrind does: f'2, f'3, …
 *
 * Samples do not say how often a function was called, so each call has a count of 1.
 */
#include "base/alloc.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "profile/spelling.h"
#include "write/writer.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
	EVENTS_MAX = 32,
	LEVELS_MAX = 64, /* of recursion: deeper levels count as this one */
};

enum name_kind { NAME_OBJECT, NAME_FILE, NAME_FUNCTION, NR_NAMES };

struct function {
	uint32_t name[NR_NAMES];
	uint32_t level; /* of recursion; the first is 1 */
};

/* The cost of a line of a function, or of the calls from there. */
struct cost {
	uint32_t function, line;
	uint32_t callee; /* NO_CALLEE: self cost */
	uint32_t callee_line;
};

#define NO_CALLEE UINT32_MAX

/* A function in the stack that is being counted. */
struct step {
	uint32_t function, line;
};

struct callgrind {
	struct output *out;
	const struct write_what *what;
	const struct profile *p;
	bool *in;
	uint32_t *column; /* by event */
	size_t nr_column;
	struct intern names, functions, costs; /* rows of struct function and struct cost */
	int64_t *value;			       /* by cost, then by column */
	size_t cap_value;
	int64_t total[EVENTS_MAX];
	struct step *path;
	size_t nr_path, cap_path;
	/* By function of level 1: its depth of recursion in the stack whose number is in `stamp` */
	uint32_t *level, *stamp;
	size_t *first;	  /* by frame: where its functions begin in `number`, innermost first */
	uint32_t *number; /* of functions */
	size_t cap_number;
	bool *told[NR_NAMES]; /* by name: was its number defined already? */
	struct strbuf text;
};

static struct span row_span(const void *row, size_t size)
{
	return (struct span){ .at = row, .size = size };
}

static struct function function_at(const struct callgrind *w, uint32_t i)
{
	struct function f;

	memcpy(&f, intern_peek(&w->functions, i).at, sizeof(f));
	return f;
}

static struct cost cost_at(const struct callgrind *w, uint32_t i)
{
	struct cost c;

	memcpy(&c, intern_peek(&w->costs, i).at, sizeof(c));
	return c;
}

/* Counting */

/* A name must not contain a newline, as it stands in a line. */
static uint32_t name_of(struct callgrind *w, struct span name)
{
	strbuf_reset(&w->text);
	for (size_t i = 0; i < name.size; i++)
		strbuf_addch(&w->text, (unsigned char)name.at[i] < ' ' ? '_' : name.at[i]);
	return intern(&w->names, name.size ? strbuf_peek(&w->text) : SPAN("???"));
}

static uint32_t function_of(struct callgrind *w, frame_id id, size_t line)
{
	const struct frame *frame = &w->p->frame[id.i];
	struct function f = { .level = 1 };
	struct strbuf name = { 0 };

	spelling_frame(&name, w->p, id, line, SPELL_ADDRESS);
	f.name[NAME_OBJECT] = name_of(w, profile_peek(w->p, w->p->module[frame->module.i].path));
	f.name[NAME_FILE] = name_of(
		w, line < frame->nr_line ? profile_peek(w->p, frame->line[line].file) : SPAN(""));
	f.name[NAME_FUNCTION] = name_of(w, strbuf_peek(&name));
	strbuf_release(&name);
	return intern(&w->functions, row_span(&f, sizeof(f)));
}

/* Interns the functions of all frames first, so these have the lowest numbers. */
static void name_frames(struct callgrind *w)
{
	size_t nr = 0;

	w->first = xcalloc(w->p->nr_frame, sizeof(*w->first));
	for (uint32_t i = 0; i < w->p->nr_frame; i++) {
		w->first[i] = nr;
		for (size_t line = 0; line < w->p->frame[i].nr_line || !line; line++) {
			GROW(w->number, nr, w->cap_number);
			w->number[nr++] = function_of(w, (frame_id){ i }, line);
		}
	}
	w->level = xcalloc(w->functions.nr, sizeof(*w->level));
	w->stamp = xcalloc(w->functions.nr, sizeof(*w->stamp));
}

static void push(struct callgrind *w, uint32_t stack, frame_id id, size_t line)
{
	const struct frame *frame = &w->p->frame[id.i];
	uint32_t i, level = 0;

	assert(w->number); /* set by name_frames() */
	i = w->number[w->first[id.i] + line];

	if (w->stamp[i] == stack)
		level = w->level[i];
	w->stamp[i] = stack;
	w->level[i] = level < LEVELS_MAX ? level + 1 : level;
	if (level) {
		struct function f = function_at(w, i);

		f.level = w->level[i];
		i = intern(&w->functions, row_span(&f, sizeof(f)));
	}
	/*
	 * Beyond the limit, goes back to the frame that is this function already, dropping the
	 * calls between.
	 */
	while (level == LEVELS_MAX && w->nr_path && w->path[--w->nr_path].function != i)
		;
	GROW(w->path, w->nr_path, w->cap_path);
	w->path[w->nr_path++] =
		(struct step){ i, line < frame->nr_line ? frame->line[line].line : 0 };
}

static void add_cost(struct callgrind *w, const struct cost *c, size_t column, int64_t weight)
{
	uint32_t known = w->costs.nr, i = intern(&w->costs, row_span(c, sizeof(*c)));
	size_t nr = w->nr_column;

	if (i == known) {
		if (i == w->cap_value) {
			w->cap_value = w->cap_value ? 2 * w->cap_value : 256;
			w->value = xreallocarray(w->value, w->cap_value, nr * sizeof(*w->value));
		}
		memset(w->value + i * nr, 0, nr * sizeof(*w->value));
	}
	write_add(&w->value[i * nr + column], weight);
}

/* The frames of a stack from the root. */
static void push_stack(struct callgrind *w, uint32_t number, stack_id stack)
{
	stack_id *at = NULL;
	size_t nr = 0, cap = 0;

	w->nr_path = 0;
	for (; stack.i; stack = w->p->stack[stack.i].caller) {
		GROW(at, nr, cap);
		at[nr++] = stack;
	}
	while (nr-- > 0) {
		frame_id f = w->p->stack[at[nr].i].frame;

		for (size_t line = w->p->frame[f.i].nr_line ? w->p->frame[f.i].nr_line : 1;
		     line-- > 0;)
			push(w, number, f, line);
	}
	if (!w->nr_path)
		push(w, number, (frame_id){ 0 }, 0);
	free(at);
}

static void count(struct callgrind *w, uint32_t number, const struct count *c)
{
	int64_t weight = write_whole(w->p, c->event, c->weight);
	size_t column = w->column[c->event];
	const struct step *last;

	push_stack(w, number, c->stack);
	for (size_t i = 0; i + 1 < w->nr_path; i++) {
		const struct step *s = &w->path[i];

		add_cost(w, &(struct cost){ s->function, s->line, s[1].function, s[1].line },
			 column, weight);
	}
	last = &w->path[w->nr_path - 1];
	add_cost(w, &(struct cost){ last->function, last->line, NO_CALLEE, 0 }, column, weight);
	write_add(&w->total[column], weight);
}

/* Writing */

/* Defines a name at its first use, "fn=(3) main", and refers to it afterwards: "fn=(3)". */
static void put_name(struct callgrind *w, const char *key, enum name_kind kind,
		     const struct function *f)
{
	uint32_t name = f->name[kind];
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s=", key);
	if (kind == NAME_FUNCTION && f->level > 1) {
		strbuf_add(&text, intern_peek(&w->names, name));
		strbuf_addf(&text, "'%u", f->level);
	} else {
		strbuf_addf(&text, "(%u)", name + 1);
		if (!w->told[kind][name]) {
			strbuf_addch(&text, ' ');
			strbuf_add(&text, intern_peek(&w->names, name));
		}
		w->told[kind][name] = true;
	}
	strbuf_addch(&text, '\n');
	output_add(w->out, strbuf_peek(&text));
	strbuf_release(&text);
}

static void put_row(struct callgrind *w, uint32_t line, const int64_t *value)
{
	strbuf_reset(&w->text);
	strbuf_addf(&w->text, "%u", line);
	for (size_t i = 0; i < w->nr_column; i++)
		strbuf_addf(&w->text, " %" PRId64, value[i]);
	strbuf_addch(&w->text, '\n');
	output_add(w->out, strbuf_peek(&w->text));
}

static void put_cost(struct callgrind *w, const struct cost *c, const int64_t *value)
{
	if (c->callee != NO_CALLEE) {
		struct function f = function_at(w, c->callee);

		put_name(w, "cob", NAME_OBJECT, &f);
		put_name(w, "cfi", NAME_FILE, &f);
		put_name(w, "cfn", NAME_FUNCTION, &f);
		strbuf_reset(&w->text);
		strbuf_addf(&w->text, "calls=1 %u\n", c->callee_line);
		output_add(w->out, strbuf_peek(&w->text));
	}
	put_row(w, c->line, value);
}

static int compare_costs(const void *a, const void *b, void *arg)
{
	const struct callgrind *w = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint32_t fx = cost_at(w, x).function, fy = cost_at(w, y).function;

	if (fx != fy)
		return fx < fy ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void put_costs(struct callgrind *w)
{
	uint32_t *order = xcalloc(w->costs.nr, sizeof(*order)), last = NO_CALLEE;

	for (uint32_t i = 0; i < w->costs.nr; i++)
		order[i] = i;
	qsort_r(order, w->costs.nr, sizeof(*order), compare_costs, w);
	for (size_t k = 0; k < NR_NAMES; k++)
		w->told[k] = xcalloc(w->names.nr, sizeof(*w->told[k]));
	for (uint32_t i = 0; i < w->costs.nr; i++) {
		struct cost c = cost_at(w, order[i]);
		struct function f = function_at(w, c.function);

		if (c.function != last) {
			output_char(w->out, '\n');
			put_name(w, "ob", NAME_OBJECT, &f);
			put_name(w, "fl", NAME_FILE, &f);
			put_name(w, "fn", NAME_FUNCTION, &f);
		}
		last = c.function;
		put_cost(w, &c, w->value + order[i] * w->nr_column);
	}
	for (size_t k = 0; k < NR_NAMES; k++)
		free(w->told[k]);
	free(order);
}

/* Event names are one word in this format. */
static void add_event(struct callgrind *w, uint32_t event)
{
	struct span name = profile_peek(w->p, w->p->event[event].name);

	for (size_t k = 0; k < name.size; k++)
		strbuf_addch(&w->text, (unsigned char)name.at[k] <= ' ' ? '_' : name.at[k]);
	if (!name.size)
		strbuf_add(&w->text, SPAN("samples"));
}

static void put_header(struct callgrind *w, const uint32_t *event)
{
	strbuf_reset(&w->text);
	strbuf_add(&w->text, SPAN("# callgrind format\nversion: 1\ncreator: wick\n"));
	for (size_t i = 0; i < w->p->nr_info; i++)
		if (span_is(profile_peek(w->p, w->p->info[i].key), "command")) {
			strbuf_add(&w->text, SPAN("cmd: "));
			strbuf_add(&w->text, profile_peek(w->p, w->p->info[i].value));
			strbuf_addch(&w->text, '\n');
			break;
		}
	strbuf_add(&w->text, SPAN("desc: calls: not counted, each is written as 1\n"));
	/* wick's reader takes costs for measured unless the file says otherwise. */
	for (size_t i = 0; i < w->nr_column; i++) {
		if (w->p->event[event[i]].source == SOURCE_MEASURED)
			continue;
		strbuf_add(&w->text, SPAN("desc: sampled: "));
		add_event(w, event[i]);
		strbuf_addf(&w->text, " %" PRIu64 "\n", write_period(w->p, event[i]));
	}
	strbuf_add(&w->text, SPAN("positions: line\nevents:"));
	for (size_t i = 0; i < w->nr_column; i++) {
		strbuf_addch(&w->text, ' ');
		add_event(w, event[i]);
	}
	strbuf_addch(&w->text, '\n');
	output_add(w->out, strbuf_peek(&w->text));
}

static void put_totals(struct callgrind *w)
{
	strbuf_reset(&w->text);
	strbuf_add(&w->text, SPAN("\ntotals:"));
	for (size_t i = 0; i < w->nr_column; i++)
		strbuf_addf(&w->text, " %" PRId64, w->total[i]);
	strbuf_addch(&w->text, '\n');
	output_add(w->out, strbuf_peek(&w->text));
}

/* The event that is shown first has the first column. */
static int choose_columns(struct callgrind *w, uint32_t *event, struct error *e)
{
	uint32_t first = write_first_event(w->what, w->in);

	w->column = xcalloc(w->p->nr_event, sizeof(*w->column));
	event[w->nr_column++] = first;
	for (uint32_t i = 0; i < w->p->nr_event; i++) {
		if (!w->in[i] || i == first)
			continue;
		if (w->nr_column == EVENTS_MAX) {
			error_set(e, ERROR_INPUT, "callgrind's format holds at most %d events",
				  EVENTS_MAX);
			return error_hint(e, "choose one with -e EVENT");
		}
		w->column[i] = (uint32_t)w->nr_column;
		event[w->nr_column++] = i;
	}
	return 0;
}

int callgrind_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct callgrind w = { .out = out, .what = what, .p = what->p, .in = write_events(what) };
	uint32_t event[EVENTS_MAX] = { 0 };
	int ret = choose_columns(&w, event, e);

	name_frames(&w);
	for (size_t i = 0; i < w.p->nr_count && !ret; i++)
		if (w.in[w.p->count[i].event])
			count(&w, (uint32_t)i + 1, &w.p->count[i]);
	if (!ret) {
		put_header(&w, event);
		put_costs(&w);
		put_totals(&w);
	}
	free(w.in);
	free(w.column);
	free(w.value);
	free(w.path);
	free(w.level);
	free(w.stamp);
	free(w.first);
	free(w.number);
	intern_release(&w.names);
	intern_release(&w.functions);
	intern_release(&w.costs);
	strbuf_release(&w.text);
	return ret;
}
