/* What is written as perf.data, byte by byte: fields of all kinds, both byte orders, too long chains. */
#include "perf/file/recording.h"

#include "base/alloc.h"
#include "perf_bytes.h"
#include "read/read.h"
#include "span_tap.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#define WITHOUT_COPIES \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | \
	 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_WEIGHT | \
	 PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_CODE_PAGE_SIZE)
#define WITH_COPIES \
	(WITHOUT_COPIES | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_AUX)

enum { ATTR_SIZE = 128 };

static void put_whole_attr(struct perf_bytes *p, uint64_t branch_sample_type)
{
	/* exclude_callchain_user is bit 22. */
	put_attr(p, WITH_COPIES, SAMPLE_ID_ALL | UINT64_C(1) << 22);
	put_u64(p, 0); /* config2 */
	put_u64(p, branch_sample_type);
	put_u64(p, 0x180); /* two registers of the process */
	put_u32(p, 16);
	put_u32(p, 0);
	put_u64(p, 1); /* one of where it was interrupted */
	put_u64(p, 0);
	put_u64(p, 4096);
	put_u64(p, 0);
}

static struct span whole_attr(struct perf_bytes *p, uint64_t branch_sample_type)
{
	strbuf_reset(&p->b);
	put_whole_attr(p, branch_sample_type);
	return span_upto(strbuf_peek(&p->b), ATTR_SIZE);
}

static void put_sample(struct perf_bytes *p, uint64_t nr_chain)
{
	strbuf_reset(&p->b);
	begin_record(p, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	put_u64(p, 77);	   /* id */
	put_u64(p, 0x123); /* ip */
	put_u32(p, 5);
	put_u32(p, 6);
	put_u64(p, 1000);  /* time */
	put_u64(p, 0xadd); /* addr */
	put_u32(p, 3);
	put_u32(p, 0); /* cpu */
	put_u64(p, 9); /* period */
	put_u64(p, 4); /* read */
	put_u64(p, nr_chain);
	for (uint64_t i = 0; i < nr_chain; i++)
		put_u64(p, 0x1000 + i);
	put_u32(p, 12); /* raw */
	strbuf_add(&p->b, SPAN("raw bytes..."));
	put_u64(p, 1); /* branches */
	put_u64(p, 0xf);
	put_u64(p, 0x7);
	put_u64(p, 0);
	put_u64(p, PERF_SAMPLE_REGS_ABI_64);
	put_u64(p, 1);
	put_u64(p, 2);
	put_u64(p, 16); /* stack */
	strbuf_add(&p->b, SPAN("0123456789abcdef"));
	put_u64(p, 16);
	put_u64(p, 11); /* weight */
	put_u64(p, 12); /* data_src */
	put_u64(p, PERF_SAMPLE_REGS_ABI_64);
	put_u64(p, 13);	  /* the register */
	put_u64(p, 4096); /* code page size */
	put_u64(p, 8);	  /* aux */
	put_u64(p, 99);
	end_record(p);
}

/* The file, its attr, and its records, unpacked. */
struct written {
	struct strbuf file, data;
	struct attr attr;
	enum byte_order order;
};

static void read_file(struct strbuf *to, const char *path)
{
	FILE *f = fopen(path, "rbe");
	char buf[4096];
	size_t n;

	while (f && (n = fread(buf, 1, sizeof(buf), f)))
		strbuf_add(to, (struct span){ .at = buf, .size = n });
	if (f)
		fclose(f);
}

static uint64_t at(const struct written *w, size_t offset)
{
	return offset + 8 <= w->file.size ? load_u64(w->file.at + offset, w->order) : 0;
}

static void unpack(struct written *w, struct span packed, ZSTD_DStream *zstd)
{
	char buf[RECORD_SIZE_MAX];
	ZSTD_inBuffer in = { .src = packed.at, .size = packed.size };
	ZSTD_outBuffer out = { .dst = buf, .size = sizeof(buf) };

	/* As perf does it: once a record, with room for as much as the header says. */
	ok(!ZSTD_isError(ZSTD_decompressStream(zstd, &out, &in)) && in.pos == in.size && out.pos,
	   "a compressed record is decompressed by itself");
	strbuf_add(&w->data, (struct span){ .at = buf, .size = out.pos });
}

static void open_written(struct written *w, const char *path, enum byte_order order)
{
	ZSTD_DStream *zstd = ZSTD_createDStream();
	struct span rest;

	*w = (struct written){ .order = order };
	read_file(&w->file, path);
	unlink(path);
	is_int(at(w, 8), PERF_HEADER_SIZE, "the header of a recording has its own size");
	is_int(at(w, 16), ATTR_SIZE + PERF_SECTION_SIZE,
	       "the header of a recording has the size of an attr");
	ok(attr_parse(&w->attr, span_upto(span_from(strbuf_peek(&w->file), at(w, 24)), ATTR_SIZE),
		      order),
	   "the header of a recording says where its attrs are");
	rest = span_upto(span_from(strbuf_peek(&w->file), at(w, 40)), at(w, 48));
	while (rest.size >= RECORD_HEADER_SIZE) {
		struct record_header h = record_header(rest.at, order);
		struct span body = span_from(span_upto(rest, h.size), RECORD_HEADER_SIZE);

		if (h.type == USER_COMPRESSED)
			unpack(w, body, zstd);
		else if (h.type != USER_FINISHED_ROUND)
			strbuf_add(&w->data, span_upto(rest, h.size));
		rest = span_from(rest, h.size);
	}
	is_int((intmax_t)rest.size, 0, "the records of a recording fill their section");
	ZSTD_freeDStream(zstd);
}

static void release_written(struct written *w)
{
	strbuf_release(&w->file);
	strbuf_release(&w->data);
}

static const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0x10, (uint64_t)PERF_CONTEXT_USER,
				  0x20, 0x30 };

