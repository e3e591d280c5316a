#include "record/waits/blocked.h"

#include "base/alloc.h"
#include "record/ptrace/cut_call.h"
#include "record/targets/process_memory.h"
#include "record/waits/wait_class.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

const char *blocked_state_text(enum blocked_state state)
{
	static const char *const text[NR_BLOCKED_STATES] = {
		[BLOCKED_SEEN] = "the thread is blocked",
		[BLOCKED_RUNNING] = "the thread is running",
		[BLOCKED_GONE] = "the thread has exited",
		[BLOCKED_OTHER_USER] = "the target belongs to another user",
		[BLOCKED_NOT_DUMPABLE] = "the target is not dumpable",
		[BLOCKED_YAMA] = "kernel.yama.ptrace_scope does not permit it",
		[BLOCKED_NO_FILES] = "too few open files (fix: ulimit -n 65536)",
		[BLOCKED_REFUSED] = "the kernel refuses to show the system calls of threads",
	};

	return text[state];
}

/* Files */

static void close_file(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_files(struct blocked_files *f)
{
	close_file(&f->syscall);
	close_file(&f->wchan);
	close_file(&f->schedstat);
	f->tid = 0;
}

void blocked_reader_init(struct blocked_reader *r, size_t stack_max)
{
	/* Descriptors left for reading programs, debug information, … */
	enum { LEFT = 16 };
	struct rlimit limit;

	*r = (struct blocked_reader){ .stack = xmalloc(stack_max),
				      .stack_max = stack_max,
				      .keep_below = INT_MAX };
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < INT_MAX)
		r->keep_below = (int)limit.rlim_cur - LEFT;
	for (size_t i = 0; i < BLOCKED_THREADS; i++)
		r->files[i] = (struct blocked_files){ .syscall = -1, .wchan = -1, .schedstat = -1 };
}

void blocked_reader_release(struct blocked_reader *r)
{
	for (size_t i = 0; i < BLOCKED_THREADS; i++)
		close_files(&r->files[i]);
	free(r->stack);
	*r = (struct blocked_reader){ 0 };
}

static struct blocked_files *files_of(struct blocked_reader *r, pid_t tid)
{
	return &r->files[(uint32_t)tid % BLOCKED_THREADS];
}

void blocked_forget(struct blocked_reader *r, pid_t tid)
{
	struct blocked_files *f = files_of(r, tid);

	if (f->tid == tid)
		close_files(f);
}

/*
 * Reads a short file in /proc/PID/task/TID from its beginning, and keeps it open. -1: errno is set.  If the thread
 * whose file is open has exited (ESRCH), another one may have its tid: the file is opened again.
 */
static ssize_t read_kept(int *fd, const struct blocked *b, const char *name, char *to, size_t size)
{
	char path[64];
	ssize_t n = *fd < 0 ? -1 : pread(*fd, to, size, 0);

	if (*fd < 0 || (n < 0 && errno == ESRCH)) {
		close_file(fd);
		snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)b->pid, (int)b->tid, name);
		*fd = open(path, O_RDONLY | O_CLOEXEC);
		n = *fd < 0 ? -1 : pread(*fd, to, size, 0);
	}
	return n;
}

static struct span text_of(const char *at, ssize_t size)
{
	return (struct span){ at, size > 0 ? (size_t)size : 0 };
}

/* Reads the first bytes of a short file; returns how many, 0 on failure. */
static size_t read_start(const char *path, char *to, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, to, size);

	if (fd >= 0)
		close(fd);
	return n > 0 ? (size_t)n : 0;
}

/*
 * Is the thread exiting, or has it exited?  An exiting thread has no memory any more, and its files in /proc belong
 * to root, as if it were not dumpable.  Every user may read the memory size of a thread.
 */
static bool is_exiting(const struct blocked *b)
{
	char path[64], size[2];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/statm", (int)b->pid, (int)b->tid);
	return read_start(path, size, sizeof(size)) < sizeof(size) || !memcmp(size, "0 ", 2);
}

