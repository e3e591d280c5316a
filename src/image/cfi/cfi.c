#include "image/cfi/cfi.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "image/cfi/cfi_build.h"

#include <elf.h>
#include <stdlib.h>

const struct cfi_machine *cfi_machine_find(unsigned elf)
{
	static const struct cfi_machine machines[] = {
		{ .elf = EM_X86_64, .nr_register = 17, .return_register = 16 },
		{ .elf = EM_AARCH64,
		  .nr_register = 32,
		  .return_register = 30,
		  .signs_returns = true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].elf == elf)
			return &machines[i];
	return NULL;
}

/* Building */

void cfi_builder_init(struct cfi_builder *b, const struct cfi_machine *m,
		      const struct cfi_code *code, size_t nr_code)
{
	struct cfi_rules *rules;

	*b = (struct cfi_builder){ .machine = m, .code = code, .nr_code = nr_code };
	b->cfi = xcalloc(1, sizeof(*b->cfi));
	b->cfi->return_register = m->return_register;
	rules = &b->cfi->rules;
	/* Offset 0 is CFA_NONE: all zeros. */
	rules->cap = 4096;
	rules->pool = xcalloc(1, rules->cap);
	rules->size = sizeof(struct cfi_rule);
}

void cfi_builder_release(struct cfi_builder *b)
{
	free(b->range);
	free(b->row);
	free(b->kept);
	cfi_free(b->cfi);
	*b = (struct cfi_builder){ 0 };
}

static size_t rule_size(const struct cfi_rule *r)
{
	return sizeof(*r) + r->nr_saved * sizeof(r->saved[0]);
}

static uint64_t rule_hash(const void *rule, size_t size)
{
	return intern_hash((struct span){ .at = rule, .size = size });
}

static void grow_slots(struct cfi_rules *rules)
{
	size_t nr = rules->nr_slot ? rules->nr_slot * 2 : 256, at = sizeof(struct cfi_rule);

	free(rules->slot);
	rules->slot = xcalloc(nr, sizeof(*rules->slot));
	rules->nr_slot = nr;
	while (at < rules->size) {
		const struct cfi_rule *r = (const void *)(rules->pool + at);
		size_t size = rule_size(r), i = rule_hash(r, size) & (nr - 1);

		while (rules->slot[i])
			i = (i + 1) & (nr - 1);
		rules->slot[i] = (uint32_t)at;
		at += size;
	}
}

/* See CFA_PLAIN: *words is how many words below the CFA hold all saved registers. */
static bool is_plain(const struct cfi_rule *r, uint8_t return_register, uint8_t *words)
{
	enum { WORD = 8, WORDS_MAX = 255 };
	int32_t lowest = 0;

	for (unsigned i = 0; i < r->nr_saved; i++) {
		int32_t at = r->saved[i].value;

		if (r->saved[i].how != SAVE_AT_CFA || at > -WORD || at < -(WORD * WORDS_MAX))
			return false;
		lowest = at < lowest ? at : lowest;
	}
	*words = (uint8_t)((WORD - 1 - lowest) / WORD);
	return r->cfa == CFA_REGISTER && !r->is_signal && r->nr_saved &&
	       r->saved[0].reg == return_register;
}

/* Writes the rule after the others; the caller keeps it there if it is new.  Returns its size. */
static size_t write_rule(struct cfi_rules *rules, const struct cfi_state *s,
			 uint8_t return_register, bool is_signal)
{
	struct cfi_rule *r;
	uint8_t words;
	uint64_t return_bit = UINT64_C(1) << return_register, rest = s->saved & ~return_bit;

	if (rules->cap - rules->size < sizeof(*r) + CFI_REGISTERS * sizeof(r->saved[0])) {
		rules->cap *= 2;
		rules->pool = xreallocarray(rules->pool, rules->cap, 1);
	}
	r = (void *)(rules->pool + rules->size);
	*r = (struct cfi_rule){ .cfa = s->cfa,
				.base = s->base,
				.offset = s->offset,
				.is_signal = is_signal,
				.is_planted = s->is_planted,
				.plt_from = s->plt_from };
	if (s->saved & return_bit)
		r->saved[r->nr_saved++] = s->reg[return_register];
	/* An undefined return address is how DWARF marks the outermost function. */
	if (r->nr_saved && r->saved[0].how == SAVE_LOST) {
		*r = (struct cfi_rule){ .cfa = CFA_ROOT };
		return sizeof(*r);
	}
	for (; rest; rest &= rest - 1)
		r->saved[r->nr_saved++] = s->reg[__builtin_ctzll(rest)];
	if (is_plain(r, return_register, &words)) {
		r->cfa = CFA_PLAIN;
		r->words = words;
	}
	return rule_size(r);
}

uint32_t cfi_intern_rule(struct cfi_builder *b, const struct cfi_state *s, uint8_t return_register,
			 bool is_signal)
{
	struct cfi_rules *rules = &b->cfi->rules;
	const char *fresh;
	size_t size, i;

	if (s->cfa == CFA_NONE || rules->size > CFI_POOL_MAX)
		return 0;
	if (rules->nr * 2 >= rules->nr_slot)
		grow_slots(rules);
	size = write_rule(rules, s, return_register, is_signal);
	fresh = rules->pool + rules->size;
	i = rule_hash(fresh, size) & (rules->nr_slot - 1);
	for (; rules->slot[i]; i = (i + 1) & (rules->nr_slot - 1)) {
		const struct cfi_rule *r = (const void *)(rules->pool + rules->slot[i]);

		if (rule_size(r) == size && !memcmp(r, fresh, size))
			return rules->slot[i];
	}
	rules->slot[i] = (uint32_t)rules->size;
	rules->size += size;
	rules->nr++;
	return rules->slot[i];
}

