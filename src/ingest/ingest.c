#include "ingest/ingest.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

void ingest_init(struct ingest *g, struct profile *p)
{
	*g = (struct ingest){ .p = p };
	processes_init(&g->processes, p);
	stacks_init(&g->stacks, p, &g->dumps);
}

void ingest_release(struct ingest *g)
{
	cuts_release(&g->cuts);
	beyond_release(&g->beyond);
	processes_release(&g->processes);
	stacks_release(&g->stacks);
	chain_release(&g->chain);
	ways_release(&g->ways);
	dumps_release(&g->dumps);
	files_release(&g->files);
	intern_release(&g->paths);
	arena_release(&g->arena);
	free(g->build_id);
	free(g->frame);
	cpu_labels_release(&g->cpus);
	*g = (struct ingest){ 0 };
}

bool ingest_root(void *ingest, uint32_t ticket, uint64_t *pc)
{
	struct ingest *g = ingest;
	const struct origin *root = cuts_root(&g->cuts, ticket);

	*pc = root ? root->pc : 0;
	return root;
}

void ingest_finish(struct ingest *g)
{
	stacks_finish(&g->stacks);
	cuts_finish(&g->cuts, g->p);
}

/* Files of which frames are, or rows were used.  Kernel modules are found by other means. */
static void find_used(const struct ingest *g, bool *used)
{
	for (size_t i = 0; i < g->p->nr_frame; i++)
		if (g->p->frame[i].kind == FRAME_USER)
			used[g->p->frame[i].module.i] = true;
	for (size_t i = 0; i < g->stacks.nr_table; i++)
		used[i] |= g->stacks.table[i].cfi != NULL;
}

void ingest_check_files(struct ingest *g, const struct files_recorded *r)
{
	bool *used;

	if (!g->stacks.image)
		return;
	used = xcalloc(g->p->nr_module, sizeof(*used));
	find_used(g, used);
	files_note(&g->files, g->p, used, r, g->stacks.image);
	free(used);
}

/* Modules */

void ingest_build_id(struct ingest *g, struct span path, struct span build_id)
{
	uint32_t i = intern(&g->paths, path);
	char *copy;

	if (i < g->nr_build_id)
		return;
	copy = arena_take(&g->arena, build_id.size);
	memcpy(copy, build_id.at, build_id.size);
	GROW(g->build_id, g->nr_build_id, g->cap_build_id);
	g->build_id[g->nr_build_id++] = (struct span){ .at = copy, .size = build_id.size };
}

static struct span known_build_id(const struct ingest *g, struct span path)
{
	uint32_t i = intern_find(&g->paths, path, intern_hash(path));

	return i == INTERN_NONE ? SPAN("") : g->build_id[i];
}

/* The module of a file; the profile has build-ids in hex. */
static module_id module(struct ingest *g, struct span path, struct span build_id)
{
	char hex[2 * BUILD_ID_MAX + 1];
	size_t n = 0;

	if (!build_id.size)
		build_id = known_build_id(g, path);
	build_id = span_upto(build_id, BUILD_ID_MAX);
	/* Old recordings pad a short build-id to 20 bytes; a hash hardly ends in four zeroes. */
	while (build_id.size > 4 && !memcmp(build_id.at + build_id.size - 4, "\0\0\0\0", 4))
		build_id.size -= 4;
	for (size_t i = 0; i < build_id.size; i++)
		n += (size_t)snprintf(hex + n, sizeof(hex) - n, "%02x",
				      (unsigned char)build_id.at[i]);
	return profile_module(g->p, path, (struct span){ .at = hex, .size = n });
}

/* Mappings */

/* Paths that the kernel gives memory without a file; and .NET, which maps its code twice. */
static const char *const memory[] = { "//anon", "/dev/zero", "/anon_hugepage",
				      "[anon:", "/memfd:doublemapper" };

static bool is_memory(struct span path)
{
	for (size_t i = 0; i < ARRAY_SIZE(memory); i++)
		if (span_starts(path, memory[i]))
			return true;
	return !path.size;
}

/* Code in memory without a file: a JIT compiler may have listed its functions in perf-PID.map. */
static struct map jit_map(struct ingest *g, const struct record *r)
{
	char path[32];

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", r->pid);
	return (struct map){ .begin = r->mmap.addr,
			     .offset = r->mmap.addr,
			     .kind = FRAME_JIT,
			     .module = profile_module(g->p, span_of(path), SPAN("")) };
}

