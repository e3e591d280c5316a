#include "cmd/record.h"

#include "base/alloc.h"
#include "base/output.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/capture.h"
#include "cmd/flame.h"
#include "cmd/formats.h"
#include "cmd/outputs.h"
#include "cmd/record_tell.h"
#include "cmd/tell.h"
#include "export/folded.h"
#include "profile/spelling.h"
#include "record/events.h"
#include "record/targets.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

struct record_output {
	struct output_file file;
	enum format format;
};

struct command {
	struct capture_opts o;
	struct flame_opts flame;
	/* As they were given */
	struct option_list output, argv, event, pid, tid;
	const char *cpu, *cgroup, *call_graph, *duration, *delay, *frames;
	unsigned frequency, runs;
	double count;
	bool all, children, no_time, per_thread, merge_threads;
	bool quiet, verbose;
	/* What comes of them */
	struct record_output *outputs;
	size_t nr_output;
	const char **command; /* with a NULL behind */
	struct events events;
	struct targets targets;
	int *cpus;
	struct record_line line;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "output", 'o', OPTION_LIST, AT(output), "FILE",
	  "write there: FILE.svg, .html, .wick, .folded or .data; may be given several times [flamegraph.svg]",
	  0 },
	{ "pid", 'p', OPTION_LIST, AT(pid), "PID|NAME,...",
	  "these processes, which run already, with all their threads", 0 },
	{ "children", 0, OPTION_FLAG, AT(children), NULL, "and all that they start", 0 },
	{ "tid", 't', OPTION_LIST, AT(tid), "TID,...", "these threads", 0 },
	{ "all", 'a', OPTION_FLAG, AT(all), NULL, "everything that runs on this machine", 0 },
	{ "cpu", 'C', OPTION_STRING, AT(cpu), "LIST", "what runs on these processors: 0-3,5", 0 },
	{ "cgroup", 0, OPTION_STRING, AT(cgroup), "PATH",
	  "what runs in this control group: its path below /sys/fs/cgroup", 0 },
	{ "duration", 'd', OPTION_STRING, AT(duration), "TIME",
	  "end after so many seconds (or 500ms, 2m)", 0 },
	{ "delay", 0, OPTION_STRING, AT(delay), "TIME", "begin after that long", 0 },
	{ "signal", 0, OPTION_FLAG, AT(o.by_signal), NULL,
	  "begin, pause and go on when wick is sent SIGUSR2", 0 },
	{ "runs", 0, OPTION_UINT, AT(runs), "N", "run the command N times, and add up [1]", 0 },
	{ "event", 'e', OPTION_LIST, AT(event), "EVENT,...",
	  "what to take samples of: cycles, cpu-clock, page-faults, LLC-load-misses, r1a8, sched:sched_switch, uprobe:FILE:FUNCTION, …; :u or :k behind [cycles]",
	  0 },
	{ "freq", 'F', OPTION_UINT, AT(frequency), "HZ", "samples a second [997]", 0 },
	{ "count", 'c', OPTION_NUMBER, AT(count), "N", "instead: one sample each N events", 0 },
	{ "call-graph", 0, OPTION_STRING, AT(call_graph), "HOW",
	  "auto (a copy of the stack, followed by wick, and where it is too short frame pointers), dwarf,SIZE (only the copy, of that many bytes), fp (only frame pointers) or lbr [auto]",
	  0 },
	{ "per-thread", 0, OPTION_FLAG, AT(per_thread), NULL, "each thread has stacks of its own",
	  0 },
	{ "merge-threads", 0, OPTION_FLAG, AT(merge_threads), NULL,
	  "stacks begin with functions, not with threads", 0 },
	{ "frames", 0, OPTION_STRING, AT(frames), "pid,tid",
	  "stacks begin with the number of the process, or thread, or both", 0 },
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
	.usage =
		"wick record [options] [-o OUT] [--] COMMAND...\n"
		"       wick record [options] [-o OUT] -p PID|-t TID|-a|-C LIST|--cgroup PATH [[--] COMMAND...]",
	.about =
		"Runs the command and draws where its time goes: stacks of all its threads and of all\n"
		"that it starts, followed to their roots without frame pointers, from its first instruction\n"
		"on.  The exit status is the command's own.  Others are recorded until they end, until\n"
		"Ctrl-C, or as long as the command runs.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.command = true,
};

/* Outputs */

static int set_output(struct record_output *to, const char *path, struct error *e)
{
	to->format = FORMAT_SVG;
	if (strcmp(path, "-") != 0 && !format_find(path, &to->format)) {
		error_set(e, ERROR_USAGE, "%s: the name of the file does not tell its format",
			  path);
		return error_hint(e, "let it end in .svg, .html, .wick, .folded or .data");
	}
	return output_file_open(&to->file, path, e);
}

