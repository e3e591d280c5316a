#include "read/chrome/chrome_samples.h"

#include "base/alloc.h"
#include "read/json_walk.h"
#include "read/script_function.h"

#include <stdlib.h>

static uint32_t find_frame(struct chrome_samples *c, struct span id)
{
	uint32_t i = intern(&c->ids, id);

	if (i == c->nr_frame) {
		GROW(c->frame, c->nr_frame, c->cap_frame);
		c->frame[c->nr_frame++] = (struct chrome_frame){ .parent = INTERN_NONE };
	}
	return i;
}

int chrome_samples_add(struct chrome_samples *c, const struct chrome_sample_text *text,
		       uint32_t track, struct error *e)
{
	struct chrome_sample s = { .weight = { .value = 1 },
				   .nr = 1,
				   .key = { .frame = INTERN_NONE,
					    .name = profile_string(c->b->p, text->name),
					    .track = track } };
	struct span key = { .at = (const char *)&s.key, .size = sizeof(s.key) };
	int64_t whole;
	uint32_t i;

	if (text->weight.size && (!decimal_parse(text->weight, &s.weight) || s.weight.value < 0))
		return build_note(c->b, NOTE_BAD_COUNT, text->weight, e);
	if (!decimal_at(s.weight, 0, &whole))
		return build_note(c->b, NOTE_COUNT_TOO_LARGE, text->weight, e);
	if (text->frame.size)
		s.key.frame = find_frame(c, text->frame);
	i = c->b->o->ticks ? (uint32_t)c->nr : intern(&c->keys, key);
	if (i < c->nr) {
		c->sample[i].weight = decimal_add(c->sample[i].weight, s.weight);
		c->sample[i].nr++;
		return 0;
	}
	GROW(c->sample, c->nr, c->cap);
	c->sample[c->nr++] = s;
	return 0;
}

/* Frames */

struct reading {
	struct chrome_samples *c;
	struct strbuf name, parent;
};

/* Parents are numbers or strings. */
static enum json_token frame_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct reading *r = arg;
	struct strbuf *to = span_is(name, "name")     ? &r->name
			    : span_is(name, "parent") ? &r->parent
						      : NULL;
	enum json_token token = json_next(j, e);

	if (to && (token == JSON_STRING || token == JSON_NUMBER)) {
		strbuf_reset(to);
		strbuf_add(to, j->value);
	}
	return json_skip(j, token, e);
}

/* Removes ":12" from the end. */
static bool take_number(struct span *s, uint32_t *number)
{
	size_t colon = span_rfind(*s, ':');
	uint64_t n;

	if (colon == s->size || !span_u64(span_from(*s, colon + 1), &n) || n > UINT32_MAX)
		return false;
	*number = (uint32_t)n;
	*s = span_upto(*s, colon);
	return true;
}

/* Hermes appends file, line and column to the function: "f(/a/b.js:4:2)" */
static frame_id make_frame(struct build *b, struct span name)
{
	size_t paren = span_find(name, '(');
	struct span file = span_from(name, paren + 1);
	uint32_t line, column;

	if (!span_ends(file, ")"))
		return build_name(b, name);
	file.size--;
	if (!take_number(&file, &column) || !take_number(&file, &line))
		return build_name(b, name);
	return script_frame(b, span_upto(name, paren), file, line);
}

static enum json_token frames_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct reading *r = arg;
	struct chrome_samples *c = r->c;
	uint32_t i = find_frame(c, name), parent;
	enum json_token token;

	strbuf_reset(&r->name);
	strbuf_reset(&r->parent);
	token = json_object_of(j, frame_member, r, e);
	if (token == JSON_ERROR)
		return token;
	parent = r->parent.size ? find_frame(c, strbuf_peek(&r->parent)) : INTERN_NONE;
	c->frame[i].frame = make_frame(c->b, strbuf_peek(&r->name));
	c->frame[i].parent = parent;
	c->frame[i].defined = true;
	return token;
}

enum json_token chrome_samples_frames(struct chrome_samples *c, struct json *j, struct error *e)
{
	struct reading r = { .c = c };
	enum json_token token = json_object_of(j, frames_member, &r, e);

	strbuf_release(&r.name);
	strbuf_release(&r.parent);
	return token;
}

/* Stacks */

/* Builds the stack of a frame whose parent already has one. */
static int push_frame(struct chrome_samples *c, struct chrome_frame *f, struct error *e)
{
	static const struct chrome_frame none = { 0 };
	const struct chrome_frame *parent = f->parent == INTERN_NONE ? &none : &c->frame[f->parent];

	f->known = true;
	f->stack = parent->stack;
	f->depth = parent->depth;
	if (f->depth >= PROFILE_DEPTH_MAX)
		return build_note(c->b, NOTE_TOO_DEEP, SPAN(""), e);
	f->stack = profile_push(c->b->p, parent->stack, f->frame);
	f->depth++;
	return f->defined ? 0 : build_note(c->b, NOTE_BAD_REF, SPAN("stack frame"), e);
}

/* Collects the path from a frame up to one whose stack is known; a cycle is cut. */
static int climb(struct chrome_samples *c, uint32_t frame, struct error *e)
{
	c->nr_path = 0;
	for (;;) {
		struct chrome_frame *f = &c->frame[frame];

		GROW(c->path, c->nr_path, c->cap_path);
		c->path[c->nr_path++] = frame;
		f->climbed = true;
		frame = f->parent;
		if (frame == INTERN_NONE || c->frame[frame].known)
			return 0;
		if (c->frame[frame].climbed) {
			f->parent = INTERN_NONE;
			return build_note(c->b, NOTE_BAD_REF, SPAN("stack frame"), e);
		}
	}
}

/* A sample without a stack is one of an unknown function. */
static int find_stack(struct chrome_samples *c, uint32_t frame, stack_id *stack, struct error *e)
{
	if (frame == INTERN_NONE) {
		*stack = profile_push(c->b->p, (stack_id){ 0 }, (frame_id){ 0 });
		return 0;
	}
	if (!c->frame[frame].known) {
		if (climb(c, frame, e))
			return -1;
		while (c->nr_path)
			if (push_frame(c, &c->frame[c->path[--c->nr_path]], e))
				return -1;
	}
	*stack = c->frame[frame].stack;
	return 0;
}

int chrome_samples_count(struct chrome_samples *c, const struct slices *slices, struct error *e)
{
	struct build *b = c->b;

	for (size_t i = 0; i < c->nr; i++) {
		const struct chrome_sample *s = &c->sample[i];
		struct span name = profile_peek(b->p, s->key.name);
		int64_t weight;
		stack_id stack;

		b->event = name.size ? profile_event(b->p, name, SPAN(""))
				     : profile_event(b->p, SPAN("samples"), SPAN("samples"));
		b->thread = profile_thread(b->p, &slices->track[s->key.track].thread);
		if (!build_decimal(b, s->weight, &weight)) {
			if (build_note(b, NOTE_COUNT_TOO_LARGE, SPAN(""), e))
				return -1;
			continue;
		}
		if (find_stack(c, s->key.frame, &stack, e) || build_add(b, stack, weight, s->nr, e))
			return -1;
	}
	return 0;
}

void chrome_samples_release(struct chrome_samples *c)
{
	intern_release(&c->ids);
	intern_release(&c->keys);
	free(c->frame);
	free(c->sample);
	free(c->path);
}
