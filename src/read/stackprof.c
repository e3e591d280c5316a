/*
 * stackprof, a sampling profiler for Ruby, as JSON:
 *
 *	{"version": 1.2, "mode": "cpu", "interval": 1000, "samples": 3, "gc_samples": 0, …,
 *	 "frames": {"140": {"name": "Object#work", "file": "/app/a.rb", "line": 3, …}, …},
 *	 "raw": [2, 120, 140, 3, …]}
 *
 * `raw` has, for each stack, the number of frames, the frames from the root, and the number of samples; it
 * exists only with `raw: true`, and without it there are no stacks.  It may precede the frames, so it is
 * stored until the end.
 */
#include "base/alloc.h"
#include "base/decimal.h"
#include "base/json_tree.h"
#include "read/json_walk.h"
#include "read/readers.h"
#include "read/script_function.h"

#include <stdlib.h>

struct stackprof {
	struct build *b;
	struct intern ids; /* of frames, as they are written */
	frame_id *frame;   /* by number of the id */
	size_t cap;
	uint32_t *raw; /* by element: the number of its text in `texts` */
	size_t nr_raw, cap_raw;
	struct intern texts;
	struct strbuf mode;
};

static struct span text_of(const struct json_node *n, const char *name)
{
	n = json_find(n, name);
	return n ? n->text : SPAN("");
}

static enum json_token frame_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct stackprof *s = arg;
	uint32_t known = s->ids.nr, id = intern(&s->ids, name);
	struct arena arena = { 0 };
	const struct json_node *n = json_tree_take(&arena, j, json_next(j, e), e);
	uint64_t line = 0;

	if (id == known) {
		GROW(s->frame, (size_t)id, s->cap);
		s->frame[id] = (frame_id){ 0 };
	}
	if (n) {
		span_u64(text_of(n, "line"), &line);
		s->frame[id] = script_frame(s->b, text_of(n, "name"), text_of(n, "file"),
					    line <= UINT32_MAX ? (uint32_t)line : 0);
	}
	arena_release(&arena);
	if (!n)
		return JSON_ERROR;
	return j->cut ? JSON_END : JSON_OBJECT_END;
}

static enum json_token raw_element(void *arg, struct json *j, enum json_token token,
				   struct error *e)
{
	struct stackprof *s = arg;

	GROW(s->raw, s->nr_raw, s->cap_raw);
	s->raw[s->nr_raw++] = intern(&s->texts, token == JSON_NUMBER ? j->value : SPAN(""));
	return json_skip(j, token, e);
}

static enum json_token top_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct stackprof *s = arg;

	if (span_is(name, "mode"))
		return json_string_of(j, &s->mode, e);
	if (span_is(name, "frames"))
		return json_object_of(j, frame_member, s, e);
	if (span_is(name, "raw"))
		return json_array_of(j, raw_element, s, e);
	return json_pass_over(j, e);
}

static bool raw_number(const struct stackprof *s, size_t i, uint64_t *number)
{
	return i < s->nr_raw && span_u64(intern_peek(&s->texts, s->raw[i]), number);
}

static int push_id(struct stackprof *s, struct span id, struct error *e)
{
	uint32_t at = intern_find(&s->ids, id, intern_hash(id));

	if (at != INTERN_NONE) {
		build_push(s->b, s->frame[at]);
		return 0;
	}
	build_push_name(s->b, SPAN("[unknown]"));
	return build_note(s->b, NOTE_BAD_REF, id, e);
}

static int count_stacks(struct stackprof *s, struct error *e)
{
	struct span mode = strbuf_peek(&s->mode);
	uint64_t nr, count;

	s->b->event = profile_event(s->b->p, mode.size ? mode : SPAN("samples"), SPAN("samples"));
	for (size_t i = 0; i < s->nr_raw;) {
		if (!raw_number(s, i++, &nr) || nr > s->nr_raw - i ||
		    !raw_number(s, i + (size_t)nr, &count) || count > INT64_MAX)
			return build_note(s->b, NOTE_BAD_RECORD, SPAN("raw"), e);
		for (; nr; nr--)
			if (push_id(s, intern_peek(&s->texts, s->raw[i++]), e))
				return -1;
		if (build_end_many(s->b, ROOT_FIRST, (int64_t)count, count, e))
			return -1;
		i++;
	}
	return 0;
}

static int stackprof_read(struct build *b, struct error *e)
{
	struct stackprof s = { .b = b };
	enum json_token token;
	struct json json;
	int ret;

	json_init(&json, b->text);
	token = json_object_of(&json, top_member, &s, e);
	ret = token == JSON_ERROR ? -1 : 0;
	if (!ret && json.cut)
		ret = build_note(b, NOTE_NO_END, SPAN(""), e);
	json_release(&json);
	if (!ret && !s.nr_raw) {
		error_set(e, ERROR_INPUT, "the stackprof file has no stacks");
		ret = error_hint(e, "record with raw: true (STACKPROF_RAW=1)");
	}
	if (!ret)
		ret = count_stacks(&s, e);
	intern_release(&s.ids);
	intern_release(&s.texts);
	free(s.frame);
	free(s.raw);
	strbuf_release(&s.mode);
	return ret;
}

static bool stackprof_accepts(struct span head)
{
	head = span_upto(head, 4096);
	return span_starts(span_trim_start(head), "{") && span_contains(head, "\"mode\"") &&
	       span_contains(head, "\"interval\"") && span_contains(head, "\"gc_samples\"");
}

const struct reader reader_stackprof = {
	.name = "stackprof",
	.title = "stackprof profiles (JSON)",
	.accepts = stackprof_accepts,
	.read = stackprof_read,
	.split = SPLIT_ANYWHERE,
};
