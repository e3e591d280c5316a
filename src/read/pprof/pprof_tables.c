/* The strings, functions and locations of a pprof profile, and their frames. */
#include "base/alloc.h"
#include "read/perf_script/script_frame.h"
#include "read/pprof/pprof.h"
#include "read/pprof/proto.h"

#include <stdlib.h>

enum { INLINED_MAX = 32 /* as in go.c */ };

static struct span id_span(const uint64_t *id)
{
	return (struct span){ .at = (const char *)id, .size = sizeof(*id) };
}

void pprof_table_add(struct pprof_table *t, struct span message)
{
	uint64_t number[NUMBERS_MAX];
	uint32_t known = t->ids.nr, i;

	field_numbers(message, number);
	i = intern(&t->ids, id_span(&number[1]));
	if (i != known)
		return;
	GROW(t->message, t->nr, t->cap);
	t->message[t->nr++] = message;
}

static uint32_t table_find(const struct pprof_table *t, uint64_t id)
{
	return intern_find(&t->ids, id_span(&id), intern_hash(id_span(&id)));
}

static void table_release(struct pprof_table *t)
{
	intern_release(&t->ids);
	free(t->message);
}

void pprof_tables_end(struct pprof_tables *t)
{
	t->frame = xcalloc(t->locations.nr + 1, sizeof(*t->frame));
	t->has_frame = xcalloc(t->locations.nr + 1, sizeof(*t->has_frame));
}

void pprof_tables_release(struct pprof_tables *t)
{
	table_release(&t->mappings);
	table_release(&t->functions);
	table_release(&t->locations);
	free(t->string);
	free(t->frame);
	free(t->has_frame);
	strbuf_release(&t->text);
}

struct span pprof_string(const struct pprof_tables *t, uint64_t i)
{
	return i < t->nr_string ? t->string[i] : SPAN("");
}

/* Frames */

/* Sets the file of a mapping, and the offset of a location in it. */
static void set_module(struct pprof_tables *t, const uint64_t location[NUMBERS_MAX],
		       struct frame *f)
{
	uint32_t i = table_find(&t->mappings, location[2]);
	uint64_t mapping[NUMBERS_MAX]; /* id, start, limit, offset, file, build-id */
	struct span file;

	if (i == INTERN_NONE)
		return;
	field_numbers(t->mappings.message[i], mapping);
	file = pprof_string(t, mapping[5]);
	if (!file.size)
		return;
	f->kind = script_frame_kind(file);
	f->module = profile_module(t->b->p, file, pprof_string(t, mapping[6]));
	if (f->kind == FRAME_USER && location[3] >= mapping[2]) {
		f->address = location[3] - mapping[2] + mapping[4];
		f->flags |= FRAME_IN_MODULE;
	}
}

/* A Line message: one function at a location. */
static bool read_line(struct pprof_tables *t, struct span message, struct line *line)
{
	uint64_t number[NUMBERS_MAX], function[NUMBERS_MAX];
	struct span name;
	uint32_t i;

	field_numbers(message, number);
	i = table_find(&t->functions, number[1]);
	if (i == INTERN_NONE)
		return false;
	field_numbers(t->functions.message[i], function);
	name = pprof_string(t, function[2]);
	if (!name.size)
		name = pprof_string(t, function[3]);
	if (!name.size)
		return false;
	*line = (struct line){ .function = profile_string(t->b->p, name) };
	if (build_wants_lines(t->b, number[2] != 0)) {
		line->file = profile_string(t->b->p, pprof_string(t, function[4]));
		line->line = number[2] <= UINT32_MAX ? (uint32_t)number[2] : 0;
	}
	return true;
}

static frame_id make_frame(struct pprof_tables *t, uint32_t location)
{
	struct bytes in = bytes_over(t->locations.message[location]);
	struct line line[INLINED_MAX];
	uint64_t number[NUMBERS_MAX];
	struct frame f = { .kind = FRAME_USER, .line = line };
	struct field field;

	while (field_next(&in, &field)) {
		if (field.number != 4 || field.wire != WIRE_BYTES)
			continue;
		if (f.nr_line == INLINED_MAX)
			notes_add(&t->b->p->notes, NOTE_TOO_DEEP, 1, 0, SPAN(""));
		else if (!(f.nr_line && t->b->o->drop_inlined))
			f.nr_line += read_line(t, field.bytes, &line[f.nr_line]);
	}
	field_numbers(t->locations.message[location], number);
	set_module(t, number, &f);
	/* A frame with names needs no address: only unresolved frames are symbolized later. */
	if (f.nr_line) {
		f.flags &= ~(unsigned)FRAME_IN_MODULE;
		f.address = 0;
	} else if (!(f.flags & FRAME_IN_MODULE)) {
		f.address = number[3];
	}
	return profile_frame(t->b->p, &f);
}

frame_id pprof_frame(struct pprof_tables *t, uint64_t id)
{
	uint32_t location = table_find(&t->locations, id);

	if (location == INTERN_NONE) {
		strbuf_reset(&t->text);
		strbuf_addf(&t->text, "%llu", (unsigned long long)id);
		return build_name(t->b, strbuf_peek(&t->text));
	}
	if (!t->has_frame[location]) {
		t->frame[location] = make_frame(t, location);
		t->has_frame[location] = true;
	}
	return t->frame[location];
}
