/* Decodes the kernel's records, except samples: decode_sample.c. */
#include "base/alloc.h"
#include "perf/event.h"

/*
 * Linux writes these two records for several events without resetting the size in the header.  Each
 * has its struct sample_id at the right place, followed by as many uninitialized bytes as were
 * added for the events before.
 */
static void drop_excess(uint32_t type, size_t id, struct span *body)
{
	size_t own = 16;

	if ((type != PERF_RECORD_KSYMBOL && type != PERF_RECORD_BPF_EVENT) || body->size < own)
		return;
	if (type == PERF_RECORD_KSYMBOL)
		own += (span_find(span_from(*body, own), '\0') / 8 + 1) * 8;
	if (body->size > own + id)
		body->size = own + id;
}

/*
 * struct sample_id, at the end of each record that is not a sample, if the attr has
 * sample_id_all.
 */
static bool take_sample_id(struct record *r, const struct attr *a, uint32_t type, struct span *body,
			   enum byte_order order)
{
	const uint64_t all = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			     PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	uint64_t has = a->sample_type & all;
	size_t size = (size_t)__builtin_popcountll(has) * sizeof(uint64_t);
	struct fields f;

	if (!a->sample_id_all)
		return true;
	drop_excess(type, size, body);
	if (size > body->size)
		return false;
	f = fields_over(span_from(*body, body->size - size), order);
	body->size -= size;
	if (has & PERF_SAMPLE_TID) {
		r->pid = fields_u32(&f);
		r->tid = fields_u32(&f);
	}
	if (has & PERF_SAMPLE_TIME)
		r->time = fields_u64(&f);
	if (has & PERF_SAMPLE_ID)
		r->id = fields_u64(&f);
	if (has & PERF_SAMPLE_STREAM_ID)
		fields_u64(&f);
	if (has & PERF_SAMPLE_CPU) {
		r->cpu = fields_u32(&f);
		fields_take(&f, 4);
	}
	if (has & PERF_SAMPLE_IDENTIFIER)
		r->id = fields_u64(&f);
	return true;
}

static void decode_thread(struct record *r, struct fields *f)
{
	r->pid = fields_u32(f);
	r->tid = fields_u32(f);
}

static void decode_mmap(struct record *r, struct fields *f)
{
	decode_thread(r, f);
	r->mmap = (struct mapping){ .addr = fields_u64(f),
				    .len = fields_u64(f),
				    .pgoff = fields_u64(f) };
	r->mmap.path = fields_text(f);
	r->mmap.data = r->misc & PERF_RECORD_MISC_MMAP_DATA;
}

static struct file_identity parse_identity(struct span bytes, enum byte_order order)
{
	struct fields f = fields_over(bytes, order);

	return (struct file_identity){ .major = fields_u32(&f),
				       .minor = fields_u32(&f),
				       .inode = fields_u64(&f),
				       .generation = fields_u32(&f) };
}

/*
 * While any recorder on the machine requests build IDs, the kernel sets the flag for all recorders,
 * but events that did not request them still get device and inode.  A build ID that a tool has
 * added later has one of these sizes; device numbers that look like that are unlikely.
 */
