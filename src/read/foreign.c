#include "read/foreign.h"

#include "base/alloc.h"

/* How far from the beginning the second mark may be: bytes. */
enum { NEAR = 4096 };

#define BEGINS(text) .begins = SPAN(text)

static const struct {
	struct span begins; /* the first bytes of the file */
	const char *near;   /* … and this within NEAR bytes; NULL: no matter what */
	struct foreign is;
} files[] = {
	{ BEGINS("FLR\0"),
	  NULL,
	  { "a JDK Flight Recorder file",
	    "jfr print --events jdk.ExecutionSample --stack-depth 64 FILE prints what wick reads" } },
	{ BEGINS("v8-version,"),
	  NULL,
	  { "a log of node --prof", "record with node --cpu-prof: wick reads .cpuprofile files" } },
	{ BEGINS("Statistical profiling result from"),
	  NULL,
	  { "a report of node --prof-process",
	    "record with node --cpu-prof: wick reads .cpuprofile files" } },
	{ BEGINS("TRACE START ["),
	  " -> {main}()",
	  { "an Xdebug trace for people", "xdebug.trace_format=1 gives a file that wick reads" } },
	{ BEGINS("desc: "),
	  "time_unit: ",
	  { "a massif file", "ms_print shows it; heaptrack_print -F prints what wick reads" } },
	{ BEGINS("desc: "),
	  "events: ",
	  { "a cachegrind file, which has no stacks", "cg_annotate shows it" } },
	{ BEGINS("gmon\1"),
	  NULL,
	  { "a file of gprof, which has no stacks",
	    "record the program itself: wick record -- PROGRAM" } },
	{ BEGINS("Flat profile:\n"),
	  NULL,
	  { "a report of gprof, which has no stacks",
	    "record the program itself: wick record -- PROGRAM" } },
	{ BEGINS("v "),
	  "\nX ",
	  { "a heaptrack file", "heaptrack_print -F stacks.folded FILE writes what wick reads" } },
	{ BEGINS("\4\10{"),
	  "mode",
	  { "a stackprof file", "stackprof --stackcollapse FILE prints what wick reads" } },
	{ BEGINS("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
	  NULL,
	  { "a CPU profile of gperftools",
	    "google-pprof --collapsed PROGRAM FILE prints what wick reads" } },
	{ BEGINS("heap profile: "),
	  NULL,
	  { "a heap profile as text",
	    "of Go, without debug=1 it is a pprof file, which wick reads; of gperftools, google-pprof --collapsed PROGRAM FILE" } },
	{ BEGINS("--- "),
	  "cycles/second",
	  { "a profile of Go's locks as text",
	    "without debug=1 it is a pprof file, which wick reads" } },
	{ BEGINS("# To display the perf.data header info"),
	  NULL,
	  { "a report of perf", "wick reads perf.data itself, and what perf script prints" } },
	{ BEGINS("uftrace file header:"),
	  NULL,
	  { "a dump of uftrace's", "uftrace dump --flame-graph prints what wick reads" } },
	{ BEGINS("# DURATION "),
	  " TID ",
	  { "a replay of uftrace's", "uftrace dump --flame-graph prints what wick reads" } },
	{ BEGINS("{\"type\": \"attached_probes\""),
	  NULL,
	  { "bpftrace's output as JSON", "without -f json bpftrace prints what wick reads" } },
	{ BEGINS("{\n\"program\": "),
	  "\"rts_arguments\"",
	  { "a profile of GHC's as JSON", "+RTS -p in place of -pj writes what wick reads" } },
	{ BEGINS("JOB \""),
	  "\nSAMPLE_UNIT ",
	  { "a heap profile of GHC's, which has no stacks", "hp2ps shows it" } },
	{ BEGINS("%% Analysis results:"),
	  NULL,
	  { "a report of Erlang's fprof, which has calls and no stacks",
	    "record the program itself: erl +JPperf true tells wick record its names" } },
	{ BEGINS("Nettrace"),
	  NULL,
	  { "a trace of .NET",
	    "dotnet-trace convert --format Speedscope FILE writes what wick reads" } },
	{ BEGINS("MOJ"),
	  NULL,
	  { "a binary file of Austin's", "mojo2austin FILE OUT writes what wick reads" } },
	{ BEGINS("memray"), NULL, { "a file of memray's", "memray flamegraph shows it" } },
	{ BEGINS("\xff\xfe"),
	  NULL,
	  { "text in UTF-16", "iconv -f UTF-16 -t UTF-8 FILE makes it readable" } },
	{ BEGINS("\xfe\xff"),
	  NULL,
	  { "text in UTF-16", "iconv -f UTF-16 -t UTF-8 FILE makes it readable" } },
	{ BEGINS("\xfd"
		 "7zXZ"),
	  NULL,
	  { "packed by xz", "xz -d unpacks it" } },
	{ BEGINS("BZh"), NULL, { "packed by bzip2", "bzip2 -d unpacks it" } },
	{ BEGINS("PK\3\4"), NULL, { "a ZIP file", "unzip it, and give wick what is inside" } },
	{ BEGINS("\177ELF"),
	  NULL,
	  { "a program or a library", "wick record -- PROGRAM records what it does" } },
};

/* cProfile writes Python's marshal format: a dictionary whose first key is (file, line, function). */
static bool is_pstats(struct span head)
{
	return head.size > 3 && (head.at[0] & 0x7f) == '{' && (head.at[1] & 0x7f) == ')' &&
	       head.at[2] == 3;
}

const struct foreign *foreign_find(struct span head)
{
	static const struct foreign pstats = {
		"a file of Python's cProfile, which has calls and no stacks",
		"py-spy record -f raw and pyinstrument -r speedscope write what wick reads"
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (head.size >= files[i].begins.size &&
		    !memcmp(head.at, files[i].begins.at, files[i].begins.size) &&
		    (!files[i].near || span_contains(span_upto(head, NEAR), files[i].near)))
			return &files[i].is;
	return is_pstats(head) ? &pstats : NULL;
}
