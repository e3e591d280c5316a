/*
 * JDK Flight Recorder files, as the JDK and async-profiler write them: a sequence of self-contained chunks.
 *
 * The header of a chunk (big-endian) has the offsets of its metadata and of its last checkpoint.  The
 * metadata describes classes: types of events and of their fields, which are basic types, other classes,
 * or keys of constants.  Checkpoints contain the constants: stack traces, methods, classes, symbols,
 * threads; each links to the previous one.  Everything else is events: size, type, and the fields of
 * their class.
 *
 * Sizes and numbers are varints, whose ninth byte has eight bits.
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/intern.h"
#include "profile/spelling.h"
#include "read/java/jfr_event.h"
#include "read/readers.h"
#include "read/whole_input.h"

#include <stdlib.h>

enum {
	HEADER_SIZE = 68,
	TYPE_METADATA = 0,
	TYPE_CHECKPOINT = 1,
	FEATURE_COMPRESSED = 1, /* numbers are varints, not big-endian */
	DEPTH_MAX = 16,		/* of classes in classes, and of elements in the metadata */
	CHECKPOINTS_MAX = 1000 * 1000,
};

#define NO_ROW INTERN_NONE

enum basic {
	A_CLASS,
	A_BOOLEAN,
	A_BYTE,
	A_SHORT,
	A_CHAR,
	AN_INT,
	A_LONG,
	A_FLOAT,
	A_DOUBLE,
	A_STRING
};

static const char *const basic_names[] = {
	[A_BOOLEAN] = "boolean", [A_BYTE] = "byte",	[A_SHORT] = "short",
	[A_CHAR] = "char",	 [AN_INT] = "int",	[A_LONG] = "long",
	[A_FLOAT] = "float",	 [A_DOUBLE] = "double", [A_STRING] = "java.lang.String",
};

/* What a field of an event is used for. */
enum role { ROLE_NONE, ROLE_BEGIN, ROLE_DURATION, ROLE_WEIGHT, ROLE_THREAD, ROLE_STACK };

struct jfr_field {
	struct span name;
	uint64_t type;	/* id of its class */
	uint32_t class; /* number of that class, once all are known */
	bool is_key, is_array;
	enum role role;
};

struct jfr_class {
	struct span name;
	enum basic basic;
	struct jfr_field *field;
	size_t nr, cap;
	bool has_stack;
};

struct jfr_chunk {
	struct build *b;
	struct span bytes; /* the whole chunk */
	uint64_t constants, metadata, begin, begin_ticks, frequency;
	bool is_compressed;
	uint64_t work; /* limit of fields still to read: crafted classes could expand without end */
	/* The metadata */
	struct strbuf *text;
	size_t nr_text;
	struct jfr_class *class;
	struct intern ids; /* id of a class → its number */
	size_t cap_class;
	/* Constants */
	struct intern keys; /* class and key → index in `constant` */
	const unsigned char **constant;
	uint32_t *made; /* 1 + the stack, thread or string that was made of it; 0: none yet */
	size_t cap_constant, cap_made;
	struct jfr_event event;
	struct strbuf string, other;
};

/* Numbers */

static uint64_t take_varint(struct bytes *in)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 56; shift += 7) {
		uint8_t byte = bytes_u8(in);

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	return value | (uint64_t)bytes_u8(in) << 56;
}

static uint64_t take_fixed(struct bytes *in, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value = value << 8 | bytes_u8(in);
	return value;
}

static uint64_t take_number(const struct jfr_chunk *c, struct bytes *in, enum basic basic)
{
	static const unsigned sizes[] = {
		[A_BOOLEAN] = 1, [A_BYTE] = 1, [A_SHORT] = 2, [A_CHAR] = 2,
		[AN_INT] = 4,	 [A_LONG] = 8, [A_FLOAT] = 4, [A_DOUBLE] = 8
	};
	bool packed = c->is_compressed && basic >= A_SHORT && basic <= A_LONG;

	return packed ? take_varint(in) : take_fixed(in, sizes[basic]);
}

/* Strings */

