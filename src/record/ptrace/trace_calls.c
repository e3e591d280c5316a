/*
 * Hides stops from the program: what a system call returns because its thread was stopped.
 *
 * Most calls that wait begin again by themselves, and some after a nudge.  A call that has done a part of its work, as
 * a long write to a full pipe, returns that part, as after any signal, and many programs do not expect that.  So the
 * thread does the rest, before the program goes on: a few instructions at the end of its vDSO make the call for the
 * rest, add up what both returned, and jump back.  The thread needs nobody for that: if wick is killed meanwhile, the
 * program does not notice.  (If wick waited for the end of the second call to correct the sum, the program would write
 * twice what the first one wrote.)
 */
#include "base/alloc.h"
#include "record/ptrace/cut_call.h"
#include "record/ptrace/tracer.h"
#include "record/targets/process_memory.h"
#include "record/targets/running.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

#if defined(__x86_64__)

typedef struct user_regs_struct registers;

/* Signals */

struct signals {
	uint64_t pending, blocked, ignored, caught;
};

static uint64_t mask_after(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? strtoull(line + strlen(name), NULL, 16) : 0;
}

static bool read_short(char *text, size_t size, pid_t tid, const char *name)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, size - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

static struct signals signals_of(pid_t tid)
{
	char text[4096];

	read_short(text, sizeof(text), tid, "status");
	return (struct signals){ .pending = mask_after(text, "\nSigPnd:") |
					    mask_after(text, "\nShdPnd:"),
				 .blocked = mask_after(text, "\nSigBlk:"),
				 .ignored = mask_after(text, "\nSigIgn:"),
				 .caught = mask_after(text, "\nSigCgt:") };
}

static uint64_t bit_of(int signal)
{
	return (uint64_t)1 << (signal - 1);
}

/* Signals that do nothing: the kernel does not even send them, unless the thread is traced. */
static uint64_t without_effect(const struct signals *s)
{
	const uint64_t by_default =
		bit_of(SIGCHLD) | bit_of(SIGCONT) | bit_of(SIGURG) | bit_of(SIGWINCH);

	return s->ignored | (by_default & ~s->caught);
}

/* Calls that have not done anything yet */

/* They fail with EINTR after any stop. */
static const uint16_t waiting_calls[] = {
	SYS_epoll_wait,	     SYS_epoll_pwait,  SYS_epoll_pwait2,   SYS_semop, SYS_semtimedop,
	SYS_rt_sigtimedwait, SYS_io_getevents, SYS_io_uring_enter, SYS_read,  SYS_recvfrom,
	SYS_recvmsg,	     SYS_accept,       SYS_accept4,
};

/* Begins such a call again.  If a signal handler runs first, the program gets EINTR as ever. */
static void begin_again(const registers *r, pid_t tid)
{
	/* ERESTARTNOHAND, which is not in the headers for programs. */
	enum { RESTART_IF_NO_HANDLER = 514 };

	for (size_t i = 0; i < ARRAY_SIZE(waiting_calls); i++)
		if (r->orig_rax == waiting_calls[i])
			ptrace(PTRACE_POKEUSER, tid, offsetof(registers, rax),
			       (long)-RESTART_IF_NO_HANDLER);
}

/* Calls that have done a part */

enum moved { MOVED_BYTES, MOVED_VECTOR, MOVED_MESSAGE };

enum { NO_ARGUMENT = -1, NR_ARGUMENTS = 6, VECTOR_MAX = 16 };

