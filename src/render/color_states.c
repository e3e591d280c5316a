#include "render/color_states.h"

#include "base/alloc.h"
#include "render/color.h"

#include <stdlib.h>

#define HUE(n) (COLOR_HUES + (n)*COLOR_HUE_SHADES)

static const struct {
	const char *name;
	uint8_t first, nr; /* of its shades */
} states[NR_COLOR_STATES] = {
	{ "running", COLOR_USER *COLOR_KIND_SHADES, COLOR_KIND_SHADES },
	{ "cpu wait", HUE(0), COLOR_HUE_SHADES },
	{ "lock", HUE(8), COLOR_HUE_SHADES },
	{ "disk", HUE(2), COLOR_HUE_SHADES },
	{ "network", HUE(6), COLOR_HUE_SHADES },
	{ "pipe", HUE(5), COLOR_HUE_SHADES },
	{ "poll", HUE(4), COLOR_HUE_SHADES },
	{ "fault", HUE(9), COLOR_HUE_SHADES },
	{ "child", HUE(7), COLOR_HUE_SHADES },
	{ "sleep", COLOR_ROOT *COLOR_KIND_SHADES, COLOR_KIND_SHADES },
	{ "other", HUE(3), COLOR_HUE_SHADES },
};

const char *color_state_name(unsigned state)
{
	return states[state].name;
}

unsigned color_state_of(struct span name)
{
	if (!span_starts(name, "[") || !span_ends(name, "]"))
		return COLOR_RUNNING;
	for (unsigned i = 1; i < NR_COLOR_STATES; i++)
		if (span_is(span_from(span_upto(name, name.size - 1), 1), states[i].name))
			return i;
	return COLOR_RUNNING;
}

unsigned color_by_state(unsigned state, struct span name)
{
	return states[state].first + color_hash(name) % states[state].nr;
}

unsigned color_of_state(unsigned state)
{
	return states[state].first + 1;
}

/* By node: its time, in the last column. */
static double *sum_up(const struct tree *t)
{
	double *total = xcalloc(t->nr_node, sizeof(*total));

	for (size_t i = 0; i < t->nr_line; i++)
		total[t->line_node[i]] += (double)tree_line(t, i).sum[t->nr_column - 1];
	for (size_t i = t->nr_node; i-- > 1;)
		total[tree_parent(t, (uint32_t)i)] += total[i];
	return total;
}

/*
 * By node: the reason of the wait that the node or one of its ancestors stands for; sets is_there
 * by state.
 */
static uint8_t *find_reasons(const struct tree *t, bool *is_there)
{
	uint8_t *of_label = xcalloc(t->labels.nr, sizeof(*of_label));
	uint8_t *state = xcalloc(t->nr_node, sizeof(*state));

	for (uint32_t i = 0; i < t->labels.nr; i++) {
		of_label[i] = (uint8_t)color_state_of(labels_peek(&t->labels, i));
		is_there[of_label[i]] = true;
	}
	for (uint32_t i = 1; i < t->nr_node; i++) {
		state[i] = state[tree_parent(t, i)];
		if (!state[i])
			state[i] = of_label[tree_label(t, i)];
	}
	free(of_label);
	return state;
}

/*
 * A node's waits are the sums of the reasons among its descendants; during the rest of its time, it
 * ran.
 */
uint8_t *color_states(const struct tree *t)
{
	bool is_there[NR_COLOR_STATES] = { false };
	uint8_t *state = find_reasons(t, is_there), *most = xcalloc(t->nr_node, sizeof(*most));
	double *total = sum_up(t), *waits = xcalloc(t->nr_node, sizeof(*waits));
	double *longest = xcalloc(t->nr_node, sizeof(*longest));

	for (unsigned s = 1; s < NR_COLOR_STATES; s++) {
		double *of_state = is_there[s] ? xcalloc(t->nr_node, sizeof(*of_state)) : NULL;

		for (uint32_t i = (uint32_t)t->nr_node; of_state && i-- > 0;) {
			uint32_t parent = tree_parent(t, i);

			if (state[i]) {
				if (state[i] == s && !state[parent])
					of_state[parent] += total[i];
				continue;
			}
			waits[i] += of_state[i];
			if (of_state[i] > longest[i]) {
				longest[i] = of_state[i];
				most[i] = (uint8_t)s;
			}
			if (i)
				of_state[parent] += of_state[i];
		}
		free(of_state);
	}
	for (uint32_t i = 0; i < t->nr_node; i++) {
		if (state[i])
			most[i] = state[i];
		else if (total[i] - waits[i] >= longest[i])
			most[i] = COLOR_RUNNING;
	}
	free(state);
	free(total);
	free(waits);
	free(longest);
	return most;
}

static bool has_reason(const struct profile *p, label_id labels)
{
	const struct label_set *set = &p->labels[labels.i];

	for (size_t i = 0; i < set->nr; i++)
		if (span_is(profile_peek(p, set->label[i].key), "reason"))
			return true;
	return false;
}

bool color_has_states(const struct profile *p, const bool *in)
{
	bool is_there = false;

	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *one = &p->count[i];

		if (!in[one->event] || !one->weight ||
		    !span_is(profile_peek(p, p->event[one->event].name), "off-cpu"))
			continue;
		if (!has_reason(p, one->labels))
			return false;
		is_there = true;
	}
	return is_there;
}
