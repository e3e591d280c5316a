/*
 * Profiles of V8's, which Node (--cpu-prof, --heap-prof), Chrome, Deno and
 * editors write: .cpuprofile and .heapprofile, JSON with
 *
 *	"nodes": [{"id": 1, "callFrame": {"functionName": "f", "url": "a.js", …}, "children": [2]}],
 *	"samples": [2, 2, 1], "timeDeltas": [100, 1250, 1250], "startTime": …, "endTime": …
 *
 * in the first and one tree of nodes, "head", in the second.
 */
#include "read/v8.h"
#include "base/alloc.h"
#include "base/json.h"
#include "base/json_tree.h"
#include "read/readers.h"
#include "read/script.h"

#include <stdlib.h>

struct v8 {
	struct build *b;
	struct json json;
	struct arena arena;
	struct v8_tree tree;
	struct v8_samples samples;
};

/* Reading */

/* Samples of a heap profile are objects, and are skipped: the tree has the same sums. */
static enum json_token read_array(struct v8 *v, struct v8_numbers *n, struct error *e)
{
	enum json_token token;

	do {
		token = json_next(&v->json, e);
		if (token == JSON_ARRAY_END)
			return token;
		if (token == JSON_NUMBER) {
			if (!v8_add_number(n, v->json.value) &&
			    build_note(v->b, NOTE_BAD_COUNT, v->json.value, e))
				return JSON_ERROR;
		} else {
			token = json_skip(&v->json, token, e);
		}
	} while (token != JSON_ERROR && token != JSON_END);
	return token;
}

static enum json_token read_tree(struct v8 *v, enum json_token token, struct error *e)
{
	const struct json_node *n = json_tree_take(&v->arena, &v->json, token, e);
	int ret;

	if (!n)
		return JSON_ERROR;
	ret = token == JSON_ARRAY ? v8_tree_flat(&v->tree, n, e) : v8_tree_nested(&v->tree, n, e);
	return ret ? JSON_ERROR : token;
}

static enum json_token read_member(struct v8 *v, struct error *e)
{
	const struct {
		const char *name;
		enum json_token type;
		struct v8_numbers *numbers; /* NULL: the tree */
	} members[] = {
		{ "nodes", JSON_ARRAY, NULL },
		{ "head", JSON_OBJECT, NULL },
		{ "samples", JSON_ARRAY, &v->samples.node },
		{ "timeDeltas", JSON_ARRAY, &v->samples.delta },
		{ "timestamps", JSON_ARRAY, &v->samples.stamp },
		{ "startTime", JSON_NUMBER, &v->samples.begin },
		{ "endTime", JSON_NUMBER, &v->samples.end },
	};
	enum json_token token;
	size_t i = 0;

	while (i < ARRAY_SIZE(members) && !span_is(v->json.value, members[i].name))
		i++;
	token = json_next(&v->json, e);
	if (i == ARRAY_SIZE(members) || token != members[i].type)
		return json_skip(&v->json, token, e);
	if (!members[i].numbers)
		return read_tree(v, token, e);
	if (token == JSON_ARRAY)
		return read_array(v, members[i].numbers, e);
	v8_add_number(members[i].numbers, v->json.value);
	return token;
}

static int read_document(struct v8 *v, struct error *e)
{
	enum json_token token = json_next(&v->json, e);

	while (token != JSON_ERROR && token != JSON_END) {
		token = json_next(&v->json, e);
		if (token != JSON_NAME)
			break;
		token = read_member(v, e);
	}
	if (token == JSON_ERROR)
		return -1;
	return v->json.cut ? build_note(v->b, NOTE_NO_END, SPAN(""), e) : 0;
}

/* Counting */

/* A profile without timed samples has self weights in its nodes. */
static int count_nodes(struct v8 *v, struct error *e)
{
	bool heap = v->tree.nr && json_find(v->tree.node[0].json, "selfSize");

	v->b->event = heap ? profile_event(v->b->p, SPAN("heap"), SPAN("bytes"))
			   : profile_event(v->b->p, SPAN("samples"), SPAN("samples"));
	for (uint32_t i = 0; i < v->tree.nr; i++) {
		int64_t self = v8_number(v->tree.node[i].json, heap ? "selfSize" : "hitCount");
		stack_id stack;

		if (self <= 0)
			continue;
		if (v8_tree_stack(&v->tree, i, &stack, e) ||
		    build_add(v->b, stack, self, heap ? 1 : (uint64_t)self, e))
			return -1;
	}
	return 0;
}

static int v8_read(struct build *b, struct error *e)
{
	struct v8 v = { .b = b, .tree = { .b = b } };
	int ret;

	json_init(&v.json, b->text);
	ret = read_document(&v, e);
	if (!ret && v8_samples_timed(&v.samples)) {
		b->event = profile_event(b->p, SPAN("time"), SPAN("us"));
		ret = v8_samples_count(&v.samples, &v.tree, e);
	} else if (!ret) {
		ret = count_nodes(&v, e);
	}
	json_release(&v.json);
	v8_tree_release(&v.tree);
	arena_release(&v.arena);
	v8_samples_release(&v.samples);
	return ret;
}

static bool v8_accepts(struct span head)
{
	return script_shows(head, "nodes", "callFrame") ||
	       script_shows(head, "head", "callFrame") ||
	       script_shows(head, "head", "functionName");
}

const struct reader reader_v8 = {
	.name = "v8",
	.title = "V8 profiles (.cpuprofile, .heapprofile)",
	.accepts = v8_accepts,
	.read = v8_read,
	.split = SPLIT_ANYWHERE,
	.timed = true,
};
