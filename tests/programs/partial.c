/*
 * Calls that return early if their thread is asked to stop: writes to a pipe and a socket, and reads of a device and a
 * socket, each by a thread of its own.  Prints how often each of them returned less than was asked for.
 *
 *	partial ROUNDS
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 1 << 20 };

static int rounds, file;
static char bytes[SIZE];

__attribute__((noinline)) static ssize_t write_much(void)
{
	return write(file, bytes, SIZE);
}

__attribute__((noinline)) static ssize_t read_much(void)
{
	return read(file, bytes, SIZE);
}

__attribute__((noinline)) static ssize_t receive_much(void)
{
	return recv(file, bytes, SIZE, MSG_WAITALL);
}

static void *repeat(void *arg)
{
	ssize_t (*const *move)(void) = arg;
	long nr_short = 0;

	for (int i = 0; i < rounds; i++) {
		ssize_t n = (*move)();

		if (n < 0)
			return (void *)-1L;
		nr_short += n < SIZE;
	}
	return (void *)nr_short;
}

static void run(const char *name, ssize_t (*move)(void))
{
	pthread_t thread;
	void *nr_short;

	pthread_create(&thread, NULL, repeat, &move);
	pthread_join(thread, &nr_short);
	printf("%s %ld\n", name, (long)nr_short);
	fflush(stdout);
}

/* A process at the other end: takes all, or sends without end. */
static pid_t begin(int ours, int theirs, int sends)
{
	static char other[SIZE];
	pid_t pid = fork();

	if (pid) {
		close(theirs);
		return pid;
	}
	close(ours);
	while ((sends ? write(theirs, other, sizeof(other)) : read(theirs, other, sizeof(other))) >
	       0)
		;
	_exit(0);
}

static void end(pid_t pid)
{
	close(file);
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	int ends[2];
	pid_t other;

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	if (pipe(ends))
		return 1;
	file = ends[1];
	other = begin(ends[1], ends[0], 0);
	run("pipe", write_much);
	end(other);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 1;
	file = ends[1];
	other = begin(ends[1], ends[0], 0);
	run("socket", write_much);
	end(other);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 1;
	file = ends[0];
	other = begin(ends[0], ends[1], 1);
	run("receives", receive_much);
	end(other);
	file = open("/dev/zero", O_RDONLY);
	run("device", read_much);
	return 0;
}