/* Writes that sample, as often as it says, with the chain above or with its own. */
static void write_samples(struct perf_bytes *p, const char *path, uint64_t nr_chain,
			  uint64_t branch_sample_type, unsigned times)
{
	struct error e = ERROR_INIT;
	struct recording *r = recording_new(path, &e);
	struct words words = { .at = (const char *)chain, .nr = 5, .order = ORDER_HOST };
	struct record record;
	struct attr a;

	if (!ok(r, "recording_new() begins a recording"))
		return;
	recording_order(r, p->order);
	recording_add_event(r, whole_attr(p, branch_sample_type));
	attr_parse(&a, whole_attr(p, branch_sample_type), p->order);
	recording_name_event(r, 0, SPAN("the event"));
	recording_set_text(r, FEATURE_HOSTNAME, SPAN("box"));
	recording_add_build_id(r, SPAN("/bin/prog"), SPAN("\1\2\3\4"), PERF_RECORD_MISC_USER);
	put_sample(p, nr_chain);
	ok(record_decode(&record, &a, strbuf_peek(&p->b), p->order),
	   "the sample to be written is valid");
	if (nr_chain > 2)
		words = record.sample.callchain;
	for (unsigned i = 0; i < times; i++)
		recording_add_sample(r, &record, &a, &words);
	is_int((intmax_t)recording_nr_sample(r), times, "a recording counts its samples");
	is_int((intmax_t)recording_nr_truncated(r), 0,
	       "no sample with a call chain that fits is truncated");
	is_int(recording_close(r, &e), 0, "recording_close() writes the samples");
}

static void check_sample(const struct written *w, const struct record *r)
{
	is_int((intmax_t)r->id, 77, "a written sample has its id");
	is_int((intmax_t)r->time, 1000, "a written sample has its time");
	is_int(r->pid, 5, "a written sample has its process");
	is_int(r->tid, 6, "a written sample has its thread");
	is_int(r->cpu, 3, "a written sample has its CPU");
	is_int(r->misc, PERF_RECORD_MISC_KERNEL, "a written sample has its CPU mode");
	is_int((intmax_t)r->sample.addr, 0xadd, "a written sample has its data address");
	is_int((intmax_t)r->sample.period, 9, "a written sample has its period");
	is_span(r->sample.raw, "raw bytes...", "a written sample has its raw bytes");
	is_int((intmax_t)r->sample.weight, 11, "a written sample has its weight");
	is_int((intmax_t)r->sample.data_src, 12, "a written sample has its data source");
	is_int((intmax_t)r->sample.code_page_size, 4096, "a written sample has its code page size");
	ok(r->sample.intr_regs.nr == 1 && word_at(&r->sample.intr_regs, 0) == 13,
	   "a written sample has the registers of the interrupt");
	ok(!r->sample.stack.size && !r->sample.user_regs.nr, "a written sample has no stack copy");
	ok(!w->attr.regs_user && !w->attr.stack_user && !w->attr.exclude_callchain_user,
	   "the written event asks for no stack copies");
}

