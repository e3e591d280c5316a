/* Profiled runs, which are not timed: find the functions that make the difference. */
#include "base/alloc.h"
#include "base/output.h"
#include "base/whole_file.h"
#include "capture/capture.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "cmd/bench/bench_parts.h"
#include "cmd/diff/diff.h"
#include "fold/explained.h"
#include "fold/steady.h"
#include "pack/pack_write.h"
#include "record/priority.h"
#include "record/session.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIDES = 2 };

/*
 * --profile-runs auto: the first comparison is after ROUNDS_FIRST; recording ends before one more
 * round would exceed SECONDS_MOST.
 */
enum { ROUNDS_FIRST = 5, ROUNDS_MOST = 400 };
static const double SECONDS_MOST = 10;

struct recorder {
	struct bench *b;
	struct bench_spawn *s;
	const struct bench_command *side[SIDES];
	struct events events;
	struct targets targets; /* none but the command */
	unsigned frequency;	/* Hz */
	uint64_t begin;
	size_t nr_round; /* so far */
	bool reversed;	 /* the order of the commands in the last one */
	const char *folder;
	const char **file[SIDES]; /* by run */
	size_t nr[SIDES], cap[SIDES];
};

/*
 * A captured command inherits wick's standard streams: they are replaced by the command's during a
 * run.
 */
struct streams {
	int saved[BENCH_STREAMS];
};

static void streams_lend(struct streams *t, const int *lent)
{
	fflush(NULL);
	for (int fd = 0; fd < BENCH_STREAMS; fd++) {
		t->saved[fd] = lent[fd] >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -1;
		if (t->saved[fd] >= 0)
			dup2(lent[fd], fd);
	}
}

static void streams_return(const struct streams *t)
{
	for (int fd = 0; fd < BENCH_STREAMS; fd++)
		if (t->saved[fd] >= 0) {
			dup2(t->saved[fd], fd);
			close(t->saved[fd]);
		}
}

static int write_profile(const struct profile *p, const char *path, struct error *e)
{
	const struct pack_view view = { .spelling = SPELL_THREAD };
	struct strbuf pack = { 0 };
	struct output out;

	if (output_open_whole(&out, path, e))
		return -1;
	pack_write(&pack, p, &view);
	output_add(&out, strbuf_peek(&pack));
	strbuf_release(&pack);
	return output_close(&out, e);
}

/* Stores the waits of a run's threads, by reason. */
static void keep_waits(struct bench_command *c, const struct wait_sums *sums)
{
	struct bench_run *run = bench_runs_add(&c->recorded);

	run->order = c->recorded.nr - 1;
	for (size_t i = 0; i < NR_WAIT_REASONS; i++)
		run->value[METRIC_WAIT + i] = (double)sums->off[i];
	c->has_no_waits |= !sums->nr_thread;
}

/* Writes each run of a side to its own file: the variation between runs shows what is noise. */
static int keep_profile(struct recorder *r, const struct bench_command *c, const struct profile *p,
			struct error *e)
{
	for (int side = 0; side < SIDES; side++) {
		size_t *nr = &r->nr[side];

		if (r->side[side] != c)
			continue;
		GROW(r->file[side], *nr, r->cap[side]);
		r->file[side][*nr] = bench_text(r->b, "%s/%c%zu.wick", r->folder, "ab"[side], *nr);
		return write_profile(p, r->file[side][(*nr)++], e);
	}
	return 0;
}

/*
 * The CPU time of each timed run, including its shell, which is recorded, too; the caller frees it.
 */
static double *cpu_of(const struct bench *b, const struct bench_command *c)
{
	size_t last = b->profile.user_only ? METRIC_USER : METRIC_SYSTEM;
	double *cpu = xcalloc(c->timed.nr + 1, sizeof(*cpu));

	for (size_t i = 0; i < c->timed.nr; i++)
		for (size_t k = METRIC_USER; k <= last; k++)
			cpu[i] += c->timed.at[i].value[k] + (c->in_shell ? b->overhead[k] : 0);
	return cpu;
}

/*
 * The sampling rate: enough samples per run to detect small changes in short commands.  High rates
 * slow commands down, but these runs are not timed.
 */
