/*
 * Hides from the program what a system call returns because ptrace stopped its thread.
 *
 * The kernel restarts most blocking calls by itself, and some if wick asks for it.  A call that has done a part of
 * its work, such as a long write to a full pipe, returns that part, as after any signal, and many programs do not
 * expect that.  So the thread finishes the call before the program continues: a few instructions at the end of its
 * vDSO make one or several calls for the rest, add up what they returned, and jump back.  The thread does not need
 * wick for that: if wick is killed meanwhile, the program does not notice. (If wick itself waited for the end of
 * the second call to correct the result, and were killed, the program would write the data of the first call
 * twice.)
 */
#include "base/alloc.h"
#include "record/ptrace/cut_call.h"
#include "record/ptrace/tracer.h"
#include "record/targets/process_memory.h"
#include "record/targets/running.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <time.h>
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

/* Signals without effect, which the kernel only delivers if the thread is traced. */
static uint64_t without_effect(const struct signals *s)
{
	const uint64_t by_default =
		bit_of(SIGCHLD) | bit_of(SIGCONT) | bit_of(SIGURG) | bit_of(SIGWINCH);

	return s->ignored | (by_default & ~s->caught);
}

/* Calls that have not done any work yet */

/* Calls that fail with EINTR after any stop; those of sockets only with a timeout (SO_RCVTIMEO, SO_SNDTIMEO). */
static const uint16_t waiting_calls[] = {
	SYS_epoll_wait,	     SYS_epoll_pwait,	 SYS_epoll_pwait2,    SYS_semop,    SYS_semtimedop,
	SYS_io_getevents,    SYS_io_uring_enter, SYS_rt_sigtimedwait, SYS_read,	    SYS_readv,
	SYS_preadv2,	     SYS_recvfrom,	 SYS_recvmsg,	      SYS_recvmmsg, SYS_write,
	SYS_writev,	     SYS_pwritev2,	 SYS_sendto,	      SYS_sendmsg,  SYS_sendmmsg,
	SYS_accept,	     SYS_accept4,	 SYS_connect,	      SYS_sendfile, SYS_splice,
	SYS_copy_file_range,
};

/* Restarts a call.  If a signal handler runs first, the program gets EINTR as without wick. */
static void begin_again(pid_t tid)
{
	/* ERESTARTNOHAND, which is not in user-space headers. */
	enum { RESTART_IF_NO_HANDLER = 514 };

	ptrace(PTRACE_POKEUSER, tid, offsetof(registers, rax), (long)-RESTART_IF_NO_HANDLER);
}

static bool is_waiting_call(const registers *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(waiting_calls); i++)
		if (r->orig_rax == waiting_calls[i])
			return true;
	/* tcdrain() and the like */
	return r->orig_rax == SYS_ioctl && (r->rsi == TCSBRK || r->rsi == TCSBRKP);
}

/*
 * Calls that drop all their work when they are interrupted: in older kernels, the verifier of BPF programs and
 * tmpfs.  They may take longer than the time between two stops, and would never end.
 */
static bool is_lost_work(const registers *r)
{
	return (r->orig_rax == SYS_bpf && (int64_t)r->rax == -EAGAIN && r->rdi == BPF_PROG_LOAD) ||
	       (r->orig_rax == SYS_fallocate && (int64_t)r->rax == -EINTR);
}

/* Calls that have done a part of their work */

/* What the result of a call counts. */
enum moved { MOVED_BYTES, MOVED_VECTOR, MOVED_MESSAGE, MOVED_MESSAGES };

/* Arguments of calls. */
enum { NONE, RDI, RSI, RDX, R10, R8, R9 };

/*
 * Kinds of files for which a call returns early only after a signal.  For others, a second call might block
 * forever.
 */
enum {
	STREAM = 1, /* pipes, sockets and terminals */
	MEMORY = 2, /* devices like /dev/zero */
	REGULAR = 4,
	DIRECTORY = 8,
};

