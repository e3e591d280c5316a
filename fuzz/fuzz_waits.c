/*
 * Switches, looks at blocked threads and samples of any kind and in any order: the profile is sound,
 * has the time that was added up, and nobody runs when all is over.
 *
 * An input is a list of steps: what, pid, tid, an argument, and by how much the time changes (ms, may
 * be negative).  A record of the recorder's own is followed by its length, and its bytes.
 */
#include "fuzz.h"

#include "ingest/ingest.h"

#include <stdio.h>
#include <stdlib.h>

enum step {
	STEP_SWITCH,
	STEP_OWN,
	STEP_SAMPLE,
	STEP_FORK,
	STEP_EXIT,
	STEP_COMM,
	STEP_MMAP,
	NR_STEPS,
};

static void die(const char *why)
{
	fprintf(stderr, "waits: %s\n", why);
	abort();
}

/* The recorder's own event, whose samples are wait records; and one that samples what runs. */
static const struct attr own = { .type = PERF_TYPE_SOFTWARE,
				 .config = PERF_COUNT_SW_DUMMY,
				 .sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_IP,
				 .switches = true };
static const struct attr clock = { .type = PERF_TYPE_SOFTWARE,
				   .config = PERF_COUNT_SW_CPU_CLOCK,
				   .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CPU };

/* Fills the record of a step, and returns its event. */
static const struct attr *make_record(struct record *r, struct fields *f)
{
	enum step step = (enum step)(fields_u8(f) % NR_STEPS);
	uint32_t pid = fields_u8(f), tid = fields_u8(f);
	unsigned argument = fields_u8(f);
	int64_t change = (int16_t)fields_u16(f);

	r->pid = pid;
	r->tid = tid == 255 ? THREAD_NONE : tid;
	r->time += (uint64_t)(change * 1000000);
	r->sample = (struct sample){ .callchain.order = ORDER_LITTLE };
	switch (step) {
	case STEP_SWITCH:
		r->kind = RECORD_SWITCH;
		r->sched.out = argument & 1;
		r->sched.preempted = argument & 2;
		break;
	case STEP_OWN:
		r->kind = RECORD_SAMPLE;
		r->sample.raw = fields_take(f, fields_u8(f));
		break;
	case STEP_SAMPLE:
		r->kind = RECORD_SAMPLE;
		r->cpu = argument;
		r->sample.ip = 0x1000 + argument;
		r->sample.period = argument;
		break;
	case STEP_FORK:
		r->kind = RECORD_FORK;
		r->fork.ppid = argument >> 4;
		r->fork.ptid = argument & 15;
		break;
	case STEP_EXIT:
		r->kind = RECORD_EXIT;
		break;
	case STEP_COMM:
		r->kind = RECORD_COMM;
		r->comm.name = SPAN("name");
		r->comm.exec = argument & 1;
		break;
	case STEP_MMAP:
	case NR_STEPS:
		r->kind = RECORD_MMAP;
		r->mmap = (struct mapping){ .addr = (uint64_t)argument << 12,
					    .len = 4096,
					    .path = SPAN("/nowhere") };
		break;
	}
	return step == STEP_SAMPLE ? &clock : &own;
}

static void check(struct ingest *g)
{
	const char *wrong = profile_check(g->p);
	uint64_t off = 0, counted = 0;

	if (wrong)
		die(wrong);
	if (!profile_intervals_add_up(g->p))
		die("intervals do not add up to the counts");
	for (int i = 0; i < NR_WAIT_REASONS; i++)
		off += g->waits.sums.off[i];
	for (size_t i = 0; i < g->p->nr_count; i++)
		if (g->p->count[i].event == g->waits.event[EVENT_OFF_CPU])
			counted += (uint64_t)g->p->count[i].weight;
	if (off != counted && !g->p->notes.count[NOTE_COUNT_TOO_LARGE])
		die("the time off CPU is not what was added up");
	if (g->waits.nr_running)
		die("somebody runs when all is over");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fields f = fields_over((struct span){ (const char *)data, size }, ORDER_LITTLE);
	struct record r = { .time = UINT64_C(1) << 40 };
	struct error e = ERROR_INIT;
	struct profile p;
	struct ingest g;
	uint32_t event;

	profile_init(&p);
	profile_keep_ticks(&p, 1000);
	profile_keep_intervals(&p, 100);
	event = profile_event(&p, SPAN("cpu-clock"), SPAN("ns"));
	ingest_init(&g, &p);
	g.waits.on = g.keeps_labels = true;
	while (fields_left(&f)) {
		const struct attr *a = make_record(&r, &f);

		if (!f.failed && ingest_record(&g, &r, a, event, &e))
			die("a record is refused");
	}
	ingest_finish(&g);
	check(&g);
	ingest_release(&g);
	profile_release(&p);
	return 0;
}
