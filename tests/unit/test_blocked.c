/* Threads that wait for known things, seen from outside, as root and as nobody. */
#include "base/alloc.h"
#include "record/targets/running.h"
#include "record/waits/blocked.h"
#include "record/waits/wait_class.h"
#include "tap.h"
#include "unwind/unwind.h"

#include <alloca.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = 65534, STACK_MAX = 64 * 1024, NR_CALLERS = 3, FRAMES_MAX = 64, MAPS_MAX = 64 };

/* Shared with the child. */
static struct scene {
	_Atomic pid_t waiter, helper; /* threads, set right before they wait */
	uint64_t caller[NR_CALLERS];  /* return addresses of the functions around the wait */
	pthread_mutex_t mutex, condition_mutex;
	pthread_rwlock_t rwlock;
	pthread_cond_t condition;
	sem_t semaphore;
} * scene;

static struct blocked_reader reader;

struct wait {
	const char *name;
	void (*wait)(void);
	int64_t nr; /* the call where it waits */
	enum wait_reason reason;
	const void *lock; /* NULL: any */
	bool held;	  /* by the helper */
};

static pid_t gettid_now(void)
{
	return (pid_t)syscall(SYS_gettid);
}

static void announce(void)
{
	scene->waiter = gettid_now();
}

static void *hold_mutex(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&scene->mutex);
	scene->helper = gettid_now();
	for (;;)
		pause();
	return NULL;
}

static void *hold_rwlock(void *arg)
{
	(void)arg;
	pthread_rwlock_wrlock(&scene->rwlock);
	scene->helper = gettid_now();
	for (;;)
		pause();
	return NULL;
}

static void *idle(void *arg)
{
	(void)arg;
	scene->helper = gettid_now();
	for (;;)
		pause();
	return NULL;
}

static pthread_t start(void *(*run)(void *))
{
	pthread_t t;

	if (pthread_create(&t, NULL, run, NULL))
		_exit(1);
	while (!scene->helper)
		sched_yield();
	return t;
}

static void wait_mutex(void)
{
	start(hold_mutex);
	announce();
	pthread_mutex_lock(&scene->mutex);
}

static void set_mutex(int robust, int type)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, robust);
	pthread_mutexattr_settype(&a, type);
	pthread_mutex_init(&scene->mutex, &a);
	pthread_mutexattr_destroy(&a);
}

static void wait_robust(void)
{
	set_mutex(PTHREAD_MUTEX_ROBUST, PTHREAD_MUTEX_NORMAL);
	wait_mutex();
}

static void wait_robust_recursive(void)
{
	set_mutex(PTHREAD_MUTEX_ROBUST, PTHREAD_MUTEX_RECURSIVE);
	wait_mutex();
}

static void wait_recursive(void)
{
	set_mutex(PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_RECURSIVE);
	wait_mutex();
}

static void wait_read_lock(void)
{
	start(hold_rwlock);
	announce();
	pthread_rwlock_rdlock(&scene->rwlock);
}

static void wait_write_lock(void)
{
	start(hold_rwlock);
	announce();
	pthread_rwlock_wrlock(&scene->rwlock);
}

static void wait_join(void)
{
	pthread_t t = start(idle);

	announce();
	pthread_join(t, NULL);
}

static void wait_condition(void)
{
	pthread_mutex_lock(&scene->condition_mutex);
	announce();
	pthread_cond_wait(&scene->condition, &scene->condition_mutex);
}

static void wait_semaphore(void)
{
	announce();
	sem_wait(&scene->semaphore);
}

static void wait_sleep(void)
{
	announce();
	sleep(1000);
}

static void wait_pause(void)
{
	announce();
	pause();
}

static void read_first(int fd)
{
	char c[8];

	announce();
	(void)!read(fd, c, sizeof(c));
}

static void wait_pipe(void)
{
	int ends[2];

	(void)!pipe(ends);
	read_first(ends[0]);
}

static void wait_full_pipe(void)
{
	static char much[1024 * 1024];
	int ends[2];

	(void)!pipe(ends);
	announce();
	(void)!write(ends[1], much, sizeof(much));
}

static void wait_socket(void)
{
	int ends[2];

	(void)!socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	read_first(ends[0]);
}

