/*
 * The table of readers, in the order of detection: the strictest first, and folded stacks last,
 * since almost any line that ends in a number could be one.
 */
#ifndef WICK_READ_READERS_H
#define WICK_READ_READERS_H

#include "read/read.h"

#define READERS(X) \
	X(perf_data) \
	X(page) \
	X(wick_json) \
	X(wick_csv) \
	X(jfr_binary) \
	X(jfr_json) \
	X(jfr_xml) \
	X(gperftools) \
	X(heap_text) \
	X(pprof) \
	X(otlp) \
	X(chrome_tracing) \
	X(v8) \
	X(v8_log) \
	X(speedscope) \
	X(firefox) \
	X(stackprof) \
	X(bpftrace) \
	X(bcc) \
	X(perf_trace) \
	X(perf_timehist) \
	X(perf_sched) \
	X(perf) \
	X(perf_packages) \
	X(stap) \
	X(dtrace) \
	X(sample) \
	X(vtune) \
	X(vtune_mc) \
	X(vsprof) \
	X(ghcprof) \
	X(xctrace) \
	X(ibmjava) \
	X(jstack) \
	X(jfr) \
	X(xdebug) \
	X(callgrind) \
	X(go) \
	X(goroutine) \
	X(elfutils) \
	X(gdb) \
	X(faulthandler) \
	X(wcp) \
	X(aix) \
	X(pmc) \
	X(instruments) \
	X(ljp) \
	X(java_exceptions) \
	X(folded)

#define X(name) extern const struct reader reader_##name;
READERS(X)
#undef X

#endif
