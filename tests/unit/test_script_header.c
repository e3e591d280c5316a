/* Every shape of line that `perf script` prints over a stack. */
#include "read/perf_script/script_header.h"

#include "base/alloc.h"
#include "span_tap.h"

#define NONE   UINT32_MAX
#define NS     UINT64_C(1)
#define SECOND (NS * 1000000000)

static const struct row {
	const char *line;
	const char *comm;
	uint32_t pid, tid;
	uint64_t time, period;
	const char *event, *tail;
} rows[] = {
	/* As it comes */
	{ "bash 12 [000] 1.5:     250000 cpu-clock: ", "bash", NONE, 12, SECOND * 3 / 2, 250000,
	  "cpu-clock", "" },
	{ "         swapper     0 [003] 94564.109216:          1 cycles:ppp: ", "swapper", NONE, 0,
	  94564109216000, 1, "cycles:ppp", "" },
	{ "java 12/34 [003] 1.000001: cycles:", "java", 12, 34, SECOND + 1000, 0, "cycles", "" },
	{ "java 12/34 1.000001: cycles:", "java", 12, 34, SECOND + 1000, 0, "cycles", "" },
	{ "bash 12 [000] 1.123456789: cycles:", "bash", NONE, 12, 1123456789, 0, "cycles", "" },
	{ "bash 12 [000] 0.000000001: cycles:", "bash", NONE, 12, 1, 0, "cycles", "" },
	{ "bash\t12\t[000]\t1.5:\t7 cycles:", "bash", NONE, 12, SECOND * 3 / 2, 7, "cycles", "" },

	/* -F: parts are missing */
	{ "bash 12 1.5: cycles:", "bash", NONE, 12, SECOND * 3 / 2, 0, "cycles", "" },
	{ "bash 12 [001] cycles:", "bash", NONE, 12, 0, 0, "cycles", "" },
	{ "bash 12 [001] 250000 cycles:", "bash", NONE, 12, 0, 250000, "cycles", "" },
	{ "bash 12 cycles:", "bash", NONE, 12, 0, 0, "cycles", "" },
	{ "bash 12/34 cycles:u:", "bash", 12, 34, 0, 0, "cycles:u", "" },
	{ "bash    12     250000 cycles:", "bash", NONE, 12, 0, 250000, "cycles", "" },
	{ "bash 12 [000] 1.5:", "bash", NONE, 12, SECOND * 3 / 2, 0, "", "" },
	{ "bash    12", "bash", NONE, 12, 0, 0, "", "" },
	{ "bash 12/34", "bash", 12, 34, 0, 0, "", "" },
	{ "bash [001] 1.5: cycles:", "bash", NONE, NONE, SECOND * 3 / 2, 0, "cycles", "" },
	{ "bash 1.5: cycles:", "bash", NONE, NONE, SECOND * 3 / 2, 0, "cycles", "" },
	{ "bash cycles:", "bash", NONE, NONE, 0, 0, "cycles", "" },
	{ "[001] 1.5: cycles:", "", NONE, NONE, SECOND * 3 / 2, 0, "cycles", "" },
	{ "1.5: cycles:", "", NONE, NONE, SECOND * 3 / 2, 0, "cycles", "" },
	{ "   12 1.5: cycles:", "", NONE, 12, SECOND * 3 / 2, 0, "cycles", "" },
	{ "12/34 [001] 1.5: 7 cycles:", "", 12, 34, SECOND * 3 / 2, 7, "cycles", "" },

	/* Names of processes */
	{ "V8 WorkerThread 24636/25607 [000] 1.5: cpu-clock:", "V8 WorkerThread", 24636, 25607,
	  SECOND * 3 / 2, 0, "cpu-clock", "" },
	{ "a 12 [000] 1.5: cycles:", "a", NONE, 12, SECOND * 3 / 2, 0, "cycles", "" },
	{ "7 12 [000] 1.5: cycles:", "7", NONE, 12, SECOND * 3 / 2, 0, "cycles", "" },
	{ "7zip 12 [000] 1.5: cycles:", "7zip", NONE, 12, SECOND * 3 / 2, 0, "cycles", "" },
	{ "make -j 4 12 [000] 1.5: cycles:", "make -j 4", NONE, 12, SECOND * 3 / 2, 0, "cycles",
	  "" },
	{ "Thread 5 12/13 1.5: cycles:", "Thread 5", 12, 13, SECOND * 3 / 2, 0, "cycles", "" },
	{ "dd 12 [000] 1.5: cycles:", "dd", NONE, 12, SECOND * 3 / 2, 0, "cycles", "" },
	{ "kworker/0:1H 12 [000] 1.5: cycles:", "kworker/0:1H", NONE, 12, SECOND * 3 / 2, 0,
	  "cycles", "" },
	{ "tmux: server 12 [000] 1.5: cycles:", "tmux: server", NONE, 12, SECOND * 3 / 2, 0,
	  "cycles", "" },
	{ "my tmux: server 12 [000] 1.5: cycles:", "my tmux: server", NONE, 12, SECOND * 3 / 2, 0,
	  "cycles", "" },
	{ ":1234 1234 [000] 1.5: cycles:", ":1234", NONE, 1234, SECOND * 3 / 2, 0, "cycles", "" },
	{ ":-1    -1 [000] 1.5: cycles:", ":-1", NONE, NONE, SECOND * 3 / 2, 0, "cycles", "" },
	{ ":-1 -1/-1 [000] 1.5: cycles:", ":-1", NONE, NONE, SECOND * 3 / 2, 0, "cycles", "" },
	{ "1.5: y: 12 [000] 2.5: cycles:", "1.5: y:", NONE, 12, SECOND * 5 / 2, 0, "cycles", "" },
	{ "1.5: y: 12 cycles:", "1.5: y:", NONE, 12, 0, 0, "cycles", "" },
	{ "foo: bar: 12/13 cycles:", "foo: bar:", 12, 13, 0, 0, "cycles", "" },
	{ "12/34 12 2.5: cycles:", "12/34", NONE, 12, SECOND * 5 / 2, 0, "cycles", "" },
	{ "7 2.5: cycles:", "7", NONE, NONE, SECOND * 5 / 2, 0, "cycles", "" },
	{ "x [001] 12 cycles:", "x [001]", NONE, 12, 0, 0, "cycles", "" },
	{ "make -j 4 12345 cycles:", "make -j 4", NONE, 12345, 0, 0, "cycles", "" },
	{ "(sd-pam) 12 [000] 1.5: cycles:", "(sd-pam)", NONE, 12, SECOND * 3 / 2, 0, "cycles", "" },
	{ "caf\xc3\xa9 \xff 12 [000] 1.5: cycles:", "caf\xc3\xa9 \xff", NONE, 12, SECOND * 3 / 2, 0,
	  "cycles", "" },

	/* Events */
	{ "bash 12 1.5: cycles:HG:", "bash", NONE, 12, SECOND * 3 / 2, 0, "cycles:HG", "" },
	{ "bash 12 1.5: 9 cpu_core/cycles/u:", "bash", NONE, 12, SECOND * 3 / 2, 9,
	  "cpu_core/cycles/u", "" },
	{ "bash 12 1.5: cpu/mem-loads,ldlat=30/P:", "bash", NONE, 12, SECOND * 3 / 2, 0,
	  "cpu/mem-loads,ldlat=30/P", "" },
	{ "bash 12 1.5: mem:0x600:rw:", "bash", NONE, 12, SECOND * 3 / 2, 0, "mem:0x600:rw", "" },
	{ "bash 12 1.5: r01c7:", "bash", NONE, 12, SECOND * 3 / 2, 0, "r01c7", "" },

	/* Tracepoints: what stands behind */
	{ "bash 12 [000] 1.5: sched:sched_switch: prev_comm=bash prev_pid=12 ==> next_comm=a b",
	  "bash", NONE, 12, SECOND * 3 / 2, 0, "sched:sched_switch",
	  "prev_comm=bash prev_pid=12 ==> next_comm=a b" },
	{ "bash 12 [000] 1.5: 1 syscalls:sys_enter_write: fd: 0x1, buf: 0x7f12, count: 0x10",
	  "bash", NONE, 12, SECOND * 3 / 2, 1, "syscalls:sys_enter_write",
	  "fd: 0x1, buf: 0x7f12, count: 0x10" },
	{ "bash 12 [000] d..2. 1.5: irq:softirq_entry: vec=1 [action=TIMER]", "bash", NONE, 12,
	  SECOND * 3 / 2, 0, "irq:softirq_entry", "vec=1 [action=TIMER]" },
	{ "bash 12 [000] 1.5: probe:f: (ffffffff81000000)", "bash", NONE, 12, SECOND * 3 / 2, 0,
	  "probe:f", "(ffffffff81000000)" },
	{ "bash 12 x:y: 1.5: z", "bash", NONE, 12, 0, 0, "x:y", "1.5: z" },
	{ "bash 12 [000] 1.5: sched:x: 13 [001] 2.5: y:", "bash", NONE, 12, SECOND * 3 / 2, 0,
	  "sched:x", "13 [001] 2.5: y:" },
	{ "bash 12 1.5: cycles:   7f12 main+0x2 (/bin/bash)", "bash", NONE, 12, SECOND * 3 / 2, 0,
	  "cycles", "7f12 main+0x2 (/bin/bash)" },

	/* Numbers at their limits */
	{ "bash 4294967294 1.5: cycles:", "bash", NONE, NONE - 1, SECOND * 3 / 2, 0, "cycles", "" },
	{ "bash 9999999999 12 1.5: cycles:", "bash 9999999999", NONE, 12, SECOND * 3 / 2, 0,
	  "cycles", "" },
	{ "bash 12 1.5: 18446744073709551615 cycles:", "bash", NONE, 12, SECOND * 3 / 2, UINT64_MAX,
	  "cycles", "" },
};

