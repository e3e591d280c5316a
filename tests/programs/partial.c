/*
 * Calls that return early if their thread is interrupted, by a request to stop or by a signal that nobody handles: they
 * return less than was asked for, or fail with EINTR.  Prints for each how often it did, or "lost" if other bytes arrived
 * than were sent.  Those of the first group are made by a thread of their own, for who asks it to stop; the first thread
 * makes the others, a tenth as often, and another process sends it signals meanwhile.
 *
 *	partial ROUNDS [NAME]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <netinet/in.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* No power of two divides what bytes repeat after; the kernel copies a vector of few parts. */
enum { SIZE = 1 << 20, PARTS = 37, MESSAGES = 16, MESSAGE_PARTS = 3, CYCLE = 251, PIECE = 4096 };

static int file, other_file;
static char bytes[SIZE], sent[SIZE];

static void fill(void)
{
	for (int i = 0; i < SIZE; i++)
		bytes[i] = sent[i] = (char)(i % CYCLE);
}

/* The last part has the rest. */
static void split(struct iovec *part, int nr, char *from, int size)
{
	for (int i = 0; i < nr; i++)
		part[i] = (struct iovec){ .iov_base = from + i * (size / nr),
					  .iov_len = (size_t)(size / nr) };
	part[nr - 1].iov_len += (size_t)(size % nr);
}

/* Each moves SIZE bytes, and returns how many it has moved, or -1. */

__attribute__((noinline)) static ssize_t write_much(void)
{
	return write(file, bytes, SIZE);
}

#define PARTS_BY(call) \
	__extension__({ \
		struct iovec part[PARTS]; \
		split(part, PARTS, bytes, SIZE); \
		(ssize_t)(call); \
	})

__attribute__((noinline)) static ssize_t write_parts(void)
{
	return PARTS_BY(writev(file, part, PARTS));
}

static ssize_t write_parts_2(void)
{
	return PARTS_BY(pwritev2(file, part, PARTS, -1, 0));
}

static ssize_t write_parts_at(void)
{
	return PARTS_BY(pwritev(file, part, PARTS, 0));
}

static ssize_t write_at(void)
{
	return pwrite(file, bytes, SIZE, 0);
}

static ssize_t send_much(void)
{
	return send(file, bytes, SIZE, 0);
}

__attribute__((noinline)) static ssize_t send_parts(void)
{
	struct msghdr message = { .msg_iovlen = PARTS };

	return PARTS_BY((message.msg_iov = part, sendmsg(file, &message, 0)));
}

static ssize_t receive_parts(void)
{
	struct msghdr message = { .msg_iovlen = PARTS };

	return PARTS_BY((message.msg_iov = part, recvmsg(file, &message, MSG_WAITALL)));
}

/* All messages, or the bytes of those that were moved. */
static ssize_t move_messages(int (*move)(struct mmsghdr *))
{
	struct iovec part[MESSAGES][MESSAGE_PARTS];
	struct mmsghdr message[MESSAGES];
	ssize_t all = 0;
	int n;

	memset(message, 0, sizeof(message));
	for (int i = 0; i < MESSAGES; i++) {
		split(part[i], MESSAGE_PARTS, bytes + i * (SIZE / MESSAGES), SIZE / MESSAGES);
		message[i].msg_hdr.msg_iov = part[i];
		message[i].msg_hdr.msg_iovlen = MESSAGE_PARTS;
	}
	n = move(message);
	for (int i = 0; i < n; i++)
		all += message[i].msg_len;
	return n < 0 ? -1 : all;
}

static int send_them(struct mmsghdr *message)
{
	return sendmmsg(file, message, MESSAGES, 0);
}

static ssize_t send_messages(void)
{
	return move_messages(send_them);
}

static int receive_them(struct mmsghdr *message)
{
	return recvmmsg(file, message, MESSAGES, 0, NULL);
}

static ssize_t receive_messages(void)
{
	return move_messages(receive_them);
}