/* What is written while it is recorded. */
static int open_data(struct command *c, struct record_output *to, struct error *e)
{
	if (c->o.data)
		return error_set(e, ERROR_USAGE, "a recording is written to one .data file");
	if (c->runs > 1)
		return error_set(e, ERROR_USAGE, "a .data file is of one run");
	c->o.data = recording_new(to->file.beside, e);
	return c->o.data ? 0 : -1;
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
	for (size_t i = 0; i < nr; i++)
		if (c->outputs[i].format == FORMAT_DATA && open_data(c, &c->outputs[i], e))
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
			 enum flame_format format, struct flame_result *r,
			 const struct chosen *chosen, struct error *e)
{
	struct flame_output one = { .path = to->file.beside, .format = format };
	struct flame_opts o = c->flame;

	o.output = &one;
	o.nr_output = 1;
	free(r->unit);
	r->unit = NULL;
	return flame_draw(&o, r, chosen, e);
}

static int finish_data(struct command *c, struct error *e)
{
	struct recording *data = c->o.data;

	c->o.data = NULL;
	return recording_close(data, e);
}

static int write_output(struct command *c, const struct record_output *to, struct flame_result *r,
			const struct chosen *chosen, struct error *e)
{
	switch (to->format) {
	case FORMAT_SVG:
		return write_picture(c, to, FLAME_SVG, r, chosen, e);
	case FORMAT_HTML:
		return write_picture(c, to, FLAME_HTML, r, chosen, e);
	case FORMAT_WICK:
		return write_picture(c, to, FLAME_WICK, r, chosen, e);
	case FORMAT_FOLDED:
		return write_folded(to, &r->in.p, chosen, e);
	case FORMAT_DATA:
		return finish_data(c, e);
	}
	return -1;
}

static int write_outputs(struct command *c, struct flame_result *r, struct error *e)
{
	struct chosen chosen;
	int ret = collapse_choose(&c->flame.in, &r->in, &chosen, e);

	if (ret)
		return -1;
	for (size_t i = 0; i < c->nr_output && !ret; i++) {
		struct record_output *to = &c->outputs[i];

		ret = write_output(c, to, r, &chosen, e);
		if (!ret)
			ret = output_file_finish(&to->file, e);
	}
	chosen_release(&chosen);
	return ret;
}

/* Running */

/* People see what was done; a pipe only what is wrong. */
static void tell(const struct command *c, const struct capture *g)
{
	bool person = isatty(STDERR_FILENO) || c->verbose;

	if (c->quiet)
		return;
	if (person)
		record_tell_samples(g);
	record_tell_given_up(g);
	tell_notes(&g->p, c->verbose ? TELL_EACH : TELL_SUM);
	for (size_t i = 0; i < c->nr_output && person; i++)
		if (strcmp(c->outputs[i].file.path, "-") != 0)
			message("wrote %s", c->outputs[i].file.path);
}

/* The profile is drawn where it is, and stays the capture's. */
static int write_capture(struct command *c, struct capture *g, struct error *e)
{
	struct flame_result r = { .in = { .spelling = SPELL_THREAD } };
	int ret;

	if (!g->nr_sample)
		return record_nothing(g, e);
	capture_name(g, &c->o);
	r.in.p = g->p;
	ret = write_outputs(c, &r, e);
	g->p = r.in.p;
	free(r.unit);
	return ret;
}

static int record_runs(struct command *c, struct capture *g, struct error *e)
{
	int ret = 0;

	for (unsigned i = 0; i < c->runs && !ret && !g->interrupted; i++) {
		ret = capture_run(g, &c->o, e);
		/* One that does not end by itself is not run again. */
		if (g->ran && g->launch.status > 128)
			break;
		if (i + 1 < c->runs)
			capture_wait(g);
	}
	record_line_end(&c->line);
	return ret;
}

/* The status to exit with: the command's, if there is one that ran. */
static int run(struct command *c, struct error *e)
{
	struct capture g;
	int ret, status;

	capture_init(&g);
	c->line.on = !c->o.command && !c->quiet && isatty(STDERR_FILENO);
	ret = record_runs(c, &g, e);
	if (!ret)
		ret = write_capture(c, &g, e);
	if (!ret)
		tell(c, &g);
	else
		message_error(e);
	capture_wait(&g);
	status = g.ran ? g.launch.status : 0;
	if (ret && !g.ran)
		status = c->o.command ? g.launch.status : message_status(e);
	capture_release(&g);
	return status;
}

/* Options */

