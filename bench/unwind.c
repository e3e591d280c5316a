/*
 * How fast stacks are walked, and how walks end: over the samples of a recording made with
 * --call-graph dwarf, which is read into memory first.
 *
 * usage: bench_unwind PERF.DATA [ROUNDS]     with 0 rounds the addresses of each stack are printed
 *
 * Of the process that has the most samples, libdwfl is asked to walk the same stacks.
 */
#include "base/alloc.h"
#include "ingest/ingest.h"
#include "ingest/stacks.h"
#include "perf/attrs.h"
#include "unwind_dwfl.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

static const char *const end_names[] = {
	[UNWIND_ROOT] = "root",		[UNWIND_TRUNCATED] = "cut", [UNWIND_NO_COPY] = "no copy",
	[UNWIND_NO_ROW] = "no row",	[UNWIND_BAD_PC] = "bad pc", [UNWIND_LOOP] = "loop",
	[UNWIND_TOO_DEEP] = "too deep",
};

enum { PEER_ROUNDS = 5 };

struct bench {
	struct attrs attrs;
	struct timed {
		uint64_t time;
		struct span bytes;
		int attr;
	} * record;
	size_t nr_record;
	struct profile p;
	struct ingest ingest;
	uint64_t nr_end[ARRAY_SIZE(end_names)], nr_sample, nr_frame;
	struct busy {
		uint32_t pid;
		uint64_t nr_sample, nr_frame;
		double seconds;
	} * busy; /* by process, of the last round; its seconds are the least of each sample */
	size_t nr_busy, cap_busy;
	double *best; /* by sample: the least of all rounds, whatever else the machine does */
	size_t cap_best;
	bool print;
	char buffer[RECORD_SIZE_MAX];
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double processor(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int fail(const char *why)
{
	fprintf(stderr, "bench_unwind: %s\n", why);
	return 1;
}

static struct span map_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *at;

	if (fd < 0 || fstat(fd, &st))
		return SPAN("");
	at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	return at == MAP_FAILED ? SPAN("") : (struct span){ at, (size_t)st.st_size };
}

static void print(const struct stacks *s, const struct record *r, enum unwind_end end)
{
	printf("%u %llu.%06llu %s\n", r->tid, (unsigned long long)(r->time / 1000000000),
	       (unsigned long long)(r->time / 1000 % 1000000), end_names[end]);
	for (size_t i = 0; i < s->nr; i++)
		printf("\t%llx\n", (unsigned long long)s->frame[i].pc);
}

static struct busy *busy(struct bench *b, uint32_t pid)
{
	for (size_t i = 0; i < b->nr_busy; i++)
		if (b->busy[i].pid == pid)
			return &b->busy[i];
	GROW(b->busy, b->nr_busy, b->cap_busy);
	b->busy[b->nr_busy] = (struct busy){ .pid = pid };
	return &b->busy[b->nr_busy++];
}

static void walk(struct bench *b, const struct record *r, const struct attr *a)
{
	struct busy *who = busy(b, r->pid);
	struct stacks *s = &b->ingest.stacks;
	struct process *process = process_get(&b->ingest.processes, r->pid);
	enum unwind_end end;
	double took;

	if (!stacks_start(a, &r->sample))
		return;
	took = seconds();
	end = stacks_walk(s, process, a, &r->sample);
	took = seconds() - took;
	if (b->nr_sample == b->cap_best) {
		b->best = xreallocarray(b->best, ++b->cap_best, sizeof(*b->best));
		b->best[b->nr_sample] = took;
	}
	if (took < b->best[b->nr_sample])
		b->best[b->nr_sample] = took;
	who->seconds += b->best[b->nr_sample];
	who->nr_sample++;
	who->nr_frame += s->nr;
	b->nr_end[end]++;
	b->nr_sample++;
	b->nr_frame += s->nr;
	if (b->print)
		print(s, r, end);
}

static int by_time(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->bytes.at < y->bytes.at ? -1 : 1;
}

static void sort_records(struct bench *b, struct span left)
{
	size_t cap = 0;

	while (left.size >= RECORD_HEADER_SIZE) {
		struct record_header h = record_header(left.at, ORDER_LITTLE);
		struct span bytes = span_upto(left, h.size);
		struct record r;
		int i;

		if (h.size < RECORD_HEADER_SIZE)
			break;
		left = span_from(left, h.size);
		i = h.type < 64 ? attrs_of_record(&b->attrs, bytes, ORDER_LITTLE) : -1;
		if (i < 0 || !record_decode(&r, &b->attrs.attr[i], bytes, ORDER_LITTLE))
			continue;
		GROW(b->record, b->nr_record, cap);
		b->record[b->nr_record++] =
			(struct timed){ .time = r.time, .bytes = bytes, .attr = i };
	}
	qsort(b->record, b->nr_record, sizeof(*b->record), by_time);
}

static struct span section(struct span file, uint64_t offset, uint64_t size)
{
	return span_upto(span_from(file, (size_t)offset), (size_t)size);
}

static int open_recording(struct bench *b, struct span file)
{
	struct fields f = fields_over(span_from(file, 16), ORDER_LITTLE);
	uint64_t entry = fields_u64(&f), at = fields_u64(&f), size = fields_u64(&f), data;
	struct fields attrs = fields_over(section(file, at, size), ORDER_LITTLE);
	struct span records;

	data = fields_u64(&f);
	records = section(file, data, fields_u64(&f));
	if (!span_starts(file, "PERFILE2") || f.failed || entry < 80)
		return -1;
	while (fields_left(&attrs) >= entry) {
		struct attr a;

		if (!attr_parse(&a, fields_take(&attrs, entry - 16), ORDER_LITTLE))
			return -1;
		attrs_add(&b->attrs, &a);
		at = fields_u64(&attrs);
		f = fields_over(section(file, at, fields_u64(&attrs)), ORDER_LITTLE);
		while (fields_left(&f) >= 8)
			attrs_add_id(&b->attrs, fields_u64(&f), b->attrs.nr - 1);
	}
	sort_records(b, records);
	return 0;
}

/* The time of the processor that it took. */
static double run(struct bench *b)
{
	struct error e = ERROR_INIT;
	double begin = processor();

	memset(b->nr_end, 0, sizeof(b->nr_end));
	b->nr_sample = b->nr_frame = 0;
	b->nr_busy = 0;
	for (size_t i = 0; i < b->nr_record; i++) {
		const struct attr *a = &b->attrs.attr[b->record[i].attr];
		struct span bytes = { .at = b->buffer, .size = b->record[i].bytes.size };
		struct record r;

		/* Whoever reads a recording has just had it in his hands. */
		memcpy(b->buffer, b->record[i].bytes.at, bytes.size);
		record_decode(&r, a, bytes, ORDER_LITTLE);
		if (r.kind == RECORD_SAMPLE)
			walk(b, &r, a);
		else
			ingest_record(&b->ingest, &r, a, 0, &e);
	}
	return processor() - begin;
}

/* Of those that were cut off, how many stand below the root of their thread: from the records to a profile. */
static uint64_t count_rooted(const struct bench *b)
{
	struct error e = ERROR_INIT;
	struct ingest ingest;
	struct profile p;
	uint64_t nr;

	profile_init(&p);
	profile_event(&p, SPAN("samples"), SPAN(""));
	ingest_init(&ingest, &p);
	ingest.stacks.image = b->ingest.stacks.image;
	for (size_t i = 0; i < b->nr_record; i++) {
		const struct attr *a = &b->attrs.attr[b->record[i].attr];
		struct record r;

		record_decode(&r, a, b->record[i].bytes, ORDER_LITTLE);
		ingest_record(&ingest, &r, a, 0, &e);
	}
	ingest_finish(&ingest);
	nr = p.notes.count[NOTE_STACK_ROOTED];
	ingest_release(&ingest);
	profile_release(&p);
	return nr;
}

static void print_end(const struct bench *b, const char *name, uint64_t nr)
{
	printf("%8s %8llu %6.2f %%\n", name, (unsigned long long)nr,
	       100 * (double)nr / (double)b->nr_sample);
}

/* The walk of one sample by the peer, in a round; its frames. */
static size_t walk_peer(struct dwfl_peer *peer, const struct record *record, const struct attr *a,
			double *least)
{
	struct unwind_registers r;
	struct unwind_stack stack = { .bytes = record->sample.stack };
	double took;
	size_t nr;

	if (stacks_registers(a, &record->sample, &r) != &unwind_x86_64)
		return 0;
	stack.begin = r.value[unwind_x86_64.stack];
	took = seconds();
	nr = dwfl_peer_walk(peer, &r, &stack);
	took = seconds() - took;
	if (*least <= 0 || took < *least)
		*least = took;
	return nr;
}

static struct busy *busiest(struct bench *b)
{
	struct busy *who = b->busy;