static const struct moving_call {
	uint16_t nr;
	uint8_t moved;			/* enum moved */
	int8_t file, from, size, flags; /* its arguments */
	bool of_memory; /* only reads of memory devices: of other files, less than was asked for is usual */
} moving_calls[] = {
	{ SYS_write, MOVED_BYTES, 0, 1, 2, NO_ARGUMENT, false },
	{ SYS_writev, MOVED_VECTOR, 0, 1, 2, NO_ARGUMENT, false },
	{ SYS_sendto, MOVED_BYTES, 0, 1, 2, 3, false },
	{ SYS_sendmsg, MOVED_MESSAGE, 0, 1, NO_ARGUMENT, 2, false },
	{ SYS_sendfile, MOVED_BYTES, 0, NO_ARGUMENT, 3, NO_ARGUMENT, false },
	{ SYS_getrandom, MOVED_BYTES, NO_ARGUMENT, 0, 1, NO_ARGUMENT, false },
	{ SYS_read, MOVED_BYTES, 0, 1, 2, NO_ARGUMENT, true },
	{ SYS_readv, MOVED_VECTOR, 0, 1, 2, NO_ARGUMENT, true },
	{ SYS_recvfrom, MOVED_BYTES, 0, 1, 2, 3, false },
};

static const struct moving_call *find_call(uint64_t nr)
{
	for (size_t i = 0; i < ARRAY_SIZE(moving_calls); i++)
		if (moving_calls[i].nr == nr)
			return &moving_calls[i];
	return NULL;
}

/* "flags:	02" in octal; a caller that does not block expects that a call returns early. */
static bool blocks(pid_t tid, unsigned fd)
{
	char name[32], text[256];
	const char *line;

	snprintf(name, sizeof(name), "fdinfo/%u", fd);
	line = read_short(text, sizeof(text), tid, name) ? strstr(text, "flags:") : NULL;
	return line && !(strtoul(line + sizeof("flags:") - 1, NULL, 8) & O_NONBLOCK);
}

/* Files whose calls return early for nothing but a signal: others would not return at all if they were called again. */
static bool file_suits(pid_t tid, const struct moving_call *c, unsigned fd)
{
	/* Numbers of drivers: see the kernel's devices.txt. */
	enum { MEMORY = 1, CONSOLE = 4, TERMINAL = 5, PSEUDO = 136, PSEUDO_LAST = 143 };
	struct stat file;
	unsigned driver;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%u", (int)tid, fd);
	if (stat(path, &file))
		return false;
	driver = S_ISCHR(file.st_mode) ? major(file.st_rdev) : 0;
	if (c->of_memory)
		return driver == MEMORY;
	return (S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode) || driver == CONSOLE ||
		driver == TERMINAL || (driver >= PSEUDO && driver <= PSEUDO_LAST)) &&
	       blocks(tid, fd);
}

static bool flags_suit(const struct moving_call *c, uint64_t flags)
{
	return !(flags & MSG_DONTWAIT) && (c->nr != SYS_recvfrom || flags & MSG_WAITALL);
}

static unsigned long long *argument(registers *r, int i)
{
	unsigned long long *const all[NR_ARGUMENTS] = { &r->rdi, &r->rsi, &r->rdx,
							&r->r10, &r->r8,  &r->r9 };

	return all[i];
}

/* What the rest of the call needs in the thread's memory. */
struct rest {
	struct msghdr message;
	struct iovec part[VECTOR_MAX];
};

/* Drops the first n bytes; false if nothing is left. */
static bool drop_bytes(struct iovec *part, size_t *nr, size_t n)
{
	size_t first = 0;

	while (first < *nr && part[first].iov_len <= n)
		n -= part[first++].iov_len;
	*nr -= first;
	memmove(part, part + first, *nr * sizeof(*part));
	if (!*nr)
		return false;
	part[0].iov_base = (char *)part[0].iov_base + n;
	part[0].iov_len -= n;
	return true;
}

static bool read_vector(pid_t tid, uint64_t at, size_t nr, struct iovec *part)
{
	return nr <= VECTOR_MAX &&
	       memory_read(tid, at, (char *)part, nr * sizeof(*part)) == nr * sizeof(*part);
}

/*
 * Makes the arguments those for the rest of the call, of which n is done.  `room`: an address in the thread's memory
 * for a struct rest, which is filled in.  False if that was all.
 */
static bool advance(registers *r, const struct moving_call *c, pid_t tid, uint64_t n, uint64_t room,
		    struct rest *rest)
{
	const uint64_t parts = room + offsetof(struct rest, part);
	size_t nr = 0;

