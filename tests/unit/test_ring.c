/* A ring without a kernel: what is told, what stays, and when its room is given back. */
#include "record/perf_events/drain.h"
#include "record/perf_events/sampler.h"

#include "base/alloc.h"
#include "tap.h"

#include <sched.h>
#include <stdlib.h>

enum { SIZE = 64 };

static struct perf_event_mmap_page page;
static char data[SIZE];

/* As the kernel does it: a header, then so many bytes of one letter. */
static void write_record(char letter, size_t payload)
{
	struct perf_event_header h = { .size = (uint16_t)(sizeof(h) + payload) };
	char bytes[SIZE];

	memcpy(bytes, &h, sizeof(h));
	memset(bytes + sizeof(h), letter, payload);
	for (size_t i = 0; i < h.size; i++)
		data[(page.data_head + i) % SIZE] = bytes[i];
	page.data_head += h.size;
}

/* The letter of the next record, or '-'. */
static char next(struct ring *r, bool *stays)
{
	struct span record;

	if (!ring_next(r, &record, stays))
		return '-';
	return record.at[record.size - 1];
}

/* What comes before the loop of a recording is put aside once a ring fills up. */
static void test_early(struct ring *r)
{
	struct sampler s = { .ring = r, .nr_cpu = 1, .nr_ring = 1 };

	page.data_head = page.data_tail = r->at = r->before = 0;
	write_record('a', 8);
	sampler_read_early(&s);
	is_int(s.early.size, 0, "a ring with much room is left alone");
	write_record('b', 8);
	sampler_read_early(&s);
	is_int(s.early.size, 32, "a ring that fills up is read early");
	is_int(s.early.at[15], 'a', "the first record of a ring that is read early comes first");
	is_int(s.early.at[31], 'b', "the second record of a ring that is read early comes second");
	is_int(page.data_tail, 32, "room that was read early is the kernel's again");
	strbuf_release(&s.early);
}

/* A thread of its own empties a ring, so that it never fills up; what it has taken comes first. */
static void test_drain(struct ring *r)
{
	struct strbuf records = { 0 };
	struct drain d;

	page.data_head = page.data_tail = r->at = r->before = 0;
	write_record('a', 8);
	drain_start(&d, r, 1);
	ok(d.is_on, "drain_start() turns the drain on");
	while (!__atomic_load_n(&page.data_tail, __ATOMIC_ACQUIRE))
		sched_yield();
	is_int(page.data_tail, 16,
	       "the drain returns the room of a record that nobody has fetched");
	write_record('b', 40);
	write_record('c', 8);
	drain_fetch(&d, 0, &records);
	is_int(records.size, 80, "all records are fetched, whoever took them");
	is_int(records.at[15], 'a', "the record that the drain took is the first");
	is_int(records.at[63], 'b', "a record after the one that the drain took is the second");
	is_int(records.at[79], 'c', "a record at the front of the ring is the last");
	is_int(page.data_tail, 80, "the room of fetched records is the kernel's again");
	strbuf_release(&records);
	drain_fetch(&d, 0, &records);
	is_int(records.size, 0, "drain_fetch() fetches no record twice");
	strbuf_release(&records);
	drain_stop(&d);
	ok(!d.is_on, "drain_stop() turns the drain off");
}

int main(void)
{
	struct ring r = { .page = &page, .data = data, .size = SIZE, .joined = xmalloc(SIZE) };
	bool stays = false;

	write_record('a', 8);
	write_record('b', 8);
	is_int(ring_pending(&r), 32, "ring_pending() counts the bytes of two records");
	is_int(next(&r, &stays), 'a', "ring_next() gives the first record first");
	ok(stays, "a record that does not wrap around stays in the ring");
	is_int(next(&r, &stays), 'b', "ring_next() gives the second record second");
	is_int(next(&r, &stays), '-', "ring_next() gives nothing after the last record");
	ring_round(&r);
	is_int(page.data_tail, 0, "the first round returns no space to the kernel");
	write_record('c', 8);
	is_int(ring_pending(&r), 48, "ring_pending() counts records that were read a round ago");
	is_int(next(&r, &stays), 'c', "ring_next() gives only records that are new");
	ring_round(&r);
	is_int(page.data_tail, 32,
	       "the second round returns the space of records read before the first");

	write_record('d', 24);
	ring_pending(&r);
	is_int(next(&r, &stays), 'd', "ring_next() gives a record that wraps around");
	ok(!stays, "a record that wraps around is a copy, which does not stay");
	ring_round(&r);
	is_int(page.data_tail, 48, "the space of a record that wraps around is kept for a round");

	memset(data + page.data_head % SIZE, 0, 8);
	page.data_head += 16;
	ring_pending(&r);
	is_int(next(&r, &stays), '-',
	       "ring_next() skips all pending bytes if a record has a size of 0");
	ring_round(&r);
	ring_round(&r);
	is_int(page.data_tail, (intmax_t)page.data_head,
	       "the space of skipped bytes is returned to the kernel");
	test_early(&r);
	test_drain(&r);
	free(r.joined);
	return done();
}
