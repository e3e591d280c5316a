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
