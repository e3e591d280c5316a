#include "read/build.h"

#include "base/alloc.h"

/* Fractions finer than this are rounded: a weight keeps nine digits before the point. */
enum { SCALE_MIN = -9 };

void build_grow(struct build *b)
{
	GROW(b->frame, b->nr, b->cap);
}

frame_id build_frame(struct build *b, enum frame_kind kind, struct span module, struct span name)
{
	struct line line = { .function = profile_string(b->p, name) };
	struct frame f = { .kind = kind, .line = &line, .nr_line = 1 };

	if (module.size)
		f.module = profile_module(b->p, module, SPAN(""));
	return profile_frame(b->p, &f);
}

frame_id build_name(struct build *b, struct span name)
{
	return build_frame(b, FRAME_USER, SPAN(""), name);
}

void build_push_name(struct build *b, struct span name)
{
	build_push(b, build_name(b, name));
}

static int check_rows(const struct build *b, struct error *e)
{
	if (b->p->nr_stack < PROFILE_MAX_ROWS && b->p->nr_count < PROFILE_MAX_ROWS)
		return 0;
	return error_set(e, ERROR_INPUT, "line %llu: more than %d distinct stacks",
			 (unsigned long long)b->text->line, PROFILE_MAX_ROWS);
}

static int end_at(struct build *b, stack_id stack, int64_t weight, uint64_t nr, struct error *e)
{
	struct tick t = { .event = b->event,
			  .thread = b->thread,
			  .labels = b->labels,
			  .stack = stack,
			  .weight = weight,
			  .time = b->time ? b->time : b->text->line };
	/* One tick carries the weight of them all. */
	struct count others = { .event = t.event,
				.thread = t.thread,
				.stack = t.stack,
				.labels = t.labels,
				.nr = nr - 1 };

	if (profile_add(b->p, &t) || (nr != 1 && profile_add_count(b->p, &others)))
		return build_note(b, NOTE_COUNT_TOO_LARGE, SPAN(""), e);
	return check_rows(b, e);
}

int build_end_many(struct build *b, enum path_order order, int64_t weight, uint64_t nr,
		   struct error *e)
{
	const frame_id *frame = b->frame;
	size_t depth = b->nr;

	if (depth > PROFILE_DEPTH_MAX) {
		if (build_note(b, NOTE_TOO_DEEP, SPAN(""), e))
			return -1;
		if (order == ROOT_FIRST)
			frame += depth - PROFILE_DEPTH_MAX;
		depth = PROFILE_DEPTH_MAX;
	}
	b->nr = 0;
	return end_at(b, profile_push_path(b->p, (stack_id){ 0 }, frame, depth, order), weight, nr,
		      e);
}

int build_end_at(struct build *b, stack_id stack, int64_t weight, struct error *e)
{
	return end_at(b, stack, weight, 1, e);
}

int build_end(struct build *b, enum path_order order, int64_t weight, struct error *e)
{
	return build_end_many(b, order, weight, 1, e);
}

int build_note(struct build *b, enum note_code code, struct span text, struct error *e)
{
	notes_add(&b->p->notes, code, 1, b->text->line, text);
	if (!b->o->strict)
		return 0;
	text = span_upto(text, 120);
	return error_set(e, ERROR_INPUT, "line %llu: %s: %.*s", (unsigned long long)b->text->line,
			 note_what(code), (int)text.size, text.at);
}

bool build_weight(struct build *b, struct span number, int64_t *weight)
{
	struct event *event = &b->p->event[b->event];
	size_t point = span_find(number, '.');
	struct span fraction = span_from(number, point + 1);
	uint64_t whole = 0;
	int64_t w;

	if (!span_u64(span_upto(number, point), &whole) || whole > INT64_MAX)
		return false;
	for (size_t i = 0; i < fraction.size; i++)
		if (!is_digit(fraction.at[i]))
			return false;
	while (fraction.size && fraction.at[fraction.size - 1] == '0')
		fraction.size--;
	fraction = span_upto(fraction, -SCALE_MIN);
	/* Where the finer scale would overflow what is there, the rest of the fraction goes. */
	if (-event->scale < (int)fraction.size &&
	    profile_rescale(b->p, b->event, -(int)fraction.size))
		notes_add(&b->p->notes, NOTE_FRACTION, 1, b->text->line, number);
	w = (int64_t)whole;
	for (int digit = 0; digit < -event->scale; digit++) {
		int d = digit < (int)fraction.size ? fraction.at[digit] - '0' : 0;

		if (__builtin_mul_overflow(w, 10, &w) || __builtin_add_overflow(w, d, &w))
			return false;
	}
	*weight = w;
	return true;
}
