#include "fold/changes.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

bool samples_known(const struct profile *p, uint32_t event)
{
	/* The same list is in web/changes.js. */
	static const char *const measured[] = { "",	 "us",	  "ms",	   "s",
						"bytes", "calls", "count", "permille" };
	struct span unit = profile_peek(p, p->event[event].unit);

	/* Measured weights have no sampling noise, whatever their unit. */
	if (p->event[event].source == SOURCE_MEASURED)
		return false;
	if (span_is(unit, "samples") ||
	    (span_is(unit, "count") && span_is(profile_peek(p, p->event[event].name), "samples")))
		return p->event[event].scale >= 0;
	for (size_t i = 0; i < ARRAY_SIZE(measured); i++)
		if (span_is(unit, measured[i]))
			return false;
	return true;
}

/* Recordings do not report a smaller share as not sampled: see src/capture/capture_result.c. */
static const double MISSED_UNKNOWN = 0.05;

double changes_missed(const struct profile *p, bool *differ)
{
	bool own[2] = { false, false }, both = false;
	double most = 0;

	for (size_t i = 0; i < p->nr_info; i++) {
		struct span key = profile_peek(p, p->info[i].key);
		struct span value = profile_peek(p, p->info[i].value);
		uint64_t percent;

		/* A fact without a side belongs to both. */
		both |= span_is(key, FACT_SAMPLING);
		own[0] |= span_is(key, "before: " FACT_SAMPLING);
		own[1] |= span_is(key, "after: " FACT_SAMPLING);
		if (span_ends(key, FACT_NOT_SAMPLED) &&
		    span_u64(span_upto(value, span_find(value, ' ')), &percent))
			most = fmax(most, fmin(1, (double)percent / 100));
	}
	*differ = both ? own[0] || own[1] : own[0] && own[1];
	return *differ ? fmax(most, MISSED_UNKNOWN) : most;
}

/* Temporary data while the changes are computed. */
struct maker {
	struct changes *c;
	const struct profile *p;
	const struct changes_opts *o;
	size_t nr_run_of[2]; /* by side */
	size_t nr_run;	     /* of both sides; 0: one each */
	uint32_t *run_of;    /* by label set: which run of its side, from 0 */
	double *self[2];     /* by side and node */
	double *kernel[2];   /* … those whose leaf is a kernel function */
	double *self_run;    /* by node and run */
};

static uint32_t run_of_labels(const struct profile *p, const struct label_set *set)
{
	for (size_t i = 0; i < set->nr; i++) {
		uint64_t run;

		if (span_is(profile_peek(p, set->label[i].key), RUN_LABEL) &&
		    span_u64(profile_peek(p, set->label[i].value), &run) && run && run < UINT32_MAX)
			return (uint32_t)run - 1;
	}
	return 0;
}

/* Measured in one unit; "count" stands for several. */
static bool are_measured(const struct event *before, const struct event *after, struct span unit)
{
	return before->source == SOURCE_MEASURED && after->source == SOURCE_MEASURED &&
	       before->unit.i == after->unit.i && unit.size && !span_is(unit, "count");
}

enum change_basis changes_basis(const struct profile *p)
{
	const struct event *before = &p->event[EVENT_BEFORE], *after = &p->event[EVENT_AFTER];

	assert(p->nr_event > EVENT_AFTER);
	if (samples_known(p, EVENT_BEFORE) && samples_known(p, EVENT_AFTER))
		return BASIS_SAMPLES;
	return are_measured(before, after, profile_peek(p, after->unit)) ? BASIS_MEASURED
									 : BASIS_NONE;
}

/* More runs are never compared: a "run" label with a larger number means something else. */
enum { RUNS_MAX = 1000 };

static void list_runs(struct maker *m)
{
	m->run_of = xcalloc(m->p->nr_labels, sizeof(*m->run_of));
	for (size_t i = 0; i < m->p->nr_labels; i++)
		m->run_of[i] = run_of_labels(m->p, &m->p->labels[i]);
	for (int k = 0; k < 2; k++)
		m->nr_run_of[k] = m->o->nr_run[k] ? m->o->nr_run[k] : 1;
	for (size_t i = 0; i < m->p->nr_count; i++) {
		const struct count *c = &m->p->count[i];
		uint32_t run = m->run_of[c->labels.i];

		if (c->event <= EVENT_AFTER && !m->o->nr_run[c->event] && run < RUNS_MAX &&
		    run >= m->nr_run_of[c->event])
			m->nr_run_of[c->event] = run + 1;
	}
	if (m->nr_run_of[0] + m->nr_run_of[1] > 2)
		m->nr_run = m->nr_run_of[0] + m->nr_run_of[1];
}