static unsigned choose_frequency(const struct bench *b)
{
	enum { SAMPLES_WANTED = 1000 }; /* of a run */
	/* Primes, like the default. */
	static const unsigned rate[] = { FREQUENCY_DEFAULT, 1999, 4999, 9973, 19997 };
	double least = INFINITY;
	size_t i = 0;

	for (size_t k = 0; k < b->nr_command; k++) {
		double *cpu = cpu_of(b, &b->command[k]);

		least = fmin(least, median_of(cpu, b->command[k].timed.nr) / 1e9);
		free(cpu);
	}
	while (i + 1 < ARRAY_SIZE(rate) && rate[i] * least < SAMPLES_WANTED)
		i++;
	return rate[i];
}

/*
 * Are waits recorded?  That may take longer than a short run, so additional runs of --profile-runs
 * auto do without.
 */
static bool has_waits(const struct recorder *r)
{
	return r->b->o.profile_runs != BENCH_PROFILE_AUTO || r->nr_round < ROUNDS_FIRST;
}

static int record_run(struct recorder *r, struct bench_command *c, unsigned frequency,
		      struct error *e)
{
	struct capture_opts o = CAPTURE_OPTS_DEFAULT;
	struct capture g;
	struct streams streams;
	int ret, stream[BENCH_STREAMS];

	o.sampling.on_exec = true;
	o.sampling.frequency = frequency;
	o.sampling.follow = FOLLOW_ALL;
	o.sampling.event = r->events.event;
	o.sampling.nr_event = r->events.nr;
	o.command = c->argv;
	o.targets = &r->targets;
	o.user = run_as_user(&r->b->run_as);
	o.folder = c->folder;
	o.signals = &r->b->signals;
	o.waits = has_waits(r) ? WAITS_ASKED : WAITS_OFF;
	capture_init(&g);
	ret = bench_streams_open(r->s, c->output, stream, e);
	streams_lend(&streams, stream);
	if (!ret)
		ret = capture_run(&g, &o, e);
	priority_restore();
	if (!ret && g.launch.pid)
		capture_wait(&g, &o);
	streams_return(&streams);
	bench_streams_close(r->s, stream);
	if (g.interrupted)
		r->b->interrupted = r->b->interrupted ? r->b->interrupted : SIGINT;
	if (!ret && g.launch.status && !r->b->ignored[g.launch.status & 255] && !r->b->interrupted)
		ret = error_set(e, ERROR_SYSTEM,
				"'%s' failed with exit status %d while being profiled", c->title,
				g.launch.status);
	if (!ret && !r->b->interrupted && has_waits(r))
		keep_waits(c, &g.waits);
	r->b->profile.user_only |= g.user_only;
	if (!ret && g.nr_sample && !r->b->interrupted) {
		capture_name(&g, &o);
		ret = keep_profile(r, c, &g.p, e);
	}
	capture_release(&g);
	return ret;
}

/* Would one more round end too late? */
static bool is_late(const struct recorder *r)
{
	double nr = (double)r->nr_round, elapsed = (double)(session_now() - r->begin) / 1e9;

	return r->b->o.profile_runs == BENCH_PROFILE_AUTO && elapsed * (nr + 1) / nr > SECONDS_MOST;
}

/*
 * Varies the sampling rate from round to round, so that samples at regular intervals do not hit the
 * same places of a program in all runs.
 */
static unsigned vary_frequency(struct recorder *r)
{
	return r->frequency - (unsigned)seeded_below(&r->b->chance, r->frequency / 5);
}

static int record_round(struct recorder *r, struct error *e)
{
	unsigned frequency = vary_frequency(r);
	size_t nr = r->b->nr_command;
	int ret = 0;

	/* The order is that of timed runs: AB, then ABBA or BAAB. */
	r->reversed =
		r->nr_round && r->nr_round % 2 == 0 ? !r->reversed : seeded_below(&r->b->chance, 2);
	for (size_t k = 0; k < nr && !ret && !r->b->interrupted; k++) {
		struct bench_command *c = &r->b->command[r->reversed ? nr - 1 - k : k];

		if (c->prepare)
			ret = bench_spawn_line(
				r->s, &(struct bench_line){ "--prepare", c->prepare, c, NULL }, e);
		if (!ret)
			ret = record_run(r, c, frequency, e);
		if (!ret && c->conclude)
			ret = bench_spawn_line(
				r->s, &(struct bench_line){ "--conclude", c->conclude, c, NULL },
				e);
	}
	r->nr_round++;
	return ret;
}