/* Why the kernel refused to show a thread's system call. */
static enum blocked_state why_refused(const struct blocked *b, int error)
{
	char path[64], scope = '0';
	struct stat folder, file;

	if (error == EMFILE || error == ENFILE)
		return BLOCKED_NO_FILES;
	snprintf(path, sizeof(path), "/proc/%d/task/%d", (int)b->pid, (int)b->tid);
	if (error == ESRCH || stat(path, &folder) || is_exiting(b))
		return BLOCKED_GONE;
	if (error != EACCES && error != EPERM)
		return BLOCKED_REFUSED;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", (int)b->pid, (int)b->tid);
	if (folder.st_uid != geteuid())
		return BLOCKED_OTHER_USER;
	/* The files of a process that is not dumpable belong to root, its directory to its user. */
	if (!stat(path, &file) && file.st_uid != folder.st_uid)
		return BLOCKED_NOT_DUMPABLE;
	read_start("/proc/sys/kernel/yama/ptrace_scope", &scope, 1);
	return scope != '0' ? BLOCKED_YAMA : BLOCKED_REFUSED;
}

/* Parsing */

static bool take_hex(struct span *text, uint64_t *value)
{
	struct span word = span_word(text);

	return span_starts(word, "0x") && span_hex(span_from(word, 2), value);
}

/* "202 0x7f.. 0x80 … sp pc", or "-1 sp pc" outside of a call. */
bool blocked_parse(struct span text, struct blocked *out)
{
	struct span number = span_word(&text);
	uint64_t nr;

	memset(out->arg, 0, sizeof(out->arg));
	out->nr = -1;
	if (!span_is(number, "-1")) {
		if (!span_u64(number, &nr) || nr > INT32_MAX)
			return false;
		out->nr = (int64_t)nr;
		for (size_t i = 0; i < BLOCKED_ARGS; i++)
			if (!take_hex(&text, &out->arg[i]))
				return false;
	}
	if (!take_hex(&text, &out->sp) || !take_hex(&text, &out->pc) || span_word(&text).size)
		return false;
	/* A 64-bit program has its stack or its code above 4 GiB. */
	out->is_32bit = out->sp && out->sp <= UINT32_MAX && out->pc <= UINT32_MAX;
	/* A kernel thread is not in a system call, though the kernel prints 0. */
	if (!out->sp)
		out->nr = -1;
	return true;
}

static void read_wchan(struct blocked_files *f, struct blocked *out)
{
	ssize_t n = read_kept(&f->wchan, out, "wchan", out->wchan, sizeof(out->wchan) - 1);

	out->wchan[n > 0 ? n : 0] = 0;
	/* The thread runs, or the kernel hides the function. */
	if (!strcmp(out->wchan, "0"))
		out->wchan[0] = 0;
}

/* How often the thread has run: the third number of schedstat; 0: the kernel does not count it. */
static uint64_t read_turns(struct blocked_files *f, const struct blocked *b)
{
	char to[96];
	struct span text = text_of(to, read_kept(&f->schedstat, b, "schedstat", to, sizeof(to)));
	uint64_t turns = 0;

	span_word(&text);
	span_word(&text);
	return span_u64(span_word(&text), &turns) ? turns : 0;
}

/* Is a page in memory or swapped out?  The two highest bits of its pagemap entry say so. */
static bool is_there(uint64_t entry)
{
	return entry >> 62;
}

/* Reads pagemap entries; returns how many, 0 if the kernel refuses. */
static size_t read_pagemap(const struct blocked *b, uint64_t page, uint64_t *entry, size_t nr)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/pagemap", (int)b->pid, (int)b->tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = pread(fd, entry, nr * sizeof(*entry), (off_t)(page * sizeof(*entry)));
	close(fd);
	return n > 0 ? (size_t)n / sizeof(*entry) : 0;
}

