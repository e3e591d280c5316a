#include "record/waits/sched_bpf.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "perf/wait_record.h"
#include "record/waits/sched_bpf_event.h"
#include "record/waits/sched_bpf_object.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PROGRAMS = 4 };

struct sched_bpf {
	struct bpf_object *object;
	struct bpf_link *link[PROGRAMS];
	int program[PROGRAMS];
	size_t nr_link;
	int targets; /* descriptor of the BPF map */
	struct sched_shared *shared;
	struct ring_buffer *ring;
	int ring_fd;
	struct attr switches, samples;
	/* While records are taken: */
	struct strbuf *to;
	struct strbuf one; /* a record */
	size_t size;	   /* bytes of the events so far */
	uint64_t nr_odd;   /* malformed events; never seen so far */
};

/* Opening */

/* libbpf's messages are for developers of BPF programs.  The error has the reason. */
static int print_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

/* Checked first, because libbpf reads all types of the kernel before it finds that it may not load. */
static bool may_load(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };
	uint64_t bits;

	if (syscall(SYS_capget, &header, data))
		return true;
	bits = data[0].effective | (uint64_t)data[1].effective << 32;
	return bits >> CAP_SYS_ADMIN & 1 || (bits >> CAP_BPF & 1 && bits >> CAP_PERFMON & 1);
}

static int refuse(const char *doing, struct error *e)
{
	error_sys(e, "BPF: cannot %s", doing);
	if (!may_load())
		error_hint(e, "run wick as root, or with CAP_BPF and CAP_PERFMON");
	else if (access("/sys/kernel/btf/vmlinux", R_OK))
		error_hint(e, "this kernel has no BTF (CONFIG_DEBUG_INFO_BTF)");
	return -1;
}

static int load(struct sched_bpf *b, const struct sched_settings *settings, struct error *e)
{
	struct bpf_object_open_opts opts = { .sz = sizeof(opts), .object_name = "wick_sched" };
	struct bpf_map *map, *constants = NULL;

	b->object = bpf_object__open_mem(sched_bpf_object, sched_bpf_object_size, &opts);
	if (!b->object)
		return refuse("open the programs", e);
	/* libbpf truncates the name: "wick_sch.rodata". */
	bpf_object__for_each_map(map, b->object) if (bpf_map__is_internal(map) &&
						     strstr(bpf_map__name(map), ".rodata"))
		constants = map;
	map = bpf_object__find_map_by_name(b->object, "scratches");
	if (!constants || bpf_map__set_initial_value(constants, settings, sizeof(*settings)) ||
	    !map || bpf_map__set_max_entries(map, (uint32_t)libbpf_num_possible_cpus()))
		return refuse("set up the programs", e);
	return bpf_object__load(b->object) ? refuse("load the programs", e) : 0;
}

static int attach(struct sched_bpf *b, struct error *e)
{
	struct bpf_program *p;

	bpf_object__for_each_program(p, b->object)
	{
		if (b->nr_link == PROGRAMS)
			break;
		b->program[b->nr_link] = bpf_program__fd(p);
		b->link[b->nr_link] = bpf_program__attach(p);
		if (!b->link[b->nr_link])
			return refuse("attach the programs", e);
		b->nr_link++;
	}
	return 0;
}

static int take_event(void *arg, void *data, size_t size);

