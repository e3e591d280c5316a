#include "cmd/record/record_job.h"

#include "base/alloc.h"
#include "base/output.h"
#include "cli/messages.h"
#include "profile/spelling.h"
#include "record/priority.h"
#include "write/sink.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* Outputs */

static int set_output(const struct record_job *j, struct record_output *to, const char *path,
		      struct error *e)
{
	to->format = FORMAT_SVG;
	if (j->any_name)
		format_find(path, &to->format);
	else if (format_choose(path, j->to, FORMAT_SVG, &to->format, e))
		return -1;
	return output_file_open(&to->file, path, j->run_as.owner, j->run_as.owner_group, e);
}

/* A perf.data file, which is written while it is recorded. */
static int open_data(struct record_job *j, struct record_output *to, struct error *e)
{
	if (j->o.data)
		return error_set(e, ERROR_USAGE, "only one .data output is possible");
	if (j->runs > 1)
		return error_set(e, ERROR_USAGE, ".data output cannot be combined with --runs");
	if (format_check_data(to->file.path, e))
		return -1;
	j->o.data = recording_new(output_file_write(&to->file), e);
	return j->o.data ? 0 : output_file_failed(&to->file, e);
}

int record_job_outputs(struct record_job *j, const char *const *path, size_t nr, struct error *e)
{
	if (sinks_check_paths(path, nr, e))
		return -1;
	j->output = xcalloc(nr, sizeof(*j->output));
	for (; j->nr_output < nr; j->nr_output++)
		if (set_output(j, &j->output[j->nr_output], path[j->nr_output], e))
			return -1;
	for (size_t i = 0; i < nr; i++)
		if (format_is_copied(j->output[i].format) && open_data(j, &j->output[i], e))
			return -1;
	return 0;
}

static int finish_data(struct record_job *j, const struct profile *p, struct error *e)
{
	struct recording *data = j->o.data;

	capture_data_end(data, p);
	j->o.data = NULL;
	return recording_close(data, e);
}

static int write_output(struct record_job *j, const struct record_output *to,
			const struct profile *p, const struct chosen *chosen, struct error *e)
{
	const struct sink sink = { .path = output_file_write(&to->file), .format = to->format };
	const struct write_what what = sink_what(p, chosen, j->choose.event);

	if (format_is_copied(to->format))
		return finish_data(j, p, e);
	return sink_draw(&sink, &j->draw, &what, chosen, e);
}

/* Do all files keep every event?  A picture or folded lines show one. */
static bool keeps_events(const struct record_job *j)
{
	for (size_t i = 0; i < j->nr_output; i++)
		if (!format_shows_all(j->output[i].format))
			return false;
	return true;
}

/*
 * Writes a file to another directory, because it could not be written to the requested one.  An incomplete
 * perf.data file is not kept: its samples are in the profile, too.
 */
static int write_elsewhere(struct record_job *j, struct record_output *to, const struct profile *p,
			   const struct chosen *chosen, struct error *e)
{
	size_t next = 0;

	if (format_is_copied(to->format))
		to->format = FORMAT_WICK;
	while (!to->written &&
	       output_file_move(&to->file, &next, format_writer(to->format)->ending)) {
		struct error again = ERROR_INIT;

		to->written = !write_output(j, to, p, chosen, &again) &&
			      !output_file_finish(&to->file, &again);
	}
	return to->written ? output_file_hint(&to->file, e) : -1;
}

/* Is standard output a pipe without a reader? */
static bool is_unread(const struct record_output *to)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	return !strcmp(to->file.path, "-") && poll(&out, 1, 0) > 0 && out.revents & POLLERR;
}

/* Is the beginning of such a file useful, as for `head`? */
static bool is_of_lines(enum format format)
{
	return format == FORMAT_FOLDED || format == FORMAT_PERF_SCRIPT || format == FORMAT_CSV ||
	       format == FORMAT_MARKDOWN;
}

static int write_one(struct record_job *j, struct record_output *to, const struct profile *p,
		     const struct chosen *chosen, struct error *e)
{
	bool had_reader = !is_unread(to);
	int ret;

	if (j->before)
		j->before(to->file.path);
	if (write_output(j, to, p, chosen, e)) {
		output_file_failed(&to->file, e);
		/* A reader of lines has read what it needs. */
		if (e->kind == ERROR_PIPE && had_reader && is_of_lines(to->format))
			return -1;
		if (e->kind == ERROR_PIPE)
			e->kind = ERROR_SYSTEM;
		return write_elsewhere(j, to, p, chosen, e);
	}
	ret = output_file_finish(&to->file, e);
	to->written = to->file.is_finished;
	return ret;
}

/* Of several failures, the last is returned, and the others are printed.  Always -1. */
static int add_failure(const struct error *latest, struct error *e)
{
	if (e->kind == ERROR_NONE) {
		*e = *latest;
	} else if (latest->kind != ERROR_PIPE) {
		message_error(e);
		*e = *latest;
	}
	return -1;
}