/*
 * A process in a container may have another file under the same path.  If the recording has no
 * build-id, the file below the root of the process is asked for its own, so that no other is taken.
 */
static bool module_in_container(struct ingest *g, struct process *process, struct span path,
				module_id *module)
{
	char hex[IMAGE_BUILD_ID_HEX];
	struct span build_id;

	if (process->root == ROOT_NOT_ASKED)
		process->root = root_is_other(process->pid) ? ROOT_OTHER : ROOT_OURS;
	if (process->root != ROOT_OTHER)
		return false;
	build_id = image_build_id_below(process->pid, path, hex);
	if (build_id.size)
		*module = profile_module(g->p, path, build_id);
	return build_id.size;
}

static struct map file_map(struct ingest *g, struct process *process, const struct record *r)
{
	struct map map = { .begin = r->mmap.addr, .offset = r->mmap.pgoff, .kind = FRAME_USER };
	struct span path = r->mmap.path;

	if (span_is(path, "[vdso]"))
		map.offset = 0;
	if (r->mmap.build_id.size || known_build_id(g, path).size || !g->stacks.image ||
	    !module_in_container(g, process, path, &map.module))
		map.module = module(g, path, r->mmap.build_id);
	files_see(&g->files, map.module, &r->mmap.file);
	return map;
}

static bool is_own_kernel(const struct record *r)
{
	return (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL &&
	       span_starts(r->mmap.path, "[kernel.kallsyms]");
}

/* The record of the kernel's own code has the address of _text as its offset: see running.c. */
static struct map kernel_map(struct ingest *g, const struct record *r)
{
	struct span path = r->mmap.path, guest = SPAN("[guest.kernel.kallsyms]");
	struct map map = { .begin = r->mmap.addr, .offset = r->mmap.pgoff, .kind = FRAME_KERNEL };

	if (is_own_kernel(r)) {
		path = SPAN("[kernel.kallsyms]");
		map.offset = r->mmap.addr - r->mmap.pgoff;
	} else if (span_starts(path, guest.at)) {
		path = guest;
		map.offset = r->mmap.addr - r->mmap.pgoff;
	}
	map.module = module(g, path, r->mmap.build_id);
	return map;
}

static void add_mapping(struct ingest *g, const struct record *r)
{
	unsigned mode = r->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct maps **maps = &g->processes.kernel;
	struct process *process;
	struct map map;

	if (r->mmap.data)
		return;
	if (mode == PERF_RECORD_MISC_KERNEL) {
		map = kernel_map(g, r);
	} else if (mode == PERF_RECORD_MISC_USER || mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN) {
		process = process_get(&g->processes, r->pid);
		maps = &process->maps;
		map = is_memory(r->mmap.path) ? jit_map(g, r) : file_map(g, process, r);
		if (!process->program.i && map.kind == FRAME_USER)
			process->program = map.module;
		dumps_map(&g->dumps, g->p, process, r->mmap.path, g->stacks.image);
	} else {
		/* The hypervisor, or a guest: its files are not on this machine. */
		return;
	}
	map.end = r->mmap.len <= UINT64_MAX - map.begin ? map.begin + r->mmap.len : UINT64_MAX;
	if (is_own_kernel(r))
		g->kernel = map;
	maps_add(maps, &map);
}

/* Code that the kernel made at run time, one function for each record: BPF programs. */
static void add_kernel_symbol(struct ingest *g, const struct record *r)
{
	struct map map = { .begin = r->ksymbol.addr,
			   .end = r->ksymbol.addr + r->ksymbol.len,
			   .kind = FRAME_KERNEL };

	if (r->ksymbol.gone)
		return;
	map.module = profile_module(g->p, SPAN("[bpf]"), SPAN(""));
	map.name = profile_string(g->p, r->ksymbol.name);
	map.offset = map.begin;
	maps_add(&g->processes.kernel, &map);
}

/* Frames */

/*
 * perf records a mapping that ends with .text; but start_kernel() and its like are in .init.text,
 * which lies further up, behind the kernel's data.
 */
static const struct map *kernel_map_of(const struct ingest *g, uint64_t ip)
{
	enum { BEHIND = 256 * 1024 * 1024 };
	const struct map *map = maps_find(g->processes.kernel, ip);

	if (!map && g->kernel.end && ip >= g->kernel.end && ip - g->kernel.end < BEHIND)
		map = &g->kernel;
	return map;
}

static frame_id kernel_frame(struct ingest *g, uint64_t ip, unsigned flags)
{
	const struct map *map = kernel_map_of(g, ip);
	struct frame f = { .kind = FRAME_KERNEL, .flags = flags, .address = ip };
	struct line line;

	if (map) {
		f.module = map->module;
		f.address = ip - map->begin + map->offset;
		f.flags |= FRAME_IN_MODULE;
	}
	if (map && map->name.i) {
		line = (struct line){ .function = map->name };
		f.line = &line;
		f.nr_line = 1;
	}
	return profile_frame(g->p, &f);
}

static frame_id user_frame(struct ingest *g, const struct process *process, uint64_t ip,
			   unsigned flags)
{
	const struct map *map = process_map(process, ip);
	struct frame f = { .kind = FRAME_USER, .flags = flags, .address = ip };

	if ((!map || map->kind == FRAME_JIT) && dumps_place(&g->dumps, process, ip, &f))
		return profile_frame(g->p, &f);
	if (map) {
		f.kind = map->kind;
		f.module = map->module;
		f.address = ip - map->begin + map->offset;
		f.flags |= FRAME_IN_MODULE;
	}
	return profile_frame(g->p, &f);
}

static void push(struct ingest *g, frame_id f)
{
	GROW(g->frame, g->nr, g->cap);
	g->frame[g->nr++] = f;
}

/* Whose code a piece of a call chain is; OTHER: a guest's or the hypervisor's. */
enum context { CONTEXT_KERNEL, CONTEXT_USER, CONTEXT_OTHER };

static enum context context_of_mode(unsigned misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
		return CONTEXT_KERNEL;
	case PERF_RECORD_MISC_USER:
		return CONTEXT_USER;
	default:
		return CONTEXT_OTHER;
	}
}

