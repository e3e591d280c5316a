/* A thread that is stopped, as a sample. */
#include "base/alloc.h"
#include "record/memory.h"
#include "record/session.h"
#include "record/tracer.h"

#include <elf.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

/* Where each register of the event's mask, from the lowest bit, is among the kernel's words. */
#if defined(__x86_64__)
#define WORD(name) (offsetof(struct user_regs_struct, name) / sizeof(uint64_t))
static const uint8_t places[] = { WORD(rax), WORD(rbx), WORD(rcx), WORD(rdx), WORD(rsi), WORD(rdi),
				  WORD(rbp), WORD(rsp), WORD(rip), WORD(r8),  WORD(r9),	 WORD(r10),
				  WORD(r11), WORD(r12), WORD(r13), WORD(r14), WORD(r15) };
enum { PLACE_SP = 7, PLACE_PC = 8, NR_WORDS = sizeof(struct user_regs_struct) / 8 };
/* The same of programs of 32 bits, whose words are half as long. */
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

/* What is copied while it is stopped. */
struct moment {
	uint64_t time;
	struct used used;
	bool has_used;
	uint64_t abi;
	uint64_t reg[ARRAY_SIZE(places)];
	size_t stack_size;
};

#if defined(__x86_64__)
/* Those that wait, have done nothing yet, and of which the kernel only says that they were interrupted. */
static const uint16_t waiting_calls[] = {
	SYS_epoll_wait,	     SYS_epoll_pwait,  SYS_epoll_pwait2,   SYS_semop, SYS_semtimedop,
	SYS_rt_sigtimedwait, SYS_io_getevents, SYS_io_uring_enter, SYS_read,  SYS_recvfrom,
	SYS_recvmsg,	     SYS_accept,       SYS_accept4,
};

/*
 * A call that only our stop has interrupted begins anew; most do by themselves.  If there is a signal that the program
 * handles, it is told of the interruption as ever.
 */
static void begin_call_anew(const uint64_t *word, pid_t tid)
{
	/* The kernel's own word for that, which programs never see. */
	enum { RESTART_IF_NO_HANDLER = 514 };

	if ((int64_t)word[WORD(rax)] != -EINTR)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(waiting_calls); i++)
		if (word[WORD(orig_rax)] == waiting_calls[i])
			ptrace(PTRACE_POKEUSER, tid, offsetof(struct user_regs_struct, rax),
			       (long)-RESTART_IF_NO_HANDLER);
}
#else
/* The kernel has decided before it stops. */
static void begin_call_anew(const uint64_t *word, pid_t tid)
{
	(void)word;
	(void)tid;
}
#endif

/* False where it is already gone. */
static bool copy_registers(struct moment *m, pid_t tid)
{
	uint64_t word[NR_WORDS + 1] = { 0 };
	uint32_t word_32[NR_WORDS_32 + 1];
	struct iovec all = { .iov_base = word, .iov_len = sizeof(word) };

	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all))
		return false;
	if (all.iov_len == NR_WORDS * sizeof(*word)) {
		m->abi = PERF_SAMPLE_REGS_ABI_64;
		for (size_t i = 0; i < ARRAY_SIZE(places); i++)
			m->reg[i] = word[places[i]];
		begin_call_anew(word, tid);
	} else if (NR_WORDS_32 > 0 && all.iov_len == NR_WORDS_32 * sizeof(*word_32)) {
		m->abi = PERF_SAMPLE_REGS_ABI_32;
		memcpy(word_32, word, all.iov_len);
		for (size_t i = 0; i < ARRAY_SIZE(places_32); i++)
			m->reg[i] = word_32[places_32[i]];
	}
	return m->abi != PERF_SAMPLE_REGS_ABI_NONE;
}

/* As much as there is: it ends where the stack does. */
static void copy_stack(struct moment *m, const struct tracer *t, pid_t tid)
{
	size_t n = memory_read(tid, m->reg[PLACE_SP], t->stack, t->attr->stack_user);

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

/* The fields that attribute_init() asks for, in the kernel's order. */
static void tell_sample(struct tracer *t, const struct traced *k, const struct moment *m)
{
	struct strbuf *to = &t->record;
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE,
					    .misc = PERF_RECORD_MISC_USER };

	strbuf_reset(to);
	strbuf_add(to, (struct span){ (const char *)&header, sizeof(header) });
	add_u64(to, TRACE_ID);
	add_u64(to, m->reg[PLACE_PC]);
	add_two(to, (uint32_t)k->space->pid, (uint32_t)k->tid);
	add_u64(to, m->time);
	add_u64(to, t->period);
	add_u64(to, 0); /* the kernel's call chain */
	add_u64(to, m->abi);
	strbuf_add(to, (struct span){ (const char *)m->reg, sizeof(m->reg) });
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
 * Who only waited for a processor when we looked stops where that began: where it was woken, mostly, and not where its
 * time goes.  If we took the processor ourselves, it was running.
 */
static bool had_processor(const struct tracer *t, const struct traced *k, const struct moment *m)
{
	/* What it takes to change from one to the other. */
	enum { CHANGE_NS = 50000 };

	return m->used.turns == k->seen.turns ||
	       (k->below &&
		m->used.waited - k->seen.waited <= tracer_worked() - t->woke_to_look + CHANGE_NS);
}

/*
 * How many samples it is: one for each period on a processor, so that a thread that
 * has to wait for its turn counts less, and one that mostly sleeps when we look no less.
 * One that was never met before counts at once, for it may not live until the next look: for all those that
 * lived and ended between looks; if it was running when we looked, and not only about to.
 */
static unsigned count_of(const struct tracer *t, struct traced *k, const struct moment *m)
{
	enum { AT_ONCE = 16, MUCH = 8 };
	int64_t period = (int64_t)t->period, due;
	bool ran;

	if (!m->has_used)
		return 1;
	ran = had_processor(t, k, m);
	if (k->unmet && ran)
		k->paid = (int64_t)(m->used.time - t->apart);
	due = ((int64_t)m->used.time - k->paid + period / 2) / period;
	if (due > AT_ONCE) {
		due = AT_ONCE;
		k->paid = (int64_t)m->used.time - due * period;
	}
	/* One that is never met otherwise is better known somewhere than not at all. */
	if (due <= 0 || (!ran && due < MUCH))
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

void tracer_sample(struct tracer *t, struct traced *k)
{
	struct moment m = { .time = session_now() };
	bool whole = copy_registers(&m, k->tid);
	unsigned nr;

	m.has_used = traced_used(k, &m.used);
	nr = count_of(t, k, &m);
	if (whole && nr)
		copy_stack(&m, t, k->tid);
	/* One that we hardly know may be gone when it runs again. */
	if (whole && nr && k->space->nr_read < 2)
		tracer_tell_code(t, k, m.reg[PLACE_PC]);
	traced_go_on(k, 0);
	count_stop(&t->sum, session_now() - k->asked);
	if (!whole)
		return;
	if (t->full) {
		t->nr_lost += nr;
		return;
	}
	if (!nr)
		return;
	t->sum.nr_taken++;
	t->sum.nr_sample += nr;
	tracer_tell_comm(t, k, false);
	tracer_tell_code(t, k, m.reg[PLACE_PC]);
	m.time = session_now();
	while (nr--)
		tell_sample(t, k, &m);
}