static const struct moving_call {
	uint16_t nr;
	uint8_t moved;			 /* enum moved */
	uint8_t files;			 /* kinds of files that it returns early for */
	uint8_t file, from, size, flags; /* its arguments */
	uint8_t place;		/* the argument with the position in the file; its value -1: none */
	unsigned with, without; /* flags that it must, or must not, have */
} moving_calls[] = {
	{ SYS_write, MOVED_BYTES, STREAM | MEMORY, .file = RDI, .from = RSI, .size = RDX },
	{ SYS_pwrite64, MOVED_BYTES, MEMORY, .file = RDI, .from = RSI, .size = RDX, .place = R10 },
	{ SYS_writev, MOVED_VECTOR, STREAM | MEMORY, .file = RDI, .from = RSI, .size = RDX },
	{ SYS_pwritev, MOVED_VECTOR, MEMORY, .file = RDI, .from = RSI, .size = RDX, .place = R10 },
	{ SYS_pwritev2, MOVED_VECTOR, STREAM | MEMORY, .file = RDI, .from = RSI, .size = RDX,
	  .place = R10, .flags = R9, .without = RWF_NOWAIT },
	{ SYS_sendto, MOVED_BYTES, STREAM, .file = RDI, .from = RSI, .size = RDX, .flags = R10,
	  .without = MSG_DONTWAIT },
	{ SYS_sendmsg, MOVED_MESSAGE, STREAM, .file = RDI, .from = RSI, .flags = RDX,
	  .without = MSG_DONTWAIT },
	{ SYS_sendmmsg, MOVED_MESSAGES, STREAM, .file = RDI, .from = RSI, .size = RDX, .flags = R10,
	  .without = MSG_DONTWAIT },
	{ SYS_sendfile, MOVED_BYTES, STREAM | MEMORY | REGULAR, .file = RDI, .size = R10 },
	{ SYS_splice, MOVED_BYTES, STREAM | REGULAR, .file = RDX, .size = R8 },
	{ SYS_copy_file_range, MOVED_BYTES, REGULAR, .file = RDX, .size = R8 },
	{ SYS_getrandom, MOVED_BYTES, 0, .from = RDI, .size = RSI },
	{ SYS_getdents64, MOVED_BYTES, DIRECTORY, .file = RDI, .from = RSI, .size = RDX },
	/* For other files, reading less than requested is normal. */
	{ SYS_read, MOVED_BYTES, MEMORY, .file = RDI, .from = RSI, .size = RDX },
	{ SYS_pread64, MOVED_BYTES, MEMORY, .file = RDI, .from = RSI, .size = RDX, .place = R10 },
	{ SYS_readv, MOVED_VECTOR, MEMORY, .file = RDI, .from = RSI, .size = RDX },
	{ SYS_preadv, MOVED_VECTOR, MEMORY, .file = RDI, .from = RSI, .size = RDX, .place = R10 },
	{ SYS_preadv2, MOVED_VECTOR, MEMORY, .file = RDI, .from = RSI, .size = RDX, .place = R10,
	  .flags = R9, .without = RWF_NOWAIT },
	{ SYS_recvfrom, MOVED_BYTES, STREAM, .file = RDI, .from = RSI, .size = RDX, .flags = R10,
	  .with = MSG_WAITALL, .without = MSG_DONTWAIT },
	{ SYS_recvmsg, MOVED_MESSAGE, STREAM, .file = RDI, .from = RSI, .flags = RDX,
	  .with = MSG_WAITALL, .without = MSG_DONTWAIT },
	{ SYS_recvmmsg, MOVED_MESSAGES, STREAM, .file = RDI, .from = RSI, .size = RDX, .flags = R10,
	  .without = MSG_DONTWAIT | MSG_WAITFORONE },
};

static const struct moving_call *find_call(uint64_t nr)
{
	for (size_t i = 0; i < ARRAY_SIZE(moving_calls); i++)
		if (moving_calls[i].nr == nr)
			return &moving_calls[i];
	return NULL;
}

static unsigned long long *argument(registers *r, unsigned i)
{
	static const size_t offsets[] = {
		[RDI] = offsetof(registers, rdi), [RSI] = offsetof(registers, rsi),
		[RDX] = offsetof(registers, rdx), [R10] = offsetof(registers, r10),
		[R8] = offsetof(registers, r8),	  [R9] = offsetof(registers, r9)
	};

	return (unsigned long long *)(void *)((char *)r + offsets[i]);
}

