#include "cmd/diff/diff_lines.h"

#include "base/alloc.h"
#include "base/output.h"
#include "base/strbuf.h"
#include "fold/roots.h"
#include "read/folded/folded_pair.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

/* SIGBUS: a mapped file was truncated while wick read it. */
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

enum {
	ROWS = 512, /* rows that a thread formats at a time: usually, they fit into its cache */
	THREADS_MAX = 8,
	LONG = 512, /* longer stacks are written from the mapped file, without a copy */
};

/* Text to be written: pieces without an address are the next bytes of `copied`. */
struct pieces {
	struct strbuf copied;
	struct iovec *at;
	size_t nr, cap;
};

static void add_text(struct pieces *p, struct span s)
{
	bool is_copied = s.size < LONG;

	if (is_copied)
		strbuf_add(&p->copied, s);
	if (is_copied && p->nr && !p->at[p->nr - 1].iov_base) {
		p->at[p->nr - 1].iov_len += s.size;
		return;
	}
	GROW(p->at, p->nr, p->cap);
	p->at[p->nr++] = (struct iovec){ .iov_base = is_copied ? NULL : (void *)(uintptr_t)s.at,
					 .iov_len = s.size };
}

static void write_pieces(struct pieces *p, struct output *out)
{
	char *copied = p->copied.at;

	for (size_t i = 0; i < p->nr; i++)
		if (!p->at[i].iov_base) {
			p->at[i].iov_base = copied;
			copied += p->at[i].iov_len;
		}
	output_pieces(out, p->at, p->nr);
}

static char *add_number(char *end, uint64_t n)
{
	do {
		*--end = (char)('0' + n % 10);
	} while (n /= 10);
	*--end = ' ';
	return end;
}

static void add_line(struct pieces *text, const struct folded_pair *pair,
		     const struct folded_row *row)
{
	char number[48], *end = number + sizeof(number), *at = end;

	*--at = '\n';
	at = add_number(at, (uint64_t)row->sum[1]);
	at = add_number(at, (uint64_t)row->sum[0]);
	if (row->is_renamed)
		add_text(text, pair->root);
	add_text(text, (struct span){ .at = row->at, .size = row->size });
	add_text(text, span_between(at, end));
}

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
	struct pieces text = { 0 };

	do {
		const struct folded_row *row;
		struct folded_range range;
		size_t turn;

		text.nr = 0;
		strbuf_reset(&text.copied);
		pthread_mutex_lock(&w->lock);
		range = folded_pair_take(w->pair, ROWS);
		turn = w->taken++;
		pthread_mutex_unlock(&w->lock);
		while ((row = folded_range_next(w->pair, &range)))
			add_line(&text, w->pair, row);
		pthread_mutex_lock(&w->lock);
		while (w->written != turn)
			pthread_cond_wait(&w->changed, &w->lock);
		write_pieces(&text, w->out);
		w->written++;
		pthread_cond_broadcast(&w->changed);
		pthread_mutex_unlock(&w->lock);
	} while (text.nr);
	strbuf_release(&text.copied);
	free(text.at);
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

/* The index of the only root of a side that may be matched; INTERN_NONE: there is none, or several. */
static uint32_t find_left(const struct folded_roots *r, unsigned side)
{
	uint32_t found = INTERN_NONE;
	double whole = 0;

	for (uint32_t i = 0; i < r->names.nr; i++)
		whole += (double)r->sum[i][side];
	for (uint32_t i = 0; i < r->names.nr; i++) {
		if (!root_is_left((double)r->sum[i][side], (double)r->sum[i][!side], whole))
			continue;
		if (found != INTERN_NONE)
			return INTERN_NONE;
		found = i;
	}
	return found;
}

/* Like roots_match() for a profile. */
static void match_roots(struct folded_pair *p, struct root_matches *matches)
{
	const struct intern *names = &p->roots.names;
	uint32_t before = find_left(&p->roots, 0), after = find_left(&p->roots, 1);

	if (before == INTERN_NONE || after == INTERN_NONE)
		return;
	folded_pair_rename(p, before, after);
	root_matches_add(matches, intern_peek(names, before), intern_peek(names, after));
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
	if (folded_pair_read(&pair, path, o->in.read.threads, o->match_roots)) {
		*r = (struct diff_result){ 0 };
		profile_init(&r->p);
		if (o->match_roots)
			match_roots(&pair, &r->matches);
		folded_pair_sort(&pair, o->in.read.threads);
		r->nr_line = pair.nr;
		ret = -1;
		if (!output_open_whole(&out, o->output ? o->output : "-", e)) {
			write_lines(&pair, &out, o->in.read.threads);
			ret = output_close(&out, e) ? -1 : 1;
		}
	}
	folded_pair_release(&pair);
	sigaction(SIGBUS, &before, NULL);
	return ret;
}
