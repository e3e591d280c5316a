/* Reads all inputs of a command into one profile, and symbolizes its addresses. */
#include "load/load.h"
#include "base/alloc.h"
#include "base/date.h"
#include "base/stream.h"
#include "profile/anonymize.h"
#include "profile/spelling.h"
#include "read/foreign.h"
#include "write/formats.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

unsigned load_threads(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	return (unsigned)CPU_COUNT(&set);
}

void load_watch(struct load_opts *o, struct progress *p)
{
	progress_init(p);
	o->watcher = progress_show;
	o->watcher_arg = p;
}

int load_check_input(const struct load_opts *o, const char *called, struct error *e)
{
	if (o->nr_file || !isatty(STDIN_FILENO))
		return 0;
	error_set(e, ERROR_USAGE, "no input file given, and standard input is a terminal");
	return error_hint(e, "%s %s, or: perf script | %s", called,
			  access("perf.data", R_OK) ? "FILE" : "perf.data", called);
}

static const struct reader *guess(const struct load_opts *o, struct span head)
{
	if (!o->among)
		return reader_guess(head);
	for (size_t i = 0; o->among[i]; i++)
		if (o->among[i]->accepts(head))
			return o->among[i];
	return NULL;
}

static int no_format(const char *name, struct span head, struct error *e)
{
	const struct foreign *f = foreign_find(head);

	if (!head.size)
		return error_set(e, ERROR_FORMAT, "%s: empty input", name);
	if (f) {
		error_set(e, ERROR_FORMAT, "%s: unsupported format: %s", name, f->title);
		return error_hint(e, "%s", f->hint);
	}
	error_set(e, ERROR_FORMAT, "%s: unknown format", name);
	return error_hint(e, "name it with --from FORMAT; `wick convert --formats` lists all");
}

/* One stream of all files, one after the other. */
static struct stream *open_files(const char *const *path, size_t nr, struct error *e)
{
	struct stream *first = stream_open(path[0], e);

	for (size_t i = 1; first && i < nr; i++) {
		struct stream *next = stream_open(path[i], e);

		if (!next) {
			stream_close(first);
			return NULL;
		}
		stream_chain(first, next);
	}
	return first;
}

static bool is_known(const struct profile *p, const char *key)
{
	for (size_t i = 0; i < p->nr_info; i++)
		if (span_is(profile_peek(p, p->info[i].key), key))
			return true;
	return false;
}

/* Most recordings have no date: like perf, uses the modification time of the file. */
static void add_date(struct profile *p, const char *path)
{
	struct strbuf text = { 0 };
	struct stat st;

	if (is_known(p, "captured") || stat(path, &st) || !S_ISREG(st.st_mode))
		return;
	date_add(&text, st.st_mtime);
	strbuf_add(&text, SPAN(" (file date)"));
	profile_inform(p, SPAN("captured"), strbuf_peek(&text));
	strbuf_release(&text);
}

/*
 * Adds the format and the name of the input to the facts that pages show; a pack already has them.
 */
static void add_facts(struct load_result *r, const char *const *path, size_t nr)
{
	profile_inform(&r->p, SPAN("format"), span_of(r->reader->title));
	if (r->reader->copies)
		add_date(&r->p, path[0]);
	for (size_t i = 0; i < nr; i++) {
		const char *slash = strrchr(path[i], '/');

		/* Only the file name: the same file in another directory is the same input. */
		if (strcmp(path[i], "-") != 0)
			profile_inform(&r->p, SPAN("input"), span_of(slash ? slash + 1 : path[i]));
	}
}

static int no_records(const char *name, const struct reader *r, struct error *e)
{
	error_set(e, ERROR_FORMAT, "%s: cannot convert %s to perf.data: it has no addresses", name,
		  r->title);
	return error_hint(e, "write a .wick file instead: it holds any profile");
}

/* One input: a file, or several that belong together. */
static int read_input(const struct load_opts *o, const char *const *path, size_t nr,
		      struct load_result *r, struct error *e)
{
	const char *name = strcmp(path[0], "-") ? path[0] : "standard input";
	size_t nr_note = r->p.notes.nr;
	struct stream *stream = open_files(path, nr, e);
	struct read_result result = { 0 };
	struct source *source;
	int ret = -1;

