#include "cmd/record.h"

#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/record_job.h"
#include "profile/spelling.h"

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
	bool all, children, no_time, per_thread, merge_threads;
	bool stacks; /* -g, which perf needs: here stacks always come */
	int *cpus;   /* of `cpu` */
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
	{ "signal", 0, OPTION_FLAG, AT(job.o.by_signal), NULL,
	  "begin, pause and go on when wick is sent SIGUSR2", 0 },
	{ "wide", 0, OPTION_FLAG, AT(job.o.wide), NULL,
	  "watch processors instead of the command's threads: none is too short to be met, and programs with other rights (setuid) are (root)",
	  0 },
	{ "target-user", 0, OPTION_STRING, AT(job.target_user), "USER",
	  "run the command as this user [who called sudo]", 0 },
	{ "runs", 0, OPTION_UINT, AT(job.runs), "N", "run the command N times, and add up [1]", 0 },
	{ "event", 'e', OPTION_LIST, AT(event), "EVENT,...",
	  "what to take samples of: cycles, cpu-clock, page-faults, LLC-load-misses, r1a8, sched:sched_switch, uprobe:FILE:FUNCTION, …; :u or :k behind [cycles]",
	  0 },
	{ "freq", 'F', OPTION_UINT, AT(freq), "HZ", "samples a second [997]", 0 },
	{ "count", 'c', OPTION_NUMBER, AT(count), "N", "instead: one sample each N events", 0 },
	{ "call-graph", 0, OPTION_STRING, AT(call_graph), "HOW",
	  "auto (a copy of the stack, followed by wick, and where it is too short frame pointers), dwarf,SIZE (only the copy, of that many bytes), fp (only frame pointers) or lbr [auto]",
	  0 },
	/* Without help: for people who are used to perf. */
	{ NULL, 'g', OPTION_FLAG, AT(stacks), NULL, NULL, 0 },
	{ "all-cpus", 0, OPTION_FLAG, AT(all), NULL, NULL, 0 },
	{ "per-thread", 0, OPTION_FLAG, AT(per_thread), NULL, "each thread has stacks of its own",
	  0 },
	{ "merge-threads", 0, OPTION_FLAG, AT(merge_threads), NULL,
	  "stacks begin with functions, not with threads", 0 },
	{ "frames", 0, OPTION_STRING, AT(frames), "pid,tid",
	  "stacks begin with the number of the process, or thread, or both", 0 },
	{ "no-time", 0, OPTION_FLAG, AT(no_time), NULL, "do not keep when each sample was taken",
	  0 },
	{ "flamechart", 0, OPTION_FLAG, AT(job.flame.chart), NULL,
	  "draw when it ran, each thread by itself, not how much in all", 0 },
	{ "memory", 0, OPTION_STRING, AT(memory), "SIZE",
	  "how much different stacks may take; further samples are written to a .data file beside the output [512M]",
	  0 },
	{ "title", 0, OPTION_STRING, AT(job.flame.svg.title), "TEXT",
	  "over the picture [Flame Graph]", 0 },
	{ "subtitle", 0, OPTION_STRING, AT(job.flame.svg.subtitle), "TEXT", "below the title", 0 },
	NAMING_OPTIONS(job.o.naming),
	{ "quiet", 'q', OPTION_FLAG, AT(job.quiet), NULL, "say nothing but errors", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(job.verbose), NULL, "list what is missing", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

static const struct option_words values[] = { { "HOW", "auto|dwarf|fp|lbr" }, { 0 } };

const struct option_table record_table = {
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
	.words = values,
};

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

static int set_limits(struct command *c, struct error *e)
{
	if (c->duration && parse_time("--duration", c->duration, &c->job.o.duration, e))
		return -1;
	if (c->duration && !c->job.o.duration)
		return error_set(e, ERROR_USAGE, "--duration: it is more than 0");
	if (c->delay && parse_time("--delay", c->delay, &c->job.o.delay, e))
		return -1;
	if (c->memory && record_memory_parse(c->memory, &c->job.o.memory, e))
		return -1;
	if (c->delay && c->job.o.by_signal)
		return error_set(e, ERROR_USAGE, "--delay and --signal: it is one or the other");
	if (c->no_time && c->job.flame.chart)
		return error_set(e, ERROR_USAGE, "--flamechart: it needs the times of samples");
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
		return error_set(e, ERROR_USAGE,
				 "--call-graph: '%s' is none of auto, dwarf, fp, lbr", how);
	if (size < 8 || size > STACK_COPY_MAX)
		return error_set(e, ERROR_USAGE, "--call-graph: a copy has 8 to %d bytes",
				 STACK_COPY_MAX);
	s->copy_size = (uint32_t)size & ~7U;
	return 0;
}

static int set_events(struct command *c, struct error *e)
{
	for (size_t i = 0; i < c->event.nr; i++)
		if (events_add(&c->job.events, span_of(c->event.at[i]), naming_find_function, e))
			return -1;
	if (!c->event.nr)
		events_add_default(&c->job.events);
	if (!isnan(c->count) && c->freq != FREQ_NOT_GIVEN)
		return error_set(e, ERROR_USAGE, "--freq and --count: it is one or the other");
	if (!isnan(c->count) && !(c->count >= 1 && c->count < 1e18))
		return error_set(e, ERROR_USAGE, "--count: it is 1 or more, and less than 10^18");
	for (size_t i = 0; i < c->job.events.nr && !isnan(c->count); i++)
		c->job.events.event[i].count = (uint64_t)c->count;
	if (c->freq != FREQ_NOT_GIVEN) {
		c->job.o.sampling.frequency = c->freq;
		c->job.o.sampling.usual = false;
	}
	if (!c->freq)
		return error_set(e, ERROR_USAGE, "--freq: it is 1 or more");
	return set_call_graph(&c->job.o.sampling, c->call_graph ? c->call_graph : "auto", e);
}

/* What is recorded beside or instead of the command: -p, -t, -a, --cgroup, and -C. */
static int set_others(struct command *c, struct error *e)
{
	struct sampling *s = &c->job.o.sampling;
	int ways = !!c->pid.nr + !!c->tid.nr + c->all + (c->cgroup != NULL);

	if (ways > 1)
		return error_set(e, ERROR_USAGE, "-p, -t, -a and --cgroup: it is one of them");
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
		error_set(e, ERROR_USAGE, "what shall be recorded?");
		return error_hint(e, "wick record COMMAND..., or -p PID, or -a");
	}
	if (set_others(c, e))
		return -1;
	if (c->job.o.wide && others)
		return error_set(e, ERROR_USAGE, "--wide: it is a command that is recorded");
	record_job_targets(&c->job, &c->argv, others ? RECORD_OTHERS : RECORD_COMMAND);
	if (!c->job.runs)
		return error_set(e, ERROR_USAGE, "--runs: it is 1 or more");
	if (c->job.runs > 1 && !c->job.o.command)
		return error_set(e, ERROR_USAGE, "--runs: there is no command to be run again");
	return 0;
}

static int set_spelling(struct command *c, struct error *e)
{
	struct collapse_opts *o = &c->job.flame.in;

	if (c->per_thread && c->merge_threads)
		return error_set(e, ERROR_USAGE,
				 "--per-thread and --merge-threads: it is one or the other");
	if (c->frames && c->merge_threads)
		return error_set(e, ERROR_USAGE,
				 "--frames and --merge-threads: it is one or the other");
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

static int set_outputs(struct command *c, struct error *e)
{
	static const char *const by_default[] = { "flamegraph.svg" };

	if (!c->output.nr)
		return record_job_outputs(&c->job, by_default, 1, e);
	return record_job_outputs(&c->job, c->output.at, c->output.nr, e);
}

static int set_opts(struct command *c, struct error *e)
{
	if (naming_check(&c->job.o.naming, e) || set_limits(c, e) || set_spelling(c, e) ||
	    set_events(c, e) || set_targets(c, e) || record_job_user(&c->job, e))
		return -1;
	return set_outputs(c, e);
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
