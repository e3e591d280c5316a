/* Lists of processors. */
#include "record/perf_events/sampler.h"

#include "base/strbuf.h"
#include "tap.h"

#include <stdlib.h>

static const char *parsed(const char *list)
{
	static struct strbuf text;
	struct error e = ERROR_INIT;
	size_t nr;
	int *cpu;

	strbuf_reset(&text);
	if (processors_parse(span_of(list), &cpu, &nr, &e))
		return "error";
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(&text, "%s%d", i ? " " : "", cpu[i]);
	free(cpu);
	return text.at;
}

int main(void)
{
	struct error e = ERROR_INIT;
	size_t nr = 0;
	int *cpu = NULL;

	is_str(parsed("0"), "0", "a single CPU is parsed");
	is_str(parsed("0-3,5\n"), "0 1 2 3 5",
	       "a range and a single CPU with a newline, as the kernel writes them, are parsed");
	is_str(parsed(""), "error", "an empty list of CPUs is rejected");
	is_str(parsed("3-1"), "error", "a backward range of CPUs is rejected");
	is_str(parsed("1,x"), "error", "a list of CPUs with a letter is rejected");
	is_str(parsed("0-4000000000"), "error", "a range of too many CPUs is rejected");
	ok(!processors_online(&cpu, &nr, &e) && nr > 0,
	   "processors_online() finds CPUs of this machine");
	free(cpu);
	return done();
}