static bool has_build_id(const struct record *r, const struct attr *a, struct span file)
{
	enum { MD5 = 16, SHA1 = 20 };
	uint8_t size;

	if (!(r->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || !file.size)
		return false;
	size = (uint8_t)file.at[0];
	return size <= BUILD_ID_MAX && !memcmp(file.at + 1, "\0\0", 3) &&
	       (a->build_id || size == MD5 || size == SHA1);
}

static void decode_mmap2(struct record *r, const struct attr *a, struct fields *f)
{
	struct span file;

	decode_thread(r, f);
	r->mmap = (struct mapping){ .addr = fields_u64(f),
				    .len = fields_u64(f),
				    .pgoff = fields_u64(f) };
	/*
	 * Device, inode and generation; or a build ID: its size, 3 bytes of padding, and 20 bytes.
	 */
	file = fields_take(f, 24);
	if (has_build_id(r, a, file))
		r->mmap.build_id = span_upto(span_from(file, 4), (uint8_t)file.at[0]);
	else if (file.size)
		r->mmap.file = parse_identity(file, f->order);
	r->mmap.prot = fields_u32(f);
	fields_u32(f); /* flags */
	r->mmap.path = fields_text(f);
	r->mmap.data = r->misc & PERF_RECORD_MISC_MMAP_DATA;
}

static void decode_comm(struct record *r, struct fields *f)
{
	decode_thread(r, f);
	r->comm.name = fields_text(f);
	r->comm.exec = r->misc & PERF_RECORD_MISC_COMM_EXEC;
}

static void decode_fork(struct record *r, struct fields *f)
{
	r->pid = fields_u32(f);
	r->fork.ppid = fields_u32(f);
	r->tid = fields_u32(f);
	r->fork.ptid = fields_u32(f);
	r->time = fields_u64(f);
}

static void decode_lost(struct record *r, struct fields *f)
{
	fields_u64(f); /* id */
	r->lost = fields_u64(f);
}

static void decode_lost_samples(struct record *r, struct fields *f)
{
	r->lost = fields_u64(f);
}

static void decode_throttle(struct record *r, struct fields *f)
{
	r->time = fields_u64(f);
	r->id = fields_u64(f);
}

static void decode_switch(struct record *r, struct fields *f)
{
	(void)f;
	r->sched.out = r->misc & PERF_RECORD_MISC_SWITCH_OUT;
	r->sched.preempted = r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
}

static void decode_cgroup(struct record *r, struct fields *f)
{
	r->cgroup.id = fields_u64(f);
	r->cgroup.path = fields_text(f);
}

static void decode_ksymbol(struct record *r, struct fields *f)
{
	r->ksymbol.addr = fields_u64(f);
	r->ksymbol.len = fields_u32(f);
	fields_u16(f); /* type: BPF, … */
	r->ksymbol.gone = fields_u16(f) & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
	r->ksymbol.name = fields_text(f);
}

static void decode_deferred(struct record *r, struct fields *f)
{
	r->deferred.cookie = fields_u64(f);
	r->deferred.callchain = fields_words(f, fields_u64(f));
}

/* By PERF_RECORD_ type.  All types are listed, because a missing row would be RECORD_OTHER. */
static const struct record_type {
	enum record_kind kind;
	void (*decode)(struct record *r, struct fields *f);
} types[] = {
	[PERF_RECORD_MMAP] = { RECORD_MMAP, decode_mmap },
	[PERF_RECORD_LOST] = { RECORD_LOST, decode_lost },
	[PERF_RECORD_COMM] = { RECORD_COMM, decode_comm },
	[PERF_RECORD_EXIT] = { RECORD_EXIT, decode_fork },
	[PERF_RECORD_THROTTLE] = { RECORD_THROTTLE, decode_throttle },
	[PERF_RECORD_UNTHROTTLE] = { RECORD_UNTHROTTLE, decode_throttle },
	[PERF_RECORD_FORK] = { RECORD_FORK, decode_fork },
	[PERF_RECORD_READ] = { RECORD_OTHER, decode_thread },
	[PERF_RECORD_SAMPLE] = { RECORD_SAMPLE, NULL },
	[PERF_RECORD_MMAP2] = { RECORD_MMAP, NULL },
	[PERF_RECORD_AUX] = { RECORD_OTHER, NULL },
	[PERF_RECORD_ITRACE_START] = { RECORD_OTHER, decode_thread },
	[PERF_RECORD_LOST_SAMPLES] = { RECORD_LOST, decode_lost_samples },
	[PERF_RECORD_SWITCH] = { RECORD_SWITCH, decode_switch },
	[PERF_RECORD_SWITCH_CPU_WIDE] = { RECORD_SWITCH, decode_switch },
	[PERF_RECORD_NAMESPACES] = { RECORD_NAMESPACES, decode_thread },
	[PERF_RECORD_KSYMBOL] = { RECORD_KSYMBOL, decode_ksymbol },
	[PERF_RECORD_BPF_EVENT] = { RECORD_BPF, NULL },
	[PERF_RECORD_CGROUP] = { RECORD_CGROUP, decode_cgroup },
	[PERF_RECORD_TEXT_POKE] = { RECORD_OTHER, NULL },
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = { RECORD_OTHER, NULL },
	[PERF_RECORD_DEFERRED] = { RECORD_DEFERRED, decode_deferred },
};

bool record_decode(struct record *r, const struct attr *a, struct span bytes, enum byte_order order)
{
	struct span body = span_from(bytes, RECORD_HEADER_SIZE);
	struct record_header h;
	struct fields f;

	*r = (struct record){ .pid = THREAD_NONE, .tid = THREAD_NONE };
	if (bytes.size < RECORD_HEADER_SIZE)
		return false;
	h = record_header(bytes.at, order);
	r->misc = h.misc;
	r->kind = h.type < ARRAY_SIZE(types) && h.type ? types[h.type].kind : RECORD_UNKNOWN;
	if (r->kind == RECORD_UNKNOWN)
		return true;
	if (r->kind != RECORD_SAMPLE && !take_sample_id(r, a, h.type, &body, order))
		return false;
	f = fields_over(body, order);
	if (r->kind == RECORD_SAMPLE)
		return sample_decode(r, a, &f);
	if (h.type == PERF_RECORD_MMAP2)
		decode_mmap2(r, a, &f);
	else if (types[h.type].decode)
		types[h.type].decode(r, &f);
	return !f.failed;
}
