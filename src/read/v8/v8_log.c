/*
 * Logs of V8's own profiler (node --prof, isolate-0x…-v8.log), with comma-separated fields:
 *
 *	shared-library,/usr/bin/node,0x400000,0xb71000,0
 *	code-creation,JS,11,359998,0x7f7e6c005b80,336,inner /tmp/w.js:1:15,0xebfabd0a660,^
 *	code-move,0x7f7e6c005b80,0x7f7e6c105b80
 *	tick,0x7f7e6c005bc3,360512,0,0x0,0,0xebfabd0b31c,0xebfabd0a790
 *
 * A tick has the address of the code that ran, a time in µs, whether it is in a callback outside of V8,
 * the top of the stack or the address of that callback, the state of V8, and then the callers.  An
 * address that begins with a sign is relative to the previous one.
 */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "read/build.h"
#include "read/readers.h"
#include "read/script_function.h"
#include "read/v8/v8_codes.h"

#include <stdlib.h>

enum { LIBRARIES_MAX = 4096, STATE_GC = 1 };

struct library {
	uint64_t begin, end; /* begin: the address of offset 0 of the file, mapped or not */
	module_id module;
};

struct v8_log {
	struct build *b;
	struct v8_codes codes;
	struct library *library;
	size_t nr, cap;
	struct strbuf name;
};

/* Fields */

static struct span next_field(struct span *line)
{
	size_t comma = span_find(*line, ',');
	struct span field = span_upto(*line, comma);

	*line = span_from(*line, comma + 1);
	return field;
}

static bool next_number(struct span *line, uint64_t *number)
{
	struct span field = next_field(line);

	return span_starts(field, "0x") ? span_hex(span_from(field, 2), number)
					: span_u64(field, number);
}

/* \x2C is a comma, \\ a backslash; other escapes are unchanged. */
static struct span unescape(struct v8_log *l, struct span text)
{
	strbuf_reset(&l->name);
	while (text.size) {
		uint64_t c;

		if (span_starts(text, "\\x") && text.size >= 4 &&
		    span_hex(span_upto(span_from(text, 2), 2), &c)) {
			strbuf_addch(&l->name, (char)c);
			text = span_from(text, 4);
			continue;
		}
		if (span_starts(text, "\\\\"))
			text = span_from(text, 1);
		strbuf_addch(&l->name, text.at[0]);
		text = span_from(text, 1);
	}
	return strbuf_peek(&l->name);
}

/* Code */

/* "get x /my file.js:1:15": both names may contain blanks, but a file begins with a slash, or has a colon. */
static size_t find_file(struct span text)
{
	for (size_t at = span_find(text, ' '); at < text.size;) {
		struct span rest = span_from(text, at + 1);
		size_t word = span_find(rest, ' ');

		if (span_starts(rest, "/") || span_find(rest, ':') < word)
			return at;
		at += 1 + word;
	}
	return text.size;
}

static frame_id js_frame(struct v8_log *l, struct span text)
{
	size_t blank = find_file(text);
	struct span name = span_upto(text, blank), file = span_from(text, blank + 1);
	uint64_t number[2] = { 0 };

	/* The column, then the line. */
	for (size_t i = 0; i < ARRAY_SIZE(number); i++) {
		const char *colon = file.size ? memrchr(file.at, ':', file.size) : NULL;
		size_t at = colon ? (size_t)(colon - file.at) : file.size;

		if (!colon || !span_u64(span_from(file, at + 1), &number[i]))
			break;
		file = span_upto(file, at);
	}
	return script_frame(l->b, name, file, number[1] <= UINT32_MAX ? (uint32_t)number[1] : 0);
}

/* type,kind,time,address,size,name[,function,tier] */
static bool add_code(struct v8_log *l, struct span line)
{
	struct span type = next_field(&line), name;
	struct v8_code code = { 0 };

	next_field(&line);
	next_field(&line);
	if (!next_number(&line, &code.begin) || !next_number(&line, &code.size))
		return false;
	name = unescape(l, next_field(&line));
	/* Only code compiled from a script has a function. */
	code.is_js = line.size > 0;
	code.frame = code.is_js ? js_frame(l, name) : build_name(l->b, name.size ? name : type);
	v8_codes_add(&l->codes, code);
	return true;
}

static bool move_code(struct v8_log *l, struct span line)
{
	const struct v8_code *found;
	struct v8_code code;
	uint64_t from, to;

	if (!next_number(&line, &from) || !next_number(&line, &to))
		return false;
	found = v8_codes_find(&l->codes, from);
	if (!found || found->begin != from)
		return true;
	code = *found;
	v8_codes_remove(&l->codes, &code);
	code.begin = to;
	v8_codes_add(&l->codes, code);
	return true;
}

