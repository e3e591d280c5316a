#include "cmd/record.h"

#include "base/alloc.h"
#include "base/output.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/capture.h"
#include "cmd/flame.h"
#include "cmd/outputs.h"
#include "cmd/tell.h"
#include "export/folded.h"
#include "profile/spelling.h"
#include "render/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum record_format { RECORD_PICTURE, RECORD_FOLDED };

struct record_output {
	struct output_file file;
	enum record_format format;
	enum flame_format picture;
};

struct command {
	struct capture_opts o;
	struct flame_opts flame;
	struct option_list output, argv;
	const char **command; /* the same, with a NULL behind */
	struct record_output *outputs;
	size_t nr_output;
	unsigned frequency;
	bool quiet, verbose, no_time;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "output", 'o', OPTION_LIST, AT(output), "FILE",
	  "write there: FILE.svg, .html, .wick or .folded; may be given several times [flamegraph.svg]",
	  0 },
	{ "freq", 'F', OPTION_UINT, AT(frequency), "HZ", "samples a second [997]", 0 },
	{ "no-time", 0, OPTION_FLAG, AT(no_time), NULL, "do not keep when each sample was taken",
	  0 },
	{ "title", 0, OPTION_STRING, AT(flame.svg.title), "TEXT", "over the picture [Flame Graph]",
	  0 },
	{ "subtitle", 0, OPTION_STRING, AT(flame.svg.subtitle), "TEXT", "below the title", 0 },
	NAMING_OPTIONS(o.naming),
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "say nothing but errors", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list what is missing", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

static const struct option_table table = {
	.usage = "wick record [options] [-o OUT] [--] COMMAND...",
	.about =
		"Runs the command and draws where its time goes: stacks of all its threads and of all\n"
		"that it starts, followed to their roots without frame pointers, from its first instruction\n"
		"on.  The exit status is the command's own.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.command = true,
};

/* Outputs */

static int set_output(struct record_output *to, const char *path, struct error *e)
{
	struct span name = span_of(path);

	if (span_ends(name, ".folded") || span_ends(name, ".txt")) {
		to->format = RECORD_FOLDED;
	} else if (strcmp(path, "-") != 0 && !flame_format_find(path, &to->picture)) {
		error_set(e, ERROR_USAGE, "%s: the name of the file does not tell its format",
			  path);
		return error_hint(e, "let it end in .svg, .html, .wick or .folded");
	}
	return output_file_open(&to->file, path, e);
}

static int set_outputs(struct command *c, struct error *e)
{
	static const char *const by_default[] = { "flamegraph.svg" };
	const char *const *path = c->output.nr ? c->output.at : by_default;
	size_t nr = c->output.nr ? c->output.nr : 1;

	if (flame_paths_check(path, nr, e))
		return -1;
	c->outputs = xcalloc(nr, sizeof(*c->outputs));
	for (; c->nr_output < nr; c->nr_output++)
		if (set_output(&c->outputs[c->nr_output], path[c->nr_output], e))
			return -1;
	return 0;
}

static int write_folded(const struct record_output *to, const struct profile *p,
			const struct chosen *chosen, struct error *e)
{
	struct folded_opts f = { .spelling = chosen->spelling,
				 .samples = chosen->samples,
				 .nr_column = 1,
				 .in = { chosen->in[0] } };
	struct output out;

	if (output_open(&out, to->file.beside, e))
		return -1;
	folded_write(&out, p, &f);
	return output_close(&out, e);
}

static int write_picture(const struct command *c, const struct record_output *to,
			 struct flame_result *r, const struct chosen *chosen, struct error *e)
{
	struct flame_output one = { .path = to->file.beside, .format = to->picture };
	struct flame_opts o = c->flame;

	o.output = &one;
	o.nr_output = 1;
	free(r->unit);
	r->unit = NULL;
	return flame_draw(&o, r, chosen, e);
}

static int write_outputs(struct command *c, struct flame_result *r, struct error *e)
{
	struct chosen chosen;
	int ret = collapse_choose(&c->flame.in, &r->in, &chosen, e);

	if (ret)
		return -1;
	for (size_t i = 0; i < c->nr_output && !ret; i++) {
		struct record_output *to = &c->outputs[i];

		ret = to->format == RECORD_FOLDED ? write_folded(to, &r->in.p, &chosen, e)
						  : write_picture(c, to, r, &chosen, e);
		if (!ret)
			ret = output_file_finish(&to->file, e);
	}
	chosen_release(&chosen);
	return ret;
}

/* Telling */

static void tell_given_up(const struct capture *g)
{
	if (g->frequency)
		message("%u samples a second: the kernel allows no more (sysctl kernel.perf_event_max_sample_rate)",
			g->frequency);
	if (g->user_only)
		message("only the program's own code, not the kernel's, may be recorded; as root, or after `sudo sysctl kernel.perf_event_paranoid=1`, both are");
}