static int receive_them_in_time(struct mmsghdr *message)
{
	struct timespec most = { .tv_sec = 3600 };

	return recvmmsg(file, message, MESSAGES, 0, &most);
}

static ssize_t receive_messages_in_time(void)
{
	return move_messages(receive_them_in_time);
}

__attribute__((noinline)) static ssize_t read_much(void)
{
	return read(file, bytes, SIZE);
}

static ssize_t read_at(void)
{
	return pread(file, bytes, SIZE, 0);
}

static ssize_t read_parts(void)
{
	return PARTS_BY(readv(file, part, PARTS));
}

static ssize_t read_parts_at(void)
{
	return PARTS_BY(preadv(file, part, PARTS, 0));
}

static ssize_t read_parts_2(void)
{
	return PARTS_BY(preadv2(file, part, PARTS, -1, 0));
}

static ssize_t get_random(void)
{
	return getrandom(bytes, SIZE, 0);
}

__attribute__((noinline)) static ssize_t receive_much(void)
{
	return recv(file, bytes, SIZE, MSG_WAITALL);
}

/* What is there after a look at the first bytes that waits for them. */
static ssize_t peek(void)
{
	enum { FIRST = 8 * PIECE };

	if (recv(file, bytes, FIRST, MSG_WAITALL | MSG_PEEK) != FIRST ||
	    memcmp(bytes, sent, FIRST) != 0)
		return 0;
	return recv(file, bytes, SIZE, MSG_WAITALL);
}

static ssize_t send_file(void)
{
	off_t from = 0;

	return sendfile(file, other_file, &from, SIZE);
}

/* What was copied is compared. */
static ssize_t copied(ssize_t n)
{
	static char room[SIZE];

	if (n > 0 && (pread(file, room, (size_t)n, 0) != n || memcmp(room, sent, (size_t)n) != 0))
		return -1;
	return n;
}

static ssize_t send_file_to_file(void)
{
	lseek(file, 0, SEEK_SET);
	return copied(send_file());
}

static ssize_t copy_file(void)
{
	off_t from = 0, to = 0;

	return copied(copy_file_range(other_file, &from, file, &to, SIZE, 0));
}

/* All that is in a full pipe, again and again. */
static ssize_t splice_pipe(void)
{
	ssize_t size, n = 0, all = 0;
	int ends[2];

	if (pipe(ends))
		return -1;
	/* Not everybody may have so much. */
	fcntl(ends[1], F_SETPIPE_SZ, SIZE);
	size = fcntl(ends[1], F_GETPIPE_SZ);
	for (; all < SIZE && n >= 0; all += n) {
		if (write(ends[1], bytes + all, (size_t)size) == size)
			n = splice(ends[0], NULL, file, NULL, (size_t)size, 0);
		if (n != size)
			n = -1;
	}
	close(ends[0]);
	close(ends[1]);
	return n < 0 ? -1 : all;
}

/* All entries of the directory, or less than SIZE if there are more. */
static ssize_t list(void)
{
	static ssize_t all;
	ssize_t n;

	lseek(file, 0, SEEK_SET);
	n = syscall(SYS_getdents64, file, bytes, SIZE);
	if (!all)
		for (all = n; (n = syscall(SYS_getdents64, file, bytes, SIZE)) > 0;)
			all += n;
	else
		return n == all ? SIZE : n;
	return all > 0 ? SIZE : -1;
}

/* Those that move a piece a time fail if nothing was moved. */

static ssize_t in_pieces(ssize_t (*move)(char *at, size_t size))
{
	ssize_t n = 1, all = 0;

	while (all < SIZE && n > 0) {
		n = move(bytes + all, SIZE - all < PIECE ? (size_t)(SIZE - all) : PIECE);
		all += n;
	}
	return n < 0 ? -1 : all;
}

static ssize_t write_piece(char *at, size_t size)
{
	return write(file, at, size);
}

