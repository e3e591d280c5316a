/* Dumps of JIT compilers: what was where, and when. */
#include "image/jit/jitdump.h"

#include "image/cfi/cfi.h"

#include "perf_bytes.h"
#include "tap.h"

enum { LOAD, MOVE, FRAMES = 4 };

static void put_header(struct perf_bytes *p, uint64_t flags)
{
	put_u32(p, 0x4a695444);
	put_u32(p, 1);
	put_u32(p, 40);
	put_u32(p, 62);
	put_u32(p, 0);
	put_u32(p, 1234);
	put_u64(p, 0);
	put_u64(p, flags);
}

/* Code without a name, a byte long for each one that it has. */
static void put_load(struct perf_bytes *p, uint64_t time, uint64_t address, uint32_t size,
		     uint64_t number)
{
	put_u32(p, LOAD);
	put_u32(p, 16 + 40 + 1 + size);
	put_u64(p, time);
	put_u64(p, 0);
	put_u64(p, address);
	put_u64(p, address);
	put_u64(p, size);
	put_u64(p, number);
	for (uint32_t i = 0; i < size + 1; i++)
		strbuf_addch(&p->b, '\0');
}

static void put_move(struct perf_bytes *p, uint64_t time, uint64_t address, uint64_t size,
		     uint64_t number)
{
	put_u32(p, MOVE);
	put_u32(p, 16 + 48);
	put_u64(p, time);
	put_u64(p, 0);
	put_u64(p, address);
	put_u64(p, 0);
	put_u64(p, address);
	put_u64(p, size);
	put_u64(p, number);
}

/* Records, and where the code of the first ones is in the dump. */
enum {
	FIRST = 40 + 57,
	SECOND = FIRST + 16 + 57,
	THIRD = SECOND + 8 + 57,
};

static void put_all(struct perf_bytes *p, uint64_t flags)
{
	put_header(p, flags);
	put_load(p, 10, 1000, 16, 1);
	put_load(p, 20, 1000, 8, 2);
	put_load(p, 30, 900, 200, 3);
	put_move(p, 40, 2000, 16, 1);
	put_move(p, 40, 3000, 17, 1);
	put_move(p, 40, 3000, 16, 77);
}

static long find(const struct jit_codes *c, uint64_t address, uint64_t time)
{
	const struct jit_code *code = jit_codes_find(c, address, time);

	return code ? (long)(address - code->begin + code->place) : -1;
}

static void test_times(enum byte_order order)
{
	struct perf_bytes p = { .order = order };
	struct jit_codes c = { 0 };
	struct jitdump d;

	put_all(&p, 0);
	ok(jitdump_init(&d, strbuf_peek(&p.b)), "jitdump_init accepts a dump");
	is_int(d.pid, 1234, "jitdump_init reads the PID of the process");
	jit_codes_parse(&c, &d);
	is_int(find(&c, 1004, 9), -1, "an address has no code before the code is loaded");
	is_int(find(&c, 1004, 10), FIRST + 4,
	       "an address in loaded code resolves to its place in the dump");
	is_int(find(&c, 1016, 10), -1, "the address behind the end of code resolves to nothing");
	is_int(find(&c, 1004, 29), SECOND + 4, "newer code hides older code in the same memory");
	is_int(find(&c, 1012, 29), FIRST + 12,
	       "older code resolves where newer code does not cover it");
	is_int(find(&c, 1004, 30), THIRD + 104, "code that covers two older functions hides both");
	is_int(find(&c, 1004, JIT_ANY_TIME), THIRD + 104,
	       "a lookup with JIT_ANY_TIME finds the newest code");
	is_int(find(&c, 2004, 39), -1,
	       "the new address of moved code resolves to nothing before the move");
	is_int(find(&c, 2004, 40), FIRST + 4, "moved code resolves to its old place in the dump");
	is_int(find(&c, 3004, 40), -1,
	       "a move of unknown code, or of more bytes than the code has, is ignored");
	jit_codes_release(&c);
	strbuf_release(&p.b);
}

static void test_other_clock(void)
{
	struct perf_bytes p = { .order = ORDER_HOST };
	struct jit_codes c = { 0 };
	struct jitdump d;

	put_all(&p, 1);
	ok(jitdump_init(&d, strbuf_peek(&p.b)),
	   "jitdump_init accepts a dump whose times are CPU cycles");
	jit_codes_parse(&c, &d);
	is_int(find(&c, 1004, 1), THIRD + 104,
	       "a lookup in a dump whose times are CPU cycles finds the newest code");
	jit_codes_release(&c);
	strbuf_release(&p.b);
}

/* What goes before code of up to 16 bytes: an index of so many bytes, and in front of it one range with a frame. */
static void put_frames(struct perf_bytes *p, uint8_t size, uint8_t frame, uint64_t index_size)
{
	const uint8_t eh_frame[] = {
		20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b,
		/* The CFA is %rsp + 8; the return address is below it. */
		0x0c, 7, 8, 0x90, 1, 0, 0,
		/* 48 bytes before here it begins; from its fourth byte on there is more. */
		20, 0, 0, 0, 28, 0, 0, 0, 0xd0, 0xff, 0xff, 0xff, size, 0, 0, 0, 0, 0x44, 0x0e,
		frame, 0, 0, 0, 0
	};

	put_u32(p, FRAMES);
	put_u32(p, (uint32_t)(16 + 24 + sizeof(eh_frame) + 20));
	put_u64(p, 0);
	put_u64(p, sizeof(eh_frame) + 20);
	put_u64(p, index_size);
	put_u64(p, 0);
	strbuf_add(&p->b, (struct span){ (const char *)eh_frame, sizeof(eh_frame) });
	for (int i = 0; i < 5; i++)
		put_u32(p, 0);
}

