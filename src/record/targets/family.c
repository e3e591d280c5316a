#include "record/targets/family.h"

#include "base/alloc.h"

#include <stdlib.h>

/* The kernel's PID_MAX_LIMIT: pids are below it. */
enum { PIDS = 4 * 1024 * 1024 };

void family_init(struct family *f, enum follow follow)
{
	*f = (struct family){ .follow = follow, .process = xcalloc(PIDS / 8, 1) };
	if (follow == FOLLOW_NONE)
		f->thread = xcalloc(PIDS / 8, 1);
}

void family_release(struct family *f)
{
	free(f->process);
	free(f->thread);
	*f = (struct family){ 0 };
}

static bool has(const uint8_t *set, uint32_t id)
{
	return id < PIDS && set[id / 8] >> id % 8 & 1;
}

static void set_bit(uint8_t *set, uint32_t id, bool in)
{
	uint8_t bit = (uint8_t)(1U << id % 8);

	if (id < PIDS)
		set[id / 8] = (uint8_t)(in ? set[id / 8] | bit : set[id / 8] & ~bit);
}

void family_add_process(struct family *f, pid_t pid)
{
	set_bit(f->process, (uint32_t)pid, true);
}

void family_add_thread(struct family *f, pid_t tid)
{
	if (f->thread)
		set_bit(f->thread, (uint32_t)tid, true);
}

void family_add_command(struct family *f, pid_t pid)
{
	f->command = pid;
}

/* PIDs are reused: a new process or thread belongs to the family only if its parent does. */
static void take_start(struct family *f, const struct record *r)
{
	if (f->thread)
		set_bit(f->thread, r->tid, false);
	if (r->pid != r->fork.ppid)
		set_bit(f->process, r->pid,
			f->follow == FOLLOW_ALL && has(f->process, r->fork.ppid));
}

static bool is_everybodys(enum record_kind kind)
{
	return kind == RECORD_LOST || kind == RECORD_THROTTLE || kind == RECORD_UNTHROTTLE ||
	       kind == RECORD_KSYMBOL;
}

bool family_take(struct family *f, const struct record *r)
{
	if (r->kind == RECORD_FORK)
		take_start(f, r);
	if (r->kind == RECORD_COMM && r->comm.exec && f->command &&
	    r->pid == (uint32_t)f->command) {
		family_add_process(f, f->command);
		f->command = 0;
	}
	if (r->kind == RECORD_SAMPLE || r->kind == RECORD_SWITCH)
		return family_has(f, r->pid, r->tid);
	return is_everybodys(r->kind) || has(f->process, r->pid);
}

bool family_has(const struct family *f, uint32_t pid, uint32_t tid)
{
	return f->thread ? has(f->thread, tid) : has(f->process, pid);
}