static ssize_t write_pieces(void)
{
	return in_pieces(write_piece);
}

static ssize_t send_piece(char *at, size_t size)
{
	return send(file, at, size, 0);
}

static ssize_t send_pieces(void)
{
	return in_pieces(send_piece);
}

#define ONE_PART(at, size)    ((struct iovec[]){ { .iov_base = (at), .iov_len = (size) } })
#define ONE_MESSAGE(at, size) ((struct msghdr){ .msg_iov = ONE_PART(at, size), .msg_iovlen = 1 })

static ssize_t writev_piece(char *at, size_t size)
{
	return writev(file, ONE_PART(at, size), 1);
}

static ssize_t writev_pieces(void)
{
	return in_pieces(writev_piece);
}

static ssize_t pwritev2_piece(char *at, size_t size)
{
	return pwritev2(file, ONE_PART(at, size), 1, -1, 0);
}

static ssize_t pwritev2_pieces(void)
{
	return in_pieces(pwritev2_piece);
}

static ssize_t sendmsg_piece(char *at, size_t size)
{
	return sendmsg(file, &ONE_MESSAGE(at, size), 0);
}

static ssize_t sendmsg_pieces(void)
{
	return in_pieces(sendmsg_piece);
}

static ssize_t sendmmsg_piece(char *at, size_t size)
{
	struct mmsghdr message = { .msg_hdr = ONE_MESSAGE(at, size) };
	int n = sendmmsg(file, &message, 1, 0);

	return n < 0 ? -1 : (ssize_t)message.msg_len;
}

static ssize_t sendmmsg_pieces(void)
{
	return in_pieces(sendmmsg_piece);
}

static ssize_t sendfile_piece(char *at, size_t size)
{
	off_t from = at - bytes;

	return sendfile(file, other_file, &from, size);
}

static ssize_t sendfile_pieces(void)
{
	return in_pieces(sendfile_piece);
}

static ssize_t splice_piece(char *at, size_t size)
{
	static int ends[2];

	if ((!ends[0] && pipe(ends)) || write(ends[1], at, size) != (ssize_t)size)
		return -1;
	return splice(ends[0], NULL, file, NULL, size, 0);
}

static ssize_t splice_pieces(void)
{
	return in_pieces(splice_piece);
}

static ssize_t read_piece(char *at, size_t size)
{
	return read(file, at, size);
}

static ssize_t read_pieces(void)
{
	return in_pieces(read_piece);
}

static ssize_t readv_piece(char *at, size_t size)
{
	return readv(file, ONE_PART(at, size), 1);
}

static ssize_t readv_pieces(void)
{
	return in_pieces(readv_piece);
}

static ssize_t preadv2_piece(char *at, size_t size)
{
	return preadv2(file, ONE_PART(at, size), 1, -1, 0);
}

static ssize_t preadv2_pieces(void)
{
	return in_pieces(preadv2_piece);
}

static ssize_t recvmmsg_piece(char *at, size_t size)
{
	struct mmsghdr message = { .msg_hdr = ONE_MESSAGE(at, size) };
	int n = recvmmsg(file, &message, 1, 0, NULL);

	return n < 0 ? -1 : (ssize_t)message.msg_len;
}

static ssize_t recvmmsg_pieces(void)
{
	return in_pieces(recvmmsg_piece);
}

/* Others, which fail or do not. */

static ssize_t drain(void)
{
	for (int i = 0; i < 100000; i++)
		if (ioctl(file, TCSBRK, 1))
			return -1;
	return SIZE;
}

/* The verifier takes some milliseconds, and begins anew if it is interrupted.  Without privileges there is nothing to see. */
static ssize_t load_bpf(void)
{
	enum { NR = 30000 };
	static struct bpf_insn code[NR];
	union bpf_attr program = { .prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
				   .insns = (uintptr_t)code,
				   .insn_cnt = NR,
				   .license = (uintptr_t) "" };
	int fd;

	code[0] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K };
	for (int i = 1; i < NR - 1; i++)
		code[i] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_ADD | BPF_K, .imm = 1 };
	code[NR - 1] = (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT };
	fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &program, sizeof(program));
	if (fd < 0)
		return errno == EAGAIN ? -1 : SIZE;
	close(fd);
	return SIZE;
}