static void test_rows(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *r = &rows[i];
		struct script_header h;

		if (!ok(script_header_parse(span_of(r->line), &h), r->line))
			continue;
		is_span(h.comm, r->comm, "a header's comm is parsed");
		ok(h.pid == r->pid && h.tid == r->tid,
		   "a header's process and thread IDs are parsed");
		ok(h.time == r->time, "a header's time is parsed");
		ok(h.period == r->period, "a header's period is parsed");
		is_span(h.event, r->event, "a header's event is parsed");
		is_span(span_trim(h.tail), r->tail, "a header's tail is the text after the event");
		ok(!h.record, "a header of a sample is not a PERF_RECORD line");
	}
}

static void test_records(void)
{
	static const struct {
		const char *line;
		uint64_t lost;
	} records[] = {
		{ "swapper 0 [001] 6044.739812: PERF_RECORD_LOST lost 37", 37 },
		{ "swapper 0 [001] 6044.739812: PERF_RECORD_LOST_SAMPLES lost 5", 5 },
		{ "bash 12 [000] 1.5: PERF_RECORD_COMM exec: ls:12/12", 0 },
		{ "bash 12 1.5: PERF_RECORD_MMAP2 12/12: [0x55(0x1000) @ 0 fd:01 1 2]: r-xp /bin/ls",
		  0 },
		{ "bash 12 1.5: PERF_RECORD_FORK(13:13):(12:12)", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(records); i++) {
		struct script_header h;

		ok(script_header_parse(span_of(records[i].line), &h) && h.record, records[i].line);
		is_int(h.lost, records[i].lost,
		       "a PERF_RECORD line's number of lost records is parsed");
	}
}

static void test_garbage(void)
{
	static const char *const lines[] = {
		"",
		" ",
		"\t \t",
		"hello",
		"hello world",
		"1",
		"1.5:",
		"[001]",
		"12/",
		"main;f;g",
		"\tffffffff81000000 do_idle ([kernel.kallsyms])",
		"            7f1234 main+0x12 (/bin/a)",
		"            400500 main (/bin/a)",
		"{",
		"\xff\xfe\x01",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct script_header h;
		bool is_header = script_header_parse(span_of(lines[i]), &h);

		/* A time alone is all that -F time prints. */
		ok(is_header == !strcmp(lines[i], "1.5:"),
		   *lines[i] ? lines[i] : "an empty line is not a header");
	}
}

static void test_event_names(void)
{
	static const char *const events[][2] = {
		{ "cycles:u", "cycles:u" },
		{ "cpu_core/cycles/u", "cycles:u" },
		{ "cpu_atom/cycles/u", "cycles:u" },
		{ "cpu_core/cycles/", "cycles" },
		{ "cpu_atom/cycles/:u", "cycles:u" },
		{ "cpu_core/event=0x3c,umask=0x1/ppp", "event=0x3c,umask=0x1:ppp" },
		{ "cpu/cycles/u", "cpu/cycles/u" },
		{ "cpu_core/cycles", "cpu_core/cycles" },
		{ "cpu_cores/cycles/", "cpu_cores/cycles/" },
		{ "sched:sched_switch", "sched:sched_switch" },
		{ "", "" },
	};
	struct span longer = SPAN("cpu_core/an-event-that-does-not-fit/u");
	char buf[64], little[8];

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		is_span(perf_event_name(span_of(events[i][0]), buf, sizeof(buf)), events[i][1],
			events[i][0]);
	is_bytes(perf_event_name(longer, little, sizeof(little)), longer,
		 "an event longer than its buffer stays as it is");
	is_span(perf_event_base(SPAN("cycles:ppp")), "cycles",
		"perf_event_base() removes modifiers of an event");
	is_span(perf_event_base(SPAN("sched:sched_switch")), "sched:sched_switch",
		"perf_event_base() keeps the name of a tracepoint");
	is_span(perf_event_base(SPAN("sched:sched_switch:u")), "sched:sched_switch",
		"perf_event_base() removes modifiers of a tracepoint");
}

static bool same_header(const struct script_header *a, const struct script_header *b)
{
	return span_eq(a->comm, b->comm) && span_eq(a->who, b->who) && a->pid == b->pid &&
	       a->tid == b->tid && a->time == b->time && a->has_time == b->has_time &&
	       a->period == b->period && span_eq(a->event, b->event) && span_eq(a->tail, b->tail) &&
	       a->lost == b->lost && a->record == b->record;
}

/* Whatever came before, a header is read as if it were the first. */
static void test_again(void)
{
	static const char *const near[] = {
		"bash 12 [000] 1.5:     250000 cpu-clock: ",
		"bash 12 [001] 2.25:          1 cpu-clock: ",
		"bash 12 3.5: cpu-clock:",
		"bash 12 4 [000] 1.5:     250000 cpu-clock: ",
		"bash 12 [000] 1.5:     250000 cpu-clock:u: ",
		"bash 12 [000] 1.5:     250000 cpu-clocks: ",
		"bash 12 [000] 1.5: 7f12 main (/bin/a)",
		"bash 123 [000] 1.5:     250000 cpu-clock: ",
		"bash 12 [000] 1.5: PERF_RECORD_LOST lost 3",
		"bash 12",
		"bash 12 [000] 1.5:     250000 cpu-clock:  7f12 main (/bin/a)",
	};
	struct perf_headers known = { 0 };
	struct script_header fresh, again;
	size_t nr = ARRAY_SIZE(rows), nr_near = ARRAY_SIZE(near), wrong = 0;

	for (size_t i = 0; i < 4 * (nr + nr_near); i++) {
		size_t k = i / 2 % (nr + nr_near);
		struct span line = span_of(k < nr ? rows[k].line : near[k - nr]);
		bool is_fresh = script_header_parse(line, &fresh);

		wrong += perf_headers_parse(&known, line, &again) != is_fresh ||
			 (is_fresh && !same_header(&fresh, &again));
	}
	is_int(wrong, 0, "headers are read the same after others like them");
	perf_headers_release(&known);
}

/* More threads and events than the cache holds at first, or at all, with and without a CPU. */
static void test_many(void)
{
	enum { THREADS = 3000, EVENTS = 1100 };
	struct perf_headers known = { 0 };
	struct script_header fresh, again;
	size_t wrong = 0;

	for (unsigned i = 0; i < 3 * THREADS; i++) {
		char text[100];
		struct span line;

		snprintf(text, sizeof(text), "pool-%u %u %s%u.5:     2500 event-%u: ", i % THREADS,
			 1000 + i % THREADS, i % 2 ? "[001] " : "", i, i % EVENTS);
		line = span_of(text);
		wrong += !script_header_parse(line, &fresh) ||
			 !perf_headers_parse(&known, line, &again) || !same_header(&fresh, &again);
	}
	is_int(wrong, 0, "headers of many threads and events are read the same");
	ok(known.nr_known > THREADS / 2 && known.events.nr <= 1024,
	   "the cache grows within limits");
	perf_headers_release(&known);
}

int main(void)
{
	test_rows();
	test_again();
	test_many();
	test_records();
	test_garbage();
	test_event_names();
	return done();
}
