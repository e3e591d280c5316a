/*
 * flamegraph (of flamegraph-rs): a command or processes in, an SVG out.  wick
 * records by itself; with --cmd, or PERF in the environment, perf does.
 */
#include "dropin/flamegraph_rs.h"
#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/record_job.h"
#include "dropin/dropin.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define AT(field) offsetof(struct flamegraph_rs, field)

static const struct option options[] = {
	{ "pid", 'p', OPTION_LIST, AT(pid), "PID,...", "record these processes", 0 },
	{ "perfdata", 0, OPTION_STRING, AT(perfdata), "FILE", "draw what perf recorded before", 0 },
	{ "completions", 0, OPTION_STRING, AT(completions), "SHELL",
	  "print what completes this command line in bash, zsh or fish", 0 },
	{ "output", 'o', OPTION_STRING, AT(output), "FILE", "write there [flamegraph.svg]", 0 },
	{ "open", 0, OPTION_FLAG, AT(open), NULL, "open the picture when it is done", 0 },
	{ "root", 0, OPTION_MAYBE, AT(root), "=SUDO FLAGS", "record as root, through sudo", 0 },
	{ "freq", 'F', OPTION_UINT, AT(freq), "HZ", "samples a second [997]", 0 },
	{ "compression-level", 'z', OPTION_MAYBE, AT(compression), "=LEVEL",
	  "of the file that perf writes, with --cmd or PERF", 0 },
	{ "cmd", 'c', OPTION_STRING, AT(cmd), "WORDS", "let perf record, with these words", 0 },
	{ "title", 0, OPTION_STRING, AT(job.flame.svg.title), "STRING", "[Flame Graph]", 0 },
	{ "subtitle", 0, OPTION_STRING, AT(job.flame.svg.subtitle), "STRING", "below the title",
	  0 },
	{ "deterministic", 0, OPTION_FLAG, AT(deterministic), NULL, "colors by the name", 0 },
	{ "inverted", 'i', OPTION_FLAG, AT(job.flame.svg.root_on_top), NULL, "root on top", 0 },
	{ "reverse", 0, OPTION_FLAG, AT(job.flame.reverse), NULL, "from the leaf", 0 },
	{ "notes", 0, OPTION_STRING, AT(job.flame.svg.notes), "STRING", "kept in the file", 0 },
	{ "min-width", 0, OPTION_NUMBER, AT(job.flame.min_percent), "FLOAT",
	  "leave out what is less than this percentage [0.01]", 0 },
	{ "image-width", 0, OPTION_UINT, AT(job.flame.svg.width), "UINT",
	  "of the image [as the window]", 0 },
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

static const struct option_table table = {
	.usage = "flamegraph [OPTIONS] [--] COMMAND...",
	.about = "Runs a command and draws where its time goes, as a flame graph.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.command = true,
};

static int tell_usage(const struct error *e)
{
	fprintf(stderr, "error: %s\n\nUsage: %s\n\nFor more information, try '--help'.\n", e->text,
		table.usage);
	return 2;
}

static int tell_error(const struct error *e)
{
	fprintf(stderr, "Error: %s\n", e->text);
	if (e->hint[0])
		fprintf(stderr, "hint: %s\n", e->hint);
	return 1;
}

/* Before it is there, so that a long wait has a name. */
static void tell_writing(const char *path)
{
	printf("writing flamegraph to \"%s\"\n", path);
	fflush(stdout);
}

static int check(struct flamegraph_rs *f, struct error *e)
{
	struct flame_opts *o = &f->job.flame;

	if (f->pid.nr && f->perfdata)
		return error_set(
			e, ERROR_USAGE,
			"the argument '--perfdata <FILE>' cannot be used with '--pid <PID>'");
	if (o->chart && o->reverse)
		return error_set(e, ERROR_USAGE,
				 "the argument '--flamechart' cannot be used with '--reverse'");
	if (f->palette &&
	    (!palette_find(span_of(f->palette), &o->palette) || o->palette == PALETTE_CHAIN))
		return error_set(e, ERROR_USAGE, "invalid value '%s' for '--palette <PALETTE>'",
				 f->palette);
	if (f->cmd && f->freq)
		return error_set(e, ERROR_INPUT,
				 "Cannot pass both a custom command and a frequency.");
	if (f->pid.nr && f->argv.nr)
		return error_set(e, ERROR_INPUT, "cannot pass in command with --pid");
	if (!f->pid.nr && !f->argv.nr && !f->perfdata)
		return error_set(e, ERROR_INPUT, "no workload given to generate a flamegraph for");
	return 0;
}

/* How inferno draws, which is what the peer calls. */
static void set_look(struct flamegraph_rs *f)
{
	struct flame_opts *o = &f->job.flame;

	o->look = LOOK_PEER;
	o->order = TREE_NAME;
	o->min_pixels = 0;
	if (f->deterministic)
		o->shade = SHADE_NAME;
	o->svg.rounded = true;
	o->svg.cut_left = true;
	o->svg.name_type = "Function:";
	o->svg.search_color = "#e600e6";
	o->svg.count_name = "samples";
	o->in.read.threads = collapse_threads();
	o->in.read.ticks = o->chart;
	o->in.naming = f->job.o.naming;
}

/* Recording by ourselves */

static int set_targets(struct flamegraph_rs *f, struct error *e)
{
	struct record_job *j = &f->job;

	for (size_t i = 0; i < f->pid.nr; i++)
		if (targets_add_processes(&j->targets, span_of(f->pid.at[i]), e))
			return -1;
	j->o.sampling.follow = FOLLOW_ALL;
	j->o.sampling.task = j->targets.task;
	j->o.sampling.nr_task = j->targets.nr_task;
	record_job_targets(j, &f->argv, f->pid.nr ? RECORD_OTHERS : RECORD_COMMAND);
	events_add_default(&j->events);
	if (f->freq) {
		j->o.sampling.frequency = f->freq;
		j->o.sampling.usual = false;
	}
	j->o.times = j->flame.chart;
	return 0;
}

static int record(struct flamegraph_rs *f)
{
	bool text = f->post_process || f->skip_after.nr;
	struct error e = ERROR_INIT;
	struct strbuf path = { 0 };
	const char *output = f->output;
	int status, fd = -1;

	/* What others change on the way is drawn from text. */
	if (text) {
		fd = memfd_create("folded", MFD_CLOEXEC);
		strbuf_addf(&path, "/proc/self/fd/%d", fd);
		output = path.at;
	} else {
		f->job.before = tell_writing;
	}
	if (set_targets(f, &e) || record_job_user(&f->job, &e) ||
	    record_job_outputs(&f->job, &output, 1, &e)) {
		strbuf_release(&path);
		return tell_error(&e);
	}
	if (text)
		f->job.output[0].format = FORMAT_FOLDED;
	status = record_job_run(&f->job, &e);
	if (e.kind == ERROR_NONE && text && flamegraph_rs_text(f, fd, &e)) {
		tell_error(&e);
		status = status ? status : 1;
	}
	if (fd >= 0)
		close(fd);
	strbuf_release(&path);
	f->drawn = e.kind == ERROR_NONE;
	return status;
}

/* What was recorded by perf */

static int draw_file(struct flamegraph_rs *f, const char *file)
{
	const char *const path[] = { file };
	struct error e = ERROR_INIT;
	int fd = -1, ret;

	f->job.flame.in.file = path;
	f->job.flame.in.nr_file = 1;
	if (f->post_process || f->skip_after.nr) {
		fd = memfd_create("folded", MFD_CLOEXEC);
		ret = flamegraph_rs_fold(f, fd, &e) || flamegraph_rs_text(f, fd, &e);
		close(fd);
	} else {
		ret = flamegraph_rs_draw(f, &e);
	}
	f->drawn = !ret;
	return ret ? tell_error(&e) : 0;
}

static int record_by_perf(struct flamegraph_rs *f)
{
	struct error e = ERROR_INIT;
	int status = flamegraph_rs_perf(f, &e);

	if (status < 0)
		return tell_error(&e);
	if (status && access(f->data, R_OK)) {
		error_set(&e, ERROR_SYSTEM, "failed to sample program, exited with code: Some(%d)",
			  status);
		return tell_error(&e);
	}
	return draw_file(f, f->data) ? 1 : status;
}

static int run(struct flamegraph_rs *f, char **argv)
{
	struct error e = ERROR_INIT;
	int status;

	if (f->root && geteuid() && !f->perfdata && !flamegraph_rs_by_perf(f)) {
		flamegraph_rs_sudo(f, argv, &e);
		return tell_error(&e);
	}
	if (f->perfdata)
		status = draw_file(f, f->perfdata);
	else
		status = flamegraph_rs_by_perf(f) ? record_by_perf(f) : record(f);
	if (f->drawn && f->open && flamegraph_rs_open(f->output, &e))
		return tell_error(&e);
	return f->ignore_status && f->drawn ? 0 : status;
}

static int flamegraph_main(const struct dropin *d, int argc, char **argv)
{
	struct flamegraph_rs f = { .output = "flamegraph.svg" };
	struct error e = ERROR_INIT;
	int ret;

	(void)d;
	record_job_init(&f.job);
	f.job.any_name = true;
	f.job.flame.shade = SHADE_RUNNING;
	f.job.flame.svg.root_on_top = false;
	f.job.flame.min_percent = 0.01;
	ret = options_parse(&table, &f, argc, argv, &f.argv, &e);
	if (ret > 0) {
		options_help(&table);
		ret = 0;
	} else if (!ret && f.version) {
		puts("flamegraph (wick)");
	} else if (!ret && f.completions) {
		ret = flamegraph_rs_complete(&table, f.completions, &e) ? tell_usage(&e) : 0;
	} else if (ret || check(&f, &e)) {
		ret = e.kind == ERROR_USAGE ? tell_usage(&e) : tell_error(&e);
	} else {
		set_look(&f);
		ret = run(&f, argv);
	}
	record_job_release(&f.job);
	free(f.data);
	option_list_release(&f.argv);
	option_list_release(&f.pid);
	option_list_release(&f.skip_after);
	return ret;
}

const struct dropin dropins_flamegraph_rs[] = {
	{ "flamegraph", flamegraph_main, NULL },
	{ 0 },
};
