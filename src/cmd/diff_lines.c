#include "cmd/diff_lines.h"

#include "base/output.h"
#include "read/folded_lines.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/* SIGBUS: a mapped file was truncated while we read it. */
static void end_shrunk(int signal)
{
	static const char text[] = "wick: a file got shorter while it was read\n";

	(void)signal;
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(1);
}

struct side {
	struct folded_lines lines;
	const char *path;
	bool plain;
};

static void *read_side(void *arg)
{
	struct side *s = arg;

	s->plain = folded_lines_read(&s->lines, s->path);
	return NULL;
}

static void read_sides(struct side *side, unsigned threads)
{
	pthread_t other;

	if (threads > 1 && !pthread_create(&other, NULL, read_side, &side[1])) {
		read_side(&side[0]);
		pthread_join(other, NULL);
		return;
	}
	read_side(&side[0]);
	if (side[0].plain)
		read_side(&side[1]);
}

/* Can these options be fulfilled by comparing lines? */
static bool is_enough(const struct diff_opts *o)
{
	const struct collapse_opts *in = &o->in;

	return o->nr_before == 1 && o->nr_after == 1 && o->normalize == NORMALIZE_NONE &&
	       !o->strip_hex && !in->event && !in->filter && !in->among &&
	       (!in->reader || in->reader == reader_find(SPAN("folded"))) &&
	       in->weight != WEIGHT_SAMPLES && in->spell == SPELL_MARKS && !in->spell_not;
}

static char *add_number(char *end, uint64_t n)
{
	do {
		*--end = (char)('0' + n % 10);
	} while (n /= 10);
	*--end = ' ';
	return end;
}

static void write_line(struct output *out, const struct folded_line *line, const int64_t *sum)
{
	char number[48], *end = number + sizeof(number), *at = end;

	*--at = '\n';
	at = add_number(at, (uint64_t)sum[1]);
	at = add_number(at, (uint64_t)sum[0]);
	output_add(out, (struct span){ .at = line->at, .size = line->size });
	output_add(out, span_between(at, end));
}

/* Moves *at behind all lines that are equal to this one; returns their sum. */
static int64_t take_equal(const struct folded_lines *l, size_t *at, const struct folded_line *line)
{
	int64_t sum = l->line[(*at)++].count;

	while (*at < l->nr && l->line[*at].size == line->size &&
	       !folded_line_compare(&l->line[*at], line))
		sum += l->line[(*at)++].count;
	return sum;
}

static size_t write_lines(struct output *out, const struct side *side)
{
	const struct folded_lines *before = &side[0].lines, *after = &side[1].lines;
	size_t i = 0, k = 0, nr = 0;

	while (i < before->nr || k < after->nr) {
		const struct folded_line *b = i < before->nr ? &before->line[i] : NULL;
		const struct folded_line *a = k < after->nr ? &after->line[k] : NULL;
		int order = !b ? 1 : !a ? -1 : folded_line_compare(b, a);
		int64_t sum[2] = { 0 };

		if (b && order <= 0)
			sum[0] = take_equal(before, &i, b);
		if (a && order >= 0)
			sum[1] = take_equal(after, &k, a);
		if (b && order <= 0)
			write_line(out, b, sum);
		else if (a)
			write_line(out, a, sum);
		nr++;
	}
	return nr;
}

int diff_lines(const struct diff_opts *o, struct diff_result *r, struct error *e)
{
	struct sigaction shrunk = { .sa_handler = end_shrunk }, before;
	struct side side[2] = { 0 };
	struct output out;
	int ret = 0;

	if (!is_enough(o))
		return 0;
	sigaction(SIGBUS, &shrunk, &before);
	side[0].path = o->before[0];
	side[1].path = o->after[0];
	read_sides(side, o->in.read.threads);
	if (side[0].plain && side[1].plain) {
		*r = (struct diff_result){ 0 };
		profile_init(&r->p);
		ret = -1;
		if (!output_open(&out, o->in.output ? o->in.output : "-", e)) {
			r->nr_line = write_lines(&out, side);
			ret = output_close(&out, e) ? -1 : 1;
		}
	}
	folded_lines_release(&side[0].lines);
	folded_lines_release(&side[1].lines);
	sigaction(SIGBUS, &before, NULL);
	return ret;
}
