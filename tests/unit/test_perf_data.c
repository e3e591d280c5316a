/* perf.data made by hand: file and pipe, both byte orders, whole and damaged. */
#include "read/read.h"

#include "base/alloc.h"
#include "perf/event.h"
#include "perf_bytes.h"
#include "span_tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#define SAMPLE_TYPE \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)

static void put_sample_id(struct perf_bytes *p, uint32_t pid, uint32_t tid, uint64_t time)
{
	put_u32(p, pid);
	put_u32(p, tid);
	put_u64(p, time);
	put_u64(p, 101);
}

static void put_comm(struct perf_bytes *p, uint32_t pid, const char *name, uint64_t time)
{
	begin_record(p, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put_u32(p, pid);
	put_u32(p, pid);
	put_text(p, name);
	put_sample_id(p, pid, pid, time);
	end_record(p);
}

static void put_mmap(struct perf_bytes *p, uint32_t pid, uint64_t begin, const char *path,
		     uint64_t time)
{
	begin_record(p, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	put_u32(p, pid);
	put_u32(p, pid);
	put_u64(p, begin);
	put_u64(p, 0x1000);
	put_u64(p, 0x2000);
	put_text(p, path);
	put_sample_id(p, pid, pid, time);
	end_record(p);
}

static void put_sample(struct perf_bytes *p, uint32_t pid, uint64_t time, uint64_t id,
		       uint64_t leaf, uint64_t caller)
{
	begin_record(p, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_u64(p, leaf);
	put_u32(p, pid);
	put_u32(p, pid);
	put_u64(p, time);
	put_u64(p, id);
	put_u64(p, 500);
	put_u64(p, 3);
	put_u64(p, (uint64_t)PERF_CONTEXT_USER);
	put_u64(p, leaf);
	put_u64(p, caller);
	end_record(p);
}

static void put_lost(struct perf_bytes *p, uint64_t nr)
{
	begin_record(p, PERF_RECORD_LOST, 0);
	put_u64(p, 101);
	put_u64(p, nr);
	put_sample_id(p, 0, 0, 50);
	end_record(p);
}

static void put_round(struct perf_bytes *p)
{
	begin_record(p, 68, 0);
	end_record(p);
}

/* Not in the order of time: the mapping is told after the samples in it. */
static void put_records(struct perf_bytes *p)
{
	put_sample(p, 7, 30, 101, 0x400010, 0x400020);
	put_sample(p, 7, 40, 102, 0x400010, 0x400020);
	put_lost(p, 3);
	put_round(p);
	put_comm(p, 7, "prog", 10);
	put_mmap(p, 7, 0x400000, "/none/prog", 20);
	put_round(p);
	put_sample(p, 7, 60, 101, 0x400010, 0x900000);
	begin_record(p, 63, 0);
	put_u64(p, 1);
	end_record(p);
}

static void put_attrs(struct perf_bytes *p)
{
	for (uint64_t i = 0; i < 2; i++) {
		put_attr(p, SAMPLE_TYPE, SAMPLE_ID_ALL);
		put_u64(p, 104 + 2 * 80 + 8 * i); /* where its ids are */
		put_u64(p, 8);
	}
	put_u64(p, 101);
	put_u64(p, 102);
}

static void put_file(struct perf_bytes *p, const struct perf_bytes *data)
{
	strbuf_add(&p->b, p->order == ORDER_BIG ? SPAN("2ELIFREP") : SPAN("PERFILE2"));
	put_u64(p, 104);
	put_u64(p, 80);
	put_u64(p, 104);
	put_u64(p, 160);
	put_u64(p, 104 + 160 + 16);
	put_u64(p, data->b.size);
	put_u64(p, 0);
	put_u64(p, 0);
	put_u64(p, 1 << 3); /* a host name */
	put_u64(p, 0);
	put_u64(p, 0);
	put_u64(p, 0);
	put_attrs(p);
	strbuf_add(&p->b, strbuf_peek(&data->b));
	put_u64(p, p->b.size + 16);
	put_u64(p, 12);
	put_u32(p, 8);
	put_text(p, "box");
}

static void put_pipe(struct perf_bytes *p, const struct perf_bytes *data)
{
	strbuf_add(&p->b, p->order == ORDER_BIG ? SPAN("2ELIFREP") : SPAN("PERFILE2"));
	put_u64(p, 16);
	for (uint64_t i = 0; i < 2; i++) {
		begin_record(p, 64, 0);
		put_attr(p, SAMPLE_TYPE, SAMPLE_ID_ALL);
		put_u64(p, 101 + i);
		end_record(p);
	}
	begin_record(p, 78, 0); /* the second one is called something else */
	put_u64(p, 2);
	put_u64(p, 102);
	put_text(p, "other");
	end_record(p);
	begin_record(p, 80, 0);
	put_u64(p, 3);
	put_u32(p, 8);
	put_text(p, "box");
	end_record(p);
	strbuf_add(&p->b, strbuf_peek(&data->b));
}

/* All of it packed, cut in two in the middle of a record. */
static void put_packed(struct perf_bytes *p, const struct perf_bytes *data)
{
	size_t cap = ZSTD_compressBound(data->b.size), half;
	char *packed = xmalloc(cap);
	size_t size = ZSTD_compress(packed, cap, data->b.at, data->b.size, 1);

	half = size / 2;
	begin_record(p, 81, 0);
	strbuf_add(&p->b, (struct span){ packed, half });
	end_record(p);
	begin_record(p, 81, 0);
	strbuf_add(&p->b, (struct span){ packed + half, size - half });
	end_record(p);
	free(packed);
}

static int read_with(struct span bytes, const struct read_opts *o, struct profile *p,
		     struct error *e)
{
	const struct reader *r = reader_find(SPAN("perf-data"));
	struct source *source = source_new(stream_over(bytes), e);
	struct read_result result = { 0 };
	int ret = read_source(r, source, o, p, &result, e);

	source_free(source);
	return ret;
}

static int read_bytes(struct span bytes, struct profile *p, struct error *e)
{
	return read_with(bytes, &(struct read_opts){ .threads = 1 }, p, e);
}

static uint64_t nr_of(const struct profile *p, uint32_t event)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < p->nr_count; i++)
		if (p->count[i].event == event)
			nr += p->count[i].nr;
	return nr;
}

static void check(struct span bytes, const char *second, const char *what)
{
	struct error e = ERROR_INIT;
	const struct frame *leaf, *caller;
	const struct stack *stack;
	struct profile p;

	profile_init(&p);
	is_int(read_bytes(bytes, &p, &e), 0, what);
	ok(!profile_check(&p), "the profile of a recording is sound");
	is_int(p.nr_event, second ? 2 : 1, "events of one name are merged, others are kept apart");
	is_int(nr_of(&p, 0), second ? 2 : 3, "the first event has all its samples");
	is_span(profile_peek(&p, p.thread[p.count[0].thread.i].comm), "prog",
		"a sample's thread has the name of an earlier COMM record");
	is_int(p.count[0].weight, 500 * (int64_t)p.count[0].nr, "a sample's weight is its period");
	stack = &p.stack[p.count[0].stack.i];
	leaf = &p.frame[stack->frame.i];
	caller = &p.frame[p.stack[stack->caller.i].frame.i];
	is_int(leaf->address, 0x2010, "the address of a leaf is its offset in the file");
	is_int(leaf->flags, FRAME_IN_MODULE, "a leaf is in a module and is no return address");
	is_int(caller->address, 0x2020, "the address of a caller is its offset in the file");
	is_int(caller->flags, FRAME_IN_MODULE | FRAME_RETURN_ADDRESS,
	       "a caller is in a module and is a return address");
	is_span(profile_peek(&p, p.module[leaf->module.i].path), "/none/prog",
		"a frame's module has the path of its mapping");
	is_int(p.notes.count[NOTE_LOST], 3, "lost samples are counted");
	is_int(p.notes.count[NOTE_UNKNOWN_RECORD], 1, "unknown records are counted");
	is_int(p.notes.count[NOTE_LATE_RECORD], 0, "no record is late where rounds separate them");
	ok(p.nr_info && span_is(profile_peek(&p, p.info[0].value), "box"),
	   "the host name of a recording is read");
	if (second)
		is_span(profile_peek(&p, p.event[1].name), second,
			"an event has the name of its update record");
	profile_release(&p);
}

static void test_whole(enum byte_order order)
{
	struct perf_bytes data = { .order = order }, file = { .order = order },
			  pipe = { .order = order }, packed = { .order = order },
			  packed_pipe = { .order = order };

	put_records(&data);
	put_file(&file, &data);
	/* Both events have the name of their attr, and so are one. */
	check(strbuf_peek(&file.b), NULL, "a perf.data file is read");
	put_pipe(&pipe, &data);
	check(strbuf_peek(&pipe.b), "other", "a perf.data pipe is read");
	put_packed(&packed, &data);
	put_pipe(&packed_pipe, &packed);
	check(strbuf_peek(&packed_pipe.b), "other", "a pipe of compressed records is read");
	strbuf_release(&data.b);
	strbuf_release(&file.b);
	strbuf_release(&pipe.b);
	strbuf_release(&packed.b);
	strbuf_release(&packed_pipe.b);
}

/* What is left of it after anything was done to it can be read, or is an error with a word. */
static bool survives(struct span bytes)
{
	char *copy = xmemdup(bytes.at, bytes.size);
	struct error e = ERROR_INIT;
	struct profile p;
	bool good;
	int ret;

	profile_init(&p);
	ret = read_bytes((struct span){ copy, bytes.size }, &p, &e);
	good = !profile_check(&p) && (!ret || e.text[0]);
	profile_release(&p);
	free(copy);
	return good;
}

static void test_damage(void)
{
	struct perf_bytes data = { .order = ORDER_LITTLE }, packed = { .order = ORDER_LITTLE };
	bool cut = true, changed = true;

	put_records(&data);
	put_packed(&packed, &data);
	for (int pipe = 0; pipe < 2; pipe++) {
		struct perf_bytes p = { .order = ORDER_LITTLE };

		if (pipe)
			put_pipe(&p, &packed);
		else
			put_file(&p, &data);
		for (size_t size = 8; size < p.b.size; size++)
			cut &= survives(span_upto(strbuf_peek(&p.b), size));
		for (size_t i = 8; i < p.b.size; i++) {
			char old = p.b.at[i];

			p.b.at[i] = (char)~old;
			changed &= survives(strbuf_peek(&p.b));
			p.b.at[i] = old;
		}
		strbuf_release(&p.b);
	}
	ok(cut, "a recording truncated anywhere is an error or a sound profile");
	ok(changed, "a recording with any byte inverted is an error or a sound profile");
	strbuf_release(&data.b);
	strbuf_release(&packed.b);
}

static void test_unfinished(void)
{
	struct perf_bytes data = { .order = ORDER_LITTLE }, file = { .order = ORDER_LITTLE };
	struct error e = ERROR_INIT;
	struct profile p;

	put_records(&data);
	put_file(&file, &data);
	/* The size of the data is filled in at the very end. */
	memset(file.b.at + 48, 0, 8);
	file.b.size = 104 + 160 + 16 + data.b.size;
	profile_init(&p);
	is_int(read_bytes(strbuf_peek(&file.b), &p, &e), 0,
	       "a file whose recorder was killed is read");
	is_int(nr_of(&p, 0), 3, "a file whose recorder was killed has all its samples");
	is_int(p.notes.count[NOTE_NO_END], 1, "a file whose recorder was killed is noted");
	profile_release(&p);
	strbuf_release(&data.b);
	strbuf_release(&file.b);
}

/* With one event, any id is its: that does not change when another one is told of afterwards. */
static void test_late_event(void)
{
	struct perf_bytes pipe = { .order = ORDER_LITTLE };
	struct error e = ERROR_INIT;
	struct profile p;

	strbuf_add(&pipe.b, SPAN("PERFILE2"));
	put_u64(&pipe, 16);
	for (uint64_t id = 101; id <= 102; id++) {
		begin_record(&pipe, 64, 0);
		put_attr(&pipe, SAMPLE_TYPE, SAMPLE_ID_ALL);
		put_u64(&pipe, id);
		end_record(&pipe);
		put_sample(&pipe, 7, 30 + id, 999, 0x400010, 0x400020);
	}
	profile_init(&p);
	is_int(read_bytes(strbuf_peek(&pipe.b), &p, &e), 0,
	       "a pipe that declares an event after a sample is read");
	is_int(nr_of(&p, 0), 2, "samples stay with the first event if another is declared later");
	is_int(p.notes.count[NOTE_BAD_RECORD], 1, "an event declared after a sample is noted");
	profile_release(&p);
	strbuf_release(&pipe.b);
}

static void check_times(struct span bytes, const struct read_opts *o, size_t nr_tick, bool timed,
			const char *what)
{
	struct error e = ERROR_INIT;
	struct profile p;

	profile_init(&p);
	is_int(read_with(bytes, o, &p, &e), 0, what);
	is_int(nr_of(&p, 0), 3, "all samples are counted, with or without ticks");
	is_int(p.nr_tick, nr_tick, "a profile has as many ticks as were asked for and can be had");
	is_int(p.timed, timed,
	       "a profile is timed only if times or ticks were asked for and samples have times");
	if (timed)
		is_int(p.tick[1].time, 40, "a tick has the time of its sample");
	profile_release(&p);
}

/* The same in a recording whose samples have no times: of each, a word less. */
static void put_untimed(struct perf_bytes *p)
{
	struct perf_bytes data = { .order = p->order };

	for (int i = 0; i < 3; i++) {
		begin_record(&data, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		put_u64(&data, 0x400010);
		end_record(&data);
	}
	strbuf_add(&p->b, SPAN("PERFILE2"));
	put_u64(p, 16);
	begin_record(p, 64, 0);
	put_attr(p, PERF_SAMPLE_IP, 0);
	put_u64(p, 101);
	end_record(p);
	strbuf_add(&p->b, strbuf_peek(&data.b));
	strbuf_release(&data.b);
}

static void test_times(void)
{
	struct perf_bytes data = { .order = ORDER_LITTLE }, file = { .order = ORDER_LITTLE },
			  untimed = { .order = ORDER_LITTLE };
	struct read_opts none = { .threads = 1 }, times = { .threads = 1, .times = true },
			 ticks = { .threads = 1, .ticks = true };

	put_records(&data);
	put_file(&file, &data);
	put_untimed(&untimed);
	check_times(strbuf_peek(&file.b), &none, 0, false, "a file is read without times");
	check_times(strbuf_peek(&file.b), &times, 3, true, "a file is read with times");
	check_times(strbuf_peek(&file.b), &ticks, 3, true, "a file is read with ticks");
	check_times(strbuf_peek(&untimed.b), &times, 0, false,
		    "a recording without times is read if times are asked for");
	check_times(strbuf_peek(&untimed.b), &ticks, 3, false,
		    "a recording without times is read if ticks are asked for");
	strbuf_release(&data.b);
	strbuf_release(&file.b);
	strbuf_release(&untimed.b);
}

static void write_file(const char *path, struct strbuf *bytes)
{
	FILE *f = fopen(path, "wbe");

	if (!f || fwrite(bytes->at, 1, bytes->size, f) != bytes->size || fclose(f))
		perror(path);
	strbuf_release(bytes);
}

/* Four threads of a recorder wrote a file each, of which one had nothing to do: what is where only all of them together tell. */
static void test_folder(void)
{
	enum { FILES = 5 };
	char folder[] = "/tmp/wick-folder.XXXXXX", path[FILES][64];
	struct perf_bytes first = { 0 }, data = { 0 }, one = { 0 }, two = { 0 }, three = { 0 };
	struct perf_bytes idle = { 0 };
	struct error e = ERROR_INIT;
	struct read_result result = { 0 };
	struct source *source;
	struct profile p;

	if (!mkdtemp(folder))
		return;
	for (size_t i = 0; i < FILES; i++)
		snprintf(path[i], sizeof(path[i]), i ? "%s/data.%zu" : "%s/data", folder, i - 1);
	put_lost(&data, 3);
	put_file(&first, &data);
	put_sample(&one, 7, 30, 101, 0x400010, 0x400020);
	put_sample(&one, 7, 60, 101, 0x400010, 0x400020);
	put_comm(&two, 7, "prog", 10);
	put_mmap(&two, 7, 0x400000, "/none/prog", 20);
	put_mmap(&two, 7, 0x400000, "/none/other", 50);
	put_records(&three);
	three.b.size = 8; /* cut off in its first record */
	write_file(path[0], &first.b);
	write_file(path[1], &one.b);
	write_file(path[2], &idle.b);
	write_file(path[3], &two.b);
	write_file(path[4], &three.b);
	strbuf_release(&data.b);
	profile_init(&p);
	source = source_new(stream_open(folder, &e), &e);
	is_int(read_source(reader_find(SPAN("perf-data")), source,
			   &(struct read_opts){ .threads = 1 }, &p, &result, &e),
	       0, "a folder of one file per recorder thread is read");
	source_free(source);
	is_int(nr_of(&p, 0), 2, "a folder has the samples of all its files");
	is_int(p.nr_count, 2, "samples of a folder are resolved by the mappings of their time");
	is_span(profile_peek(&p, p.thread[p.count[0].thread.i].comm), "prog",
		"a sample's thread is named by the COMM record of another file of the folder");
	is_int(p.notes.count[NOTE_LOST], 3, "a folder has the lost samples of its first file");
	is_int(p.notes.count[NOTE_NO_END], 1, "a truncated file of a folder is noted");
	is_int(p.notes.count[NOTE_LATE_RECORD], 0, "no record of a folder is late");
	profile_release(&p);
	for (size_t i = 0; i < FILES; i++)
		unlink(path[i]);
	rmdir(folder);
}

/* The kernel's mapping ends where its code does, but what started it is behind its data. */
static void test_behind_kernel(void)
{
	const uint64_t text = 0xffffffff81000000, caller[] = { 0x2000000, 0x40000000 };
	struct perf_bytes data = { 0 }, file = { 0 };
	struct error e = ERROR_INIT;
	struct profile p;

	begin_record(&data, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	put_u64(&data, UINT32_MAX);
	put_u64(&data, text);
	put_u64(&data, 0x1000000);
	put_u64(&data, text);
	put_text(&data, "[kernel.kallsyms]_text");
	put_sample_id(&data, 0, 0, 1);
	end_record(&data);
	for (size_t i = 0; i < 2; i++) {
		begin_record(&data, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
		put_u64(&data, text + 0x10);
		put_u64(&data, 0);
		put_u64(&data, 2 + i);
		put_u64(&data, 101);
		put_u64(&data, 500);
		put_u64(&data, 3);
		put_u64(&data, (uint64_t)PERF_CONTEXT_KERNEL);
		put_u64(&data, text + 0x10);
		put_u64(&data, text + caller[i]);
		end_record(&data);
	}
	put_file(&file, &data);
	profile_init(&p);
	is_int(read_bytes(strbuf_peek(&file.b), &p, &e), 0,
	       "a recording with kernel samples is read");
	is_int(p.nr_count, 2, "kernel samples with different callers are two stacks");
	for (size_t i = 0; i < p.nr_count; i++) {
		stack_id root = p.stack[p.count[i].stack.i].caller;
		const struct frame *f = &p.frame[p.stack[root.i].frame.i];

		is_int((intmax_t)(f->flags & FRAME_IN_MODULE), i ? 0 : FRAME_IN_MODULE,
		       i ? "an address far behind the kernel is not in its module"
			 : "an address shortly behind the kernel's code is in its module");
		is_int((intmax_t)f->address, (intmax_t)(i ? text + caller[i] : caller[i]),
		       "a frame has its offset within the kernel, or else its address");
	}
	profile_release(&p);
	strbuf_release(&data.b);
	strbuf_release(&file.b);
}

/* Bytes that make no sense in the middle; whatever they are, records are found again behind them. */
static void test_hole(void)
{
	for (int fill = 0; fill < 3; fill++) {
		struct perf_bytes data = { 0 }, file = { 0 }, pipe = { 0 };
		struct error e = ERROR_INIT;
		struct profile p;

		put_comm(&data, 7, "prog", 10);
		put_sample(&data, 7, 30, 101, 0x400010, 0x400020);
		/* A type that nobody knows, of a size that leads nowhere; and no size at all. */
		for (int i = 0; i < 3001; i++)
			strbuf_addch(&data.b, "\0\x7f\x20"[fill]);
		for (uint64_t i = 0; i < 6; i++)
			put_sample(&data, 7, 40 + i, 101, 0x400010, 0x400020);
		put_file(&file, &data);
		put_pipe(&pipe, &data);
		for (int i = 0; i < 2; i++) {
			profile_init(&p);
			is_int(read_bytes(strbuf_peek(i ? &pipe.b : &file.b), &p, &e), 0,
			       i ? "a pipe with corrupt bytes is read"
				 : "a file with corrupt bytes is read");
			is_int(nr_of(&p, 0), 7, "all samples around corrupt bytes are read");
			is_int(p.notes.count[NOTE_BAD_RECORD], 1, "corrupt bytes are noted once");
			profile_release(&p);
		}
		strbuf_release(&data.b);
		strbuf_release(&file.b);
		strbuf_release(&pipe.b);
	}
}

int main(void)
{
	test_times();
	test_whole(ORDER_LITTLE);
	test_whole(ORDER_BIG);
	test_damage();
	test_unfinished();
	test_late_event();
	test_folder();
	test_behind_kernel();
	test_hole();
	return done();
}
