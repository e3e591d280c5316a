#include "fold/tree.h"

#include "base/alloc.h"
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
	/* The labels of a frame, outermost first: first_label[f] up to first_label[f + 1]. */
	uint32_t *label, *first_label;
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
			GROW(b->label, b->nr_label, b->cap_label);
			b->label[b->nr_label++] = label_of_text(b);
		}
	}
	assert(b->label); /* of the unknown frame, at least */
	b->first_label[p->nr_frame] = (uint32_t)b->nr_label;
	taken = xcalloc(b->t->labels.nr, sizeof(*taken));
	b->distinct = b->nr_label == p->nr_frame;
	for (size_t i = 0; i < b->nr_label && b->distinct; i++) {
		b->distinct = !taken[b->label[i]];
		taken[b->label[i]] = true;
	}
	free(taken);
}

static void spell_threads(struct builder *b)
{
	bool with = false, without = false;

	b->root = xcalloc(b->p->nr_thread, sizeof(*b->root));
	for (uint32_t i = 0; i < b->p->nr_thread; i++) {
		spelling_thread(&b->text, b->p, (thread_id){ i }, b->o->spelling);
		if (b->text.size)
			b->root[i] = label_of_text(b) + 1;
	}
	for (size_t i = 0; i < b->p->nr_count; i++) {
		with |= b->root[b->p->count[i].thread.i] != 0;
		without |= b->root[b->p->count[i].thread.i] == 0;
	}
	/* A frame at the root could be spelled like a thread. */
	if (with && without)
		b->distinct = false;
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

		if (b->distinct)
			node = new_node(b, node, b->label[f]);
		else
			for (uint32_t k = b->first_label[f]; k < b->first_label[f + 1]; k++)
				node = child(b, node, b->label[k]);
		b->node_of[b->path[nr].i] = node;
		b->node_root[b->path[nr].i] = root + 1;
	}
	return node;
}

static void add_to_line(struct builder *b, uint32_t node, const struct count *c)
{
	struct tree *t = b->t;
	struct tree_line *line;

	if (!t->node[node].line) {
		GROW(t->line, t->nr_line, t->cap_line);
		t->line[t->nr_line++] = (struct tree_line){ 0 };
		t->node[node].line = (uint32_t)t->nr_line;
	}
	line = &t->line[t->node[node].line - 1];
	for (size_t k = 0; k < b->o->nr_column; k++)
		if (b->o->in[k][c->event])
			line->sum[k] +=
				b->o->samples ? (weight_sum)c->nr
					      : tree_weight(b->p, c->event, c->weight, t->scale[k]);
}

static bool is_shown(const struct builder *b, const struct count *c)
{
	for (size_t k = 0; k < b->o->nr_column; k++)
		if (b->o->in[k][c->event])
			return true;
	return false;
}

/* Counts grouped by the root they hang below, so that one root is in hand at a time. */
static uint32_t *counts_by_root(const struct builder *b, size_t *nr)
{
	const struct profile *p = b->p;
	size_t nr_root = b->t->labels.nr + 2;
	uint32_t *begin = xcalloc(nr_root, sizeof(*begin));
	uint32_t *order = xcalloc(p->nr_count, sizeof(*order));

	for (size_t i = 0; i < p->nr_count; i++)
		if (is_shown(b, &p->count[i]))
			begin[b->root[p->count[i].thread.i] + 1]++;
	for (size_t i = 1; i < nr_root; i++)
		begin[i] += begin[i - 1];
	*nr = begin[nr_root - 1];
	for (size_t i = 0; i < p->nr_count; i++)
		if (is_shown(b, &p->count[i]))
			order[begin[b->root[p->count[i].thread.i]]++] = (uint32_t)i;
	free(begin);
	return order;
}

/*
 * One root and no two frames that are spelled alike: the table of stacks is
 * the tree already.  Stack 0, the empty one, is the root's node.
 */
static void copy_stacks(struct builder *b, uint32_t root)
{
	const struct profile *p = b->p;
	struct tree *t = b->t;
	uint32_t shift = 0;

	if (root)
		shift = new_node(b, 0, root - 1);
	t->cap_node = p->nr_stack + shift;
	t->node = xreallocarray(t->node, t->cap_node, sizeof(*t->node));
	for (size_t i = 1; i < p->nr_stack; i++)
		t->node[i + shift] = (struct tree_node){
			.parent = p->stack[i].caller.i + shift,
			.label = b->label[p->stack[i].frame.i],
		};
	t->nr_node = p->nr_stack + shift;
	for (size_t i = 0; i < p->nr_count; i++)
		if (is_shown(b, &p->count[i]))
			add_to_line(b, p->count[i].stack.i + shift, &p->count[i]);
}

static void merge_stacks(struct builder *b)
{
	const struct profile *p = b->p;
	uint32_t *order, base = 0, root = UINT32_MAX;
	size_t nr;

	b->node_of = xcalloc(p->nr_stack, sizeof(*b->node_of));
	b->node_root = xcalloc(p->nr_stack, sizeof(*b->node_root));
	order = counts_by_root(b, &nr);
	for (size_t i = 0; i < nr; i++) {
		const struct count *c = &p->count[order[i]];

		if (b->root[c->thread.i] != root) {
			root = b->root[c->thread.i];
			base = !root	     ? 0
			       : b->distinct ? new_node(b, 0, root - 1)
					     : child(b, 0, root - 1);
		}
		add_to_line(b, node_of(b, root, base, c->stack), c);
	}
	free(order);
}

static bool has_one_root(const struct builder *b)
{
	for (size_t i = 1; i < b->p->nr_count; i++)
		if (b->root[b->p->count[i].thread.i] != b->root[b->p->count[0].thread.i])
			return false;
	return b->p->nr_count > 0;
}

void tree_build(struct tree *t, const struct profile *p, const struct tree_opts *o)
{
	struct builder b = { .t = t, .p = p, .o = o };

	*t = (struct tree){ .nr_column = o->nr_column };
	for (size_t k = 0; k < o->nr_column; k++)
		t->scale[k] = tree_scale(p, o->in[k]);
	spell_frames(&b);
	spell_threads(&b);
	new_node(&b, 0, 0);
	if (b.distinct && has_one_root(&b))
		copy_stacks(&b, b.root[p->count[0].thread.i]);
	else
		merge_stacks(&b);
	free(b.label);
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
	free(t->line);
	*t = (struct tree){ 0 };
}