/* "flags: 02" in octal.  A program that uses O_NONBLOCK expects that a call returns early. */
static bool blocks(pid_t tid, unsigned fd)
{
	char name[32], text[256];
	const char *line;

	snprintf(name, sizeof(name), "fdinfo/%u", fd);
	line = read_short(text, sizeof(text), tid, name) ? strstr(text, "flags:") : NULL;
	return line && !(strtoul(line + sizeof("flags:") - 1, NULL, 8) & O_NONBLOCK);
}

static bool is_stream(const struct stat *file, unsigned driver)
{
	/* Device numbers: see the kernel's devices.txt. */
	enum { CONSOLE = 4, TERMINAL = 5, PSEUDO = 136, PSEUDO_LAST = 143 };

	return S_ISFIFO(file->st_mode) || S_ISSOCK(file->st_mode) || driver == CONSOLE ||
	       driver == TERMINAL || (driver >= PSEUDO && driver <= PSEUDO_LAST);
}

static bool stat_file(pid_t tid, unsigned fd, struct stat *file)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%u", (int)tid, fd);
	return !stat(path, file);
}

static bool file_suits(pid_t tid, const struct moving_call *c, unsigned fd)
{
	enum { MEMORY_DRIVER = 1 };
	struct stat file;
	unsigned driver;

	if (!stat_file(tid, fd, &file))
		return false;
	driver = S_ISCHR(file.st_mode) ? major(file.st_rdev) : 0;
	return (c->files & STREAM && is_stream(&file, driver) && blocks(tid, fd)) ||
	       (c->files & MEMORY && driver == MEMORY_DRIVER) ||
	       (c->files & REGULAR && (S_ISREG(file.st_mode) || S_ISBLK(file.st_mode))) ||
	       (c->files & DIRECTORY && S_ISDIR(file.st_mode));
}

/* Is a stop the only reason why such a call returns early? */
static bool suits(pid_t tid, const struct moving_call *c, registers *r)
{
	const uint64_t flags = c->flags ? *argument(r, c->flags) : 0;
	struct msghdr message;
	struct timespec left;
	struct stat file;

	if ((c->file && !file_suits(tid, c, (unsigned)*argument(r, c->file))) ||
	    (flags & c->with) != c->with || flags & c->without)
		return false;
	/* Not with control messages: the kernel has overwritten the size of their buffer. */
	if (c->nr == SYS_recvmsg)
		return memory_read(tid, r->rsi, (char *)&message, sizeof(message)) ==
			       sizeof(message) &&
		       !message.msg_control;
	/* A socket may have no more data. */
	if (c->nr == SYS_splice)
		return stat_file(tid, (unsigned)r->rdi, &file) && S_ISFIFO(file.st_mode);
	/* The kernel writes back how much time is left. */
	if (c->nr == SYS_recvmmsg && r->r8)
		return memory_read(tid, r->r8, (char *)&left, sizeof(left)) == sizeof(left) &&
		       (left.tv_sec || left.tv_nsec);
	return true;
}

/* The instructions that finish a call, with a struct cut_call at the stack pointer. */
static const unsigned char code[] = {
	0x8b, 0x44, 0x24, 0x08,		    /* mov nr(%rsp), %eax */
	0x0f, 0x05,			    /* syscall */
	0x48, 0x85, 0xc0,		    /* test %rax, %rax */
	0x79, 0x02,			    /* jns 1f */
	0x31, 0xc0,			    /* xor %eax, %eax: an error, but a part was done */
	0x48, 0x03, 0x44, 0x24, 0x10,	    /* 1: add done(%rsp), %rax */
	0x48, 0x8b, 0x4c, 0x24, 0x20,	    /* mov sum_to(%rsp), %rcx */
	0x89, 0x01,			    /* mov %eax, (%rcx) */
	0x48, 0x3b, 0x44, 0x24, 0x18,	    /* cmp whole(%rsp), %rax */
	0x48, 0x8b, 0x4c, 0x24, 0x58,	    /* mov pc(%rsp), %rcx: as a call leaves it */
	0x48, 0x0f, 0x45, 0x4c, 0x24, 0x60, /* cmovne pc_if_short(%rsp), %rcx */
	0x48, 0x8b, 0x7c, 0x24, 0x28,	    /* mov rdi(%rsp), %rdi */
	0x48, 0x8b, 0x74, 0x24, 0x30,	    /* mov rsi(%rsp), %rsi */
	0x48, 0x8b, 0x54, 0x24, 0x38,	    /* mov rdx(%rsp), %rdx */
	0x4c, 0x8b, 0x54, 0x24, 0x40,	    /* mov r10(%rsp), %r10 */
	0x4c, 0x8b, 0x44, 0x24, 0x48,	    /* mov r8(%rsp), %r8 */
	0x4c, 0x8b, 0x4c, 0x24, 0x50,	    /* mov r9(%rsp), %r9 */
	0x48, 0x03, 0x64, 0x24, 0x68,	    /* add size(%rsp), %rsp */
	0xff, 0xe1,			    /* jmp *%rcx */
	0xcc, 0xcc,			    /* int3 */
};
enum {
	CALL = 4,	   /* offset of the syscall instruction */
	CALL_SIZE = 2,	   /* its size */
	NOTHING_MORE = 11, /* offset to begin at if the call must not be made */
	NO_CODE = 1,
};

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

