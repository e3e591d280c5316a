/* Records as bytes and back: what is encoded is what is decoded, in either byte order. */
#include "perf/event.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "span_tap.h"

static const struct attr attr = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
						 PERF_SAMPLE_ID | PERF_SAMPLE_CPU |
						 PERF_SAMPLE_IDENTIFIER,
				  .sample_id_all = true,
				  .build_id = true };

/* There and back again; what every record has is compared here. */
static bool round_trip(struct strbuf *bytes, const struct record *r, enum byte_order order,
		       struct record *back)
{
	if (!ok(record_encode(bytes, r, &attr, order), "a record is encoded"))
		return false;
	is_int(record_header(bytes->at, order).size, (intmax_t)bytes->size,
	       "an encoded record has its size in its header");
	is_int((intmax_t)bytes->size % 8, 0, "an encoded record has a multiple of 8 bytes");
	if (!ok(record_decode(back, &attr, strbuf_peek(bytes), order),
		"an encoded record is decoded"))
		return false;
	is_int(back->kind, r->kind, "a decoded record has its kind");
	is_int(back->pid, r->pid, "a decoded record has its process");
	is_int(back->tid, r->tid, "a decoded record has its thread");
	is_int(back->cpu, r->cpu, "a decoded record has its CPU");
	is_int((intmax_t)back->time, (intmax_t)r->time, "a decoded record has its time");
	is_int((intmax_t)back->id, (intmax_t)r->id, "a decoded record has its ID");
	return true;
}

static struct record about(enum record_kind kind)
{
	return (struct record){ .kind = kind,
				.misc = PERF_RECORD_MISC_USER,
				.pid = 7,
				.tid = 8,
				.cpu = 3,
				.time = 99,
				.id = 1000 };
}

static void test_mmap(struct strbuf *bytes, enum byte_order order, struct span build_id)
{
	struct record r = about(RECORD_MMAP), back;

	r.mmap = (struct mapping){ .addr = 0x400000,
				   .len = 0x1000,
				   .pgoff = 0x2000,
				   .prot = 5,
				   .path = SPAN("/bin/true"),
				   .build_id = build_id };
	if (!round_trip(bytes, &r, order, &back))
		return;
	is_int((intmax_t)back.mmap.addr, 0x400000, "a decoded mapping has its address");
	is_int((intmax_t)back.mmap.len, 0x1000, "a decoded mapping has its length");
	is_int((intmax_t)back.mmap.pgoff, 0x2000, "a decoded mapping has its offset in the file");
	is_int(back.mmap.prot, 5, "a decoded mapping has its protection");
	is_span(back.mmap.path, "/bin/true", "a decoded mapping has its path");
	ok(span_eq(back.mmap.build_id, build_id), "a decoded mapping has its build ID, if any");
	ok(!back.mmap.data, "a decoded mapping of code is not marked as data");
	is_int(back.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER,
	       "a decoded mapping is marked as user code");
}

static void test_threads(struct strbuf *bytes, enum byte_order order)
{
	struct record r = about(RECORD_COMM), back;

	r.comm.name = SPAN("a name");
	r.comm.exec = true;
	if (round_trip(bytes, &r, order, &back)) {
		is_span(back.comm.name, "a name", "a decoded comm record has its name");
		ok(back.comm.exec, "a decoded comm record has its exec flag");
	}
	for (int i = 0; i < 2; i++) {
		r = about(i ? RECORD_EXIT : RECORD_FORK);
		r.fork.ppid = 5;
		r.fork.ptid = 6;
		if (round_trip(bytes, &r, order, &back))
			ok(back.fork.ppid == 5 && back.fork.ptid == 6,
			   "a decoded fork or exit record has its parent");
	}
}

static void test_others(struct strbuf *bytes, enum byte_order order)
{
	static const enum record_kind without[] = { RECORD_SAMPLE, RECORD_UNKNOWN };
	struct record r = about(RECORD_LOST), back;

	r.lost = 12;
	if (round_trip(bytes, &r, order, &back))
		is_int((intmax_t)back.lost, 12, "a decoded lost record has its count");
	r = about(RECORD_KSYMBOL);
	r.ksymbol.addr = 0xffff0000;
	r.ksymbol.len = 64;
	r.ksymbol.name = SPAN("bpf_prog");
	if (round_trip(bytes, &r, order, &back)) {
		is_span(back.ksymbol.name, "bpf_prog", "a decoded kernel symbol has its name");
		ok(back.ksymbol.addr == 0xffff0000 && back.ksymbol.len == 64,
		   "a decoded kernel symbol has its address and length");
		ok(!back.ksymbol.gone, "a decoded kernel symbol is not marked as gone");
	}
	r = about(RECORD_SWITCH);
	r.sched.out = r.sched.preempted = true;
	if (round_trip(bytes, &r, order, &back))
		ok(back.sched.out && back.sched.preempted,
		   "a decoded switch from a preempted thread has both flags");
	r.sched.out = r.sched.preempted = false;
	if (round_trip(bytes, &r, order, &back))
		ok(!back.sched.out && !back.sched.preempted,
		   "a decoded switch to a thread has neither flag");
	r = about(RECORD_THROTTLE);
	round_trip(bytes, &r, order, &back);
	for (size_t i = 0; i < ARRAY_SIZE(without); i++) {
		r = about(without[i]);
		ok(!record_encode(bytes, &r, &attr, order),
		   "samples and unknown records are not encoded");
	}
}

int main(void)
{
	struct strbuf bytes = { 0 };

	for (int i = 0; i < 2; i++) {
		enum byte_order order = i ? ORDER_BIG : ORDER_LITTLE;

		test_mmap(&bytes, order, SPAN(""));
		test_mmap(&bytes, order, SPAN("\1\2\3\4\5\6\7\10"));
		test_threads(&bytes, order);
		test_others(&bytes, order);
	}
	strbuf_release(&bytes);
	return done();
}
