/*
 * Finds the thread that holds the lock another thread waits for.  A futex is a number in memory; glibc stores the
 * owner beside it.  Programs may have anything in that memory, so the owner counts only if all fields are as glibc
 * writes them, and it is a live thread of this process.
 */
#include "base/fields.h"
#include "record/targets/process_memory.h"
#include "record/waits/wait_class.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The tids in the memory of the process are those of wick's /proc only if both are in the same PID namespace. */
static bool shares_numbers(pid_t pid)
{
	char path[64], theirs[64], ours[64];
	ssize_t n, m;

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", (int)pid);
	n = readlink(path, theirs, sizeof(theirs));
	m = readlink("/proc/self/ns/pid", ours, sizeof(ours));
	return n > 0 &&
	       span_eq((struct span){ theirs, (size_t)n }, (struct span){ ours, (size_t)m });
}

static bool is_thread(pid_t pid, uint32_t tid)
{
	char path[64];

	if (!tid || tid > INT32_MAX)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/task/%u", (int)pid, tid);
	return !access(path, F_OK) && shares_numbers(pid);
}

/* Words of glibc's pthread_mutex_t on 64-bit machines … */
enum { MUTEX_LOCK, MUTEX_COUNT, MUTEX_OWNER, MUTEX_USERS, MUTEX_KIND, MUTEX_WORDS };
/* … and of its pthread_rwlock_t, in which threads wait for one of two futexes. */
enum {
	RWLOCK_READERS,
	RWLOCK_WRITERS,
	RWLOCK_PHASE_FUTEX,
	RWLOCK_WRITERS_FUTEX,
	RWLOCK_WRITER = 6,
	RWLOCK_SHARED,
	RWLOCK_WORDS
};

/* MUTEX_KIND: the type, and flags: robust, priority inheritance, shared between processes, … */
enum {
	MUTEX_RECURSIVE = 1,
	MUTEX_TYPES = 3,
	MUTEX_ROBUST = 16,
	MUTEX_FLAGS = MUTEX_ROBUST | 32 | 64 | 128 | 256 | 512,
	MUTEX_CONTENDED = 2, /* MUTEX_LOCK: held, and a thread waits */
};

static bool read_words(pid_t pid, uint64_t from, uint32_t *word, size_t nr)
{
	return memory_read(pid, from, (char *)word, nr * sizeof(*word)) == nr * sizeof(*word);
}

/* The owner, if the futex belongs to a mutex; 0: it does not. */
static uint32_t mutex_owner(const struct blocked *b, uint32_t expected)
{
	uint32_t m[MUTEX_WORDS], kind;
	bool counts; /* it counts how often its owner has locked it; each robust mutex does */

	if (!read_words(b->pid, b->lock, m, MUTEX_WORDS))
		return 0;
	kind = m[MUTEX_KIND];
	counts = (kind & MUTEX_TYPES) == MUTEX_RECURSIVE || kind & MUTEX_ROBUST;
	if (kind & ~(uint32_t)(MUTEX_TYPES | MUTEX_FLAGS) || !m[MUTEX_USERS] ||
	    m[MUTEX_LOCK] != expected || (m[MUTEX_COUNT] > 0) != counts)
		return 0;
	if (kind & MUTEX_ROBUST)
		return (m[MUTEX_LOCK] & FUTEX_TID_MASK) == m[MUTEX_OWNER] ? m[MUTEX_OWNER] : 0;
	return expected == MUTEX_CONTENDED ? m[MUTEX_OWNER] : 0;
}

/*
 * The tid of the writer that holds a read-write lock, if the thread waits for its word number `futex`; 0: that is not a
 * read-write lock, or no writer holds it.
 */
static uint32_t rwlock_writer(const struct blocked *b, uint32_t expected, unsigned futex)
{
	enum { WRITE_PHASE = 1, WRITE_LOCKED = 2, SET_AND_WAITED_FOR = 3 };
	uint32_t l[RWLOCK_WORDS];

	if (expected != SET_AND_WAITED_FOR ||
	    !read_words(b->pid, b->lock - futex * sizeof(*l), l, RWLOCK_WORDS) ||
	    l[futex] != expected || l[RWLOCK_SHARED] > 1 ||
	    (l[RWLOCK_READERS] & (WRITE_PHASE | WRITE_LOCKED)) != (WRITE_PHASE | WRITE_LOCKED))
		return 0;
	return l[RWLOCK_WRITER];
}

/* pthread_join() waits until the kernel clears the futex, whose value is the tid of the joined thread. */
static bool is_join(const struct blocked *b, uint32_t expected)
{
	uint32_t word;

	return !(b->arg[1] & FUTEX_PRIVATE_FLAG) && expected != (uint32_t)b->tid &&
	       read_words(b->pid, b->lock, &word, 1) && word == expected &&
	       is_thread(b->pid, expected);
}

static pid_t proved(const struct blocked *b, uint32_t tid)
{
	return is_thread(b->pid, tid) ? (pid_t)tid : 0;
}

static void find_waited_for(struct blocked *b)
{
	uint32_t expected = (uint32_t)b->arg[2];
	uint32_t owner = mutex_owner(b, expected);
	uint32_t by_phase, by_writers;

	if (is_join(b, expected)) {
		b->reason = WAIT_CHILD;
		b->holder = (pid_t)expected;
		b->lock = 0;
		return;
	}
	by_phase = rwlock_writer(b, expected, RWLOCK_PHASE_FUTEX);
	by_writers = rwlock_writer(b, expected, RWLOCK_WRITERS_FUTEX);
	/* If the futex could be either word, the writer is unknown. */
	if (!owner && !by_phase != !by_writers)
		owner = by_phase ? by_phase : by_writers;
	b->holder = proved(b, owner);
}

/* With priority inheritance, the futex contains the tid of the holder, because the kernel needs it. */
static void find_inheriting(struct blocked *b)
{
	uint32_t word;

	if (read_words(b->pid, b->lock, &word, 1))
		b->holder = proved(b, word & FUTEX_TID_MASK);
}

/* futex_waitv(): the lock, if the list has a single futex. */
static void find_listed(struct blocked *b)
{
	struct futex_waitv only;

	if (b->arg[1] == 1 &&
	    memory_read(b->pid, b->arg[0], (char *)&only, sizeof(only)) == sizeof(only))
		b->lock = only.uaddr;
}

void wait_find_holder(struct blocked *b)
{
	b->holder = 0;
	if (b->reason != WAIT_LOCK || b->is_32bit)
		return;
#ifdef SYS_futex_waitv
	if (b->nr == SYS_futex_waitv)
		find_listed(b);
#endif
	if (b->nr != SYS_futex || !b->lock)
		return;
	switch (b->arg[1] & FUTEX_CMD_MASK & UINT32_MAX) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		find_waited_for(b);
		break;
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		find_inheriting(b);
		break;
	default:
		break;
	}
}
