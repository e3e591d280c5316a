/* Determines which changes of a comparison the picture marks, and which are noise. */
#include "base/alloc.h"
#include "fold/changes.h"
#include "render/drawing.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t hash_path(uint32_t caller, struct span name)
{
	return (caller ^ color_hash(name)) * 0x9e3779b1u + 1;
}

/*
 * Lists the path hashes of nodes with significant changes; web/subject.js computes the same hashes.
 */
static void list_changed(struct drawing *d, const struct changes *c)
{
	const struct tree *t = &c->tree;
	uint32_t *hash = xcalloc(t->nr_node, sizeof(*hash));

	/*
	 * If all stacks begin with the same name, the tree has one node for the whole and this
	 * name, and the page has two.
	 */
	if (t->root) {
		hash[0] = hash_path(0, labels_peek(&t->labels, t->root - 1));
		if (c->nodes.verdict[0] != NOISE_INSIDE)
			strbuf_add(&d->changed, SPAN("0"));
	}
	for (uint32_t n = 0; n < t->nr_node; n++) {
		if (n)
			hash[n] = hash_path(hash[tree_parent(t, n)],
					    labels_peek(&t->labels, tree_label(t, n)));
		if (c->nodes.verdict[n] != NOISE_INSIDE)
			strbuf_addf(&d->changed, "%s%x", d->changed.size ? "," : "", hash[n]);
	}
	/* An empty list, in contrast to NULL, says that all changes are noise. */
	strbuf_reserve(&d->changed, 1);
	d->changed.at[d->changed.size] = '\0';
	d->picture.changed = d->changed.at;
	free(hash);
}

void drawing_find_noise(struct drawing *d)
{
	const struct draw_opts *o = d->o;
	const struct profile *p = d->p;
	struct changes_opts co = {
		.tree = { .spelling = drawing_own_spelling(d),
			  .reverse = o->reverse,
			  .base = o->base,
			  .nr_base = o->nr_base },
		.normalize = o->in_time		 ? NORMALIZE_DURATION
			     : o->not_normalized ? NORMALIZE_NONE
						 : NORMALIZE_TOTAL,
		.nr_run = { o->nr_run[0], o->nr_run[1] },
		.run_size = o->run_size,
		.confidence = o->confidence > 0 ? o->confidence : CONFIDENCE_DEFAULT,
	};
	struct changes changes;

	if (!drawing_is_own(d) || !d->picture.is_diff || o->chart)
		return;
	co.basis = changes_basis(p);
	if (co.basis == BASIS_NONE)
		return;
	changes_init(&changes, p, &co);
	assert(changes.nodes.nr == d->tree.nr_node);
	if (changes.claim) {
		list_changed(d, &changes);
		d->noise = xcalloc(changes.nodes.nr, sizeof(*d->noise));
		for (size_t i = 0; i < changes.nodes.nr; i++)
			d->noise[i] = changes.nodes.verdict[i] == NOISE_INSIDE;
	}
	d->picture.noise = d->noise;
	changes_release(&changes);
}