/* How far the CFA is from the stack pointer; -1: there is no row. */
static int cfa_at(const struct jit_codes *c, uint64_t address, uint64_t time)
{
	const struct jit_code *code = jit_codes_find(c, address, time);
	const struct cfi_rule *rule;

	if (!code || !code->has_rows || !c->cfi)
		return -1;
	rule = cfi_rule_at(c->cfi, cfi_find(c->cfi, address - code->begin + code->place));
	return rule->cfa == CFA_NONE ? -1 : rule->offset;
}

static void test_rows(void)
{
	struct perf_bytes p = { .order = ORDER_LITTLE };
	struct jit_codes c = { 0 };
	const struct cfi *cfi;
	struct jitdump d;

	put_header(&p, 0);
	put_frames(&p, 11, 16, 20);
	put_load(&p, 10, 0x10000, 11, 1);
	put_load(&p, 10, 0x20000, 11, 2);
	put_frames(&p, 13, 112, 20);
	put_load(&p, 20, 0x10000, 13, 3);
	put_move(&p, 30, 0x30000, 11, 1);
	ok(jitdump_init(&d, strbuf_peek(&p.b)),
	   "jitdump_init accepts a dump with unwind information");
	jit_codes_parse(&c, &d);
	is_int(cfa_at(&c, 0x10003, 10), 8,
	       "JIT code has the initial CFA before its frame is set up");
	is_int(cfa_at(&c, 0x10004, 10), 16, "JIT code has the CFA of its frame once it is set up");
	is_int(cfa_at(&c, 0x1000a, 10), 16,
	       "JIT code has the CFA of its frame up to its last byte");
	is_int(cfa_at(&c, 0x10004, 20), 112,
	       "newer JIT code at the same address has its own unwind row");
	is_int(cfa_at(&c, 0x1000c, 20), 112,
	       "newer, longer JIT code has its own unwind row up to its last byte");
	is_int(cfa_at(&c, 0x20004, 20), -1,
	       "JIT code without unwind information gets none from the code before it");
	is_int(cfa_at(&c, 0x30004, 30), 16, "moved JIT code keeps its unwind rows");
	is_int((long)c.cfi->nr_read, 2, "the unwind information of each function is read once");
	/* What was read stays, for walks remember it. */
	cfi = c.cfi;
	put_frames(&p, 11, 48, 20);
	put_load(&p, 40, 0x40000, 11, 4);
	jitdump_init(&d, strbuf_peek(&p.b));
	jit_codes_parse(&c, &d);
	ok(c.cfi == cfi && c.cfi->nr_read == 3,
	   "parsing a grown dump keeps the CFI and reads only the new entry");
	is_int(cfa_at(&c, 0x40004, 40), 48, "new code of a grown dump has its unwind rows");
	is_int(cfa_at(&c, 0x10004, 10), 16, "old code of a grown dump keeps its unwind rows");
	jit_codes_release(&c);
	strbuf_release(&p.b);
}

static void test_bad_rows(void)
{
	struct perf_bytes p = { .order = ORDER_LITTLE };
	struct jit_codes c = { 0 };
	struct jitdump d;

	put_header(&p, 0);
	put_frames(&p, 11, 16, 69);
	put_load(&p, 10, 0x10000, 11, 1);
	/* So short that it is of what is in front of it. */
	put_frames(&p, 11, 16, 20);
	put_load(&p, 10, 0x20000, 8, 2);
	/* Half of it is index. */
	put_frames(&p, 11, 16, 44);
	put_load(&p, 10, 0x30000, 11, 3);
	put_frames(&p, 255, 16, 20);
	put_load(&p, 10, 0x40000, 11, 4);
	ok(jitdump_init(&d, strbuf_peek(&p.b)),
	   "jitdump_init accepts a dump with invalid unwind information");
	jit_codes_parse(&c, &d);
	is_int(cfa_at(&c, 0x10004, 10), -1,
	       "unwind information whose index is larger than all of it is ignored");
	is_int(cfa_at(&c, 0x20004, 10), -1,
	       "unwind information for a range outside of its code is ignored");
	is_int(cfa_at(&c, 0x30004, 10), -1, "unwind information without a range is ignored");
	is_int(cfa_at(&c, 0x40004, 10), 16,
	       "unwind information for a longer range than its code is used");
	is_int(cfa_at(&c, 0x4000b, 10), -1,
	       "unwind information for a longer range ends with its code");
	jit_codes_release(&c);
	strbuf_release(&p.b);
}

static void test_paths(void)
{
	uint32_t pid = 0;

	ok(jitdump_is_path(SPAN("/home/x/jit-12.dump"), &pid) && pid == 12,
	   "jitdump_is_path accepts jit-PID.dump and reads the PID");
	ok(!jitdump_is_path(SPAN("/home/x/jit-.dump"), &pid),
	   "jitdump_is_path rejects a dump name without a PID");
	ok(!jitdump_is_path(SPAN("/jit-12.dump/libx.so"), &pid),
	   "jitdump_is_path rejects a file in a directory that is named like a dump");
	ok(!jitdump_is_path(SPAN("jit-12"), &pid),
	   "jitdump_is_path rejects a name that does not end in .dump");
}

int main(void)
{
	test_times(ORDER_LITTLE);
	test_times(ORDER_BIG);
	test_other_clock();
	test_rows();
	test_bad_rows();
	test_paths();
	return done();
}