/* "1 234 samples of cpu-clock in 1.25 s (there is no hardware counter), 3 lost" */
static void tell_recorded(const struct capture *g)
{
	struct span event = profile_peek(&g->p, g->p.event[0].name);
	struct strbuf text = { 0 };

	number_add_count(&text, (double)g->nr_sample,
			 g->nr_sample == 1 ? SPAN("sample") : SPAN("samples"));
	strbuf_addf(&text, " of %.*s in ", (int)event.size, event.at);
	number_add_count(&text, (double)g->time, SPAN("ns"));
	if (g->clock_only)
		strbuf_add(&text, SPAN(" (there is no counter of cycles here)"));
	message("%s", text.at);
	strbuf_release(&text);
}

/* People see what was done; a pipe only what is wrong. */
static void tell(const struct command *c, const struct capture *g, const struct flame_result *r)
{
	bool person = isatty(STDERR_FILENO) || c->verbose;

	if (c->quiet)
		return;
	if (person)
		tell_recorded(g);
	tell_given_up(g);
	tell_notes(&r->in.p, c->verbose ? TELL_EACH : TELL_SUM);
	for (size_t i = 0; i < c->nr_output && person; i++)
		if (strcmp(c->outputs[i].file.path, "-") != 0)
			message("wrote %s", c->outputs[i].file.path);
}

static int nothing(const struct capture *g, struct error *e)
{
	struct strbuf text = { 0 };

	number_add_count(&text, (double)g->time, SPAN("ns"));
	error_set(e, ERROR_INPUT, "no samples: it ran for %s, and hardly used a processor",
		  text.at);
	strbuf_release(&text);
	return error_hint(e, "more samples a second with -F; nothing was written");
}

/* The command */

/* 0 or the command's status; -1: it is ours. */
static int run(struct command *c, struct error *e)
{
	struct flame_result r = { 0 };
	struct capture g;
	int ret, status;

	ret = capture(&c->o, &g, e);
	r.in.p = g.p;
	g.p = (struct profile){ 0 };
	r.in.spelling = SPELL_THREAD;
	if (!ret && !g.nr_sample)
		ret = nothing(&g, e);
	if (!ret)
		ret = write_outputs(c, &r, e);
	g.p = r.in.p;
	if (!ret)
		tell(c, &g, &r);
	else
		message_error(e);
	capture_wait(&g);
	status = g.ran ? g.launch.status : ret ? g.launch.status : 0;
	r.in.p = (struct profile){ 0 };
	free(r.unit);
	capture_release(&g);
	return status;
}

static void set_sampling(struct command *c)
{
	static const struct sampled cycles = { .type = PERF_TYPE_HARDWARE,
					       .config = PERF_COUNT_HW_CPU_CYCLES,
					       .or_clock = true };

	c->command = xcalloc(c->argv.nr + 1, sizeof(*c->command));
	memcpy(c->command, c->argv.at, c->argv.nr * sizeof(*c->command));
	c->o.command = c->command;
	c->o.threads = collapse_threads();
	c->o.times = !c->no_time;
	c->o.sampling = (struct sampling){ .event = &cycles,
					   .nr_event = 1,
					   .frequency = c->frequency,
					   .copy_size = STACK_COPY_DEFAULT,
					   .follow = FOLLOW_ALL,
					   .cgroup = -1,
					   .on_exec = true };
}

int record_main(int argc, char **argv)
{
	struct command c = { .flame = { .svg = SVG_OPTS_DEFAULT, .shade = SHADE_NAME },
			     .frequency = FREQUENCY_DEFAULT };
	struct error e = ERROR_INIT;
	int ret;

	c.flame.svg.count_name = NULL;
	c.flame.svg.root_on_top = true;
	c.flame.min_pixels = 1;
	ret = options_parse(&table, &c, argc, argv, &c.argv, &e);
	if (ret > 0) {
		options_help(&table);
		return 0;
	}
	if (!ret && !c.argv.nr)
		ret = error_set(&e, ERROR_USAGE, "what shall be recorded? wick record COMMAND...");
	if (!ret)
		ret = set_outputs(&c, &e);
	if (!ret) {
		set_sampling(&c);
		ret = run(&c, &e);
	} else {
		message_error(&e);
		ret = e.kind == ERROR_USAGE ? 2 : STATUS_OWN;
	}
	for (size_t i = 0; i < c.nr_output; i++)
		output_file_close(&c.outputs[i].file);
	free(c.outputs);
	free(c.command);
	option_list_release(&c.argv);
	option_list_release(&c.output);
	return ret;
}
