/*
 * Stacks that frame pointers do not tell: compiled without them, each part of main() takes the
 * same number of rounds below a chain of calls of its own.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

static volatile uint64_t sink;
static uint64_t rounds = 20000000;

static NOINLINE void spin(void)
{
	uint64_t x = 88172645463325252;

	for (uint64_t i = 0; i < rounds; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		sink += x;
	}
}

static NOINLINE void recursion(int depth)
{
	if (depth)
		recursion(depth - 1);
	else
		spin();
	sink++;
}

static NOINLINE void large_frames(int depth)
{
	volatile char room[4096];

	memset((void *)(uintptr_t)room, depth, sizeof(room));
	if (depth)
		large_frames(depth - 1);
	else
		spin();
	sink += (uint64_t)room[depth];
}

/* The stack pointer is rounded down, and nobody can tell from it where the caller's was. */
static NOINLINE void realigned(size_t size)
{
	_Alignas(64) volatile char line[64];
	volatile char *room = __builtin_alloca(size);

	line[0] = room[0] = 1;
	spin();
	sink += (uint64_t)(line[0] + room[0]);
}

static int compare(const void *a, const void *b)
{
	spin();
	return *(const int *)a - *(const int *)b;
}

static NOINLINE void callback(void)
{
	int pair[] = { 2, 1 };

	qsort(pair, 2, sizeof(*pair), compare);
	sink++;
}

static void handler(int signal)
{
	spin();
	sink += (uint64_t)signal;
}

static NOINLINE void interrupted(void)
{
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	sink++;
}

static void *thread(void *arg)
{
	recursion(5);
	return arg;
}

static NOINLINE void threaded(void)
{
	pthread_t t;

	if (!pthread_create(&t, NULL, thread, NULL))
		pthread_join(t, NULL);
	sink++;
}

#ifdef __x86_64__
/* Assembly that says nothing about its frame, but keeps a frame pointer. */
void bare(void (*function)(void));
__asm__(".text\n"
	".globl bare\n"
	".type bare, @function\n"
	"bare:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	call *%rdi\n"
	"	pop %rbp\n"
	"	ret\n"
	".size bare, . - bare\n");

/* The same, made at run time: nobody has a table of it, nor a name for it. */
static NOINLINE void generated(void (*function)(void))
{
	static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*call)(void (*)(void));

	if (page == MAP_FAILED)
		return;
	memcpy(page, code, sizeof(code));
	*(void **)&call = page;
	if (!mprotect(page, 4096, PROT_READ | PROT_EXEC))
		call(function);
	sink++;
}
#else
static NOINLINE void generated(void (*function)(void))
{
	function();
	sink++;
}

static NOINLINE void bare(void (*function)(void))
{
	function();
	sink++;
}
#endif

/* In the kernel's page of every process. */
static NOINLINE void clocks(void)
{
	struct timespec t;

	for (uint64_t i = 0; i < rounds / 8; i++) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		sink += (uint64_t)t.tv_nsec;
	}
}

int main(int argc, char **argv)
{
	if (argc > 2)
		rounds = strtoull(argv[2], NULL, 10);
	if (argc > 1 && !strcmp(argv[1], "large")) {
		large_frames(10);
	} else if (argc > 3 && !strcmp(argv[1], "deep")) {
		recursion(atoi(argv[3]));
	} else if (argc > 1 && !strcmp(argv[1], "clocks")) {
		clocks();
	} else {
		recursion(100);
		realigned(argc * 100u);
		callback();
		interrupted();
		threaded();
		bare(spin);
		generated(spin);
	}
	printf("%d\n", sink != 0);
	return 0;
}