/* A running_sink: finds the end of the vDSO. */
static int find_vdso(void *arg, const struct record *r, struct error *e)
{
	uint64_t *end = arg;

	(void)e;
	if (span_is(r->mmap.path, "[vdso]"))
		*end = r->mmap.addr + r->mmap.len;
	return 0;
}

/*
 * The address of the instructions; NO_CODE: there is no space for them.  They are never removed, because threads
 * may still use them when they are not traced any more.
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

/* Did the thread make the call by the syscall instruction?  Other instructions have other call numbers. */
static bool is_syscall(pid_t tid, uint64_t pc)
{
	unsigned char at[CALL_SIZE];

	return memory_read(tid, pc - CALL_SIZE, (char *)at, sizeof(at)) == sizeof(at) &&
	       !memcmp(at, code + CALL, CALL_SIZE);
}

/* The frame on the thread's stack for one call; MOVED_BYTES only needs the first member. */
struct frame {
	struct cut_call call;
	struct iovec part;
	struct msghdr message;
};

/* The calls to make. */
struct rest {
	pid_t tid;
	uint64_t code;	  /* the address of the instructions */
	registers *r;	  /* the registers that the thread continues with */
	struct frame top; /* … and the frame at its stack pointer then */
};

/* Begins a frame at sp, after which the thread continues with the current registers. */
static void begin_frame(struct rest *rest, uint64_t nr, uint64_t sp, uint64_t pc,
			uint64_t pc_if_short)
{
	registers *r = rest->r;

	rest->top.call = (struct cut_call){ .mark = CUT_CALL_MARK,
					    .nr = nr,
					    .sum_to = sp + offsetof(struct cut_call, done),
					    .rdi = r->rdi,
					    .rsi = r->rsi,
					    .rdx = r->rdx,
					    .r10 = r->r10,
					    .r8 = r->r8,
					    .r9 = r->r9,
					    .pc = pc,
					    .pc_if_short = pc_if_short,
					    .size = r->rsp - sp,
					    .code = rest->code };
	r->rsp = sp;
}

static size_t frame_size(const struct moving_call *c)
{
	/* As small as possible, because stacks of Go are small. */
	return c->moved == MOVED_BYTES ? sizeof(struct cut_call) : sizeof(struct frame);
}

/* Begins the first frame, or reads the existing one if the thread is already finishing a call. */
static bool begin_rest(struct rest *rest, const struct moving_call *c)
{
	/* The program may have data this far below its stack pointer. */
	enum { RED_ZONE = 128 };
	const registers *r = rest->r;
	const size_t size = frame_size(c);

	if (r->rip == rest->code + CALL + CALL_SIZE)
		return memory_read(rest->tid, r->rsp, (char *)&rest->top, size) == size;
	begin_frame(rest, c->nr, (r->rsp - RED_ZONE - size) & ~(uint64_t)15, r->rip, r->rip);
	return true;
}

/* Adds a call to be made before the one in the registers, which is made only if this one returns the whole. */
static bool push_call(struct rest *rest, uint64_t nr)
{
	if (!poke(rest->tid, rest->r->rsp, &rest->top, sizeof(rest->top)))
		return false;
	begin_frame(rest, nr, rest->r->rsp - sizeof(rest->top), rest->code,
		    rest->code + NOTHING_MORE);
	return true;
}

