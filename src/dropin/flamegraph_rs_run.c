/* flamegraph: from a command to its picture. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "dropin/flamegraph_rs.h"
#include "write/formats.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --freq was not given. */
#define FREQ_USUAL UINT_MAX

static int print_error(const struct error *e)
{
	message_peer(stderr, "Error: %s\n", e->text);
	if (e->hint[0])
		message_peer(stderr, "hint: %s\n", e->hint);
	return 1;
}

int flamegraph_rs_print_error(const struct option_table *t, const struct error *e)
{
	if (e->kind != ERROR_USAGE)
		return print_error(e);
	message_peer(stderr, "error: %s\n\n", e->text);
	if (e->hint[0])
		message_peer(stderr, "  tip: %s\n\n", e->hint);
	message_peer(stderr, "Usage: %s\n\nFor more information, try '--help'.\n", t->usage);
	return 2;
}

FILE *flamegraph_rs_words(const char *output)
{
	return strcmp(output, "-") != 0 ? stdout : stderr;
}

void flamegraph_rs_print_writing(const char *path)
{
	FILE *to = flamegraph_rs_words(path);

	message_peer(to, "writing flamegraph to \"%s\"\n", path);
}

/* Is the picture drawn from folded text or from perf.data, not from the recording in memory? */
static bool is_read_back(const struct flamegraph_rs *f)
{
	return f->perfdata || f->post_process || f->skip_after.nr || flamegraph_rs_by_perf(f);
}

/* The level of -z is optional, and a number up to 255. */
static bool is_level(const char *text)
{
	uint64_t level;

	return !*text || (span_u64(span_of(text), &level) && level <= UINT8_MAX);
}

int flamegraph_rs_check(struct flamegraph_rs *f, struct error *e)
{
	struct draw_opts *o = &f->job.draw;
	enum format format;

	if (f->outputs.nr > 1) {
		error_set(e, ERROR_USAGE,
			  "the argument '--output <FILE>' cannot be used multiple times");
		return error_hint(e, "wick record -o A -o B writes several files");
	}
	if (f->outputs.nr)
		f->output = f->outputs.at[0];
	if (!f->freq)
		return error_set(e, ERROR_USAGE, "invalid value '0' for '--freq <HZ>'");
	if (f->freq == FREQ_USUAL)
		f->freq = 0;
	if (f->compression && !is_level(f->compression))
		return error_set(e, ERROR_USAGE,
				 "invalid value '%s' for '--compression-level[=<LEVEL>]'",
				 f->compression);
	if (o->chart && o->reverse)
		return error_set(e, ERROR_USAGE,
				 "the argument '--flamechart' cannot be used with '--reverse'");
	if (f->palette &&
	    (!palette_find(span_of(f->palette), &o->palette) || o->palette == PALETTE_CHAIN))
		return error_set(e, ERROR_USAGE, "invalid value '%s' for '--palette <PALETTE>'",
				 f->palette);
	o->has_palette = f->palette != NULL;
	if (f->cmd && f->freq)
		return error_set(e, ERROR_INPUT,
				 "Cannot pass both a custom command and a frequency.");
	if (is_read_back(f) && format_find(f->output, &format) && format_is_copied(format))
		return error_set(
			e, ERROR_INPUT,
			"%s: .data output is only possible for unmodified recordings of wick",
			f->output);
	return 0;
}

/* flamegraph-rs draws as inferno does; formats other than SVG get wick's style. */
static void set_look(struct flamegraph_rs *f)
{
	struct draw_opts *o = &f->job.draw;
	enum format format;

	if (format_find(f->output, &format) && format != FORMAT_SVG)
		o->style = STYLE_WICK;
	if (o->style != STYLE_PEER)
		return;
	o->order = TREE_NAME;
	o->min_pixels = 0;
	if (f->deterministic)
		o->shade = SHADE_NAME;
	o->svg.rounded = true;
	o->svg.cut_left = true;
	o->svg.name_type = "Function:";
	o->svg.search_color = "#e600e6";
	o->svg.count_name = "samples";
}

static void set_input(struct flamegraph_rs *f)
{
	f->in.read.threads = load_threads();
	f->in.read.ticks = f->job.draw.chart;
	f->in.naming = f->job.o.naming;
}

/* Recording by wick */

static int set_targets(struct flamegraph_rs *f, struct error *e)
{
	struct record_job *j = &f->job;

	for (size_t i = 0; i < f->pid.nr; i++)
		if (targets_add_processes(&j->targets, span_of(f->pid.at[i]), e))
			return -1;
	j->o.sampling.follow = FOLLOW_ALL;
	j->o.sampling.task = j->targets.task;
	j->o.sampling.nr_task = j->targets.nr_task;
	j->o.folder = f->folder;
	record_job_targets(j, &f->argv, f->pid.nr ? RECORD_OTHERS : RECORD_COMMAND);
	events_add_default(&j->events);
	if (f->freq) {
		j->o.sampling.frequency = f->freq;
		j->o.sampling.usual = false;
	}
	j->o.times = j->draw.chart;
	return 0;
}