static enum context context_of_marker(uint64_t marker)
{
	switch (marker) {
	case PERF_CONTEXT_KERNEL:
		return CONTEXT_KERNEL;
	case PERF_CONTEXT_USER:
		return CONTEXT_USER;
	default:
		return CONTEXT_OTHER;
	}
}

static void push_ip(struct ingest *g, const struct process *process, enum context context,
		    uint64_t ip, unsigned flags)
{
	struct frame unknown = { .kind = FRAME_USER, .flags = flags, .address = ip };

	switch (context) {
	case CONTEXT_KERNEL:
		push(g, kernel_frame(g, ip, flags));
		break;
	case CONTEXT_USER:
		push(g, user_frame(g, process, ip, flags));
		break;
	case CONTEXT_OTHER:
		push(g, profile_frame(g->p, &unknown));
		break;
	}
}

/* Pushes a frame for each address of the chain, from the leaf, but for the last `shared` ones. */
static void push_chain(struct ingest *g, const struct process *process, const struct record *r,
		       size_t shared)
{
	enum context context = context_of_mode(r->misc);
	/* The first address behind a marker was interrupted; all that follow are return addresses. */
	unsigned flags = 0, nr_marker = 0;

	for (size_t i = 0; i < g->chain.nr - shared; i++) {
		uint64_t word = g->chain.word[i];

		if (word >= PERF_CONTEXT_MAX) {
			context = context_of_marker(word);
			nr_marker++;
			flags = 0;
			continue;
		}
		/* Several markers in a row: the gap in front of the root. */
		if (g->chain.rooted && nr_marker > 1 && i > nr_marker) {
			push(g, cuts_frame(&g->cuts, g->p, 0));
			flags = FRAME_RETURN_ADDRESS;
		}
		nr_marker = 0;
		push_ip(g, process, context, word, flags);
		flags = FRAME_RETURN_ADDRESS;
	}
	if (g->chain.end != CHAIN_ROOT)
		push(g, cuts_frame(&g->cuts, g->p, g->chain.ticket));
}