/* "10", "1.5s", "500ms", "2m" */
static int parse_time(const char *option, const char *text, uint64_t *ns, struct error *e)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "h", 3600e9 }, { "", 1e9 } };
	struct span s = span_of(text);
	double value;
	size_t i = 0;

	while (!span_ends(s, units[i].name))
		i++;
	s.size -= strlen(units[i].name);
	if (!span_double(s, &value) || !(value >= 0 && value * units[i].ns < 1e18))
		return error_set(e, ERROR_USAGE, "%s: '%s' is no time, like 10, 1.5s or 500ms",
				 option, text);
	*ns = (uint64_t)(value * units[i].ns);
	return 0;
}

static int set_times(struct command *c, struct error *e)
{
	if (c->duration && parse_time("--duration", c->duration, &c->o.duration, e))
		return -1;
	if (c->delay && parse_time("--delay", c->delay, &c->o.delay, e))
		return -1;
	if (c->delay && c->o.by_signal)
		return error_set(e, ERROR_USAGE, "--delay and --signal: it is one or the other");
	c->o.times = !c->no_time;
	return 0;
}

static int set_call_graph(struct sampling *s, const char *how, struct error *e)
{
	struct span text = span_of(how);
	uint64_t size = STACK_COPY_DEFAULT;

	s->calls = span_is(text, "auto") ? CALLS_AUTO : CALLS_COPY;
	if (span_is(text, "fp"))
		s->calls = CALLS_FRAME_POINTERS;
	else if (span_is(text, "lbr"))
		s->calls = CALLS_BRANCHES;
	else if (span_starts(text, "dwarf,") && !span_u64(span_from(text, 6), &size))
		size = 0;
	else if (!span_is(text, "auto") && !span_is(text, "dwarf") && !span_starts(text, "dwarf,"))
		return error_set(e, ERROR_USAGE,
				 "--call-graph: '%s' is none of auto, dwarf, fp, lbr", how);
	if (size < 8 || size > STACK_COPY_MAX)
		return error_set(e, ERROR_USAGE, "--call-graph: a copy has 8 to %d bytes",
				 STACK_COPY_MAX);
	s->copy_size = (uint32_t)size & ~7U;
	return 0;
}

static bool find_function(struct span path, struct span function, uint64_t *offset)
{
	struct naming_files files;
	bool found;

	naming_files_init(&files, &(struct naming){ 0 });
	found = image_function(path, function, &files.image, offset);
	naming_files_release(&files);
	return found;
}

static int set_events(struct command *c, struct error *e)
{
	for (size_t i = 0; i < c->event.nr; i++)
		if (events_add(&c->events, span_of(c->event.at[i]), find_function, e))
			return -1;
	if (!c->event.nr)
		events_add_default(&c->events);
	if (!isnan(c->count) && !(c->count >= 1 && c->count < 1e18))
		return error_set(e, ERROR_USAGE, "--count: it is 1 or more");
	for (size_t i = 0; i < c->events.nr && !isnan(c->count); i++)
		c->events.event[i].count = (uint64_t)c->count;
	if (!c->frequency)
		return error_set(e, ERROR_USAGE, "--freq: it is 1 or more");
	c->o.sampling.event = c->events.event;
	c->o.sampling.nr_event = c->events.nr;
	c->o.sampling.frequency = c->frequency;
	return set_call_graph(&c->o.sampling, c->call_graph ? c->call_graph : "auto", e);
}

