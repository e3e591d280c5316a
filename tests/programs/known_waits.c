/*
 * Waits of known kinds, each measured by the program itself.  Each thread is named after what it waits for, and prints a
 * line at its end: its name, its tid, how long it lived, ran and waited (ns).
 *
 *	known_waits KIND ROUNDS
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, HOLD = 20 * MS, SHORT = MS / 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int rounds, turn, to[2], back[2], sockets[2];
static _Thread_local uint64_t began, waited, since, delayed;

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void sleep_ns(long ns)
{
	struct timespec t = { .tv_nsec = ns };

	nanosleep(&t, NULL);
}

/* How long this thread has waited for a CPU, by the kernel's account: ns; 0: it has none. */
static uint64_t delay(void)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "r");
	unsigned long long ns = 0;

	if (f && fscanf(f, "%*u %llu", &ns) != 1)
		ns = 0;
	if (f)
		fclose(f);
	return ns;
}

static void begin(const char *name)
{
	prctl(PR_SET_NAME, name);
	began = now(CLOCK_MONOTONIC);
	delayed = delay();
}

static void wait_begins(void)
{
	since = now(CLOCK_MONOTONIC);
}

static void wait_ends(void)
{
	waited += now(CLOCK_MONOTONIC) - since;
}

static void end(void)
{
	char name[16];

	prctl(PR_GET_NAME, name);
	printf("%s %d %llu %llu %llu %llu\n", name, (int)syscall(SYS_gettid),
	       (unsigned long long)(now(CLOCK_MONOTONIC) - began),
	       (unsigned long long)now(CLOCK_THREAD_CPUTIME_ID), (unsigned long long)waited,
	       (unsigned long long)(delay() - delayed));
	fflush(stdout);
}

/* Both meet before each round, so that the waiter always finds the mutex taken. */
static void *hold(void *arg)
{
	(void)arg;
	begin("holder");
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&mutex);
		pthread_barrier_wait(&barrier);
		sleep_ns(HOLD);
		pthread_mutex_unlock(&mutex);
		pthread_barrier_wait(&barrier);
	}
	end();
	return NULL;
}

__attribute__((noinline)) static void wait_for_mutex(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static void *want(void *arg)
{
	(void)arg;
	begin("lock");
	for (int i = 0; i < rounds; i++) {
		wait_begins();
		pthread_barrier_wait(&barrier);
		wait_for_mutex();
		pthread_barrier_wait(&barrier);
		wait_ends();
	}
	end();
	return NULL;
}

static void *signal_condition(void *arg)
{
	(void)arg;
	begin("signals");
	for (int i = 0; i < rounds; i++) {
		sleep_ns(HOLD);
		pthread_mutex_lock(&guard);
		turn = i + 1;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&guard);
	}
	end();
	return NULL;
}

static void *want_condition(void *arg)
{
	(void)arg;
	begin("condition");
	for (int i = 0; i < rounds; i++) {
		wait_begins();
		pthread_mutex_lock(&guard);
		while (turn <= i)
			pthread_cond_wait(&condition, &guard);
		pthread_mutex_unlock(&guard);
		wait_ends();
	}
	end();
	return NULL;
}

static void *sleep_long(void *arg)
{
	(void)arg;
	begin("sleep");
	for (int i = 0; i < rounds; i++) {
		wait_begins();
		sleep_ns(HOLD);
		wait_ends();
	}
	end();
	return NULL;
}

/* Each frame is small enough to be of one stack for certain. */
__attribute__((noinline)) static int sleep_below(int nr)
{
	volatile char frame[2000];

	frame[0] = (char)nr;
	if (nr)
		return sleep_below(nr - 1) + frame[0];
	sleep_ns(HOLD);
	return frame[0];
}

static void *sleep_deep(void *arg)
{
	volatile char untouched[4 * 4096]; /* pages in the middle of the stack that are not there */

	(void)arg;
	untouched[0] = 0;
	begin("deep");
	for (int i = 0; i < rounds; i++) {
		wait_begins();
		sleep_below(12);
		wait_ends();
	}
	end();
	return NULL;
}

__attribute__((noinline)) static void sleep_here(void)
{
	sleep_ns(SHORT);
}

__attribute__((noinline)) static void poll_here(void)
{
	struct timespec t = { .tv_nsec = SHORT };
	struct pollfd file = { .fd = to[0], .events = POLLIN };

	ppoll(&file, 1, &t, NULL);
}