static void wait_receive(void)
{
	char c;
	int ends[2];

	(void)!socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
	announce();
	recv(ends[0], &c, 1, 0);
}

static void wait_eventfd(void)
{
	read_first(eventfd(0, 0));
}

static void wait_timerfd(void)
{
	read_first(timerfd_create(CLOCK_MONOTONIC, 0));
}

static void wait_full_eventfd(void)
{
	uint64_t most = UINT64_MAX - 1;
	int fd = eventfd(0, 0);

	(void)!write(fd, &most, sizeof(most));
	announce();
	(void)!write(fd, &most, sizeof(most));
}

static void wait_signalfd(void)
{
	struct signalfd_siginfo info;
	sigset_t none;
	int fd;

	sigemptyset(&none);
	fd = signalfd(-1, &none, 0);
	announce();
	(void)!read(fd, &info, sizeof(info));
}

static void wait_inotify(void)
{
	struct inotify_event event;
	int fd = inotify_init1(0);

	announce();
	(void)!read(fd, &event, sizeof(event));
}

static void wait_epoll(void)
{
	struct epoll_event e;

	announce();
	epoll_wait(epoll_create1(0), &e, 1, -1);
}

static void wait_poll(void)
{
	struct pollfd f = { .events = POLLIN };
	int ends[2];

	(void)!pipe(ends);
	f.fd = ends[0];
	announce();
	poll(&f, 1, -1);
}

static void wait_poll_none(void)
{
	announce();
	poll(NULL, 0, -1);
}

static void wait_select_none(void)
{
	announce();
	select(0, NULL, NULL, NULL, NULL);
}

static void wait_child(void)
{
	int ends[2];
	pid_t pid;
	char c;

	(void)!pipe(ends);
	pid = fork();
	if (!pid) {
		/* Until its parent, who has the other end, is gone. */
		close(ends[1]);
		(void)!read(ends[0], &c, 1);
		_exit(0);
	}
	announce();
	waitpid(pid, NULL, 0);
}

static int two_opens(int *second)
{
	char path[] = "/tmp/wick_test_XXXXXX";
	int fd = mkstemp(path);

	*second = open(path, O_RDWR | O_CLOEXEC);
	unlink(path);
	return fd;
}

static void wait_flock(void)
{
	int second, fd = two_opens(&second);

	flock(fd, LOCK_EX);
	announce();
	flock(second, LOCK_EX);
}

static void wait_file_lock(void)
{
	struct flock l = { .l_type = F_WRLCK };
	int second, fd = two_opens(&second);

	fcntl(fd, F_OFD_SETLK, &l);
	announce();
	fcntl(second, F_OFD_SETLKW, &l);
}

static void wait_fifo_open(void)
{
	char path[] = "/tmp/wick_test_XXXXXX", again[32];
	int fd = mkstemp(path);

	close(fd);
	unlink(path);
	(void)!mkfifo(path, 0600);
	/* We are killed while we wait: it has no name by then. */
	fd = open(path, O_PATH | O_CLOEXEC);
	unlink(path);
	snprintf(again, sizeof(again), "/proc/self/fd/%d", fd);
	announce();
	/* Whoever opens it for both does not wait; one for reading waits for a writer. */
	(void)!open(again, O_RDONLY | O_CLOEXEC);
}

/* A page whose fault nobody answers. */
static char *missing_page(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	char *at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	range.range.start = (uintptr_t)at;
	range.range.len = page;
	if (fd < 0 || at == MAP_FAILED || ioctl(fd, UFFDIO_API, &api) ||
	    ioctl(fd, UFFDIO_REGISTER, &range))
		_exit(2);
	return at;
}

static void wait_fault(void)
{
	volatile char *at = missing_page();

	announce();
	(void)*at;
}

/* Calls that have several forms: any of these. */
enum { POLLS = -2, EPOLLS = -3, SELECTS = -4, WAITS = -5, SLEEPS = -6, PAUSES = -7, OPENS = -8 };

