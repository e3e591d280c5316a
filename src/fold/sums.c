#include "fold/sums.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "fold/modules.h"
#include "profile/spelling.h"

#include <math.h>
#include <stdlib.h>

struct builder {
	struct sums *s;
	const struct profile *p;
	const struct sums_opts *o;
	uint32_t *first; /* by frame: its first part, the innermost call */
	size_t nr_part;
	uint32_t *part_text; /* by part, then by key of a frame: a number in sums.text */
	uint32_t *part_row;  /* by part: its row in one context */
	uint32_t *part_in;   /* by part: the context that part_row is of, + 1 */
	bool modules;	     /* SUM_MODULE is among the keys */
	uint32_t *seen;	     /* by row: the number of the count that was added last */
	size_t cap_seen;
	struct intern contexts; /* the texts of the keys of a sample: one array a context */
	struct strbuf text;
};

enum { NR_FRAME_KEYS = NR_SUM_KEYS - SUM_MODULE };

/* The index of the text in b->text, which is emptied. */
static uint32_t text_of(struct builder *b)
{
	uint32_t text = intern(&b->s->text, strbuf_peek(&b->text));

	strbuf_reset(&b->text);
	return text;
}

const struct sum_key_row *sum_key_row(enum sum_key key)
{
	static const struct sum_key_row rows[] = {
#define X(id, ...) [SUM_##id] = { __VA_ARGS__ },
		SUM_KEYS(X)
#undef X
	};

	return &rows[key];
}

/* Frames */

/* The last part of the module's path. */
static void spell_module(struct builder *b, frame_id id, size_t line)
{
	(void)line;
	strbuf_add(&b->text, modules_name(b->p, &b->p->frame[id.i]));
}

static void spell_function(struct builder *b, frame_id id, size_t line)
{
	spelling_frame(&b->text, b->p, id, line, b->o->spelling & ~(unsigned)SPELL_AROUND);
}

/* file:12 */
static void spell_line(struct builder *b, frame_id id, size_t line)
{
	const struct frame *f = &b->p->frame[id.i];

	if (!f->nr_line || !f->line[line].file.i)
		return;
	strbuf_add(&b->text, profile_peek(b->p, f->line[line].file));
	if (f->line[line].line)
		strbuf_addf(&b->text, ":%u", f->line[line].line);
}

static void (*const spell_part[NR_SUM_KEYS])(struct builder *, frame_id, size_t line) = {
	[SUM_MODULE] = spell_module,
	[SUM_FUNCTION] = spell_function,
	[SUM_LINE] = spell_line,
};

static void spell_parts(struct builder *b)
{
	const struct profile *p = b->p;
	bool asked[NR_SUM_KEYS] = { 0 };

	for (size_t k = 0; k < b->o->nr_key; k++)
		asked[b->o->key[k]] = true;
	b->modules = asked[SUM_MODULE];
	b->first = xcalloc(p->nr_frame + 1, sizeof(*b->first));
	for (size_t f = 0; f < p->nr_frame; f++)
		b->first[f + 1] =
			b->first[f] + (p->frame[f].nr_line ? (uint32_t)p->frame[f].nr_line : 1);
	b->nr_part = b->first[p->nr_frame];
	b->part_text = xcalloc(b->nr_part * NR_FRAME_KEYS, sizeof(*b->part_text));
	b->part_row = xcalloc(b->nr_part, sizeof(*b->part_row));
	b->part_in = xcalloc(b->nr_part, sizeof(*b->part_in));
	for (uint32_t f = 0; f < p->nr_frame; f++)
		for (uint32_t i = b->first[f]; i < b->first[f + 1]; i++)
			for (int key = SUM_MODULE; key < NR_SUM_KEYS; key++) {
				if (asked[key])
					spell_part[key](b, (frame_id){ f }, i - b->first[f]);
				b->part_text[(size_t)i * NR_FRAME_KEYS + (size_t)key - SUM_MODULE] =
					text_of(b);
			}
}

/* Samples */

str_id sum_label(const struct profile *p, label_id labels, const char *key)
{
	const struct label_set *set = &p->labels[labels.i];

	for (size_t i = 0; i < set->nr; i++)
		if (span_is(profile_peek(p, set->label[i].key), key))
			return set->label[i].value;
	return (str_id){ 0 };
}