/* Waits too short to be seen each time: half of the time is poll's. */
static void *sleep_shortly(void *arg)
{
	(void)arg;
	begin("short");
	for (int i = 0; i < rounds; i++) {
		wait_begins();
		sleep_here();
		poll_here();
		wait_ends();
	}
	end();
	return NULL;
}

static void *answer(void *arg)
{
	char byte;

	(void)arg;
	begin("answers");
	while (read(to[0], &byte, 1) == 1) {
		sleep_ns(HOLD);
		if (write(back[1], &byte, 1) != 1)
			break;
	}
	end();
	return NULL;
}

static void *ask(void *arg)
{
	char byte = 0;

	(void)arg;
	begin("pipe");
	for (int i = 0; i < rounds; i++) {
		if (write(to[1], &byte, 1) != 1)
			break;
		wait_begins();
		if (read(back[0], &byte, 1) != 1)
			break;
		wait_ends();
	}
	close(to[1]);
	end();
	return NULL;
}

static void *serve(void *arg)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(0);
	char byte;

	(void)arg;
	begin("epoll");
	epoll_ctl(epoll, EPOLL_CTL_ADD, sockets[0], &event);
	for (int i = 0; i < rounds; i++) {
		wait_begins();
		epoll_wait(epoll, &event, 1, -1);
		wait_ends();
		if (read(sockets[0], &byte, 1) != 1)
			break;
	}
	end();
	return NULL;
}

static void *request(void *arg)
{
	char byte = 0;

	(void)arg;
	begin("requests");
	for (int i = 0; i < rounds; i++) {
		sleep_ns(HOLD);
		if (write(sockets[1], &byte, 1) != 1)
			break;
	}
	end();
	return NULL;
}

static void *wait_for_child(void *arg)
{
	(void)arg;
	begin("child");
	for (int i = 0; i < rounds; i++) {
		pid_t pid = fork();

		if (!pid) {
			prctl(PR_SET_NAME, "waited for");
			sleep_ns(HOLD);
			_exit(0);
		}
		wait_begins();
		waitpid(pid, NULL, 0);
		wait_ends();
	}
	end();
	return NULL;
}

/* The parent runs again when the child ends: its waitpid() does not wait. */
static void *wait_in_vfork(void *arg)
{
	(void)arg;
	begin("vfork");
	for (int i = 0; i < rounds; i++) {
		pid_t pid;

		wait_begins();
		pid = vfork();
		if (!pid) {
			prctl(PR_SET_NAME, "waited for");
			sleep_ns(HOLD);
			_exit(0);
		}
		wait_ends();
		waitpid(pid, NULL, 0);
	}
	end();
	return NULL;
}

static void *spin(void *arg)
{
	cpu_set_t cpu;

	(void)arg;
	begin("busy");
	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	pthread_setaffinity_np(pthread_self(), sizeof(cpu), &cpu);
	while (now(CLOCK_THREAD_CPUTIME_ID) < (uint64_t)rounds * MS)
		;
	end();
	return NULL;
}

/* Goes from CPU to CPU, and sleeps on each. */
static void *migrate(void *arg)
{
	cpu_set_t all, one;
	int cpu = 0;

	(void)arg;
	begin("migrates");
	sched_getaffinity(0, sizeof(all), &all);
	for (int i = 0; i < rounds; i++) {
		do
			cpu = (cpu + 1) % CPU_SETSIZE;
		while (!CPU_ISSET(cpu, &all));
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		pthread_setaffinity_np(pthread_self(), sizeof(one), &one);
		wait_begins();
		sleep_ns(HOLD / 4);
		wait_ends();
	}
	end();
	return NULL;
}

static char *page;
static int faults;

/* Answers each page fault late. */
static void *answer_faults(void *arg)
{
	static char zeros[65536];
	struct uffd_msg fault;

	(void)arg;
	begin("pager");
	for (int i = 0; i < rounds; i++) {
		struct uffdio_copy copy = { .src = (uintptr_t)zeros,
					    .len = (uint64_t)getpagesize() };

		if (read(faults, &fault, sizeof(fault)) != sizeof(fault))
			break;
		sleep_ns(HOLD);
		copy.dst = fault.arg.pagefault.address & ~(copy.len - 1);
		ioctl(faults, UFFDIO_COPY, &copy);
	}
	end();
	return NULL;
}

__attribute__((noinline)) static int touch(int i)
{
	return *(volatile char *)(page + (size_t)i * (size_t)getpagesize());
}

