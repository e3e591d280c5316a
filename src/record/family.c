#include "record/family.h"

#include "base/alloc.h"

#include <stdlib.h>

/* The kernel's PID_MAX_LIMIT: pids are below it. */
enum { PIDS = 4 * 1024 * 1024 };

void family_init(struct family *f, pid_t first)
{
	*f = (struct family){ .first = first, .is_in = xcalloc(PIDS / 8, 1) };
}

void family_release(struct family *f)
{
	free(f->is_in);
	*f = (struct family){ 0 };
}

static bool has(const struct family *f, uint32_t pid)
{
	return pid < PIDS && f->is_in[pid / 8] >> pid % 8 & 1;
}

static void set(struct family *f, uint32_t pid, bool in)
{
	uint8_t bit = (uint8_t)(1U << pid % 8);

	if (pid >= PIDS)
		return;
	f->is_in[pid / 8] = (uint8_t)(in ? f->is_in[pid / 8] | bit : f->is_in[pid / 8] & ~bit);
}

bool family_take(struct family *f, const struct record *r)
{
	if (r->kind == RECORD_COMM && r->comm.exec && r->pid == (uint32_t)f->first && !f->begun) {
		f->begun = true;
		set(f, r->pid, true);
	}
	/* A pid may be used again by somebody else, so a child without a parent here is taken out. */
	if (r->kind == RECORD_FORK && r->pid != r->fork.ppid)
		set(f, r->pid, has(f, r->fork.ppid));
	return r->kind == RECORD_LOST || r->kind == RECORD_THROTTLE ||
	       r->kind == RECORD_UNTHROTTLE || r->kind == RECORD_KSYMBOL || has(f, r->pid);
}
