#include "base/print.h"

#include <sys/random.h>

uint64_t print_seed(void)
{
	uint64_t seed = 0;

	/* Early after the boot there may be none: then it is not secret. */
	(void)!getrandom(&seed, sizeof(seed), GRND_NONBLOCK);
	return seed;
}
