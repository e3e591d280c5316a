/* The options that flamegraph and cargo flamegraph share. */
#include "cli/completions.h"
#include "dropin/flamegraph_rs.h"

#define AT(field) offsetof(struct flamegraph_rs, field)

const struct option flamegraph_rs_options[] = {
	{ "output", 'o', OPTION_LIST, AT(outputs), "FILE",
	  "write there: FILE.svg, .html, .wick, .folded or .data [flamegraph.svg]", 0 },
	{ "open", 0, OPTION_FLAG, AT(open), NULL, "open the picture when it is done", 0 },
	{ "root", 0, OPTION_MAYBE, AT(root), "FLAGS", "record as root, through sudo", 0 },
	{ "freq", 'F', OPTION_UINT, AT(freq), "HZ", "samples a second [997]", 0 },
	{ "compression-level", 'z', OPTION_MAYBE, AT(compression), "LEVEL",
	  "of the file that perf writes, with --cmd or PERF", 0 },
	{ "cmd", 'c', OPTION_STRING, AT(cmd), "WORDS", "let perf record, with these words", 0 },
	{ "title", 0, OPTION_STRING, AT(job.flame.svg.title), "STRING",
	  "over the picture [Flame Graph]", 0 },
	{ "subtitle", 0, OPTION_STRING, AT(job.flame.svg.subtitle), "STRING", "below the title",
	  0 },
	{ "deterministic", 0, OPTION_FLAG, AT(deterministic), NULL, "colors by the name", 0 },
	{ "inverted", 'i', OPTION_FLAG, AT(job.flame.svg.root_on_top), NULL, "root on top", 0 },
	{ "reverse", 0, OPTION_FLAG, AT(job.flame.reverse), NULL, "from the leaf", 0 },
	{ "notes", 0, OPTION_STRING, AT(job.flame.svg.notes), "STRING", "kept in the file", 0 },
	{ "min-width", 0, OPTION_NUMBER, AT(job.flame.min_percent), "FLOAT",
	  "leave out what is less than this percentage [0.01]", 0 },
	{ "image-width", 0, OPTION_UINT, AT(job.flame.svg.width), "UINT",
	  "pixels of the image [as the window]", 0 },
	{ "palette", 0, OPTION_STRING, AT(palette), "PALETTE",
	  "aqua, blue, green, hot, io, java, js, mem, orange, perl, python, purple, red, rust, wakeup or yellow [hot]",
	  0 },
	{ "skip-after", 0, OPTION_LIST, AT(skip_after), "FUNCTION",
	  "drop the callers of this function", 0 },
	{ "flamechart", 0, OPTION_FLAG, AT(job.flame.chart), NULL, "in the order of time", 0 },
	{ "ignore-status", 0, OPTION_FLAG, AT(ignore_status), NULL,
	  "the status is 0, whatever the command's was", 0 },
	{ "no-inline", 0, OPTION_FLAG, AT(job.o.naming.no_inline), NULL,
	  "leave out calls that were inlined", 0 },
	{ "post-process", 0, OPTION_STRING, AT(post_process), "COMMAND",
	  "give it the folded stacks, and draw what it prints", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(job.verbose), NULL, "say what is done", 0 },
	{ "version", 'V', OPTION_FLAG, AT(version), NULL, "print the version", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

const struct option_words flamegraph_rs_values[] = {
	{ "PALETTE",
	  "aqua|blue|green|hot|io|java|js|mem|orange|perl|python|purple|red|rust|wakeup|yellow" },
	{ "SHELL", COMPLETIONS_SHELLS },
	{ 0 },
};
