#include "cmd/convert.h"

#include "cli/messages.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cmd/flame.h"
#include "cmd/formats.h"
#include "cmd/tell.h"
#include "event/recording.h"
#include "render/number.h"

#include <sys/stat.h>

struct command {
	struct collapse_opts in;
	struct progress progress;
	const char *output;
	enum format format;
	bool quiet, verbose;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "output", 'o', OPTION_STRING, AT(output), "FILE",
	  "write there: FILE.data, .wick, .folded, .txt, .svg or .html", 0 },
	{ "event", 'e', OPTION_STRING, AT(in.event), "NAME",
	  "only this event, or all added up [the first; .data has all]", 0 },
	NAMING_OPTIONS(in.naming),
	{ "threads", 'n', OPTION_UINT, AT(in.read.threads), "N", "read with N threads [all]", 0 },
	{ "strict", 0, OPTION_FLAG, AT(in.read.strict), NULL,
	  "stop at the first thing that cannot be read", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "say nothing but errors", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list what was left out, with lines", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

const struct option_table convert_table = {
	.usage = "wick convert [options] FILE... -o OUT.data|OUT.wick|OUT.folded|...",
	.about =
		"Turns what a profiler wrote, in any format that `wick collapse` reads, into a file of\n"
		"another kind, told by the ending of OUT; several files are added up.  From perf.data to\n"
		".data, copies of stacks become call chains: a hundredth of the size, for perf and its like.",
	.option = options,
	.syntax = SYNTAX_GNU,
};

static void tell(const struct command *c, const struct profile *p)
{
	if (!c->quiet)
		tell_notes(p, c->verbose ? TELL_EACH : TELL_SUM);
}

/* perf.data */

static bool stat_input(const struct command *c, struct stat *st)
{
	return strcmp(c->in.file[0], "-") != 0 && !stat(c->in.file[0], st);
}

/* "wrote small.data: 1 234 samples, 56.1 KiB of 12.3 MiB" */
static void tell_size(const struct command *c, uint64_t nr_sample)
{
	struct strbuf text = { 0 };
	struct stat in, out;

	if (c->quiet || stat(c->output, &out))
		return;
	number_add_count(&text, (double)nr_sample, SPAN("samples"));
	strbuf_add(&text, SPAN(", "));
	number_add_count(&text, (double)out.st_size, SPAN("bytes"));
	if (stat_input(c, &in) && S_ISREG(in.st_mode)) {
		strbuf_add(&text, SPAN(" of "));
		number_add_count(&text, (double)in.st_size, SPAN("bytes"));
	}
	message("wrote %s: %s", c->output, text.at);
	strbuf_release(&text);
}

static int check_data(const struct command *c, struct error *e)
{
	struct stat in, out;

	if (c->in.nr_file > 1)
		return error_set(e, ERROR_USAGE,
				 "%s: one recording becomes one; several cannot be added up",
				 c->output);
	if (stat_input(c, &in) && !stat(c->output, &out) && S_ISREG(in.st_mode) &&
	    in.st_dev == out.st_dev && in.st_ino == out.st_ino)
		return error_set(e, ERROR_USAGE, "%s is the file that is read", c->output);
	return 0;
}

/* Copies record by record, without making a profile. */
static int convert_data(struct command *c, struct error *e)
{
	struct collapse_result r = { 0 };
	struct recording *copy;
	uint64_t nr_sample;
	int ret;

	if (check_data(c, e))
		return -1;
	copy = recording_new(c->output, e);
	if (!copy)
		return -1;
	c->in.read.copy = copy;
	ret = collapse_read(&c->in, &r, e);
	progress_end(&c->progress);
	nr_sample = recording_nr_sample(copy);
	if (!ret && !nr_sample)
		ret = collapse_nothing(&c->in, e);
	if (ret)
		recording_drop(copy);
	else
		ret = recording_close(copy, e);
	tell(c, &r.p);
	if (!ret)
		tell_size(c, nr_sample);
	collapse_release(&r);
	return ret;
}

/* Other formats, from the profile */

static int convert_folded(struct command *c, struct error *e)
{
	struct collapse_result r;
	int ret;

	c->in.output = c->output;
	ret = collapse(&c->in, &r, e);
	progress_end(&c->progress);
	tell(c, &r.p);
	if (!ret && !r.nr_line)
		ret = collapse_nothing(&c->in, e);
	collapse_release(&r);
	return ret;
}

static int convert_picture(struct command *c, enum flame_format format, struct error *e)
{
	struct flame_output output = { .path = c->output, .format = format };
	struct flame_opts o = { .in = c->in,
				.svg = SVG_OPTS_DEFAULT,
				.shade = SHADE_NAME,
				.output = &output,
				.nr_output = 1,
				.min_pixels = 1 };
	struct flame_result r;
	int ret;

	o.svg.count_name = NULL;
	o.svg.root_on_top = true;
	o.in.read.times = o.in.read.cpus = o.in.read.srcline = true;
	o.in.keeps_events = flame_keeps_events(&output, 1);
	ret = flame(&o, &r, e);
	progress_end(&c->progress);
	if (!ret && r.empty)
		ret = collapse_nothing(&c->in, e);
	tell(c, &r.in.p);
	if (!ret && !c->quiet)
		flame_tell(&o, &r, &output);
	flame_release(&r);
	return ret;
}

static int run(struct command *c, struct error *e)
{
	collapse_watch(&c->in, &c->progress);
	switch (c->format) {
	case FORMAT_SVG:
		return convert_picture(c, FLAME_SVG, e);
	case FORMAT_HTML:
		return convert_picture(c, FLAME_HTML, e);
	case FORMAT_WICK:
		return convert_picture(c, FLAME_WICK, e);
	case FORMAT_FOLDED:
		return convert_folded(c, e);
	case FORMAT_DATA:
		return convert_data(c, e);
	}
	return -1;
}

static int set_files(struct command *c, const struct option_list *operands, struct error *e)
{
	c->in.file = operands->at;
	c->in.nr_file = operands->nr;
	if (!c->in.nr_file)
		return error_set(e, ERROR_USAGE, "no file to convert (- is standard input)");
	if (!c->output)
		return error_set(e, ERROR_USAGE, "nowhere to write: -o FILE is missing");
	if (format_find(c->output, &c->format))
		return 0;
	error_set(e, ERROR_USAGE, "%s: the name of the file does not tell its format", c->output);
	return error_hint(e, "let it end in .data, .wick, .folded, .txt, .svg or .html");
}

int convert_main(int argc, char **argv)
{
	struct command c = { .in = { .read = { .threads = collapse_threads() } } };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&convert_table, &c, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&convert_table);
		return 0;
	}
	if (!ret)
		ret = set_files(&c, &operands, &e) || run(&c, &e) ? -1 : 0;
	option_list_release(&operands);
	return message_result(ret, &e);
}