/* A thread is comm-pid/tid. */
static void spell_sample(struct builder *b, const struct count *c, enum sum_key key)
{
	const char *label = sum_key_row(key)->label;

	if (label)
		strbuf_add(&b->text, profile_peek(b->p, sum_label(b->p, c->labels, label)));
	else if (key == SUM_COMM)
		strbuf_add(&b->text, profile_peek(b->p, b->p->thread[c->thread.i].comm));
	else if (key == SUM_THREAD)
		spelling_thread(&b->text, b->p, c->thread,
				SPELL_THREAD | SPELL_PID | SPELL_TID | SPELL_BLANKS);
}

static struct span bytes_of(const uint32_t *cell, size_t nr)
{
	return (struct span){ .at = (const char *)cell, .size = nr * sizeof(*cell) };
}

/* The index of the context of a sample, in whose array the keys of frames are empty. */
static uint32_t context_of(struct builder *b, const struct count *c, uint32_t *cell)
{
	for (size_t k = 0; k < b->o->nr_key; k++) {
		spell_sample(b, c, b->o->key[k]);
		cell[k] = text_of(b);
	}
	return intern(&b->contexts, bytes_of(cell, b->o->nr_key));
}

/* The counts of the chosen events, sorted by context, so that part_row can be reused. */
static uint64_t *shown_counts(struct builder *b, size_t *nr)
{
	const struct profile *p = b->p;
	uint64_t *key = xcalloc(p->nr_count, sizeof(*key));
	uint32_t *cell = xcalloc(b->o->nr_key, sizeof(*cell));

	*nr = 0;
	for (size_t i = 0; i < p->nr_count; i++)
		if (b->o->in[p->count[i].event])
			key[(*nr)++] = sort_key(context_of(b, &p->count[i], cell), i);
	sort_keys(key, *nr);
	free(cell);
	return key;
}

/* Rows */

static uint32_t row_of(struct builder *b, const uint32_t *cell)
{
	struct sums *s = b->s;
	uint32_t cells = intern(&s->cells, bytes_of(cell, s->nr_key));

	if (cells < s->nr)
		return cells;
	GROW(s->row, s->nr, s->cap);
	s->row[s->nr++] = (struct sums_row){ .cells = cells };
	if (s->cap > b->cap_seen) {
		b->seen = xreallocarray(b->seen, s->cap, sizeof(*b->seen));
		memset(b->seen + b->cap_seen, 0, (s->cap - b->cap_seen) * sizeof(*b->seen));
		b->cap_seen = s->cap;
	}
	return cells;
}

static uint32_t text_of_part(const struct builder *b, uint32_t part, enum sum_key key)
{
	return b->part_text[(size_t)part * NR_FRAME_KEYS + key - SUM_MODULE];
}

/* The row of a call of a frame in a context; its module is that of `module_part`. */
static uint32_t make_row(struct builder *b, uint32_t context, uint32_t part, uint32_t module_part,
			 uint32_t *cell)
{
	struct span of_sample = intern_peek(&b->contexts, context);

	if (of_sample.size)
		memcpy(cell, of_sample.at, of_sample.size);
	for (size_t k = 0; k < b->o->nr_key; k++)
		if (sum_key_is_of_frame(b->o->key[k]))
			cell[k] = text_of_part(b, b->o->key[k] == SUM_MODULE ? module_part : part,
					       b->o->key[k]);
	return row_of(b, cell);
}

/* The same for a frame that has its own module, remembered as long as the context stays. */
static uint32_t row_of_part(struct builder *b, uint32_t context, uint32_t part, uint32_t *cell)
{
	if (b->part_in[part] != context + 1) {
		b->part_in[part] = context + 1;
		b->part_row[part] = make_row(b, context, part, part, cell);
	}
	return b->part_row[part];
}

/* The same for a frame on a stack: an inlined call may be in the module of a caller. */
static uint32_t row_on_stack(struct builder *b, uint32_t context, stack_id at, uint32_t part,
			     uint32_t *cell)
{
	const struct stack *stack = b->p->stack;
	uint32_t module_frame = modules_frame(b->p, at).i;

	if (!b->modules || module_frame == stack[at.i].frame.i)
		return row_of_part(b, context, part, cell);
	return make_row(b, context, part, b->first[module_frame], cell);
}

static void add_total(struct builder *b, uint32_t row, weight_sum weight, uint32_t number)
{
	if (b->seen[row] != number)
		b->s->row[row].total += weight;
	b->seen[row] = number;
}

