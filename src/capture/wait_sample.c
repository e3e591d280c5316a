#include "capture/wait_sample.h"

#include "base/alloc.h"
#include "record/waits/wait_class.h"

#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

/* Entries in the cache of kernel functions. */
enum { KNOWN = 4096 };

/* Offsets in the raw data of the tracepoints, which have never changed. */
enum {
	COMMON_FLAGS = 2,
	IN_INTERRUPT = 0x08 | 0x10, /* flags: hardirq or softirq */
	SWITCH_STATE = 32,	    /* sched_switch: prev_state, a long */
	STATE_UNINTERRUPTIBLE = 2,
	WAKING_PID = 24, /* sched_waking: pid */
};

/* The registers of the first arguments of a system call, by perf's register numbers. */
#if defined(__x86_64__)
static const unsigned ARGUMENT[] = { 5 /* di */, 4 /* si */, 3 /* dx */ };
#else
static const unsigned ARGUMENT[] = { 0, 1, 2 };
#endif

void wait_samples_release(struct wait_samples *s)
{
	image_close(s->kernel);
	free(s->known);
	*s = (struct wait_samples){ 0 };
}

/* Functions */

static void open_kernel(struct wait_samples *s)
{
	const struct ingest *g = s->ingest;
	struct image_opts o = *g->stacks.image;
	enum image_state state;
	struct utsname name;

	s->tried = true;
	s->known = xcalloc(KNOWN, sizeof(*s->known));
	if (!g->kernel.end || uname(&name))
		return;
	o.lines = false;
	o.kernel_release = span_of(name.release);
	o.kernel_build_id = profile_peek(g->p, g->p->module[g->kernel.module.i].build_id);
	s->kernel = image_open(SPAN("[kernel.kallsyms]"), o.kernel_build_id, &o, &state);
}

/* Functions with a special meaning, by the prefix of their names. */
static const struct {
	const char *text;
	enum wait_function_kind kind;
} kinds[] = {
	{ "handle_mm_fault", FUNCTION_FAULT },
	{ "exc_page_fault", FUNCTION_FAULT },
	{ "do_user_addr_fault", FUNCTION_FAULT },
	{ "do_page_fault", FUNCTION_FAULT },
	{ "do_mem_abort", FUNCTION_FAULT },
	{ "faultin_page", FUNCTION_FAULT },
	{ "ptrace_stop", FUNCTION_STOP },
	{ "do_signal_stop", FUNCTION_STOP },
	{ "__refrigerator", FUNCTION_STOP },
	{ "do_freezer_trap", FUNCTION_STOP },
	{ "do_exit", FUNCTION_STOP },
	{ "coredump_", FUNCTION_STOP },
	{ "rwsem_", FUNCTION_LOCK },
	{ "__mutex_lock", FUNCTION_LOCK },
	{ "rt_mutex_", FUNCTION_LOCK },
	{ "do_sys_poll", FUNCTION_POLL },
	{ "do_select", FUNCTION_SELECT },
	{ "futex_wait", FUNCTION_FUTEX },
	{ "futex_wait_multiple", FUNCTION_REASON },
	{ "futex_lock_pi", FUNCTION_FUTEX },
};

static struct wait_function function_at(const struct wait_samples *s, uint64_t address)
{
	const struct map *map = &s->ingest->kernel;
	struct wait_function f = { .address = address };
	const struct symbol *symbol = NULL;
	char name[BLOCKED_WCHAN_MAX];

	/* A return address may be after the end of the function. */
	if (s->kernel && address > map->begin)
		symbol = image_symbol(s->kernel, address - 1 - map->begin + map->offset);
	if (!symbol)
		return f;
	snprintf(name, sizeof(name), "%s", symbol->name);
	f.reason = wait_of_channel(name);
	f.kind = f.reason == WAIT_OTHER ? FUNCTION_PLAIN : FUNCTION_REASON;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (span_starts(span_of(name), kinds[i].text))
			f.kind = kinds[i].kind;
	return f;
}

static const struct wait_function *find_function(struct wait_samples *s, uint64_t address)
{
	struct wait_function *f = &s->known[(address * UINT64_C(0x9e3779b97f4a7c15) >> 32) % KNOWN];

	if (f->address != address)
		*f = function_at(s, address);
	return f;
}

/* Reasons */

static uint64_t argument(const struct record *r, const struct attr *a, unsigned number)
{
	unsigned rank = 0;

	for (unsigned i = 0; i < ARGUMENT[number]; i++)
		rank += a->regs_user >> i & 1;
	return rank < r->sample.user_regs.nr ? word_at(&r->sample.user_regs, rank) : 0;
}