static void test_fields(enum byte_order order, uint64_t branch_sample_type)
{
	char path[] = "/tmp/wick-recording.XXXXXX";
	struct perf_bytes p = { .order = order };
	bool calls = branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
	struct written w;
	struct record r;

	close(mkstemp(path));
	write_samples(&p, path, 1, branch_sample_type, 1);
	open_written(&w, path, order);
	is_int((intmax_t)w.attr.sample_type,
	       calls ? WITHOUT_COPIES & ~(uint64_t)PERF_SAMPLE_BRANCH_STACK : WITHOUT_COPIES,
	       "the written event has the sample type without copies");
	if (ok(record_decode(&r, &w.attr, strbuf_peek(&w.data), order),
	       "a written sample is valid")) {
		check_sample(&w, &r);
		is_int((intmax_t)r.sample.callchain.nr, 5,
		       "a written sample has as many addresses as the given call chain");
		for (size_t i = 0; i < r.sample.callchain.nr; i++)
			ok(word_at(&r.sample.callchain, i) == chain[i],
			   "a written sample has the addresses of the given call chain");
		is_int((intmax_t)r.sample.branches.nr, calls ? 0 : 3,
		       "branches are written unless they are a call stack");
	}
	is_int((intmax_t)at(&w, 72),
	       1 << FEATURE_HOSTNAME | 1 << FEATURE_BUILD_ID | 1 << FEATURE_EVENT_DESC |
		       1 << FEATURE_COMPRESSED,
	       "the header of a recording has the bits of its features");
	release_written(&w);
	strbuf_release(&p.b);
}

/* Many records, and some that are too large to be packed. */
static void test_many(uint64_t nr_chain, unsigned times)
{
	char path[] = "/tmp/wick-recording.XXXXXX";
	struct perf_bytes p = { .order = ORDER_HOST };
	struct span rest;
	struct written w;
	struct record r;
	unsigned nr = 0;

	close(mkstemp(path));
	write_samples(&p, path, nr_chain, 0, times);
	open_written(&w, path, ORDER_HOST);
	rest = strbuf_peek(&w.data);
	while (rest.size >= RECORD_HEADER_SIZE && record_decode(&r, &w.attr, rest, ORDER_HOST) &&
	       r.sample.callchain.nr == nr_chain) {
		rest = span_from(rest, record_header(rest.at, ORDER_HOST).size);
		nr++;
	}
	is_int(nr, times, "a recording of many samples has all of them");
	release_written(&w);
	strbuf_release(&p.b);
}

