#include "fold/tree.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "profile/spelling.h"

#include <assert.h>
#include <stdlib.h>

int tree_scale(const struct profile *p, const bool *in)
{
	int scale = 0;

	for (size_t i = 0; i < p->nr_event; i++)
		if (in[i] && p->event[i].scale < scale)
			scale = p->event[i].scale;
	return scale;
}

weight_sum tree_weight(const struct profile *p, uint32_t event, int64_t weight, int scale)
{
	weight_sum w = weight;

	for (int s = p->event[event].scale; s > scale; s--)
		w *= 10;
	return w;
}

/* What the building needs and the tree does not. */
struct builder {
	struct tree *t;
	const struct profile *p;
	const struct tree_opts *o;
	/* The labels of a frame are t->frame_label[first_label[f]] up to first_label[f + 1]. */
	uint32_t *first_label;
	size_t nr_label, cap_label;
	bool distinct;	     /* no two frames are spelled alike */
	uint32_t *root;	     /* by thread: 1 + its label, 0 when it has none */
	uint32_t *node_of;   /* by stack, below the root in hand */
	uint32_t *node_root; /* by stack: for which root node_of holds, + 1 */
	uint32_t *slot;	     /* nodes by parent and label, when they are not distinct */
	uint32_t mask;
	stack_id *path;
	size_t cap_path;
	struct strbuf text;
};

static uint32_t label_of_text(struct builder *b)
{
	uint32_t label = intern(&b->t->labels, strbuf_peek(&b->text));

	strbuf_reset(&b->text);
	return label;
}

static void spell_frames(struct builder *b)
{
	const struct profile *p = b->p;
	bool *taken;

	b->first_label = xcalloc(p->nr_frame + 1, sizeof(*b->first_label));
	for (uint32_t f = 0; f < p->nr_frame; f++) {
		size_t nr = p->frame[f].nr_line ? p->frame[f].nr_line : 1;

		b->first_label[f] = (uint32_t)b->nr_label;
		for (size_t line = nr; line-- > 0;) {
			spelling_frame(&b->text, p, (frame_id){ f }, line, b->o->spelling);
			GROW(b->t->frame_label, b->nr_label, b->cap_label);
			b->t->frame_label[b->nr_label++] = label_of_text(b);
		}
	}
	assert(b->t->frame_label); /* of the unknown frame, at least */
	b->first_label[p->nr_frame] = (uint32_t)b->nr_label;
	taken = xcalloc(b->t->labels.nr, sizeof(*taken));
	b->distinct = b->nr_label == p->nr_frame;
	for (size_t i = 0; i < b->nr_label && b->distinct; i++) {
		b->distinct = !taken[b->t->frame_label[i]];
		taken[b->t->frame_label[i]] = true;
	}
	free(taken);
}

static void spell_threads(struct builder *b)
{
	b->root = xcalloc(b->p->nr_thread, sizeof(*b->root));
	for (uint32_t i = 0; i < b->p->nr_thread; i++) {
		spelling_thread(&b->text, b->p, (thread_id){ i }, b->o->spelling);
		if (b->text.size)
			b->root[i] = label_of_text(b) + 1;
	}
}

static uint32_t new_node(struct builder *b, uint32_t parent, uint32_t label)
{
	struct tree *t = b->t;

	GROW(t->node, t->nr_node, t->cap_node);
	t->node[t->nr_node] = (struct tree_node){ .parent = parent, .label = label };
	return (uint32_t)t->nr_node++;
}

static uint32_t place_of(const struct builder *b, uint32_t parent, uint32_t label)
{
	uint64_t h = ((uint64_t)parent << 32 | label) * 0x9e3779b97f4a7c15u;

	return (uint32_t)(h >> 32) & b->mask;
}

static void grow_slots(struct builder *b)
{
	uint32_t nr_slot = b->slot ? (b->mask + 1) * 2 : 1024;

	free(b->slot);
	b->slot = xcalloc(nr_slot, sizeof(*b->slot));
	b->mask = nr_slot - 1;
	for (uint32_t n = 1; n < b->t->nr_node; n++) {
		uint32_t i = place_of(b, b->t->node[n].parent, b->t->node[n].label);

		while (b->slot[i])
			i = (i + 1) & b->mask;
		b->slot[i] = n;
	}
}

/* The node of that name below the parent. */
static uint32_t child(struct builder *b, uint32_t parent, uint32_t label)
{
	uint32_t i;

	if (!b->slot || b->t->nr_node >= b->mask / 2)
		grow_slots(b);
	for (i = place_of(b, parent, label); b->slot[i]; i = (i + 1) & b->mask) {
		const struct tree_node *n = &b->t->node[b->slot[i]];

		if (n->parent == parent && n->label == label)
			return b->slot[i];
	}
	b->slot[i] = (uint32_t)b->t->nr_node;
	return new_node(b, parent, label);
}

