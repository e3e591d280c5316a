#include "cmd/collapse.h"

#include "base/alloc.h"
#include "base/date.h"
#include "base/stream.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cmd/filtering.h"
#include "cmd/tell.h"
#include "profile/anonymize.h"
#include "read/foreign.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

unsigned collapse_threads(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	return (unsigned)CPU_COUNT(&set);
}

void collapse_watch(struct collapse_opts *o, struct progress *p)
{
	progress_init(p);
	o->watcher = progress_show;
	o->watcher_arg = p;
}

/* Reading */

static const struct reader *guess(const struct collapse_opts *o, struct span head)
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
	size_t at = 0;

	if (!head.size)
		return error_set(e, ERROR_FORMAT, "%s: the input is empty", name);
	if (f) {
		error_set(e, ERROR_FORMAT, "%s is %s: wick does not read that", name, f->title);
		return error_hint(e, "%s", f->hint);
	}
	error_set(e, ERROR_FORMAT,
		  "%s: the input is of no format that wick knows; looked for: ", name);
	at = strlen(e->text);
	for (const struct reader *const *r = reader_list(); *r && at < sizeof(e->text); r++)
		at += (size_t)snprintf(e->text + at, sizeof(e->text) - at, "%s%s",
				       r == reader_list() ? "" : ", ", (*r)->title);
	return error_hint(
		e,
		"if you know the format, name it: wick collapse FORMAT FILE, and draw what that prints");
}

/* All bytes of the files, one after the other. */
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

/* Most recordings do not tell when they were made.  As perf has it, their file does. */
static void add_date(struct profile *p, const char *path)
{
	struct strbuf text = { 0 };
	struct stat st;

	if (is_known(p, "captured") || stat(path, &st) || !S_ISREG(st.st_mode))
		return;
	date_add(&text, st.st_mtime);
	strbuf_add(&text, SPAN(" (of the file)"));
	profile_inform(p, SPAN("captured"), strbuf_peek(&text));
	strbuf_release(&text);
}

/* What was read, as the page tells it; a pack knows what it was made from. */
static void add_facts(struct collapse_result *r, const char *const *path, size_t nr)
{
	profile_inform(&r->p, SPAN("format"), span_of(r->reader->title));
	if (r->reader->copies)
		add_date(&r->p, path[0]);
	for (size_t i = 0; i < nr; i++) {
		const char *slash = strrchr(path[i], '/');

		/* The same file in another folder is the same input. */
		if (strcmp(path[i], "-") != 0)
			profile_inform(&r->p, SPAN("input"), span_of(slash ? slash + 1 : path[i]));
	}
}

static int no_records(const char *name, const struct reader *r, struct error *e)
{
	error_set(e, ERROR_FORMAT,
		  "%s is %s, which has no addresses: only perf.data becomes perf.data", name,
		  r->title);
	return error_hint(e, "a .wick file keeps all of any profile");
}

/* One input: a file, or several that belong together. */
static int read_input(const struct collapse_opts *o, const char *const *path, size_t nr,
		      struct collapse_result *r, struct error *e)
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
		r->spelling =
			r->nr_input ? spelling_join(r->spelling, result.spelling) : result.spelling;
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

int collapse_nothing(const struct collapse_opts *o, struct error *e)
{
	if (o->filter)
		return error_set(e, ERROR_INPUT,
				 "no stacks left: the filter takes all samples out");
	return error_set(e, ERROR_INPUT, "no stacks found: the input has no samples");
}

/* Writing */

