/* Counters that were read with a sample: each is a sample of its own event, by what it counted since. */
#include "read/read.h"

#include "perf/file/perf_file.h"
#include "perf/readings.h"
#include "perf_bytes.h"
#include "span_tap.h"

#define SAMPLE_TYPE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD | \
	 PERF_SAMPLE_READ)

enum { INHERIT = 1 << 1 };

static void put_event(struct perf_bytes *p, uint64_t config, uint64_t format, uint64_t flags,
		      uint64_t id)
{
	size_t at;

	begin_record(p, USER_ATTR, 0);
	at = p->b.size;
	put_attr(p, SAMPLE_TYPE, flags);
	/* Type, config, read_format of an attr whose other fields are good as they are. */
	for (size_t i = 0; i < 3; i++) {
		const size_t place[] = { 0, 8, 32 }, size[] = { 4, 8, 8 };
		const uint64_t value[] = { PERF_TYPE_SOFTWARE, config, format };
		struct perf_bytes one = { .order = p->order };

		put(&one, value[i], size[i]);
		memcpy(p->b.at + at + place[i], one.b.at, size[i]);
		strbuf_release(&one.b);
	}
	put_u64(p, id);
	end_record(p);
}

static void begin_sample(struct perf_bytes *p, uint64_t id, uint32_t tid)
{
	begin_record(p, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_u64(p, id);
	put_u64(p, 0x1000);
	put_u32(p, 7);
	put_u32(p, tid);
	put_u64(p, 99); /* the period, which the counter knows better */
}

static void put_group(struct perf_bytes *p, uint32_t tid, uint64_t leader, uint64_t member)
{
	begin_sample(p, 11, tid);
	put_u64(p, 2);
	put_u64(p, 1000); /* how long they were to run, and ran */
	put_u64(p, 1000);
	put_u64(p, leader);
	put_u64(p, 11);
	put_u64(p, member);
	put_u64(p, 12);
	end_record(p);
}

static void begin(struct perf_bytes *p, uint64_t format, uint64_t flags)
{
	strbuf_add(&p->b, p->order == ORDER_BIG ? SPAN("2ELIFREP") : SPAN("PERFILE2"));
	put_u64(p, 16);
	put_event(p, PERF_COUNT_SW_CPU_CLOCK, format, flags, 11);
	put_event(p, PERF_COUNT_SW_PAGE_FAULTS, format, flags, 12);
}

static void read_all(struct perf_bytes *p, struct profile *profile)
{
	struct error e = ERROR_INIT;
	struct source *source = source_new(stream_over(strbuf_peek(&p->b)), &e);
	struct read_opts o = { .threads = 1 };
	struct read_result result = { 0 };

	profile_init(profile);
	is_int(read_source(reader_find(SPAN("perf-data")), source, &o, profile, &result, &e), 0,
	       "a recording of counters that are read with samples is read");
	source_free(source);
	strbuf_release(&p->b);
}

static void is_event(const struct profile *p, const char *name, intmax_t nr, intmax_t weight)
{
	intmax_t has_nr = 0, has_weight = 0;

	for (size_t i = 0; i < p->nr_count; i++)
		if (span_is(profile_peek(p, p->event[p->count[i].event].name), name)) {
			has_nr += (intmax_t)p->count[i].nr;
			has_weight += p->count[i].weight;
		}
	is_int(has_nr, nr, name);
	is_int(has_weight, weight, "an event has the sum of its weights");
}

#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

static void test_group(enum byte_order order)
{
	struct perf_bytes p = { .order = order };
	struct profile profile;

	begin(&p, PERF_FORMAT_GROUP | PERF_FORMAT_ID | TIMES, 0);
	put_group(&p, 8, 100, 3);
	put_group(&p, 8, 200, 3); /* no page fault meanwhile: no sample of that */
	put_group(&p, 9, 350, 10);
	read_all(&p, &profile);
	is_event(&profile, "cpu-clock", 3, 350);
	is_event(&profile, "page-faults", 2, 10);
	profile_release(&profile);
}

static void test_threads(void)
{
	struct perf_bytes p = { .order = ORDER_LITTLE };
	struct profile profile;

	begin(&p, PERF_FORMAT_GROUP | PERF_FORMAT_ID | TIMES, INHERIT);
	put_group(&p, 8, 100, 1);
	put_group(&p, 9, 150, 1);
	put_group(&p, 8, 200, 1);
	read_all(&p, &profile);
	is_event(&profile, "cpu-clock", 3, 350);
	is_event(&profile, "page-faults", 2, 2);
	profile_release(&profile);
}

static void test_single(void)
{
	struct perf_bytes p = { .order = ORDER_LITTLE };
	const uint64_t value[] = { 40, 100, 30 };
	struct profile profile;

	begin(&p, PERF_FORMAT_ID | TIMES, 0);
	for (size_t i = 0; i < 3; i++) {
		begin_sample(&p, 12, 8);
		put_u64(&p, value[i]);
		put_u64(&p, 1000);
		put_u64(&p, 1000);
		put_u64(&p, 12);
		end_record(&p);
	}
	read_all(&p, &profile);
	/* 40, 60 more, and 30 of one that began anew. */
	is_event(&profile, "page-faults", 3, 130);
	profile_release(&profile);
}

static void test_nobody(void)
{
	struct perf_bytes p = { .order = ORDER_LITTLE };
	struct profile profile;

	begin(&p, 0, 0);
	begin_sample(&p, 11, 8);
	put_u64(&p, 40);
	end_record(&p);
	/* More counters than there are bytes. */
	begin_sample(&p, 11, 8);
	end_record(&p);
	read_all(&p, &profile);
	is_event(&profile, "cpu-clock", 1, 99);
	is_int(profile.notes.count[NOTE_BAD_RECORD], 1,
	       "a sample that ends before its counter is counted as malformed");
	profile_release(&profile);
}

static void test_many(void)
{
	struct readings t = { 0 };
	uint64_t sum = 0;

	for (uint64_t round = 1; round <= 2; round++)
		for (uint64_t id = 0; id < 1000; id++)
			sum += readings_since(&t, id, (uint32_t)id % 7, round * id);
	is_int((intmax_t)sum, 2 * 999 * 1000 / 2, "a thousand counters are kept apart");
	readings_release(&t);
}

int main(void)
{
	test_group(ORDER_LITTLE);
	test_group(ORDER_BIG);
	test_threads();
	test_single();
	test_nobody();
	test_many();
	return done();
}