/*
 * The functions advance…() set the arguments for the rest of the call, of which n is done.  False: nothing is left.
 */

static void move_place(registers *r, const struct moving_call *c, uint64_t n)
{
	if (c->place && *argument(r, c->place) != UINT64_MAX)
		*argument(r, c->place) += n;
}

static bool advance_bytes(registers *r, const struct moving_call *c, uint64_t n)
{
	/* The kernel's limit for one call. */
	const uint64_t most = 0x7ffff000;
	unsigned long long *size = argument(r, c->size);

	if (*size > most)
		*size = most;
	if (*size <= n)
		return false;
	*size -= n;
	if (c->from)
		*argument(r, c->from) += n;
	move_place(r, c, n);
	/* Takes what is still in the pipe, and does not wait for more. */
	if (c->nr == SYS_splice)
		r->r9 |= SPLICE_F_NONBLOCK;
	return true;
}

static bool read_vector(pid_t tid, uint64_t at, size_t nr, struct iovec *part)
{
	return nr <= UIO_MAXIOV &&
	       memory_read(tid, at, (char *)part, nr * sizeof(*part)) == nr * sizeof(*part);
}

static void set_vector(struct rest *rest, const struct moving_call *c, uint64_t at, size_t nr)
{
	if (c->moved == MOVED_VECTOR) {
		*argument(rest->r, c->from) = at;
		*argument(rest->r, c->size) = nr;
		return;
	}
	rest->top.message.msg_iov = (struct iovec *)(uintptr_t)at;
	rest->top.message.msg_iovlen = nr;
	*argument(rest->r, c->from) = rest->r->rsp + offsetof(struct frame, message);
}

/*
 * Makes a call for the rest of the interrupted buffer, and then one for the buffers after it, in the program's own
 * array.
 */
static bool advance_vector(struct rest *rest, const struct moving_call *c, uint64_t n)
{
	const uint64_t done = rest->top.call.done;
	registers *r = rest->r;
	uint64_t at = *argument(r, c->from);
	struct iovec part[UIO_MAXIOV];
	size_t nr, i = 0;

	move_place(r, c, n);
	if (c->moved == MOVED_VECTOR) {
		nr = *argument(r, c->size);
	} else {
		struct msghdr *message = &rest->top.message;

		if (memory_read(rest->tid, at, (char *)message, sizeof(*message)) !=
		    sizeof(*message))
			return false;
		/* Descriptors and the like were sent with the first byte. */
		message->msg_control = NULL;
		message->msg_controllen = 0;
		at = (uintptr_t)message->msg_iov;
		nr = message->msg_iovlen;
	}
	if (!read_vector(rest->tid, at, nr, part))
		return false;
	while (i < nr && part[i].iov_len <= n)
		n -= part[i++].iov_len;
	if (i == nr)
		return false;
	part[i].iov_base = (char *)part[i].iov_base + n;
	part[i].iov_len -= n;
	if (i + 1 < nr) {
		const uint64_t sum_to = r->rsp + offsetof(struct cut_call, done);

		set_vector(rest, c, at + (i + 1) * sizeof(*part), nr - i - 1);
		move_place(r, c, part[i].iov_len);
		if (!push_call(rest, c->nr))
			return false;
		move_place(r, c, -part[i].iov_len);
		rest->top.call.done = done;
		rest->top.call.whole = done + part[i].iov_len;
		rest->top.call.sum_to = sum_to;
	}
	rest->top.part = part[i];
	set_vector(rest, c, r->rsp + offsetof(struct frame, part), 1);
	return true;
}

static uint64_t message_size(pid_t tid, const struct msghdr *message)
{
	struct iovec part[UIO_MAXIOV];
	uint64_t size = 0;

	if (!read_vector(tid, (uintptr_t)message->msg_iov, message->msg_iovlen, part))
		return 0;
	for (size_t i = 0; i < message->msg_iovlen; i++)
		size += part[i].iov_len;
	return size;
}