static void *fault(void *arg)
{
	(void)arg;
	begin("fault");
	for (int i = 0; i < rounds; i++) {
		wait_begins();
		touch(i);
		wait_ends();
	}
	end();
	return NULL;
}

/* Before there are threads: false where the kernel does not let us. */
static bool prepare_faults(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	size_t size = (size_t)rounds * (size_t)getpagesize();

	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (uintptr_t)page;
	range.range.len = size;
	return faults >= 0 && page != MAP_FAILED && !ioctl(faults, UFFDIO_API, &api) &&
	       !ioctl(faults, UFFDIO_REGISTER, &range);
}

/* Writes to a disk, if that file is on one: long enough to be seen doing it, however fast that is. */
static void *sync_file(void *arg)
{
	static char bytes[256 * 1024];
	int fd = open("synced", O_RDWR | O_CREAT | O_TRUNC, 0600);
	uint64_t until = now(CLOCK_MONOTONIC) + UINT64_C(500000000);

	(void)arg;
	begin("sync");
	for (int i = 0; (i < rounds || now(CLOCK_MONOTONIC) < until) && fd >= 0; i++) {
		memset(bytes, i, sizeof(bytes));
		wait_begins();
		if (pwrite(fd, bytes, sizeof(bytes), 0) < 0 || fsync(fd))
			break;
		wait_ends();
	}
	end();
	return NULL;
}

enum { COLD_SIZE = 32 << 20 };

/* A file of which nothing is in memory, as far as the kernel does what it is asked. */
static int open_cold(void)
{
	static char bytes[1 << 20];
	int fd = open("cold", O_RDWR | O_CREAT | O_TRUNC, 0600);

	memset(bytes, 'x', sizeof(bytes));
	for (size_t size = 0; fd >= 0 && size < COLD_SIZE; size += sizeof(bytes))
		if (write(fd, bytes, sizeof(bytes)) < 0)
			return -1;
	if (fd >= 0)
		fsync(fd);
	return fd;
}

static void make_cold(int fd)
{
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

static int cold_file = -1;

__attribute__((noinline)) static bool read_cold(size_t at)
{
	char bytes[4096];

	return pread(cold_file, bytes, sizeof(bytes), (off_t)at) == sizeof(bytes);
}

/* Reads pages here and there, which come from the disk: so often, or for so long. */
static void *read_file(void *arg)
{
	uint64_t until = now(CLOCK_MONOTONIC) + UINT64_C(500000000);

	(void)arg;
	begin("cold");
	for (int i = 0; i < rounds || now(CLOCK_MONOTONIC) < until; i++) {
		if (i % 1000 == 0)
			make_cold(cold_file);
		wait_begins();
		if (!read_cold((size_t)i * 7919 % (COLD_SIZE / 4096) * 4096))
			break;
		wait_ends();
	}
	end();
	return NULL;
}

__attribute__((noinline)) static int touch_cold(const char *at)
{
	return *(const volatile char *)at;
}

/* The same by page faults. */
static void *touch_file(void *arg)
{
	uint64_t until = now(CLOCK_MONOTONIC) + UINT64_C(500000000);
	char *at = NULL;

	(void)arg;
	begin("mapped");
	for (int i = 0; i < rounds || now(CLOCK_MONOTONIC) < until; i++) {
		if (i % 1000 == 0) {
			if (at)
				munmap(at, COLD_SIZE);
			make_cold(cold_file);
			at = mmap(NULL, COLD_SIZE, PROT_READ, MAP_SHARED, cold_file, 0);
			if (at == MAP_FAILED)
				break;
			madvise(at, COLD_SIZE, MADV_RANDOM);
		}
		wait_begins();
		touch_cold(at + (size_t)i * 7919 % (COLD_SIZE / 4096) * 4096);
		wait_ends();
	}
	end();
	return NULL;
}

static void *never_wake(void *arg)
{
	(void)arg;
	prctl(PR_SET_NAME, "stuck");
	pthread_barrier_wait(&barrier);
	for (;;)
		pause();
}

/* Ends while another thread is blocked. */
static void *leave(void *arg)
{
	(void)arg;
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < rounds; i++)
		sleep_ns(HOLD);
	exit(0);
}

/* Lives on when the first thread of the process has exited. */
static void *inherit(void *arg)
{
	(void)arg;
	begin("heir");
	wait_begins();
	for (int i = 0; i < rounds; i++)
		sleep_ns(HOLD);
	wait_ends();
	end();
	return NULL;
}

