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
	is_int(s.early.at[15], 'a', "the first of its records comes first");
	is_int(s.early.at[31], 'b', "the second of its records comes second");
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
	ok(d.is_on, "the drain is on");
	while (!__atomic_load_n(&page.data_tail, __ATOMIC_ACQUIRE))
		sched_yield();
	is_int(page.data_tail, 16,
	       "the drain returns the room of a record that nobody has fetched");
	write_record('b', 40);
	write_record('c', 8);
	drain_fetch(&d, 0, &records);
	is_int(records.size, 80, "all records are fetched, whoever took them");
	is_int(records.at[15], 'a', "the record that the drain took is the first");
	is_int(records.at[63], 'b', "the next one is the second");
	is_int(records.at[79], 'c', "one at the front of the ring is the last");
	is_int(page.data_tail, 80, "the room of fetched records is the kernel's again");
	strbuf_release(&records);
	drain_fetch(&d, 0, &records);
	is_int(records.size, 0, "nothing is fetched twice");
	strbuf_release(&records);
	drain_stop(&d);
	ok(!d.is_on, "a drain that was stopped is not on");
}

int main(void)
{
	struct ring r = { .page = &page, .data = data, .size = SIZE, .joined = xmalloc(SIZE) };
	bool stays = false;

	write_record('a', 8);
	write_record('b', 8);
	is_int(ring_pending(&r), 32, "two records wait");
	is_int(next(&r, &stays), 'a', "the first");
	ok(stays, "it stays where it is");
	is_int(next(&r, &stays), 'b', "the second");
	is_int(next(&r, &stays), '-', "and no more");
	ring_round(&r);
	is_int(page.data_tail, 0, "after a round, nothing is the kernel's again");
	write_record('c', 8);
	is_int(ring_pending(&r), 48, "what was told still takes room");
	is_int(next(&r, &stays), 'c', "only what is new is told");
	ring_round(&r);
	is_int(page.data_tail, 32, "after another, what was told before the first is");

	write_record('d', 24);
	ring_pending(&r);
	is_int(next(&r, &stays), 'd', "a record that goes on at the front");
	ok(!stays, "it is joined elsewhere, and does not stay");
	ring_round(&r);
	is_int(page.data_tail, 48, "its room is kept for a round, too");

	memset(data + page.data_head % SIZE, 0, 8);
	page.data_head += 16;
	ring_pending(&r);
	is_int(next(&r, &stays), '-', "a record of no size: the rest is passed over");
	ring_round(&r);
	ring_round(&r);
	is_int(page.data_tail, (intmax_t)page.data_head, "and given back");
	test_early(&r);
	test_drain(&r);
	free(r.joined);
	return done();
}
