#include "cmd/record_job.h"

#include "base/alloc.h"
#include "base/output.h"
#include "cli/messages.h"
#include "export/folded.h"
#include "profile/spelling.h"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

/* Outputs */

static int set_output(const struct record_job *j, struct record_output *to, const char *path,
		      struct error *e)
{
	to->format = FORMAT_SVG;
	if (!format_find(path, &to->format) && strcmp(path, "-") != 0 && !j->any_name) {
		error_set(e, ERROR_USAGE, "%s: the name of the file does not tell its format",
			  path);
		return error_hint(e, "let it end in .svg, .html, .wick, .folded or .data");
	}
	return output_file_open(&to->file, path, j->owner, j->owner_group, e);
}

/* A perf.data file, which is written while it is recorded. */
static int open_data(struct record_job *j, struct record_output *to, struct error *e)
{
	if (j->o.data)
		return error_set(e, ERROR_USAGE, "a recording is written to one .data file");
	if (j->runs > 1)
		return error_set(e, ERROR_USAGE, "a .data file is of one run");
	j->o.data = recording_new(output_file_write(&to->file), e);
	return j->o.data ? 0 : output_file_failed(&to->file, e);
}

int record_job_outputs(struct record_job *j, const char *const *path, size_t nr, struct error *e)
{
	if (flame_paths_check(path, nr, e))
		return -1;
	j->output = xcalloc(nr, sizeof(*j->output));
	for (; j->nr_output < nr; j->nr_output++)
		if (set_output(j, &j->output[j->nr_output], path[j->nr_output], e))
			return -1;
	for (size_t i = 0; i < nr; i++)
		if (j->output[i].format == FORMAT_DATA && open_data(j, &j->output[i], e))
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

	if (output_open(&out, output_file_write(&to->file), e))
		return -1;
	folded_write(&out, p, &f);
	return output_close(&out, e);
}

static int write_picture(const struct record_job *j, const struct record_output *to,
			 enum flame_format format, struct flame_result *r,
			 const struct chosen *chosen, struct error *e)
{
	struct flame_output one = { .path = output_file_write(&to->file), .format = format };
	struct flame_opts o = j->flame;

	o.output = &one;
	o.nr_output = 1;
	free(r->unit);
	r->unit = NULL;
	return flame_draw(&o, r, chosen, e);
}

static int finish_data(struct record_job *j, const struct profile *p, struct error *e)
{
	struct recording *data = j->o.data;

	capture_data_end(data, p);
	j->o.data = NULL;
	return recording_close(data, e);
}

static int write_output(struct record_job *j, const struct record_output *to,
			struct flame_result *r, const struct chosen *chosen, struct error *e)
{
	switch (to->format) {
	case FORMAT_SVG:
		return write_picture(j, to, FLAME_SVG, r, chosen, e);
	case FORMAT_HTML:
		return write_picture(j, to, FLAME_HTML, r, chosen, e);
	case FORMAT_WICK:
		return write_picture(j, to, FLAME_WICK, r, chosen, e);
	case FORMAT_FOLDED:
		return write_folded(to, &r->in.p, chosen, e);
	case FORMAT_DATA:
		return finish_data(j, &r->in.p, e);
	}
	return -1;
}

/* Do all files keep every event?  A picture or folded lines show one. */
static bool keeps_events(const struct record_job *j)
{
	for (size_t i = 0; i < j->nr_output; i++)
		if (j->output[i].format == FORMAT_SVG || j->output[i].format == FORMAT_FOLDED)
			return false;
	return true;
}

static int write_one(struct record_job *j, struct record_output *to, struct flame_result *r,
		     const struct chosen *chosen, struct error *e)
{
	if (j->before)
		j->before(to->file.path);
	if (write_output(j, to, r, chosen, e))
		return output_file_failed(&to->file, e);
	if (output_file_finish(&to->file, e))
		return -1;
	to->written = true;
	return 0;
}

/* Of several failures the last is returned, and those before it are printed.  Always -1. */
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

/* If one file cannot be written, the others still are: what has ended cannot be recorded again. */
static int write_outputs(struct record_job *j, struct flame_result *r, struct error *e)
{
	struct chosen chosen;
	int ret;

	j->flame.in.keeps_events = keeps_events(j);
	/* While recording, things were tried and then done another way: no failure of the whole. */
	*e = (struct error)ERROR_INIT;
	ret = collapse_choose(&j->flame.in, &r->in, &chosen, e);
	if (ret)
		return -1;
	for (size_t i = 0; i < j->nr_output; i++) {
		struct error latest = ERROR_INIT;

		if (write_one(j, &j->output[i], r, &chosen, &latest))
			ret = add_failure(&latest, e);
	}
	chosen_release(&chosen);
	return ret;
}

static int write_spill(struct record_job *j, struct capture *g, struct error *e)
{
	return record_spill_finish(&j->spill, &g->p, &g->not_spilled)
		       ? add_failure(&g->not_spilled, e)
		       : 0;
}

/* Running */

/* Names the profile, and writes all files of it.  It is lent to the drawing, and moved back. */
static int write_capture(struct record_job *j, struct capture *g, struct error *e)
{
	struct flame_result r = { .in = { .spelling = SPELL_THREAD } };
	int ret;

	if (!g->nr_sample)
		return record_nothing(g, &j->o, !j->any_name, e);
	capture_name(g, &j->o);
	r.in.p = g->p;
	ret = write_outputs(j, &r, e);
	g->p = r.in.p;
	free(r.unit);
	return write_spill(j, g, e) ? -1 : ret;
}

