/* The roots of threads, for truncated stacks: see origins.h and docs/decisions/0017. */
#include "ingest/ingest_parts.h"

static struct origin origin_of(struct ingest *g, const struct process *process, uint64_t pc)
{
	const struct map *map = process_map(process, pc - 1);

	return (struct origin){ .pc = pc,
				.frame = ingest_user_frame(g, process, pc, FRAME_RETURN_ADDRESS),
				.of_program = map && map->module.i == process->program.i };
}

/* The last unwinding reached the root. */
static void learn_root(struct ingest *g, const struct process *process, struct origins *o)
{
	struct origin root = { .pc = g->stacks.frame[g->stacks.nr - 1].pc };

	if (!origins_knows(o, root.pc))
		root = origin_of(g, process, root.pc);
	origins_add_root(o, &g->stacks.unwinder->trail, &root);
}

/*
 * If the root of a truncated stack is not proved yet, reads the stack of the thread itself: at most ten times, with
 * pauses that double each time (10 ms to 5 s).
 */
static void read_beyond(struct ingest *g, const struct process *process, struct origins *o,
			const struct record *r, const struct attr *a)
{
	enum { READS_MAX = 10, WAIT = 10 * 1000 * 1000 };
	uint32_t group = origins_add_truncated(o, &g->stacks.unwinder->trail);

	if (group == ORIGIN_NONE || origins_find(o, group, o->nr_root) || o->nr_read == READS_MAX ||
	    r->time < o->next_read)
		return;
	o->next_read = r->time + ((uint64_t)WAIT << o->nr_read++);
	if (late_root_walk(&g->beyond, &g->stacks, process, r, a))
		learn_root(g, process, o);
}

void ingest_learn(struct ingest *g, const struct process *process, const struct record *r,
		  const struct attr *a)
{
	const struct unwind_trail *t = g->stacks.nr ? &g->stacks.unwinder->trail : NULL;
	struct unwind_trail copy;
	struct origins *o;
	struct task *task;

	/* During an exec the stack is that of the old program, or there is none. */
	if (!g->chain.walked || !t || !t->nr || process->before || r->tid == THREAD_NONE)
		return;
	task = task_get(&g->processes, r->pid, r->tid);
	if (task->tid != r->tid || task->pid != process->pid)
		return;
	o = truncated_origins(&g->truncated, task);
	if (g->chain.end == CHAIN_ROOT) {
		learn_root(g, process, o);
	} else if (g->chain.end == CHAIN_TRUNCATED && g->stacks.nr < PROFILE_DEPTH_MAX / 2) {
		copy = *t;
		if (g->beyond.read)
			read_beyond(g, process, o, r, a);
		g->chain.ticket = truncated_take(&g->truncated, o, &copy);
	}
}
