/* Records of threads and of mappings of code, as the kernel would write them for an event. */
#include "base/alloc.h"
#include "base/first_above.h"
#include "base/intern.h"
#include "record/ptrace/tracer.h"
#include "record/session.h"
#include "record/targets/running.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void tracer_emit(struct tracer *t, struct record *r)
{
	r->id = TRACE_ID;
	r->time = session_now();
	if (record_encode(&t->record, r, t->attr, ORDER_HOST))
		strbuf_add(&t->out, strbuf_peek(&t->record));
}

/* Reads the beginning of a file as a string; false: empty or unreadable. */
static bool read_short(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

void tracer_emit_comm(struct tracer *t, struct traced *k, bool exec)
{
	struct record r = { .kind = RECORD_COMM,
			    .pid = (uint32_t)k->space->pid,
			    .tid = (uint32_t)k->tid };
	char path[64], name[64] = "";

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", (int)k->space->pid, (int)k->tid);
	read_short(path, name, sizeof(k->comm) + 1);
	r.comm.name = span_trim_end(span_of(name));
	r.comm.exec = exec;
	if (!exec && span_is(r.comm.name, k->comm))
		return;
	snprintf(k->comm, sizeof(k->comm), "%.*s", (int)r.comm.name.size, r.comm.name.at);
	tracer_emit(t, &r);
}

void tracer_emit_fork(struct tracer *t, const struct traced *k, pid_t parent)
{
	struct record r = { .kind = RECORD_FORK,
			    .pid = (uint32_t)k->space->pid,
			    .tid = (uint32_t)k->tid,
			    .fork = { .ppid = (uint32_t)parent, .ptid = (uint32_t)parent } };

	tracer_emit(t, &r);
}

void tracer_emit_exit(struct tracer *t, const struct traced *k)
{
	struct record r = { .kind = RECORD_EXIT,
			    .pid = (uint32_t)k->space->pid,
			    .tid = (uint32_t)k->tid,
			    .fork = { .ppid = (uint32_t)k->space->pid, .ptid = (uint32_t)k->tid } };

	tracer_emit(t, &r);
}

/* Code */

void space_forget(struct space *s)
{
	s->nr = 0;
	s->size = 0;
	s->read_at = 0;
	s->nr_read = 0;
	s->finisher = 0;
}

/* Finds the first mapping that ends after pc; true if it contains pc.  The list is sorted. */
static bool has_code(const struct code *code, size_t nr, uint64_t pc, const struct code **found)
{
	size_t low = FIRST_ABOVE(code, nr, end, pc);

	*found = low < nr ? &code[low] : NULL;
	return *found && code[low].begin <= pc;
}

struct code_sink {
	struct tracer *t;
	struct space *space;
};

/* A running_sink: writes a record of a mapping, unless it existed at the previous reading. */
static int add_code(void *arg, const struct record *r, struct error *e)
{
	const struct code_sink *now = arg;
	struct space *s = now->space;
	struct record copy = *r;
	const struct code *old;
	struct code code = { .begin = r->mmap.addr,
			     .end = r->mmap.addr + r->mmap.len,
			     .what = intern_hash(r->mmap.path) ^ r->mmap.pgoff };

	(void)e;
	copy.pid = copy.tid = (uint32_t)s->pid;
	GROW(s->code, s->nr, s->cap);
	s->code[s->nr++] = code;
	if (!has_code(s->before, s->nr_before, code.begin, &old) || old->begin != code.begin ||
	    old->end != code.end || old->what != code.what)
		tracer_emit(now->t, &copy);
	return 0;
}

/* Reads by tid: if the first thread of a process has exited, /proc/PID/maps is empty. */
static void read_code(struct tracer *t, const struct traced *k)
{
	struct space *s = k->space;
	struct code_sink sink = { .t = t, .space = s };
	uint64_t begin = tracer_worked();
	struct error e = ERROR_INIT;

	free(s->before);
	s->before = s->code;
	s->nr_before = s->nr;
	s->code = NULL;
	s->nr = s->cap = 0;
	running_maps(k->tid, add_code, &sink, &e);
	s->read_at = session_now();
	s->read_cost = tracer_worked() - begin;
	s->nr_read++;
}

/* The size of its address space: most new mappings change that. */
static uint64_t memory_of(pid_t tid)
{
	char path[64], text[96];
	uint64_t pages = 0;
	struct span all;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)tid);
	if (!read_short(path, text, sizeof(text)))
		return 0;
	all = span_of(text);
	return span_u64(span_word(&all), &pages) ? pages : 0;
}

/*
 * Reads the mappings if they may have changed.  Large programs have long lists, so reading is limited to a tenth of
 * the tracer's time, or a hundredth without a sign of change: an existing page may become code without any.
 */
void tracer_emit_code(struct tracer *t, const struct traced *k, uint64_t pc)
{
	enum { AGAIN_NS = 10000000 };
	uint64_t now = session_now(), size = memory_of(k->tid);
	struct space *s = k->space;
	const struct code *code;

	if (s->nr_read > 1 && now - s->read_at < 10 * s->read_cost)
		return;
	if (s->nr && size == s->size && (!pc || has_code(s->code, s->nr, pc, &code)) &&
	    now - s->read_at < AGAIN_NS + 100 * s->read_cost)
		return;
	s->size = size;
	read_code(t, k);
}
