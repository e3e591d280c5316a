/*
 * BPF programs at the scheduler's tracepoints: they send each switch to and from a thread of the target, and
 * each wakeup, to a ring buffer.  clang compiles them when wick is built, sched_bpf.c loads them.
 *
 * At a switch, the stack of the thread is known.  Copying and unwinding each would cost too much if there are
 * many switches; but then most stacks repeat.  So each stack has a key, a hash of the kernel's call chain, of
 * registers, and of all words of the stack that may be return addresses.  A stack is sent once, then only its
 * key.
 *
 * The types of the kernel are declared here with the fields that are used; libbpf relocates them to the
 * running kernel (CO-RE).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bpf_helpers.h needs these. */
typedef uint8_t __u8;
typedef uint16_t __u16, __be16;
typedef uint32_t __u32, __be32, __wsum;
typedef int32_t __s32;
typedef uint64_t __u64;
typedef int64_t __s64;

/* From linux/bpf.h, which includes headers of the build machine. */
enum {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_F_MMAPABLE = 1 << 10,
	BPF_F_USER_STACK = 1 << 8,
	BPF_RB_NO_WAKEUP = 1,
	BPF_RB_FORCE_WAKEUP = 2,
	BPF_RB_AVAIL_DATA = 0,
};

#include "record/waits/sched_bpf_event.h"

#include <bpf/bpf_helpers.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#define OF_KERNEL __attribute__((preserve_access_index))

struct mm_struct {
	unsigned long start_code, end_code, start_stack, mmap_base;
} OF_KERNEL;

struct thread_struct {
	unsigned long fsbase;
} OF_KERNEL;

struct atomic {
	int counter;
};

struct signal_struct {
	struct atomic live;
} OF_KERNEL;

struct kernfs_node {
	uint64_t id;
} OF_KERNEL;

struct cgroup {
	struct kernfs_node *kn;
} OF_KERNEL;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
} OF_KERNEL;

struct css_set {
	struct cgroup_subsys_state *subsys[1];
} OF_KERNEL;

enum cgroup_subsys_id { perf_event_cgrp_id = 0 };

struct rq {
	uint64_t clock;
} OF_KERNEL;

struct cfs_rq {
	struct rq *rq;
} OF_KERNEL;

struct sched_entity {
	struct cfs_rq *cfs_rq;
	uint64_t sum_exec_runtime;
} OF_KERNEL;

struct sched_info {
	unsigned long long run_delay, last_queued;
} OF_KERNEL;

struct task_struct {
	int pid, tgid;
	unsigned int __state;
	struct mm_struct *mm;
	struct signal_struct *signal;
	struct css_set *cgroups;
	struct thread_struct thread;
	struct sched_entity se;
	struct sched_info sched_info;
	uint64_t self_exec_id;
} OF_KERNEL;

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip,
		cs, flags, sp, ss;
} OF_KERNEL;

/* Entry code of interrupts, and the code of softirqs: found in their call chains. */
extern const void asm_common_interrupt __ksym __weak;
extern const void __irqentry_text_end __ksym __weak;
extern const void __softirqentry_text_start __ksym __weak;
extern const void __softirqentry_text_end __ksym __weak;
extern const void handle_softirqs __ksym __weak;
/* The kernel's code, without modules. */
extern const void _stext __ksym __weak;
extern const void _etext __ksym __weak;
/* Return thunks of some processors, whose addresses stay on the stack. */
extern const void srso_alias_return_thunk __ksym __weak;
extern const void srso_return_thunk __ksym __weak;
/* These call the program if there are several at the same tracepoint. */
extern const void __traceiter_sched_switch __ksym __weak;
extern const void __traceiter_sched_waking __ksym __weak;