	for (size_t i = 0; i < b->nr_busy; i++)
		who = b->busy[i].nr_sample > who->nr_sample ? &b->busy[i] : who;
	return who;
}

/* Of one process, at the end of the recording: all that it has ever mapped is there. */
static void compare(struct bench *b)
{
	const struct busy *who = busiest(b);
	struct dwfl_peer *peer = dwfl_peer_new(&b->p, process_get(&b->ingest.processes, who->pid));
	double *least = xcalloc(b->nr_record, sizeof(*least)), all = 0;
	uint64_t nr_frame = 0;

	for (int round = 0; peer && round < PEER_ROUNDS; round++)
		for (size_t i = 0; i < b->nr_record; i++) {
			const struct attr *a = &b->attrs.attr[b->record[i].attr];
			struct record r;
			size_t nr;

			record_decode(&r, a, b->record[i].bytes, ORDER_LITTLE);
			if (r.kind != RECORD_SAMPLE || r.pid != who->pid)
				continue;
			nr = walk_peer(peer, &r, a, &least[i]);
			nr_frame += round ? 0 : nr;
		}
	for (size_t i = 0; i < b->nr_record; i++)
		all += least[i];
	free(least);
	dwfl_peer_free(peer);
	if (nr_frame)
		printf("process %u, %llu samples: wick %.1f frames each, %.1f ns a frame; "
		       "libdwfl %.1f frames each, %.1f ns a frame\n",
		       who->pid, (unsigned long long)who->nr_sample,
		       (double)who->nr_frame / (double)who->nr_sample,
		       who->seconds * 1e9 / (double)who->nr_frame,
		       (double)nr_frame / (double)who->nr_sample, all * 1e9 / (double)nr_frame);
}

int main(int argc, char **argv)
{
	static struct bench b;
	int rounds = argc > 2 ? atoi(argv[2]) : 5;
	double best = 0, first, again = 0;
	struct image_opts anywhere = { 0 };
	struct utsname here;

	if (argc < 2 || open_recording(&b, map_file(argv[1])))
		return fail("no recording that perf wrote to a file");
	profile_init(&b.p);
	ingest_init(&b.ingest, &b.p);
	if (!uname(&here))
		profile_inform(&b.p, SPAN("kernel"), span_of(here.release));
	b.ingest.stacks.image = &anywhere;
	b.print = !rounds;
	first = run(&b);
	for (int i = 0; i < rounds; i++) {
		double cpu = run(&b);

		again = !i || cpu < again ? cpu : again;
	}
	for (size_t i = 0; i < b.nr_sample; i++)
		best += b.best[i];
	if (rounds && b.nr_frame) {
		printf("%llu samples, %.1f frames each, %.1f ns a frame (the first time %.1f ms more, for the tables)\n",
		       (unsigned long long)b.nr_sample, (double)b.nr_frame / (double)b.nr_sample,
		       best * 1e9 / (double)b.nr_frame, (first - again) * 1e3);
		for (size_t i = 0; i < ARRAY_SIZE(end_names); i++)
			print_end(&b, end_names[i], b.nr_end[i]);
		print_end(&b, "rooted", count_rooted(&b));
	}
	if (rounds && b.nr_busy)
		compare(&b);
	free(b.best);
	free(b.busy);
	free(b.record);
	ingest_release(&b.ingest);
	profile_release(&b.p);
	attrs_release(&b.attrs);
	return 0;
}