	if (!stream)
		return -1;
	source = source_new(stream, e);
	if (!source)
		return -1;
	source_watch(source, o->watcher, o->watcher_arg);
	r->reader = o->reader ? o->reader : guess(o, source_head(source));
	if (!r->reader) {
		no_format(name, source_head(source), e);
	} else if (o->read.copy && !r->reader->copies) {
		no_records(name, r->reader, e);
	} else {
		ret = read_source(r->reader, source, &o->read, &r->p, &result, e);
		r->hints.spelling = r->nr_input ? spelling_join(r->hints.spelling, result.spelling)
						: result.spelling;
		r->nr_input++;
		r->compared = result.compared;
		if (!result.is_pack)
			add_facts(r, path, nr);
	}
	if (o->several || (o->nr_file > 1 && !o->joined))
		notes_name_input(&r->p.notes, nr_note, name);
	if (ret && r->reader && e->kind == ERROR_INPUT && nr == 1)
		error_within(e, "%s", name);
	source_free(source);
	return ret;
}

/* By event: its number of samples.  To be freed. */
static uint64_t *count_samples(const struct profile *p)
{
	uint64_t *nr = xcalloc(p->nr_event, sizeof(*nr));

	for (size_t i = 0; i < p->nr_count; i++)
		nr[p->count[i].event] += p->count[i].nr;
	return nr;
}

/*
 * Adds the lead of the input that was read last: `before` is the number of samples of each event before
 * it was read, so events that have more now are in this input.
 */
static void add_lead(struct load_result *r, const uint64_t *before, size_t nr_before)
{
	uint64_t *nr = count_samples(&r->p);
	uint32_t lead = UINT32_MAX;

	for (uint32_t i = 0; i < r->p.nr_event; i++) {
		if (nr[i] == (i < nr_before ? before[i] : 0))
			continue;
		if (choose_is_lead(&r->hints, &r->p, i)) {
			lead = UINT32_MAX;
			break;
		}
		lead = lead == UINT32_MAX ? i : lead;
	}
	if (lead != UINT32_MAX) {
		GROW(r->hints.lead, r->hints.nr_lead, r->hints.cap_lead);
		r->hints.lead[r->hints.nr_lead++] = lead;
	}
	free(nr);
}

/* Reads one of several inputs; as long as there is only one event, the leads stay the same. */
static int read_one_of(const struct load_opts *o, const char *const *path, size_t nr,
		       struct load_result *r, struct error *e)
{
	size_t nr_event = r->p.nr_event;
	uint64_t *before = count_samples(&r->p);
	int ret = read_input(o, path, nr, r, e);

	if (!ret && (r->p.nr_event > 1 || !nr_event))
		add_lead(r, before, nr_event);
	free(before);
	return ret;
}

/* Readers of recordings also need the recorded programs (read.image), to unwind stacks. */
static int read_inputs(const struct load_opts *o, struct load_result *r, struct error *e)
{
	static const char *const standard_input[] = { "-" };
	const char *const *file = o->nr_file ? o->file : standard_input;
	size_t nr = o->nr_file ? o->nr_file : 1, step = o->joined ? nr : 1;
	struct load_opts with = *o;
	struct naming_files files;
	int ret = 0;

	if (o->from && format_reader(o->from, &with.reader, e))
		return -1;
	naming_files_init(&files, &o->naming);
	with.read.image = &files.image;
	for (size_t i = 0; i < nr && !ret; i += step)
		ret = step < nr ? read_one_of(&with, file + i, step, r, e)
				: read_input(&with, file, step, r, e);
	naming_files_release(&files);
	return ret;
}

static void anonymize(struct profile *p)
{
	struct profile shown;

	profile_init(&shown);
	profile_anonymize(&shown, p);
	profile_release(p);
	*p = shown;
}

int load(const struct load_opts *o, struct load_result *r, struct error *e)
{
	*r = (struct load_result){ 0 };
	profile_init(&r->p);
	if (naming_check(&o->naming, e) || read_inputs(o, r, e))
		return -1;
	naming_apply(&o->naming, o->read.threads, &r->p);
	if (o->anonymize)
		anonymize(&r->p);
	return 0;
}

void load_release(struct load_result *r)
{
	profile_release(&r->p);
	free(r->hints.lead);
	r->hints = (struct choose_hints){ 0 };
}
