/* Events as people write them. */
#include "record/perf_events/events.h"

#include "base/strbuf.h"
#include "tap.h"

static int find(struct span path, struct span function, uint64_t *offset, struct error *e)
{
	*offset = 0x1234;
	if (span_is(path, "/bin/sh") &&
	    (span_is(function, "malloc") || span_is(function, "std::map<int, long>::at")))
		return 0;
	return error_set(e, ERROR_INPUT, "no function");
}

/* Type, config and what is left out of each; "error" when one makes no sense. */
static const char *parsed(const char *list)
{
	static struct strbuf text;
	struct error e = ERROR_INIT;
	struct events v = { 0 };

	strbuf_reset(&text);
	if (events_add(&v, span_of(list), find, &e))
		strbuf_add(&text, SPAN("error"));
	else
		for (size_t i = 0; i < v.nr; i++)
			strbuf_addf(&text, "%s%u/%llx%s%s%s%s", i ? " " : "", v.event[i].type,
				    (unsigned long long)v.event[i].config,
				    v.event[i].no_user ? " no-user" : "",
				    v.event[i].no_kernel ? " no-kernel" : "",
				    v.event[i].needs_kernel ? " needs-kernel" : "",
				    v.event[i].precise ? " precise" : "");
	events_release(&v);
	return text.at;
}

static void test_probe(const char *probe)
{
	struct error e = ERROR_INIT;
	struct events v = { 0 };

	if (events_add(&v, span_of(probe), find, &e)) {
		like(e.text, "no probes", "there are probes, or it is told");
	} else {
		is_int(v.event[0].config2, 0x1234, "where the function is");
		is_str((const char *)(uintptr_t)v.event[0].config1, "/bin/sh", "in which file");
		is_int(v.event[0].count, 1, "each call counts");
		is_int(v.nr, 2, "and what follows it is another event");
	}
	events_release(&v);
}

int main(void)
{
	struct error e = ERROR_INIT;
	struct events v = { 0 };

	is_str(parsed("cycles"), "0/0", "of the hardware");
	is_str(parsed("cpu-cycles,instructions"), "0/0 0/1", "another name, and two of them");
	is_str(parsed("cpu-clock:u"), "1/0 no-kernel", "only programs");
	is_str(parsed("cpu-clock:k"), "1/0 no-user needs-kernel", "only the kernel");
	is_str(parsed("cpu-clock:uk"), "1/0 needs-kernel", "both, and not less");
	is_str(parsed("cycles:upp"), "0/0 no-kernel precise", "precise");
	is_str(parsed("cycles:pppp"), "error", "as precise as nothing is");
	is_str(parsed("cycles:x"), "error", "a letter that means nothing");
	is_str(parsed("cycles:"), "error", "no letter");
	is_str(parsed("context-switches"), "1/3 needs-kernel", "what happens kernel only only");
	is_str(parsed("L1-dcache-loads"), "3/0", "a cache");
	is_str(parsed("LLC-store-misses"), "3/10102", "what it misses");
	is_str(parsed("dTLB-prefetches:u"), "3/203 no-kernel", "what it fetches");
	is_str(parsed("L1-dcache-eats"), "error", "what no cache does");
	is_str(parsed("r1A8:u"), "4/1a8 no-kernel", "a number of the processor's");
	is_str(parsed("r"), "error", "no number");
	is_str(parsed(""), "error", "nothing");
	is_str(parsed("cycles,"), "0/0", "a comma too many");
	is_str(parsed(",cycles"), "error", "nothing in front of one");
	is_str(parsed("nosuch:event"), "error", "a tracepoint that is not there");
	is_str(parsed("nosuch:*"), "error", "a pattern of none");
	is_str(parsed("nosuch:*:x"), "error", "a pattern with a letter that means nothing");
	is_str(parsed("../..:passwd"), "error", "a path that leads elsewhere");
	is_str(parsed("nosuch/event=1,umask=2/u"), "error", "nobody counts that");
	is_str(parsed("software/config=0x2,config1=3/"), "1/2", "words as they are");
	is_str(parsed("software/x=1/"), "error", "a field that is not there");
	is_str(parsed("software/config=1"), "error", "no end");
	is_str(parsed("uprobe:/bin/sh:free"), "error", "a probe where nothing is");
	is_str(parsed("uprobe:"), "error", "a probe of nothing");
	test_probe("uprobe:/bin/sh:malloc,cpu-clock");
	test_probe("uprobe:/bin/sh:std::map<int, long>::at,cpu-clock");
	events_add_default(&v);
	ok(v.nr == 1 && v.event[0].or_clock, "without a word, cycles or a clock");
	is_int(events_add(&v, SPAN("cycles"), NULL, &e), 0, "and more can be added");
	is_int(v.nr, 2, "to it");
	events_release(&v);
	return done();
}