/* The number of samples of a count, or its weight if that is unknown: an integer in both cases. */
static double number_of(const struct maker *m, const struct count *c)
{
	if (m->o->basis == BASIS_SAMPLES)
		return (double)c->nr;
	return (double)c->weight * pow(10, m->p->event[c->event].scale - m->c->scale);
}

/* Sums up the counts by the node they end in. */
static void sum_selves(struct maker *m)
{
	const struct tree *t = &m->c->tree;

	for (int k = 0; k < 2; k++) {
		m->self[k] = xcalloc(t->nr_node, sizeof(*m->self[k]));
		m->kernel[k] = xcalloc(t->nr_node, sizeof(*m->kernel[k]));
	}
	if (m->nr_run)
		m->self_run = xcalloc(t->nr_node * m->nr_run, sizeof(*m->self_run));
	for (size_t i = 0; i < m->p->nr_count; i++) {
		const struct count *c = &m->p->count[i];
		uint32_t node = t->node_of[i], run = m->run_of[c->labels.i];

		if (node == TREE_NOWHERE)
			continue;
		m->self[c->event][node] += number_of(m, c);
		if (m->p->frame[m->p->stack[c->stack.i].frame.i].kind == FRAME_KERNEL)
			m->kernel[c->event][node] += number_of(m, c);
		if (m->nr_run && run < m->nr_run_of[c->event])
			m->self_run[node * m->nr_run + run +
				    (c->event == EVENT_AFTER ? m->nr_run_of[0] : 0)] +=
				number_of(m, c);
	}
}

static void list_init(struct change_list *l, size_t nr, size_t nr_run)
{
	l->nr = nr;
	l->item = xcalloc(nr, sizeof(*l->item));
	l->verdict = xcalloc(nr, sizeof(*l->verdict));
	if (!nr_run)
		return;
	l->run = xcalloc(nr * nr_run, sizeof(*l->run));
	for (size_t i = 0; i < nr; i++)
		l->item[i].run = l->run + i * nr_run;
}

/* Adds the self of a node to an item. */
static void add_self(const struct maker *m, struct change_list *l, size_t item, uint32_t node)
{
	for (int k = 0; k < 2; k++) {
		l->item[item].count[k] += m->self[k][node];
		l->item[item].kernel[k] += m->kernel[k][node];
	}
	for (size_t i = 0; i < m->nr_run; i++)
		l->run[item * m->nr_run + i] += m->self_run[node * m->nr_run + i];
}

static double size_of(const struct noise_item *item)
{
	return item->count[0] + item->count[1];
}

static void sum_nodes(struct maker *m)
{
	const struct tree *t = &m->c->tree;
	struct change_list *l = &m->c->nodes;

	list_init(l, t->nr_node, m->nr_run);
	for (uint32_t n = (uint32_t)t->nr_node; n-- > 0;) {
		struct noise_item *item = &l->item[n], *parent = &l->item[tree_parent(t, n)];

		add_self(m, l, n, n);
		if (!n)
			break;
		for (int k = 0; k < 2; k++) {
			parent->count[k] += item->count[k];
			parent->kernel[k] += item->kernel[k];
		}
		for (size_t i = 0; i < m->nr_run; i++)
			l->run[tree_parent(t, n) * m->nr_run + i] += l->run[n * m->nr_run + i];
	}
	/* A node as large as its parent has the very same samples. */
	for (uint32_t n = 1; n < t->nr_node; n++)
		l->item[n].same = size_of(&l->item[n]) == size_of(&l->item[tree_parent(t, n)]);
}

/* A hash: the sum of the hashes of some nodes identifies the set of them. */
static uint64_t scrambled(uint64_t n)
{
	n = (n + 1) * 0x9e3779b97f4a7c15u;
	n = (n ^ n >> 31) * 0xd6e8feb86659fd93u;
	return n ^ n >> 32;
}

struct signature {
	uint64_t
		nodes; /* the sum of the hashes of the nodes that have the function on their path */
	uint32_t label;
};

/*
 * Among functions with the same samples, one is tested for all: that with the largest label, which is most likely
 * the innermost.
 */
static int by_nodes(const void *a, const void *b)
{
	const struct signature *x = a, *y = b;

	if (x->nodes != y->nodes)
		return x->nodes < y->nodes ? -1 : 1;
	return x->label > y->label ? -1 : x->label < y->label;
}

