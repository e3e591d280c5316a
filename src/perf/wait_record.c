#include "perf/wait_record.h"

#include "base/strbuf.h"

/* "WAIT": the first word of the raw data. */
enum { MAGIC = 0x54494157 };

bool wait_record_is_of(const struct attr *a)
{
	return a->switches && a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY &&
	       a->sample_type & PERF_SAMPLE_RAW;
}

void wait_record_put(struct strbuf *to, const struct wait_record *w, enum byte_order order)
{
	append_u32(to, MAGIC, order);
	append_u32(to, w->kind, order);
	append_u32(to, w->reason, order);
	append_u32(to, w->holder, order);
	append_u64(to, w->since, order);
	append_u64(to, w->value, order);
	append_u64(to, w->lock, order);
	strbuf_add(to, w->channel);
	strbuf_addch(to, '\0');
}

bool wait_record_parse(struct wait_record *w, struct span raw, enum byte_order order)
{
	struct fields f = fields_over(raw, order);
	uint32_t magic = fields_u32(&f), kind = fields_u32(&f), reason = fields_u32(&f);

	if (magic != MAGIC || kind >= NR_WAIT_RECORDS || reason >= NR_WAIT_REASONS)
		return false;
	w->kind = (enum wait_record_kind)kind;
	w->reason = (enum wait_reason)reason;
	w->holder = fields_u32(&f);
	w->since = fields_u64(&f);
	w->value = fields_u64(&f);
	w->lock = fields_u64(&f);
	w->channel = fields_text(&f);
	return !f.failed;
}

static void append_two(struct strbuf *to, uint32_t a, uint32_t b)
{
	append_u32(to, a, ORDER_HOST);
	append_u32(to, b, ORDER_HOST);
}

static void append_words(struct strbuf *to, const uint64_t *word, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		append_u64(to, word[i], ORDER_HOST);
}

/* Fields are in the kernel's order. */
void wait_sample_encode(struct strbuf *to, const struct wait_sample_parts *s, const struct attr *a)
{
	size_t begin = to->size, raw, stack = s->stack.size & ~(size_t)7;
	bool in_kernel = s->nr_chain && s->chain[0] == PERF_CONTEXT_KERNEL;

	append_u32(to, PERF_RECORD_SAMPLE, ORDER_HOST);
	append_u16(to, in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, ORDER_HOST);
	append_u16(to, 0, ORDER_HOST);
	append_u64(to, s->id, ORDER_HOST);
	append_u64(to, s->ip, ORDER_HOST);
	append_two(to, s->pid, s->tid);
	append_u64(to, s->time, ORDER_HOST);
	if (a->sample_type & PERF_SAMPLE_CPU)
		append_two(to, s->cpu, 0);
	append_u64(to, 0, ORDER_HOST); /* the period */
	append_u64(to, s->nr_chain, ORDER_HOST);
	append_words(to, s->chain, s->nr_chain);
	raw = to->size;
	append_u32(to, 0, ORDER_HOST);
	wait_record_put(to, s->own, ORDER_HOST);
	while ((to->size - raw) % 8)
		strbuf_addch(to, '\0');
	store_u32(to->at + raw, (uint32_t)(to->size - raw - 4), ORDER_HOST);
	if (a->sample_type & PERF_SAMPLE_REGS_USER) {
		append_u64(to, s->abi, ORDER_HOST);
		append_words(to, s->reg, s->abi ? s->nr_reg : 0);
	}
	if (a->sample_type & PERF_SAMPLE_STACK_USER) {
		append_u64(to, stack, ORDER_HOST);
		strbuf_add(to, span_upto(s->stack, stack));
		if (stack)
			append_u64(to, stack, ORDER_HOST);
	}
	store_u16(to->at + begin + 6, (uint16_t)(to->size - begin), ORDER_HOST);
}
