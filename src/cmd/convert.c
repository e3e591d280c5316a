#include "cmd/convert.h"
#include "cmd/collapse.h"

#include "cli/messages.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cmd/flame.h"
#include "load/filtering.h"
#include "perf/file/recording.h"
#include "render/number.h"
#include "write/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct command {
	struct load_opts in;
	struct choose_opts choose;
	struct filtering filtering;
	struct progress progress;
	const char *output;
	int to;
	enum format format;
	bool quiet, verbose, list;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "output", 'o', OPTION_STRING, AT(output), "FILE",
	  "output file; the extension (.svg, .html, .wick, .folded, .pb.gz, .data, …) selects the format; - is standard output",
	  0 },
	FORMAT_TO_OPTION(to),
	FORMAT_FROM_OPTION(in.from),
	{ "event", 'e', OPTION_STRING, AT(choose.event), "NAME",
	  "event to convert, or all to add them up [the first; all for .data]", 0 },
	FILTERING_OPTIONS(filtering),
	NAMING_OPTIONS(in.naming),
	{ "threads", 'n', OPTION_UINT, AT(in.read.threads), "N",
	  "number of reader threads [one per CPU]", 0 },
	{ "strict", 0, OPTION_FLAG, AT(in.read.strict), NULL,
	  "stop at the first error in the input", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "print errors only", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list dropped data, with line numbers",
	  0 },
	{ "formats", 0, OPTION_FLAG, AT(list), NULL, "list the formats that wick reads and writes",
	  0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_words values[] = { FORMAT_FROM_WORDS, { 0 } };

const struct option_table convert_table = {
	.usage = "wick convert [options] FILE... -o OUT\n"
		 "       wick convert [options] --to FORMAT FILE...",
	.about =
		"Converts between profile formats.  The extension of OUT, or --to, selects the output format;\n"
		"several files are added up.  Converting perf.data to .data replaces stack copies with call\n"
		"chains, which makes the file about a hundred times smaller.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.words = values,
	.after = FILTERING_AFTER,
};

static enum note_detail how(const struct command *c)
{
	return c->quiet ? NOTES_HIDDEN : c->verbose ? NOTES_EACH : NOTES_SUMMED;
}

/* perf.data */

static bool stat_input(const struct load_opts *in, struct stat *st)
{
	return in->nr_file && strcmp(in->file[0], "-") != 0 && !stat(in->file[0], st);
}

/* "wrote small.data: 1,234 samples, 56.1 KiB of 12.3 MiB" */
static void print_size(const struct load_opts *o, const char *path, uint64_t nr_sample)
{
	struct strbuf text = { 0 };
	struct stat in, out;

	if (stat(path, &out))
		return;
	number_add_count(&text, (double)nr_sample, SPAN("samples"));
	strbuf_add(&text, SPAN(", "));
	number_add_count(&text, (double)out.st_size, SPAN("bytes"));
	if (stat_input(o, &in) && S_ISREG(in.st_mode)) {
		strbuf_add(&text, SPAN(" of "));
		number_add_count(&text, (double)in.st_size, SPAN("bytes"));
	}
	message("wrote %s: %s", path, text.at);
	strbuf_release(&text);
}

static int check_data(const struct load_opts *o, const struct choose_opts *choose, const char *path,
		      struct error *e)
{
	struct stat in, out;

	if (o->nr_file > 1)
		return error_set(e, ERROR_USAGE,
				 "%s: cannot add up several recordings in a perf.data file", path);
	if (choose->filter)
		return error_set(e, ERROR_USAGE, "%s: a perf.data file cannot be filtered", path);
	if (stat_input(o, &in) && !stat(path, &out) && S_ISREG(in.st_mode) &&
	    in.st_dev == out.st_dev && in.st_ino == out.st_ino)
		return error_set(e, ERROR_USAGE, "%s is both input and output", path);
	return format_check_data(path, e);
}

int convert_data(const struct load_opts *in, const struct choose_opts *choose, const char *path,
		 struct progress *progress, enum note_detail how, struct error *e)
{
	struct load_opts o = *in;
	struct load_result r = { 0 };
	struct recording *copy;
	uint64_t nr_sample;
	int ret;

	if (check_data(in, choose, path, e))
		return -1;
	copy = recording_new(path, e);
	if (!copy)
		return -1;
	o.read.copy = copy;
	ret = load(&o, &r, e);
	progress_end(progress);
	nr_sample = recording_nr_sample(copy);
	if (!ret && !nr_sample && !recording_has_waits(copy))
		ret = choose_nothing(choose, e);
	if (ret)
		recording_drop(copy);
	else
		ret = recording_close(copy, e);
	print_notes(&r.p, how);
	if (!ret && how != NOTES_HIDDEN)
		print_size(&o, path, nr_sample);
	load_release(&r);
	return ret;
}

/* Other formats, from the profile */

static bool is_empty(const struct profile *p, const struct write_what *what)
{
	bool *in = write_events(what);
	bool empty = true;

	for (size_t i = 0; i < p->nr_count && empty; i++)
		empty = !in[p->count[i].event] || !(p->count[i].stack.i || p->count[i].thread.i);
	free(in);
	return empty;
}

static int convert_profile(struct command *c, struct error *e)
{
	const struct sink to = { .path = c->output, .format = c->format };
	unsigned holds = format_writer(c->format)->holds;
	struct chosen chosen = { 0 };
	struct write_what what;
	struct load_result r;
	int ret;

	c->in.read.times = holds & HOLDS_TIMES;
	c->in.read.cpus = holds & (HOLDS_LABELS | HOLDS_CPUS);
	c->in.read.srcline = holds & HOLDS_LINES;
	c->choose.keeps_events = format_shows_all(c->format);
	c->choose.loses_waits = sinks_lose_events(&to, 1);
	ret = load(&c->in, &r, e) || choose_events(&c->choose, &r.p, &r.hints, &chosen, e) ? -1 : 0;
	progress_end(&c->progress);
	if (!ret) {
		what = sink_what(&r.p, &chosen, c->choose.event);
		ret = is_empty(&r.p, &what) ? choose_nothing(&c->choose, e)
					    : sink_write(&to, &what, e);
	}
	print_notes(&r.p, how(c));
	if (!ret && !c->quiet)
		print_lost(c->output, c->format, &r.p);
	chosen_release(&chosen);
	load_release(&r);
	return ret;
}

static int convert_picture(struct command *c, struct error *e)
{
	const struct sink to = { .path = c->output, .format = c->format };
	struct flame_opts o = { .in = c->in,
				.choose = c->choose,
				.draw = DRAW_OPTS_DEFAULT,
				.output = &to,
				.nr_output = 1 };
	struct flame_result r;
	int ret;

	o.in.read.times = o.in.read.cpus = o.in.read.srcline = true;
	o.choose.keeps_events = sinks_keep_events(&to, 1);
	ret = flame(&o, &r, e);
	progress_end(&c->progress);
	if (!ret && r.drawn.empty)
		ret = choose_nothing(&c->choose, e);
	print_notes(&r.in.p, how(c));
	if (!ret && !c->quiet)
		flame_print_written(&to, &r.draw, &r.in.p, &r.drawn);
	flame_release(&r);
	return ret;
}

static int run(struct command *c, struct error *e)
{
	load_watch(&c->in, &c->progress);
	if (format_is_copied(c->format))
		return convert_data(&c->in, &c->choose, c->output, &c->progress, how(c), e);
	return format_is_picture(c->format) ? convert_picture(c, e) : convert_profile(c, e);
}

static int set_files(struct command *c, const struct option_list *operands, struct error *e)
{
	c->in.file = operands->at;
	c->in.nr_file = operands->nr;
	if (!c->in.nr_file)
		return error_set(e, ERROR_USAGE, "no input file given (- is standard input)");
	if (!c->output && c->to == FORMAT_BY_NAME)
		return error_set(e, ERROR_USAGE,
				 "no output given: expected -o FILE or --to FORMAT");
	if (!c->output)
		c->output = "-";
	if (filtering_parse(&c->filtering, &c->choose.filter, e))
		return -1;
	c->in.read.ticks = c->filtering.time;
	return format_choose(c->output, c->to, FORMAT_BY_NAME, &c->format, e);
}

static void list_formats(void)
{
	printf("Read:\n");
	format_list_read();
	printf("\nWritten:\n");
	format_list_written();
}

int convert_main(int argc, char **argv)
{
	struct command c = { .in = { .read = { .threads = load_threads() } },
			     .to = FORMAT_BY_NAME };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&convert_table, &c, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&convert_table);
		return 0;
	}
	if (!ret && c.list) {
		list_formats();
		return 0;
	}
	if (!ret)
		ret = set_files(&c, &operands, &e) || run(&c, &e) ? -1 : 0;
	option_list_release(&operands);
	filtering_release(&c.filtering);
	return message_result(ret, &e);
}