static int record(struct flamegraph_rs *f)
{
	bool text = f->post_process || f->skip_after.nr;
	struct error e = ERROR_INIT;
	struct strbuf path = { 0 };
	const char *output = f->output;
	int status, fd = -1;

	/* --skip-after and --post-process work on folded text, so that is written first. */
	if (text) {
		fd = memfd_create("folded", MFD_CLOEXEC);
		strbuf_addf(&path, "/proc/self/fd/%d", fd);
		output = path.at;
	} else {
		f->job.before = flamegraph_rs_print_writing;
	}
	if (set_targets(f, &e) || record_job_user(&f->job, &e) ||
	    record_job_outputs(&f->job, &output, 1, &e)) {
		strbuf_release(&path);
		return print_error(&e);
	}
	if (text)
		f->job.output[0].format = FORMAT_FOLDED;
	status = record_job_run(&f->job, &e);
	record_job_signals_end(&f->job);
	if (e.kind == ERROR_NONE && text && flamegraph_rs_text(f, fd, &e)) {
		print_error(&e);
		status = status ? status : 1;
	}
	if (fd >= 0)
		close(fd);
	strbuf_release(&path);
	f->drawn = e.kind == ERROR_NONE;
	return status;
}

/* Recording by perf */

static int draw_file(struct flamegraph_rs *f, const char *file)
{
	const char *const path[] = { file };
	struct error e = ERROR_INIT;
	int fd = -1, ret;

	f->in.file = path;
	f->in.nr_file = 1;
	if (f->post_process || f->skip_after.nr) {
		fd = memfd_create("folded", MFD_CLOEXEC);
		ret = flamegraph_rs_fold(f, fd, &e) || flamegraph_rs_text(f, fd, &e);
		close(fd);
	} else {
		ret = flamegraph_rs_draw(f, &e);
	}
	f->drawn = !ret;
	return ret ? print_error(&e) : 0;
}

/* Was the file written since then, that is, not by an earlier perf? */
static bool is_new(const char *path, const struct timespec *since)
{
	struct stat st;

	return !stat(path, &st) &&
	       (st.st_mtim.tv_sec > since->tv_sec ||
		(st.st_mtim.tv_sec == since->tv_sec && st.st_mtim.tv_nsec >= since->tv_nsec));
}

static int record_by_perf(struct flamegraph_rs *f)
{
	struct error e = ERROR_INIT;
	struct timespec before;
	int status;

	/* The clock of file times. */
	clock_gettime(CLOCK_REALTIME_COARSE, &before);
	status = flamegraph_rs_perf(f, &e);
	if (status < 0)
		return print_error(&e);
	if (status && !is_new(f->data, &before)) {
		error_set(&e, ERROR_SYSTEM, "failed to sample program, exited with code: Some(%d)",
			  status);
		return print_error(&e);
	}
	/* A signal is the usual way to end a recording of running processes, not a failure. */
	if (f->pid.nr && (status == 128 + SIGINT || status == 128 + SIGTERM))
		status = 0;
	return draw_file(f, f->data) && (!f->empty || f->pid.nr) && !status ? 1 : status;
}

void flamegraph_rs_init(struct flamegraph_rs *f, enum draw_style style)
{
	*f = (struct flamegraph_rs){ .output = "flamegraph.svg", .freq = FREQ_USUAL };
	record_job_init(&f->job);
	f->job.any_name = true;
	f->job.prints_files = true;
	f->job.draw.style = style;
	if (style == STYLE_PEER) {
		f->job.draw.shade = SHADE_RUNNING;
		f->job.draw.svg.root_on_top = false;
		f->job.draw.min_percent = 0.01;
	}
}

void flamegraph_rs_release(struct flamegraph_rs *f)
{
	record_job_release(&f->job);
	free(f->data);
	option_list_release(&f->argv);
	option_list_release(&f->pid);
	option_list_release(&f->skip_after);
	option_list_release(&f->outputs);
}

int flamegraph_rs_run(struct flamegraph_rs *f)
{
	struct error e = ERROR_INIT;
	int status;

	set_look(f);
	set_input(f);
	if (f->perfdata)
		status = draw_file(f, f->perfdata);
	else
		status = flamegraph_rs_by_perf(f) ? record_by_perf(f) : record(f);
	if (f->drawn && f->open && flamegraph_rs_open(f->output, &e))
		return print_error(&e);
	return f->ignore_status && f->drawn ? 0 : status;
}
