#include "read/foreign.h"

#include "base/alloc.h"

/* How far from the beginning `near` may be: bytes. */
enum { NEAR = 4096 };

#define BEGINS(text) .begins = SPAN(text)

static const struct {
	struct span begins; /* the first bytes of the file */
	const char *near;   /* … and this text within NEAR bytes; NULL: not required */
	struct foreign is;
} files[] = {
	{ BEGINS("Statistical profiling result from"),
	  NULL,
	  { "report of node --prof-process",
	    "use the log of node --prof itself: isolate-*-v8.log" } },
	{ BEGINS("TRACE START ["),
	  " -> {main}()",
	  { "human-readable Xdebug trace",
	    "set xdebug.trace_format=1 for a trace that wick reads" } },
	{ BEGINS("desc: "),
	  "time_unit: ",
	  { "massif output",
	    "view it with ms_print; for wick, record with heaptrack and use heaptrack_print -F" } },
	{ BEGINS("desc: "),
	  "events: ",
	  { "cachegrind output, which has no stacks", "view it with cg_annotate" } },
	{ BEGINS("{\"dhatFileVersion\":"),
	  NULL,
	  { "DHAT output",
	    "view it with dh_view.html; for wick, record with heaptrack and use heaptrack_print -F" } },
	{ BEGINS("go 1."),
	  " trace",
	  { "execution trace of Go",
	    "convert it: go tool trace -pprof=sync FILE > sync.pb.gz (or sched, syscall, net)" } },
	{ BEGINS("gmon\1"),
	  NULL,
	  { "gprof data, which has no stacks",
	    "record the program instead: wick record -- PROGRAM" } },
	{ BEGINS("Flat profile:\n"),
	  NULL,
	  { "gprof report, which has no stacks",
	    "record the program instead: wick record -- PROGRAM" } },
	{ BEGINS("v "),
	  "\nX ",
	  { "heaptrack data", "convert it: heaptrack_print -F stacks.folded FILE" } },
	{ BEGINS("\4\10{"),
	  "mode",
	  { "stackprof dump in Ruby's marshal format",
	    "convert it: stackprof --json FILE, or stackprof --stackcollapse FILE" } },
	{ BEGINS("--- "),
	  "cycles/second",
	  { "text contention profile of Go", "omit debug=1 for a pprof file, which wick reads" } },
	{ BEGINS("# To display the perf.data header info"),
	  NULL,
	  { "perf report text", "use perf.data itself, or the output of perf script" } },
	{ BEGINS("uftrace file header:"),
	  NULL,
	  { "uftrace dump", "convert it: uftrace dump --flame-graph" } },
	{ BEGINS("# DURATION "),
	  " TID ",
	  { "uftrace replay", "convert it: uftrace dump --flame-graph" } },
	{ BEGINS("{\"type\": \"attached_probes\""),
	  NULL,
	  { "JSON output of bpftrace", "run bpftrace without -f json" } },
	{ BEGINS("{\n\"program\": "),
	  "\"rts_arguments\"",
	  { "JSON profile of GHC", "run with +RTS -p instead of -pj" } },
	{ BEGINS("JOB \""),
	  "\nSAMPLE_UNIT ",
	  { "GHC heap profile, which has no stacks", "view it with hp2ps" } },
	{ BEGINS("%% Analysis results:"),
	  NULL,
	  { "Erlang fprof report, which has calls but no stacks",
	    "record the program instead: wick record -- erl +JPperf true" } },
	{ BEGINS("digraph "),
	  NULL,
	  { "Graphviz call graph, which has no stacks",
	    "draw it with dot -Tsvg; for wick, use the profile that it was made from" } },
	{ BEGINS("Event: "),
	  "\n| self | | total | | function |",
	  { "Markdown table of wick, which has no stacks",
	    "use the profile that it was made from" } },
	{ BEGINS("Nettrace"),
	  NULL,
	  { ".NET trace", "convert it: dotnet-trace convert --format Speedscope FILE" } },
	{ BEGINS("MOJ"), NULL, { "Austin binary (MOJO)", "convert it: mojo2austin FILE OUT" } },
	{ BEGINS("memray"), NULL, { "memray data", "view it with memray flamegraph" } },
	{ BEGINS("BZh"), NULL, { "bzip2-compressed file", "decompress it: bzip2 -d" } },
	{ BEGINS("]\0\0"),
	  NULL,
	  { "lzma-compressed file", "decompress it: xz -dc --format=lzma" } },
	{ BEGINS("PK\3\4"), NULL, { "ZIP archive", "extract it, and use the file inside" } },
	{ BEGINS("\177ELF"), NULL, { "program or library", "record it: wick record -- PROGRAM" } },
};

/*
 * cProfile writes Python's marshal format: a dictionary whose first key is (file, line, function).
 */
static bool is_pstats(struct span head)
{
	return head.size > 3 && (head.at[0] & 0x7f) == '{' && (head.at[1] & 0x7f) == ')' &&
	       head.at[2] == 3;
}

const struct foreign *foreign_find(struct span head)
{
	static const struct foreign pstats = {
		"Python cProfile data, which has calls but no stacks",
		"use py-spy record -f raw or pyinstrument -r speedscope instead"
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (head.size >= files[i].begins.size &&
		    !memcmp(head.at, files[i].begins.at, files[i].begins.size) &&
		    (!files[i].near || span_contains(span_upto(head, NEAR), files[i].near)))
			return &files[i].is;
	return is_pstats(head) ? &pstats : NULL;
}
