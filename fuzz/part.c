/* What the targets of parts have no use for: there is nothing to choose. */
#include "fuzz.h"

int fuzz_choose(const char *reader)
{
	(void)reader;
	return 0;
}
