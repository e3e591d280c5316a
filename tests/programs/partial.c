/*
 * Calls that return early if their thread is asked to stop: writes to a pipe and a socket, and reads of a device and a
 * socket, each by a thread of its own; and writes of a thread that gets signals which nobody handles.  Prints how often
 * each of them returned less than was asked for, or "lost" if other bytes arrived than were sent.
 *
 *	partial ROUNDS
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* No power of two divides what bytes repeat after. */
enum { SIZE = 1 << 20, PARTS = 7, CYCLE = 251 };

/* What the process at the other end does. */
enum other { TAKES, TAKES_AND_SIGNALS, SENDS };

static int rounds, file;
static char bytes[SIZE], sent[SIZE];

static void fill(void)
{
	for (int i = 0; i < SIZE; i++)
		bytes[i] = sent[i] = (char)(i % CYCLE);
}

__attribute__((noinline)) static ssize_t write_much(void)
{
	return write(file, bytes, SIZE);
}

/* The last part has the rest. */
static void split(struct iovec *part)
{
	for (int i = 0; i < PARTS; i++)
		part[i] = (struct iovec){ .iov_base = bytes + i * (SIZE / PARTS),
					  .iov_len = SIZE / PARTS };
	part[PARTS - 1].iov_len += SIZE % PARTS;
}

__attribute__((noinline)) static ssize_t write_parts(void)
{
	struct iovec part[PARTS];

	split(part);
	return writev(file, part, PARTS);
}

__attribute__((noinline)) static ssize_t send_parts(void)
{
	struct iovec part[PARTS];
	struct msghdr message = { .msg_iov = part, .msg_iovlen = PARTS };

	split(part);
	return sendmsg(file, &message, 0);
}

__attribute__((noinline)) static ssize_t read_much(void)
{
	return read(file, bytes, SIZE);
}

__attribute__((noinline)) static ssize_t receive_much(void)
{
	return recv(file, bytes, SIZE, MSG_WAITALL);
}

/* As a careful program does. */
static int do_rest(size_t done, int sends)
{
	while (done < SIZE) {
		ssize_t n = sends ? write(file, bytes + done, SIZE - done)
				  : read(file, bytes + done, SIZE - done);

		if (n <= 0)
			return -1;
		done += (size_t)n;
	}
	return 0;
}

static void *repeat(void *arg)
{
	ssize_t (*const *move)(void) = arg;
	int sends = *move != read_much && *move != receive_much;
	long nr_short = 0;

	for (int i = 0; i < rounds; i++) {
		ssize_t n = (*move)();

		if (n < 0 || do_rest((size_t)n, sends))
			return (void *)-1L;
		nr_short += n < SIZE;
	}
	return (void *)nr_short;
}

/* The bytes that come at that place of what is sent again and again. */
static int is_as_sent(const char *at, size_t n, size_t *place)
{
	int right = 1;

	while (n) {
		size_t part = n < SIZE - *place ? n : SIZE - *place;

		right &= !memcmp(at, sent + *place, part);
		*place = (*place + part) % SIZE;
		at += part;
		n -= part;
	}
	return right;
}

/* Takes all and checks it, or sends without end. */
static void be_other(int theirs, enum other other)
{
	static char room[SIZE];
	size_t place = 0;
	int right = 1;
	ssize_t n;

	while (other == SENDS && (n = write(theirs, sent + place, SIZE - place)) > 0)
		place = (place + (size_t)n) % SIZE;
	while (other != SENDS && (n = read(theirs, room, SIZE)) > 0) {
		right &= is_as_sent(room, (size_t)n, &place);
		if (other == TAKES_AND_SIGNALS)
			kill(getppid(), SIGURG);
	}
	_exit(right ? 0 : 1);
}

static void run(const char *name, ssize_t (*move)(void), int ours, int theirs, enum other other)
{
	pid_t pid = theirs < 0 ? 0 : fork();
	void *nr_short;
	pthread_t thread;
	int status = 0;
	size_t place = 0;

	if (!pid && theirs >= 0) {
		close(ours);
		be_other(theirs, other);
	}
	close(theirs);
	file = ours;
	/* Signals for a process go to its first thread. */
	if (other == TAKES_AND_SIGNALS) {
		nr_short = repeat(&move);
	} else {
		pthread_create(&thread, NULL, repeat, &move);
		pthread_join(thread, &nr_short);
	}
	close(ours);
	if (pid)
		waitpid(pid, &status, 0);
	if (other == SENDS && pid && !is_as_sent(bytes, SIZE, &place))
		status = 1;
	/* One who sends without end is killed by SIGPIPE. */
	if (other == SENDS ? status == 1 : status)
		printf("%s lost\n", name);
	else
		printf("%s %ld\n", name, (long)nr_short);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int ends[2];

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	fill();
	if (pipe(ends))
		return 1;
	run("pipe", write_much, ends[1], ends[0], TAKES);
	if (pipe(ends))
		return 1;
	run("parts", write_parts, ends[1], ends[0], TAKES);
	if (pipe(ends))
		return 1;
	run("signals", write_much, ends[1], ends[0], TAKES_AND_SIGNALS);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 1;
	run("socket", write_much, ends[1], ends[0], TAKES);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 1;
	run("messages", send_parts, ends[1], ends[0], TAKES);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 1;
	run("receives", receive_much, ends[0], ends[1], SENDS);
	run("device", read_much, open("/dev/zero", O_RDONLY), -1, SENDS);
	return 0;
}