static bool is_call(int64_t want, int64_t nr)
{
	switch (want) {
	case EPOLLS:
		return nr == SYS_epoll_pwait
#ifdef SYS_epoll_wait
		       || nr == SYS_epoll_wait
#endif
			;
	case POLLS:
		return nr == SYS_ppoll
#ifdef SYS_poll
		       || nr == SYS_poll
#endif
			;
	case SELECTS:
		return nr == SYS_pselect6
#ifdef SYS_select
		       || nr == SYS_select
#endif
			;
	case PAUSES:
		return nr == SYS_ppoll
#ifdef SYS_pause
		       || nr == SYS_pause
#endif
			;
	case SLEEPS:
		return nr == SYS_nanosleep || nr == SYS_clock_nanosleep;
	case WAITS:
		return nr == SYS_wait4 || nr == SYS_waitid;
	case OPENS:
		return nr == SYS_openat;
	default:
		return nr == want;
	}
}

/*
 * Looks until the thread waits in that call.  There is no limit: a thread that never comes there
 * would be another fault than the ones that are tested here.
 */
static bool look_at(const struct wait *w, pid_t pid, struct blocked *b)
{
	while (!scene->waiter)
		if (waitpid(pid, NULL, WNOHANG))
			return false;
	do {
		if (blocked_read(&reader, pid, scene->waiter, b) < 0)
			return true;
	} while (b->state != BLOCKED_SEEN || !is_call(w->nr, b->nr));
	return true;
}

/*
 * Functions whose frames need a frame pointer, around each wait: one has a frame of a size that only
 * the program knows, and the other one has what an earlier call left there.
 */
static volatile size_t some = 300;
static void (*volatile by_pointer)(const struct wait *w);

static void keep(void *p)
{
	__asm__ volatile("" ::"r"(p) : "memory");
}

static __attribute__((noinline)) uint64_t litter(unsigned depth)
{
	char room[256];

	keep(room);
	return depth ? litter(depth - 1) + (uintptr_t)room : 0;
}

#define CALLER (uint64_t)(uintptr_t) __builtin_return_address(0)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Walloca"
static __attribute__((noinline)) void wait_sized(const struct wait *w)
{
	char *room;

	litter(4);
	room = alloca(some);
	memset(room, 0, some);
	keep(room);
	scene->caller[0] = CALLER;
	w->wait();
	keep(room);
}
#pragma GCC diagnostic pop

static __attribute__((noinline)) void wait_between(const struct wait *w)
{
	char room[512];

	litter(4);
	keep(room);
	scene->caller[1] = CALLER;
	by_pointer(w);
	keep(room);
}

static __attribute__((noinline)) void wait_outside(const struct wait *w)
{
	scene->caller[2] = CALLER;
	by_pointer = wait_sized;
	wait_between(w);
	keep(NULL);
}

/* The code of this process, which its children share. */
static struct unwind_map maps[MAPS_MAX];
static size_t nr_map;

static int add_map(void *arg, const struct record *r, struct error *e)
{
	static const struct image_opts opts;

	(void)arg;
	(void)e;
	if (nr_map < MAPS_MAX)
		maps[nr_map++] =
			(struct unwind_map){ .begin = r->mmap.addr,
					     .end = r->mmap.addr + r->mmap.len,
					     .offset = r->mmap.pgoff,
					     .cfi = cfi_open(r->mmap.path, SPAN(""), &opts) };
	return 0;
}

static bool find_map(void *arg, uint64_t pc, struct unwind_map *map)
{
	(void)arg;
	for (size_t i = 0; i < nr_map; i++)
		if (pc - maps[i].begin < maps[i].end - maps[i].begin) {
			*map = maps[i];
			return true;
		}
	return false;
}

#if defined(__x86_64__)
#define ARCH unwind_x86_64
#elif defined(__aarch64__)
#define ARCH unwind_aarch64
#endif

/* Unwinds to the root, through all callers that the thread noted. */
static void check_stack(const struct blocked *b, const char *what)
{
	static struct unwinder u;
	struct unwind_stack stack = { .begin = b->sp, .bytes = b->stack };
	struct unwind_frame frame[FRAMES_MAX];
	struct unwind_registers r = { 0 };
	enum unwind_end end;
	size_t nr, met = 0;
	char title[256];

	u.arch = &ARCH;
	u.find = find_map;
	unwind_set(&r, PC_REGISTER, b->pc);
	unwind_set(&r, ARCH.stack, b->sp);
	end = unwind(&u, &r, &stack, frame, FRAMES_MAX, &nr);
	for (size_t i = 0; i < nr; i++)
		met += met < NR_CALLERS && frame[i].pc == scene->caller[met];
	snprintf(title, sizeof(title), "unwinds the stack to its root: %s", what);
	is_int(end, UNWIND_ROOT, title);
	snprintf(title, sizeof(title), "finds all callers of the wait: %s", what);
	is_int((intmax_t)met, NR_CALLERS, title);
}

