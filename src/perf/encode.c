/* Encodes the records that a recorder synthesizes. */
#include "base/strbuf.h"
#include "perf/event.h"

#include <sys/mman.h>

/* A record that is being encoded. */
struct draft {
	struct strbuf *to;
	enum byte_order order;
	uint32_t type;
	unsigned misc;
};

static void add_u16(struct draft *d, uint16_t v)
{
	append_u16(d->to, v, d->order);
}

static void add_u32(struct draft *d, uint32_t v)
{
	append_u32(d->to, v, d->order);
}

static void add_u64(struct draft *d, uint64_t v)
{
	append_u64(d->to, v, d->order);
}

/* Appends a string with a NUL, padded to 8 bytes. */
static void add_text(struct draft *d, struct span text)
{
	enum {
		TEXT_MAX = 8192
	}; /* more than any path (PATH_MAX), less than the size of a record */

	text = span_upto(text, TEXT_MAX);
	strbuf_add(d->to, text);
	do
		strbuf_addch(d->to, '\0');
	while (d->to->size % sizeof(uint64_t));
}

static void put_mmap(struct draft *d, const struct record *r)
{
	const struct mapping *m = &r->mmap;
	char id[BUILD_ID_MAX] = { 0 };

	d->type = PERF_RECORD_MMAP2;
	d->misc |= m->data ? PERF_RECORD_MISC_MMAP_DATA : 0;
	add_u32(d, r->pid);
	add_u32(d, r->tid);
	add_u64(d, m->addr);
	add_u64(d, m->len);
	add_u64(d, m->pgoff);
	/* A build ID replaces device and inode. */
	if (m->build_id.size && m->build_id.size <= sizeof(id)) {
		d->misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
		memcpy(id, m->build_id.at, m->build_id.size);
	}
	add_u32(d, 0);
	d->to->at[d->to->size - 4] =
		d->misc & PERF_RECORD_MISC_MMAP_BUILD_ID ? (char)m->build_id.size : '\0';
	strbuf_add(d->to, (struct span){ .at = id, .size = sizeof(id) });
	add_u32(d, m->prot);
	add_u32(d, MAP_PRIVATE);
	add_text(d, m->path);
}

static void put_comm(struct draft *d, const struct record *r)
{
	d->type = PERF_RECORD_COMM;
	d->misc |= r->comm.exec ? PERF_RECORD_MISC_COMM_EXEC : 0;
	add_u32(d, r->pid);
	add_u32(d, r->tid);
	add_text(d, r->comm.name);
}

static void put_fork(struct draft *d, const struct record *r)
{
	d->type = r->kind == RECORD_FORK ? PERF_RECORD_FORK : PERF_RECORD_EXIT;
	add_u32(d, r->pid);
	add_u32(d, r->fork.ppid);
	add_u32(d, r->tid);
	add_u32(d, r->fork.ptid);
	add_u64(d, r->time);
}

static void put_lost(struct draft *d, const struct record *r)
{
	d->type = PERF_RECORD_LOST;
	add_u64(d, r->id);
	add_u64(d, r->lost);
}

static void put_throttle(struct draft *d, const struct record *r)
{
	d->type = r->kind == RECORD_THROTTLE ? PERF_RECORD_THROTTLE : PERF_RECORD_UNTHROTTLE;
	add_u64(d, r->time);
	add_u64(d, r->id);
	add_u64(d, r->id);
}

static void put_ksymbol(struct draft *d, const struct record *r)
{
	d->type = PERF_RECORD_KSYMBOL;
	add_u64(d, r->ksymbol.addr);
	add_u32(d, r->ksymbol.len);
	add_u16(d, PERF_RECORD_KSYMBOL_TYPE_BPF);
	add_u16(d, r->ksymbol.gone ? PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER : 0);
	add_text(d, r->ksymbol.name);
}

static void put_switch(struct draft *d, const struct record *r)
{
	d->type = PERF_RECORD_SWITCH;
	d->misc |= r->sched.out ? PERF_RECORD_MISC_SWITCH_OUT : 0;
	d->misc |= r->sched.preempted ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0;
}

/* False: records of that kind are never synthesized. */
static bool put(struct draft *d, const struct record *r)
{
	switch (r->kind) {
	case RECORD_MMAP:
		put_mmap(d, r);
		return true;
	case RECORD_COMM:
		put_comm(d, r);
		return true;
	case RECORD_FORK:
	case RECORD_EXIT:
		put_fork(d, r);
		return true;
	case RECORD_LOST:
		put_lost(d, r);
		return true;
	case RECORD_THROTTLE:
	case RECORD_UNTHROTTLE:
		put_throttle(d, r);
		return true;
	case RECORD_KSYMBOL:
		put_ksymbol(d, r);
		return true;
	case RECORD_SWITCH:
		put_switch(d, r);
		return true;
	case RECORD_SAMPLE:
	case RECORD_NAMESPACES:
	case RECORD_CGROUP:
	case RECORD_BPF:
	case RECORD_DEFERRED:
	case RECORD_OTHER:
	case RECORD_UNKNOWN:
		return false;
	}
	return false;
}

/* struct sample_id, see decode.c. */
static void put_sample_id(struct draft *d, const struct record *r, const struct attr *a)
{
	if (!a->sample_id_all)
		return;
	if (a->sample_type & PERF_SAMPLE_TID) {
		add_u32(d, r->pid);
		add_u32(d, r->tid);
	}
	if (a->sample_type & PERF_SAMPLE_TIME)
		add_u64(d, r->time);
	if (a->sample_type & PERF_SAMPLE_ID)
		add_u64(d, r->id);
	if (a->sample_type & PERF_SAMPLE_STREAM_ID)
		add_u64(d, r->id);
	if (a->sample_type & PERF_SAMPLE_CPU) {
		add_u32(d, r->cpu);
		add_u32(d, 0);
	}
	if (a->sample_type & PERF_SAMPLE_IDENTIFIER)
		add_u64(d, r->id);
}

bool record_encode(struct strbuf *to, const struct record *r, const struct attr *a,
		   enum byte_order order)
{
	struct draft d = { .to = to,
			   .order = order,
			   .misc = r->misc & PERF_RECORD_MISC_CPUMODE_MASK };

	strbuf_reset(to);
	add_u64(&d, 0);
	if (!put(&d, r))
		return false;
	put_sample_id(&d, r, a);
	store_u32(to->at, d.type, order);
	store_u16(to->at + 4, (uint16_t)d.misc, order);
	store_u16(to->at + 6, (uint16_t)to->size, order);
	return true;
}
