/*
 * This program, sampled by the kernel itself: a copy of the stack that is far too short, and what the
 * kernel found by frame pointers.  Both together reach main().
 */
#include "base/alloc.h"
#include "ingest/ingest.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	DEPTH = 40,
	ROOM = 512,
	COPIED = 4 * ROOM,
	RING = 1024 * 1024,
	PAGE = 4096,
	/* ax bx cx dx si di bp sp ip, r8 to r15 */
	REGISTERS = 0xff01ff,
};

static struct perf_event_attr asked = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(asked),
	.config = PERF_COUNT_SW_TASK_CLOCK,
	.sample_period = 1000000,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	.sample_regs_user = REGISTERS,
	.sample_stack_user = COPIED,
	.disabled = 1,
	.exclude_kernel = 1,
	.exclude_hv = 1,
};

static volatile uint64_t sink;
static int event;

__attribute__((noinline)) static void spin(void)
{
	ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
	for (uint64_t i = 0; i < 60000000; i++)
		sink += i * i;
	ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
}

/* A frame pointer in each, as the build asks for. */
__attribute__((noinline)) static void deep(unsigned depth)
{
	volatile char room[ROOM];

	room[depth % ROOM] = 1;
	if (depth)
		deep(depth - 1);
	else
		spin();
	sink += (uint64_t)room[depth % ROOM];
}

static void add_maps(struct ingest *g)
{
	FILE *f = fopen("/proc/self/maps", "re");
	struct error e = ERROR_INIT;
	char line[1024];

	while (f && fgets(line, sizeof(line), f)) {
		unsigned long long begin, end, offset;
		char path[512] = "", access[8];
		struct record r = { .kind = RECORD_MMAP,
				    .misc = PERF_RECORD_MISC_USER,
				    .pid = (uint32_t)getpid(),
				    .tid = (uint32_t)getpid() };

		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %511s", &begin, &end, access, &offset,
			   path) < 4 ||
		    access[2] != 'x')
			continue;
		r.mmap.addr = begin;
		r.mmap.len = end - begin;
		r.mmap.pgoff = offset;
		r.mmap.path = span_of(path);
		ingest_record(g, &r, NULL, 0, &e);
	}
	if (f)
		fclose(f);
}

/* The most frames that a sample has, with what the kernel found or without; and how many samples. */
static size_t frames(struct span records, bool with_chain, size_t *nr)
{
	static const struct image_opts anywhere;
	struct error e = ERROR_INIT;
	struct profile p;
	struct ingest g;
	struct attr a;
	size_t most = 0;

	attr_parse(&a, (struct span){ (const char *)&asked, sizeof(asked) }, ORDER_LITTLE);
	profile_init(&p);
	ingest_init(&g, &p);
	g.stacks.image = &anywhere;
	profile_event(&p, SPAN("task-clock"), SPAN("ns"));
	add_maps(&g);
	*nr = 0;
	while (records.size >= RECORD_HEADER_SIZE) {
		struct record_header h = record_header(records.at, ORDER_LITTLE);
		struct record r;

		if (record_decode(&r, &a, span_upto(records, h.size), ORDER_LITTLE) &&
		    r.kind == RECORD_SAMPLE) {
			if (!with_chain)
				r.sample.callchain.nr = 0;
			ingest_record(&g, &r, &a, 0, &e);
			most = g.stacks.nr > most ? g.stacks.nr : most;
			(*nr)++;
		}
		records = span_from(records, h.size ? h.size : records.size);
	}
	ingest_release(&g);
	profile_release(&p);
	return most;
}

int main(void)
{
	struct perf_event_mmap_page *ring;
	struct span records;
	size_t nr;

#if !defined(__x86_64__)
	puts("1..0 # SKIP frames elsewhere have other rules");
	return 0;
#endif
	event = (int)syscall(SYS_perf_event_open, &asked, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	ring = event < 0 ? MAP_FAILED
			 : mmap(NULL, PAGE + RING, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	if (ring == MAP_FAILED) {
		puts("ok 1 - splice # SKIP the kernel may not be asked here\n1..1");
		return 0;
	}
	deep(DEPTH);
	records = (struct span){ (const char *)ring + PAGE, (size_t)ring->data_head };
	ok(records.size && records.size < RING,
	   "the ring buffer has samples and has not wrapped around");
	ok(frames(records, false, &nr) < DEPTH / 2,
	   "a stack copy that is too short gives less than half of the callers");
	ok(nr > 5, "more than five samples are decoded");
	ok(frames(records, true, &nr) > DEPTH,
	   "a short stack copy with the kernel's call chain gives all callers");
	munmap(ring, PAGE + RING);
	close(event);
	return done();
}
