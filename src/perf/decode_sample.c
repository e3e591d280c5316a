/* Decodes PERF_RECORD_SAMPLE, whose fields are in the order of sample_decode(). */
#include "perf/event.h"

static void take_thread(struct record *r, struct fields *f)
{
	r->pid = fields_u32(f);
	r->tid = fields_u32(f);
}

static void take_cpu(struct record *r, struct fields *f)
{
	r->cpu = fields_u32(f);
	fields_take(f, 4);
}

static unsigned nr_set(uint64_t bits)
{
	return (unsigned)__builtin_popcountll(bits);
}

/*
 * PERF_SAMPLE_READ, which depends on read_format.  A group: its size, the times, then value, id, …
 * for each counter.  A single counter: value, the times, then id, …
 */
struct read_layout {
	unsigned times; /* words */
	unsigned each;	/* words of one counter */
	bool group;
};

static struct read_layout read_layout(const struct attr *a)
{
	const uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;

	/* The value, and one word for each other bit: id, lost samples. */
	return (struct read_layout){
		.times = nr_set(a->read_format & times),
		.each = 1 + nr_set(a->read_format & ~(times | PERF_FORMAT_GROUP)),
		.group = a->read_format & PERF_FORMAT_GROUP,
	};
}

static struct words take_reads(const struct attr *a, struct fields *f)
{
	struct read_layout l = read_layout(a);
	uint64_t nr = l.group ? fields_u64(f) : 1;

	if (nr > fields_left(f))
		nr = UINT64_MAX / l.each / 2;
	return fields_words(f, l.times + nr * l.each);
}

bool sample_counter(const struct sample *s, const struct attr *a, size_t i, uint64_t *id,
		    uint64_t *value)
{
	struct read_layout l = read_layout(a);

	if (!(a->read_format & PERF_FORMAT_ID) || l.times + (i + 1) * l.each > s->reads.nr)
		return false;
	*value = word_at(&s->reads, l.group ? l.times + i * l.each : 0);
	*id = word_at(&s->reads, l.times + i * l.each + 1);
	return true;
}

/* The size (4 bytes) and the bytes are padded to a multiple of 8. */
static struct span take_raw(struct fields *f)
{
	uint32_t size = fields_u32(f);
	struct span raw = fields_take(f, size);

	fields_take(f, (8 - (4 + (uint64_t)size) % 8) % 8);
	return raw;
}

/* PERF_SAMPLE_BRANCH_COUNTERS, which older headers lack. */
enum { BRANCH_COUNTERS = 1 << 19 };

static struct words take_branches(const struct attr *a, struct fields *f)
{
	uint64_t nr = fields_u64(f);
	struct words w;

	if (a->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		fields_u64(f);
	if (nr > fields_left(f) / BRANCH_WORDS)
		nr = UINT64_MAX / BRANCH_WORDS;
	w = fields_words(f, nr * BRANCH_WORDS);
	if (a->branch_sample_type & BRANCH_COUNTERS)
		fields_words(f, nr);
	return w;
}

static struct words take_regs(uint64_t mask, struct fields *f, uint64_t *abi)
{
	*abi = fields_u64(f);
	return fields_words(f, *abi ? nr_set(mask) : 0);
}

static void take_stack(struct sample *s, struct fields *f)
{
	uint64_t filled;

	s->stack_asked = fields_u64(f);
	if (!s->stack_asked)
		return;
	s->stack = fields_take(f, s->stack_asked);
	filled = fields_u64(f);
	s->stack = span_upto(s->stack, filled < s->stack.size ? (size_t)filled : s->stack.size);
}

bool sample_decode(struct record *r, const struct attr *a, struct fields *f)
{
	uint64_t has = a->sample_type, size;
	struct sample *s = &r->sample;
	const char *from = f->at;

	*s = (struct sample){ .period = a->freq ? 1 : a->period };
	if (has & PERF_SAMPLE_IDENTIFIER)
		r->id = fields_u64(f);
	if (has & PERF_SAMPLE_IP)
		s->ip = fields_u64(f);
	if (has & PERF_SAMPLE_TID)
		take_thread(r, f);
	if (has & PERF_SAMPLE_TIME)
		r->time = fields_u64(f);
	if (has & PERF_SAMPLE_ADDR)
		s->addr = fields_u64(f);
	if (has & PERF_SAMPLE_ID)
		r->id = fields_u64(f);
	if (has & PERF_SAMPLE_STREAM_ID)
		fields_u64(f);
	if (has & PERF_SAMPLE_CPU)
		take_cpu(r, f);
	if (has & PERF_SAMPLE_PERIOD)
		s->period = fields_u64(f);
	if (has & PERF_SAMPLE_READ)
		s->reads = take_reads(a, f);
	s->parts.who = span_between(from, f->at);
	if (has & PERF_SAMPLE_CALLCHAIN)
		s->callchain = fields_words(f, fields_u64(f));
	from = f->at;
	if (has & PERF_SAMPLE_RAW)
		s->raw = take_raw(f);
	s->parts.raw = span_between(from, f->at);
	from = f->at;
	if (has & PERF_SAMPLE_BRANCH_STACK)
		s->branches = take_branches(a, f);
	s->parts.branches = span_between(from, f->at);
	if (has & PERF_SAMPLE_REGS_USER)
		s->user_regs = take_regs(a->regs_user, f, &s->user_abi);
	if (has & PERF_SAMPLE_STACK_USER)
		take_stack(s, f);
	from = f->at;
	if (has & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		s->weight = fields_u64(f);
	if (has & PERF_SAMPLE_DATA_SRC)
		s->data_src = fields_u64(f);
	if (has & PERF_SAMPLE_TRANSACTION)
		s->transaction = fields_u64(f);
	if (has & PERF_SAMPLE_REGS_INTR)
		s->intr_regs = take_regs(a->regs_intr, f, &s->intr_abi);
	if (has & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = fields_u64(f);
	if (has & PERF_SAMPLE_CGROUP)
		s->cgroup = fields_u64(f);
	if (has & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = fields_u64(f);
	if (has & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = fields_u64(f);
	s->parts.facts = span_between(from, f->at);
	if (has & PERF_SAMPLE_AUX) {
		size = fields_u64(f);
		fields_take(f, size);
	}
	return !f->failed;
}
