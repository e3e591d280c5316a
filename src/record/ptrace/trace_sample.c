/* Turns a stopped thread into a sample. */
#include "base/alloc.h"
#include "record/ptrace/cut_call.h"
#include "record/ptrace/tracer.h"
#include "record/session.h"
#include "record/targets/process_memory.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

/* The index of each register of the event's mask, from the lowest bit, in the kernel's register set. */
#if defined(__x86_64__)
#define WORD(name) (offsetof(struct user_regs_struct, name) / sizeof(uint64_t))
static const uint8_t places[] = { WORD(rax), WORD(rbx), WORD(rcx), WORD(rdx), WORD(rsi), WORD(rdi),
				  WORD(rbp), WORD(rsp), WORD(rip), WORD(r8),  WORD(r9),	 WORD(r10),
				  WORD(r11), WORD(r12), WORD(r13), WORD(r14), WORD(r15) };
enum { PLACE_SP = 7, PLACE_PC = 8, NR_WORDS = sizeof(struct user_regs_struct) / 8 };
/* The same for 32-bit programs, whose registers are 32 bits. */
static const uint8_t places_32[] = { 6, 0, 1, 2, 3, 4, 5, 15, 12 };
enum { NR_WORDS_32 = 17 };
#elif defined(__aarch64__)
static const uint8_t places[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				  11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
				  22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };
enum { PLACE_SP = 31, PLACE_PC = 32, NR_WORDS = 34 };
static const uint8_t places_32[] = { 0 };
enum { NR_WORDS_32 = 0 };
#else
static const uint8_t places[] = { 0 }, places_32[] = { 0 };
enum { PLACE_SP = 0, PLACE_PC = 0, NR_WORDS = 1, NR_WORDS_32 = 0 };
#endif

struct registers {
	uint64_t abi; /* PERF_SAMPLE_REGS_ABI_ */
	uint64_t reg[ARRAY_SIZE(places)];
};

/* What is copied while the thread is stopped. */
struct moment {
	uint64_t time;
	struct used used;
	bool has_used;
	struct registers at;
	size_t stack_size;
};

/* False: the thread has exited, or its register set is unknown. */
static bool copy_registers(struct registers *to, const struct traced *k)
{
	uint64_t word[NR_WORDS + 1] = { 0 };
	uint32_t word_32[NR_WORDS_32 + 1];
	struct iovec all = { .iov_base = word, .iov_len = sizeof(word) };

	if (ptrace(PTRACE_GETREGSET, k->tid, NT_PRSTATUS, &all))
		return false;
	if (all.iov_len == NR_WORDS * sizeof(*word)) {
		to->abi = PERF_SAMPLE_REGS_ABI_64;
		for (size_t i = 0; i < ARRAY_SIZE(places); i++)
			to->reg[i] = word[places[i]];
	} else if (NR_WORDS_32 > 0 && all.iov_len == NR_WORDS_32 * sizeof(*word_32)) {
		to->abi = PERF_SAMPLE_REGS_ABI_32;
		memcpy(word_32, word, all.iov_len);
		for (size_t i = 0; i < ARRAY_SIZE(places_32); i++)
			to->reg[i] = word_32[places_32[i]];
	}
	return to->abi != PERF_SAMPLE_REGS_ABI_NONE;
}

/* Copies as much as was requested, as there is, and as fits into a record. */
static void copy_stack(struct moment *m, const struct tracer *t, pid_t tid)
{
	/* A record's size has 16 bits; this many words of it are not the copy. */
	enum { OTHERS = 10 + ARRAY_SIZE(m->at.reg), ROOM = UINT16_MAX - OTHERS * 8 };
	size_t asked = t->attr->stack_user;
	size_t n = memory_read(tid, m->at.reg[PLACE_SP], t->stack, asked < ROOM ? asked : ROOM);
	uint64_t size;

	if (cut_call_find(&m->at.reg[PLACE_PC], t->stack, n, &size)) {
		m->at.reg[PLACE_SP] += size;
		n = memory_read(tid, m->at.reg[PLACE_SP], t->stack, asked < ROOM ? asked : ROOM);
	}
	m->stack_size = n & ~(size_t)7;
}

/* Records */

static void add_u64(struct strbuf *to, uint64_t v)
{
	strbuf_add(to, (struct span){ (const char *)&v, sizeof(v) });
}

static void add_two(struct strbuf *to, uint32_t a, uint32_t b)
{
	const uint32_t both[] = { a, b };

	strbuf_add(to, (struct span){ (const char *)both, sizeof(both) });
}

