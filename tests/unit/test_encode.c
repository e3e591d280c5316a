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
	if (!ok(record_encode(bytes, r, &attr, order), "it is encoded"))
		return false;
	is_int(record_header(bytes->at, order).size, (intmax_t)bytes->size, "and knows its size");
	is_int((intmax_t)bytes->size % 8, 0, "in whole words");
	if (!ok(record_decode(back, &attr, strbuf_peek(bytes), order), "and decoded"))
		return false;
	is_int(back->kind, r->kind, "it is of the same kind");
	is_int(back->pid, r->pid, "process");
	is_int(back->tid, r->tid, "thread");
	is_int(back->cpu, r->cpu, "processor");
	is_int((intmax_t)back->time, (intmax_t)r->time, "time");
	is_int((intmax_t)back->id, (intmax_t)r->id, "id");
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
	is_int((intmax_t)back.mmap.addr, 0x400000, "where it is mapped");
	is_int((intmax_t)back.mmap.len, 0x1000, "how much");
	is_int((intmax_t)back.mmap.pgoff, 0x2000, "from where");
	is_int(back.mmap.prot, 5, "as what");
	is_span(back.mmap.path, "/bin/true", "which file");
	ok(span_eq(back.mmap.build_id, build_id), "with its build-id");
	ok(!back.mmap.data, "as code");
	is_int(back.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER, "of a process");
}

static void test_threads(struct strbuf *bytes, enum byte_order order)
{
	struct record r = about(RECORD_COMM), back;

	r.comm.name = SPAN("a name");
	r.comm.exec = true;
	if (round_trip(bytes, &r, order, &back)) {
		is_span(back.comm.name, "a name", "its name");
		ok(back.comm.exec, "after an exec");
	}
	for (int i = 0; i < 2; i++) {
		r = about(i ? RECORD_EXIT : RECORD_FORK);
		r.fork.ppid = 5;
		r.fork.ptid = 6;
		if (round_trip(bytes, &r, order, &back))
			ok(back.fork.ppid == 5 && back.fork.ptid == 6, "whose child it is");
	}
}

static void test_others(struct strbuf *bytes, enum byte_order order)
{
	static const enum record_kind without[] = { RECORD_SAMPLE, RECORD_UNKNOWN };
	struct record r = about(RECORD_LOST), back;

	r.lost = 12;
	if (round_trip(bytes, &r, order, &back))
		is_int((intmax_t)back.lost, 12, "how many were lost");
	r = about(RECORD_KSYMBOL);
	r.ksymbol.addr = 0xffff0000;
	r.ksymbol.len = 64;
	r.ksymbol.name = SPAN("bpf_prog");
	if (round_trip(bytes, &r, order, &back)) {
		is_span(back.ksymbol.name, "bpf_prog", "the name of a program of BPF");
		ok(back.ksymbol.addr == 0xffff0000 && back.ksymbol.len == 64, "and where it is");
		ok(!back.ksymbol.gone, "and that it is there");
	}
	r = about(RECORD_SWITCH);
	r.sched.out = r.sched.preempted = true;
	if (round_trip(bytes, &r, order, &back))
		ok(back.sched.out && back.sched.preempted, "a switch from a preempted thread");
	r.sched.out = r.sched.preempted = false;
	if (round_trip(bytes, &r, order, &back))
		ok(!back.sched.out && !back.sched.preempted, "a switch to a thread");
	r = about(RECORD_THROTTLE);
	round_trip(bytes, &r, order, &back);
	for (size_t i = 0; i < ARRAY_SIZE(without); i++) {
		r = about(without[i]);
		ok(!record_encode(bytes, &r, &attr, order), "the others are not");
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
