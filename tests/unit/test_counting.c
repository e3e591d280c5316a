/* What is read of a counter, as the kernel writes it. */
#include "record/perf_events/counting.h"

#include "base/alloc.h"
#include "tap.h"

#include <unistd.h>

/* The value, and for how long it could have been counted and was. */
static struct counter read_out(uint64_t value, uint64_t enabled, uint64_t running)
{
	const uint64_t words[] = { value, enabled, running };
	struct counter c = { .nr_fd = 1, .fd = xcalloc(1, sizeof(*c.fd)) };
	int ends[2];

	if (pipe(ends) || write(ends[1], words, sizeof(words)) != (ssize_t)sizeof(words))
		return c;
	close(ends[1]);
	c.fd[0] = ends[0];
	counter_close(&c);
	return c;
}

int main(void)
{
	struct counter c = read_out(1000, 50, 50);

	is_int(c.value, 1000, "a counter that ran all the time has the value that was read");
	ok(c.share == 1, "a counter that ran all the time has a share of 1");
	c = read_out(1000, 80, 20);
	is_int(c.value, 4000, "the value of a multiplexed counter is extrapolated");
	ok(c.share == 0.25, "a multiplexed counter has the share of the time in which it ran");
	c = read_out(0, 80, 0);
	is_int(c.value, 0, "a counter that was enabled and never ran has the value 0");
	ok(c.share == 0, "a counter that was enabled and never ran has a share of 0");
	c = read_out(0, 0, 0);
	ok(c.share == 1, "a counter that was never enabled has a share of 1");
	ok(!c.fd, "counter_close() leaves no descriptors");
	c = (struct counter){ .why = 2 };
	counter_close(&c);
	is_int(c.why, 2, "counter_close() keeps the errno of a counter that was not opened");
	return done();
}
