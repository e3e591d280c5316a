/* The call tree of a profile of V8's, whose nodes stand in a list or in each other. */
#include "base/alloc.h"
#include "base/decimal.h"
#include "read/script.h"
#include "read/v8.h"

#include <stdlib.h>

static struct span id_span(const int64_t *id)
{
	return (struct span){ .at = (const char *)id, .size = sizeof(*id) };
}

static int64_t number(const struct json_node *n)
{
	struct decimal d;
	int64_t value;

	if (!n || n->type != JSON_NUMBER || !decimal_parse(n->text, &d) ||
	    !decimal_at(d, 0, &value))
		return 0;
	return value;
}

int64_t v8_number(const struct json_node *n, const char *name)
{
	return number(json_find(n, name));
}

void v8_tree_release(struct v8_tree *t)
{
	intern_release(&t->ids);
	free(t->node);
	free(t->path);
}

uint32_t v8_tree_find(const struct v8_tree *t, int64_t id)
{
	uint32_t i = intern_find(&t->ids, id_span(&id), intern_hash(id_span(&id)));

	return i == INTERN_NONE ? V8_NO_NODE : i;
}

/* A second node of the same id is ignored.  In old heap profiles nodes have no ids: they get negative ones. */
static void add_node(struct v8_tree *t, const struct json_node *json, uint32_t parent)
{
	int64_t id = json_find(json, "id") ? v8_number(json, "id") : -1 - (int64_t)t->nr;

	if (intern(&t->ids, id_span(&id)) != t->nr)
		return;
	GROW(t->node, t->nr, t->cap);
	t->node[t->nr++] = (struct v8_node){ .json = json, .parent = parent };
}

int v8_tree_flat(struct v8_tree *t, const struct json_node *nodes, struct error *e)
{
	uint32_t first = (uint32_t)t->nr;

	for (const struct json_node *n = nodes->first; n; n = n->next)
		if (n->type == JSON_OBJECT)
			add_node(t, n, V8_NO_NODE);
	for (uint32_t i = first; i < t->nr; i++) {
		const struct json_node *children = json_find(t->node[i].json, "children");

		if (json_find(t->node[i].json, "parent"))
			t->node[i].parent = v8_tree_find(t, v8_number(t->node[i].json, "parent"));
		for (children = children ? children->first : NULL; children;
		     children = children->next) {
			uint32_t child = v8_tree_find(t, number(children));

			if (child != V8_NO_NODE)
				t->node[child].parent = i;
			else if (build_note(t->b, NOTE_BAD_REF, children->text, e))
				return -1;
		}
	}
	return 0;
}

int v8_tree_nested(struct v8_tree *t, const struct json_node *head, struct error *e)
{
	(void)e;
	add_node(t, head, V8_NO_NODE);
	/* The table is the queue: no recursion, since the depth is the input's. */
	for (uint32_t i = 0; i < t->nr; i++) {
		const struct json_node *children = json_find(t->node[i].json, "children");

		for (children = children ? children->first : NULL; children;
		     children = children->next)
			if (children->type == JSON_OBJECT)
				add_node(t, children, i);
	}
	return 0;
}

static struct span text(const struct json_node *n, const char *name)
{
	n = json_find(n, name);
	return n && n->type == JSON_STRING ? n->text : SPAN("");
}

/* V8 counts lines from 0; -1 is none. */
static frame_id make_frame(struct build *b, const struct json_node *node)
{
	const struct json_node *call = json_find(node, "callFrame");
	int64_t line;

	/* Before 2016 its members were those of the node itself. */
	if (!call)
		call = node;
	line = v8_number(call, "lineNumber");
	return script_frame(b, text(call, "functionName"), text(call, "url"),
			    json_find(call, "lineNumber") && line >= 0 && line < UINT32_MAX
				    ? (uint32_t)line + 1
				    : 0);
}

static bool is_root(const struct v8_node *n)
{
	const struct json_node *call = json_find(n->json, "callFrame");

	return n->parent == V8_NO_NODE &&
	       span_is(text(call ? call : n->json, "functionName"), "(root)");
}

/* The stack of a node whose parent has one. */
static int push_node(struct v8_tree *t, struct v8_node *n, struct error *e)
{
	static const struct v8_node none = { 0 };
	const struct v8_node *parent = n->parent == V8_NO_NODE ? &none : &t->node[n->parent];

	n->known = true;
	n->stack = parent->stack;
	n->depth = parent->depth;
	if (is_root(n))
		return 0;
	if (n->depth >= PROFILE_DEPTH_MAX)
		return build_note(t->b, NOTE_TOO_DEEP, SPAN(""), e);
	n->stack = profile_push(t->b->p, parent->stack, make_frame(t->b, n->json));
	n->depth++;
	return 0;
}

/*
 * Parents may come after their children, so stacks are found on demand: collects
 * the path from a node up to one whose stack is known.  A node that is met again
 * on the way would be its own ancestor: the cycle is cut there.
 */
static int climb(struct v8_tree *t, uint32_t node, struct error *e)
{
	t->nr_path = 0;
	for (;;) {
		struct v8_node *n = &t->node[node];

		GROW(t->path, t->nr_path, t->cap_path);
		t->path[t->nr_path++] = node;
		n->climbed = true;
		node = n->parent;
		if (node == V8_NO_NODE || t->node[node].known)
			return 0;
		if (t->node[node].climbed) {
			n->parent = V8_NO_NODE;
			return build_note(t->b, NOTE_BAD_REF, SPAN(""), e);
		}
	}
}

int v8_tree_stack(struct v8_tree *t, uint32_t node, stack_id *stack, struct error *e)
{
	if (!t->node[node].known) {
		if (climb(t, node, e))
			return -1;
		while (t->nr_path)
			if (push_node(t, &t->node[t->path[--t->nr_path]], e))
				return -1;
	}
	*stack = t->node[node].stack;
	return 0;
}
