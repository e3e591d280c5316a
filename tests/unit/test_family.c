/* Whose records are the command's, of those of a whole machine. */
#include "record/family.h"

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

int main(void)
{
	struct family f;

	family_init(&f, 10);
	ok(!sample(&f, 10), "what is before the exec is ours, not the command's");
	comm(&f, 10, false);
	ok(!sample(&f, 10), "a name alone is no exec");
	comm(&f, 11, true);
	ok(!sample(&f, 10), "nor is somebody else's");
	ok(comm(&f, 10, true), "the exec is the first that counts");
	ok(sample(&f, 10) && !sample(&f, 11), "it is counted from there, and nobody else is");
	ok(fork_from(&f, 10, 20) && sample(&f, 20), "a child of it counts");
	ok(fork_from(&f, 20, 30) && sample(&f, 30), "and its child");
	ok(!fork_from(&f, 11, 40) && !sample(&f, 40), "not others'");
	ok(!fork_from(&f, 11, 20) && !sample(&f, 20), "a number that another one has now");
	ok(sample(&f, 30), "does not take the children with it");
	fork_from(&f, 10, 10);
	ok(sample(&f, 10), "a thread changes nothing");
	ok(!sample(&f, UINT32_MAX), "a number that nobody has");
	ok(family_take(&f, &(struct record){ .kind = RECORD_LOST, .pid = THREAD_NONE }),
	   "what is lost may be anybody's");
	family_release(&f);
	return done();
}