static const struct timeval long_time = { .tv_sec = 3600 };
static const struct sockaddr_un nowhere = { .sun_family = AF_UNIX };

static ssize_t connect_often(void)
{
	struct sockaddr_un to = nowhere;
	socklen_t size = sizeof(to);

	getsockname(file, (struct sockaddr *)&to, &size);
	for (int i = 0; i < 100; i++) {
		int s = socket(AF_UNIX, SOCK_STREAM, 0);
		int failed;

		setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &long_time, sizeof(long_time));
		failed = connect(s, (struct sockaddr *)&to, size);
		close(s);
		if (failed)
			return -1;
	}
	return SIZE;
}

/* As a careful program does. */
static int do_rest(size_t done, int sends)
{
	while (done < SIZE) {
		size_t left = SIZE - done, piece = SIZE / MESSAGES - done % (SIZE / MESSAGES);
		ssize_t n = sends ? write(file, bytes + done, left < piece ? left : piece)
				  : read(file, bytes + done, left);

		if (n <= 0)
			return -1;
		done += (size_t)n;
	}
	return 0;
}

/* What the process at the other end does, and what our end is. */
enum other { TAKES, SENDS, ACCEPTS, NOTHING };
enum ends { PIPE, SOCKET, PACKETS, TCP, LISTENER, ZERO, RANDOM, MEMORY_FILE, DIRECTORY, TERMINAL };

