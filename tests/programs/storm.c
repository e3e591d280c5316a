/* Threads, processes and programs that come and go faster than anybody can look at them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static volatile uint64_t sink;

static NOINLINE void spin(uint64_t rounds)
{
	uint64_t x = 88172645463325252;

	for (uint64_t i = 0; i < rounds; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		sink += x;
	}
}

/* A tenth of a millisecond or so. */
static NOINLINE void work(void)
{
	spin(50000);
	sink++;
}

static void *in_thread(void *arg)
{
	work();
	return arg;
}

static NOINLINE void threads(int nr)
{
	enum { AT_ONCE = 20 };

	for (int i = 0; i < nr; i += AT_ONCE) {
		pthread_t thread[AT_ONCE];

		for (int k = 0; k < AT_ONCE; k++)
			if (pthread_create(&thread[k], NULL, in_thread, NULL))
				exit(1);
		for (int k = 0; k < AT_ONCE; k++)
			pthread_join(thread[k], NULL);
	}
}

/* As much in short threads as without them. */
static NOINLINE void halves(int nr)
{
	for (int i = 0; i < nr; i++) {
		pthread_t thread;

		work();
		if (pthread_create(&thread, NULL, in_thread, NULL))
			exit(1);
		pthread_join(thread, NULL);
	}
}

static int to_thread[2], to_maker[2];

enum { PASSES = 8 };

static void *pass(void *arg)
{
	char byte;

	for (int i = 0; i < PASSES; i++) {
		if (read(to_thread[0], &byte, 1) != 1)
			exit(1);
		spin(10000);
		if (write(to_maker[1], &byte, 1) != 1)
			exit(1);
	}
	return arg;
}

/* Short threads that switch often: each step waits for the one before. */
static NOINLINE void passes(int nr)
{
	char byte = 0;

	if (pipe(to_thread) || pipe(to_maker))
		exit(1);
	for (int i = 0; i < nr; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, pass, NULL))
			exit(1);
		for (int k = 0; k < PASSES; k++)
			if (write(to_thread[1], &byte, 1) != 1 || read(to_maker[0], &byte, 1) != 1)
				exit(1);
		pthread_join(thread, NULL);
	}
}

/* As much in short processes as without them. */
static NOINLINE void halves_forked(int nr)
{
	for (int i = 0; i < nr; i++) {
		pid_t pid;

		work();
		pid = fork();
		if (!pid) {
			in_thread(NULL);
			_exit(0);
		}
		if (pid < 0)
			exit(1);
		waitpid(pid, NULL, 0);
	}
}

static void *at_once(void *arg)
{
	return arg;
}

static pthread_t begin(void *(*function)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, NULL))
		exit(1);
	return thread;
}

/* Nothing but makes threads, and then works itself. */
static NOINLINE void makes(int nr)
{
	for (int i = 0; i < nr; i++)
		pthread_detach(begin(at_once));
	spin(100000000);
	sink++;
}

static void *make_one_by_one(void *arg)
{
	/* Longer than anybody looks for it, and not for ever. */
	for (int i = 0; i < 1000000; i++)
		pthread_join(begin(at_once), NULL);
	return arg;
}

/* Many that make threads, all at the same time. */
static NOINLINE void makers(int nr)
{
	for (int i = 0; i < nr; i++)
		pthread_detach(begin(make_one_by_one));
	pause();
}

static NOINLINE void in_child(void)
{
	work();
	work();
	_exit(0);
}

static NOINLINE void forks(int nr)
{
	for (int i = 0; i < nr; i++) {
		pid_t pid = fork();

		if (!pid)
			in_child();
		if (pid < 0)
			exit(1);
	}
	while (wait(NULL) > 0)
		;
}

/* A program that becomes itself again and again. */
static NOINLINE void execs(int nr, char *self)
{
	char number[16];

	spin(200000);
	if (!nr)
		return;
	snprintf(number, sizeof(number), "%d", nr - 1);
	execl(self, nr % 2 ? "odd" : "even", "execs", number, self, (char *)NULL);
	exit(1);
}

static NOINLINE void vforks(int nr, char *self)
{
	for (int i = 0; i < nr; i++) {
		pid_t pid = vfork();

		if (!pid) {
			execl(self, "storm", "execs", "0", self, (char *)NULL);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
	}
}

/* The library is mapped and taken away again, each time with another one at its place. */
static NOINLINE void libraries(int nr, char **path, int nr_path)
{
	for (int i = 0; i < nr; i++) {
		void *library = dlopen(path[i % nr_path], RTLD_NOW);
		void (*run)(void) = library ? (void (*)(void))dlsym(library, "run") : NULL;

		if (!run)
			exit(1);
		run();
		sink++;
		dlclose(library);
	}
}

static NOINLINE void daemon_work(volatile int *nr_done)
{
	/* Longer than anybody looks for it, and not for ever. */
	while (++*nr_done < 1000000)
		work();
	_exit(0);
}

/* Leaves a process behind, and ends when that has worked for a while. */
static NOINLINE void leave(void)
{
	volatile int *nr_done = mmap(NULL, sizeof(*nr_done), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (!fork()) {
		setsid();
		if (!fork()) {
			close(0);
			close(1);
			close(2);
			daemon_work(nr_done);
		}
		_exit(0);
	}
	wait(NULL);
	while (*nr_done < 500)
		spin(1000000);
}

static void *work_long(void *arg)
{
	for (int i = 0; i < 3000; i++)
		work();
	return arg;
}

/* The first thread ends long before the other one. */
static NOINLINE void inherit(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work_long, NULL);
	pthread_exit(NULL);
}

static void *become(void *self)
{
	work();
	execl(self, "storm", "execs", "50", self, (char *)NULL);
	exit(1);
}

/* Another thread than the first becomes a program, and all others end. */
static NOINLINE void usurp(char *self)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work_long, NULL);
	pthread_create(&thread, NULL, become, self);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	int nr = argc > 2 ? atoi(argv[2]) : 0;

	if (argc < 3)
		return 2;
	if (!strcmp(argv[1], "threads"))
		threads(nr);
	else if (!strcmp(argv[1], "passes"))
		passes(nr);
	else if (!strcmp(argv[1], "halves"))
		halves(nr);
	else if (!strcmp(argv[1], "halves_forked"))
		halves_forked(nr);
	else if (!strcmp(argv[1], "makes"))
		makes(nr);
	else if (!strcmp(argv[1], "makers"))
		makers(nr);
	else if (!strcmp(argv[1], "forks"))
		forks(nr);
	else if (!strcmp(argv[1], "execs"))
		execs(nr, argv[3]);
	else if (!strcmp(argv[1], "vforks"))
		vforks(nr, argv[3]);
	else if (!strcmp(argv[1], "libraries"))
		libraries(nr, argv + 3, argc - 3);
	else if (!strcmp(argv[1], "leave"))
		leave();
	else if (!strcmp(argv[1], "inherit"))
		inherit();
	else if (!strcmp(argv[1], "usurp"))
		usurp(argv[3]);
	return 0;
}