	if (c->moved == MOVED_BYTES) {
		unsigned long long *size = argument(r, c->size);

		if (*size <= n)
			return false;
		*size -= n;
		if (c->from != NO_ARGUMENT)
			*argument(r, c->from) += n;
		return true;
	}
	if (c->moved == MOVED_VECTOR) {
		nr = *argument(r, c->size);
		if (!read_vector(tid, *argument(r, c->from), nr, rest->part) ||
		    !drop_bytes(rest->part, &nr, n))
			return false;
		*argument(r, c->from) = parts;
		*argument(r, c->size) = nr;
		return true;
	}
	if (memory_read(tid, *argument(r, c->from), (char *)&rest->message,
			sizeof(rest->message)) != sizeof(rest->message))
		return false;
	nr = rest->message.msg_iovlen;
	if (!read_vector(tid, (uintptr_t)rest->message.msg_iov, nr, rest->part) ||
	    !drop_bytes(rest->part, &nr, n))
		return false;
	rest->message.msg_iov = (struct iovec *)(uintptr_t)parts;
	rest->message.msg_iovlen = nr;
	/* Descriptors and the like were sent with the first byte. */
	rest->message.msg_control = NULL;
	rest->message.msg_controllen = 0;
	*argument(r, c->from) = room;
	return true;
}

/* The instructions, with a struct cut_call at the stack pointer. */
static const unsigned char code[] = {
	0x0f, 0x05,		      /* syscall */
	0x48, 0x85, 0xc0,	      /* test %rax, %rax */
	0x79, 0x02,		      /* jns 1f */
	0x31, 0xc0,		      /* xor %eax, %eax: an error, but a part was done */
	0x48, 0x03, 0x44, 0x24, 0x08, /* 1: add done(%rsp), %rax */
	0x48, 0x8b, 0x7c, 0x24, 0x10, /* mov rdi(%rsp), %rdi */
	0x48, 0x8b, 0x74, 0x24, 0x18, /* mov rsi(%rsp), %rsi */
	0x48, 0x8b, 0x54, 0x24, 0x20, /* mov rdx(%rsp), %rdx */
	0x4c, 0x8b, 0x54, 0x24, 0x28, /* mov r10(%rsp), %r10 */
	0x48, 0x8b, 0x4c, 0x24, 0x30, /* mov pc(%rsp), %rcx: as a call leaves it */
	0x48, 0x03, 0x64, 0x24, 0x38, /* add size(%rsp), %rsp */
	0xff, 0xe1,		      /* jmp *%rcx */
	0xcc, 0xcc,		      /* int3 */
};
enum { CALL_SIZE = 2, NO_CODE = 1 };

_Static_assert(sizeof(code) == CUT_CALL_CODE && sizeof(code) % sizeof(long) == 0, "whole words");

/* Writes whole words; false if one cannot be written. */
static bool poke(pid_t tid, uint64_t to, const void *from, size_t size)
{
	for (size_t i = 0; i < size; i += sizeof(long)) {
		long word;

		memcpy(&word, (const char *)from + i, sizeof(word));
		if (ptrace(PTRACE_POKEDATA, tid, to + i, word))
			return false;
	}
	return true;
}

/* A running_sink: the end of the vDSO. */
static int find_vdso(void *arg, const struct record *r, struct error *e)
{
	uint64_t *end = arg;

	(void)e;
	if (span_is(r->mmap.path, "[vdso]"))
		*end = r->mmap.addr + r->mmap.len;
	return 0;
}

/*
 * The address of the instructions; NO_CODE: there is no room for them.  They stay there: threads may use them when
 * nobody traces them any more.
 */
static uint64_t code_in(const struct traced *k)
{
	enum { ROOM = (sizeof(code) + 63) & ~(size_t)63 };
	static const unsigned char nothing[sizeof(code)];
	struct error e = ERROR_INIT;
	unsigned char found[sizeof(code)];
	uint64_t end = 0;

	if (k->space->finisher)
		return k->space->finisher;
	k->space->finisher = NO_CODE;
	if (running_maps(k->tid, find_vdso, &end, &e) || !end ||
	    memory_read(k->tid, end - ROOM, (char *)found, sizeof(found)) != sizeof(found))
		return NO_CODE;
	if (memcmp(found, code, sizeof(code)) != 0 &&
	    (memcmp(found, nothing, sizeof(code)) != 0 ||
	     !poke(k->tid, end - ROOM, code, sizeof(code))))
		return NO_CODE;
	k->space->finisher = end - ROOM;
	return k->space->finisher;
}

