#include "cmd/diff/diff_lines.h"

#include "base/intern.h"
#include "base/output.h"
#include "read/folded/folded_pair.h"

#include <signal.h>
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

static void write_line(struct output *out, const struct folded_row *row)
{
	char number[48], *end = number + sizeof(number), *at = end;

	*--at = '\n';
	at = add_number(at, (uint64_t)row->sum[1]);
	at = add_number(at, (uint64_t)row->sum[0]);
	output_add(out, (struct span){ .at = row->at, .size = row->size });
	output_add(out, span_between(at, end));
}

/* The outermost frames of a side. */
static void list_roots(const struct folded_pair *p, unsigned side, struct intern *roots)
{
	struct span last = SPAN("");

	for (size_t i = 0; i < p->nr; i++) {
		const struct folded_row *row = &p->row[i];
		struct span root = { .at = row->at, .size = row->size };

		root = span_upto(root, span_find(root, ';'));
		if (!row->sum[side] || span_eq(root, last))
			continue;
		intern(roots, root);
		last = root;
	}
}

static bool is_in(const struct intern *roots, struct span root)
{
	return intern_find(roots, root, intern_hash(root)) != INTERN_NONE;
}

static bool has_more(const struct intern *roots, const struct intern *other)
{
	for (uint32_t i = 0; i < roots->nr; i++)
		if (!is_in(other, intern_peek(roots, i)))
			return true;
	return false;
}

/* Does each side have a root that the other lacks?  They may have to be matched: fold/roots.h. */
static bool roots_differ(const struct folded_pair *p)
{
	struct intern roots[2] = { { 0 }, { 0 } };
	bool differ;

	list_roots(p, 0, &roots[0]);
	list_roots(p, 1, &roots[1]);
	differ = has_more(&roots[0], &roots[1]) && has_more(&roots[1], &roots[0]);
	intern_release(&roots[0]);
	intern_release(&roots[1]);
	return differ;
}

int diff_lines(const struct diff_opts *o, struct diff_result *r, struct error *e)
{
	struct sigaction shrunk = { .sa_handler = end_shrunk }, before;
	const char *const path[2] = { o->before[0], o->after[0] };
	const struct folded_row *row;
	struct folded_pair pair;
	struct output out;
	int ret = 0;

	if (!is_enough(o))
		return 0;
	sigaction(SIGBUS, &shrunk, &before);
	if (folded_pair_read(&pair, path, o->in.read.threads) &&
	    !(o->match_roots && roots_differ(&pair))) {
		*r = (struct diff_result){ .nr_line = pair.nr };
		profile_init(&r->p);
		ret = -1;
		if (!output_open(&out, o->output ? o->output : "-", e)) {
			while ((row = folded_pair_next(&pair)))
				write_line(&out, row);
			ret = output_close(&out, e) ? -1 : 1;
		}
	}
	folded_pair_release(&pair);
	sigaction(SIGBUS, &before, NULL);
	return ret;
}