/* The node of a stack below a root; root is 1 + its label, base its node. */
static uint32_t node_of(struct builder *b, uint32_t root, uint32_t base, stack_id stack)
{
	const struct stack *s = b->p->stack;
	uint32_t node = base;
	size_t nr = 0;

	while (stack.i && b->node_root[stack.i] != root + 1) {
		if (nr == b->cap_path) {
			b->cap_path = b->cap_path ? b->cap_path * 2 : 256;
			b->path = xreallocarray(b->path, b->cap_path, sizeof(*b->path));
		}
		b->path[nr++] = stack;
		stack = s[stack.i].caller;
	}
	if (stack.i)
		node = b->node_of[stack.i];
	while (nr-- > 0) {
		uint32_t f = s[b->path[nr].i].frame.i;

		for (uint32_t k = b->first_label[f]; k < b->first_label[f + 1]; k++)
			node = child(b, node, b->t->frame_label[k]);
		b->node_of[b->path[nr].i] = node;
		b->node_root[b->path[nr].i] = root + 1;
	}
	return node;
}

static bool is_shown(const struct builder *b, const struct count *c)
{
	for (size_t k = 0; k < b->o->nr_column; k++)
		if (b->o->in[k][c->event])
			return true;
	return false;
}

/* The counts that are shown, as keys by the root they hang below. */
static uint64_t *shown_counts(const struct builder *b, size_t *nr)
{
	const struct profile *p = b->p;
	uint64_t *key = xcalloc(p->nr_count, sizeof(*key));

	*nr = 0;
	for (size_t i = 0; i < p->nr_count; i++)
		if (is_shown(b, &p->count[i]))
			key[(*nr)++] = sort_key(b->root[p->count[i].thread.i], i);
	sort_keys(key, *nr);
	return key;
}

static void add_count(const struct builder *b, struct tree_line *line, const struct count *c)
{
	for (size_t k = 0; k < b->o->nr_column; k++)
		if (b->o->in[k][c->event])
			line->sum[k] += b->o->samples ? (weight_sum)c->nr
						      : tree_weight(b->p, c->event, c->weight,
								    b->t->scale[k]);
}

/* Makes lines of counts, given as keys by the node where they end. */
static void add_lines(struct builder *b, uint64_t *key, size_t nr)
{
	struct tree *t = b->t;

	sort_keys(key, nr);
	t->line = xcalloc(nr, sizeof(*t->line));
	for (size_t i = 0; i < nr; i++) {
		if (!t->nr_line || t->line[t->nr_line - 1].node != sort_by(key[i]))
			t->line[t->nr_line++].node = sort_by(key[i]);
		add_count(b, &t->line[t->nr_line - 1], &b->p->count[sort_what(key[i])]);
	}
}

/* Turns keys by root into keys by node, making the nodes. */
static void merge_stacks(struct builder *b, uint64_t *key, size_t nr)
{
	const struct profile *p = b->p;
	uint32_t base = 0, root = UINT32_MAX;

	new_node(b, 0, 0);
	b->node_of = xcalloc(p->nr_stack, sizeof(*b->node_of));
	b->node_root = xcalloc(p->nr_stack, sizeof(*b->node_root));
	for (size_t i = 0; i < nr; i++) {
		const struct count *c = &p->count[sort_what(key[i])];

		if (sort_by(key[i]) != root) {
			root = sort_by(key[i]);
			base = !root ? 0 : child(b, 0, root - 1);
		}
		key[i] = sort_key(node_of(b, root, base, c->stack), sort_what(key[i]));
	}
}

/* The table of stacks is the tree already. */
static void use_stacks(struct builder *b, uint64_t *key, size_t nr)
{
	b->t->stack = b->p->stack;
	b->t->nr_node = b->p->nr_stack;
	b->t->root = nr ? sort_by(key[0]) : 0;
	for (size_t i = 0; i < nr; i++)
		key[i] = sort_key(b->p->count[sort_what(key[i])].stack.i, sort_what(key[i]));
}

void tree_build(struct tree *t, const struct profile *p, const struct tree_opts *o)
{
	struct builder b = { .t = t, .p = p, .o = o };
	uint64_t *key;
	size_t nr;

	*t = (struct tree){ .nr_column = o->nr_column };
	for (size_t k = 0; k < o->nr_column; k++)
		t->scale[k] = tree_scale(p, o->in[k]);
	spell_frames(&b);
	spell_threads(&b);
	key = shown_counts(&b, &nr);
	if (b.distinct && (!nr || sort_by(key[0]) == sort_by(key[nr - 1])))
		use_stacks(&b, key, nr);
	else
		merge_stacks(&b, key, nr);
	add_lines(&b, key, nr);
	free(key);
	free(b.first_label);
	free(b.root);
	free(b.node_of);
	free(b.node_root);
	free(b.slot);
	free(b.path);
	strbuf_release(&b.text);
}

void tree_release(struct tree *t)
{
	intern_release(&t->labels);
	free(t->node);
	free(t->frame_label);
	free(t->line);
	*t = (struct tree){ 0 };
}
