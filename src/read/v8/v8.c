/*
 * V8 profiles, which Node (--cpu-prof, --heap-prof), Chrome, Deno and editors
 * write: .cpuprofile and .heapprofile, JSON with
 *
 *	"nodes": [{"id": 1, "callFrame": {"functionName": "f", "url": "a.js", …}, "children": [2]}],
 *	"samples": [2, 2, 1], "timeDeltas": [100, 1250, 1250], "startTime": …, "endTime": …
 *
 * in the first, and one tree of nodes, "head", in the second.  Times follow all samples, so both are
 * read in a second pass, side by side, once the nodes are known.
 */
#include "read/v8/v8.h"
#include "base/json_tree.h"
#include "read/json_walk.h"
#include "read/readers.h"
#include "read/script_function.h"
#include "read/whole_input.h"

struct v8 {
	struct build *b;
	struct whole whole;
	struct v8_tree tree;
	struct json_place samples, deltas, stamps;
	int64_t begin, end;
	bool has_end;
	bool measured;	/* "source": "measured", as wick writes it */
	bool is_inside; /* the profile is inside another object */
};

/* Reading */

static enum json_token add_node(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct v8 *v = arg;
	struct arena arena = { 0 };
	const struct json_node *n = json_tree_take(&arena, j, token, e);

	if (n)
		v8_tree_add(&v->tree, n);
	arena_release(&arena);
	return n ? token : JSON_ERROR;
}

static enum json_token read_nodes(struct v8 *v, struct json *j, struct error *e)
{
	enum json_token token = json_array_of(j, add_node, v, e);

	return token != JSON_ERROR && v8_tree_link(&v->tree, e) ? JSON_ERROR : token;
}

static enum json_token read_head(struct v8 *v, struct json *j, struct error *e)
{
	struct arena arena = { 0 };
	enum json_token token = json_next(j, e);
	const struct json_node *n;

	if (token != JSON_OBJECT)
		return json_skip(j, token, e);
	n = json_tree_take(&arena, j, token, e);
	if (n)
		v8_tree_nested(&v->tree, n);
	arena_release(&arena);
	return n ? token : JSON_ERROR;
}

static enum json_token read_time(struct json *j, int64_t *time, bool *known, struct error *e)
{
	enum json_token token = json_next(j, e);

	*known = token == JSON_NUMBER && v8_number(j->value, time);
	return json_skip(j, token, e);
}

static enum json_token member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct v8 *v = arg;
	bool ignored;

	/* {"cpuprofile": {…}}: DevTools may put the profile inside another object. */
	if (!v->is_inside && (span_is(name, "cpuprofile") || span_is(name, "profile"))) {
		v->is_inside = true;
		return json_object_of(j, member, v, e);
	}
	if (span_is(name, "nodes"))
		return read_nodes(v, j, e);
	if (span_is(name, "head"))
		return read_head(v, j, e);
	if (span_is(name, "samples"))
		return json_place_of(j, &v->samples, e);
	if (span_is(name, "timeDeltas"))
		return json_place_of(j, &v->deltas, e);
	if (span_is(name, "timestamps"))
		return json_place_of(j, &v->stamps, e);
	if (span_is(name, "source")) {
		enum json_token token = json_next(j, e);

		v->measured = token == JSON_STRING && span_is(j->value, "measured");
		return json_skip(j, token, e);
	}
	if (span_is(name, "startTime"))
		return read_time(j, &v->begin, &ignored, e);
	if (span_is(name, "endTime"))
		return read_time(j, &v->end, &v->has_end, e);
	return json_pass_over(j, e);
}

/* Counting */

/* The next number; 1: there is none. */
static int next_number(struct v8 *v, struct json_again *list, int64_t *value, struct error *e)
{
	for (;;) {
		enum json_token token = json_again_number(list);

		if (token == JSON_ARRAY_END)
			return 1;
		/* Samples of a heap profile are objects: the tree has the same sums. */
		if (token != JSON_NUMBER)
			continue;
		if (v8_number(list->json.value, value))
			return 0;
		if (build_note(v->b, NOTE_BAD_COUNT, list->json.value, e))
			return -1;
	}
}

/* The time of the next sample; 1: unknown. */
static int next_stamp(struct v8 *v, struct json_again *times, int64_t *now, struct error *e)
{
	int64_t time;
	int ret = next_number(v, times, &time, e);

	if (!ret)
		*now = v->stamps.at ? time : v8_later(*now, time);
	return ret;
}

/* 1: there are no samples with times. */
static int count_samples(struct v8 *v, struct error *e)
{
	const char *end = v->whole.all.at + v->whole.all.size;
	struct v8_last last = { .tree = &v->tree };
	int64_t now = v->begin, id;
	struct json_again samples, times;
	struct text *before = v->b->text;
	bool some = false;
	int ret;

	json_again_open(&samples, v->whole.source, v->samples, end);
	json_again_open(&times, v->whole.source, v->stamps.at ? v->stamps : v->deltas, end);
	v->b->text = &samples.text;
	while (!(ret = next_number(v, &samples, &id, e)) &&
	       !(ret = next_stamp(v, &times, &now, e))) {
		if (!some) {
			v->b->event = profile_event(v->b->p, SPAN("time"), SPAN("us"));
			if (v->measured)
				build_measure(v->b, SOURCE_MEASURED, EXTENT_SHARE);
			some = true;
		}
		ret = v8_sample(&last, id, now, e);
		if (ret)
			break;
	}
	if (ret > 0 && some) {
		ret = next_stamp(v, &times, &now, e);
		if (ret > 0 && v->has_end)
			now = v->end;
		if (ret >= 0)
			ret = v8_samples_end(&last, now, e);
	}
	v->b->text = before;
	json_again_close(&times);
	json_again_close(&samples);
	return ret;
}

/* A profile without timed samples has self weights in its nodes. */
static int count_nodes(struct v8 *v, struct error *e)
{
	bool heap = v->tree.is_heap;

	v->b->event = heap ? profile_event(v->b->p, SPAN("heap"), SPAN("bytes"))
			   : profile_event(v->b->p, SPAN("samples"), SPAN("samples"));
	for (uint32_t i = 0; i < v->tree.nr; i++) {
		int64_t self = heap ? v->tree.node[i].size : v->tree.node[i].hits;
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
	int ret = whole_open(&v.whole, b, e);

	if (!ret)
		ret = whole_json(&v.whole, b, member, &v, e);
	if (!ret)
		ret = count_samples(&v, e);
	if (ret > 0)
		ret = count_nodes(&v, e);
	v8_tree_release(&v.tree);
	return ret;
}

static bool v8_accepts(struct span head)
{
	return script_shows(head, "cpuprofile", "nodes") ||
	       script_shows(head, "profile", "nodes") || script_shows(head, "nodes", "callFrame") ||
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
