/* Recorded runs, which are not timed: which functions make the difference. */
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

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIDES = 2 };

struct recorder {
	struct bench *b;
	struct bench_spawn *s;
	const struct bench_command *side[SIDES];
	struct events events;
	struct targets targets; /* none but the command */
	unsigned frequency;	/* Hz */
	const char *folder;
	const char **file[SIDES]; /* by run */
	size_t nr[SIDES];
};

/* What the command reads and writes is ours, as capture has it: so ours is another meanwhile. */
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

	if (output_open(&out, path, e))
		return -1;
	pack_write(&pack, p, &view);
	output_add(&out, strbuf_peek(&pack));
	strbuf_release(&pack);
	return output_close(&out, e);
}

/* What the threads of a run have waited for. */
static void keep_waits(struct bench_command *c, const struct wait_sums *sums)
{
	struct bench_run *run = bench_runs_add(&c->recorded);

	run->order = c->recorded.nr - 1;
	for (size_t i = 0; i < NR_WAIT_REASONS; i++)
		run->value[METRIC_WAIT + i] = (double)sums->off[i];
	if (!sums->nr_thread)
		c->metrics &= ~BENCH_WAITS;
}

/* A run of a side goes into a file of its own: how much runs differ tells what is noise. */
static int keep_profile(struct recorder *r, const struct bench_command *c, const struct profile *p,
			struct error *e)
{
	for (int side = 0; side < SIDES; side++) {
		size_t *nr = &r->nr[side];

		if (r->side[side] != c)
			continue;
		r->file[side][*nr] = bench_text(r->b, "%s/%c%zu.wick", r->folder, "ab"[side], *nr);
		return write_profile(p, r->file[side][(*nr)++], e);
	}
	return 0;
}

/* The CPU time of each timed run, with that of its shell, which is recorded, too; the caller frees it. */
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
 * The sampling rate: enough samples of each run to see small changes of short commands, too.  That slows
 * them down, but these runs are not timed.
 */