enum { STRING_NULL, STRING_EMPTY, STRING_KEY, STRING_UTF8, STRING_CHARS, STRING_LATIN1 };

static void add_char(struct strbuf *to, uint32_t c)
{
	if (c < 0x80) {
		strbuf_addch(to, (char)c);
	} else if (c < 0x800) {
		strbuf_addch(to, (char)(0xc0 | c >> 6));
		strbuf_addch(to, (char)(0x80 | (c & 0x3f)));
	} else {
		strbuf_addch(to, (char)(0xe0 | c >> 12));
		strbuf_addch(to, (char)(0x80 | (c >> 6 & 0x3f)));
		strbuf_addch(to, (char)(0x80 | (c & 0x3f)));
	}
}

/* Sets *to; if the string is a constant, sets *key, unless that is NULL. */
static void take_string(struct jfr_chunk *c, struct bytes *in, struct strbuf *to, uint64_t *key)
{
	uint8_t encoding = bytes_u8(in);
	uint64_t size;
	struct span s;

	strbuf_reset(to);
	strbuf_add(to, SPAN(""));
	switch (encoding) {
	case STRING_NULL:
	case STRING_EMPTY:
		return;
	case STRING_KEY:
		size = take_varint(in);
		if (key)
			*key = size;
		return;
	case STRING_UTF8:
		strbuf_add(to, bytes_take(in, take_varint(in)));
		return;
	case STRING_CHARS:
		for (size = take_varint(in); size && !in->failed; size--)
			add_char(to, (uint32_t)take_number(c, in, A_CHAR) & 0xffff);
		return;
	case STRING_LATIN1:
		s = bytes_take(in, take_varint(in));
		for (size_t i = 0; i < s.size; i++)
			add_char(to, (unsigned char)s.at[i]);
		return;
	default:
		bytes_fail(in);
	}
}

/* Skipping values */

static void skip_value(struct jfr_chunk *c, struct bytes *in, uint32_t class, unsigned depth);

static void skip_field(struct jfr_chunk *c, struct bytes *in, const struct jfr_field *f,
		       unsigned depth)
{
	uint64_t nr = f->is_array ? take_varint(in) : 1;

	for (; nr && !in->failed; nr--) {
		if (!c->work) {
			bytes_fail(in);
			return;
		}
		c->work--;
		if (f->is_key)
			take_varint(in);
		else
			skip_value(c, in, f->class, depth);
	}
}

static void skip_value(struct jfr_chunk *c, struct bytes *in, uint32_t class, unsigned depth)
{
	const struct jfr_class *is = class == NO_ROW ? NULL : &c->class[class];

	if (!is || depth >= DEPTH_MAX) {
		bytes_fail(in);
		return;
	}
	if (is->basic == A_STRING)
		take_string(c, in, &c->other, NULL);
	else if (is->basic != A_CLASS)
		take_number(c, in, is->basic);
	for (size_t i = 0; i < is->nr && !in->failed; i++)
		skip_field(c, in, &is->field[i], depth + 1);
}

/* Metadata */

static struct span text_at(const struct jfr_chunk *c, uint64_t i)
{
	return i < c->nr_text ? strbuf_peek(&c->text[i]) : SPAN("");
}

static uint32_t find_class(const struct jfr_chunk *c, uint64_t id)
{
	struct span key = { .at = (const char *)&id, .size = sizeof(id) };

	return intern_find(&c->ids, key, intern_hash(key));
}

