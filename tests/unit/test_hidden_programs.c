/* Records of tasks, made by hand → how many programs the kernel did not record. */
#include "capture/hidden_programs.h"
#include "tap.h"

static struct hidden_programs h;

static void take(enum record_kind kind, uint32_t pid, uint32_t tid)
{
	struct record r = { .kind = kind, .pid = pid, .tid = tid };

	r.comm.exec = kind == RECORD_COMM;
	hidden_programs_take(&h, &r);
}

int main(void)
{
	take(RECORD_COMM, 5, 5);
	take(RECORD_COMM, 6, 6);
	take(RECORD_MMAP, 5, 5);
	take(RECORD_FORK, 5, 7);
	take(RECORD_EXIT, 5, 7);
	take(RECORD_EXIT, 5, 5);
	is_int((intmax_t)h.nr, 0, "a program that is mapped is recorded");
	take(RECORD_EXIT, 6, 6);
	is_int((intmax_t)h.nr, 1,
	       "a program whose events are closed before it is mapped is counted");
	take(RECORD_EXIT, 6, 6);
	take(RECORD_FORK, 8, 8);
	take(RECORD_EXIT, 8, 8);
	is_int((intmax_t)h.nr, 1, "a process that executes nothing is not counted");
	for (uint32_t pid = 10; pid < 5000; pid++)
		take(RECORD_COMM, pid, pid);
	take(RECORD_EXIT, 4999, 4999);
	is_int((intmax_t)h.nr, 2,
	       "a program is counted after 5,000 others whose mappings and exits were lost");
	ok(h.nr_unmapped < 1024,
	   "of programs whose mappings and exits were lost, 1,024 are kept at most");
	hidden_programs_release(&h);
	return done();
}