/* Notes why a chain ends before the root. */
static void note_end(struct ingest *g, const struct record *r)
{
	struct notes *notes = &g->p->notes;

	if (g->chain.walked && r->sample.user_abi == PERF_SAMPLE_REGS_ABI_32)
		notes_add(notes, NOTE_STACK_32_BIT, 1, 0, SPAN(""));
	if (g->chain.rooted)
		notes_add(notes, NOTE_STACK_ROOTED, 1, 0, SPAN(""));
	switch (g->chain.end) {
	case CHAIN_CUT:
		/* Samples with a ticket are counted by cuts_finish(). */
		if (!g->chain.ticket)
			notes_add(notes, NOTE_STACK_CUT, 1, 0, SPAN(""));
		break;
	case CHAIN_NO_COPY:
		notes_add(notes, NOTE_STACK_NO_COPY, 1, 0, SPAN(""));
		break;
	case CHAIN_NO_ROW:
		notes_add(notes, NOTE_STACK_NO_ROW, 1, 0, SPAN(""));
		break;
	case CHAIN_ROOT:
	case CHAIN_TOO_DEEP: /* push_stack() notes that for all chains */
	case NR_CHAIN_ENDS:
		break;
	}
}

static struct origin origin_of(struct ingest *g, const struct process *process, uint64_t pc)
{
	const struct map *map = process_map(process, pc - 1);

	return (struct origin){ .pc = pc,
				.frame = user_frame(g, process, pc, FRAME_RETURN_ADDRESS),
				.of_program = map && map->module.i == process->program.i };
}

/* The last walk reached the root. */
static void learn_root(struct ingest *g, const struct process *process, struct origins *o)
{
	struct origin root = { .pc = g->stacks.frame[g->stacks.nr - 1].pc };

	if (!origins_knows(o, root.pc))
		root = origin_of(g, process, root.pc);
	origins_add_root(o, &g->stacks.unwinder->trail, &root);
}

/*
 * If nothing proves yet which root a cut stack has, the thread itself is read: at most ten times,
 * with a pause after each that is twice as long as the one before (10 ms to 5 s).
 */
static void look_beyond(struct ingest *g, const struct process *process, struct origins *o,
			const struct record *r, const struct attr *a)
{
	enum { LOOKS_MAX = 10, WAIT = 10 * 1000 * 1000 };
	uint32_t group = origins_add_cut(o, &g->stacks.unwinder->trail);

	if (group == ORIGIN_NONE || origins_find(o, group, o->nr_root) || o->nr_look == LOOKS_MAX ||
	    r->time < o->next_look)
		return;
	o->next_look = r->time + ((uint64_t)WAIT << o->nr_look++);
	if (beyond_walk(&g->beyond, &g->stacks, process, r, a))
		learn_root(g, process, o);
}

/* What a walk tells of the stacks of its thread: a root, or pieces of a stack that was cut off. */
static void learn_stack(struct ingest *g, const struct process *process, const struct record *r,
			const struct attr *a)
{
	const struct unwind_trail *t = g->stacks.nr ? &g->stacks.unwinder->trail : NULL;
	struct unwind_trail cut;
	struct origins *o;
	struct task *task;

	/* During an exec the stack is that of the old program, or there is none. */
	if (!g->chain.walked || !t || !t->nr || process->before || r->tid == THREAD_NONE)
		return;
	task = task_get(&g->processes, r->pid, r->tid);
	if (task->tid != r->tid || task->pid != process->pid)
		return;
	o = cuts_origins(&g->cuts, task);
	if (g->chain.end == CHAIN_ROOT) {
		learn_root(g, process, o);
	} else if (g->chain.end == CHAIN_CUT && g->stacks.nr < PROFILE_DEPTH_MAX / 2) {
		cut = *t;
		if (g->beyond.read)
			look_beyond(g, process, o, r, a);
		g->chain.ticket = cuts_take(&g->cuts, o, &cut);
	}
}

static void finish_chain(struct ingest *g, struct process *process, const struct record *r,
			 const struct attr *a)
{
	if (context_of_mode(r->misc) == CONTEXT_USER)
		process_ran(process);
	chain_finish(&g->chain, &g->stacks, process, r, a);
	learn_stack(g, process, r, a);
	note_end(g, r);
}

/* Adds a sample to the profile.  Without a time it is no tick, if times_only says so. */
static int add_tick(struct ingest *g, const struct tick *t)
{
	struct count c = { .event = t->event,
			   .thread = t->thread,
			   .stack = t->stack,
			   .labels = t->labels,
			   .weight = t->weight,
			   .nr = 1 };

	if (g->times_only && !t->time)
		return profile_add_count(g->p, &c);
	g->p->timed |= g->p->max_tick && t->time;
	return profile_add(g->p, t);
}

