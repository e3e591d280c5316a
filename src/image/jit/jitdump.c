#include "image/jit/jitdump.h"

enum {
	MAGIC = 0x4a695444,
	HEADER_SIZE = 40,
	RECORD_HEADER = 16,
	FLAG_ARCH_TIME = 1,
	/* Types of records: JIT_CODE_ in the specification. */
	CODE_LOAD = 0,
	CODE_MOVE = 1,
	CODE_DEBUG_INFO = 2,
	CODE_UNWINDING_INFO = 4,
};

/* The magic number also gives the byte order. */
static bool find_order(struct span bytes, enum byte_order *order)
{
	if (bytes.size < HEADER_SIZE)
		return false;
	*order = load_u32(bytes.at, ORDER_LITTLE) == MAGIC ? ORDER_LITTLE : ORDER_BIG;
	return load_u32(bytes.at, *order) == MAGIC;
}

bool jitdump_init(struct jitdump *d, struct span bytes)
{
	enum byte_order order;
	struct fields f;
	uint32_t size;

	*d = (struct jitdump){ .bytes = bytes };
	if (!find_order(bytes, &order))
		return false;
	f = fields_over(bytes, order);
	fields_take(&f, 8); /* magic, version */
	size = fields_u32(&f);
	d->machine = fields_u32(&f);
	fields_take(&f, 4); /* padding */
	d->pid = fields_u32(&f);
	fields_take(&f, 8); /* time of creation */
	d->other_time = fields_u64(&f) & FLAG_ARCH_TIME;
	if (size < HEADER_SIZE || size > bytes.size)
		return false;
	d->rest = fields_over(span_from(bytes, size), order);
	return true;
}

/* A NUL-terminated string; fails without a NUL. */
static struct span take_text(struct fields *f)
{
	struct span rest = { .at = f->at, .size = fields_left(f) };
	size_t size = span_find(rest, '\0');

	fields_take(f, (uint64_t)size + 1);
	return f->failed ? SPAN("") : span_upto(rest, size);
}

static void parse_load(const struct jitdump *d, struct jit_record *r, struct fields *f)
{
	struct span code;

	fields_take(f, 16); /* pid, tid, and the address, which follows again */
	r->address = fields_u64(f);
	r->size = fields_u64(f);
	r->number = fields_u64(f);
	r->name = take_text(f);
	code = fields_take(f, r->size);
	if (f->failed || !r->size || r->size > UINT64_MAX - r->address)
		return;
	r->kind = JIT_LOAD;
	r->place = (uint64_t)(code.at - d->bytes.at);
}

static void parse_move(struct jit_record *r, struct fields *f)
{
	fields_take(f, 24); /* pid, tid, virtual address, old address */
	r->address = fields_u64(f);
	r->size = fields_u64(f);
	r->number = fields_u64(f);
	if (!f->failed && r->size && r->size <= UINT64_MAX - r->address)
		r->kind = JIT_MOVE;
}

static void parse_lines(struct jit_record *r, struct fields *f)
{
	r->address = fields_u64(f);
	fields_u64(f); /* number of rows: not needed, as they fill the record */
	r->lines = *f;
	if (!f->failed)
		r->kind = JIT_LINES;
}

/* .eh_frame, then .eh_frame_hdr, which is not needed for so few functions. */
static void parse_frames(struct jit_record *r, struct fields *f)
{
	uint64_t size = fields_u64(f), index_size = fields_u64(f);

	fields_u64(f); /* size of the mapped part */
	if (f->failed || index_size > size)
		return;
	r->frames = fields_take(f, size - index_size);
	if (!f->failed)
		r->kind = JIT_FRAMES;
}

bool jitdump_next(struct jitdump *d, struct jit_record *r)
{
	uint32_t kind = fields_u32(&d->rest), size = fields_u32(&d->rest);
	struct fields f;

	*r = (struct jit_record){ .kind = JIT_OTHER, .time = fields_u64(&d->rest) };
	if (d->rest.failed || size < RECORD_HEADER)
		return false;
	f = fields_over(fields_take(&d->rest, size - RECORD_HEADER), d->rest.order);
	/* The record is incomplete: the program ended while writing it, or is still writing. */
	if (d->rest.failed)
		return false;
	if (kind == CODE_LOAD)
		parse_load(d, r, &f);
	else if (kind == CODE_MOVE)
		parse_move(r, &f);
	else if (kind == CODE_DEBUG_INFO)
		parse_lines(r, &f);
	else if (kind == CODE_UNWINDING_INFO)
		parse_frames(r, &f);
	return true;
}

bool jit_line_next(struct fields *f, struct jit_line *l)
{
	*l = (struct jit_line){ .address = fields_u64(f), .line = fields_u32(f) };
	fields_u32(f); /* column, or discriminator */
	l->file = take_text(f);
	/* The same file as in the previous row. */
	if (span_is(l->file, "\xff"))
		l->file = SPAN("");
	return !f->failed;
}

bool jitdump_is_path(struct span path, uint32_t *pid)
{
	size_t slash = span_rfind(path, '/');
	struct span name = slash == path.size ? path : span_from(path, slash + 1);
	struct span prefix = SPAN("jit-"), ending = SPAN(".dump");
	uint64_t number;

	if (!span_starts(name, prefix.at) || !span_ends(name, ending.at) ||
	    name.size < prefix.size + ending.size)
		return false;
	name = span_from(span_upto(name, name.size - ending.size), prefix.size);
	if (!span_u64(name, &number) || number > INT32_MAX)
		return false;
	*pid = (uint32_t)number;
	return true;
}