/* Records rounds until there are `nr`, or, after the first few, the time limit is reached. */
static int record_rounds(struct recorder *r, size_t nr, struct error *e)
{
	struct progress progress;
	int ret = 0;

	bench_progress_init(r->b, &progress);
	while (r->nr_round < nr && !ret && !r->b->interrupted &&
	       (r->nr_round < ROUNDS_FIRST || !is_late(r))) {
		char text[60];

		snprintf(text, sizeof(text), "profiling: round %zu of %zu", r->nr_round + 1, nr);
		progress_text(&progress, text);
		ret = record_round(r, e);
	}
	progress_end(&progress);
	return ret;
}

/* Functions */

static int by_change(const void *a, const void *b)
{
	const struct bench_function *x = a, *y = b;
	double dx = fabs(x->after - x->before), dy = fabs(y->after - y->before);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Samples by run, before's first. */
static const double *runs_of(const struct noise_item *item)
{
	return item->run ? item->run : item->count;
}

/* The CPU time before, and its ratio to that after. */
static void set_cpu(const struct recorder *r, struct explaining *o)
{
	double *cpu[SIDES];
	size_t nr[SIDES];

	for (int k = 0; k < SIDES; k++) {
		cpu[k] = cpu_of(r->b, r->side[k]);
		nr[k] = r->side[k]->timed.nr;
	}
	o->cpu = median_of(cpu[0], nr[0]);
	o->ratio = ratio_of_pairs(cpu[0], cpu[1], nr[0] < nr[1] ? nr[0] : nr[1], o->confidence);
	for (int k = 0; k < SIDES; k++)
		free(cpu[k]);
}

/*
 * The self time of a function is that of the stacks that end in it: in the tree of reversed stacks,
 * the nodes below the root.
 */
static double find_functions(struct recorder *r, const struct changes *c)
{
	struct bench_profile *p = &r->b->profile;
	struct explaining o = { .all = runs_of(&c->nodes.item[0]),
				.nr_run = { r->nr[0], r->nr[1] },
				.confidence = CONFIDENCE_DEFAULT };
	struct explained *explained = xcalloc(c->nodes.nr, sizeof(*explained));
	uint32_t *node = xcalloc(c->nodes.nr, sizeof(*node));
	double wanted;
	size_t nr = 0;

	for (uint32_t n = 1; n < c->nodes.nr; n++)
		if (!tree_parent(&c->tree, n)) {
			node[nr] = n;
			explained[nr++].part = runs_of(&c->nodes.item[n]);
		}
	set_cpu(r, &o);
	wanted = explain(&o, explained, nr);
	p->cpu[0] = o.cpu;
	p->cpu[1] = o.cpu * o.ratio.value;
	free(p->function);
	p->function = xcalloc(nr + 1, sizeof(*p->function));
	p->nr_function = 0;
	for (size_t i = 0; i < nr; i++) {
		struct span name = labels_peek(&c->tree.labels, tree_label(&c->tree, node[i]));
		const struct explained *e = &explained[i];

		if (e->changed)
			p->function[p->nr_function++] = (struct bench_function){
				.name = bench_text(r->b, "%.*s", (int)name.size, name.at),
				.before = e->before,
				.after = e->after,
				.share = e->share,
				.error = e->error,
			};
	}
	qsort(p->function, p->nr_function, sizeof(*p->function), by_change);
	free(explained);
	free(node);
	return wanted;
}

/*
 * Compares the runs so far; sets *wanted to the factor by which more runs would be enough, if that
 * is known.
 */
static int compare(struct recorder *r, double *wanted, struct error *e)
{
	struct diff_opts o = { .in = { .read = { .threads = 1 } },
			       .choose = { .spell = SPELL_MARKS },
			       .before = r->file[0],
			       .after = r->file[1],
			       .nr_before = r->nr[0],
			       .nr_after = r->nr[1],
			       .normalize = NORMALIZE_NONE,
			       .match_roots = true,
			       .set_apart = true,
			       .confidence = CONFIDENCE_DEFAULT };
	struct diff_result d;
	struct changes c;
	int ret = diff_read(&o, &d, e);

	if (!ret) {
		/* Functions are distinguished by their names only, not by threads. */
		const struct changes_opts how = { .tree = { .spelling = d.spelling &
									~(unsigned)SPELL_THREAD,
							    .reverse = true },
						  .normalize = NORMALIZE_NONE,
						  .confidence = CONFIDENCE_DEFAULT,
						  .basis = d.basis,
						  .nr_run = { r->nr[0], r->nr[1] },
						  .run_size = d.run_size };

		changes_init(&c, &d.p, &how);
		if (c.claim)
			*wanted = find_functions(r, &c);
		else
			r->b->profile.why_not = "too few samples to compare";
		changes_release(&c);
	}
	diff_release(&d);
	return ret;
}

/* Creates the page of `wick diff`, to be embedded in the page of the results. */
static void draw(struct recorder *r)
{
	struct bench_profile *p = &r->b->profile;
	const char *path = bench_text(r->b, "%s/diff.html", r->folder);
	const char **argv = xcalloc(r->nr[0] + r->nr[1] + 10, sizeof(*argv));
	int argc = 0;

	argv[argc++] = "diff";
	argv[argc++] = "-q";
	argv[argc++] = "--normalize";
	argv[argc++] = "none";
	argv[argc++] = "-o";
	argv[argc++] = path;
	for (size_t i = 0; i < r->nr[0]; i++)
		argv[argc++] = r->file[0][i];
	argv[argc++] = "--";
	for (size_t i = 0; i < r->nr[1]; i++)
		argv[argc++] = r->file[1][i];
	if (!diff_main(argc, (char **)(uintptr_t)argv))
		p->page = whole_file(path, SIZE_MAX / 2, &p->page_size);
	unlink(path);
	free(argv);
}

/* Finds the first command whose reference was run, too, if any. */
static void find_sides(struct recorder *r)
{
	for (size_t i = 0; i < r->b->nr_command; i++) {
		struct bench_command *c = &r->b->command[i];

		if (!c->reference || !c->reference->argv)
			continue;
		r->side[0] = c->reference;
		r->side[1] = c;
		r->b->profile.command = c;
		return;
	}
}

/*
 * Makes waits available for commands that have them: not for those interrupted before they were
 * recorded.
 */
static void set_waits(struct bench *b)
{
	for (size_t i = 0; i < b->nr_command; i++)
		if (b->command[i].recorded.nr && !b->command[i].has_no_waits)
			b->command[i].metrics |= BENCH_WAITS;
}

/*
 * The number of rounds to record next: --profile-runs auto continues until functions can be
 * distinguished.
 */
static size_t next_rounds(const struct recorder *r, double wanted)
{
	double nr = (double)r->nr_round;

	if (r->b->o.profile_runs != BENCH_PROFILE_AUTO || !(wanted > 1) || is_late(r))
		return 0;
	/* `wanted` is an estimate from a few runs: compares again after at most twice as many. */
	return (size_t)fmin(ROUNDS_MOST, fmin(2 * nr, ceil(nr * wanted) + 1));
}

static int record_and_compare(struct recorder *r, struct error *e)
{
	struct bench_profile *p = &r->b->profile;
	bool fixed = r->b->o.profile_runs != BENCH_PROFILE_AUTO;
	size_t nr = fixed ? r->b->o.profile_runs : ROUNDS_FIRST;

	while (r->nr_round < nr) {
		double wanted = 0;

		if (record_rounds(r, nr, e))
			return -1;
		set_waits(r->b);
		if (!r->side[0])
			return 0;
		p->made = !r->b->interrupted;
		p->nr_run = r->nr_round;
		p->why_not = NULL;
		if (!r->nr[0] || !r->nr[1])
			p->why_not =
				"the profiled runs have no samples: too short, or mostly waiting";
		else if (p->made && compare(r, &wanted, e))
			return -1;
		nr = next_rounds(r, wanted);
	}
	if (p->made && r->nr[0] && r->nr[1] && r->b->o.page)
		draw(r);
	return 0;
}

int bench_profile(struct bench *b, struct bench_spawn *s, struct error *e)
{
	struct recorder r = { .b = b, .s = s };
	int ret;

	find_sides(&r);
	if (b->in_blocks) {
		b->profile = (struct bench_profile){
			.made = true,
			.why_not = "not profiled, because --setup differs between commands"
		};
		return 0;
	}
	r.folder = bench_folder(b, e);
	if (!r.folder)
		return -1;
	events_add_default(&r.events);
	r.frequency = choose_frequency(b);
	r.begin = session_now();
	ret = record_and_compare(&r, e);
	for (int k = 0; k < SIDES; k++) {
		for (size_t i = 0; i < r.nr[k]; i++)
			unlink(r.file[k][i]);
		free(r.file[k]);
	}
	rmdir(r.folder);
	events_release(&r.events);
	targets_release(&r.targets);
	return ret;
}

void bench_profile_release(struct bench_profile *p)
{
	free(p->function);
	free(p->page);
}