/* Where control groups are that events know, in the order of asking; or the path is whole. */
static int open_cgroup(const char *path, struct error *e)
{
	static const char *const folders[] = { "/sys/fs/cgroup/perf_event/", "/sys/fs/cgroup/",
					       "/sys/fs/cgroup/unified/", "" };
	struct strbuf full = { 0 };
	int fd = -1;

	for (size_t i = 0; i < ARRAY_SIZE(folders) && fd < 0; i++) {
		strbuf_reset(&full);
		strbuf_addf(&full, "%s%s", folders[i], path);
		fd = open(full.at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (fd < 0)
		error_sys(e, "--cgroup: %s", path);
	strbuf_release(&full);
	return fd;
}

/* Whose: at most one way to say it. */
static int set_others(struct command *c, struct error *e)
{
	struct sampling *s = &c->o.sampling;
	int ways = !!c->pid.nr + !!c->tid.nr + c->all + (c->cgroup != NULL);

	if (ways > 1)
		return error_set(e, ERROR_USAGE, "-p, -t, -a and --cgroup: it is one of them");
	for (size_t i = 0; i < c->pid.nr; i++)
		if (targets_add_processes(&c->targets, span_of(c->pid.at[i]), e))
			return -1;
	for (size_t i = 0; i < c->tid.nr; i++)
		if (targets_add_threads(&c->targets, span_of(c->tid.at[i]), e))
			return -1;
	if (c->children)
		targets_add_children(&c->targets);
	s->follow = c->children ? FOLLOW_ALL : c->tid.nr ? FOLLOW_NONE : FOLLOW_THREADS;
	s->task = c->targets.task;
	s->nr_task = c->targets.nr_task;
	c->o.process = c->targets.process;
	c->o.nr_process = c->targets.nr_process;
	c->o.until_gone = c->tid.nr && s->nr_task == 1;
	if (c->cpu && processors_parse(span_of(c->cpu), &c->cpus, &s->nr_cpu, e))
		return -1;
	s->cpu = c->cpus;
	s->cgroup = -1;
	if (c->cgroup)
		s->cgroup = open_cgroup(c->cgroup, e);
	return c->cgroup && s->cgroup < 0 ? -1 : 0;
}

static int set_targets(struct command *c, struct error *e)
{
	bool others = c->pid.nr || c->tid.nr || c->all || c->cgroup || c->cpu;

	if (!others && !c->argv.nr) {
		error_set(e, ERROR_USAGE, "what shall be recorded?");
		return error_hint(e, "wick record COMMAND..., or -p PID, or -a");
	}
	if (c->argv.nr) {
		c->command = xcalloc(c->argv.nr + 1, sizeof(*c->command));
		memcpy(c->command, c->argv.at, c->argv.nr * sizeof(*c->command));
		c->o.command = c->command;
	}
	if (set_others(c, e))
		return -1;
	if (!others) {
		c->o.sampling.on_exec = true;
		c->o.sampling.follow = FOLLOW_ALL;
	}
	if (!c->runs || (c->runs > 1 && !c->o.command))
		return error_set(e, ERROR_USAGE, "--runs: a command can be run 1 or more times");
	return 0;
}

static int set_spelling(struct command *c, struct error *e)
{
	struct collapse_opts *o = &c->flame.in;

	if (c->per_thread && c->merge_threads)
		return error_set(e, ERROR_USAGE,
				 "--per-thread and --merge-threads: it is one or the other");
	if (c->per_thread)
		o->spell = SPELL_PID | SPELL_TID;
	if (c->merge_threads)
		o->spell_not = SPELL_THREAD;
	if (!c->frames)
		return 0;
	o->spell |= SPELL_ID_FRAMES;
	if (!strcmp(c->frames, "pid"))
		o->spell |= SPELL_PID;
	else if (!strcmp(c->frames, "tid"))
		o->spell |= SPELL_TID;
	else if (!strcmp(c->frames, "pid,tid"))
		o->spell |= SPELL_PID | SPELL_TID;
	else
		return error_set(e, ERROR_USAGE, "--frames: '%s' is none of pid, tid, pid,tid",
				 c->frames);
	return 0;
}

static int set_opts(struct command *c, struct error *e)
{
	c->o.threads = collapse_threads();
	c->o.tick = record_line_show;
	c->o.tick_arg = &c->line;
	return set_times(c, e) || set_spelling(c, e) || set_events(c, e) || set_targets(c, e) ||
			       set_outputs(c, e)
		       ? -1
		       : 0;
}

static void release(struct command *c)
{
	if (c->o.data)
		recording_drop(c->o.data);
	for (size_t i = 0; i < c->nr_output; i++)
		output_file_close(&c->outputs[i].file);
	if (c->cgroup && c->o.sampling.cgroup > 0)
		close(c->o.sampling.cgroup);
	free(c->outputs);
	free(c->command);
	free(c->cpus);
	events_release(&c->events);
	targets_release(&c->targets);
	option_list_release(&c->argv);
	option_list_release(&c->output);
	option_list_release(&c->event);
	option_list_release(&c->pid);
	option_list_release(&c->tid);
}

int record_main(int argc, char **argv)
{
	struct command c = {
		.flame = { .svg = SVG_OPTS_DEFAULT, .shade = SHADE_NAME, .min_pixels = 1 },
		.frequency = FREQUENCY_DEFAULT,
		.runs = 1,
		.count = NAN
	};
	struct error e = ERROR_INIT;
	int ret;

	c.flame.svg.count_name = NULL;
	c.flame.svg.root_on_top = true;
	ret = options_parse(&table, &c, argc, argv, &c.argv, &e);
	if (ret > 0) {
		options_help(&table);
		ret = 0;
	} else if (ret || set_opts(&c, &e)) {
		message_error(&e);
		ret = e.kind != ERROR_USAGE && c.argv.nr ? STATUS_OWN : message_status(&e);
	} else {
		ret = run(&c, &e);
	}
	release(&c);
	return ret;
}
