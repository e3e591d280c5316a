#include "base/json_tree.h"

#include "base/alloc.h"

#include <stdlib.h>

struct builder {
	struct arena *arena;
	struct json *json;
	struct span name; /* of the member whose value comes next */
	/* By depth: where to link the next value.  No recursion, because hostile input may be deep. */
	struct json_node ***place;
	size_t depth, cap;
	size_t nr;
};

static struct span keep(struct builder *b, struct span s)
{
	char *copy = arena_take(b->arena, s.size + 1);

	if (s.size)
		memcpy(copy, s.at, s.size);
	copy[s.size] = '\0';
	return (struct span){ copy, s.size };
}

static int add(struct builder *b, enum json_token token, struct error *e)
{
	struct json_node *n;

	if (b->nr++ == JSON_TREE_MAX)
		return error_set(e, ERROR_INPUT, "more than %d JSON values", JSON_TREE_MAX);
	n = arena_take(b->arena, sizeof(*n));
	*n = (struct json_node){ .type = token, .name = b->name };
	b->name = SPAN("");
	if (token == JSON_STRING || token == JSON_NUMBER)
		n->text = keep(b, b->json->value);
	*b->place[b->depth - 1] = n;
	b->place[b->depth - 1] = &n->next;
	if (token == JSON_OBJECT || token == JSON_ARRAY) {
		GROW(b->place, b->depth, b->cap);
		b->place[b->depth++] = &n->first;
	}
	return 0;
}

static int take(struct builder *b, enum json_token token, struct error *e)
{
	switch (token) {
	case JSON_ERROR:
		return -1;
	case JSON_END:
		return error_set(e, ERROR_INPUT, "unexpected end of input");
	case JSON_NAME:
		b->name = keep(b, b->json->value);
		return 0;
	case JSON_OBJECT_END:
	case JSON_ARRAY_END:
		b->depth--;
		return 0;
	case JSON_OBJECT:
	case JSON_ARRAY:
	case JSON_STRING:
	case JSON_NUMBER:
	case JSON_TRUE:
	case JSON_FALSE:
	case JSON_NULL:
		break;
	}
	return add(b, token, e);
}

struct json_node *json_tree_take(struct arena *a, struct json *j, enum json_token token,
				 struct error *e)
{
	struct builder b = { .arena = a, .json = j };
	struct json_node *root = NULL;
	int ret;

	GROW(b.place, b.depth, b.cap);
	b.place[b.depth++] = &root;
	ret = take(&b, token, e);
	while (!ret && b.depth > 1)
		ret = take(&b, json_next(j, e), e);
	free(b.place);
	return ret ? NULL : root;
}

struct json_node *json_tree_parse(struct arena *a, struct span text, struct error *e)
{
	struct json_node *root;
	struct text over;
	struct json json;

	text_over(&over, text);
	json_init(&json, &over);
	root = json_tree_take(a, &json, json_next(&json, e), e);
	json_release(&json);
	text_release(&over);
	return root;
}

const struct json_node *json_find(const struct json_node *n, const char *name)
{
	if (!n || n->type != JSON_OBJECT)
		return NULL;
	for (n = n->first; n; n = n->next)
		if (span_is(n->name, name))
			return n;
	return NULL;
}

const char *json_string(const struct json_node *n, const char *name)
{
	n = json_find(n, name);
	return n && n->type == JSON_STRING ? n->text.at : NULL;
}
