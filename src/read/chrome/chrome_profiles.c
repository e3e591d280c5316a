#include "read/chrome/chrome_profiles.h"

#include "base/alloc.h"

#include <stdlib.h>

/* Limit of samples in memory: 8 MB, and twice that while they are sorted. */
enum { SAMPLES_IN_MEMORY = 256 * 1024 };

struct stored_sample {
	uint64_t number;
	int64_t node, delta;
	uint32_t profile;
};

static int by_profile(const void *a, const void *b)
{
	const struct stored_sample *x = a, *y = b;

	if (x->profile != y->profile)
		return x->profile < y->profile ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

bool chrome_profiles_has(struct span event)
{
	return span_is(event, "ProfileChunk") || span_is(event, "Profile") ||
	       span_is(event, "CpuProfile");
}

static struct chrome_profile *find_profile(struct chrome_profiles *c,
					   const struct chrome_owner *owner)
{
	uint32_t i;

	strbuf_reset(&c->key);
	strbuf_add(&c->key, owner->pid);
	strbuf_addch(&c->key, ' ');
	strbuf_add(&c->key, owner->id);
	/* A CpuProfile has no id: there is one per thread. */
	if (!owner->id.size)
		strbuf_addf(&c->key, "%u", owner->track);
	i = intern(&c->keys, strbuf_peek(&c->key));
	if (i == c->nr) {
		GROW(c->profile, c->nr, c->cap);
		/* The profiled thread writes the event Profile, but maybe another one its chunks. */
		c->profile[c->nr++] =
			(struct chrome_profile){ .tree = { .b = c->b }, .track = owner->track };
	}
	return &c->profile[i];
}

static void add_number(struct chrome_numbers *to, const struct json_node *n)
{
	int64_t value;

	if (n->type != JSON_NUMBER || !v8_number(n->text, &value))
		return;
	GROW(to->value, to->nr, to->cap);
	to->value[to->nr++] = value;
}

static void add_numbers(struct chrome_numbers *to, const struct json_node *n)
{
	for (n = n && n->type == JSON_ARRAY ? n->first : NULL; n; n = n->next)
		add_number(to, n);
}

/* The first one counts. */
static void set_time(int64_t *time, bool *has, const struct json_node *n)
{
	if (n && n->type == JSON_NUMBER && !*has)
		*has = v8_number(n->text, time);
}

static void drop_first(struct chrome_numbers *n, size_t nr)
{
	n->nr -= nr;
	if (n->nr)
		memmove(n->value, n->value + nr, n->nr * sizeof(*n->value));
}

/* Stores the samples whose times are known. */
static void store(struct chrome_profiles *c, struct chrome_profile *p)
{
	size_t nr = p->node.nr < p->delta.nr ? p->node.nr : p->delta.nr;

	if (!c->stored.size)
		c->stored = (struct sorted_runs){ .size = sizeof(struct stored_sample),
						  .max = SAMPLES_IN_MEMORY,
						  .compare = by_profile };
	for (size_t i = 0; i < nr; i++)
		sorted_runs_add(&c->stored,
				&(struct stored_sample){ .profile = (uint32_t)(p - c->profile),
							 .number = p->nr++,
							 .node = p->node.value[i],
							 .delta = p->delta.value[i] });
	drop_first(&p->node, nr);
	drop_first(&p->delta, nr);
}

int chrome_profiles_add(struct chrome_profiles *c, const struct chrome_owner *owner,
			const struct json_node *data, struct error *e)
{
	const struct json_node *part[] = { data, json_find(data, "cpuProfile") };
	struct chrome_profile *p = find_profile(c, owner);

	/* The arrays are members of data or of data.cpuProfile, depending on V8's version. */
	for (size_t i = 0; i < ARRAY_SIZE(part); i++) {
		const struct json_node *nodes = json_find(part[i], "nodes");

		set_time(&p->begin, &p->has_begin, json_find(part[i], "startTime"));
		set_time(&p->end, &p->has_end, json_find(part[i], "endTime"));
		add_numbers(&p->delta, json_find(part[i], "timeDeltas"));
		add_numbers(&p->node, json_find(part[i], "samples"));
		for (nodes = nodes && nodes->type == JSON_ARRAY ? nodes->first : NULL; nodes;
		     nodes = nodes->next)
			v8_tree_add(&p->tree, nodes);
		if (v8_tree_link(&p->tree, e))
			return -1;
	}
	store(c, p);
	return 0;
}

/* *s: the first sample of the profile; on return, the first one of the next profile. */
static int count_profile(struct chrome_profiles *c, uint32_t i, struct stored_sample *s, int *more,
			 struct error *e)
{
	const struct chrome_profile *p = &c->profile[i];
	struct v8_last last = { .tree = &c->profile[i].tree };
	int64_t now = p->begin;

	for (; *more > 0 && s->profile == i; *more = sorted_runs_next(&c->stored, s, e)) {
		now = v8_later(now, s->delta);
		if (v8_sample(&last, s->node, now, e))
			return -1;
	}
	if (*more < 0)
		return -1;
	/* If there is one more time than samples, it is that of the end. */
	if (p->delta.nr)
		now = v8_later(now, p->delta.value[0]);
	else if (p->has_end)
		now = p->end;
	return v8_samples_end(&last, now, e);
}

int chrome_profiles_count(struct chrome_profiles *c, const struct slices *slices, struct error *e)
{
	struct stored_sample s;
	int more;

	if (sorted_runs_finish(&c->stored, e))
		return -1;
	more = sorted_runs_next(&c->stored, &s, e);
	for (uint32_t i = 0; i < c->nr; i++) {
		if (!c->profile[i].nr)
			continue;
		c->b->event = profile_event(c->b->p, SPAN("cpu-profile"), SPAN("us"));
		c->b->thread = profile_thread(c->b->p, &slices->track[c->profile[i].track].thread);
		if (count_profile(c, i, &s, &more, e))
			return -1;
	}
	return more < 0 ? -1 : 0;
}

void chrome_profiles_release(struct chrome_profiles *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		v8_tree_release(&c->profile[i].tree);
		free(c->profile[i].node.value);
		free(c->profile[i].delta.value);
	}
	sorted_runs_release(&c->stored);
	free(c->profile);
	intern_release(&c->keys);
	strbuf_release(&c->key);
}