/* More addresses than a record has room for. */
static void test_cut(void)
{
	char path[] = "/tmp/wick-recording.XXXXXX";
	struct perf_bytes p = { .order = ORDER_HOST };
	enum { NR = 20000 };
	uint64_t *deep = xcalloc(NR, sizeof(*deep));
	struct words words = { .at = (const char *)deep, .nr = NR, .order = ORDER_HOST };
	struct error e = ERROR_INIT;
	struct recording *r;
	struct record record;
	struct written w;
	struct attr a;

	close(mkstemp(path));
	r = recording_new(path, &e);
	recording_add_event(r, whole_attr(&p, 0));
	attr_parse(&a, whole_attr(&p, 0), p.order);
	put_sample(&p, 1);
	record_decode(&record, &a, strbuf_peek(&p.b), p.order);
	recording_add_sample(r, &record, &a, &words);
	is_int((intmax_t)recording_nr_truncated(r), 1,
	       "a call chain too long for a record is counted as truncated");
	is_int(recording_close(r, &e), 0, "recording_close() writes a truncated call chain");
	open_written(&w, path, ORDER_HOST);
	if (ok(record_decode(&record, &w.attr, strbuf_peek(&w.data), ORDER_HOST),
	       "a sample with a truncated call chain is valid")) {
		struct words *c = &record.sample.callchain;

		ok(c->nr > 8000 && c->nr < NR, "a truncated call chain is as long as fits");
		for (unsigned i = 1; i <= CHAIN_TOO_DEEP; i++)
			ok(word_at(c, c->nr - i) == (uint64_t)PERF_CONTEXT_USER,
			   "a truncated call chain ends with markers");
		ok(!word_at(c, c->nr - CHAIN_TOO_DEEP - 1),
		   "the markers of a truncated call chain follow an address");
		is_int((intmax_t)record.sample.code_page_size, 4096,
		       "a sample with a truncated call chain has the fields after it");
	}
	release_written(&w);
	strbuf_release(&p.b);
	free(deep);
}

static bool root_of_first(void *arg, uint32_t ticket, uint64_t *pc)
{
	*pc = 0x99;
	(*(unsigned *)arg)++;
	return ticket == 1;
}

/* Samples that wait for a root, and one behind them: what they are in the file. */
static void test_open(enum byte_order order)
{
	static const uint64_t user = (uint64_t)PERF_CONTEXT_USER;
	const uint64_t cut[] = { user, 0x20, 0x30, user };
	const uint64_t want[4][6] = { { user, 0x20, 0x30, user, user, 0x99 },
				      { (uint64_t)PERF_CONTEXT_KERNEL, 0x10, user, 0x20, 0x30 },
				      { user, 0x20, 0x30, user } };
	const size_t nr_want[] = { 6, 5, 4 };
	char path[] = "/tmp/wick-recording.XXXXXX";
	struct perf_bytes p = { .order = order };
	struct words open = { .at = (const char *)cut, .nr = 4, .order = ORDER_HOST };
	struct words words = { .at = (const char *)chain, .nr = 5, .order = ORDER_HOST };
	struct error e = ERROR_INIT;
	struct recording *r;
	struct record record;
	struct written w;
	struct span rest;
	struct attr a;
	unsigned asked = 0;

	close(mkstemp(path));
	r = recording_new(path, &e);
	recording_order(r, order);
	recording_add_event(r, whole_attr(&p, 0));
	attr_parse(&a, whole_attr(&p, 0), order);
	put_sample(&p, 1);
	record_decode(&record, &a, strbuf_peek(&p.b), order);
	recording_add_open_sample(r, &record, &a, &open, 1);
	recording_add_sample(r, &record, &a, &words);
	recording_add_open_sample(r, &record, &a, &open, 2);
	recording_settle(r, root_of_first, &asked);
	is_int(asked, 2, "recording_settle() asks for the root of each open sample");
	is_int(recording_close(r, &e), 0, "recording_close() writes settled samples");
	open_written(&w, path, order);
	rest = strbuf_peek(&w.data);
	for (size_t i = 0; i < 3; i++) {
		const struct words *c = &record.sample.callchain;

		if (!ok(record_decode(&record, &w.attr, rest, order),
			"a sample of a settled recording is valid"))
			break;
		check_sample(&w, &record);
		is_int((intmax_t)c->nr, (intmax_t)nr_want[i],
		       "an open sample's call chain becomes longer only if its root is known");
		for (size_t k = 0; k < c->nr && k < nr_want[i]; k++)
			ok(word_at(c, k) == want[i][k],
			   "settled samples are in the order in which they came");
		rest = span_from(rest, record_header(rest.at, order).size);
	}
	is_int((intmax_t)rest.size, 0, "a settled recording has no further samples");
	release_written(&w);
	strbuf_release(&p.b);
}

