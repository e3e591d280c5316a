/* Records of the kernel's, taken apart: every field, in both byte orders, whole and cut. */
#include "perf/event.h"

#include "base/alloc.h"
#include "perf_bytes.h"
#include "span_tap.h"

#include <stdlib.h>

#define EVERY_FIELD ((UINT64_C(1) << 25) - 1)

/* Every field that a sample can have, the n-th with a value that tells it from others. */
static void put_sample(struct perf_bytes *p)
{
	begin_record(p, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_u64(p, 77);	      /* identifier */
	put_u64(p, 0x401000); /* ip */
	put_u32(p, 12);
	put_u32(p, 34);
	put_u64(p, 1000); /* time */
	put_u64(p, 0xadd);
	put_u64(p, 77); /* id */
	put_u64(p, 1);	/* stream id */
	put_u32(p, 3);	/* cpu */
	put_u32(p, 0);
	put_u64(p, 4000); /* period */
	/* read: a group of two with times and ids */
	put_u64(p, 2);
	for (int i = 0; i < 2 + 2 * 2; i++)
		put_u64(p, 9);
	put_u64(p, 3); /* call chain */
	put_u64(p, (uint64_t)PERF_CONTEXT_USER);
	put_u64(p, 0x401000);
	put_u64(p, 0x402000);
	put_u32(p, 5); /* raw: the size, five bytes, and seven to fill up */
	strbuf_add(&p->b, SPAN("hello\0\0\0\0\0\0\0"));
	put_u64(p, 1); /* branches */
	put_u64(p, 42);
	put_u64(p, 0xf);
	put_u64(p, 0x1);
	put_u64(p, 0);
	put_u64(p, PERF_SAMPLE_REGS_ABI_64);
	put_u64(p, 0x5b);
	put_u64(p, 0x401000);
	put_u64(p, 16); /* stack */
	strbuf_add(&p->b, SPAN("0123456789abcdef"));
	put_u64(p, 10);
	put_u64(p, 51);	     /* weight */
	put_u64(p, 52);	     /* data_src */
	put_u64(p, 53);	     /* transaction */
	put_u64(p, 0);	     /* intr: no registers */
	put_u64(p, 0xfeed);  /* physical address */
	put_u64(p, 5);	     /* cgroup */
	put_u64(p, 4096);    /* data page */
	put_u64(p, 2097152); /* code page */
	put_u64(p, 8);	     /* aux */
	put_u64(p, 0);
	end_record(p);
}

static const struct attr every_field = {
	.sample_type = EVERY_FIELD & ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT,
	.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
		       PERF_FORMAT_TOTAL_TIME_RUNNING,
	.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX,
	.regs_user = 1 << 7 | 1 << 8,
	.regs_intr = 1,
};

static void test_sample(enum byte_order order)
{
	struct perf_bytes p = { .order = order };
	const struct sample *s;
	struct record r;

	put_sample(&p);
	ok(record_decode(&r, &every_field, strbuf_peek(&p.b), order),
	   "a sample with all fields is decoded");
	s = &r.sample;
	is_int(r.kind, RECORD_SAMPLE, "a sample has its kind");
	is_int((intmax_t)r.id, 77, "a sample has its ID");
	ok(r.pid == 12 && r.tid == 34, "a sample has its process and thread");
	is_int((intmax_t)r.time, 1000, "a sample has its time");
	is_int(r.cpu, 3, "a sample has its CPU");
	is_int((intmax_t)s->ip, 0x401000, "a sample has its instruction");
	is_int((intmax_t)s->addr, 0xadd, "a sample has its address");
	is_int((intmax_t)s->period, 4000, "a sample has its period");
	ok(s->callchain.nr == 3 && word_at(&s->callchain, 2) == 0x402000,
	   "a sample has its call chain");
	is_span(s->raw, "hello", "a sample has its raw bytes");
	ok(s->branches.nr == 3 && word_at(&s->branches, 0) == 0xf, "a sample has its branches");
	is_int((intmax_t)s->user_abi, PERF_SAMPLE_REGS_ABI_64,
	       "a sample has the ABI of its registers");
	ok(s->user_regs.nr == 2 && word_at(&s->user_regs, 1) == 0x401000,
	   "a sample has its registers");
	is_span(s->stack, "0123456789", "a sample has as much of the stack as was copied");
	is_int(s->stack_asked, 16, "a sample has the requested size of its stack copy");
	is_int((intmax_t)s->weight, 51, "a sample has its weight");
	is_int((intmax_t)s->data_src, 52, "a sample has its data source");
	is_int((intmax_t)s->transaction, 53, "a sample has its transaction");
	is_int((intmax_t)s->intr_regs.nr, 0, "a sample may have no registers of an interrupt");
	is_int((intmax_t)s->phys_addr, 0xfeed, "a sample has its physical address");
	is_int((intmax_t)s->cgroup, 5, "a sample has its cgroup");
	is_int((intmax_t)s->data_page_size, 4096, "a sample has the page size of its data");
	is_int((intmax_t)s->code_page_size, 2097152, "a sample has the page size of its code");
	strbuf_release(&p.b);
}

/* In memory of its own, so that a byte too far is found. */
static bool decode_copy(struct span bytes)
{
	char *copy = xmemdup(bytes.at, bytes.size);
	struct record r;
	bool whole =
		record_decode(&r, &every_field, (struct span){ copy, bytes.size }, ORDER_LITTLE);

	free(copy);
	return whole;
}

static void test_cut(void)
{
	struct perf_bytes p = { .order = ORDER_LITTLE };
	bool refused = true;

	put_sample(&p);
	for (size_t size = 0; size < p.b.size; size++)
		refused &= !decode_copy(span_upto(strbuf_peek(&p.b), size));
	ok(refused, "a sample that is truncated anywhere is rejected");
	/* Counts and sizes that are far too large, everywhere. */
	for (size_t at = 8; at + 8 <= p.b.size; at += 4) {
		char old[8];

		memcpy(old, p.b.at + at, 8);
		memset(p.b.at + at, 0xff, 8);
		decode_copy(strbuf_peek(&p.b));
		memset(p.b.at + at + 4, 0x1f, 4);
		decode_copy(strbuf_peek(&p.b));
		memcpy(p.b.at + at, old, 8);
	}
	ok(decode_copy(strbuf_peek(&p.b)),
	   "invalid counts and sizes in a sample do not crash the decoder");
	strbuf_release(&p.b);
}

static void test_mmap2(enum byte_order order)
{
	static const struct attr a = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
				       .sample_id_all = true,
				       .build_id = true };
	struct perf_bytes p = { .order = order };
	struct record r;

	begin_record(&p, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
	put_u32(&p, 12);
	put_u32(&p, 34);
	put_u64(&p, 0x400000);
	put_u64(&p, 0x1000);
	put_u64(&p, 0x2000);
	strbuf_add(&p.b, SPAN("\x04\0\0\0abcdefghijklmnopqrst"));
	put_u32(&p, 5);
	put_u32(&p, 2);
	put_text(&p, "/bin/a");
	put_u32(&p, 1);
	put_u32(&p, 2);
	put_u64(&p, 99);
	end_record(&p);
	ok(record_decode(&r, &a, strbuf_peek(&p.b), order) && r.kind == RECORD_MMAP,
	   "a mapping is decoded");
	ok(r.pid == 12 && r.tid == 34, "a mapping has its process and thread");
	is_int((intmax_t)r.time, 99, "a mapping has the time behind it");
	ok(r.mmap.addr == 0x400000 && r.mmap.len == 0x1000, "a mapping has its addresses");
	is_int((intmax_t)r.mmap.pgoff, 0x2000, "a mapping has its offset in the file");
	is_int((intmax_t)r.mmap.prot, 5, "a mapping has its protection");
	is_span(r.mmap.path, "/bin/a", "a mapping has its path");
	is_span(r.mmap.build_id, "abcd", "a mapping has its build ID");
	is_int(r.mmap.file.inode, 0, "a mapping with a build ID has no inode");
	strbuf_release(&p.b);
}

/* Also where the kernel says that it has a build-id, which was for somebody else. */
static void test_identity(enum byte_order order, uint32_t major, uint16_t misc)
{
	static const struct attr a = { 0 };
	struct perf_bytes p = { .order = order };
	struct record r;

	begin_record(&p, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | misc);
	put_u64(&p, 12);
	put_u64(&p, 0x400000);
	put_u64(&p, 0x1000);
	put_u64(&p, 0);
	put_u32(&p, major);
	put_u32(&p, 3);
	put_u64(&p, 0x123456789a);
	put_u32(&p, 4711);
	put_u32(&p, 0);
	put_u64(&p, 5);
	put_text(&p, "/bin/a");
	end_record(&p);
	ok(record_decode(&r, &a, strbuf_peek(&p.b), order) && !r.mmap.build_id.size,
	   "a mapping without a build ID is decoded");
	ok(r.mmap.file.major == major && r.mmap.file.minor == 3,
	   "a mapping has the device of its file");
	is_int((intmax_t)r.mmap.file.inode, 0x123456789a, "a mapping has the inode of its file");
	is_int((intmax_t)r.mmap.file.generation, 4711, "a mapping has the generation of its file");
	strbuf_release(&p.b);
}

static void test_attr(enum byte_order order)
{
	struct perf_bytes p = { .order = order };
	struct strbuf name = { 0 };
	struct attr a;

	/* exclude_kernel, freq, precise 2 of 3, sample_id_all */
	put_attr(&p, 7, 1 << 5 | 1 << 10 | 1 << 16 | SAMPLE_ID_ALL);
	ok(attr_parse(&a, strbuf_peek(&p.b), order), "an attr of the smallest size is parsed");
	is_int((intmax_t)a.type, PERF_TYPE_SOFTWARE, "an event has its type");
	is_int((intmax_t)a.period, 1000, "an event has its period");
	is_int((intmax_t)a.sample_type, 7, "an event has what its samples have");
	ok(a.freq && a.sample_id_all, "an event has its flags");
	ok(a.exclude_kernel && !a.exclude_user, "an event has what it excludes");
	attr_name(&name, &a);
	is_str(name.at, order == ORDER_BIG ? "cpu-clock:up" : "cpu-clock:upp",
	       "an event has its name with modifiers");
	ok(!attr_parse(&a, span_upto(strbuf_peek(&p.b), 63), order),
	   "an attr below the smallest size is rejected");
	strbuf_release(&p.b);
	strbuf_release(&name);
}

/* Beside another recorder, these records are longer than what they hold. */
static void test_excess(const char *name, size_t padded, size_t excess)
{
	const struct attr a = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
				.sample_id_all = true };
	struct perf_bytes p = { .order = ORDER_LITTLE };
	struct record r;

	begin_record(&p, PERF_RECORD_KSYMBOL, 0);
	put_u64(&p, 0xffff0000); /* address */
	put_u32(&p, 64);	 /* length */
	put_u32(&p, 1);		 /* type, flags */
	strbuf_add(&p.b, span_of(name));
	for (size_t i = strlen(name); i < padded; i++)
		strbuf_addch(&p.b, '\0');
	put_u32(&p, 12);
	put_u32(&p, 34);
	put_u64(&p, 1000); /* time */
	for (size_t i = 0; i < excess; i++)
		put_u64(&p, UINT64_MAX);
	end_record(&p);
	ok(record_decode(&r, &a, strbuf_peek(&p.b), ORDER_LITTLE),
	   "a kernel symbol with padding and excess bytes is decoded");
	is_int((intmax_t)r.time, 1000,
	       "the time of a kernel symbol is right behind its padded name");
	is_int((intmax_t)r.tid, 34,
	       "the thread of a kernel symbol is right behind its padded name");
	is_span(r.ksymbol.name, name, "the name of a kernel symbol ends before its padding");
	strbuf_release(&p.b);
}

static void test_unknown(void)
{
	struct perf_bytes p = { .order = ORDER_LITTLE };
	struct record r;

	begin_record(&p, 63, 0);
	put_u64(&p, 1);
	end_record(&p);
	ok(record_decode(&r, &every_field, strbuf_peek(&p.b), ORDER_LITTLE) &&
		   r.kind == RECORD_UNKNOWN,
	   "a record of an unknown type is decoded as unknown");
	strbuf_release(&p.b);
}

int main(void)
{
	for (enum byte_order order = ORDER_LITTLE; order <= ORDER_BIG; order++) {
		test_sample(order);
		test_mmap2(order);
		test_identity(order, 254, 0);
		test_identity(order, 254, PERF_RECORD_MISC_MMAP_BUILD_ID);
		test_identity(order, 259, PERF_RECORD_MISC_MMAP_BUILD_ID);
		test_identity(order, 8, PERF_RECORD_MISC_MMAP_BUILD_ID);
		test_attr(order);
	}
	test_cut();
	for (size_t excess = 0; excess <= 4; excess += 2) {
		test_excess("bpf_prog", 16, excess);
		test_excess("bpf_pro", 8, excess);
		test_excess("", 8, excess);
	}
	test_unknown();
	return done();
}
