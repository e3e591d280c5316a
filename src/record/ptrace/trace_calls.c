/*
 * Calls that return early when their thread is asked to stop, with the part of their work that they have done: a long
 * write to a pipe, as after any signal.  Nobody can do the rest in the place of the thread: if wick were killed
 * meanwhile, the program would not know of it, and write it twice.
 *
 * So a thread that was found in such a call is followed from call to call (PTRACE_SYSCALL), and never asked to stop in
 * one.  A sample there has the registers with which the call began: until it returns, the program's code does not run.
 */
#include "base/alloc.h"
#include "record/ptrace/tracer.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

#if defined(__x86_64__)

enum { NO_ARGUMENT = -1, NR_ARGUMENTS = 6 };

/* Which files make a call return early. */
enum files {
	FILES_ALL,     /* or none */
	FILES_STREAMS, /* pipes, sockets, devices */
	FILES_DEVICES  /* of others, a reader expects less than it asked for */
};

static const struct moving_call {
	uint16_t nr;
	int8_t file, size, flags; /* its arguments */
	uint8_t files;		  /* enum files */
} moving_calls[] = {
	{ SYS_write, 0, 2, NO_ARGUMENT, FILES_STREAMS },
	{ SYS_writev, 0, NO_ARGUMENT, NO_ARGUMENT, FILES_STREAMS },
	{ SYS_sendto, 0, 2, NO_ARGUMENT, FILES_STREAMS },
	{ SYS_sendmsg, 0, NO_ARGUMENT, NO_ARGUMENT, FILES_STREAMS },
	{ SYS_sendmmsg, 0, NO_ARGUMENT, NO_ARGUMENT, FILES_STREAMS },
	{ SYS_sendfile, 0, 3, NO_ARGUMENT, FILES_STREAMS },
	{ SYS_vmsplice, 0, NO_ARGUMENT, NO_ARGUMENT, FILES_STREAMS },
	{ SYS_splice, NO_ARGUMENT, 4, NO_ARGUMENT, FILES_ALL },
	{ SYS_tee, NO_ARGUMENT, 2, NO_ARGUMENT, FILES_ALL },
	{ SYS_copy_file_range, NO_ARGUMENT, 4, NO_ARGUMENT, FILES_ALL },
	{ SYS_getrandom, NO_ARGUMENT, 1, NO_ARGUMENT, FILES_ALL },
	{ SYS_read, 0, 2, NO_ARGUMENT, FILES_DEVICES },
	{ SYS_readv, 0, NO_ARGUMENT, NO_ARGUMENT, FILES_DEVICES },
	/* With MSG_WAITALL: */
	{ SYS_recvfrom, 0, 2, 3, FILES_STREAMS },
	{ SYS_recvmsg, 0, NO_ARGUMENT, 2, FILES_STREAMS },
};

static const struct moving_call *find_call(uint64_t nr, const uint64_t *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(moving_calls); i++) {
		const struct moving_call *c = &moving_calls[i];

		if (c->nr == nr)
			return c->flags == NO_ARGUMENT || arg[c->flags] & MSG_WAITALL ? c : NULL;
	}
	return NULL;
}

/* "flags:	02" in octal; a caller that does not block expects that a call returns early. */
static bool blocks(pid_t tid, unsigned fd)
{
	char path[64], text[256];
	const char *line;
	ssize_t n;
	int file;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%u", (int)tid, fd);
	file = open(path, O_RDONLY | O_CLOEXEC);
	n = file < 0 ? -1 : read(file, text, sizeof(text) - 1);
	if (file >= 0)
		close(file);
	text[n > 0 ? n : 0] = '\0';
	line = strstr(text, "flags:");
	return line && !(strtoul(line + sizeof("flags:") - 1, NULL, 8) & O_NONBLOCK);
}

static bool suits(pid_t tid, const struct moving_call *c, const uint64_t *arg)
{
	struct stat file;
	char path[64];
	unsigned fd;

	if (c->file == NO_ARGUMENT)
		return true;
	fd = (unsigned)arg[c->file];
	snprintf(path, sizeof(path), "/proc/%d/fd/%u", (int)tid, fd);
	if (stat(path, &file))
		return false;
	if (!S_ISCHR(file.st_mode) &&
	    (c->files == FILES_DEVICES || (!S_ISFIFO(file.st_mode) && !S_ISSOCK(file.st_mode))))
		return false;
	return blocks(tid, fd);
}

/* The kernel takes what is this short at once, or, but for sockets, not at all. */
static bool is_long(const struct moving_call *c, const uint64_t *arg, int64_t result)
{
	if (c->size != NO_ARGUMENT)
		return arg[c->size] > PIPE_BUF || (result > 0 && (uint64_t)result < arg[c->size]);
	return result > PIPE_BUF || result < 0;
}

void traced_see_call(struct traced *k, const uint64_t *word)
{
	const struct user_regs_struct *r = (const struct user_regs_struct *)word;
	const uint64_t arg[NR_ARGUMENTS] = { r->rdi, r->rsi, r->rdx, r->r10, r->r8, r->r9 };
	const struct moving_call *c = k->by_calls ? NULL : find_call(r->orig_rax, arg);

	if (!c || !is_long(c, arg, (int64_t)r->rax) || !suits(k->tid, c, arg))
		return;
	k->by_calls = true;
	k->nr_other_call = 0;
}

/*
 * Our request to stop came as the thread began a call, which would return early: the kernel has forgotten the
 * request, but not that there is something to attend to, which it does on the way back to the program.  So the
 * thread goes there, and begins the call again.
 */
static void begin_again(pid_t tid)
{
	/* The instruction has two bytes, whichever it is. */
	enum { CALL_SIZE = 2 };
	struct user_regs_struct r;
	struct iovec all = { .iov_base = &r, .iov_len = sizeof(r) };

	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all) || all.iov_len != sizeof(r))
		return;
	r.rax = r.orig_rax;
	r.orig_rax = (unsigned long)-1;
	r.rip -= CALL_SIZE;
	ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &all);
}

static bool is_moving(const struct __ptrace_syscall_info *info)
{
	return find_call(info->entry.nr, info->entry.args);
}

#else

void traced_see_call(struct traced *k, const uint64_t *word)
{
	(void)k;
	(void)word;
}

static void begin_again(pid_t tid)
{
	(void)tid;
}

static bool is_moving(const struct __ptrace_syscall_info *info)
{
	(void)info;
	return false;
}

#endif

void tracer_take_call(struct tracer *t, struct traced *k)
{
	/* After so many others in a row, it does something else. */
	enum { OTHERS_MAX = 1000 };
	struct __ptrace_syscall_info info = { 0 };
	bool begins = ptrace(PTRACE_GET_SYSCALL_INFO, k->tid, sizeof(info), &info) > 0 &&
		      info.op == PTRACE_SYSCALL_INFO_ENTRY;
	bool moves = begins && is_moving(&info);

	k->is_inside = false;
	if (begins)
		k->nr_other_call = moves ? 0 : k->nr_other_call + 1;
	if (k->nr_other_call > OTHERS_MAX)
		k->by_calls = false;
	if (moves && k->asked)
		begin_again(k->tid);
	else if (moves)
		traced_enter(k);
	if (k->asked)
		tracer_sample_and_go_on(t, k);
	else
		ptrace(k->by_calls ? PTRACE_SYSCALL : PTRACE_CONT, k->tid, NULL, NULL);
}