/* More than may wait is written as it is. */
static void test_open_too_long(void)
{
	enum { WORDS = 8000, TIMES = RECORDING_HELD_MAX / (8 * WORDS) + 2 };
	char path[] = "/tmp/wick-recording.XXXXXX";
	struct perf_bytes p = { .order = ORDER_HOST };
	uint64_t *deep = xcalloc(WORDS, sizeof(*deep));
	struct words open = { .at = (const char *)deep, .nr = WORDS, .order = ORDER_HOST };
	struct error e = ERROR_INIT;
	struct recording *r;
	struct record record;
	struct attr a;
	unsigned asked = 0;

	close(mkstemp(path));
	deep[WORDS - 1] = (uint64_t)PERF_CONTEXT_USER;
	r = recording_new(path, &e);
	recording_add_event(r, whole_attr(&p, 0));
	attr_parse(&a, whole_attr(&p, 0), p.order);
	put_sample(&p, 1);
	record_decode(&record, &a, strbuf_peek(&p.b), p.order);
	for (unsigned i = 0; i < TIMES; i++)
		recording_add_open_sample(r, &record, &a, &open, 1);
	recording_settle(r, root_of_first, &asked);
	ok(asked < TIMES / 2,
	   "open samples beyond RECORDING_HELD_MAX are written without their root");
	recording_drop(r);
	unlink(path);
	strbuf_release(&p.b);
	free(deep);
}

/* What a recorder tells of itself, as the reader finds it. */
static void test_facts(void)
{
	static const char *const command[] = { "wick", "record", "--", "./a.out" };
	static const struct {
		const char *key, *value;
	} want[] = { { "host", "box" },
		     { "cpus", "2" },
		     { "command", "wick record -- ./a.out" },
		     { "captured", "2009-02-13 23:31:30 +0000" } };
	char path[] = "/tmp/wick-recording.XXXXXX";
	struct perf_bytes p = { .order = ORDER_HOST };
	struct read_opts o = { .threads = 1 };
	struct read_result result;
	struct error e = ERROR_INIT;
	struct recording *r;
	struct source *source;
	struct profile profile;

	close(mkstemp(path));
	r = recording_new(path, &e);
	recording_add_event(r, whole_attr(&p, 0));
	recording_add_ids(r, 0, SPAN("\1\0\0\0\0\0\0\0"));
	recording_name_event(r, 0, SPAN("the event"));
	recording_set_text(r, FEATURE_HOSTNAME, SPAN("box"));
	recording_set_command(r, command, ARRAY_SIZE(command));
	recording_set_cpus(r, 4, 2);
	recording_set_clock(r, CLOCK_MONOTONIC, UINT64_C(1234567890) * 1000000000, 5);
	setenv("TZ", "UTC0", 1);
	is_int(recording_close(r, &e), 0, "recording_close() writes a recording without records");
	source = source_new(stream_open(path, &e), &e);
	profile_init(&profile);
	is_int(read_source(reader_find(SPAN("perf-data")), source, &o, &profile, &result, &e), 0,
	       "a recording without records is read");
	is_int((intmax_t)profile.nr_info, ARRAY_SIZE(want),
	       "a recording without records has all its facts");
	for (size_t i = 0; i < profile.nr_info && i < ARRAY_SIZE(want); i++) {
		is_span(profile_peek(&profile, profile.info[i].key), want[i].key,
			"a fact of a recording has its key");
		is_span(profile_peek(&profile, profile.info[i].value), want[i].value,
			"a fact of a recording has its value");
	}
	profile_release(&profile);
	source_free(source);
	unlink(path);
	strbuf_release(&p.b);
}

static void test_drop(void)
{
	char path[] = "/tmp/wick-recording.XXXXXX";
	struct error e = ERROR_INIT;
	struct recording *r;

	close(mkstemp(path));
	unlink(path);
	r = recording_new(path, &e);
	recording_drop(r);
	ok(access(path, F_OK), "a dropped recording leaves no file");
}

int main(void)
{
	test_fields(ORDER_LITTLE, 0);
	test_fields(ORDER_BIG, 0);
	test_fields(ORDER_LITTLE, PERF_SAMPLE_BRANCH_CALL_STACK);
	test_many(3, 5000);
	test_many(8100, 30);
	test_cut();
	test_open(ORDER_LITTLE);
	test_open(ORDER_BIG);
	test_open_too_long();
	test_facts();
	test_drop();
	return done();
}
