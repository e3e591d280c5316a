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
		like(e.text, "no probes",
		     "probes are rejected with a reason where the kernel has none");
	} else {
		is_int(v.event[0].config2, 0x1234, "a probe has the offset of its function");
		is_str((const char *)(uintptr_t)v.event[0].config1, "/bin/sh",
		       "a probe has the path of its file");
		is_int(v.event[0].count, 1, "a probe samples each call");
		is_int(v.nr, 2, "an event behind a probe is an event of its own");
	}
	events_release(&v);
}

int main(void)
{
	struct error e = ERROR_INIT;
	struct events v = { 0 };

	is_str(parsed("cycles"), "0/0", "'cycles' is a hardware event");
	is_str(parsed("cpu-cycles,instructions"), "0/0 0/1",
	       "another name of cycles and a second event are parsed");
	is_str(parsed("cpu-clock:u"), "1/0 no-kernel", "':u' excludes the kernel");
	is_str(parsed("cpu-clock:k"), "1/0 no-user needs-kernel",
	       "':k' excludes user code and needs the kernel");
	is_str(parsed("cpu-clock:uk"), "1/0 needs-kernel",
	       "':uk' excludes nothing and needs the kernel");
	is_str(parsed("cycles:upp"), "0/0 no-kernel precise",
	       "':upp' excludes the kernel and is precise");
	is_str(parsed("cycles:pppp"), "error", "':pppp' is rejected");
	is_str(parsed("cycles:x"), "error", "an unknown modifier is rejected");
	is_str(parsed("cycles:"), "error", "an empty modifier is rejected");
	is_str(parsed("context-switches"), "1/3 needs-kernel",
	       "'context-switches', which happen only in the kernel, needs the kernel");
	is_str(parsed("L1-dcache-loads"), "3/0", "an event of a cache is parsed");
	is_str(parsed("LLC-store-misses"), "3/10102", "misses of a cache are parsed");
	is_str(parsed("dTLB-prefetches:u"), "3/203 no-kernel",
	       "prefetches of a cache are parsed, with a modifier");
	is_str(parsed("L1-dcache-eats"), "error", "an unknown operation of a cache is rejected");
	is_str(parsed("r1A8:u"), "4/1a8 no-kernel", "a raw event is parsed");
	is_str(parsed("r"), "error", "a raw event without a number is rejected");
	is_str(parsed(""), "error", "an empty list of events is rejected");
	is_str(parsed("cycles,"), "0/0", "a comma at the end of the list is ignored");
	is_str(parsed(",cycles"), "error", "a comma at the beginning of the list is rejected");
	is_str(parsed("nosuch:event"), "error", "an unknown tracepoint is rejected");
	is_str(parsed("nosuch:*"), "error", "a pattern that matches no tracepoint is rejected");
	is_str(parsed("nosuch:*:x"), "error", "a pattern with an unknown modifier is rejected");
	is_str(parsed("../..:passwd"), "error",
	       "a tracepoint whose name is a path to elsewhere is rejected");
	is_str(parsed("nosuch/event=1,umask=2/u"), "error",
	       "an event of an unknown PMU is rejected");
	is_str(parsed("software/config=0x2,config1=3/"), "1/2",
	       "config words of a PMU are parsed as they are");
	is_str(parsed("software/x=1/"), "error", "an unknown field of a PMU is rejected");
	is_str(parsed("software/config=1"), "error",
	       "an event of a PMU without the closing slash is rejected");
	is_str(parsed("uprobe:/bin/sh:free"), "error",
	       "a probe of an unknown function is rejected");
	is_str(parsed("uprobe:"), "error", "a probe without a file and function is rejected");
	test_probe("uprobe:/bin/sh:malloc,cpu-clock");
	test_probe("uprobe:/bin/sh:std::map<int, long>::at,cpu-clock");
	events_add_default(&v);
	ok(v.nr == 1 && v.event[0].or_clock, "the default event is cycles, or the clock instead");
	is_int(events_add(&v, SPAN("cycles"), NULL, &e), 0,
	       "an event can be added to the default event");
	is_int(v.nr, 2, "an event that is added follows the default event");
	events_release(&v);
	return done();
}