static enum role role_of(struct span name)
{
	static const struct {
		const char *name;
		enum role role;
	} roles[] = {
		{ "startTime", ROLE_BEGIN },	  { "duration", ROLE_DURATION },
		{ "sampledThread", ROLE_THREAD }, { "eventThread", ROLE_THREAD },
		{ "stackTrace", ROLE_STACK },	  { "weight", ROLE_WEIGHT },
		{ "size", ROLE_WEIGHT },	  { "allocationSize", ROLE_WEIGHT },
		{ "tlabSize", ROLE_WEIGHT },	  { "samples", ROLE_WEIGHT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
		if (span_is(name, roles[i].name))
			return roles[i].role;
	return ROLE_NONE;
}

/* The attributes of an element that matter. */
struct attributes {
	struct span name, id, class, pool, dimension;
};

static struct attributes take_attributes(const struct jfr_chunk *c, struct bytes *in)
{
	struct attributes a = { 0 };
	static const struct {
		const char *name;
		size_t at;
	} wanted[] = {
		{ "name", offsetof(struct attributes, name) },
		{ "id", offsetof(struct attributes, id) },
		{ "class", offsetof(struct attributes, class) },
		{ "constantPool", offsetof(struct attributes, pool) },
		{ "dimension", offsetof(struct attributes, dimension) },
	};

	for (uint64_t nr = take_varint(in); nr && !in->failed; nr--) {
		struct span key = text_at(c, take_varint(in)), value = text_at(c, take_varint(in));

		for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
			if (span_is(key, wanted[i].name))
				memcpy((char *)&a + wanted[i].at, &value, sizeof(value));
	}
	return a;
}

static void add_class(struct jfr_chunk *c, const struct attributes *a)
{
	uint64_t id = 0;
	uint32_t known = c->ids.nr, at;

	if (!span_u64(a->id, &id))
		return;
	at = intern(&c->ids, (struct span){ .at = (const char *)&id, .size = sizeof(id) });
	if (at != known)
		return;
	GROW(c->class, (size_t)at, c->cap_class);
	c->class[at] = (struct jfr_class){ .name = a->name };
	for (size_t i = 0; i < ARRAY_SIZE(basic_names); i++)
		if (basic_names[i] && span_is(a->name, basic_names[i]))
			c->class[at].basic = (enum basic)i;
}

static void add_field(struct jfr_chunk *c, const struct attributes *a)
{
	struct jfr_class *class = c->ids.nr ? &c->class[c->ids.nr - 1] : NULL;
	struct jfr_field f = { .name = a->name,
			       .is_key = span_is(a->pool, "true"),
			       .is_array = a->dimension.size && !span_is(a->dimension, "0"),
			       .role = role_of(a->name) };

	/* Fields of basic types in the metadata are ignored: a string is read as a string. */
	if (!class || class->basic != A_CLASS || !span_u64(a->class, &f.type))
		return;
	GROW(class->field, class->nr, class->cap);
	class->field[class->nr++] = f;
	class->has_stack |= f.role == ROLE_STACK && f.is_key;
}

/* Fields are nested in their class, so they belong to the last class. */
static void take_element(struct jfr_chunk *c, struct bytes *in, unsigned depth)
{
	struct span element = text_at(c, take_varint(in));
	struct attributes a = take_attributes(c, in);

	if (span_is(element, "class"))
		add_class(c, &a);
	else if (span_is(element, "field"))
		add_field(c, &a);
	if (depth >= DEPTH_MAX)
		bytes_fail(in);
	for (uint64_t nr = take_varint(in); nr && !in->failed; nr--)
		take_element(c, in, depth + 1);
}

/* An event of this type at an offset in the chunk; fails if there is none. */
static struct bytes event_at(const struct jfr_chunk *c, uint64_t offset, uint64_t type)
{
	struct bytes in = bytes_over(
		span_from(c->bytes, offset < c->bytes.size ? (size_t)offset : c->bytes.size));
	size_t left = bytes_left(&in);
	uint64_t size = take_varint(&in);

	if (size > left || take_varint(&in) != type || size < left - bytes_left(&in))
		bytes_fail(&in);
	else
		in.end = in.at + (size - (left - bytes_left(&in)));
	return in;
}

static bool read_metadata(struct jfr_chunk *c)
{
	struct bytes in = event_at(c, c->metadata, TYPE_METADATA);

	/* Begin, duration and number */
	for (size_t i = 0; i < 3; i++)
		take_varint(&in);
	c->nr_text = (size_t)take_varint(&in);
	if (c->nr_text > bytes_left(&in))
		c->nr_text = (size_t)bytes_fail(&in);
	c->text = xcalloc(c->nr_text + 1, sizeof(*c->text));
	for (size_t i = 0; i < c->nr_text; i++)
		take_string(c, &in, &c->text[i], NULL);
	take_element(c, &in, 0);
	for (size_t i = 0; i < c->ids.nr; i++)
		for (size_t k = 0; k < c->class[i].nr; k++)
			c->class[i].field[k].class = find_class(c, c->class[i].field[k].type);
	return !in.failed;
}

/* Constants */

static uint32_t find_constant(const struct jfr_chunk *c, uint32_t class, uint64_t id)
{
	uint64_t of[] = { class, id };
	struct span key = { .at = (const char *)of, .size = sizeof(of) };

	return intern_find(&c->keys, key, intern_hash(key));
}

static void add_constant(struct jfr_chunk *c, uint32_t class, uint64_t key, const unsigned char *at)
{
	uint64_t of[] = { class, key };
	uint32_t known = c->keys.nr, row;

	row = intern(&c->keys, (struct span){ .at = (const char *)of, .size = sizeof(of) });
	if (row != known)
		return;
	GROW(c->constant, (size_t)row, c->cap_constant);
	GROW(c->made, (size_t)row, c->cap_made);
	c->constant[row] = at;
	c->made[row] = 0;
}

static void take_pools(struct jfr_chunk *c, struct bytes *in)
{
	for (uint64_t pools = take_varint(in); pools && !in->failed; pools--) {
		uint32_t class = find_class(c, take_varint(in));

		for (uint64_t nr = take_varint(in); nr && !in->failed; nr--) {
			uint64_t key = take_varint(in);
			const unsigned char *at = in->at;

			skip_value(c, in, class, 0);
			if (!in->failed)
				add_constant(c, class, key, at);
		}
	}
}

/* Reads all checkpoints: each has the distance to the previous one. */
static bool read_constants(struct jfr_chunk *c)
{
	uint64_t at = c->constants, last = UINT64_MAX;

	for (size_t i = 0; i < CHECKPOINTS_MAX; i++) {
		struct bytes in = event_at(c, at, TYPE_CHECKPOINT);
		uint64_t distance;

		take_varint(&in); /* begin */
		take_varint(&in); /* duration */
		distance = take_varint(&in);
		bytes_u8(&in); /* kind */
		take_pools(c, &in);
		if (in.failed)
			return false;
		last = at;
		at += distance;
		if (!distance)
			return true;
		/* Only backwards: otherwise, the loop might not end. */
		if (at >= last)
			return false;
	}
	return false;
}

static struct bytes constant_at(const struct jfr_chunk *c, uint32_t row)
{
	struct bytes in = bytes_over(c->bytes);

	in.at = c->constant[row];
	return in;
}

/* A field of a constant, and where its value is. */
struct field_value {
	const struct jfr_field *field;
	struct bytes in; /* at its value */
};

/* A field of a constant; false: it has none of that name. */
static bool find_field(struct jfr_chunk *c, uint32_t class, uint32_t row, const char *name,
		       struct field_value *v)
{
	const struct jfr_class *is = &c->class[class];

	v->in = constant_at(c, row);
	for (size_t i = 0; i < is->nr && !v->in.failed; i++) {
		v->field = &is->field[i];
		if (span_is(v->field->name, name))
			return !v->in.failed && v->field->class != NO_ROW;
		skip_field(c, &v->in, v->field, 0);
	}
	return false;
}

/* The constant that a field refers to by its key. */
static uint32_t follow(struct jfr_chunk *c, uint32_t class, uint32_t row, const char *name,
		       uint32_t *into)
{
	struct field_value v;

	if (row == NO_ROW || !find_field(c, class, row, name, &v) || !v.field->is_key ||
	    v.field->is_array)
		return NO_ROW;
	*into = v.field->class;
	return find_constant(c, *into, take_varint(&v.in));
}

/* A string that is a field, or a constant; stored in c->string. */
static struct span string_at(struct jfr_chunk *c, struct bytes in, uint32_t class)
{
	uint64_t key = 0;
	uint32_t row;

	take_string(c, &in, &c->string, &key);
	if (!key || in.failed)
		return strbuf_peek(&c->string);
	row = find_constant(c, class, key);
	if (row == NO_ROW)
		return SPAN("");
	in = constant_at(c, row);
	take_string(c, &in, &c->string, NULL);
	return strbuf_peek(&c->string);
}

static struct span string_field(struct jfr_chunk *c, uint32_t class, uint32_t row, const char *name)
{
	struct field_value v;

	if (row == NO_ROW || !find_field(c, class, row, name, &v) || v.field->is_array ||
	    v.field->is_key || c->class[v.field->class].basic != A_STRING)
		return SPAN("");
	return string_at(c, v.in, v.field->class);
}

/* The symbol that a field refers to by its key. */
static struct span symbol_field(struct jfr_chunk *c, uint32_t class, uint32_t row, const char *name)
{
	uint32_t symbol = 0, at = follow(c, class, row, name, &symbol);

	/* The symbols of async-profiler have the same field as the JDK's. */
	return string_field(c, symbol, at, "string");
}

/* Stacks */

static uint64_t take_field_number(struct jfr_chunk *c, struct bytes *in, const struct jfr_field *f)
{
	if (f->is_key || f->is_array || f->class == NO_ROW || c->class[f->class].basic == A_CLASS ||
	    c->class[f->class].basic == A_STRING) {
		skip_field(c, in, f, 0);
		return 0;
	}
	return take_number(c, in, c->class[f->class].basic);
}

static int push_frame(struct jfr_chunk *c, uint32_t class, struct bytes *in, struct error *e)
{
	const struct jfr_class *is = &c->class[class];
	uint32_t method = NO_ROW, of_method = 0, kind = NO_ROW, of_kind = 0, type, of_type = 0;
	struct strbuf name = { 0 }, class_name = { 0 };
	struct field_value hidden;
	uint64_t line = 0;

	for (size_t i = 0; i < is->nr && !in->failed; i++) {
		const struct jfr_field *f = &is->field[i];
		bool is_key = f->is_key && !f->is_array && f->class != NO_ROW;

		if (span_is(f->name, "method") && is_key) {
			of_method = f->class;
			method = find_constant(c, of_method, take_varint(in));
		} else if (span_is(f->name, "type") && is_key) {
			of_kind = f->class;
			kind = find_constant(c, of_kind, take_varint(in));
		} else if (span_is(f->name, "lineNumber")) {
			line = take_field_number(c, in, f);
		} else {
			skip_field(c, in, f, 0);
		}
	}
	if (method == NO_ROW) {
		build_push_name(c->b, SPAN("[unknown]"));
		return build_note(c->b, NOTE_BAD_REF, SPAN(""), e);
	}
	/* Glue code of the JVM, which `jfr print` also hides. */
	if (find_field(c, of_method, method, "hidden", &hidden) &&
	    take_field_number(c, &hidden.in, hidden.field))
		return 0;
	type = follow(c, of_method, method, "type", &of_type);
	strbuf_add(&class_name, symbol_field(c, of_type, type, "name"));
	strbuf_add(&name, symbol_field(c, of_method, method, "name"));
	build_push(c->b, jfr_frame(c->b, strbuf_peek(&class_name), strbuf_peek(&name),
				   line <= UINT32_MAX ? (uint32_t)line : 0,
				   string_field(c, of_kind, kind, "description")));
	strbuf_release(&class_name);
	strbuf_release(&name);
	return 0;
}

static int make_stack(struct jfr_chunk *c, uint32_t class, uint32_t row, struct error *e)
{
	struct field_value frames, truncated;
	stack_id stack = { 0 };

	if (find_field(c, class, row, "frames", &frames) && frames.field->is_array &&
	    !frames.field->is_key) {
		for (uint64_t nr = take_varint(&frames.in); nr && !frames.in.failed; nr--) {
			if (!c->work)
				return error_set(e, ERROR_INPUT, "classes nested too deeply");
			c->work--;
			if (push_frame(c, frames.field->class, &frames.in, e))
				return -1;
		}
		if (find_field(c, class, row, "truncated", &truncated) &&
		    take_field_number(c, &truncated.in, truncated.field))
			build_push(c->b,
				   build_frame(c->b, FRAME_LABEL, SPAN(""), SPAN(TRUNCATED_FRAME)));
	}
	if (c->b->nr && build_stack(c->b, LEAF_FIRST, &stack, e))
		return -1;
	build_drop(c->b);
	c->made[row] = stack.i + 1;
	return 0;
}

static void find_thread(struct jfr_chunk *c, uint32_t class, uint32_t row, struct thread *t)
{
	struct profile *p = c->b->p;
	struct span name;
	struct field_value id;
	uint64_t tid;

	if (row == NO_ROW)
		return;
	if (!c->made[row]) {
		name = string_field(c, class, row, "javaName");
		if (!name.size)
			name = string_field(c, class, row, "osName");
		t->comm = profile_string(p, name);
		if (find_field(c, class, row, "osThreadId", &id)) {
			tid = take_field_number(c, &id.in, id.field);
			if (tid && tid < THREAD_UNKNOWN)
				t->tid = (uint32_t)tid;
		}
		c->made[row] = profile_thread(p, t).i + 1;
	}
	*t = p->thread[c->made[row] - 1];
}

/* Events */

static uint64_t in_ns(const struct jfr_chunk *c, uint64_t ticks)
{
	__extension__ unsigned __int128 ns = (unsigned __int128)ticks * 1000000000 / c->frequency;

	return ns < INT64_MAX ? (uint64_t)ns : INT64_MAX;
}

static uint64_t time_of(const struct jfr_chunk *c, uint64_t ticks)
{
	uint64_t time;

	if (ticks < c->begin_ticks ||
	    __builtin_add_overflow(c->begin, in_ns(c, ticks - c->begin_ticks), &time))
		return c->begin;
	return time;
}

static int64_t clamped(uint64_t number)
{
	return number <= INT64_MAX ? (int64_t)number : -1;
}

static void take_field(struct jfr_chunk *c, struct bytes *in, const struct jfr_field *f,
		       uint32_t *stack)
{
	bool is_key = f->is_key && !f->is_array && f->class != NO_ROW;

	switch (f->role) {
	case ROLE_BEGIN:
		c->event.begin = time_of(c, take_field_number(c, in, f));
		return;
	case ROLE_DURATION:
		jfr_event_set(&c->event, f->name, (int64_t)in_ns(c, take_field_number(c, in, f)));
		return;
	case ROLE_WEIGHT:
		jfr_event_set(&c->event, f->name, clamped(take_field_number(c, in, f)));
		return;
	case ROLE_THREAD:
		if (!is_key)
			break;
		find_thread(c, f->class, find_constant(c, f->class, take_varint(in)),
			    &c->event.thread);
		return;
	case ROLE_STACK:
		if (!is_key)
			break;
		*stack = find_constant(c, f->class, take_varint(in));
		return;
	case ROLE_NONE:
		break;
	}
	skip_field(c, in, f, 0);
}

static int take_event(struct jfr_chunk *c, struct bytes in, const struct jfr_class *class,
		      struct error *e)
{
	uint32_t stack = NO_ROW, of_stack = NO_ROW;

	jfr_event_begin(&c->event, class->name);
	for (size_t i = 0; i < class->nr && !in.failed; i++) {
		take_field(c, &in, &class->field[i], &stack);
		if (class->field[i].role == ROLE_STACK)
			of_stack = class->field[i].class;
	}
	if (in.failed)
		return build_note(c->b, NOTE_BAD_RECORD, class->name, e);
	if (stack != NO_ROW && !c->made[stack] && make_stack(c, of_stack, stack, e))
		return -1;
	return jfr_event_end_at(&c->event, c->b,
				(stack_id){ stack != NO_ROW ? c->made[stack] - 1 : 0 }, e);
}

static int read_events(struct jfr_chunk *c, struct error *e)
{
	struct bytes all = bytes_over(span_from(c->bytes, HEADER_SIZE));

	while (bytes_left(&all)) {
		struct bytes in = all;
		uint64_t size = take_varint(&in);
		uint32_t class;

		if (!size || size > bytes_left(&all) || in.failed)
			return build_note(c->b, NOTE_BAD_RECORD, SPAN("event"), e);
		in.end = all.at + size;
		all.at = in.end;
		if (in.at > in.end)
			return build_note(c->b, NOTE_BAD_RECORD, SPAN("event"), e);
		class = find_class(c, take_varint(&in));
		if (class != NO_ROW && c->class[class].has_stack &&
		    take_event(c, in, &c->class[class], e))
			return -1;
	}
	return 0;
}

/* Chunks */

static void release_chunk(struct jfr_chunk *c)
{
	for (size_t i = 0; i < c->nr_text; i++)
		strbuf_release(&c->text[i]);
	for (size_t i = 0; i < c->ids.nr; i++)
		free(c->class[i].field);
	free(c->text);
	free(c->class);
	free(c->constant);
	free(c->made);
	intern_release(&c->ids);
	intern_release(&c->keys);
	strbuf_release(&c->event.name);
	strbuf_release(&c->string);
	strbuf_release(&c->other);
}

static int read_chunk(struct build *b, struct span bytes, struct error *e)
{
	struct jfr_chunk c = { .b = b, .bytes = bytes };
	struct bytes in = bytes_over(bytes);
	int ret;

	bytes_take(&in, 16); /* magic, version, size */
	c.constants = take_fixed(&in, 8);
	c.metadata = take_fixed(&in, 8);
	c.begin = take_fixed(&in, 8);
	take_fixed(&in, 8); /* duration */
	c.begin_ticks = take_fixed(&in, 8);
	c.frequency = take_fixed(&in, 8);
	c.is_compressed = take_fixed(&in, 4) & FEATURE_COMPRESSED;
	c.work = (uint64_t)bytes.size * 16 + 1000000;
	if (!c.frequency)
		c.frequency = 1000000000;
	if (read_metadata(&c) && read_constants(&c))
		ret = read_events(&c, e);
	else
		ret = build_note(b, NOTE_BAD_RECORD, SPAN("metadata or constants of a chunk"), e);
	release_chunk(&c);
	return ret;
}

static bool is_chunk(struct span bytes)
{
	return bytes.size >= HEADER_SIZE && !memcmp(bytes.at, "FLR\0", 4);
}

static int read_chunks(struct build *b, struct whole *w, struct error *e)
{
	struct span all = w->all;

	while (all.size) {
		struct bytes in = bytes_over(all);
		uint64_t size;

		if (!is_chunk(all))
			return build_note(b, NOTE_NO_END, SPAN(""), e);
		bytes_take(&in, 8);
		size = take_fixed(&in, 8);
		/* The size is missing if the recorded process was killed. */
		if (size < HEADER_SIZE || size > all.size)
			return build_note(b, NOTE_NO_END, SPAN(""), e);
		if (read_chunk(b, span_upto(all, (size_t)size), e))
			return -1;
		all = span_from(all, (size_t)size);
		whole_passed(w, all.at);
	}
	return 0;
}

static int jfr_binary_read(struct build *b, struct error *e)
{
	uint32_t nr_event = (uint32_t)b->p->nr_event;
	struct whole whole;
	int ret = whole_open(&whole, b, e);

	if (!ret)
		ret = read_chunks(b, &whole, e);
	jfr_choose_lead(b->p, nr_event);
	return ret;
}

static bool jfr_binary_accepts(struct span head)
{
	return head.size >= 4 && !memcmp(head.at, "FLR\0", 4);
}

const struct reader reader_jfr_binary = {
	.name = "jfr-binary",
	.title = "JDK Flight Recorder files",
	.accepts = jfr_binary_accepts,
	.read = jfr_binary_read,
	.split = SPLIT_ANYWHERE,
	.timed = true,
	.spelling = SPELL_THREAD,
};