static bool advance_messages(struct rest *rest, const struct moving_call *c, uint64_t n)
{
	registers *r = rest->r;
	const uint64_t last_at = r->rsi + (n - 1) * sizeof(struct mmsghdr);
	uint64_t nr = (uint32_t)r->rdx, left, size;
	struct mmsghdr last;

	/* The kernel's limit for one call. */
	if (c->nr == SYS_sendmmsg && nr > UIO_MAXIOV)
		nr = UIO_MAXIOV;
	left = nr > n ? nr - n : 0;
	r->rsi = last_at + sizeof(last);
	r->rdx = left;
	/*
	 * The kernel also stores the interruption as an error for the socket's next call: a call for no messages
	 * consumes it.
	 */
	if (c->nr == SYS_recvmmsg) {
		if (!left || !push_call(rest, c->nr))
			return false;
		r->rdx = 0;
		return true;
	}
	if (memory_read(rest->tid, last_at, (char *)&last, sizeof(last)) != sizeof(last))
		return false;
	size = message_size(rest->tid, &last.msg_hdr);
	if (last.msg_len >= size)
		return left > 0;
	/* Only a part of the last message was sent. */
	if (!push_call(rest, SYS_sendmsg))
		return false;
	rest->top.call.done = last.msg_len;
	rest->top.call.whole = size;
	rest->top.call.sum_to = last_at + offsetof(struct mmsghdr, msg_len);
	r->rsi = last_at + offsetof(struct mmsghdr, msg_hdr);
	r->rdx = r->r10;
	return advance_vector(rest, find_call(SYS_sendmsg), last.msg_len);
}

static bool advance(struct rest *rest, const struct moving_call *c, uint64_t n)
{
	switch ((enum moved)c->moved) {
	case MOVED_BYTES:
		return advance_bytes(rest->r, c, n);
	case MOVED_VECTOR:
	case MOVED_MESSAGE:
		return advance_vector(rest, c, n);
	case MOVED_MESSAGES:
		return advance_messages(rest, c, n);
	}
	return false;
}

/* Makes the thread finish the call that has returned a part. */
static void finish(const struct traced *k, registers *r, const struct moving_call *c)
{
	const struct iovec all = { .iov_base = r, .iov_len = sizeof(*r) };
	const uint64_t n = r->rax;
	struct rest rest = { .tid = k->tid, .code = code_in(k), .r = r };

	if (rest.code == NO_CODE || !is_syscall(k->tid, r->rip) || !begin_rest(&rest, c))
		return;
	rest.top.call.done += n;
	if (!advance(&rest, c, n) || !poke(k->tid, r->rsp, &rest.top, frame_size(c)))
		return;
	r->orig_rax = (unsigned long)-1;
	r->rip = rest.code;
	ptrace(PTRACE_SETREGSET, k->tid, NT_PRSTATUS, &all);
}

static void hide(struct traced *k)
{
	registers r;
	struct iovec all = { .iov_base = &r, .iov_len = sizeof(r) };
	const struct moving_call *c;
	struct signals signals;

	if (ptrace(PTRACE_GETREGSET, k->tid, NT_PRSTATUS, &all) || all.iov_len != sizeof(r))
		return;
	if (is_lost_work(&r)) {
		begin_again(k->tid);
		k->alone = true;
		return;
	}
	if ((int64_t)r.rax == -EINTR) {
		if (is_waiting_call(&r))
			begin_again(k->tid);
		return;
	}
	c = (int64_t)r.rax > 0 ? find_call(r.orig_rax) : NULL;
	if (!c || !suits(k->tid, c, &r))
		return;
	signals = signals_of(k->tid);
	if (signals.pending & ~signals.blocked & ~without_effect(&signals))
		return;
	/* With MSG_PEEK, the data is still there. */
	if (c->with == MSG_WAITALL && *argument(&r, c->flags) & MSG_PEEK)
		begin_again(k->tid);
	else
		finish(k, &r, c);
}

void traced_hide_stop(struct traced *k)
{
	k->alone = false;
	hide(k);
}

void traced_hide_signal(struct traced *k, int signal)
{
	const struct signals signals = signals_of(k->tid);

	if (without_effect(&signals) & bit_of(signal))
		hide(k);
}

#else

/* On other architectures, the kernel has decided about a restart before the stop. */
void traced_hide_stop(struct traced *k)
{
	(void)k;
}

void traced_hide_signal(struct traced *k, int signal)
{
	(void)k;
	(void)signal;
}

#endif