static unsigned choose_frequency(const struct bench *b)
{
	enum { SAMPLES_WANTED = 1000 }; /* of a run */
	/* Primes, as the default. */
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

static int record_run(struct recorder *r, struct bench_command *c, struct error *e)
{
	struct capture_opts o = CAPTURE_OPTS_DEFAULT;
	struct capture g;
	struct streams streams;
	int ret, stream[BENCH_STREAMS];

	o.sampling.on_exec = true;
	o.sampling.frequency = r->frequency;
	o.sampling.follow = FOLLOW_ALL;
	o.sampling.event = r->events.event;
	o.sampling.nr_event = r->events.nr;
	o.command = c->argv;
	o.targets = &r->targets;
	o.folder = c->folder;
	o.signals = &r->b->signals;
	o.waits = WAITS_ASKED;
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
	if (!ret && !r->b->interrupted)
		keep_waits(c, &g.waits);
	r->b->profile.user_only |= g.user_only;
	if (!ret && g.nr_sample && !r->b->interrupted) {
		capture_name(&g, &o);
		ret = keep_profile(r, c, &g.p, e);
	}
	capture_release(&g);
	return ret;
}

static int record_all(struct recorder *r, struct error *e)
{
	size_t nr = r->b->nr_command;
	struct progress progress;
	bool reversed = false;
	int ret = 0;

	bench_progress_init(r->b, &progress);
	for (size_t i = 0; i < nr; i++)
		r->b->command[i].metrics |= BENCH_WAITS;
	for (unsigned i = 0; i < r->b->o.profile_runs && !ret; i++) {
		/* As timed runs: AB, then ABBA or BAAB. */
		reversed = i && i % 2 == 0 ? !reversed : seeded_below(&r->b->chance, 2);
		for (size_t k = 0; k < nr && !ret && !r->b->interrupted; k++) {
			struct bench_command *c = &r->b->command[reversed ? nr - 1 - k : k];

			progress_text(&progress, "recording");
			if (c->prepare)
				ret = bench_spawn_line(r->s,
						       &(struct bench_line){ "--prepare",
									     c->prepare, c, NULL },
						       e);
			if (!ret)
				ret = record_run(r, c, e);
			if (!ret && c->conclude)
				ret = bench_spawn_line(r->s,
						       &(struct bench_line){ "--conclude",
									     c->conclude, c, NULL },
						       e);
		}
	}
	progress_end(&progress);
	/* Interrupted before it was recorded. */
	for (size_t i = 0; i < nr; i++)
		if (!r->b->command[i].recorded.nr)
			r->b->command[i].metrics &= ~BENCH_WAITS;
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

/* Samples by run of a side. */
static const double *runs_of(const struct noise_item *item, const struct recorder *r, int side)
{
	return item->run ? item->run + (side ? r->nr[0] : 0) : &item->count[side];
}

/*
 * What a function takes itself is what ends in it: in the tree of reversed stacks, the nodes below
 * the root.  The recordings tell shares, the timed runs how much that is.
 */
static void find_functions(struct recorder *r, const struct changes *c)
{
	struct bench_profile *p = &r->b->profile;
	struct noise_item *item = xcalloc(c->nodes.nr, sizeof(*item));
	uint32_t *node = xcalloc(c->nodes.nr, sizeof(*node));
	struct noise noise = c->nodes.noise;
	struct explained_side side[SIDES] = { 0 };
	double *cpu[SIDES];
	size_t nr = 0;

	for (uint32_t n = 1; n < c->nodes.nr; n++)
		if (!tree_parent(&c->tree, n)) {
			node[nr] = n;
			item[nr] = c->nodes.item[n];
			item[nr++].same = false;
		}
	noise_level(&noise, item, nr);
	if (c->nodes.noise.spread)
		noise_spread_like(&noise, &c->nodes.noise);
	for (int k = 0; k < SIDES; k++) {
		cpu[k] = cpu_of(r->b, r->side[k]);
		side[k] = (struct explained_side){ .cpu = cpu[k],
						   .nr_cpu = r->side[k]->timed.nr,
						   .all = runs_of(&c->nodes.item[0], r, k),
						   .nr_run = r->nr[k] };
	}
	p->function = xcalloc(nr + 1, sizeof(*p->function));
	for (size_t i = 0; i < nr; i++) {
		struct span name = labels_peek(&c->tree.labels, tree_label(&c->tree, node[i]));
		struct explained e;

		if (noise_judge(&noise, &item[i]) == NOISE_INSIDE)
			continue;
		for (int k = 0; k < SIDES; k++)
			side[k].part = runs_of(&item[i], r, k);
		e = explained_by(side, CONFIDENCE_DEFAULT);
		p->function[p->nr_function++] = (struct bench_function){
			.name = bench_text(r->b, "%.*s", (int)name.size, name.at),
			.before = e.before,
			.after = e.after,
			.share = e.share,
			.error = e.error,
		};
	}
	qsort(p->function, p->nr_function, sizeof(*p->function), by_change);
	for (int k = 0; k < SIDES; k++)
		free(cpu[k]);
	free(item);
	free(node);
}

static int compare(struct recorder *r, struct error *e)
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
		/* Functions are told apart by their names alone: threads are nobody's here. */
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
			find_functions(r, &c);
		else
			r->b->profile.why_not = "too few samples to compare";
		changes_release(&c);
	}
	diff_release(&d);
	return ret;
}

/* The page of `wick diff`, for our own. */
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

/* The first command that is compared with another one that was run, too; or none. */
static void find_sides(struct recorder *r)
{
	for (size_t i = 0; i < r->b->nr_command; i++) {
		struct bench_command *c = &r->b->command[i];

		if (!c->reference || !c->reference->argv)
			continue;
		r->side[0] = c->reference;
		r->side[1] = c;
		return;
	}
}

static int record_and_compare(struct recorder *r, struct error *e)
{
	struct bench_profile *p = &r->b->profile;

	if (record_all(r, e))
		return -1;
	if (!r->side[0])
		return 0;
	p->made = !r->b->interrupted;
	for (int k = 0; k < SIDES; k++) {
		double *cpu = cpu_of(r->b, r->side[k]);

		for (size_t i = 0; i < r->side[k]->timed.nr; i++)
			p->cpu[k] += cpu[i] / (double)r->side[k]->timed.nr;
		free(cpu);
	}
	if (!r->nr[0] || !r->nr[1])
		p->why_not = "the profiled runs have no samples: too short, or mostly waiting";
	else if (p->made && compare(r, e))
		return -1;
	else if (p->made && r->b->o.page)
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
	for (int k = 0; k < SIDES; k++)
		r.file[k] = xcalloc(b->o.profile_runs + 1, sizeof(*r.file[k]));
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
