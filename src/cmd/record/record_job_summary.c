/* The summary at the end of a recording. */
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cmd/print_notes.h"
#include "cmd/record/record_job.h"

/* Reports where the samples beyond the memory limit are, and how to see all samples. */
static void print_full(const struct record_job *j, const struct capture *g)
{
	const char *picture = NULL, *data = j->spill.path;

	for (size_t i = 0; i < j->nr_output; i++) {
		if (!j->output[i].written)
			continue;
		if (!format_is_copied(j->output[i].format))
			picture = picture ? picture : j->output[i].file.path;
		else
			data = j->output[i].file.path;
	}
	if (g->full && picture)
		record_print_full(g, j->o.memory, picture, data, j->spill.path != NULL);
}

/* A file that contains all events, including those it does not show; NULL: none. */
static const char *file_of_all(const struct record_job *j)
{
	for (size_t i = 0; i < j->nr_output; i++)
		if (j->output[i].written &&
		    format_writer(j->output[i].format)->holds & HOLDS_EVENTS &&
		    strcmp(j->output[i].file.path, "-") != 0)
			return j->output[i].file.path;
	return NULL;
}

static void print_left_out_of(const struct record_job *j, const struct profile *p)
{
	struct strbuf command = { 0 };
	const char *file = file_of_all(j);

	strbuf_addf(&command, "wick flame %s ", file ? file : "FILE.wick (with -o FILE.wick)");
	print_events_left_out(p, command.at);
	strbuf_release(&command);
}

/* Prints where the time went, and the command that draws the waits if the picture does not show them. */
static void print_waits(const struct record_job *j, const struct capture *g)
{
	const char *file = file_of_all(j);
	bool shown = !g->nr_sample || j->waits_first || j->choose.event;
	struct strbuf command = { 0 };

	strbuf_addf(&command, "wick flame -e " OFF_CPU " %s",
		    file ? file : "FILE.wick (with -o FILE.wick)");
	record_print_waits(g, shown ? NULL : command.at);
	strbuf_release(&command);
}

static void print_files(const struct record_job *j)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; i < j->nr_output; i++)
		if (j->output[i].written && strcmp(j->output[i].file.path, "-") != 0)
			strbuf_addf(&text, "%s%s", text.size ? ", " : "", j->output[i].file.path);
	if (text.size)
		message("wrote %s", text.at);
	strbuf_release(&text);
}

/* Prints what was recorded, what is missing, and where the files are; more only if the user can do something. */
void record_job_print_summary(const struct record_job *j, const struct capture *g)
{
	enum note_detail how = j->verbose ? NOTES_EACH : NOTES_SUMMED;

	if (j->quiet)
		return;
	print_each_note(&g->p, how);
	record_print_samples(g, &j->o);
	print_waits(j, g);
	record_print_missing(g, &j->o, how);
	print_full(j, g);
	print_separate_notes(&g->p);
	print_left_out_of(j, &g->p);
	for (size_t i = 0; i < j->nr_output; i++)
		if (j->output[i].written)
			print_lost(j->output[i].file.path, j->output[i].format, &g->p);
	if (!j->prints_files)
		print_files(j);
}
