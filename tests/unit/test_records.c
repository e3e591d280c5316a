/* Records of every type that kernels, perf and simpleperf write, between samples that must still be found. */
#include "read/read.h"

#include "perf/event.h"
#include "perf/file/perf_file.h"
#include "perf_bytes.h"
#include "span_tap.h"

#define SAMPLE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)

static void begin_pipe(struct perf_bytes *p, uint64_t flags)
{
	strbuf_add(&p->b, p->order == ORDER_BIG ? SPAN("2ELIFREP") : SPAN("PERFILE2"));
	put_u64(p, 16);
	begin_record(p, USER_ATTR, 0);
	put_attr(p, SAMPLE_TYPE, flags);
	end_record(p);
}

static void put_id(struct perf_bytes *p, uint64_t time)
{
	put_u32(p, 7);
	put_u32(p, 8);
	put_u64(p, time);
}

static void put_sample(struct perf_bytes *p, unsigned misc, uint64_t time, size_t nr,
		       const uint64_t *chain)
{
	begin_record(p, PERF_RECORD_SAMPLE, (uint16_t)misc);
	put_id(p, time);
	put_u64(p, nr);
	for (size_t i = 0; i < nr; i++)
		put_u64(p, chain[i]);
	end_record(p);
}

static void put_deferred(struct perf_bytes *p, uint64_t time, uint64_t cookie)
{
	begin_record(p, PERF_RECORD_DEFERRED, 0);
	put_u64(p, cookie);
	put_u64(p, 3);
	put_u64(p, (uint64_t)PERF_CONTEXT_USER);
	put_u64(p, 0xa000);
	put_u64(p, 0xb000);
	put_id(p, time);
	end_record(p);
}

static void read_pipe(const struct perf_bytes *p, struct profile *profile)
{
	const struct reader *r = reader_find(SPAN("perf-data"));
	struct error e = ERROR_INIT;
	struct source *source = source_new(stream_over(strbuf_peek(&p->b)), &e);
	struct read_opts o = { .threads = 1 };
	struct read_result result = { 0 };

	profile_init(profile);
	is_int(read_source(r, source, &o, profile, &result, &e), 0, "a perf.data pipe is read");
	ok(!profile_check(profile), "the profile of a perf.data pipe is sound");
	source_free(source);
}

static uint64_t nr_samples(const struct profile *p)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < p->nr_count; i++)
		nr += p->count[i].nr;
	return nr;
}

static uint64_t nr_notes(const struct profile *p)
{
	uint64_t nr = 0;

	for (int i = 0; i < NR_NOTE_CODES; i++)
		nr += p->notes.count[i];
	return nr;
}

/* How deep the stack of the i-th count is, and the address of its n-th frame from the leaf. */
static uint64_t address(const struct profile *p, size_t i, unsigned n, unsigned *depth)
{
	uint64_t found = 0;
	stack_id s;

	*depth = 0;
	for (s = p->count[i].stack; s.i; s = p->stack[s.i].caller)
		if ((*depth)++ == n)
			found = p->frame[p->stack[s.i].frame.i].address;
	return found;
}

/* Of each type one, with bytes enough for any of them, and nothing is lost behind it. */
static void test_types(enum byte_order order)
{
	struct perf_bytes p = { .order = order };
	const uint64_t chain[] = { 0x1000, 0x2000 };
	struct profile profile;
	uint64_t nr = 0;

	begin_pipe(&p, SAMPLE_ID_ALL);
	for (uint32_t type = PERF_RECORD_MMAP; type <= PERF_RECORD_DEFERRED; type++) {
		if (type == PERF_RECORD_SAMPLE)
			continue;
		begin_record(&p, type, PERF_RECORD_MISC_USER);
		for (int i = 0; i < 16; i++)
			put_u64(&p, 0);
		put_id(&p, 100 + type);
		end_record(&p);
		put_sample(&p, PERF_RECORD_MISC_USER, 100 + type, 2, chain);
		nr++;
	}
	for (uint32_t type = USER_EVENT_TYPE; type <= USER_LAST; type++) {
		if (type == USER_COMPRESSED || type == USER_COMPRESSED2)
			continue;
		begin_record(&p, type, 0);
		/* A trace stands behind its record, and tracepoints' formats do, as large as it says here. */
		put_u64(&p, type == USER_AUXTRACE || type == USER_TRACING_DATA ? 24 : 0);
		if (type == USER_TRACING_DATA && order == ORDER_BIG)
			memmove(p.b.at + p.b.size - 8, p.b.at + p.b.size - 4, 4);
		for (int i = 0; i < 8; i++)
			put_u64(&p, 0);
		end_record(&p);
		if (type == USER_AUXTRACE || type == USER_TRACING_DATA)
			strbuf_add(&p.b, SPAN("24 bytes that are no...!"));
		put_sample(&p, PERF_RECORD_MISC_USER, 200 + type, 2, chain);
		nr++;
	}
	read_pipe(&p, &profile);
	is_int((intmax_t)nr_samples(&profile), (intmax_t)nr,
	       "all samples between records of every type are found");
	is_int(profile.notes.count[NOTE_UNKNOWN_RECORD], 0, "records of every type are known");
	is_int(profile.notes.count[NOTE_BAD_RECORD], 0, "records of every type are valid");
	profile_release(&profile);
	strbuf_release(&p.b);
}