static int write_folded(const struct collapse_opts *o, struct collapse_result *r, struct error *e)
{
	struct folded_opts f = { .order = o->order, .number = o->number, .reverse = o->reverse };
	struct chosen c;
	struct output out;
	int ret = -1;

	if (collapse_choose(o, r, &c, e))
		return -1;
	f.spelling = c.spelling;
	f.samples = c.samples;
	f.nr_column = c.nr_column;
	f.in[0] = c.in[0];
	f.in[1] = c.in[1];
	if (!output_open(&out, o->output ? o->output : "-", e)) {
		r->nr_line = folded_write(&out, &r->p, &f);
		ret = output_close(&out, e);
	}
	chosen_release(&c);
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

/* How many samples of each event there are. */
static uint64_t *count_samples(const struct profile *p)
{
	uint64_t *nr = xcalloc(p->nr_event, sizeof(*nr));

	for (size_t i = 0; i < p->nr_count; i++)
		nr[p->count[i].event] += p->count[i].nr;
	return nr;
}

/* Keeps the first event of the input that was read last, unless it has one that an earlier input began with. */
static void add_lead(struct collapse_result *r, const uint64_t *before, size_t nr_before)
{
	uint64_t *nr = count_samples(&r->p);
	uint32_t lead = UINT32_MAX;

	for (uint32_t i = 0; i < r->p.nr_event; i++) {
		if (nr[i] == (i < nr_before ? before[i] : 0))
			continue;
		if (collapse_is_lead(r, i)) {
			lead = UINT32_MAX;
			break;
		}
		lead = lead == UINT32_MAX ? i : lead;
	}
	if (lead != UINT32_MAX) {
		GROW(r->lead, r->nr_lead, r->cap_lead);
		r->lead[r->nr_lead++] = lead;
	}
	free(nr);
}

/* Reads one of several inputs; where all have the same event there is nothing to keep. */
static int read_one_of(const struct collapse_opts *o, const char *const *path, size_t nr,
		       struct collapse_result *r, struct error *e)
{
	size_t nr_event = r->p.nr_event;
	uint64_t *before = count_samples(&r->p);
	int ret = read_input(o, path, nr, r, e);

	if (!ret && (r->p.nr_event > 1 || !nr_event))
		add_lead(r, before, nr_event);
	free(before);
	return ret;
}

/* Recordings are read with the files at hand that they are about. */
static int read_inputs(const struct collapse_opts *o, struct collapse_result *r, struct error *e)
{
	static const char *const standard_input[] = { "-" };
	const char *const *file = o->nr_file ? o->file : standard_input;
	size_t nr = o->nr_file ? o->nr_file : 1, step = o->joined ? nr : 1;
	struct collapse_opts with = *o;
	struct naming_files files;
	int ret = 0;

	naming_files_init(&files, &o->naming);
	with.read.image = &files.image;
	for (size_t i = 0; i < nr && !ret; i += step)
		ret = step < nr ? read_one_of(&with, file + i, step, r, e)
				: read_input(&with, file, step, r, e);
	naming_files_release(&files);
	return ret;
}

int collapse_check_input(const struct collapse_opts *o, const char *called, struct error *e)
{
	if (o->nr_file || !isatty(STDIN_FILENO))
		return 0;
	error_set(e, ERROR_USAGE, "which file? Standard input is a terminal");
	return error_hint(e, "%s %s, or: perf script | %s", called,
			  access("perf.data", R_OK) ? "FILE" : "perf.data", called);
}

int collapse_read(const struct collapse_opts *o, struct collapse_result *r, struct error *e)
{
	*r = (struct collapse_result){ 0 };
	profile_init(&r->p);
	if (naming_check(&o->naming, e) || read_inputs(o, r, e))
		return -1;
	naming_apply(&o->naming, o->read.threads, &r->p);
	if (o->anonymize)
		anonymize(&r->p);
	return 0;
}

int collapse(const struct collapse_opts *o, struct collapse_result *r, struct error *e)
{
	if (collapse_read(o, r, e))
		return -1;
	if (o->check && o->check(r, e))
		return -1;
	return write_folded(o, r, e);
}

void collapse_release(struct collapse_result *r)
{
	profile_release(&r->p);
	free(r->lead);
	r->lead = NULL;
}

/* The command */

struct command {
	struct collapse_opts o;
	struct progress progress;
	struct option_list skip_after;
	struct filtering filtering;
	bool quiet, verbose, list;
	int order, packages, cost;
};

/* What --cost names, in the order of its choices. */
enum cost { COST_TIME, COST_TICKS, COST_BYTES, COST_CALLS };

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	COLLAPSE_EVENT_OPTIONS(o),
	{ "order", 0, OPTION_CHOICE, AT(order), "sorted|input", "of the lines [sorted]", 0 },
	{ "pid", 0, OPTION_BITS, AT(o.spell), NULL, "put the process id behind the process name",
	  SPELL_PID },
	{ "tid", 0, OPTION_BITS, AT(o.spell), NULL, "put process and thread id there",
	  SPELL_PID | SPELL_TID },
	{ "kernel", 0, OPTION_BITS, AT(o.spell), NULL, "mark kernel functions with _[k]",
	  SPELL_KERNEL },
	{ "jit", 0, OPTION_BITS, AT(o.spell), NULL, "mark JIT-compiled functions with _[j]",
	  SPELL_JIT },
	{ "all", 0, OPTION_BITS, AT(o.spell), NULL, "all marks", SPELL_MARKS },
	{ "addrs", 0, OPTION_FLAG, AT(o.read.addresses), NULL,
	  "show the address where there is no name", 0 },
	{ "srcline", 0, OPTION_FLAG, AT(o.read.srcline), NULL,
	  "put file and line behind the name, where the input has them", 0 },
	{ "offsets", 0, OPTION_FLAG, AT(o.read.offsets), NULL,
	  "keep the offset in the function (dtrace)", 0 },
	{ "no-modules", 0, OPTION_BITS, AT(o.spell_not), NULL,
	  "leave the module out of the name (dtrace, sample, vtune)", SPELL_MODULE },
	FILTERING_OPTIONS(filtering),
	{ "reverse", 0, OPTION_FLAG, AT(o.reverse), NULL, "from the leaf: who called it", 0 },
	{ "packages", 0, OPTION_CHOICE, AT(packages), "keep|shorten|drop",
	  "what to do with Java packages [keep]", 0 },
	{ "cost", 0, OPTION_CHOICE, AT(cost), "time|ticks|bytes|calls",
	  "what counts where an input has several: ghcprof has time, ticks and bytes, vtune-mc bytes, xdebug calls",
	  0 },
	{ "skip-after", 0, OPTION_LIST, AT(skip_after), "FUNCTION",
	  "drop the callers of this function (perf)", 0 },
	{ "threads", 'n', OPTION_UINT, AT(o.read.threads), "N", "read with N threads [all]", 0 },
	{ "output", 'o', OPTION_STRING, AT(o.output), "FILE", "write there [standard output]", 0 },
	NAMING_OPTIONS(o.naming),
	{ "strict", 0, OPTION_FLAG, AT(o.read.strict), NULL,
	  "stop at the first thing that cannot be read", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "do not say what was left out", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list what was left out, with lines", 0 },
	{ "formats", 0, OPTION_FLAG, AT(list), NULL, "list the formats", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

/* As --formats has them, which tests/cli/completions.sh holds. */
static const struct option_words values[] = {
	{ "FORMAT",
	  "perf-data|page|chrome-tracing|perf-sched|perf|perf-packages|stap|dtrace|sample|vtune|vtune-mc|"
	  "vsprof|ghcprof|xctrace|ibmjava|jstack|xdebug|go|bpftrace|elfutils|gdb|faulthandler|wcp|aix|pmc|"
	  "instruments|ljp|java-exceptions|folded" },
	{ 0 },
};

const struct option_table collapse_table = {
	.usage = "wick collapse [FORMAT] [options] [FILE...]",
	.about =
		"Turns what a profiler wrote into folded stacks: one line a stack, `root;caller;callee 42`.\n"
		"Reads standard input when there is no FILE, unpacks gzip and zstd, and guesses the\n"
		"FORMAT from the content when it is not named (--formats lists them; a file of that name is ./FORMAT).",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
	.operand = "FORMAT|FILE",
	.words = values,
};

static void list_formats(void)
{
	for (const struct reader *const *r = reader_list(); *r; r++)
		printf("%-18s %s\n", (*r)->name, (*r)->title);
}

static int run(struct command *c, struct error *e)
{
	struct collapse_result r;
	int ret;

	collapse_watch(&c->o, &c->progress);
	ret = collapse(&c->o, &r, e);
	progress_end(&c->progress);
	tell_notes(&r.p, c->quiet ? TELL_NOTHING : c->verbose ? TELL_EACH : TELL_SUM);
	if (!ret && !r.nr_line)
		ret = collapse_nothing(&c->o, e);
	collapse_release(&r);
	return ret;
}

static void set_cost(struct read_opts *read, enum cost cost)
{
	if (cost == COST_TICKS)
		read->ghc_weight = GHC_TICKS;
	if (cost == COST_BYTES)
		read->ghc_weight = GHC_BYTES;
	read->allocated_bytes = cost == COST_BYTES;
	read->call_counts = cost == COST_CALLS;
}

int collapse_main(int argc, char **argv)
{
	struct command c = { .o = { .read = { .threads = collapse_threads() } } };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&collapse_table, &c, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&collapse_table);
		return 0;
	}
	if (!ret && c.list) {
		list_formats();
		return 0;
	}
	if (!ret && c.o.reverse && c.order == FOLDED_INPUT)
		ret = error_set(&e, ERROR_USAGE, "--reverse goes with --order sorted only");
	if (!ret)
		ret = filtering_parse(&c.filtering, &c.o.filter, &e);
	if (!ret) {
		size_t named = 0;

		/* A file that is called like a format is given as ./perf. */
		if (operands.nr) {
			c.o.reader = reader_find(span_of(operands.at[0]));
			named = c.o.reader != NULL;
		}
		c.o.nr_file = operands.nr - named;
		c.o.file = c.o.nr_file ? operands.at + named : NULL;
		c.o.read.skip_after = c.skip_after.at;
		c.o.read.nr_skip_after = c.skip_after.nr;
		c.o.order = (enum folded_order)c.order;
		c.o.read.packages = (enum packages)c.packages;
		set_cost(&c.o.read, (enum cost)c.cost);
		c.o.read.ticks = c.o.order == FOLDED_INPUT || c.filtering.time;
		if (c.o.read.addresses)
			c.o.spell |= SPELL_ADDRESS;
		if (c.o.read.srcline)
			c.o.spell |= SPELL_SRCLINE;
		ret = collapse_check_input(&c.o, "wick collapse", &e) || run(&c, &e) ? -1 : 0;
	}
	option_list_release(&operands);
	option_list_release(&c.skip_after);
	filtering_release(&c.filtering);
	if (!ret)
		return 0;
	message_error(&e);
	return message_status(&e);
}