/* Writes the fields that attribute_init() requests, in the kernel's order. */
static void emit_sample(struct tracer *t, const struct traced *k, const struct moment *m)
{
	struct strbuf *to = &t->record;
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE,
					    .misc = PERF_RECORD_MISC_USER };

	strbuf_reset(to);
	strbuf_add(to, (struct span){ (const char *)&header, sizeof(header) });
	add_u64(to, TRACE_ID);
	add_u64(to, m->at.reg[PLACE_PC]);
	add_two(to, (uint32_t)k->space->pid, (uint32_t)k->tid);
	add_u64(to, m->time);
	add_u64(to, t->period);
	add_u64(to, 0); /* the kernel's call chain */
	add_u64(to, m->at.abi);
	strbuf_add(to, (struct span){ (const char *)m->at.reg, sizeof(m->at.reg) });
	add_u64(to, m->stack_size);
	if (m->stack_size) {
		strbuf_add(to, (struct span){ t->stack, m->stack_size });
		add_u64(to, m->stack_size);
	}
	header.size = (uint16_t)to->size;
	memcpy(to->at, &header, sizeof(header));
	strbuf_add(&t->out, strbuf_peek(to));
}

/*
 * Was the thread on a CPU when it was asked to stop?  A runnable thread that waited for a CPU stops where its wait
 * began, mostly where it was woken, which is not where it spends its time.  Such a thread was scheduled since then,
 * unless it was only preempted by the tracer on the same CPU.
 */
static bool had_processor(const struct tracer *t, const struct traced *k, const struct moment *m)
{
	/* The maximum duration of two context switches. */
	enum { CHANGE_NS = 50000 };

	return m->used.turns == k->seen.turns ||
	       (k->on_our_cpu && m->used.waited - k->seen.waited <=
					 tracer_worked() - t->worked_at_round + CHANGE_NS);
}

/*
 * How many samples a stop gives: one for each period of CPU time since the last one.  So a thread that waits for a
 * CPU gets fewer samples, and one that mostly sleeps at sampling points does not get too few.
 *
 * The first stop of a thread accounts for the time since the last round: it represents all short-lived threads that
 * started and exited in between.
 */
static unsigned count_of(const struct tracer *t, struct traced *k, const struct moment *m)
{
	/*
	 * A stop gives at most MAX samples, or MAX_ALONE after a call that must not be stopped; from LATE on, it
	 * counts even if the thread was not running.
	 */
	enum { MAX = 16, MAX_ALONE = 1024, LATE = 8 };
	const int64_t period = (int64_t)t->period, most = k->alone ? MAX_ALONE : MAX;
	int64_t due;
	bool ran;

	if (!m->has_used)
		return 1;
	ran = had_processor(t, k, m);
	if (k->unmet && ran)
		k->paid = (int64_t)(m->used.time - t->since_round);
	due = ((int64_t)m->used.time - k->paid + period / 2) / period;
	if (due > most) {
		due = most;
		k->paid = (int64_t)m->used.time - due * period;
	}
	if (due <= 0 || (!ran && due < LATE))
		return 0;
	k->unmet = false;
	k->paid += due * period;
	return (unsigned)due;
}

static void count_stop(struct trace_sum *sum, uint64_t ns)
{
	size_t i = 0;

	while (ns / 1000 >> i && i + 1 < ARRAY_SIZE(sum->nr_stop))
		i++;
	sum->nr_stop[i]++;
}

/* Writes the samples of the stop. */
static void emit_moment(struct tracer *t, struct traced *k, struct moment *m, unsigned nr)
{
	if (t->full) {
		t->nr_lost += nr;
		return;
	}
	if (!nr)
		return;
	t->sum.nr_taken++;
	t->sum.nr_sample += nr;
	tracer_emit_comm(t, k, false);
	tracer_emit_code(t, k, m->at.reg[PLACE_PC]);
	m->time = session_now();
	while (nr--)
		emit_sample(t, k, m);
}

void tracer_sample(struct tracer *t, struct traced *k)
{
	struct moment m = { .time = session_now() };
	bool whole = copy_registers(&m.at, k);
	unsigned nr;

	m.has_used = traced_used(k, &m.used);
	nr = count_of(t, k, &m);
	if (whole && nr)
		copy_stack(&m, t, k->tid);
	/* Reads the mappings of a new process before it continues, because it may exit then. */
	if (whole && nr && k->space->nr_read < 2)
		tracer_emit_code(t, k, m.at.reg[PLACE_PC]);
	traced_hide_stop(k);
	traced_go_on(k, 0);
	k->emitted.stopped += session_now() - k->asked;
	count_stop(&t->sum, session_now() - k->asked);
	if (whole)
		emit_moment(t, k, &m, nr);
}