/* May other files be made from this one later?  Then it keeps everything. */
static bool keeps_threads(const struct record_output *to)
{
	return to->format == FORMAT_WICK || format_is_copied(to->format);
}

static bool has_wick(const struct record_job *j)
{
	for (size_t i = 0; i < j->nr_output; i++)
		if (j->output[i].format == FORMAT_WICK)
			return true;
	return false;
}

/*
 * Writes the outputs that keep threads, or the others.  If one file cannot be written, the rest still is: the
 * recording cannot be repeated.
 */
static int write_those(struct record_job *j, bool keep, const struct profile *p,
		       const struct chosen *chosen, struct error *e)
{
	int ret = 0;

	for (size_t i = 0; i < j->nr_output; i++) {
		struct error latest = ERROR_INIT;

		if (keeps_threads(&j->output[i]) == keep &&
		    write_one(j, &j->output[i], p, chosen, &latest))
			ret = add_failure(&latest, e);
	}
	return ret;
}

static int write_outputs(struct record_job *j, struct profile *p, struct error *e)
{
	const struct choose_hints hints = { .spelling = SPELL_THREAD };
	struct chosen chosen;
	int ret;

	j->choose.keeps_events = keeps_events(j);
	j->choose.keeps_threads = has_wick(j);
	/* Clears errors of attempts during the recording that had a fallback. */
	*e = (struct error)ERROR_INIT;
	ret = choose_events(&j->choose, p, &hints, &chosen, e);
	if (ret)
		return -1;
	ret = write_those(j, true, p, &chosen, e);
	if (j->choose.keeps_threads)
		choose_merge_idle(p, &chosen);
	if (write_those(j, false, p, &chosen, e))
		ret = -1;
	chosen_release(&chosen);
	return ret;
}

static int write_spill(struct record_job *j, struct capture *g, struct error *e)
{
	return spill_finish(&j->spill, &g->p, &g->not_spilled) ? add_failure(&g->not_spilled, e)
							       : 0;
}

/* Running */

/* Makes waits the first event: the first event with samples is shown. */
static void put_waits_first(struct profile *p)
{
	for (uint32_t i = 0; i < p->nr_event; i++)
		if (span_is(profile_peek(p, p->event[i].name), OFF_CPU))
			profile_swap_events(p, 0, i);
}

static bool has_waits(const struct wait_sums *sums)
{
	for (size_t i = 0; i < NR_WAIT_REASONS; i++)
		if (sums->off[i])
			return true;
	return false;
}

/* Symbolizes the profile, and writes all files. */
static int write_capture(struct record_job *j, struct capture *g, struct error *e)
{
	const struct wait_summary waits = record_wait_summary(g);
	int ret;

	if (!g->nr_sample && !(j->o.waits == WAITS_ASKED && has_waits(&g->waits)) &&
	    !record_has_waited(g)) {
		if (g->traced && !j->quiet)
			record_print_waits(g, NULL);
		return record_nothing(g, &j->o, !j->any_name, e);
	}
	capture_name(g, &j->o);
	wait_summary_inform(&g->p, &waits);
	if (j->waits_first)
		put_waits_first(&g->p);
	/* If all samples are in the spill file, waits must not be shown in their place. */
	if (g->full && !g->nr_kept && j->o.waits != WAITS_ASKED && g->p.nr_event) {
		j->choose.event = profile_peek(&g->p, g->p.event[0].name).at;
		j->choose.event_may_miss = true;
	}
	ret = write_outputs(j, &g->p, e);
	return write_spill(j, g, e) ? -1 : ret;
}

/* How long wick has a raised priority to write the picture: ms.  Most take less. */
enum { HURRY = 200, HURRY_CROWDED = 3000 };

/* A run failed: the runs before it cannot be repeated, and are written.  Always 0. */
static int end_runs(struct record_job *j, struct capture *g, unsigned nr, const struct error *e)
{
	record_line_end(&j->line);
	message_error(e);
	if (!j->quiet)
		message("recorded %u of %u runs", nr, j->runs);
	g->launch.status = STATUS_OWN;
	return 0;
}

static int record_runs(struct record_job *j, struct capture *g, struct error *e)
{
	int ret = 0;

	for (unsigned i = 0; i < j->runs && !ret && !g->interrupted && !g->full; i++) {
		ret = capture_run(g, &j->o, e);
		if (ret && i)
			return end_runs(j, g, i, e);
		/* A command that was killed by a signal is not run again. */
		if (g->ran && g->launch.status > 128)
			break;
		if (i + 1 < j->runs)
			capture_wait(g, &j->o);
	}
	record_line_end(&j->line);
	return ret;
}

