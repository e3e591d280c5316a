/*
 * Maps of stacks that bpftrace printed:
 *
 *     @[
 *         tcp_recvmsg+808
 *         sys_read+85
 *     , prog]: 3
 *
 * Other keys of the map, before the stack (`@[prog, `) or after it, become frames at
 * the root.  Each map is an event; there can be only one without a name.  In
 * bpftrace's perf mode, frames look as in perf script.  If a key has two stacks,
 * they are joined: the kernel stack on top of the user stack, whichever comes first.
 */
#include "base/alloc.h"
#include "read/perf_script/script_frame.h"
#include "read/readers.h"
#include "read/text/listing.h"

struct map {
	bool open;
	struct strbuf keys; /* the keys before the stack, as written */
	size_t second;	    /* how many frames precede the second stack; 0: there is only one */
};

/* "prog, 12, ": a stack follows. */
static bool is_before_stack(struct span rest)
{
	return span_ends(span_trim_end(rest), ",");
}

/* ", prog]: 3": the keys and the value.  False: the stack continues. */
static bool parse_close(struct span line, struct span *keys, struct span *value)
{
	size_t bracket = span_rfind_text(line, "]:");

	*keys = span_upto(line, bracket);
	*value = span_from(line, bracket + 2);
	return bracket < line.size && (!value->size || is_blank(value->at[0]));
}

/* ", , prog" → "prog": each further comma follows an empty stack. */
static struct span trim_keys(struct span keys)
{
	while (span_starts(keys, ",")) {
		keys = span_from(keys, 1);
		if (keys.size && is_blank(keys.at[0]))
			keys = span_from(keys, 1);
	}
	while (is_before_stack(keys))
		keys = span_upto(keys, span_rfind(keys, ','));
	return keys;
}

/* "]: 3" and "prog, ]: 3": the stack is empty. */
static bool is_empty_stack(struct span rest)
{
	struct span keys, value;

	return parse_close(rest, &keys, &value) && (!keys.size || is_before_stack(keys));
}

/* `@[` or `@reads[`: its name, and the rest after the bracket. */
static bool parse_map(struct span line, struct span *name, struct span *rest)
{
	size_t bracket = span_find(line, '[');

	if (!span_starts(line, "@") || bracket == line.size)
		return false;
	*name = span_from(span_upto(line, bracket), 1);
	*rest = span_from(line, bracket + 1);
	for (size_t i = 0; i < name->size; i++)
		if (!is_word(name->at[i]))
			return false;
	return !rest->size || span_starts(*rest, ", ") || is_before_stack(*rest) ||
	       is_empty_stack(*rest);
}

static bool is_kernel_root(const struct profile *p, frame_id frame)
{
	static const char *const beginnings[] = { "entry_", "ret_from_", "asm_", "el0" };
	const struct frame *f = &p->frame[frame.i];
	struct span name = f->nr_line ? profile_peek(p, f->line[0].function) : SPAN("");

	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (span_starts(name, beginnings[i]))
			return true;
	return false;
}

/* Puts the kernel stack before the user stack, as in a single call chain. */
static void order_stacks(struct build *b, size_t second)
{
	if (!second || b->nr > PROFILE_DEPTH_MAX || second >= b->nr ||
	    !is_kernel_root(b->p, b->frame[b->nr - 1]) ||
	    is_kernel_root(b->p, b->frame[second - 1]))
		return;
	for (size_t i = 0; i < second; i++)
		build_push(b, b->frame[i]);
	b->nr -= second;
	memmove(b->frame, b->frame + second, b->nr * sizeof(*b->frame));
}

static int close_map(struct listing *l, struct span keys, struct span value, struct error *e)
{
	struct span number = span_trim_start(value);
	struct map *map = l->state;

	keys = trim_keys(keys);
	order_stacks(l->b, map->second);
	map->second = 0;
	if (keys.size)
		listing_push_label(l, keys);
	if (map->keys.size)
		listing_push_label(l, strbuf_peek(&map->keys));
	strbuf_reset(&map->keys);
	map->open = false;
	/* A histogram has no number: it is on the following lines. */
	if (span_digits(number).size)
		number = span_digits(number);
	return listing_count(l, number, e);
}

static int open_map(struct listing *l, struct span line, struct error *e)
{
	struct span name, rest, keys, value;
	struct map *map = l->state;

	if (!parse_map(line, &name, &rest))
		return 0;
	/* count() and sum() print the same, so the unit is unknown. */
	l->b->event = profile_event(l->b->p, name.size ? name : SPAN("samples"), SPAN(""));
	if (rest.size && parse_close(rest, &keys, &value))
		return close_map(l, keys, value, e);
	strbuf_reset(&map->keys);
	if (is_before_stack(rest))
		strbuf_add(&map->keys, trim_keys(rest));
	map->open = true;
	map->second = 0;
	return 0;
}

static struct span without_offset(struct span name)
{
	size_t plus = span_rfind(name, '+');
	struct span offset = span_from(name, plus + 1);

	return offset.size && span_digits(offset).size == offset.size ? span_upto(name, plus)
								      : name;
}

static int bpftrace_line(struct listing *l, struct span line, struct error *e)
{
	struct map *map = l->state;
	struct span keys, value;
	struct script_frame f;

	if (!map->open)
		return open_map(l, line, e);
	if (parse_close(line, &keys, &value))
		return close_map(l, keys, value, e);
	/* "	55e679 inner+22 (/usr/bin/prog)" */
	if (script_frame_parse(line, &f) && f.dso.size)
		line = f.symbol;
	line = span_trim_start(line);
	/* A line with only a comma separates the kernel stack and the user stack of a sample. */
	if (span_starts(line, ",") && l->b->o->stack_commas)
		listing_push_label(l, line);
	else if (span_is(span_trim_end(line), ","))
		map->second = l->b->nr;
	else if (line.size)
		listing_push(l, l->b->o->offsets ? line : without_offset(line));
	return 0;
}

static int bpftrace_read(struct build *b, struct error *e)
{
	struct map map = { .open = false };
	int ret = listing_read(&(struct listing){ .b = b,
						  .line = bpftrace_line,
						  .end = listing_cut_short,
						  .own_events = true,
						  .state = &map },
			       e);

	strbuf_release(&map.keys);
	return ret;
}

static bool bpftrace_accepts(struct span head)
{
	struct span name, rest;

	while (head.size)
		if (parse_map(span_line(&head), &name, &rest))
			return true;
	return false;
}

const struct reader reader_bpftrace = {
	.name = "bpftrace",
	.title = "bpftrace stack maps",
	.accepts = bpftrace_accepts,
	.read = bpftrace_read,
};