static int map_shared(struct sched_bpf *b, struct error *e)
{
	int fd = bpf_object__find_map_fd_by_name(b->object, "shared");
	void *at = mmap(NULL, sizeof(*b->shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return refuse("map the shared page", e);
	b->shared = at;
	b->targets = bpf_object__find_map_fd_by_name(b->object, "targets");
	b->ring_fd = bpf_object__find_map_fd_by_name(b->object, "ring");
	b->ring = ring_buffer__new(b->ring_fd, take_event, b, NULL);
	return b->ring ? 0 : refuse("map the ring buffer", e);
}

struct sched_bpf *sched_bpf_open(const struct sampling *what, struct error *e)
{
	struct sched_settings settings = { .by_thread = what->follow == FOLLOW_NONE,
					   .all = !what->nr_task && !what->on_exec &&
						  what->cgroup < 0,
					   .follow = what->follow == FOLLOW_ALL,
					   .frame_chains = what->linked };
	struct sched_bpf *b;
	struct stat group;

	/* The ID of a cgroup is the inode number of its directory. */
	if (what->cgroup >= 0 && !fstat(what->cgroup, &group))
		settings.group = group.st_ino;
	if (!may_load()) {
		errno = EPERM;
		refuse("load programs", e);
		return NULL;
	}
	b = xcalloc(1, sizeof(*b));
	libbpf_set_print(print_nothing);
	if (!load(b, &settings, e) && !map_shared(b, e) && !attach(b, e))
		return b;
	sched_bpf_close(b);
	return NULL;
}

void sched_bpf_close(struct sched_bpf *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nr_link; i++)
		bpf_link__destroy(b->link[i]);
	ring_buffer__free(b->ring);
	if (b->shared)
		munmap(b->shared, sizeof(*b->shared));
	bpf_object__close(b->object);
	strbuf_release(&b->one);
	free(b);
}

void sched_bpf_add(struct sched_bpf *b, pid_t number, enum sched_bpf_from from)
{
	uint32_t key = (uint32_t)number,
		 value = from == SCHED_FROM_EXEC ? TARGET_HELD : TARGET_RECORDED;

	if (bpf_map_update_elem(b->targets, &key, &value, BPF_ANY))
		__atomic_fetch_add(&b->shared->nr_full, 1, __ATOMIC_RELAXED);
}

void sched_bpf_describe(struct sched_bpf *b, const struct attr *switches,
			const struct attr *samples)
{
	b->switches = *switches;
	b->samples = *samples;
}

void sched_bpf_set(struct sched_bpf *b, bool on)
{
	__atomic_store_n(&b->shared->on, on, __ATOMIC_RELEASE);
}

void sched_bpf_repeat(struct sched_bpf *b)
{
	__atomic_fetch_add(&b->shared->epoch, 1, __ATOMIC_RELAXED);
}

int sched_bpf_fd(const struct sched_bpf *b)
{
	return b->ring_fd;
}

/* Events that a program missed because it was already running on that CPU: the kernel counts them. */
static uint64_t missed_by(int program)
{
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	return bpf_obj_get_info_by_fd(program, &info, &size) ? 0 : info.recursion_misses;
}

uint64_t sched_bpf_lost(const struct sched_bpf *b)
{
	uint64_t sum = b->nr_odd + __atomic_load_n(&b->shared->nr_lost, __ATOMIC_RELAXED) +
		       __atomic_load_n(&b->shared->nr_full, __ATOMIC_RELAXED);

	for (size_t i = 0; i < b->nr_link; i++)
		sum += missed_by(b->program[i]);
	return sum;
}

/* Records */

static void put_switch(struct sched_bpf *b, const struct sched_event *v)
{
	struct record r = { .kind = RECORD_SWITCH,
			    .pid = v->pid,
			    .tid = v->tid,
			    .cpu = v->cpu,
			    .time = v->time,
			    .id = SCHED_BPF_SWITCH,
			    .sched = { .out = v->kind == SCHED_OUT,
				       .preempted = v->flags & SCHED_PREEMPTED } };

	if (record_encode(&b->one, &r, &b->switches, ORDER_HOST))
		strbuf_add(b->to, strbuf_peek(&b->one));
}

/* Joins both call chains, with markers, as the kernel writes them in samples. */
static size_t join_chains(const struct sched_copy *c, uint64_t *chain)
{
	size_t nr = 0;

	if (c->nr_kernel) {
		chain[nr++] = PERF_CONTEXT_KERNEL;
		memcpy(&chain[nr], c->kernel, c->nr_kernel * sizeof(*chain));
		nr += c->nr_kernel;
	}
	if (c->nr_user) {
		chain[nr++] = PERF_CONTEXT_USER;
		memcpy(&chain[nr], c->user, c->nr_user * sizeof(*chain));
		nr += c->nr_user;
	}
	return nr;
}

static void put_sample(struct sched_bpf *b, const struct sched_event *v, size_t size)
{
	const struct sched_copy *c = (const struct sched_copy *)v;
	bool is_copy = v->flags & SCHED_COPY, is_out = v->kind == SCHED_OUT;
	struct wait_record own = {
		.kind = is_out ? (is_copy ? WAIT_RECORD_OUT : WAIT_RECORD_OUT_AGAIN)
			       : (is_copy ? WAIT_RECORD_WAKE : WAIT_RECORD_WAKE_AGAIN),
		.since = v->key,
		.holder = is_out ? 0 : v->to_tid,
		.value = v->state,
	};
	struct wait_sample_parts s = { .id = SCHED_BPF_SAMPLE,
				       .pid = v->pid,
				       .tid = v->tid,
				       .cpu = v->cpu,
				       .time = v->time,
				       .own = &own };
	uint64_t chain[SCHED_KERNEL_MAX + SCHED_USER_MAX + 2];

	if (!is_out)
		own.value = v->flags & SCHED_INTERRUPT ? WAKER_INTERRUPT : WAKER_THREAD;
	if (is_copy) {
		s.chain = chain;
		s.nr_chain = join_chains(c, chain);
		s.ip = c->nr_kernel ? c->kernel[0] : c->reg[8];
		s.stack = (struct span){ (const char *)c->stack,
					 size - offsetof(struct sched_copy, stack) };
	}
	if (s.stack.size) {
		s.abi = v->flags & SCHED_32_BIT ? PERF_SAMPLE_REGS_ABI_32 : PERF_SAMPLE_REGS_ABI_64;
		s.reg = c->reg;
		s.nr_reg = SCHED_REGISTERS;
	}
	wait_sample_encode(b->to, &s, &b->samples);
}

/* Writes when the thread that is switched in was put on a run queue: its wait ended then. */
static void put_queued(struct sched_bpf *b, const struct sched_event *in)
{
	struct wait_record own = { .kind = WAIT_RECORD_QUEUED,
				   .since = in->time - in->queued,
				   .value = in->ran };
	struct wait_sample_parts s = { .id = SCHED_BPF_SAMPLE,
				       .pid = in->pid,
				       .tid = in->tid,
				       .cpu = in->cpu,
				       .time = in->time,
				       .own = &own };

	if (in->queued != SCHED_QUEUED_UNKNOWN)
		wait_sample_encode(b->to, &s, &b->samples);
}

static bool is_sound(const struct sched_event *v, size_t size)
{
	const struct sched_copy *c = (const struct sched_copy *)v;

	if (size < sizeof(*v) || v->kind > SCHED_WAKE)
		return false;
	return !(v->flags & SCHED_COPY) ||
	       (size >= offsetof(struct sched_copy, stack) && size <= sizeof(*c) &&
		c->nr_kernel <= SCHED_KERNEL_MAX && c->nr_user <= SCHED_USER_MAX);
}

/* Called by libbpf for each event; below 0: stop. */
static int take_event(void *arg, void *data, size_t size)
{
	struct sched_bpf *b = arg;
	const struct sched_event *v = data;
	struct sched_event next;

	if (!is_sound(v, size)) {
		b->nr_odd++;
		return 0;
	}
	/*
	 * Samples come before switches: ingest/ needs the stack before the wait begins, and the waker before it
	 * ends.
	 */
	if (v->key)
		put_sample(b, v, size);
	if (v->kind == SCHED_IN)
		put_queued(b, v);
	if (v->kind != SCHED_WAKE)
		put_switch(b, v);
	if (v->kind == SCHED_OUT && v->to_tid) {
		next = (struct sched_event){ .kind = SCHED_IN,
					     .time = v->time,
					     .cpu = v->cpu,
					     .pid = v->to_pid,
					     .tid = v->to_tid,
					     .queued = v->queued,
					     .ran = v->ran };
		put_queued(b, &next);
		put_switch(b, &next);
	}
	/* Stops after one full ring buffer: the target may fill it as fast as it is read. */
	b->size += size;
	return b->size < SCHED_RING_SIZE ? 0 : -1;
}

void sched_bpf_take(struct sched_bpf *b, struct strbuf *records)
{
	b->to = records;
	b->size = 0;
	ring_buffer__consume(b->ring);
	b->to = NULL;
}
