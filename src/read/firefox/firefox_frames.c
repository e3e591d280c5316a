/* Builds frames and stacks from the tables of a Firefox Profiler profile. */
#include "base/alloc.h"
#include "read/firefox/firefox.h"
#include "read/perf_script/script_frame.h"
#include "read/script_function.h"

#include <stdlib.h>

static uint32_t small(int64_t number)
{
	return number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

/* The library is an attribute of the frame in newer files, of its function or symbol in older ones. */
static struct firefox_lib *find_lib(const struct firefox_tables *t, int64_t frame, int64_t func)
{
	int64_t lib = firefox_at(t, CALL_LIB, frame);

	if (lib < 0)
		lib = firefox_at(t, RESOURCE_LIB, firefox_at(t, FUNC_RESOURCE, func));
	if (lib < 0)
		lib = firefox_at(t, SYMBOL_LIB, firefox_at(t, CALL_SYMBOL, frame));
	return firefox_lib(t, lib);
}

static struct span find_file(const struct firefox_tables *t, int64_t func)
{
	struct span file = firefox_string(t, firefox_at(t, FUNC_FILE, func));

	if (file.size)
		return file;
	return firefox_string(t, firefox_at(t, SOURCE_FILE, firefox_at(t, FUNC_SOURCE, func)));
}

/* The name of an unresolved function is its address. */
static bool is_address(struct span name, uint64_t *address)
{
	return span_starts(name, "0x") && span_hex(span_from(name, 2), address);
}

static frame_id named(const struct firefox_frames *f, const struct firefox_lib *lib, int64_t i,
		      struct span name)
{
	struct profile *p = f->b->p;
	struct span file = find_file(f->t, firefox_at(f->t, CALL_FUNC, i));
	struct line line = { .function = profile_string(p, name) };
	struct frame frame = { .line = &line, .nr_line = 1 };

	if (lib) {
		frame.kind = script_frame_kind(lib->path);
		frame.module = profile_module(p, lib->path, lib->build_id);
	}
	if (firefox_at(f->t, CALL_DEPTH, i) > 0)
		frame.flags |= FRAME_INLINED;
	if (build_wants_lines(f->b, firefox_at(f->t, CALL_LINE, i) > 0) && file.size) {
		line.file = profile_string(p, file);
		line.line = small(firefox_at(f->t, CALL_LINE, i));
	}
	return profile_frame(p, &frame);
}

static frame_id make_frame(const struct firefox_frames *f, int64_t i)
{
	const struct firefox_tables *t = f->t;
	int64_t func = firefox_at(t, CALL_FUNC, i), place = firefox_at(t, CALL_ADDRESS, i);
	int64_t category = firefox_at(t, CALL_CATEGORY, i);
	struct firefox_lib *lib = find_lib(t, i, func);
	struct span name = firefox_string(t, firefox_at(t, FUNC_NAME, func));
	uint64_t address;

	if (firefox_rows(t, CALL_LOCATION))
		return firefox_location(f->b, t,
					firefox_string(t, firefox_at(t, CALL_LOCATION, i)));
	if (is_address(name, &address)) {
		if (lib && place >= 0)
			address = (uint64_t)place;
		name = lib ? firefox_symbols_find(f->symbols, lib->code_id, address) : SPAN("");
		if (!name.size)
			return firefox_unresolved(f->b, lib, address, 0);
	}
	if (lib && lib->path.size)
		return named(f, lib, i, name);
	if (firefox_at(t, CALL_DEPTH, i) > 0)
		return named(f, NULL, i, name);
	if (category != FIREFOX_NONE && category == f->kernel)
		return build_frame(f->b, FRAME_KERNEL, SPAN(""), name);
	return script_frame(f->b, name, find_file(t, func), small(firefox_at(t, FUNC_LINE, func)));
}

static int find_frame(const struct firefox_frames *f, int64_t i, frame_id *frame, struct error *e)
{
	struct firefox_tables *t = f->t;

	if (i < 0 || (uint64_t)i >= t->nr_frame) {
		*frame = build_name(f->b, SPAN("[unknown]"));
		return build_note(f->b, NOTE_BAD_REF, SPAN(""), e);
	}
	if (!t->has_frame[i]) {
		t->frame[i] = make_frame(f, i);
		t->has_frame[i] = true;
	}
	*frame = t->frame[i];
	return 0;
}

/* Stacks */

static void make_room(struct firefox_tables *t)
{
	size_t calls = firefox_rows(t, CALL_FUNC), locations = firefox_rows(t, CALL_LOCATION);

	if (t->stack)
		return;
	t->nr_frame = calls > locations ? calls : locations;
	t->nr_stack = firefox_rows(t, STACK_FRAME);
	t->frame = xcalloc(t->nr_frame + 1, sizeof(*t->frame));
	t->has_frame = xcalloc(t->nr_frame + 1, sizeof(*t->has_frame));
	t->stack = xcalloc(t->nr_stack + 1, sizeof(*t->stack));
}

/* The row of the caller; FIREFOX_NONE: it has none. */
static int64_t caller_of(const struct firefox_tables *t, int64_t i)
{
	int64_t offset = firefox_at(t, STACK_PREFIX_OFFSET, i);

	if (offset == FIREFOX_NONE)
		return firefox_at(t, STACK_PREFIX, i);
	if (!offset)
		return FIREFOX_NONE;
	/* An invalid offset: returns the row itself, which is rejected as well. */
	return offset > 0 && offset <= i ? i - offset : i;
}

/* Builds the stack of a row whose caller already has one. */
static int push_stack(const struct firefox_frames *f, int64_t i, struct error *e)
{
	static const struct firefox_stack root = { 0 };
	struct firefox_tables *t = f->t;
	int64_t caller = caller_of(t, i);
	const struct firefox_stack *below = caller >= 0 && caller < i ? &t->stack[caller] : &root;
	frame_id frame;

	if (caller != FIREFOX_NONE && below == &root && build_note(f->b, NOTE_BAD_REF, SPAN(""), e))
		return -1;
	t->stack[i] = *below;
	if (below->depth >= PROFILE_DEPTH_MAX)
		return build_note(f->b, NOTE_TOO_DEEP, SPAN(""), e);
	if (find_frame(f, firefox_at(t, STACK_FRAME, i), &frame, e))
		return -1;
	t->stack[i].stack = profile_push(f->b->p, below->stack, frame);
	t->stack[i].depth++;
	return 0;
}

/* Builds stacks on demand: some are only used by markers.  A caller must have a lower row, so the loop ends. */
int firefox_stack(const struct firefox_frames *f, int64_t i, stack_id *stack, struct error *e)
{
	struct firefox_tables *t = f->t;

	*stack = (stack_id){ 0 };
	make_room(t);
	if (i < 0 || (uint64_t)i >= t->nr_stack || i > UINT32_MAX)
		return build_note(f->b, NOTE_BAD_REF, SPAN(""), e);
	t->nr_path = 0;
	for (int64_t at = i; !t->stack[at].depth;) {
		int64_t caller = caller_of(t, at);

		GROW(t->path, t->nr_path, t->cap_path);
		t->path[t->nr_path++] = (uint32_t)at;
		if (caller < 0 || caller >= at)
			break;
		at = caller;
	}
	while (t->nr_path)
		if (push_stack(f, t->path[--t->nr_path], e))
			return -1;
	*stack = t->stack[i].stack;
	return 0;
}