/* The stack of the sample whose chain is finished. */
static stack_id push_stack(struct ingest *g, const struct process *process, const struct record *r,
			   const struct attr *a)
{
	struct way *way = ways_of(&g->ways, process, r->tid, &g->chain);
	size_t shared = way ? way_share(way, &g->chain) : 0;
	stack_id stack = way ? way_stack(way) : (stack_id){ 0 };

	g->nr = 0;
	push_chain(g, process, r, shared);
	if (!g->nr && a->sample_type & PERF_SAMPLE_IP)
		push_ip(g, process, context_of_mode(r->misc), r->sample.ip, 0);
	if (g->nr > PROFILE_DEPTH_MAX) {
		notes_add(&g->p->notes, NOTE_TOO_DEEP, 1, 0, SPAN(""));
		g->nr = PROFILE_DEPTH_MAX;
	}
	for (size_t i = 0; i < g->nr; i++) {
		stack = profile_push(g->p, stack, g->frame[g->nr - 1 - i]);
		if (way && way->nr < way->length)
			way_add(way, g->chain.word[g->chain.nr - 1 - shared - i], stack);
	}
	return stack;
}

static int add_sample(struct ingest *g, const struct record *r, const struct attr *a,
		      uint32_t event)
{
	struct process *process = process_get(&g->processes, r->pid);
	struct tick t = { .time = r->time, .event = event };

	g->dumps.now = a->monotonic ? r->time : JIT_ANY_TIME;
	finish_chain(g, process, r, a);
	if (g->chains_only)
		return 0;
	/* A thread that is just exiting has a tid of -1. */
	t.thread = process_thread(&g->processes, r->pid, r->tid == THREAD_NONE ? r->pid : r->tid);
	t.stack = push_stack(g, process, r, a);
	if (g->keeps_cpus && a->sample_type & PERF_SAMPLE_CPU)
		t.labels = cpu_labels_get(&g->cpus, g->p, r->cpu);
	t.weight = r->sample.period <= INT64_MAX ? (int64_t)r->sample.period : INT64_MAX;
	return add_tick(g, &t);
}

static int check_rows(const struct ingest *g, struct error *e)
{
	if (g->p->nr_stack < PROFILE_MAX_ROWS && g->p->nr_count < PROFILE_MAX_ROWS &&
	    g->p->nr_frame < PROFILE_MAX_ROWS)
		return 0;
	return error_set(e, ERROR_INPUT, "more than %d distinct stacks", PROFILE_MAX_ROWS);
}

/* A mapping or a process has changed: drops what was cached by address. */
static void forget(struct ingest *g)
{
	stacks_forget(&g->stacks);
	ways_forget(&g->ways);
}

int ingest_record(struct ingest *g, const struct record *r, const struct attr *a, uint32_t event,
		  struct error *e)
{
	struct notes *notes = &g->p->notes;

	switch (r->kind) {
	case RECORD_SAMPLE:
		if (add_sample(g, r, a, event))
			notes_add(notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
		return check_rows(g, e);
	case RECORD_MMAP:
		add_mapping(g, r);
		forget(g);
		return 0;
	case RECORD_COMM:
		process_comm(&g->processes, r->pid, r->tid, r->comm.name,
			     r->comm.exec ? COMM_EXECED : COMM_RENAMED);
		if (r->comm.exec)
			cuts_end(&g->cuts, task_get(&g->processes, r->pid, r->tid));
		forget(g);
		return 0;
	case RECORD_FORK:
		process_fork(&g->processes, r->pid, r->tid, r->fork.ppid, r->fork.ptid);
		cuts_end(&g->cuts, task_get(&g->processes, r->pid, r->tid));
		forget(g);
		return 0;
	case RECORD_KSYMBOL:
		add_kernel_symbol(g, r);
		return 0;
	case RECORD_LOST:
		notes_add(notes, NOTE_LOST, r->lost, 0, SPAN(""));
		return 0;
	case RECORD_THROTTLE:
		notes_add(notes, NOTE_THROTTLED, 1, 0, SPAN(""));
		return 0;
	case RECORD_UNKNOWN:
		notes_add(notes, NOTE_UNKNOWN_RECORD, 1, 0, SPAN(""));
		return 0;
	case RECORD_EXIT: /* samples of the exiting thread may still come */
	case RECORD_UNTHROTTLE:
	case RECORD_SWITCH:
	case RECORD_NAMESPACES:
	case RECORD_CGROUP:
	case RECORD_BPF:
	case RECORD_DEFERRED: /* event/deferred.c has joined it with its samples */
	case RECORD_OTHER:
		return 0;
	}
	return 0;
}