/* Larger than the kernel's, with the upper half of the size where the kernel has misc. */
static void test_simpleperf(void)
{
	struct perf_bytes p = { .order = ORDER_LITTLE };
	const uint64_t chain[] = { 0x1000, 0x2000 };
	enum { SIZE = 200000 };
	struct profile profile;

	begin_pipe(&p, SAMPLE_ID_ALL);
	put_sample(&p, PERF_RECORD_MISC_USER, 1, 2, chain);
	begin_record(&p, 32769, SIZE >> 16);
	while (p.b.size - p.record < SIZE)
		strbuf_addch(&p.b, '\xff');
	patch_u16(&p, p.record + 6, SIZE & 0xffff);
	put_sample(&p, PERF_RECORD_MISC_USER, 2, 2, chain);
	read_pipe(&p, &profile);
	is_int((intmax_t)nr_samples(&profile), 2, "samples around simpleperf's symbols are found");
	is_int((intmax_t)nr_notes(&profile), 0, "simpleperf's symbols are skipped without a note");
	profile_release(&profile);
	p.b.size -= 1000;
	read_pipe(&p, &profile);
	is_int((intmax_t)nr_samples(&profile), 1,
	       "a pipe truncated in simpleperf's symbols has the samples before them");
	is_int(profile.notes.count[NOTE_NO_END], 1,
	       "a pipe truncated in simpleperf's symbols is noted");
	profile_release(&profile);
	strbuf_release(&p.b);
}

static void test_guests(void)
{
	struct perf_bytes p = { .order = ORDER_LITTLE };
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_GUEST_KERNEL, 0x1000,
				   (uint64_t)PERF_CONTEXT_GUEST_USER, 0x2000 };
	struct profile profile;
	unsigned depth;

	begin_pipe(&p, SAMPLE_ID_ALL);
	begin_record(&p, PERF_RECORD_MMAP, PERF_RECORD_MISC_GUEST_USER);
	put_id(&p, 0);
	put_u64(&p, 0x10000);
	put_u64(&p, 0);
	put_text(&p, "/not/ours");
	put_id(&p, 1);
	end_record(&p);
	put_sample(&p, PERF_RECORD_MISC_GUEST_KERNEL, 2, 4, chain);
	read_pipe(&p, &profile);
	is_int((intmax_t)nr_samples(&profile), 1, "a guest's sample is counted");
	is_int((intmax_t)address(&profile, 0, 1, &depth), 0x2000,
	       "a guest's call chain keeps its addresses");
	is_int(depth, 2, "a guest's call chain has a frame for each address");
	profile_release(&profile);
	strbuf_release(&p.b);
}

