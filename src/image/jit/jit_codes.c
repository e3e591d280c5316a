/* The functions of a jitdump by address and time. */
#include "base/alloc.h"
#include "base/first_above.h"
#include "image/cfi/cfi_build.h"
#include "image/image_internal.h"
#include "image/jit/jitdump.h"

#include <elf.h>
#include <stdlib.h>

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_number(const void *a, const void *b)
{
	const struct jit_code *x = a, *y = b;

	return compare(x->number, y->number);
}

static int by_begin(const void *a, const void *b)
{
	const struct jit_code *x = a, *y = b;

	if (x->begin != y->begin)
		return compare(x->begin, y->begin);
	return x->time != y->time ? compare(x->time, y->time) : compare(x->place, y->place);
}

static void add(struct jit_codes *c, const struct jit_record *r, bool has_rows)
{
	if (c->nr == SYMBOLS_MAX)
		return;
	GROW(c->code, c->nr, c->cap);
	c->code[c->nr++] = (struct jit_code){ .begin = r->address,
					      .end = r->address + r->size,
					      .time = r->time,
					      .place = r->place,
					      .number = r->number,
					      .has_rows = has_rows };
}

/* JIT_MOVE has no code: its place is that of the JIT_LOAD with the same number. */
static void place_moved(struct jit_codes *c, size_t nr_loaded)
{
	size_t nr = nr_loaded;

	if (c->nr == nr_loaded)
		return;
	qsort(c->code, nr_loaded, sizeof(*c->code), by_number);
	for (size_t i = nr_loaded; i < c->nr; i++) {
		const struct jit_code *loaded =
			bsearch(&c->code[i], c->code, nr_loaded, sizeof(*c->code), by_number);

		if (!loaded || c->code[i].end - c->code[i].begin > loaded->end - loaded->begin)
			continue;
		c->code[nr] = c->code[i];
		c->code[nr].place = loaded->place;
		c->code[nr++].has_rows = loaded->has_rows;
	}
	c->nr = nr;
}

/* Python 3.13 does not write the machine: assumes this one. */
static unsigned machine_of(const struct jitdump *d)
{
#ifdef __aarch64__
	enum { OURS = EM_AARCH64 };
#else
	enum { OURS = EM_X86_64 };
#endif

	return d->machine ? d->machine : OURS;
}

/* Adds the unwind rows of a function, unless they were added when the dump was shorter. */
static void add_rows(struct jit_codes *c, const struct jitdump *d, const struct jit_record *load,
		     struct span frames)
{
	struct cfi_code code = { .offset = load->place,
				 .size = load->size,
				 .address = load->address };

	if (load->place < c->framed)
		return;
	c->framed = load->place + load->size;
	if (!c->cfi)
		c->cfi = cfi_new_growing(machine_of(d));
	if (c->cfi)
		cfi_grow(c->cfi, &code, frames);
}

static void add_loaded(struct jit_codes *c, struct jitdump d)
{
	struct span frames = SPAN("");
	struct jit_record r;

	while (jitdump_next(&d, &r)) {
		/* cfi_parse.c reads little-endian sections only. */
		if (r.kind == JIT_FRAMES && d.rest.order == ORDER_LITTLE)
			frames = r.frames;
		if (r.kind != JIT_LOAD)
			continue;
		add(c, &r, frames.size);
		if (frames.size)
			add_rows(c, &d, &r, frames);
		frames = SPAN("");
	}
}

static void add_moved(struct jit_codes *c, struct jitdump d)
{
	struct jit_record r;

	while (jitdump_next(&d, &r))
		if (r.kind == JIT_MOVE)
			add(c, &r, false);
}

static void forget_codes(struct jit_codes *c)
{
	free(c->code);
	free(c->reach);
	c->code = NULL;
	c->reach = NULL;
	c->nr = c->cap = 0;
	c->other_time = false;
}

void jit_codes_parse(struct jit_codes *c, const struct jitdump *d)
{
	uint64_t reach = 0;
	size_t nr_loaded;

	forget_codes(c);
	c->other_time = d->other_time;
	add_loaded(c, *d);
	nr_loaded = c->nr;
	add_moved(c, *d);
	if (!c->nr)
		return;
	place_moved(c, nr_loaded);
	qsort(c->code, c->nr, sizeof(*c->code), by_begin);
	c->reach = xcalloc(c->nr, sizeof(*c->reach));
	for (size_t i = 0; i < c->nr; i++) {
		if (c->code[i].end > reach)
			reach = c->code[i].end;
		c->reach[i] = reach;
	}
}

bool jit_codes_open(struct jit_codes *c, struct span path, const struct image_opts *o)
{
	size_t size;
	char *bytes = jitdump_read(path, o, &size);
	struct jitdump d;

	forget_codes(c);
	if (bytes && jitdump_init(&d, (struct span){ bytes, size }))
		jit_codes_parse(c, &d);
	free(bytes);
	return c->nr;
}

void jit_codes_release(struct jit_codes *c)
{
	forget_codes(c);
	cfi_free(c->cfi);
	*c = (struct jit_codes){ 0 };
}

/* The index of the first function that begins after the address. */
static size_t first_behind(const struct jit_codes *c, uint64_t address)
{
	return FIRST_ABOVE(c->code, c->nr, begin, address);
}

const struct jit_code *jit_codes_find(const struct jit_codes *c, uint64_t address, uint64_t time)
{
	const struct jit_code *found = NULL;
	size_t i = first_behind(c, address);

	if (c->other_time)
		time = JIT_ANY_TIME;
	for (int tries = JIT_USES_MAX; i > 0 && c->reach[i - 1] > address && tries; i--, tries--) {
		const struct jit_code *code = &c->code[i - 1];

		if (code->end > address && code->time <= time &&
		    (!found || code->time > found->time))
			found = code;
	}
	return found;
}