/* Adds to the totals of all calls on the stack, and to the self of the innermost. */
static void add_stack(struct builder *b, uint32_t context, const struct count *c, weight_sum weight,
		      uint32_t number, uint32_t *cell)
{
	uint32_t row;

	if (!c->stack.i) {
		row = row_of_part(b, context, b->first[0], cell);
		b->s->row[row].self += weight;
		add_total(b, row, weight, number);
	}
	for (stack_id at = c->stack; at.i; at = b->p->stack[at.i].caller) {
		uint32_t f = b->p->stack[at.i].frame.i;

		for (uint32_t part = b->first[f]; part < b->first[f + 1]; part++) {
			row = row_on_stack(b, context, at, part, cell);
			if (at.i == c->stack.i && part == b->first[f])
				b->s->row[row].self += weight;
			add_total(b, row, weight, number);
		}
	}
}

static bool has_frame_keys(const struct sums_opts *o)
{
	for (size_t k = 0; k < o->nr_key; k++)
		if (sum_key_is_of_frame(o->key[k]))
			return true;
	return false;
}

static void add_counts(struct builder *b)
{
	bool of_frames = has_frame_keys(b->o);
	uint32_t *cell = xcalloc(b->o->nr_key, sizeof(*cell));
	size_t nr;
	uint64_t *key = shown_counts(b, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct count *c = &b->p->count[sort_what(key[i])];
		weight_sum weight = b->o->samples
					    ? (weight_sum)c->nr
					    : tree_weight(b->p, c->event, c->weight, b->s->scale);

		b->s->all += weight;
		if (of_frames) {
			add_stack(b, sort_by(key[i]), c, weight, (uint32_t)i + 1, cell);
		} else {
			/* The row does not depend on a frame: any part gives the same. */
			uint32_t row = row_of_part(b, sort_by(key[i]), 0, cell);

			b->s->row[row].self += weight;
			b->s->row[row].total += weight;
		}
	}
	free(cell);
	free(key);
}

/* Order */

static int by_cost(const void *a, const void *b, void *arg)
{
	const struct sums_row *x = a, *y = b;
	const struct sums *s = arg;
	int order = 0;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	for (size_t k = 0; k < s->nr_key && !order; k++)
		order = span_compare(sums_peek(s, x, k), sums_peek(s, y, k));
	return order;
}

void sum_add_digits(struct strbuf *out, weight_sum sum, int scale)
{
	char buf[64], *end = buf + sizeof(buf), *at = end;
	bool negative = sum < 0, fraction = false;

	for (int digits = 0; sum || digits <= -scale; digits++) {
		int digit = (int)(sum % 10);

		if (digits == -scale && fraction)
			*--at = '.';
		fraction |= digit != 0 && digits < -scale;
		if (digits >= -scale || fraction)
			*--at = (char)('0' + (negative ? -digit : digit));
		sum /= 10;
	}
	if (negative)
		*--at = '-';
	strbuf_add(out, span_between(at, end));
}

double sum_value(weight_sum sum, int scale)
{
	return (double)sum * pow(10, scale);
}

struct span sums_peek(const struct sums *s, const struct sums_row *row, size_t key)
{
	uint32_t text;

	memcpy(&text, intern_peek(&s->cells, row->cells).at + key * sizeof(text), sizeof(text));
	return intern_peek(&s->text, text);
}

bool sums_has(const struct sums *s, size_t key)
{
	for (size_t i = 0; i < s->nr; i++)
		if (sums_peek(s, &s->row[i], key).size)
			return true;
	return false;
}

void sums_init(struct sums *s, const struct profile *p, const struct sums_opts *o)
{
	struct builder b = { .s = s, .p = p, .o = o };

	*s = (struct sums){ .nr_key = o->nr_key, .scale = o->samples ? 0 : tree_scale(p, o->in) };
	spell_parts(&b);
	add_counts(&b);
	if (s->nr)
		qsort_r(s->row, s->nr, sizeof(*s->row), by_cost, s);
	free(b.first);
	free(b.part_text);
	free(b.part_row);
	free(b.part_in);
	free(b.seen);
	intern_release(&b.contexts);
	strbuf_release(&b.text);
}

void sums_release(struct sums *s)
{
	intern_release(&s->text);
	intern_release(&s->cells);
	free(s->row);
	*s = (struct sums){ 0 };
}
