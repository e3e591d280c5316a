#include "cmd/record/record.h"

#include "base/alloc.h"
#include "cli/duration.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/record/record_job.h"
#include "profile/spelling.h"
#include "record/priority.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define FREQ_NOT_GIVEN UINT32_MAX

struct command {
	struct record_job job;
	/* Options as they were given */
	struct option_list output, argv, event, pid, tid;
	const char *cpu, *cgroup, *call_graph, *duration, *delay, *frames, *memory;
	double count;
	unsigned freq;
	bool all, children, no_time, no_kernel, per_thread, merge_threads, off_cpu, wall;
	bool stacks; /* -g, which perf needs: wick always records stacks */
	int *cpus;   /* the CPUs of `cpu` */
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "output", 'o', OPTION_LIST, AT(output), "FILE",
	  "output file; the extension (.svg, .html, .wick, .folded, .pb.gz, .data, …) selects the format; repeatable [flamegraph.svg]",
	  0 },
	FORMAT_TO_OPTION(job.to),
	{ "pid", 'p', OPTION_LIST, AT(pid), "PID|NAME,...",
	  "attach to running processes (all threads)", 0 },
	{ "children", 0, OPTION_FLAG, AT(children), NULL, "also record all their child processes",
	  0 },
	{ "tid", 't', OPTION_LIST, AT(tid), "TID,...", "attach to these threads", 0 },
	{ "all", 'a', OPTION_FLAG, AT(all), NULL, "record all processes of this machine", 0 },
	{ "cpu", 'C', OPTION_STRING, AT(cpu), "LIST", "record these CPUs, such as 0-3,5", 0 },
	{ "cgroup", 0, OPTION_STRING, AT(cgroup), "PATH",
	  "record this cgroup, a path below /sys/fs/cgroup", 0 },
	{ "duration", 'd', OPTION_STRING, AT(duration), "TIME",
	  "stop after this time: seconds, or with a unit such as 500ms or 2m", 0 },
	{ "delay", 0, OPTION_STRING, AT(delay), "TIME", "start after this time", 0 },
	{ "signal", 0, OPTION_FLAG, AT(job.o.by_signal), NULL,
	  "start, pause and resume when wick receives SIGUSR2", 0 },
	{ "wide", 0, OPTION_FLAG, AT(job.o.wide), NULL,
	  "sample per CPU; also catches short-lived threads and setuid programs (needs root) [if the target starts many threads]",
	  0 },
	{ "target-user", 0, OPTION_STRING, AT(job.target_user), "USER",
	  "run the command as this user [the caller of sudo]", 0 },
	{ "runs", 0, OPTION_UINT, AT(job.runs), "N",
	  "run the command N times and add up the samples [1]", 1 },
	{ "event", 'e', OPTION_LIST, AT(event), "EVENT,...",
	  "event to record: cpu, off-cpu, cycles, page-faults, LLC-load-misses, r1a8, sched:sched_switch, uprobe:FILE:FUNCTION, …; suffix :u or :k for user or kernel only [cpu]",
	  0 },
	{ "off-cpu", 0, OPTION_FLAG, AT(off_cpu), NULL,
	  "show where and why threads waited, in ns; also records CPU samples, unlike -e off-cpu",
	  0 },
	{ "wall", 0, OPTION_FLAG, AT(wall), NULL, "show time on and off CPU in one graph, in ns",
	  0 },
	{ "freq", 'F', OPTION_UINT, AT(freq), "HZ", "samples per second [997]", 1 },
	{ "count", 'c', OPTION_NUMBER, AT(count), "N", "sample every N events instead of -F", 0 },
	{ "call-graph", 0, OPTION_STRING, AT(call_graph), "HOW",
	  "how to unwind: auto (stack copies, and frame pointers beyond their end), dwarf,SIZE (stack copies of SIZE bytes), fp (frame pointers) or lbr [auto]",
	  0 },
	{ "no-kernel", 0, OPTION_FLAG, AT(no_kernel), NULL,
	  "sample only user code, like the suffix :u on each event", 0 },
	/* Not in the help: for users of perf. */
	{ NULL, 'g', OPTION_FLAG, AT(stacks), NULL, NULL, 0 },
	{ "all-cpus", 0, OPTION_FLAG, AT(all), NULL, NULL, 0 },
	{ "per-thread", 0, OPTION_FLAG, AT(per_thread), NULL, "do not merge threads", 0 },
	{ "merge-threads", 0, OPTION_FLAG, AT(merge_threads), NULL,
	  "merge threads: stacks start with functions", 0 },
	{ "frames", 0, OPTION_STRING, AT(frames), "pid,tid",
	  "start stacks with the process ID, thread ID or both", 0 },
	{ "no-time", 0, OPTION_FLAG, AT(no_time), NULL, "do not store the time of each sample", 0 },
	{ "flamechart", 0, OPTION_FLAG, AT(job.draw.chart), NULL,
	  "draw a flame chart: order by time, per thread", 0 },
	{ "memory", 0, OPTION_STRING, AT(memory), "SIZE",
	  "memory for distinct stacks; further samples go to a .data file next to the output [512M]",
	  0 },
	{ "title", 0, OPTION_STRING, AT(job.draw.svg.title), "TEXT", "title [Flame Graph]", 0 },
	{ "subtitle", 0, OPTION_STRING, AT(job.draw.svg.subtitle), "TEXT", "text below the title",
	  0 },
	NAMING_OPTIONS(job.o.naming),
	{ "quiet", 'q', OPTION_FLAG, AT(job.quiet), NULL, "print errors only", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(job.verbose), NULL,
	  "list what is missing from the recording", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_words values[] = { { "HOW", "auto|dwarf|fp|lbr" }, { 0 } };

const struct option_table record_table = {
	.usage =
		"wick record [options] [-o OUT] [--] COMMAND...\n"
		"       wick record [options] [-o OUT] -p PID|-t TID|-a|-C LIST|--cgroup PATH [[--] COMMAND...]",
	.about =
		"Runs the command and draws a flame graph of it: all threads and child processes, from the\n"
		"first instruction on, with full stacks even without frame pointers.  The exit status is the\n"
		"command's.  With -p, -t, -a, -C or --cgroup, wick records that target until it ends, until\n"
		"Ctrl-C, or while the command runs.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.command = true,
	.words = values,
};

/* Options */

static int set_limits(struct command *c, struct error *e)
{
	if (c->duration && duration_parse("--duration", c->duration, &c->job.o.duration, e))
		return -1;
	if (c->duration && !c->job.o.duration)
		return error_set(e, ERROR_USAGE, "--duration must be positive");
	if (c->delay && duration_parse("--delay", c->delay, &c->job.o.delay, e))
		return -1;
	if (c->memory && record_memory_parse(c->memory, &c->job.o.memory, e))
		return -1;
	if (c->delay && c->job.o.by_signal)
		return error_set(e, ERROR_USAGE, "--delay and --signal are mutually exclusive");
	if (c->no_time && c->job.draw.chart)
		return error_set(e, ERROR_USAGE,
				 "--flamechart and --no-time are mutually exclusive");
	c->job.o.times = !c->no_time;
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
		return error_set(
			e, ERROR_USAGE,
			"invalid value '%s' for --call-graph: expected auto, dwarf, fp or lbr",
			how);
	if (size < 8 || size > STACK_COPY_MAX)
		return error_set(e, ERROR_USAGE,
				 "--call-graph: the stack copy must be from 8 to %d bytes",
				 STACK_COPY_MAX);
	s->copy_size = (uint32_t)size & ~7U;
	return 0;
}

/* Like :u on each event.  An error for events that only occur in the kernel: they would have no samples. */
static int leave_kernel_out(struct events *events, struct error *e)
{
	for (size_t i = 0; i < events->nr; i++) {
		struct sampled *event = &events->event[i];
		struct strbuf name = { 0 };

		if (!event->no_user && !event->needs_kernel) {
			event->no_kernel = true;
			continue;
		}
		event_name(&name, event);
		error_set(e, ERROR_USAGE,
			  "--no-kernel cannot be combined with %s: it is a kernel event", name.at);
		strbuf_release(&name);
		return -1;
	}
	return 0;
}

/* Without -e: the default event, or the clock for --wall, whose samples weigh time, as waits do. */
static int add_events(struct command *c, struct error *e)
{
	struct events *events = &c->job.events;
	bool off_cpu = false;

	if (c->off_cpu && c->wall)
		return error_set(e, ERROR_USAGE, "--off-cpu and --wall are mutually exclusive");
	if (c->wall && c->event.nr)
		return error_set(e, ERROR_USAGE, "--wall and --event are mutually exclusive");
	events->off_cpu = &off_cpu;
	for (size_t i = 0; i < c->event.nr; i++)
		if (events_add(events, span_of(c->event.at[i]), naming_find_function, e))
			return -1;
	if (c->wall && events_add(events, SPAN("cpu-clock"), NULL, e))
		return -1;
	if (!c->event.nr && !c->wall)
		events_add_default(events);
	events->off_cpu = NULL;
	if (off_cpu || c->off_cpu || c->wall)
		c->job.o.waits = WAITS_ASKED;
	if (c->job.o.waits == WAITS_ASKED && c->cpu)
		return error_set(e, ERROR_USAGE,
				 "--cpu cannot be combined with %s: threads may run on other CPUs",
				 c->wall      ? "--wall"
				 : c->off_cpu ? "--off-cpu"
					      : "off-cpu");
	c->job.waits_first = c->off_cpu;
	if (c->wall)
		c->job.choose.event = "all";
	c->job.o.wall = c->wall;
	return 0;
}

static int set_events(struct command *c, struct error *e)
{
	if (add_events(c, e))
		return -1;
	if (c->no_kernel && leave_kernel_out(&c->job.events, e))
		return -1;
	if (!isnan(c->count) && c->freq != FREQ_NOT_GIVEN)
		return error_set(e, ERROR_USAGE, "--freq and --count are mutually exclusive");
	if (!isnan(c->count) && !(c->count >= 1 && c->count < 1e18))
		return error_set(e, ERROR_USAGE, "--count must be at least 1 and below 10^18");
	for (size_t i = 0; i < c->job.events.nr && !isnan(c->count); i++)
		c->job.events.event[i].count = (uint64_t)c->count;
	if (c->freq != FREQ_NOT_GIVEN) {
		c->job.o.sampling.frequency = c->freq;
		c->job.o.sampling.usual = false;
	}
	return set_call_graph(&c->job.o.sampling, c->call_graph ? c->call_graph : "auto", e);
}

/* Targets in addition to or instead of the command: -p, -t, -a, --cgroup and -C. */
static int set_others(struct command *c, struct error *e)
{
	struct sampling *s = &c->job.o.sampling;
	int ways = !!c->pid.nr + !!c->tid.nr + c->all + (c->cgroup != NULL);

	if (ways > 1)
		return error_set(e, ERROR_USAGE, "-p, -t, -a and --cgroup are mutually exclusive");
	if (c->pid.nr || c->tid.nr)
		priority_raise();
	for (size_t i = 0; i < c->pid.nr; i++)
		if (targets_add_processes(&c->job.targets, span_of(c->pid.at[i]), e))
			return -1;
	for (size_t i = 0; i < c->tid.nr; i++)
		if (targets_add_threads(&c->job.targets, span_of(c->tid.at[i]), e))
			return -1;
	if (c->children)
		targets_add_children(&c->job.targets);
	s->follow = c->children ? FOLLOW_ALL : c->tid.nr ? FOLLOW_NONE : FOLLOW_THREADS;
	s->task = c->job.targets.task;
	s->nr_task = c->job.targets.nr_task;
	c->job.o.until_gone = c->tid.nr && s->nr_task == 1;
	if (c->cpu && processors_choose(span_of(c->cpu), &c->cpus, &s->nr_cpu, e))
		return -1;
	s->cpu = c->cpus;
	if (c->cgroup)
		s->cgroup = targets_open_group(c->cgroup, e);
	return c->cgroup && s->cgroup < 0 ? -1 : 0;
}

static int set_targets(struct command *c, struct error *e)
{
	bool others = c->pid.nr || c->tid.nr || c->all || c->cgroup || c->cpu;

	if (!others && !c->argv.nr) {
		error_set(e, ERROR_USAGE, "no command or target given");
		return error_hint(e, "wick record COMMAND..., or -p PID, or -a");
	}
	if (set_others(c, e))
		return -1;
	if (c->job.o.wide && others && !c->pid.nr && !c->tid.nr && !c->cgroup)
		return error_set(e, ERROR_USAGE, "--wide is redundant: %s already samples per CPU",
				 c->all ? "-a" : "-C");
	/* Events of a control group are opened per CPU. */
	c->job.o.wide &= !c->cgroup;
	record_job_targets(&c->job, &c->argv, others ? RECORD_OTHERS : RECORD_COMMAND);
	if (c->job.runs > 1 && !c->job.o.command)
		return error_set(e, ERROR_USAGE, "--runs requires a command to record");
	return 0;
}

/* A server that forks does its work in its children.  Reported at once, because the recording may take long. */
static void print_children(struct command *c)
{
	size_t nr = c->pid.nr && !c->children ? targets_nr_children(&c->job.targets) : 0;

	c->job.o.nr_child = nr;
	if (nr && !c->job.quiet)
		message("%zu child process%s not recorded; --children adds %s", nr,
			nr == 1 ? " is" : "es are", nr == 1 ? "it" : "them");
}

static int set_spelling(struct command *c, struct error *e)
{
	struct choose_opts *o = &c->job.choose;

	if (c->per_thread && c->merge_threads)
		return error_set(e, ERROR_USAGE,
				 "--per-thread and --merge-threads are mutually exclusive");
	if (c->frames && c->merge_threads)
		return error_set(e, ERROR_USAGE,
				 "--frames and --merge-threads are mutually exclusive");
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
		return error_set(e, ERROR_USAGE,
				 "invalid value '%s' for --frames: expected pid, tid or pid,tid",
				 c->frames);
	return 0;
}

static int set_outputs(struct command *c, struct error *e)
{
	const char *by_default = format_default_path(c->job.to);

	if (!c->output.nr)
		return record_job_outputs(&c->job, &by_default, 1, e);
	return record_job_outputs(&c->job, c->output.at, c->output.nr, e);
}

static int set_opts(struct command *c, struct error *e)
{
	if (naming_check(&c->job.o.naming, e) || set_limits(c, e) || set_spelling(c, e) ||
	    set_events(c, e) || set_targets(c, e) || record_job_user(&c->job, e))
		return -1;
	if (set_outputs(c, e))
		return -1;
	print_children(c);
	return 0;
}

static void release(struct command *c)
{
	if (c->job.o.sampling.cgroup >= 0)
		close(c->job.o.sampling.cgroup);
	free(c->cpus);
	record_job_release(&c->job);
	option_list_release(&c->argv);
	option_list_release(&c->output);
	option_list_release(&c->event);
	option_list_release(&c->pid);
	option_list_release(&c->tid);
}

int record_main(int argc, char **argv)
{
	struct command c = { .count = NAN, .freq = FREQ_NOT_GIVEN };
	struct error e = ERROR_INIT;
	int ret;

	record_job_init(&c.job);
	c.job.o.waits = WAITS_BESIDE;
	ret = options_parse(&record_table, &c, argc, argv, &c.argv, &e);
	if (ret > 0) {
		options_help(&record_table);
		ret = 0;
	} else if (ret || set_opts(&c, &e)) {
		message_error(&e);
		ret = e.kind != ERROR_USAGE && c.argv.nr ? STATUS_OWN : message_status(&e);
	} else {
		ret = record_job_run(&c.job, &e);
	}
	release(&c);
	return ret;
}