/* The process's own part comes later, for two samples at once; one waits in vain. */
static void test_deferred(enum byte_order order)
{
	struct perf_bytes p = { .order = order };
	const uint64_t waits[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0x1000, CONTEXT_USER_DEFERRED,
				   5 };
	const uint64_t in_vain[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0x2000, CONTEXT_USER_DEFERRED,
				     6 };
	struct profile profile;
	unsigned depth;

	begin_pipe(&p, SAMPLE_ID_ALL);
	put_sample(&p, PERF_RECORD_MISC_KERNEL, 1, 4, waits);
	put_sample(&p, PERF_RECORD_MISC_KERNEL, 2, 4, in_vain);
	put_sample(&p, PERF_RECORD_MISC_KERNEL, 3, 4, waits);
	put_deferred(&p, 4, 9);
	put_deferred(&p, 5, 5);
	read_pipe(&p, &profile);
	is_int((intmax_t)nr_samples(&profile), 3,
	       "samples that wait for a deferred call chain are all counted");
	is_int((intmax_t)nr_notes(&profile), 0, "a deferred call chain is matched without a note");
	is_int((intmax_t)profile.nr_count, 2,
	       "samples with and without their deferred call chain have different stacks");
	is_int((intmax_t)profile.count[0].nr, 2,
	       "samples of the same cookie get the same deferred call chain");
	is_int((intmax_t)address(&profile, 0, 0, &depth), 0x1000,
	       "a stack with a deferred call chain has its leaf in the kernel");
	is_int(depth, 3, "a stack with a deferred call chain has kernel and user frames");
	is_int((intmax_t)address(&profile, 0, 2, &depth), 0xb000,
	       "a stack with a deferred call chain has its root in the process");
	is_int((intmax_t)address(&profile, 1, 0, &depth), 0x2000,
	       "a sample without its deferred call chain keeps its kernel frame");
	is_int(depth, 1,
	       "a sample without its deferred call chain has nothing but its kernel frame");
	profile_release(&profile);
	strbuf_release(&p.b);
}

/* Markers behind the last address say that a chain was cut off; a lone one does not. */
static void test_ends(void)
{
	static const struct {
		size_t nr;
		uint64_t chain[6];
		int code; /* -1: it reached its root */
	} cases[] = {
#define USER   (uint64_t) PERF_CONTEXT_USER
#define KERNEL (uint64_t) PERF_CONTEXT_KERNEL
		{ 3, { USER, 0x10, 0x20 }, -1 },
		{ 4, { USER, 0x10, 0x20, USER }, NOTE_STACK_TRUNCATED },
		{ 5, { USER, 0x10, 0x20, USER, USER }, NOTE_STACK_NO_COPY },
		{ 5, { USER, 0x10, USER, USER, USER }, NOTE_STACK_NO_ROW },
		{ 3, { KERNEL, 0x10, USER }, -1 },
		{ 4, { KERNEL, 0x10, USER, USER }, NOTE_STACK_TRUNCATED },
		{ 4, { USER, 0x10, USER, 0x20 }, -1 },
		{ 5, { USER, 0x10, USER, USER, 0x20 }, NOTE_STACK_ROOTED },
		{ 4, { USER, USER, 0x10, 0x20 }, -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct perf_bytes p = { .order = ORDER_LITTLE };
		struct profile profile;

		begin_pipe(&p, SAMPLE_ID_ALL);
		put_sample(&p, PERF_RECORD_MISC_USER, 1, cases[i].nr, cases[i].chain);
		read_pipe(&p, &profile);
		is_int((intmax_t)nr_notes(&profile), cases[i].code >= 0,
		       "a call chain adds one note if it is truncated, else none");
		if (cases[i].code >= 0)
			is_int(profile.notes.count[cases[i].code], 1,
			       "a truncated call chain is noted with its reason");
		profile_release(&profile);
		strbuf_release(&p.b);
	}
}

/* Between two markers in a row and what is behind them something is missing: the root is known. */
static void test_rooted(void)
{
	const uint64_t chain[] = { KERNEL, 0x5, USER, 0x10, 0x20, USER, USER, 0x30 };
	struct perf_bytes p = { .order = ORDER_LITTLE };
	struct profile profile;
	unsigned depth;
	stack_id root;

	begin_pipe(&p, SAMPLE_ID_ALL);
	put_sample(&p, PERF_RECORD_MISC_KERNEL, 1, sizeof(chain) / sizeof(*chain), chain);
	read_pipe(&p, &profile);
	is_int((intmax_t)address(&profile, 0, 4, &depth), 0x30,
	       "the root of a truncated call chain is the address after its markers");
	is_int(depth, 5, "a truncated call chain with a known root has a [truncated] frame");
	root = profile.count[0].stack;
	while (profile.stack[root.i].caller.i)
		root = profile.stack[root.i].caller;
	ok(profile.frame[profile.stack[root.i].frame.i].flags & FRAME_RETURN_ADDRESS,
	   "the root of a truncated call chain is a return address");
	profile_release(&profile);
	strbuf_release(&p.b);
}

int main(void)
{
	test_types(ORDER_LITTLE);
	test_types(ORDER_BIG);
	test_simpleperf();
	test_guests();
	test_deferred(ORDER_LITTLE);
	test_deferred(ORDER_BIG);
	test_ends();
	test_rooted();
	return done();
}