static const struct way {
	const char *name;
	ssize_t (*move)(void);
	enum ends ends;
	enum other other;
	int in_thread;
	int timeout; /* its socket has timeouts: it fails with EINTR */
} ways[] = {
	{ "pipe", write_much, PIPE, TAKES, 1, 0 },
	{ "parts", write_parts, PIPE, TAKES, 1, 0 },
	{ "socket", write_much, SOCKET, TAKES, 1, 0 },
	{ "messages", send_parts, SOCKET, TAKES, 1, 0 },
	{ "receives", receive_much, SOCKET, SENDS, 1, 0 },
	{ "device", read_much, ZERO, NOTHING, 1, 0 },
	{ "bpf", load_bpf, ZERO, NOTHING, 1, 0 },
	{ "write", write_much, PIPE, TAKES, 0, 0 },
	{ "writev", write_parts, PIPE, TAKES, 0, 0 },
	{ "pwritev2", write_parts_2, PIPE, TAKES, 0, 0 },
	{ "send", send_much, SOCKET, TAKES, 0, 0 },
	{ "sendmsg", send_parts, SOCKET, TAKES, 0, 0 },
	{ "sendmmsg", send_messages, PACKETS, TAKES, 0, 0 },
	{ "sendmmsg-stream", send_messages, SOCKET, TAKES, 0, 0 },
	{ "sendfile", send_file, SOCKET, TAKES, 0, 0 },
	{ "splice", splice_pipe, SOCKET, TAKES, 0, 0 },
	{ "splice-tcp", splice_pipe, TCP, TAKES, 0, 0 },
	{ "recv", receive_much, SOCKET, SENDS, 0, 0 },
	{ "recvmsg", receive_parts, SOCKET, SENDS, 0, 0 },
	{ "recvmmsg", receive_messages, PACKETS, SENDS, 0, 0 },
	{ "recvmmsg-in-time", receive_messages_in_time, PACKETS, SENDS, 0, 0 },
	{ "recvmmsg-timeout", receive_messages, PACKETS, SENDS, 0, 1 },
	{ "peek", peek, TCP, SENDS, 0, 0 },
	{ "sendfile-file", send_file_to_file, MEMORY_FILE, NOTHING, 0, 0 },
	{ "copy_file_range", copy_file, MEMORY_FILE, NOTHING, 0, 0 },
	{ "getdents", list, DIRECTORY, NOTHING, 0, 0 },
	{ "getrandom", get_random, ZERO, NOTHING, 0, 0 },
	{ "write-device", write_much, RANDOM, NOTHING, 0, 0 },
	{ "pwrite-device", write_at, RANDOM, NOTHING, 0, 0 },
	{ "writev-device", write_parts, RANDOM, NOTHING, 0, 0 },
	{ "pwritev-device", write_parts_at, RANDOM, NOTHING, 0, 0 },
	{ "pwritev2-device", write_parts_2, RANDOM, NOTHING, 0, 0 },
	{ "pread-device", read_at, ZERO, NOTHING, 0, 0 },
	{ "readv-device", read_parts, ZERO, NOTHING, 0, 0 },
	{ "preadv-device", read_parts_at, ZERO, NOTHING, 0, 0 },
	{ "preadv2-device", read_parts_2, ZERO, NOTHING, 0, 0 },
	{ "write-timeout", write_pieces, SOCKET, TAKES, 0, 1 },
	{ "writev-timeout", writev_pieces, SOCKET, TAKES, 0, 1 },
	{ "pwritev2-timeout", pwritev2_pieces, SOCKET, TAKES, 0, 1 },
	{ "send-timeout", send_pieces, SOCKET, TAKES, 0, 1 },
	{ "sendmsg-timeout", sendmsg_pieces, SOCKET, TAKES, 0, 1 },
	{ "sendmmsg-timeout", sendmmsg_pieces, SOCKET, TAKES, 0, 1 },
	{ "sendfile-timeout", sendfile_pieces, SOCKET, TAKES, 0, 1 },
	{ "splice-timeout", splice_pieces, SOCKET, TAKES, 0, 1 },
	{ "read-timeout", read_pieces, SOCKET, SENDS, 0, 1 },
	{ "readv-timeout", readv_pieces, SOCKET, SENDS, 0, 1 },
	{ "preadv2-timeout", preadv2_pieces, SOCKET, SENDS, 0, 1 },
	{ "recvmmsg-pieces", recvmmsg_pieces, SOCKET, SENDS, 0, 1 },
	{ "connect-timeout", connect_often, LISTENER, ACCEPTS, 0, 1 },
	{ "tcdrain", drain, TERMINAL, NOTHING, 0, 0 },
};

static int rounds;

static void *repeat(void *arg)
{
	const struct way *way = arg;
	const int nr = way->in_thread && way->move != load_bpf ? rounds : (rounds + 9) / 10;
	long nr_short = 0;

	for (int i = 0; i < nr; i++) {
		ssize_t n = way->move();

		if (n < 0)
			return (void *)-1L;
		nr_short += n < SIZE;
		if (way->other < ACCEPTS && do_rest((size_t)n, way->other == TAKES))
			return (void *)-1L;
	}
	return (void *)nr_short;
}

/* The bytes that come at that place of what is sent again and again. */
static int is_as_sent(const char *at, size_t n, size_t *from)
{
	int right = 1;

	while (n) {
		size_t part = n < SIZE - *from ? n : SIZE - *from;

		right &= !memcmp(at, sent + *from, part);
		*from = (*from + part) % SIZE;
		at += part;
		n -= part;
	}
	return right;
}