static void find_same(struct change_list *l, struct signature *s, size_t nr)
{
	qsort(s, nr, sizeof(*s), by_nodes);
	l->like = xcalloc(nr, sizeof(*l->like));
	for (size_t i = 0; i < nr; i++) {
		bool same = i && s[i].nodes == s[i - 1].nodes;

		l->item[s[i].label].same = same;
		l->like[s[i].label] = same ? l->like[s[i - 1].label] : s[i].label;
	}
}

/* Sums by function, recursion counted once; the item after the last label is the total. */
static void sum_functions(struct maker *m)
{
	const struct tree *t = &m->c->tree;
	struct change_list *l = &m->c->functions;
	size_t nr = t->labels.nr;
	struct signature *s = xcalloc(nr + 1, sizeof(*s));
	uint32_t *seen = xcalloc(nr + 1, sizeof(*seen)); /* in which node last, + 1 */

	list_init(l, nr + 1, m->nr_run);
	for (size_t i = 0; i <= nr; i++)
		s[i].label = (uint32_t)i;
	for (uint32_t n = 0; n < t->nr_node; n++) {
		if (m->self[0][n] == 0 && m->self[1][n] == 0)
			continue;
		add_self(m, l, nr, n);
		s[nr].nodes += scrambled(n);
		for (uint32_t at = n; at; at = tree_parent(t, at)) {
			uint32_t label = tree_label(t, at);

			if (seen[label] == n + 1)
				continue;
			seen[label] = n + 1;
			add_self(m, l, label, n);
			s[label].nodes += scrambled(n);
		}
		if (t->root && seen[t->root - 1] != n + 1) {
			add_self(m, l, t->root - 1, n);
			s[t->root - 1].nodes += scrambled(n);
		}
	}
	find_same(l, s, nr + 1);
	free(s);
	free(seen);
}

/* Callers that are missing in more stacks than before may have become less only for that reason. */
static double hidden_from(const struct change_list *l, const struct noise_item *item, double more)
{
	return more * noise_change(&l->noise, item) < 0 ? fabs(more) : 0;
}

/*
 * How many stacks are truncated depends on the size of their copies, which differs between recordings.
 * What a truncated stack has is certain, so that callees are not affected; what it lacks is not, nor is
 * its place in the tree.
 */
static void hide_callers(struct maker *m)
{
	struct changes *c = m->c;
	const struct tree *t = &c->tree;
	uint32_t label = labels_find(&t->labels, SPAN(TRUNCATED_FRAME));
	bool *displaced;
	double more;

	if (label >= t->labels.nr)
		return;
	for (int k = 0; k < 2; k++)
		c->truncated[k] = c->functions.item[label].count[k];
	more = c->truncated[1] / c->total[1] - c->truncated[0] / c->total[0];
	/* Everything, which comes last, lacks nothing. */
	for (size_t i = 0; i + 1 < c->functions.nr; i++)
		c->functions.item[i].hidden =
			i == label ? fabs(more)
				   : hidden_from(&c->functions, &c->functions.item[i], more);
	displaced = xcalloc(c->nodes.nr, sizeof(*displaced));
	for (uint32_t n = 1; n < c->nodes.nr; n++) {
		displaced[n] = displaced[tree_parent(t, n)] || tree_label(t, n) == label;
		c->nodes.item[n].hidden =
			displaced[n] ? fabs(more) : hidden_from(&c->nodes, &c->nodes.item[n], more);
	}
	free(displaced);
}

static void judge(struct change_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		l->verdict[i] = (uint8_t)noise_judge(&l->noise, &l->item[i]);
}

/* By run of both sides: the mean weight of a sample; 1 if weights are compared, or if it is unknown. */
static double *mean_weights(const struct maker *m, size_t nr)
{
	double *weight = xcalloc(nr, sizeof(*weight)), *samples = xcalloc(nr, sizeof(*samples));

	for (size_t k = 0; m->o->basis == BASIS_SAMPLES && k < m->p->nr_count; k++) {
		const struct count *c = &m->p->count[k];
		size_t run = m->nr_run ? m->run_of[c->labels.i] : 0;

		if (c->event > EVENT_AFTER || run >= m->nr_run_of[c->event])
			continue;
		run += c->event == EVENT_AFTER ? m->nr_run_of[0] : 0;
		weight[run] += (double)c->weight;
		samples[run] += (double)c->nr;
	}
	for (size_t i = 0; i < nr; i++)
		weight[i] = weight[i] > 0 && samples[i] > 0 ? weight[i] / samples[i] : 1;
	free(samples);
	return weight;
}