/* pthread_join() waits until the kernel clears the tid of the joined thread, which is the expected value. */
static bool is_join(const struct wait_samples *s, const struct record *r, const struct attr *a)
{
	uint64_t call = argument(r, a, 1), expected = argument(r, a, 2);
	uint64_t command = call & FUTEX_CMD_MASK;

	return !(call & FUTEX_PRIVATE_FLAG) &&
	       (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) &&
	       (uint32_t)expected != r->tid &&
	       waits_has_thread(&s->ingest->waits, r->pid, (uint32_t)expected);
}

/* poll() and select() wait for files; without any, they sleep. */
static enum wait_reason poll_or_sleep(enum wait_reason before, uint64_t nr_file)
{
	if (before != WAIT_OTHER && before != WAIT_POLL)
		return before;
	return nr_file ? WAIT_POLL : WAIT_SLEEP;
}

/*
 * The first function from the leaf that implies a reason decides.  A kernel lock counts only if no function does; a
 * page fault always counts.
 */
static enum wait_reason reason_of(struct wait_samples *s, const struct record *r,
				  const struct attr *a, bool *is_futex)
{
	enum wait_reason reason = WAIT_OTHER, lock = WAIT_OTHER;
	bool in_kernel = false;

	*is_futex = false;
	for (size_t i = 0; i < r->sample.callchain.nr; i++) {
		uint64_t word = word_at(&r->sample.callchain, i);
		const struct wait_function *f;

		if (word >= PERF_CONTEXT_MAX) {
			in_kernel = word == PERF_CONTEXT_KERNEL;
			continue;
		}
		if (!in_kernel)
			continue;
		f = find_function(s, word);
		switch (f->kind) {
		case FUNCTION_FAULT:
			return WAIT_FAULT;
		case FUNCTION_STOP:
			return WAIT_OTHER;
		case FUNCTION_LOCK:
			lock = WAIT_LOCK;
			break;
		case FUNCTION_POLL:
			reason = poll_or_sleep(reason, argument(r, a, 1));
			break;
		case FUNCTION_SELECT:
			reason = poll_or_sleep(reason, argument(r, a, 0));
			break;
		case FUNCTION_FUTEX:
			*is_futex = true;
			__attribute__((fallthrough));
		case FUNCTION_REASON:
			reason = reason == WAIT_OTHER ? f->reason : reason;
			break;
		case FUNCTION_PLAIN:
			break;
		}
	}
	return reason == WAIT_OTHER ? lock : reason;
}

/* Sets reason, lock and holder of a switch.  `state`: the kernel's state of the thread. */
static void explain_out(struct wait_samples *s, const struct record *r, const struct attr *a,
			uint64_t state, struct wait_record *own)
{
	bool is_futex;

	if (!s->tried)
		open_kernel(s);
	own->reason = reason_of(s, r, a, &is_futex);
	/* Without kernel symbols: a thread in uninterruptible sleep mostly waits for a disk. */
	if (!s->kernel && state & STATE_UNINTERRUPTIBLE)
		own->reason = WAIT_DISK;
	if (!is_futex || own->reason != WAIT_LOCK || r->sample.user_abi != PERF_SAMPLE_REGS_ABI_64)
		return;
	own->lock = argument(r, a, 0);
	if (!is_join(s, r, a))
		return;
	own->reason = WAIT_CHILD;
	own->holder = (uint32_t)argument(r, a, 2);
	own->lock = 0;
}

bool wait_sample(struct wait_samples *s, const struct record *r, const struct attr *a,
		 enum wait_record_kind says, struct wait_record *own)
{
	const struct span raw = r->sample.raw;

	*own = (struct wait_record){ .kind = says };
	if (says == WAIT_RECORD_OUT) {
		explain_out(s, r, a,
			    raw.size >= SWITCH_STATE + 8
				    ? load_u64(raw.at + SWITCH_STATE, ORDER_HOST)
				    : 0,
			    own);
		return true;
	}
	if (raw.size < WAKING_PID + 4)
		return false;
	own->holder = load_u32(raw.at + WAKING_PID, ORDER_HOST);
	/* Task 0 is an idle CPU. */
	own->value =
		!r->tid || raw.at[COMMON_FLAGS] & IN_INTERRUPT ? WAKER_INTERRUPT : WAKER_THREAD;
	return waits_knows(&s->ingest->waits, own->holder);
}

bool wait_sample_own(struct wait_samples *s, const struct record *r, const struct attr *a,
		     struct wait_record *own)
{
	if (!wait_record_parse(own, r->sample.raw, ORDER_HOST))
		return false;
	if (own->kind == WAIT_RECORD_OUT)
		explain_out(s, r, a, own->value, own);
	return own->kind != WAIT_RECORD_WAKE || waits_knows(&s->ingest->waits, own->holder);
}