/* Did the thread make the call by this instruction?  Other ways to do so have other numbers. */
static bool is_syscall(pid_t tid, uint64_t pc)
{
	unsigned char at[CALL_SIZE];

	return memory_read(tid, pc - CALL_SIZE, (char *)at, sizeof(at)) == sizeof(at) &&
	       !memcmp(at, code, CALL_SIZE);
}

/* The thread's next instruction makes the rest of the call that has returned a part. */
static void finish(const struct traced *k, registers *r, const struct moving_call *c)
{
	/* The program may have data so far below its stack pointer. */
	enum { RED_ZONE = 128 };
	const struct iovec all = { .iov_base = r, .iov_len = sizeof(*r) };
	const uint64_t at = code_in(k), n = r->rax;
	struct {
		struct cut_call call;
		struct rest rest;
	} frame = { .rest = { .message = { .msg_iov = NULL } } };
	/* As little as possible: the stacks of Go are small. */
	const size_t size = c->moved == MOVED_BYTES ? sizeof(frame.call) : sizeof(frame);
	uint64_t sp = r->rsp;

	if (at == NO_CODE || !is_syscall(k->tid, r->rip))
		return;
	/* It may be doing the rest of a call already. */
	if (r->rip != at + CALL_SIZE) {
		sp = (r->rsp - RED_ZONE - size) & ~(uint64_t)15;
		frame.call = (struct cut_call){ .mark = CUT_CALL_MARK,
						.rdi = r->rdi,
						.rsi = r->rsi,
						.rdx = r->rdx,
						.r10 = r->r10,
						.pc = r->rip,
						.size = r->rsp - sp,
						.code = at };
	} else if (memory_read(k->tid, sp, (char *)&frame.call, sizeof(frame.call)) !=
		   sizeof(frame.call)) {
		return;
	}
	frame.call.done += n;
	if (!advance(r, c, k->tid, n, sp + sizeof(frame.call), &frame.rest) ||
	    !poke(k->tid, sp, &frame, size))
		return;
	r->rsp = sp;
	r->rax = c->nr;
	r->orig_rax = (unsigned long)-1;
	r->rip = at;
	ptrace(PTRACE_SETREGSET, k->tid, NT_PRSTATUS, &all);
}

static void hide(const struct traced *k)
{
	registers r;
	struct iovec all = { .iov_base = &r, .iov_len = sizeof(r) };
	const struct moving_call *c;
	struct signals signals;

	if (ptrace(PTRACE_GETREGSET, k->tid, NT_PRSTATUS, &all) || all.iov_len != sizeof(r))
		return;
	if ((int64_t)r.rax == -EINTR) {
		begin_again(&r, k->tid);
		return;
	}
	c = (int64_t)r.rax > 0 ? find_call(r.orig_rax) : NULL;
	if (!c ||
	    (c->file != NO_ARGUMENT && !file_suits(k->tid, c, (unsigned)*argument(&r, c->file))) ||
	    (c->flags != NO_ARGUMENT && !flags_suit(c, *argument(&r, c->flags))))
		return;
	signals = signals_of(k->tid);
	if (!(signals.pending & ~signals.blocked & ~without_effect(&signals)))
		finish(k, &r, c);
}

void traced_hide_stop(const struct traced *k)
{
	hide(k);
}

void traced_hide_signal(const struct traced *k, int signal)
{
	const struct signals signals = signals_of(k->tid);

	if (without_effect(&signals) & bit_of(signal))
		hide(k);
}

#else

/* Elsewhere the kernel has decided on a restart before it stops. */
void traced_hide_stop(const struct traced *k)
{
	(void)k;
}

void traced_hide_signal(const struct traced *k, int signal)
{
	(void)k;
	(void)signal;
}

#endif