enum {
	STATE_DEAD = 0x80,
	TRACEITER_SIZE = 0x80,
	THUNK_SIZE = 0x10,
	/* More than the size of handle_softirqs(), which is between larger functions. */
	SOFTIRQS_SIZE = 0x600,
	CS_32_BIT = 0x23,
	/* System calls whose arguments determine the reason for a wait. */
	CALL_POLL = 7,
	CALL_SELECT = 23,
	CALL_FUTEX = 202,
	CALL_PSELECT = 270,
	CALL_PPOLL = 271,
	GROUP_LEVELS = 32, /* depth of nested cgroups */
	OWN_FRAMES = 2,	   /* frames of the program and of its caller */
	RAW_MAX = 4096,	   /* bytes of the kernel stack */
	KNOWN = 1024,
	DELAYS = 1 << 16,
	/* In the lowest bits of the hash of a call chain: */
	CHAIN_INTERRUPT = 1,
	CHAIN_FRAME = 2,
	CHAIN_FRAMES = 127 * CHAIN_FRAME,
	PAGE = 4096,
	STACK_MAX = 8 * 1024 * 1024, /* the usual limit of stacks (ulimit -s) */
	WINDOW_NS = 100000000,
};

const volatile struct sched_settings settings;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct sched_shared);
} shared SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, SCHED_RING_SIZE);
} ring SEC(".maps");

/* An enum sched_target, by pid or tid. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, SCHED_TARGETS_MAX);
	__type(key, uint32_t);
	__type(value, uint32_t);
} targets SEC(".maps");

/*
 * How long a thread had waited for a CPU when it blocked, by the kernel's accounting.  Threads whose tids share an
 * entry overwrite each other's value: the wait of a thread without one ends with the wakeup instead.
 */
struct delay {
	uint64_t ns;
	uint32_t tid;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, DELAYS);
	__type(key, uint32_t);
	__type(value, struct delay);
} delays SEC(".maps");

/* Working memory: one per CPU, because interrupts are disabled at the scheduler's tracepoints. */
struct scratch {
	struct sched_copy copy;
	uint64_t window; /* when nr_copy was last reset */
	uint64_t nr_copy;
	bool has_chain;		   /* copy.kernel is filled */
	uint32_t nr_try;	   /* attempts to find the bottom of a call chain */
	uint32_t nr_found, found;  /* how often a word was found on the stack, and its last index */
	uint64_t at, end;	   /* addresses of the kernel stack, … */
	uint64_t raw[RAW_MAX / 8]; /* … and its contents */
};

/* By CPU; the loader sets max_entries to their number.  Entries of a per-CPU map are limited to 32 KiB. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct scratch);
} scratches SEC(".maps");

/*
 * Kernel call chains that this CPU has unwound, by a hash of the kernel stack down to the bottom of the chain: the
 * return address of the function that a system call or an exception enters.  The words below that do not belong to
 * the key, because the kernel leaves a gap of random size there.
 */
struct known {
	uint64_t raw, chain;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, KNOWN);
	__type(key, uint32_t);
	__type(value, struct known);
} knowns SEC(".maps");

/* The number of words down to that bottom, and the chain it was found for, by a hash of the system call. */
struct bottom {
	uint64_t chain, nr;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, KNOWN);
	__type(key, uint32_t);
	__type(value, struct bottom);
} bottoms SEC(".maps");

/* Targets */

static __always_inline uint32_t number_of(const struct task_struct *task)
{
	return (uint32_t)(settings.by_thread ? task->pid : task->tgid);
}

/* Is the task in the cgroup as perf events see it (version 1 or 2)? */
static __always_inline bool is_in_group(const struct task_struct *task)
{
	uint64_t at =
		bpf_core_field_offset(struct css_set, subsys) +
		sizeof(void *) * bpf_core_enum_value(enum cgroup_subsys_id, perf_event_cgrp_id);
	struct cgroup_subsys_state *css = NULL;

	bpf_probe_read_kernel(&css, sizeof(css), (const char *)task->cgroups + at);
	for (int i = 0; i < GROUP_LEVELS && css; i++) {
		if (BPF_CORE_READ(css, cgroup, kn, id) == settings.group)
			return true;
		css = BPF_CORE_READ(css, parent);
	}
	return false;
}