static bool delete_code(struct v8_log *l, struct span line)
{
	const struct v8_code *found;
	uint64_t at;

	if (!next_number(&line, &at))
		return false;
	found = v8_codes_find(&l->codes, at);
	if (found && found->begin == at)
		v8_codes_remove(&l->codes, &(struct v8_code){ .begin = at, .size = found->size });
	return true;
}

static bool add_library(struct v8_log *l, struct span line)
{
	struct span path = unescape(l, next_field(&line));
	struct library library;

	if (!next_number(&line, &library.begin) || !next_number(&line, &library.end))
		return false;
	if (l->nr == LIBRARIES_MAX)
		return true;
	library.module = profile_module(l->b->p, path, SPAN(""));
	GROW(l->library, l->nr, l->cap);
	l->library[l->nr++] = library;
	return true;
}

/* Ticks */

static bool push_address(struct v8_log *l, uint64_t address)
{
	const struct v8_code *code = v8_codes_find(&l->codes, address);
	struct frame f = { .kind = FRAME_USER, .flags = FRAME_IN_MODULE };

	if (code) {
		build_push(l->b, code->frame);
		return true;
	}
	for (size_t i = 0; i < l->nr; i++)
		if (address >= l->library[i].begin && address < l->library[i].end) {
			f.module = l->library[i].module;
			f.address = address - l->library[i].begin;
			build_push(l->b, profile_frame(l->b->p, &f));
			return true;
		}
	return false;
}

static void push_callers(struct v8_log *l, uint64_t address, struct span line)
{
	while (line.size) {
		struct span field = next_field(&line);
		bool is_relative = span_starts(field, "+") || span_starts(field, "-");
		struct span digits = is_relative ? span_from(field, 1) : field;
		uint64_t number;

		/* "overflow": V8 has truncated the stack. */
		if (!span_starts(digits, "0x") || !span_hex(span_from(digits, 2), &number))
			continue;
		if (!is_relative)
			number -= address;
		address += span_starts(field, "-") ? 0 - number : number;
		push_address(l, address);
	}
}

static int add_tick(struct v8_log *l, struct span line, struct error *e)
{
	uint64_t pc, time, is_callback, top, state;
	const struct v8_code *code;

	if (!next_number(&line, &pc) || !next_number(&line, &time) ||
	    !next_number(&line, &is_callback) || !next_number(&line, &top) ||
	    !next_number(&line, &state))
		return 1;
	if (is_callback)
		pc = top;
	if (state == STATE_GC)
		build_push_name(l->b, SPAN("(garbage collector)"));
	if (!push_address(l, pc))
		build_push_name(l->b, SPAN("[unknown]"));
	/* If the code has no stack frame, the top of the stack is a return address in its caller. */
	code = is_callback ? NULL : v8_codes_find(&l->codes, top);
	if (code && code->is_js)
		build_push(l->b, code->frame);
	push_callers(l, pc, line);
	l->b->time = time < UINT64_MAX / 1000 ? time * 1000 : 0;
	return build_end(l->b, LEAF_FIRST, 1, e);
}

static int log_line(struct v8_log *l, struct span line, struct error *e)
{
	static const struct {
		const char *name;
		bool (*read)(struct v8_log *l, struct span line);
	} kinds[] = {
		{ "code-creation", add_code },
		{ "code-move", move_code },
		{ "code-delete", delete_code },
		{ "shared-library", add_library },
	};
	struct span rest = line, name = next_field(&rest);
	int ret = 0;

	if (span_is(name, "tick"))
		ret = add_tick(l, rest, e);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (span_is(name, kinds[i].name))
			ret = !kinds[i].read(l, rest);
	return ret > 0 ? build_note(l->b, NOTE_BAD_LINE, line, e) : ret;
}

static int v8_log_read(struct build *b, struct error *e)
{
	struct v8_log l = { .b = b };
	struct span line;
	int ret = 0;

	b->event = profile_event(b->p, SPAN("samples"), SPAN("samples"));
	while (!ret && text_line(b->text, &line))
		ret = log_line(&l, line, e);
	v8_codes_release(&l.codes);
	free(l.library);
	strbuf_release(&l.name);
	return ret;
}

static bool v8_log_accepts(struct span head)
{
	return span_starts(head, "v8-version,");
}

const struct reader reader_v8_log = {
	.name = "v8-log",
	.title = "logs of node --prof",
	.accepts = v8_log_accepts,
	.read = v8_log_read,
	.timed = true,
};