static void *sleep_once(void *arg)
{
	(void)arg;
	begin("many");
	sleep_ns(HOLD);
	return NULL;
}

static void *nap(void *arg)
{
	sleep_ns(SHORT);
	return arg;
}

static void *join_short(void *arg)
{
	pthread_t thread;

	(void)arg;
	begin("join");
	for (int i = 0; i < rounds; i++) {
		if (pthread_create(&thread, NULL, nap, NULL))
			exit(1);
		wait_begins();
		pthread_join(thread, NULL);
		wait_ends();
	}
	end();
	return NULL;
}

static void *take_over(void *arg)
{
	(void)arg;
	begin("second");
	mutex.__data.__owner = (int)syscall(SYS_gettid);
	for (int i = 0; i < rounds; i++)
		sleep_ns(HOLD);
	end();
	return NULL;
}

static void *want_once(void *arg)
{
	(void)arg;
	begin("lock");
	wait_for_mutex();
	end();
	return NULL;
}

/* A mutex that gets another owner while somebody waits for it, who is not woken up meanwhile. */
static void hand_over(void)
{
	pthread_t waiter, second;

	begin("first");
	pthread_mutex_lock(&mutex);
	pthread_create(&waiter, NULL, want_once, NULL);
	for (int i = 0; i < rounds; i++)
		sleep_ns(HOLD);
	pthread_create(&second, NULL, take_over, NULL);
	pthread_join(second, NULL);
	mutex.__data.__owner = (int)syscall(SYS_gettid);
	pthread_mutex_unlock(&mutex);
	pthread_join(waiter, NULL);
	end();
}

static void make_many(void)
{
	pthread_t *thread = calloc((size_t)rounds, sizeof(*thread));

	for (int i = 0; i < rounds; i++)
		if (pthread_create(&thread[i], NULL, sleep_once, NULL))
			exit(1);
	for (int i = 0; i < rounds; i++)
		pthread_join(thread[i], NULL);
	free(thread);
}

static const struct kind {
	const char *name;
	void *(*thread[2])(void *);
} kinds[] = {
	{ "mutex", { hold, want } },
	{ "condition", { signal_condition, want_condition } },
	{ "sleep", { sleep_long, NULL } },
	{ "deep", { sleep_deep, NULL } }, /* below 40 KiB of frames */
	{ "short", { sleep_shortly, NULL } },
	{ "pipe", { answer, ask } },
	{ "epoll", { request, serve } },
	{ "child", { wait_for_child, NULL } },
	{ "vfork", { wait_in_vfork, NULL } },
	{ "busy", { spin, spin } },
	{ "migrate", { migrate, NULL } },
	{ "stuck", { never_wake, leave } },
	{ "fault", { answer_faults, fault } },
	{ "sync", { sync_file, NULL } },
	{ "cold", { read_file, NULL } },
	{ "mapped", { touch_file, NULL } },
	{ "join", { join_short, NULL } },
};

int main(int argc, char **argv)
{
	pthread_t thread[2];

	rounds = argc > 2 ? atoi(argv[2]) : 1;
	pthread_barrier_init(&barrier, NULL, 2);
	if (pipe(to) || pipe(back) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		return 1;
	if (argc > 1 && !strcmp(argv[1], "fault") && !prepare_faults()) {
		puts("refused");
		return 0;
	}
	if (argc > 1 && (!strcmp(argv[1], "cold") || !strcmp(argv[1], "mapped")))
		cold_file = open_cold();
	if (argc > 1 && !strcmp(argv[1], "many"))
		make_many();
	if (argc > 1 && !strcmp(argv[1], "handed"))
		hand_over();
	if (argc > 1 && !strcmp(argv[1], "heir")) {
		pthread_create(&thread[0], NULL, inherit, NULL);
		pthread_exit(NULL);
	}
	for (size_t i = 0; argc > 1 && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(argv[1], kinds[i].name) != 0)
			continue;
		for (int k = 0; k < 2 && kinds[i].thread[k]; k++)
			pthread_create(&thread[k], NULL, kinds[i].thread[k], NULL);
		for (int k = 0; k < 2 && kinds[i].thread[k]; k++)
			pthread_join(thread[k], NULL);
	}
	printf("cpu 0 0 %llu 0\n", (unsigned long long)now(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
