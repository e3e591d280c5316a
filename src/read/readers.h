/*
 * The table of readers, in the order in which they are asked whether they accept
 * an input: the pickiest first, and folded text last, since almost any line that
 * ends in a number could be it.
 */
#ifndef WICK_READ_READERS_H
#define WICK_READ_READERS_H

#include "read/read.h"

#define READERS(X) \
	X(perf_data) \
	X(page) \
	X(pprof) \
	X(chrome_tracing) \
	X(v8) \
	X(speedscope) \
	X(firefox) \
	X(bpftrace) \
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