/* Is there a file that stores the CPU of each sample, and is made from the profile? */
static bool keeps_cpus(const struct record_job *j)
{
	for (size_t i = 0; i < j->nr_output; i++)
		if (!format_is_copied(j->output[i].format) &&
		    format_writer(j->output[i].format)->holds & (HOLDS_LABELS | HOLDS_CPUS))
			return true;
	return false;
}

static void prepare(struct record_job *j)
{
	j->o.cpus = keeps_cpus(j) && !j->draw.is_static;
	j->o.tick = record_line_show;
	j->o.tick_arg = &j->line;
	j->o.targets = &j->targets;
	j->o.spill = spill_open;
	j->o.spill_arg = &j->spill;
	j->spill.beside = j->output[0].file.path;
	j->spill.owner = j->run_as.owner;
	j->spill.owner_group = j->run_as.owner_group;
	j->o.sampling.event = j->events.event;
	j->o.sampling.nr_event = j->events.nr;
	j->line.on = !j->o.command && !j->quiet && isatty(STDERR_FILENO);
}

static bool has_written(const struct record_job *j)
{
	for (size_t i = 0; i < j->nr_output; i++)
		if (j->output[i].written)
			return true;
	return false;
}

/* Prints which signal ended the command, if one did. */
static void print_end(const struct record_job *j, const struct capture *g)
{
	if (g->ran && !g->launch.pid && !j->quiet)
		print_signal(j->o.command[0], g->launch.signal);
}

/* Signals stay blocked until all files are complete, so that a late signal cannot interrupt this. */
static int record_and_write(struct record_job *j, struct capture *g, struct error *e)
{
	enum signals_for receiver = j->o.command ? SIGNALS_FOR_COMMAND : SIGNALS_FOR_US;
	bool crowded;
	int ret, nice;

	if (events_make_probes(&j->events, e) || signals_take(&j->signals, receiver, e)) {
		message_error(e);
		return -1;
	}
	j->o.signals = &j->signals;
	/* Without a command, the line on the terminal says so. */
	if (j->o.by_signal && j->o.command && !j->quiet && isatty(STDERR_FILENO))
		message("to start, pause and resume sampling: kill -USR2 %d", (int)getpid());
	ret = record_runs(j, g, e);
	crowded = priority_is_crowded();
	nice = priority_hurry(crowded ? HURRY_CROWDED : HURRY);
	if (!ret)
		ret = write_capture(j, g, e);
	print_end(j, g);
	if (!ret || has_written(j))
		record_job_print_summary(j, g);
	if (ret)
		message_error(e);
	/* With thousands of runnable threads, normal priority would delay even wick's exit for many seconds. */
	if (crowded)
		priority_keep();
	else
		priority_calm(nice);
	if (g->launch.pid) {
		capture_wait(g, &j->o);
		print_end(j, g);
	}
	/* The command has exited, so no signal will be forwarded. */
	witness_end(&j->signals.witness);
	return ret;
}

int record_job_run(struct record_job *j, struct error *e)
{
	struct capture g;
	int ret, status;

	prepare(j);
	capture_init(&g);
	ret = record_and_write(j, &g, e);
	status = g.ran ? g.launch.status : 0;
	if (ret && !g.ran)
		status = j->o.command ? g.launch.status : message_status(e);
	/* The command succeeded, but a file could not be written. */
	if (ret && !status && e->kind == ERROR_SYSTEM)
		status = message_status(e);
	capture_release(&g);
	return status;
}

void record_job_signals_end(struct record_job *j)
{
	if (j->o.signals)
		signals_end(&j->signals);
	j->o.signals = NULL;
}

int record_job_user(struct record_job *j, struct error *e)
{
	if (run_as_find(&j->run_as, j->target_user, e))
		return -1;
	j->o.user = run_as_user(&j->run_as);
	return 0;
}

void record_job_targets(struct record_job *j, const struct option_list *command,
			enum record_who who)
{
	if (command->nr) {
		j->command = xcalloc(command->nr + 1, sizeof(*j->command));
		memcpy(j->command, command->at, command->nr * sizeof(*j->command));
		j->o.command = j->command;
	}
	if (who == RECORD_COMMAND) {
		j->o.sampling.on_exec = true;
		j->o.sampling.follow = FOLLOW_ALL;
	}
}

void record_job_init(struct record_job *j)
{
	*j = (struct record_job){ .draw = DRAW_OPTS_DEFAULT,
				  .o = CAPTURE_OPTS_DEFAULT,
				  .to = FORMAT_BY_NAME,
				  .run_as = RUN_AS_INIT,
				  .runs = 1 };
	j->o.memory = RECORD_MEMORY_DEFAULT;
}

void record_job_release(struct record_job *j)
{
	if (j->o.data)
		recording_drop(j->o.data);
	for (size_t i = 0; i < j->nr_output; i++)
		output_file_close(&j->output[i].file);
	spill_release(&j->spill);
	free(j->output);
	free(j->command);
	events_release(&j->events);
	targets_release(&j->targets);
	run_as_release(&j->run_as);
}
