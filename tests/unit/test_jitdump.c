/* Dumps of JIT compilers: what was where, and when. */
#include "image/jitdump.h"

#include "perf_bytes.h"
#include "tap.h"

enum { LOAD, MOVE };

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
	uint64_t place;

	return jit_codes_find(c, address, time, &place) ? (long)place : -1;
}

static void test_times(enum byte_order order)
{
	struct perf_bytes p = { .order = order };
	struct jit_codes c;
	struct jitdump d;

	put_all(&p, 0);
	ok(jitdump_init(&d, strbuf_peek(&p.b)), "a dump");
	is_int(d.pid, 1234, "whose it is");
	jit_codes_parse(&c, &d);
	is_int(find(&c, 1004, 9), -1, "nothing is there yet");
	is_int(find(&c, 1004, 10), FIRST + 4, "the first code");
	is_int(find(&c, 1016, 10), -1, "and nothing behind its end");
	is_int(find(&c, 1004, 29), SECOND + 4, "the second, in the same memory");
	is_int(find(&c, 1012, 29), FIRST + 12, "what is left of the first");
	is_int(find(&c, 1004, 30), THIRD + 104, "a third one over both");
	is_int(find(&c, 1004, JIT_ANY_TIME), THIRD + 104, "the last one, when times tell nothing");
	is_int(find(&c, 2004, 39), -1, "not moved yet");
	is_int(find(&c, 2004, 40), FIRST + 4, "moved, and in the dump where it was");
	is_int(find(&c, 3004, 40), -1, "what moves is there, and no longer than it was");
	jit_codes_release(&c);
	strbuf_release(&p.b);
}

static void test_other_clock(void)
{
	struct perf_bytes p = { .order = ORDER_HOST };
	struct jit_codes c;
	struct jitdump d;

	put_all(&p, 1);
	ok(jitdump_init(&d, strbuf_peek(&p.b)), "times of the processor");
	jit_codes_parse(&c, &d);
	is_int(find(&c, 1004, 1), THIRD + 104, "are compared with each other only");
	jit_codes_release(&c);
	strbuf_release(&p.b);
}

static void test_paths(void)
{
	uint32_t pid = 0;

	ok(jitdump_is_path(SPAN("/home/x/jit-12.dump"), &pid) && pid == 12, "the path of a dump");
	ok(!jitdump_is_path(SPAN("/home/x/jit-.dump"), &pid), "without a process it is none");
	ok(!jitdump_is_path(SPAN("/jit-12.dump/libx.so"), &pid), "nor when it is a folder");
	ok(!jitdump_is_path(SPAN("jit-12"), &pid), "nor by half its name");
}

int main(void)
{
	test_times(ORDER_LITTLE);
	test_times(ORDER_BIG);
	test_other_clock();
	test_paths();
	return done();
}