static int record_runs(struct record_job *j, struct capture *g, struct error *e)
{
	int ret = 0;

	for (unsigned i = 0; i < j->runs && !ret && !g->interrupted && !g->full; i++) {
		ret = capture_run(g, &j->o, e);
		/* A command that a signal ended is not run again. */
		if (g->ran && g->launch.status > 128)
			break;
		if (i + 1 < j->runs)
			capture_wait(g, &j->o);
	}
	record_line_end(&j->line);
	return ret;
}

/* Is there a file that carries the whole profile: .svg, .html or .wick? */
static bool keeps_profile(const struct record_job *j)
{
	for (size_t i = 0; i < j->nr_output; i++)
		if (j->output[i].format != FORMAT_FOLDED && j->output[i].format != FORMAT_DATA)
			return true;
	return false;
}

static void prepare(struct record_job *j)
{
	j->o.cpus = keeps_profile(j) && !j->flame.is_static;
	j->o.tick = record_line_show;
	j->o.tick_arg = &j->line;
	j->o.targets = &j->targets;
	j->o.spill = record_spill_open;
	j->o.spill_arg = &j->spill;
	j->spill.beside = j->output[0].file.path;
	j->spill.owner = j->owner;
	j->spill.owner_group = j->owner_group;
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
static void tell_end(const struct record_job *j, const struct capture *g)
{
	if (g->ran && !g->launch.pid && !j->quiet)
		tell_signal(j->o.command[0], g->launch.signal);
}

/* Signals stay blocked until the files are in their places: one that comes late ends nothing. */
static int record_and_write(struct record_job *j, struct capture *g, struct error *e)
{
	enum signals_for whom = j->o.command ? SIGNALS_FOR_COMMAND : SIGNALS_FOR_US;
	int ret;

	if (events_make_probes(&j->events, e) || signals_take(&j->signals, whom, e)) {
		message_error(e);
		return -1;
	}
	j->o.signals = &j->signals;
	/* Without a command, the line on the terminal says so. */
	if (j->o.by_signal && j->o.command && !j->quiet && isatty(STDERR_FILENO))
		message("`kill -USR2 %d` begins, pauses and goes on", (int)getpid());
	ret = record_runs(j, g, e);
	if (!ret)
		ret = write_capture(j, g, e);
	tell_end(j, g);
	if (!ret || has_written(j))
		record_job_tell(j, g);
	if (ret)
		message_error(e);
	if (g->launch.pid) {
		capture_wait(g, &j->o);
		tell_end(j, g);
	}
	/* The command is gone, so no signal will be passed on. */
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

/* Sets who the command runs as, by name or number. */
static int find_user(struct record_job *j, const char *who, struct error *e)
{
	const struct passwd *found = getpwnam(who);
	uint64_t uid;

	if (!found && span_u64(span_of(who), &uid) && uid < UINT32_MAX)
		found = getpwuid((uid_t)uid);
	if (!found)
		return error_set(e, ERROR_USAGE, "there is no user '%s'", who);
	strbuf_reset(&j->user_text);
	strbuf_addf(&j->user_text, "%s%c%s%c%s", found->pw_name, 0, found->pw_dir, 0,
		    found->pw_shell);
	j->user = (struct launch_user){ .uid = found->pw_uid, .gid = found->pw_gid };
	j->user.name = j->user_text.at;
	j->user.home = j->user.name + strlen(j->user.name) + 1;
	j->user.shell = j->user.home + strlen(j->user.home) + 1;
	j->o.user = &j->user;
	return 0;
}

int record_job_user(struct record_job *j, struct error *e)
{
	const char *caller = geteuid() ? NULL : getenv("SUDO_UID");

	if (j->target_user && geteuid())
		return error_set(e, ERROR_USAGE, "only root runs commands as somebody else");
	if (caller && find_user(j, caller, e))
		return -1;
	if (caller) {
		j->owner = j->user.uid;
		j->owner_group = j->user.gid;
	}
	return j->target_user ? find_user(j, j->target_user, e) : 0;
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
	*j = (struct record_job){
		.flame = { .svg = SVG_OPTS_DEFAULT, .shade = SHADE_NAME, .min_pixels = 1 },
		.o = { .sampling = { .frequency = FREQUENCY_DEFAULT,
				     .usual = true,
				     .copy_size = STACK_COPY_DEFAULT,
				     .cgroup = -1 },
		       .memory = RECORD_MEMORY_DEFAULT,
		       .threads = collapse_threads() },
		.owner = (uid_t)-1,
		.owner_group = (gid_t)-1,
		.runs = 1
	};
	j->flame.svg.count_name = NULL;
	j->flame.svg.root_on_top = true;
}

void record_job_release(struct record_job *j)
{
	if (j->o.data)
		recording_drop(j->o.data);
	for (size_t i = 0; i < j->nr_output; i++)
		output_file_close(&j->output[i].file);
	record_spill_release(&j->spill);
	free(j->output);
	free(j->command);
	events_release(&j->events);
	targets_release(&j->targets);
	strbuf_release(&j->user_text);
}
