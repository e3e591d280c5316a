#include "read/build.h"

#include "base/alloc.h"

/*
 * A stack that never ends must not fill the memory.  Which end is the leaf is known
 * only in build_end(), so frames are dropped from the middle.
 */
void build_grow(struct build *b)
{
	if (b->nr >= 4 * (size_t)PROFILE_DEPTH_MAX) {
		memcpy(b->frame + PROFILE_DEPTH_MAX, b->frame + b->nr - PROFILE_DEPTH_MAX,
		       PROFILE_DEPTH_MAX * sizeof(*b->frame));
		b->nr = 2 * (size_t)PROFILE_DEPTH_MAX;
		return;
	}
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

/* Adds nr samples that weigh weight together. */
static int add_samples(struct build *b, stack_id stack, int64_t weight, uint64_t nr)
{
	struct tick t = { .event = b->event,
			  .thread = b->thread,
			  .stack = stack,
			  .labels = b->labels,
			  .weight = weight,
			  .time = b->time ? b->time : b->text->line };

	if (b->time)
		b->p->timed = true;
	else
		b->p->event[b->event].untimed = true;
	/* Only ticks with times were requested: this sample has only a line number. */
	if (b->o->times && !b->o->ticks && !b->time) {
		struct count c = { .event = t.event,
				   .thread = t.thread,
				   .stack = stack,
				   .labels = t.labels,
				   .weight = weight,
				   .nr = nr };

		return profile_add_count(b->p, &c);
	}
	return profile_add_many(b->p, &t, nr);
}

void build_fetch_count(const struct build *b, uint32_t event, stack_id stack)
{
	profile_fetch_count(b->p, &(struct count){ .event = event,
						   .thread = b->thread,
						   .stack = stack,
						   .labels = b->labels });
}

int build_add(struct build *b, stack_id stack, int64_t weight, uint64_t nr, struct error *e)
{
	if (add_samples(b, stack, weight, nr))
		return build_note(b, NOTE_COUNT_TOO_LARGE, SPAN(""), e);
	return check_rows(b, e);
}

int build_add_at(struct build *b, stack_id stack, int64_t weight, uint64_t nr, uint64_t time,
		 struct error *e)
{
	struct tick t = { .time = time,
			  .event = b->event,
			  .thread = b->thread,
			  .stack = stack,
			  .labels = b->labels,
			  .weight = weight };

	b->p->timed = true;
	if (profile_add_many(b->p, &t, nr))
		return build_note(b, NOTE_COUNT_TOO_LARGE, SPAN(""), e);
	return check_rows(b, e);
}

int build_replace(struct build *b, stack_id stack, int64_t weight, uint64_t nr, struct error *e)
{
	struct count c = {
		.event = b->event, .thread = b->thread, .stack = stack, .labels = b->labels
	};
	const struct count *before = profile_find_count(b->p, &c);

	if (before) {
		weight -= before->weight;
		nr -= before->nr;
	}
	return build_add(b, stack, weight, nr, e);
}

int build_end_at(struct build *b, stack_id stack, int64_t weight, struct error *e)
{
	return build_add(b, stack, weight, 1, e);
}

void build_measure(struct build *b, enum weight_source source, enum extent extent)
{
	b->p->event[b->event].source = source;
	b->p->event[b->event].extent = extent;
}

void build_extent(struct build *b, stack_id stack, uint64_t begin, uint64_t end, int64_t weight)
{
	profile_add_extent(b->p, &(struct interval){ .begin = begin,
						     .end = end > begin ? end : begin,
						     .weight = weight,
						     .event = (uint16_t)b->event,
						     .thread = b->thread,
						     .stack = stack,
						     .labels = b->labels,
						     .link = b->link,
						     .nr = 1 });
}

int build_stack(struct build *b, enum path_order order, stack_id *stack, struct error *e)
{
	const frame_id *frame = b->frame;
	size_t depth = b->nr;

	b->nr = 0;
	if (depth > PROFILE_DEPTH_MAX) {
		if (build_note(b, NOTE_TOO_DEEP, SPAN(""), e))
			return -1;
		if (order == ROOT_FIRST)
			frame += depth - PROFILE_DEPTH_MAX;
		depth = PROFILE_DEPTH_MAX;
	}
	*stack = profile_push_path(b->p, (stack_id){ 0 }, frame, depth, order);
	return check_rows(b, e);
}

int build_end_many(struct build *b, enum path_order order, int64_t weight, uint64_t nr,
		   struct error *e)
{
	stack_id stack;

	return build_stack(b, order, &stack, e) ? -1 : build_add(b, stack, weight, nr, e);
}

int build_end(struct build *b, enum path_order order, int64_t weight, struct error *e)
{
	return build_end_many(b, order, weight, 1, e);
}

int build_note_at(struct build *b, uint64_t line, enum note_code code, struct span text,
		  struct error *e)
{
	notes_add(&b->p->notes, code, 1, line, text);
	if (!b->o->strict)
		return 0;
	text = span_upto(text, 120);
	error_set(e, ERROR_INPUT, "%s%s%.*s", note_what(code, 1), text.size ? ": " : "",
		  (int)text.size, text.at);
	return line ? error_within(e, "line %llu", (unsigned long long)line) : -1;
}

int build_note(struct build *b, enum note_code code, struct span text, struct error *e)
{
	return build_note_at(b, b->text->line, code, text, e);
}

bool build_weight(struct build *b, struct span number, int64_t *weight)
{
	struct event *event = &b->p->event[b->event];
	size_t point = span_find(number, '.');
	struct span fraction = span_from(number, point + 1);
	uint64_t whole = 0;
	bool round_up;
	int64_t w;

	if (!span_u64(span_upto(number, point), &whole) || whole > INT64_MAX)
		return false;
	for (size_t i = 0; i < fraction.size; i++)
		if (!is_digit(fraction.at[i]))
			return false;
	while (fraction.size && fraction.at[fraction.size - 1] == '0')
		fraction.size--;
	round_up = fraction.size > -PROFILE_SCALE_MIN && fraction.at[-PROFILE_SCALE_MIN] >= '5';
	fraction = span_upto(fraction, -PROFILE_SCALE_MIN);
	/* If the weights so far would overflow at the finer scale, the fraction is truncated. */
	if (-event->scale < (int)fraction.size &&
	    profile_rescale(b->p, b->event, -(int)fraction.size))
		notes_add(&b->p->notes, NOTE_FRACTION, 1, b->text->line, number);
	w = (int64_t)whole;
	for (int digit = 0; digit < -event->scale; digit++) {
		int d = digit < (int)fraction.size ? fraction.at[digit] - '0' : 0;

		if (__builtin_mul_overflow(w, 10, &w) || __builtin_add_overflow(w, d, &w))
			return false;
	}
	if (round_up && event->scale == PROFILE_SCALE_MIN && __builtin_add_overflow(w, 1, &w))
		return false;
	*weight = w;
	return true;
}

bool build_decimal(struct build *b, struct decimal d, int64_t *weight)
{
	const struct event *event = &b->p->event[b->event];

	while (d.digits > 0 && d.value % 10 == 0) {
		d.value /= 10;
		d.digits--;
	}
	if (d.digits > -PROFILE_SCALE_MIN)
		return false;
	/* If the weights so far would overflow at the finer scale, the fraction is truncated. */
	if (-event->scale < d.digits && profile_rescale(b->p, b->event, -d.digits))
		notes_add(&b->p->notes, NOTE_FRACTION, 1, b->text->line, SPAN(""));
	return decimal_at(d, -event->scale, weight);
}