/* Sets the divisor of each run's number of samples, unless shares are compared. */
static void size_runs(const struct maker *m, double *size, size_t nr)
{
	double *weight = mean_weights(m, nr);

	for (size_t i = 0; i < nr; i++) {
		size[i] = m->o->run_size ? m->o->run_size[i]
					 : 1 / (double)m->nr_run_of[i >= m->nr_run_of[0]];
		/* The larger the weight of a sample, the fewer samples there are. */
		size[i] /= weight[i];
	}
	free(weight);
}

static void set_noise(struct maker *m, struct noise *n)
{
	bool differ;
	size_t nr = m->nr_run_of[0] + m->nr_run_of[1];

	*n = (struct noise){
		.model = m->o->normalize == NORMALIZE_TOTAL ? NOISE_SHARE : NOISE_RATE,
		.measured = m->o->basis == BASIS_MEASURED,
		.confidence = m->o->confidence,
		.total = { m->c->total[0], m->c->total[1] },
		.kernel = { m->c->nodes.item[0].kernel[0], m->c->nodes.item[0].kernel[1] },
		.missed = m->o->basis == BASIS_SAMPLES ? changes_missed(m->p, &differ) : 0,
		.nr_run = { m->nr_run_of[0], m->nr_run_of[1] },
	};
	n->run = m->c->run_size = xcalloc(nr, sizeof(*m->c->run_size));
	if (n->model == NOISE_RATE)
		size_runs(m, m->c->run_size, nr);
	for (size_t i = 0; i < nr; i++) {
		if (n->model == NOISE_SHARE && m->nr_run)
			m->c->run_size[i] = m->c->nodes.run[i];
		n->time[i >= m->nr_run_of[0]] += m->c->run_size[i];
	}
}

static void judge_all(struct maker *m)
{
	struct changes *c = m->c;
	struct change_list *nodes = &c->nodes, *functions = &c->functions;
	uint32_t *parent;

	set_noise(m, &nodes->noise);
	functions->noise = nodes->noise;
	c->claim = m->o->basis != BASIS_NONE && noise_is_testable(&nodes->noise);
	if (!c->claim)
		return;
	noise_level(&nodes->noise, nodes->item, nodes->nr);
	noise_level(&functions->noise, functions->item, functions->nr);
	if (m->nr_run) {
		parent = xcalloc(nodes->nr, sizeof(*parent));
		for (uint32_t n = 0; n < nodes->nr; n++)
			parent[n] = tree_parent(&c->tree, n);
		noise_spread(&nodes->noise, nodes->item, parent, nodes->nr);
		noise_spread_like(&functions->noise, &nodes->noise);
		free(parent);
	}
	if (m->o->basis == BASIS_SAMPLES)
		hide_callers(m);
	judge(nodes);
	judge(functions);
}

void changes_init(struct changes *c, const struct profile *p, const struct changes_opts *o)
{
	bool *in[2] = { xcalloc(p->nr_event, sizeof(bool)), xcalloc(p->nr_event, sizeof(bool)) };
	struct maker m = { .c = c, .p = p, .o = o };
	struct tree_opts to = o->tree;

	*c = (struct changes){ 0 };
	if (o->basis != BASIS_SAMPLES)
		c->scale = p->event[EVENT_BEFORE].scale < p->event[EVENT_AFTER].scale
				   ? p->event[EVENT_BEFORE].scale
				   : p->event[EVENT_AFTER].scale;
	to.samples = o->basis == BASIS_SAMPLES;
	to.nr_column = 2;
	for (int k = 0; k < 2; k++) {
		in[k][k == 0 ? EVENT_BEFORE : EVENT_AFTER] = true;
		to.in[k] = in[k];
	}
	to.keep_nodes = true;
	tree_build(&c->tree, p, &to);
	free(in[0]);
	free(in[1]);
	list_runs(&m);
	sum_selves(&m);
	sum_nodes(&m);
	for (int k = 0; k < 2; k++)
		c->total[k] = c->nodes.item[0].count[k];
	sum_functions(&m);
	judge_all(&m);
	free(m.run_of);
	for (int k = 0; k < 2; k++) {
		free(m.self[k]);
		free(m.kernel[k]);
	}
	free(m.self_run);
}

static void list_release(struct change_list *l)
{
	free(l->item);
	free(l->run);
	free(l->verdict);
	free(l->like);
}

void changes_release(struct changes *c)
{
	list_release(&c->nodes);
	list_release(&c->functions);
	free(c->run_size);
	tree_release(&c->tree);
	*c = (struct changes){ 0 };
}
