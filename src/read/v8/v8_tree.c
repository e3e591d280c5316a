/* The call tree of a V8 profile, whose nodes are in a list or nested. */
#include "base/alloc.h"
#include "base/decimal.h"
#include "read/script_function.h"
#include "read/v8/v8.h"

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

static int64_t number_of(const struct json_node *n, const char *name)
{
	return number(json_find(n, name));
}

void v8_tree_release(struct v8_tree *t)
{
	intern_release(&t->ids);
	free(t->node);
	free(t->call);
	free(t->path);
}

uint32_t v8_tree_find(const struct v8_tree *t, int64_t id)
{
	uint32_t i = intern_find(&t->ids, id_span(&id), intern_hash(id_span(&id)));

	return i == INTERN_NONE ? V8_NO_NODE : i;
}

static struct span text(const struct json_node *n, const char *name)
{
	n = json_find(n, name);
	return n && n->type == JSON_STRING ? n->text : SPAN("");
}

/* V8 counts lines from 0; -1 is unknown. */
static frame_id make_frame(struct build *b, const struct json_node *call)
{
	int64_t line = number_of(call, "lineNumber");

	return script_frame(b, text(call, "functionName"), text(call, "url"),
			    json_find(call, "lineNumber") && line >= 0 && line < UINT32_MAX
				    ? (uint32_t)line + 1
				    : 0);
}

/*
 * A second node with the same id is ignored: false.  Nodes without ids (old heap profiles) get negative
 * ones.
 */
static bool add_node(struct v8_tree *t, const struct json_node *json, uint32_t parent)
{
	int64_t id = json_find(json, "id") ? number_of(json, "id") : -1 - (int64_t)t->nr;
	const struct json_node *call = json_find(json, "callFrame");

	if (intern(&t->ids, id_span(&id)) != t->nr)
		return false;
	/* Before 2016, the node itself had these members. */
	if (!call)
		call = json;
	GROW(t->node, t->nr, t->cap);
	t->node[t->nr++] =
		(struct v8_node){ .frame = make_frame(t->b, call),
				  .hits = number_of(json, "hitCount"),
				  .size = number_of(json, "selfSize"),
				  .parent = parent,
				  .is_root = span_is(text(call, "functionName"), "(root)") };
	t->is_heap |= json_find(json, "selfSize") != NULL;
	return true;
}

static void add_call(struct v8_tree *t, const struct json_node *id, bool is_parent)
{
	GROW(t->call, t->nr_call, t->cap_call);
	t->call[t->nr_call++] = (struct v8_call){ .node = (uint32_t)t->nr - 1,
						  .other = number(id),
						  .is_parent = is_parent };
}

void v8_tree_add(struct v8_tree *t, const struct json_node *node)
{
	const struct json_node *parent = json_find(node, "parent");
	const struct json_node *children = json_find(node, "children");

	if (node->type != JSON_OBJECT || !add_node(t, node, V8_NO_NODE))
		return;
	if (parent)
		add_call(t, parent, true);
	for (children = children ? children->first : NULL; children; children = children->next)
		add_call(t, children, false);
}

static int note_missing(struct v8_tree *t, int64_t id, struct error *e)
{
	struct strbuf text = { 0 };
	int ret;

	strbuf_addf(&text, "%lld", (long long)id);
	ret = build_note(t->b, NOTE_BAD_REF, strbuf_peek(&text), e);
	strbuf_release(&text);
	return ret;
}

int v8_tree_link(struct v8_tree *t, struct error *e)
{
	for (size_t i = 0; i < t->nr_call; i++) {
		const struct v8_call *c = &t->call[i];
		uint32_t other = v8_tree_find(t, c->other);

		if (c->is_parent)
			t->node[c->node].parent = other;
		else if (other != V8_NO_NODE)
			t->node[other].parent = c->node;
		else if (note_missing(t, c->other, e))
			return -1;
	}
	t->nr_call = 0;
	return 0;
}

void v8_tree_nested(struct v8_tree *t, const struct json_node *head)
{
	const struct json_node **queue = NULL;
	uint32_t first = (uint32_t)t->nr;
	size_t nr = 0, cap = 0;

	if (!add_node(t, head, V8_NO_NODE))
		return;
	GROW(queue, nr, cap);
	queue[nr++] = head;
	/* A queue, not recursion, since the input decides the depth. */
	for (uint32_t i = 0; i < nr; i++) {
		const struct json_node *children = json_find(queue[i], "children");

		for (children = children ? children->first : NULL; children;
		     children = children->next) {
			if (children->type != JSON_OBJECT || !add_node(t, children, first + i))
				continue;
			GROW(queue, nr, cap);
			queue[nr++] = children;
		}
	}
	free(queue);
}

/* Builds the stack of a node whose parent already has one. */
static int push_node(struct v8_tree *t, struct v8_node *n, struct error *e)
{
	static const struct v8_node none = { 0 };
	const struct v8_node *parent = n->parent == V8_NO_NODE ? &none : &t->node[n->parent];

	n->known = true;
	n->stack = parent->stack;
	n->depth = parent->depth;
	if (n->is_root && n->parent == V8_NO_NODE)
		return 0;
	if (n->depth >= PROFILE_DEPTH_MAX)
		return build_note(t->b, NOTE_TOO_DEEP, SPAN(""), e);
	n->stack = profile_push(t->b->p, parent->stack, n->frame);
	n->depth++;
	return 0;
}

/*
 * Parents may come after their children, so stacks are built on demand: collects
 * the path from a node up to one whose stack is known.  A node that is visited
 * twice would be its own ancestor: the cycle is cut there.
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
