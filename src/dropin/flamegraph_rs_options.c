/* The options that flamegraph and cargo flamegraph share. */
#include "cli/completions.h"
#include "dropin/flamegraph_rs.h"

#define AT(field) offsetof(struct flamegraph_rs, field)

const struct option flamegraph_rs_options[] = {
	{ "output", 'o', OPTION_LIST, AT(outputs), "FILE",
	  "output file; the extension (.svg, .html, .wick, .folded, .data) selects the format [flamegraph.svg]",
	  0 },
	{ "open", 0, OPTION_FLAG, AT(open), NULL, "open the flame graph when done", 0 },
	{ "root", 0, OPTION_MAYBE, AT(root), "FLAGS", "record as root, with sudo", 0 },
	{ "freq", 'F', OPTION_UINT, AT(freq), "HZ", "samples a second [997]", 0 },
	{ "compression-level", 'z', OPTION_MAYBE, AT(compression), "LEVEL",
	  "compression level of perf.data, with --cmd or PERF", 0 },
	{ "cmd", 'c', OPTION_STRING, AT(cmd), "WORDS",
	  "command for perf, which records instead of wick", 0 },
	{ "title", 0, OPTION_STRING, AT(job.draw.svg.title), "STRING", "title [Flame Graph]", 0 },
	{ "subtitle", 0, OPTION_STRING, AT(job.draw.svg.subtitle), "STRING", "text below the title",
	  0 },
	{ "deterministic", 0, OPTION_FLAG, AT(deterministic), NULL,
	  "choose colors by function name", 0 },
	{ "inverted", 'i', OPTION_FLAG, AT(job.draw.svg.root_on_top), NULL,
	  "draw the root at the top", 0 },
	{ "reverse", 0, OPTION_FLAG, AT(job.draw.reverse), NULL,
	  "reverse stacks: start at the leaf", 0 },
	{ "notes", 0, OPTION_STRING, AT(job.draw.svg.notes), "STRING", "text to store in the file",
	  0 },
	{ "min-width", 0, OPTION_NUMBER, AT(job.draw.min_percent), "FLOAT",
	  "omit frames below this percentage [0.01]", 0 },
	{ "image-width", 0, OPTION_UINT, AT(job.draw.svg.width), "UINT",
	  "width in pixels [as the window]", 0 },
	{ "palette", 0, OPTION_STRING, AT(palette), "PALETTE",
	  "aqua, blue, green, hot, io, java, js, mem, orange, perl, python, purple, red, rust, wakeup or yellow [hot]",
	  0 },
	{ "skip-after", 0, OPTION_LIST, AT(skip_after), "FUNCTION",
	  "drop the callers of this function", 0 },
	{ "flamechart", 0, OPTION_FLAG, AT(job.draw.chart), NULL, "order by time (flame chart)",
	  0 },
	{ "ignore-status", 0, OPTION_FLAG, AT(ignore_status), NULL,
	  "exit with 0, whatever the status of the command", 0 },
	{ "no-inline", 0, OPTION_FLAG, AT(job.o.naming.no_inline), NULL,
	  "do not resolve inlined calls", 0 },
	{ "post-process", 0, OPTION_STRING, AT(post_process), "COMMAND",
	  "filter the folded stacks through this command", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(job.verbose), NULL, "print what is being done", 0 },
	{ "version", 'V', OPTION_FLAG, AT(version), NULL, "print the version", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

const struct option_words flamegraph_rs_values[] = {
	{ "PALETTE",
	  "aqua|blue|green|hot|io|java|js|mem|orange|perl|python|purple|red|rust|wakeup|yellow" },
	{ "SHELL", COMPLETIONS_SHELLS },
	{ 0 },
};