/*
 * Copies the stack, and returns the size of the copy.  A page that is neither in memory nor swapped out is not
 * read: that could block forever, if the process handles its page faults itself (userfaultfd).  In a stack, such a
 * page was never touched, so it contains zeros.
 */
static size_t copy_stack(const struct blocked_reader *r, const struct blocked *b)
{
	enum { PAGES_MAX = 64 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE), skip = b->sp % page, copied = 0;
	size_t nr = (skip + r->stack_max + page - 1) / page;
	uint64_t entry[PAGES_MAX];

	nr = read_pagemap(b, b->sp / page, entry, nr < PAGES_MAX ? nr : PAGES_MAX);
	if (!nr)
		return memory_read(b->tid, b->sp, r->stack, r->stack_max);
	for (size_t i = 0, end; i < nr; i = end) {
		size_t from = i ? i * page - skip : 0, to, n;

		for (end = i + 1; end < nr && is_there(entry[end]) == is_there(entry[i]);)
			end++;
		to = end * page - skip < r->stack_max ? end * page - skip : r->stack_max;
		if (!is_there(entry[i])) {
			memset(r->stack + from, 0, to - from);
			continue;
		}
		n = memory_read(b->tid, b->sp + from, r->stack + from, to - from);
		copied = n ? from + n : copied;
		if (n < to - from)
			break;
	}
	return copied;
}

/*
 * Ptrace sampling has interrupted the system call, and code of wick's in the target finishes it: sets pc and stack
 * to where the program called.
 */
static void see_cut_call(struct blocked *b)
{
	uint64_t size;

	if (!cut_call_find(&b->pc, b->stack.at, b->stack.size, &size))
		return;
	b->sp += size;
	b->stack = span_from(b->stack, size < b->stack.size ? (size_t)size : b->stack.size);
}

enum read_what { READ_ALL, READ_LOCK };

static enum blocked_state read_all(struct blocked_reader *r, struct blocked_files *f,
				   struct blocked *out, enum read_what what)
{
	uint64_t turns = read_turns(f, out);
	char to[256];
	struct span text;
	ssize_t n = read_kept(&f->syscall, out, "syscall", to, sizeof(to));

	if (n < 0) {
		out->state = why_refused(out, errno);
		if (out->state != BLOCKED_GONE) {
			read_wchan(f, out);
			out->reason = wait_of_channel(out->wchan);
		}
		return out->state;
	}
	text = text_of(to, n);
	if (!text.size)
		return BLOCKED_GONE;
	if (!blocked_parse(text, out))
		return BLOCKED_RUNNING;
	if (what == READ_ALL) {
		if (out->sp)
			out->stack = (struct span){ r->stack, copy_stack(r, out) };
		see_cut_call(out);
		read_wchan(f, out);
	}
	wait_classify(out);
	wait_find_holder(out);
	return read_turns(f, out) == turns ? BLOCKED_SEEN : BLOCKED_RUNNING;
}

static int read_thread(struct blocked_reader *r, pid_t pid, pid_t tid, struct blocked *out,
		       enum read_what what)
{
	struct blocked_files *f = files_of(r, tid);

	*out = (struct blocked){ .pid = pid, .tid = tid, .nr = -1 };
	if (f->tid != tid)
		close_files(f);
	f->tid = tid;
	out->state = read_all(r, f, out, what);
	/* If the thread has exited, another one may have its tid. */
	if (out->state == BLOCKED_GONE || f->syscall >= r->keep_below ||
	    f->wchan >= r->keep_below || f->schedstat >= r->keep_below)
		close_files(f);
	return out->state == BLOCKED_SEEN ? 0 : out->state == BLOCKED_RUNNING ? 1 : -1;
}

int blocked_read(struct blocked_reader *r, pid_t pid, pid_t tid, struct blocked *out)
{
	return read_thread(r, pid, tid, out, READ_ALL);
}

int blocked_read_lock(struct blocked_reader *r, pid_t pid, pid_t tid, struct blocked *out)
{
	return read_thread(r, pid, tid, out, READ_LOCK);
}
