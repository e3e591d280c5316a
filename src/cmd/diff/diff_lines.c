#include "cmd/diff/diff_lines.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/output.h"
#include "base/strbuf.h"
#include "fold/roots.h"
#include "read/folded/folded_pair.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* SIGBUS: a mapped file was truncated while we read it. */
static void end_shrunk(int signal)
{
	static const char text[] = "wick: a file was truncated while wick read it\n";

	(void)signal;
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(1);
}

/* Can these options be fulfilled by comparing lines? */
static bool is_enough(const struct diff_opts *o)
{
	const struct load_opts *in = &o->in;
	const struct choose_opts *choose = &o->choose;

	return o->nr_before == 1 && o->nr_after == 1 && o->normalize == NORMALIZE_NONE &&
	       !o->strip_hex && !choose->event && !choose->filter && !in->among && !in->from &&
	       (!in->reader || in->reader == reader_find(SPAN("folded"))) &&
	       choose->weight != WEIGHT_SAMPLES && choose->spell == SPELL_MARKS &&
	       !choose->spell_not;
}

static char *add_number(char *end, uint64_t n)
{
	do {
		*--end = (char)('0' + n % 10);
	} while (n /= 10);
	*--end = ' ';
	return end;
}

static void add_line(struct strbuf *text, const struct folded_row *row)
{
	char number[48], *end = number + sizeof(number), *at = end;

	*--at = '\n';
	at = add_number(at, (uint64_t)row->sum[1]);
	at = add_number(at, (uint64_t)row->sum[0]);
	strbuf_add(text, (struct span){ .at = row->at, .size = row->size });
	strbuf_add(text, span_between(at, end));
}

enum {
	ROWS = 512, /* that a thread formats at a time: of common sizes, they stay in its cache */
	THREADS_MAX = 8,
};

/* Threads take ranges of rows in turns, format them, and write them in the same order. */
struct line_writer {
	struct folded_pair *pair;
	struct output *out;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	size_t taken, written; /* ranges */
};

static void *write_ranges(void *arg)
{
	struct line_writer *w = arg;
	struct strbuf text = { 0 };

	do {
		const struct folded_row *row;
		struct folded_range range;
		size_t turn;

		strbuf_reset(&text);
		pthread_mutex_lock(&w->lock);
		range = folded_pair_take(w->pair, ROWS);
		turn = w->taken++;
		pthread_mutex_unlock(&w->lock);
		while ((row = folded_range_next(w->pair, &range)))
			add_line(&text, row);
		pthread_mutex_lock(&w->lock);
		while (w->written != turn)
			pthread_cond_wait(&w->changed, &w->lock);
		output_add(w->out, strbuf_peek(&text));
		w->written++;
		pthread_cond_broadcast(&w->changed);
		pthread_mutex_unlock(&w->lock);
	} while (text.size);
	strbuf_release(&text);
	return NULL;
}

static void write_lines(struct folded_pair *pair, struct output *out, unsigned threads)
{
	struct line_writer w = { .pair = pair,
				 .out = out,
				 .lock = PTHREAD_MUTEX_INITIALIZER,
				 .changed = PTHREAD_COND_INITIALIZER };
	pthread_t thread[THREADS_MAX];
	unsigned nr = 0;

	while (nr + 1 < threads && nr < THREADS_MAX && nr < pair->nr / ROWS &&
	       !pthread_create(&thread[nr], NULL, write_ranges, &w))
		nr++;
	write_ranges(&w);
	while (nr)
		pthread_join(thread[--nr], NULL);
}

/* The outermost frames, and by their number how large they are on each side. */
struct root_sizes {
	struct intern names;
	double (*size)[2];
	size_t cap;
	double whole[2];
};

static void add_root(struct root_sizes *r, const struct folded_row *row)
{
	struct span root = { .at = row->at, .size = row->size };
	uint32_t i, known = r->names.nr;

	i = intern(&r->names, span_upto(root, span_find(root, ';')));
	GROW(r->size, (size_t)i, r->cap);
	for (unsigned side = 0; side < 2; side++) {
		r->size[i][side] = (i < known ? r->size[i][side] : 0) + (double)row->sum[side];
		r->whole[side] += (double)row->sum[side];
	}
}

/* Would a root of one side be matched with one of the other?  That takes frames: fold/roots.h. */
static bool roots_match_here(const struct folded_pair *p)
{
	struct root_sizes r = { 0 };
	size_t left[2] = { 0 };

	for (size_t i = 0; i < p->nr; i++)
		add_root(&r, &p->row[i]);
	for (uint32_t i = 0; i < r.names.nr; i++)
		for (unsigned side = 0; side < 2; side++)
			left[side] +=
				root_is_left(r.size[i][side], r.size[i][!side], r.whole[side]);
	intern_release(&r.names);
	free(r.size);
	return left[0] == 1 && left[1] == 1;
}

int diff_lines(const struct diff_opts *o, struct diff_result *r, struct error *e)
{
	struct sigaction shrunk = { .sa_handler = end_shrunk }, before;
	const char *const path[2] = { o->before[0], o->after[0] };
	struct folded_pair pair;
	struct output out;
	int ret = 0;

	if (!is_enough(o))
		return 0;
	sigaction(SIGBUS, &shrunk, &before);
	if (folded_pair_read(&pair, path, o->in.read.threads) &&
	    !(o->match_roots && roots_match_here(&pair))) {
		*r = (struct diff_result){ .nr_line = pair.nr };
		profile_init(&r->p);
		ret = -1;
		if (!output_open(&out, o->output ? o->output : "-", e)) {
			write_lines(&pair, &out, o->in.read.threads);
			ret = output_close(&out, e) ? -1 : 1;
		}
	}
	folded_pair_release(&pair);
	sigaction(SIGBUS, &before, NULL);
	return ret;
}