/* Takes all and checks it, or sends without end; and between parts of that, signals that nobody handles. */
static void be_other(const struct way *way, int theirs)
{
	static char room[SIZE];
	const size_t message = way->ends == PACKETS ? SIZE / MESSAGES : PIECE;
	size_t from = 0;
	int right = 1, fd;
	ssize_t n;

	for (;;) {
		if (!way->in_thread)
			kill(getppid(), SIGURG);
		if (way->other == TAKES) {
			n = read(theirs, room, way->timeout ? PIECE : SIZE);
			if (n <= 0)
				break;
			right &= is_as_sent(room, (size_t)n, &from);
		} else if (way->other == SENDS) {
			n = write(theirs, sent + from, message - from % message);
			if (n <= 0)
				break;
			from = (from + (size_t)n) % SIZE;
		} else if (way->other == ACCEPTS) {
			fd = accept(theirs, NULL, NULL);
			close(fd);
		} else if (way->ends != TERMINAL) {
			usleep(100);
		}
	}
	_exit(right ? 0 : 1);
}

static int make_tcp(int *ends)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int l = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t size = sizeof(to);

	ends[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(l, (struct sockaddr *)&to, size) || listen(l, 1) ||
	    getsockname(l, (struct sockaddr *)&to, &size) ||
	    connect(ends[0], (struct sockaddr *)&to, size))
		return -1;
	ends[1] = accept(l, NULL, NULL);
	close(l);
	return ends[1] < 0 ? -1 : 0;
}

/* Ours is ends[1]. */
static int make(enum ends kind, int *ends)
{
	struct sockaddr_un none = nowhere;

	ends[0] = -1;
	switch (kind) {
	case PIPE:
		return pipe(ends);
	case SOCKET:
		return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	case PACKETS:
		return socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
	case TCP:
		return make_tcp(ends);
	case LISTENER:
		/* The kernel chooses a name. */
		ends[1] = socket(AF_UNIX, SOCK_STREAM, 0);
		ends[0] = dup(ends[1]);
		return bind(ends[1], (struct sockaddr *)&none, sizeof(sa_family_t)) ||
		       listen(ends[1], 0);
	case ZERO:
		ends[1] = open("/dev/zero", O_RDONLY);
		break;
	case RANDOM:
		ends[1] = open("/dev/urandom", O_WRONLY);
		break;
	case MEMORY_FILE:
		ends[1] = memfd_create("copy", 0);
		break;
	case DIRECTORY:
		ends[1] = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
		/* So that there are many. */
		for (int i = 0; i < 800; i++)
			fcntl(ends[1], F_DUPFD, 100);
		break;
	case TERMINAL:
		return openpty(&ends[0], &ends[1], NULL, NULL, NULL);
	}
	return ends[1] < 0;
}

static int run(const struct way *way)
{
	int ends[2], status = 0;
	size_t from = 0;
	void *nr_short;
	pthread_t thread;
	pid_t pid;

	if (make(way->ends, ends))
		return 1;
	file = ends[1];
	if (way->timeout) {
		setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &long_time, sizeof(long_time));
		setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &long_time, sizeof(long_time));
	}
	pid = fork();
	if (!pid) {
		close(file);
		be_other(way, ends[0]);
	}
	if (way->ends != TERMINAL)
		close(ends[0]);
	/* Signals for a process go to its first thread. */
	if (way->in_thread) {
		pthread_create(&thread, NULL, repeat, (void *)way);
		pthread_join(thread, &nr_short);
	} else {
		nr_short = repeat((void *)way);
	}
	close(file);
	if (way->other != TAKES)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	if (way->other == TAKES ? status : way->other == SENDS && !is_as_sent(bytes, SIZE, &from))
		printf("%s lost\n", way->name);
	else
		printf("%s %ld\n", way->name, (long)nr_short);
	fflush(stdout);
	fill();
	return 0;
}

int main(int argc, char **argv)
{
	rounds = argc > 1 ? atoi(argv[1]) : 1;
	fill();
	other_file = memfd_create("sent", 0);
	if (other_file < 0 || write(other_file, sent, SIZE) != SIZE)
		return 1;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		/* One of them, for who looks for a bug. */
		if ((argc < 3 || !strcmp(argv[2], ways[i].name)) && run(&ways[i])) {
			perror(ways[i].name);
			return 1;
		}
	return 0;
}