static __always_inline bool is_target(const struct task_struct *task)
{
	uint32_t number = number_of(task), *target;

	/* Task 0 is an idle CPU. */
	if (!task->pid || settings.all)
		return task->pid;
	if (settings.group)
		return is_in_group(task);
	target = bpf_map_lookup_elem(&targets, &number);
	return target && *target == TARGET_RECORDED;
}

static __always_inline struct sched_shared *find_shared(void)
{
	uint32_t first = 0;

	return bpf_map_lookup_elem(&shared, &first);
}

static __always_inline struct scratch *find_scratch(void)
{
	uint32_t cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&scratches, &cpu);
}

/* Removes the target when its last thread is switched out for the last time: the PID may be reused. */
static __always_inline void forget(struct task_struct *task)
{
	uint32_t number = number_of(task);

	if (settings.by_thread || !task->signal->live.counter)
		bpf_map_delete_elem(&targets, &number);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(forked, struct task_struct *parent, struct task_struct *child)
{
	uint32_t from = number_of(parent), to = number_of(child), *target, value;
	struct sched_shared *page = find_shared();

	if (!settings.follow || settings.all || from == to || !page)
		return 0;
	target = bpf_map_lookup_elem(&targets, &from);
	if (!target)
		return 0;
	value = *target;
	if (bpf_map_update_elem(&targets, &to, &value, 0))
		__sync_fetch_and_add(&page->nr_full, 1);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(execed, struct task_struct *task)
{
	uint32_t number = number_of(task), *target = bpf_map_lookup_elem(&targets, &number);

	if (target)
		*target = TARGET_RECORDED;
	return 0;
}

/* Keys */

static __always_inline uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

/* Where code may be: the program's own, and the area of mappings. */
struct code {
	uint64_t begin, size, mapped;
};

static __always_inline bool may_be_code(const struct code *c, uint64_t word)
{
	return word - c->mapped < 0x800000000000 - c->mapped || word - c->begin < c->size;
}

/*
 * The size of the stack from sp up, limited to SCHED_COPY_MAX.  It ends where the kernel began the stack of the
 * process, or at the thread's own data (fsbase), which glibc and others store at its end; 0: unknown.
 */
static __always_inline uint64_t stack_size(const struct task_struct *task,
					   const struct mm_struct *mm, uint64_t sp)
{
	uint64_t first = mm->start_stack, own = task->thread.fsbase;
	uint64_t size = first - sp < own - sp ? first - sp : own - sp;

	if (size > STACK_MAX)
		return 0;
	return size < SCHED_COPY_MAX ? size & ~7ull : SCHED_COPY_MAX;
}

/*
 * Copies the stack, and returns the size of the copy.  Some of its pages may never have been touched: the helper
 * fills these with zeros.  If the end of the stack is unknown, the copy ends before the first such page.
 */
static __always_inline uint64_t copy_stack(struct scratch *s, uint64_t sp, uint64_t known)
{
	uint64_t size = known ? known : SCHED_COPY_BLIND, part;

	if (size > SCHED_COPY_MAX)
		size = SCHED_COPY_MAX;
	if (!bpf_probe_read_user(s->copy.stack, size, (void *)sp))
		return size;
	/* The rest of the page that sp points to. */
	part = (PAGE - (sp & (PAGE - 1))) & ~7ull;
	if (part > PAGE || bpf_probe_read_user(s->copy.stack, part, (void *)sp))
		return 0;
	for (int i = 0; i < SCHED_COPY_MAX / PAGE - 1; i++) {
		/* The compiler knows the range of `part`, and would omit checks that the verifier requires. */
		barrier_var(part);
		if (part > SCHED_COPY_MAX - PAGE || part >= size ||
		    (bpf_probe_read_user(s->copy.stack + part, PAGE, (void *)(sp + part)) &&
		     !known))
			break;
		part += PAGE;
	}
	return part < size ? part : size;
}

/*
 * State of bpf_loop() over the words of a stack, a part at a time.  The verifier would check each iteration of an
 * ordinary loop.
 */
struct words {
	struct scratch *from;
	struct code code;
	uint64_t hash;
	uint32_t nr;
};

enum { WORDS_AT_ONCE = 16 };

static long mix_part(uint32_t part, struct words *w)
{
	const uint64_t *word;

	if (part >= SCHED_COPY_MAX / 8 / WORDS_AT_ONCE)
		return 1;
	word = (const uint64_t *)w->from->copy.stack + (uint64_t)part * WORDS_AT_ONCE;
	for (uint32_t i = 0; i < WORDS_AT_ONCE; i++) {
		if (part * WORDS_AT_ONCE + i >= w->nr)
			return 1;
		if (may_be_code(&w->code, word[i]))
			w->hash = mix(w->hash, word[i]);
	}
	return 0;
}

/*
 * The user part of the stack: fills registers and copy, and returns its part of the key.  mm is task->mm, which the
 * callers load as early as they can: each time the verifier checks the load of a pointer, it searches all types of
 * the kernel for the pointer's type, which takes milliseconds, and it checks this code hundreds of times.
 */
static __always_inline uint64_t take_user(struct scratch *s, struct task_struct *task,
					  const struct mm_struct *mm, uint64_t *size)
{
	struct pt_regs *r = (struct pt_regs *)bpf_task_pt_regs(task);
	struct pt_regs regs;
	struct words words = { .from = s };
	struct code code;
	uint64_t hash, call;

	bpf_core_read(&regs, sizeof(regs), r);
	code.begin = mm->start_code;
	code.size = mm->end_code - code.begin;
	code.mapped = mm->mmap_base - 0x100000000000;
	s->copy.reg[0] = regs.ax;
	s->copy.reg[1] = regs.bx;
	s->copy.reg[2] = regs.cx;
	s->copy.reg[3] = regs.dx;
	s->copy.reg[4] = regs.si;
	s->copy.reg[5] = regs.di;
	s->copy.reg[6] = regs.bp;
	s->copy.reg[7] = regs.sp;
	s->copy.reg[8] = regs.ip;
	s->copy.reg[9] = regs.r8;
	s->copy.reg[10] = regs.r9;
	s->copy.reg[11] = regs.r10;
	s->copy.reg[12] = regs.r11;
	s->copy.reg[13] = regs.r12;
	s->copy.reg[14] = regs.r13;
	s->copy.reg[15] = regs.r14;
	s->copy.reg[16] = regs.r15;
	s->copy.event.flags |= regs.cs == CS_32_BIT ? SCHED_32_BIT : 0;
	hash = mix(mix(task->self_exec_id, regs.ip), regs.sp);
	hash = may_be_code(&code, regs.bp) ? mix(hash, regs.bp) : hash;
	hash = may_be_code(&code, regs.bx) ? mix(hash, regs.bx) : hash;
	call = regs.orig_ax;
	if (call == CALL_FUTEX)
		hash = mix(mix(mix(hash, regs.di), regs.si), regs.dx);
	else if (call == CALL_POLL || call == CALL_PPOLL)
		hash = mix(hash, regs.si);
	else if (call == CALL_SELECT || call == CALL_PSELECT)
		hash = mix(hash, regs.di);
	*size = copy_stack(s, regs.sp, stack_size(task, mm, regs.sp));
	words.code = code;
	words.hash = hash;
	words.nr = (uint32_t)*size / 8;
	bpf_loop(SCHED_COPY_MAX / 8 / WORDS_AT_ONCE, mix_part, &words, 0);
	return words.hash;
}

static __always_inline bool is_interrupt(uint64_t address)
{
	uint64_t hard = (uint64_t)&asm_common_interrupt,
		 soft = (uint64_t)&__softirqentry_text_start;

	return address - hard < (uint64_t)&__irqentry_text_end - hard ||
	       address - soft < (uint64_t)&__softirqentry_text_end - soft ||
	       address - (uint64_t)&handle_softirqs < SOFTIRQS_SIZE;
}

static __always_inline bool is_traceiter(uint64_t address)
{
	return address - (uint64_t)&__traceiter_sched_switch < TRACEITER_SIZE ||
	       address - (uint64_t)&__traceiter_sched_waking < TRACEITER_SIZE;
}

/* Lets the kernel unwind its stack; returns the number of frames. */
static __always_inline uint32_t read_chain(struct scratch *s, void *ctx)
{
	long size = bpf_get_stack(ctx, s->copy.kernel, sizeof(s->copy.kernel), OWN_FRAMES);

	if (size > 0 && is_traceiter(s->copy.kernel[0]))
		size = bpf_get_stack(ctx, s->copy.kernel, sizeof(s->copy.kernel), OWN_FRAMES + 1);
	return size > 0 ? (uint32_t)size / 8 : 0;
}

/*
 * Hashes frames up to that of an interrupt.  from->nr_found says if there is one: in memory, the verifier does not
 * track its value.
 */
static long mix_frame(uint32_t i, struct words *w)
{
	if (i >= SCHED_KERNEL_MAX || i >= w->nr)
		return 1;
	w->hash = mix(w->hash, w->from->copy.kernel[i]);
	if (!is_interrupt(w->from->copy.kernel[i]))
		return 0;
	w->from->nr_found = 1;
	w->nr = i + 1;
	return 1;
}

/*
 * Unwinds the kernel stack, and returns a hash of the call chain, with CHAIN_INTERRUPT and the number of frames in
 * its lowest bits.  The chain of an interrupt ends before the frames that it interrupted.
 */
static __always_inline uint64_t unwind_kernel(struct scratch *s, void *ctx)
{
	struct words words = { .from = s, .nr = read_chain(s, ctx) };

	s->nr_found = 0;
	bpf_loop(SCHED_KERNEL_MAX, mix_frame, &words, 0);
	return (words.hash & ~(uint64_t)(CHAIN_INTERRUPT | CHAIN_FRAMES)) |
	       (s->nr_found ? CHAIN_INTERRUPT : 0) | (words.nr * CHAIN_FRAME & CHAIN_FRAMES);
}

static __always_inline bool is_kernel_code(uint64_t word)
{
	const uint64_t begin = (uint64_t)&_stext, modules = 0xffffffffa0000000;

	if (word - (uint64_t)&srso_alias_return_thunk < THUNK_SIZE ||
	    word - (uint64_t)&srso_return_thunk < THUNK_SIZE)
		return false;
	return word - begin < (uint64_t)&_etext - begin ||
	       word - modules < 0xffffffffff000000 - modules;
}

/* Like mix_part(), for the kernel stack.  Positions are part of the hash, because unwinding depends on them. */
static long mix_raw_part(uint32_t part, struct words *w)
{
	const uint64_t *word;

	if (part >= RAW_MAX / 8 / WORDS_AT_ONCE)
		return 1;
	word = w->from->raw + (uint64_t)part * WORDS_AT_ONCE;
	for (uint32_t i = 0; i < WORDS_AT_ONCE; i++) {
		if (part * WORDS_AT_ONCE + i >= w->nr)
			return 1;
		if (is_kernel_code(word[i]))
			w->hash = mix(w->hash,
				      word[i] - ((uint64_t)(part * WORDS_AT_ONCE + i) << 32));
	}
	return 0;
}

/* Searches for a word (w->hash).  The results are in `from`: in memory, the verifier does not track their values. */
static long find_raw_part(uint32_t part, struct words *w)
{
	const uint64_t *word;

	if (part >= RAW_MAX / 8 / WORDS_AT_ONCE)
		return 1;
	word = w->from->raw + (uint64_t)part * WORDS_AT_ONCE;
	for (uint32_t i = 0; i < WORDS_AT_ONCE; i++) {
		if (part * WORDS_AT_ONCE + i >= w->nr)
			return 1;
		if (word[i] != w->hash)
			continue;
		w->from->nr_found++;
		w->from->found = part * WORDS_AT_ONCE + i;
	}
	return 0;
}

/*
 * The size of the kernel stack in words, from the arguments of this program, which its caller stores there, to the
 * saved registers of the task.  0: unknown, as on the separate stack of an interrupt.
 */
static __always_inline uint64_t raw_size(struct scratch *s, const void *ctx,
					 struct task_struct *task)
{
	uint64_t size;

	if (!&_stext || !&_etext)
		return 0;
	/* Through memory, so that the verifier regards the pointers as numbers. */
	*(volatile uint64_t *)&s->at = (uint64_t)ctx;
	*(volatile uint64_t *)&s->end = (uint64_t)bpf_task_pt_regs(task);
	size = *(volatile uint64_t *)&s->end - *(volatile uint64_t *)&s->at;
	return size <= RAW_MAX ? size / 8 : 0;
}

static __always_inline bool read_raw(struct scratch *s, uint64_t nr)
{
	uint64_t size = nr * 8;

	/* The verifier requires the check. */
	barrier_var(size);
	if (!size || size > RAW_MAX)
		return false;
	return !bpf_probe_read_kernel(s->raw, size, (void *)*(volatile uint64_t *)&s->at);
}

static __always_inline uint64_t hash_raw(struct scratch *s, uint64_t nr)
{
	struct words words = { .from = s, .hash = nr, .nr = (uint32_t)nr };

	bpf_loop(RAW_MAX / 8 / WORDS_AT_ONCE, mix_raw_part, &words, 0);
	return words.hash;
}

/* Finds the bottom of the unwound chain on the stack; 0: not found, or more than one word matches. */
static __always_inline uint64_t find_bottom(struct scratch *s, uint64_t size, uint64_t chain)
{
	struct words words = { .from = s, .nr = (uint32_t)size };
	uint32_t nr = (uint32_t)(chain & CHAIN_FRAMES) / CHAIN_FRAME;

	if (nr < 2 || nr > SCHED_KERNEL_MAX || chain & CHAIN_INTERRUPT || !read_raw(s, size))
		return 0;
	words.hash = s->copy.kernel[nr - 2];
	s->nr_found = 0;
	bpf_loop(RAW_MAX / 8 / WORDS_AT_ONCE, find_raw_part, &words, 0);
	return s->nr_found == 1 ? s->found + 1 : 0;
}

/*
 * The kernel part of the stack: returns its part of the key.  Unwinding takes longer than everything else, but its
 * result only depends on the stack: the same words down to the bottom of the chain give the same chain.
 */
static __always_inline uint64_t take_kernel(struct scratch *s, void *ctx, struct task_struct *task,
					    bool *interrupts)
{
	enum { TRIES = 4 };
	struct pt_regs *r = (struct pt_regs *)bpf_task_pt_regs(task);
	uint64_t call = mix(mix(mix(s->copy.event.kind, r->ip), r->orig_ax), r->di);
	uint32_t place = (uint32_t)(call >> 20) % KNOWN;
	struct bottom *bottom = bpf_map_lookup_elem(&bottoms, &place);
	struct known *known = NULL;
	uint64_t size = raw_size(s, ctx, task), raw = 0, chain, nr;

	*interrupts = false;
	if (!bottom)
		return 0;
	nr = bottom->nr;
	s->has_chain = true;
	if (nr <= size && read_raw(s, nr)) {
		raw = hash_raw(s, nr);
		place = (uint32_t)(raw >> 20) % KNOWN;
		known = bpf_map_lookup_elem(&knowns, &place);
	}
	if (known && known->raw == raw) {
		s->has_chain = false;
		chain = known->chain;
	} else {
		chain = unwind_kernel(s, ctx);
		if (known && bottom->chain == chain) {
			known->raw = raw;
			known->chain = chain;
		} else if (size && s->nr_try++ % TRIES == 0) {
			nr = find_bottom(s, size, chain);
			if (nr) {
				bottom->nr = nr;
				bottom->chain = chain;
			}
		}
	}
	*interrupts = chain & CHAIN_INTERRUPT;
	s->copy.nr_kernel = (uint32_t)(chain & CHAIN_FRAMES) / CHAIN_FRAME;
	return chain;
}

/* The key is the hash with one of two slots in its lowest bits; 0: neither slot has it. */
static __always_inline uint64_t find_key(struct sched_shared *page, uint64_t hash)
{
	uint64_t rest = hash & ~(uint64_t)(SCHED_SLOTS - 1);
	uint64_t a = hash & (SCHED_SLOTS - 1), b = hash >> 48 & (SCHED_SLOTS - 1);

	if (page->slot[a] == (rest | a))
		return rest | a;
	return page->slot[b] == (rest | b) ? rest | b : 0;
}

static __always_inline uint64_t new_key(const struct sched_shared *page, uint64_t hash,
					uint64_t time)
{
	uint64_t rest = hash & ~(uint64_t)(SCHED_SLOTS - 1);
	uint64_t a = hash & (SCHED_SLOTS - 1), b = hash >> 48 & (SCHED_SLOTS - 1);

	return rest | (!page->slot[a] || (page->slot[b] && time >> 12 & 1) ? a : b);
}

/* Events */

/* Wakes wick when a quarter of the ring buffer is full: only once, because a wakeup costs time. */
static __always_inline uint64_t wakeup(uint64_t size)
{
	const uint64_t enough = SCHED_RING_SIZE / 4;
	uint64_t used = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);

	return used < enough && used + size >= enough ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

static __always_inline bool send(struct sched_shared *page, const void *event, uint64_t size)
{
	if (!bpf_ringbuf_output(&ring, (void *)event, size, wakeup(size)))
		return true;
	__sync_fetch_and_add(&page->nr_lost, 1);
	return false;
}

/* Sends the event with its stack, or with the key of a stack sent before; without either above SCHED_COPIES_MAX. */
static __always_inline void send_stack(struct sched_shared *page, struct scratch *s, void *ctx,
				       uint64_t hash, uint64_t size)
{
	struct sched_event *e = &s->copy.event;
	long nr;

	e->key = find_key(page, hash);
	if (e->key || (e->time - s->window < WINDOW_NS && s->nr_copy >= SCHED_COPIES_MAX)) {
		send(page, e, sizeof(*e));
		return;
	}
	if (e->time - s->window >= WINDOW_NS) {
		s->window = e->time;
		s->nr_copy = 0;
	}
	s->nr_copy++;
	if (!s->has_chain)
		read_chain(s, ctx);
	s->copy.nr_user = 0;
	if (settings.frame_chains && size) {
		nr = bpf_get_stack(ctx, s->copy.user, sizeof(s->copy.user), BPF_F_USER_STACK);
		s->copy.nr_user = nr > 0 ? (uint32_t)nr / 8 : 0;
	}
	e->flags |= SCHED_COPY;
	e->key = new_key(page, hash, e->time);
	if (size > SCHED_COPY_MAX)
		size = SCHED_COPY_MAX;
	if (send(page, &s->copy, offsetof(struct sched_copy, stack) + size))
		page->slot[e->key & (SCHED_SLOTS - 1)] = e->key;
}

static __always_inline void begin(struct sched_event *e, struct task_struct *task, uint32_t kind)
{
	e->time = bpf_ktime_get_ns();
	e->key = 0;
	e->pid = (uint32_t)task->tgid;
	e->tid = (uint32_t)task->pid;
	e->to_pid = 0;
	e->to_tid = 0;
	e->cpu = bpf_get_smp_processor_id();
	e->kind = kind;
	e->flags = 0;
	e->queued = SCHED_QUEUED_UNKNOWN;
	e->ran = 0;
	e->state = 0;
}

static __always_inline struct delay *find_delay(const struct task_struct *task)
{
	uint32_t place = (uint32_t)task->pid % DELAYS;

	return bpf_map_lookup_elem(&delays, &place);
}

/* Does this kernel account CPU wait, and can the clock of that accounting be read? */
static __always_inline bool has_account(const struct task_struct *task)
{
	return bpf_core_field_exists(task->sched_info.run_delay) &&
	       bpf_core_field_exists(task->se.cfs_rq);
}

static __always_inline void remember_delay(const struct task_struct *task)
{
	struct delay *d = find_delay(task);

	if (!d || !has_account(task))
		return;
	d->ns = task->sched_info.run_delay;
	d->tid = (uint32_t)task->pid;
}

/*
 * How long the thread that is being switched in was on run queues since it blocked, as the kernel is about to
 * account it.  Before that, it was blocked.  If it was off CPU when the recording began: how long it has been on
 * this run queue.
 */
static __always_inline uint32_t time_queued(const struct task_struct *task)
{
	struct delay *d = find_delay(task);
	uint64_t since, ns;

	if (!d || (d->tid && d->tid != (uint32_t)task->pid) || !has_account(task))
		return SCHED_QUEUED_UNKNOWN;
	since = task->sched_info.last_queued;
	if (!since)
		return SCHED_QUEUED_UNKNOWN;
	ns = BPF_CORE_READ(task, se.cfs_rq, rq, clock) - since;
	if (d->tid)
		ns += task->sched_info.run_delay - d->ns;
	d->tid = 0;
	return ns < SCHED_QUEUED_UNKNOWN ? (uint32_t)ns : SCHED_QUEUED_UNKNOWN;
}

/* False: the thread exits, and nothing is sent.  `to`: the next thread on this CPU, if it is a target; else NULL. */
static __always_inline bool switched_out(struct sched_shared *page, void *ctx, bool preempt,
					 struct task_struct *task, struct task_struct *to)
{
	const struct mm_struct *mm = task->mm;
	struct scratch *s = find_scratch();
	struct sched_event *e;
	uint64_t hash, size = 0;
	bool interrupts;

	if (!s)
		return false;
	if (task->__state & STATE_DEAD) {
		forget(task);
		return false;
	}
	e = &s->copy.event;
	begin(e, task, SCHED_OUT);
	e->state = task->__state;
	e->flags = preempt || !e->state ? SCHED_PREEMPTED : 0;
	if (!e->flags)
		remember_delay(task);
	if (to) {
		e->to_pid = (uint32_t)to->tgid;
		e->to_tid = (uint32_t)to->pid;
		e->queued = time_queued(to);
		e->ran = to->se.sum_exec_runtime;
	}
	hash = mix(mix(take_kernel(s, ctx, bpf_get_current_task_btf(), &interrupts),
		       SCHED_OUT | (uint64_t)page->epoch << 32),
		   e->pid);
	/* A kernel thread has no user stack; its tid makes the key its own. */
	hash = mix(hash, mm ? take_user(s, bpf_get_current_task_btf(), mm, &size) : e->tid);
	send_stack(page, s, ctx, hash, size);
	return true;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(switched, bool preempt, struct task_struct *from, struct task_struct *to)
{
	struct sched_shared *page = find_shared();
	struct sched_event e;
	bool in;

	if (!page || !page->on)
		return 0;
	in = is_target(to);
	if (is_target(from) && switched_out(page, ctx, preempt, from, in ? to : NULL))
		return 0;
	if (in) {
		begin(&e, to, SCHED_IN);
		e.queued = time_queued(to);
		e.ran = to->se.sum_exec_runtime;
		send(page, &e, sizeof(e));
	}
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(waking, struct task_struct *woken)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct mm_struct *mm = task->mm;
	struct sched_shared *page = find_shared();
	struct scratch *s = find_scratch();
	struct sched_event *e;
	uint64_t hash, size = 0;
	bool interrupts;

	if (!page || !page->on || !s || !is_target(woken))
		return 0;
	e = &s->copy.event;
	begin(e, task, SCHED_WAKE);
	e->to_tid = (uint32_t)woken->pid;
	hash = mix(take_kernel(s, ctx, task, &interrupts),
		   SCHED_WAKE | (uint64_t)page->epoch << 32);
	e->flags = !e->tid || interrupts ? SCHED_INTERRUPT : 0;
	if (!e->flags)
		hash = mix(hash, e->tid);
	/* The mappings of a waker that is not a target are unknown, so its user stack could not be unwound. */
	if (!e->flags && mm && is_target(task))
		hash = mix(hash, take_user(s, task, mm, &size));
	send_stack(page, s, ctx, hash, size);
	return 0;
}

/* The kernel gives stacks only to programs under the GPL. */
char license_of_programs[] SEC("license") = "Dual MIT/GPL";