/* Locks that nobody holds: those of the last child, which was killed, may have been held. */
static void set_scene(void)
{
	*scene = (struct scene){ .mutex = PTHREAD_MUTEX_INITIALIZER,
				 .condition_mutex = PTHREAD_MUTEX_INITIALIZER,
				 .rwlock = PTHREAD_RWLOCK_INITIALIZER,
				 .condition = PTHREAD_COND_INITIALIZER };
	sem_init(&scene->semaphore, 0, 0);
}

static pid_t begin(const struct wait *w)
{
	pid_t pid;

	set_scene();
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		wait_outside(w);
		_exit(0);
	}
	return pid;
}

static void check_wait(const struct wait *w, const char *who)
{
	struct blocked b;
	char what[128];
	pid_t pid = begin(w);

	if (!look_at(w, pid, &b)) {
		printf("ok %u - sees the wait: %s, as %s # SKIP it cannot wait here\n", ++tap_nr,
		       w->name, who);
		return;
	}
	snprintf(what, sizeof(what), "names the wait reason: %s, as %s", w->name, who);
	is_str(wait_reason_name(b.reason), wait_reason_name(w->reason), what);
	snprintf(what, sizeof(what), "%s, as %s", w->name, who);
	check_stack(&b, what);
	snprintf(what, sizeof(what), "finds the holder, if any: %s, as %s", w->name, who);
	is_int(b.holder, w->held ? scene->helper : 0, what);
	if (w->held) {
		snprintf(what, sizeof(what), "finds the holder from the lock alone: %s, as %s",
			 w->name, who);
		while (blocked_read_lock(&reader, pid, scene->waiter, &b))
			;
		ok(b.holder == scene->helper && !b.stack.size, what);
	}
	if (w->lock) {
		snprintf(what, sizeof(what), "finds the address of the lock: %s, as %s", w->name,
			 who);
		ok(b.lock >= (uintptr_t)w->lock && b.lock < (uintptr_t)w->lock + 64, what);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void check_all(const char *who)
{
	const struct wait waits[] = {
		{ "mutex", wait_mutex, SYS_futex, WAIT_LOCK, &scene->mutex, true },
		{ "robust mutex", wait_robust, SYS_futex, WAIT_LOCK, &scene->mutex, true },
		{ "robust recursive mutex", wait_robust_recursive, SYS_futex, WAIT_LOCK,
		  &scene->mutex, true },
		{ "recursive mutex", wait_recursive, SYS_futex, WAIT_LOCK, &scene->mutex, true },
		{ "read lock", wait_read_lock, SYS_futex, WAIT_LOCK, &scene->rwlock, true },
		{ "write lock", wait_write_lock, SYS_futex, WAIT_LOCK, &scene->rwlock, true },
		{ "join", wait_join, SYS_futex, WAIT_CHILD, NULL, true },
		{ "condition variable", wait_condition, SYS_futex, WAIT_LOCK, &scene->condition,
		  false },
		{ "semaphore", wait_semaphore, SYS_futex, WAIT_LOCK, &scene->semaphore, false },
		{ "sleep", wait_sleep, SLEEPS, WAIT_SLEEP, NULL, false },
		{ "pause", wait_pause, PAUSES, WAIT_SLEEP, NULL, false },
		{ "read of a pipe", wait_pipe, SYS_read, WAIT_PIPE, NULL, false },
		{ "write to a full pipe", wait_full_pipe, SYS_write, WAIT_PIPE, NULL, false },
		{ "read of a socket", wait_socket, SYS_read, WAIT_NETWORK, NULL, false },
		{ "recv", wait_receive, SYS_recvfrom, WAIT_NETWORK, NULL, false },
		{ "read of an eventfd", wait_eventfd, SYS_read, WAIT_PIPE, NULL, false },
		{ "read of a timerfd", wait_timerfd, SYS_read, WAIT_SLEEP, NULL, false },
		{ "write to a full eventfd", wait_full_eventfd, SYS_write, WAIT_PIPE, NULL, false },
		{ "read of a signalfd", wait_signalfd, SYS_read, WAIT_SLEEP, NULL, false },
		{ "read of an inotify", wait_inotify, SYS_read, WAIT_POLL, NULL, false },
		{ "epoll_wait", wait_epoll, EPOLLS, WAIT_POLL, NULL, false },
		{ "poll", wait_poll, POLLS, WAIT_POLL, NULL, false },
		{ "poll of nothing", wait_poll_none, POLLS, WAIT_SLEEP, NULL, false },
		{ "select of nothing", wait_select_none, SELECTS, WAIT_SLEEP, NULL, false },
		{ "waitpid", wait_child, WAITS, WAIT_CHILD, NULL, false },
		{ "flock", wait_flock, SYS_flock, WAIT_LOCK, NULL, false },
		{ "lock of a file", wait_file_lock, SYS_fcntl, WAIT_LOCK, NULL, false },
		{ "open of a FIFO", wait_fifo_open, OPENS, WAIT_PIPE, NULL, false },
		{ "page fault", wait_fault, -1, WAIT_FAULT, NULL, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(waits); i++)
		check_wait(&waits[i], who);
}

static void test_parse(void)
{
	struct blocked b;

	ok(blocked_parse(
		   SPAN("202 0x7f0000001000 0x80 0x2 0x0 0x0 0x1 0x7ffc00000010 0x7f0000002000\n"),
		   &b),
	   "parses a system call");
	is_int(b.nr, 202, "parses the number of a system call");
	is_int((intmax_t)b.arg[0], 0x7f0000001000, "parses the first argument of a system call");
	is_int((intmax_t)b.arg[5], 1, "parses the last argument of a system call");
	is_int((intmax_t)b.sp, 0x7ffc00000010,
	       "parses the stack pointer of a thread in a system call");
	is_int((intmax_t)b.pc, 0x7f0000002000, "parses the pc of a thread in a system call");
	ok(blocked_parse(SPAN("-1 0x7ffc00000010 0x7f0000002000\n"), &b),
	   "parses a thread outside of a system call");
	is_int(b.nr, -1, "gives a thread outside of a system call no number");
	ok(blocked_parse(SPAN("0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0\n"), &b),
	   "parses a kernel thread");
	is_int(b.nr, -1, "gives a kernel thread no system call");
	ok(!b.is_32bit, "does not take a kernel thread for a 32-bit program");
	ok(blocked_parse(SPAN("3 0x0 0x0 0x0 0x0 0x0 0x0 0xffaa1230 0xf7fc5549\n"), &b) &&
		   b.is_32bit,
	   "recognizes a 32-bit program");
	ok(blocked_parse(SPAN("3 0x0 0x0 0x0 0x0 0x0 0x0 0x7ffcffaa1230 0x401000\n"), &b) &&
		   !b.is_32bit,
	   "does not take a static program for a 32-bit one");
	ok(!blocked_parse(SPAN("running\n"), &b), "rejects the line of a running thread");
	ok(!blocked_parse(SPAN(""), &b), "rejects an empty line");
	ok(!blocked_parse(SPAN("202 0x7f0000001000 0x80"), &b), "rejects a truncated line");
	ok(!blocked_parse(SPAN("-1 0x10 0x20 0x30"), &b), "rejects a line with excess fields");
	ok(!blocked_parse(SPAN("99999999999 0x0 0x0 0x0 0x0 0x0 0x0 0x1 0x1"), &b),
	   "rejects a number that exceeds those of system calls");
}

/* What the kernel's functions say is what the call or the kind of file says to those who do not see the former. */
static void test_table(void)
{
	static const struct {
		const char *function;
		enum wait_reason reason;
	} same[] = {
		{ "do_wait", WAIT_CHILD },
		{ "do_wait.isra.0", WAIT_CHILD },
		{ "eventfd_read", WAIT_PIPE },
		{ "eventfd_write", WAIT_PIPE },
		{ "timerfd_read_iter", WAIT_SLEEP },
		{ "timerfd_read", WAIT_SLEEP },
		{ "signalfd_read_iter", WAIT_SLEEP },
		{ "signalfd_dequeue", WAIT_SLEEP },
		{ "inotify_read", WAIT_POLL },
		{ "fanotify_read", WAIT_POLL },
		{ "do_mq_timedreceive", WAIT_PIPE },
		{ "__do_semtimedop", WAIT_LOCK },
		{ "tty_wait_until_sent", WAIT_PIPE },
		{ "read_events", WAIT_DISK },
		{ "fuse_dev_do_read", WAIT_PIPE },
		{ "fuse_file_read_iter", WAIT_DISK },
		{ "posix_cpu_nsleep", WAIT_SLEEP },
		{ "vsock_connectible_recvmsg", WAIT_NETWORK },
	};

	is_str(wait_reason_frame(WAIT_CPU), "[cpu wait]",
	       "the reason cpu has the frame name [cpu wait]");
	is_str(wait_reason_name(wait_of_channel("folio_wait_bit_common")), "disk",
	       "a wait for a page of a file has the reason disk");
	is_str(wait_reason_name(wait_of_channel("futex_do_wait")), "lock",
	       "a wait for a futex has the reason lock");
	is_str(wait_reason_name(wait_of_channel("")), "other",
	       "an empty wait channel has the reason other");
	is_str(wait_reason_name(wait_of_channel("do_wait_intr_irq")), "other",
	       "a function that eventfd and timerfd share has the reason other");
	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		char title[128];

		snprintf(title, sizeof(title), "%s gives the same reason as its call or file",
			 same[i].function);
		is_str(wait_reason_name(wait_of_channel(same[i].function)),
		       wait_reason_name(same[i].reason), title);
	}
	is_str(wait_reason_name(wait_of_link(SPAN("anon_inode:[eventpoll]"))), "poll",
	       "an epoll descriptor has the reason poll");
}

static void test_others(void)
{
	struct wait w = { "sleep", wait_sleep, SLEEPS, WAIT_SLEEP, NULL, false };
	struct blocked b;
	pid_t pid = begin(&w);

	ok(look_at(&w, pid, &b), "the test's child starts to sleep");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	is_int(blocked_read(&reader, pid, pid, &b), -1, "a thread that is gone cannot be read");
	is_int(b.state, BLOCKED_GONE, "a thread that is gone is reported as gone");
}

/* Two processes of nobody's, of which one is not dumpable. */
static void test_not_dumpable(void)
{
	struct blocked b;
	pid_t pid;

	set_scene();
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_DUMPABLE, 0);
		wait_sleep();
		_exit(0);
	}
	while (!scene->waiter)
		sched_yield();
	is_int(blocked_read(&reader, pid, pid, &b), -1,
	       "a process that is not dumpable cannot be read");
	is_int(b.state, BLOCKED_NOT_DUMPABLE, "a process that is not dumpable is reported as that");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Its files are root's, as are those of a process that is not dumpable. */
static void test_exited(void)
{
	siginfo_t info;
	struct blocked b;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	is_int(blocked_read(&reader, pid, pid, &b), -1, "a process that has exited cannot be read");
	is_int(b.state, BLOCKED_GONE, "a process that has exited is reported as gone");
	waitpid(pid, NULL, 0);
}

static void test_other_user(pid_t theirs)
{
	struct blocked b;

	is_int(blocked_read(&reader, theirs, theirs, &b), -1,
	       "another user's thread cannot be read");
	is_int(b.state, BLOCKED_OTHER_USER, "another user's thread is reported as that");
}

int main(void)
{
	struct error e = ERROR_INIT;
	pid_t us = getpid();

	scene = mmap(NULL, sizeof(*scene), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	blocked_reader_init(&reader, STACK_MAX);
	running_maps(us, add_map, NULL, &e);
	test_parse();
	test_table();
	test_others();
	check_all("user");
	blocked_reader_release(&reader);
	if (!geteuid()) {
		if (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY) ||
		    prctl(PR_SET_DUMPABLE, 1))
			return 1;
		blocked_reader_init(&reader, STACK_MAX);
		check_all("nobody");
		test_other_user(us == 1 ? us : 1);
	}
	if (!reader.stack)
		blocked_reader_init(&reader, STACK_MAX);
	test_not_dumpable();
	test_exited();
	blocked_reader_release(&reader);
	for (size_t i = 0; i < nr_map; i++)
		cfi_free(maps[i].cfi);
	return done();
}
