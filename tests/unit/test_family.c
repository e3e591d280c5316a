/* Whose records are the target's, of those of a whole machine. */
#include "record/targets/family.h"

#include "tap.h"

static bool sample(struct family *f, uint32_t pid)
{
	return family_take(f, &(struct record){ .kind = RECORD_SAMPLE, .pid = pid, .tid = pid });
}

static bool fork_from(struct family *f, uint32_t parent, uint32_t pid)
{
	return family_take(f, &(struct record){ .kind = RECORD_FORK,
						.pid = pid,
						.tid = pid,
						.fork = { .ppid = parent, .ptid = parent } });
}

static bool comm(struct family *f, uint32_t pid, bool exec)
{
	return family_take(
		f, &(struct record){
			   .kind = RECORD_COMM, .pid = pid, .tid = pid, .comm = { .exec = exec } });
}

static void test_command(void)
{
	struct family f;

	family_init(&f, FOLLOW_ALL);
	family_add_command(&f, 10);
	ok(!sample(&f, 10), "a sample before the exec of the command does not count");
	comm(&f, 10, false);
	ok(!sample(&f, 10), "a comm record without an exec does not add the command");
	comm(&f, 11, true);
	ok(!sample(&f, 10), "the exec of another process does not add the command");
	ok(comm(&f, 10, true), "the exec of the command counts");
	ok(sample(&f, 10), "the command counts from its exec on");
	ok(!sample(&f, 11), "another process never counts");
	ok(fork_from(&f, 10, 20) && sample(&f, 20), "a child of the command counts");
	ok(fork_from(&f, 20, 30) && sample(&f, 30), "a child of a child counts");
	ok(!fork_from(&f, 11, 40) && !sample(&f, 40), "a child of another process does not count");
	ok(!fork_from(&f, 11, 20) && !sample(&f, 20),
	   "a pid that a child of another process reuses does not count");
	ok(sample(&f, 30), "a child of a pid that is reused still counts");
	fork_from(&f, 10, 10);
	ok(sample(&f, 10), "a new thread of the command leaves it counting");
	ok(!sample(&f, UINT32_MAX), "a pid out of range does not count");
	ok(family_take(&f, &(struct record){ .kind = RECORD_LOST, .pid = THREAD_NONE }),
	   "a lost record, which may concern anyone, counts");
	family_release(&f);
}

static void test_processes(void)
{
	struct family f;

	family_init(&f, FOLLOW_THREADS);
	family_add_process(&f, 10);
	ok(sample(&f, 10), "a process counts from the start");
	ok(!fork_from(&f, 10, 20) && !sample(&f, 20),
	   "a child of a process does not count if only threads are followed");
	ok(!fork_from(&f, 11, 10) && !sample(&f, 10),
	   "a process whose pid is reused does not count");
	family_release(&f);
}

static void test_threads(void)
{
	const struct record of_other = { .kind = RECORD_SAMPLE, .pid = 10, .tid = 12 };
	const struct record mapping = { .kind = RECORD_MMAP, .pid = 10, .tid = 12 };
	const struct record again = {
		.kind = RECORD_FORK, .pid = 10, .tid = 10, .fork = { .ppid = 10, .ptid = 12 }
	};
	struct family f;

	family_init(&f, FOLLOW_NONE);
	family_add_process(&f, 10);
	family_add_thread(&f, 10);
	ok(sample(&f, 10), "a sample of the thread counts");
	ok(!family_take(&f, &of_other), "samples of another thread do not count");
	ok(family_take(&f, &mapping), "a mapping by another thread of the process counts");
	family_take(&f, &again);
	ok(!sample(&f, 10), "a thread whose tid is reused does not count");
	family_release(&f);
}

int main(void)
{
	test_command();
	test_processes();
	test_threads();
	return done();
}