void cfi_add_entry(struct cfi_builder *b, uint64_t address)
{
	/*
	 * The size of _start is unknown: it has about 40 bytes, and ends at the latest where an FDE
	 * begins.
	 */
	enum { ENTRY_SIZE = 128 };
	struct cfi_state root = { .cfa = CFA_ROOT };
	struct cfi_range entry = { .first_row = (uint32_t)b->nr_row, .nr_row = 1 };
	struct cfi_lazy *lazy = b->cfi->lazy;

	if ((!b->nr_range && !lazy && !b->cfi->text) ||
	    !cfi_find_code(b, address, ENTRY_SIZE, &entry) ||
	    (lazy && cfi_lazy_find(lazy, entry.begin)))
		return;
	if (lazy && cfi_lazy_next(lazy, entry.begin) < entry.end)
		entry.end = (uint32_t)cfi_lazy_next(lazy, entry.begin);
	for (size_t i = 0; i < b->nr_range; i++) {
		const struct cfi_range *r = &b->range[i];

		if (r->begin <= entry.begin && entry.begin < r->end)
			return;
		if (r->begin > entry.begin && r->begin < entry.end)
			entry.end = r->begin;
	}
	GROW(b->row, b->nr_row, b->cap_row);
	b->row[b->nr_row++] = (struct cfi_row){
		.place = entry.begin,
		.rule = cfi_intern_rule(b, &root, b->machine->return_register, false),
	};
	GROW(b->range, b->nr_range, b->cap_range);
	b->range[b->nr_range++] = entry;
}

/* Finishing */

static void put_row(struct cfi *c, uint32_t place, uint32_t rule)
{
	if (!c->nr || c->row[c->nr - 1].rule != rule)
		c->row[c->nr++] = (struct cfi_row){ .place = place, .rule = rule };
}

/* Stores the rows in the order of the file; a gap between two ranges gets a row of CFA_NONE. */
static void put_rows(struct cfi *c, const struct cfi_builder *b, const uint64_t *order)
{
	uint32_t end = 0;

	for (size_t i = 0; i < b->nr_range; i++) {
		const struct cfi_range *range = &b->range[sort_what(order[i])];

		if (range->begin < end && !range->over)
			continue;
		while (c->nr && c->row[c->nr - 1].place >= range->begin)
			c->nr--;
		if (range->begin > end)
			put_row(c, end, 0);
		for (uint32_t k = 0; k < range->nr_row; k++) {
			const struct cfi_row *row = &b->row[range->first_row + k];

			put_row(c, row->place, row->rule);
		}
		end = range->end;
	}
	put_row(c, end, 0);
}

/*
 * Divides the file into blocks of about four rows, and stores the first row of each: lookups search
 * a few rows only.
 */
static void index_rows(struct cfi *c)
{
	uint32_t end = c->row[c->nr - 1].place;
	size_t row = 0;

	while (end >> c->shift > c->nr / 4)
		c->shift++;
	c->nr_first = (end >> c->shift) + 2;
	c->first = xcalloc(c->nr_first, sizeof(*c->first));
	for (size_t i = 0; i < c->nr_first; i++) {
		while (row + 1 < c->nr && c->row[row + 1].place <= (uint64_t)i << c->shift)
			row++;
		c->first[i] = (uint32_t)row;
	}
}

static void finish_rows(struct cfi *c, const struct cfi_builder *b)
{
	size_t max = b->nr_row + b->nr_range + 1;
	uint64_t *order = xcalloc(b->nr_range, sizeof(*order));

	for (size_t i = 0; i < b->nr_range; i++)
		order[i] = sort_key(b->range[i].begin, i);
	sort_keys(order, b->nr_range);
	c->row = xcalloc(max, sizeof(*c->row));
	put_rows(c, b, order);
	free(order);
	c->row = xreallocarray(c->row, c->nr, sizeof(*c->row));
	index_rows(c);
}

struct cfi *cfi_finish(struct cfi_builder *b)
{
	struct cfi *c = b->cfi;

	if (!b->nr_range && !c->lazy && !c->nr_bad && !c->text)
		return NULL;
	if (b->nr_range)
		finish_rows(c, b);
	b->cfi = NULL;
	return c;
}

void cfi_free(struct cfi *c)
{
	if (!c)
		return;
	cfi_lazy_free(c->lazy);
	cfi_grown_free(c->grown);
	cfi_text_free(c->text);
	free(c->row);
	free(c->first);
	free(c->rules.pool);
	free(c->rules.slot);
	intern_release(&c->rules.expressions);
	free(c);
}

uint32_t cfi_row_find(const struct cfi_row *row, size_t nr, uint64_t place)
{
	/* Without a branch, which the processor would mispredict half of the time. */
	while (nr > 1) {
		size_t half = nr / 2;

		row = row[half].place <= place ? row + half : row;
		nr -= half;
	}
	return row->rule;
}

uint32_t cfi_find(struct cfi *c, uint64_t place)
{
	uint64_t piece = place >> c->shift;
	uint32_t rule;

	if (c->grown)
		return cfi_grown_find(c->grown, place);
	rule = c->lazy ? cfi_lazy_find(c->lazy, place) : 0;
	if (rule || piece + 1 >= c->nr_first)
		return rule;
	return cfi_row_find(c->row + c->first[piece], c->first[piece + 1] - c->first[piece] + 1,
			    place);
}
