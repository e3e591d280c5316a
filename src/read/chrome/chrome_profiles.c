#include "read/chrome/chrome_profiles.h"

#include "base/alloc.h"

#include <stdlib.h>

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
	/* A CpuProfile has no id: it is the only one of its thread. */
	if (!owner->id.size)
		strbuf_addf(&c->key, "%u", owner->track);
	i = intern(&c->keys, strbuf_peek(&c->key));
	if (i == c->nr) {
		GROW(c->profile, c->nr, c->cap);
		/* The event Profile is sent by the profiled thread, its chunks maybe by another. */
		c->profile[c->nr++] =
			(struct chrome_profile){ .tree = { .b = c->b }, .track = owner->track };
	}
	return &c->profile[i];
}

/* A number, or an array of them. */
static void add_numbers(struct v8_numbers *to, const struct json_node *n)
{
	if (n && n->type == JSON_NUMBER)
		v8_add_number(to, n->text);
	for (n = n && n->type == JSON_ARRAY ? n->first : NULL; n; n = n->next)
		if (n->type == JSON_NUMBER)
			v8_add_number(to, n->text);
}

int chrome_profiles_add(struct chrome_profiles *c, const struct chrome_owner *owner,
			const struct json_node *data, struct error *e)
{
	const struct json_node *part[] = { data, json_find(data, "cpuProfile") };
	struct chrome_profile *p = find_profile(c, owner);

	/* The arrays are members of data or of data.cpuProfile, depending on V8's version. */
	for (size_t i = 0; i < ARRAY_SIZE(part); i++) {
		const struct json_node *nodes = json_find(part[i], "nodes");

		add_numbers(&p->samples.begin, json_find(part[i], "startTime"));
		add_numbers(&p->samples.end, json_find(part[i], "endTime"));
		add_numbers(&p->samples.delta, json_find(part[i], "timeDeltas"));
		add_numbers(&p->samples.node, json_find(part[i], "samples"));
		for (nodes = nodes && nodes->type == JSON_ARRAY ? nodes->first : NULL; nodes;
		     nodes = nodes->next)
			v8_tree_add(&p->tree, nodes);
		if (v8_tree_link(&p->tree, e))
			return -1;
	}
	return 0;
}

int chrome_profiles_count(struct chrome_profiles *c, const struct slices *slices, struct error *e)
{
	for (size_t i = 0; i < c->nr; i++) {
		struct chrome_profile *p = &c->profile[i];

		if (!v8_samples_timed(&p->samples))
			continue;
		c->b->event = profile_event(c->b->p, SPAN("cpu-profile"), SPAN("us"));
		c->b->thread = profile_thread(c->b->p, &slices->track[p->track].thread);
		if (v8_samples_count(&p->samples, &p->tree, e))
			return -1;
	}
	return 0;
}

void chrome_profiles_release(struct chrome_profiles *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		v8_tree_release(&c->profile[i].tree);
		v8_samples_release(&c->profile[i].samples);
	}
	free(c->profile);
	intern_release(&c->keys);
	strbuf_release(&c->key);
}
