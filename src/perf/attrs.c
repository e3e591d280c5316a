#include "perf/attrs.h"

#include "base/alloc.h"

#include <stdlib.h>

struct attr_id {
	uint64_t id;
	uint32_t attr; /* plus 1; 0: empty */
};

void attrs_release(struct attrs *t)
{
	for (size_t i = 0; i < t->nr; i++)
		strbuf_release(&t->name[i]);
	free(t->attr);
	free(t->name);
	free(t->id);
	*t = (struct attrs){ 0 };
}

int attrs_add(struct attrs *t, const struct attr *a)
{
	if (t->nr == ATTRS_MAX)
		return -1;
	if (t->nr == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 4;
		t->attr = xreallocarray(t->attr, t->cap, sizeof(*t->attr));
		t->name = xreallocarray(t->name, t->cap, sizeof(*t->name));
	}
	t->attr[t->nr] = *a;
	t->name[t->nr] = (struct strbuf){ 0 };
	return (int)t->nr++;
}

void attrs_name(struct strbuf *out, const struct attrs *t, size_t attr)
{
	if (t->name[attr].size)
		strbuf_add(out, strbuf_peek(&t->name[attr]));
	else
		attr_name(out, &t->attr[attr]);
}

static struct attr_id *slot(const struct attrs *t, uint64_t id)
{
	size_t mask = t->cap_id - 1;
	/* IDs are consecutive numbers: any odd factor spreads them. */
	size_t i = (size_t)(id * 0x9e3779b97f4a7c15 >> 32) & mask;

	while (t->id[i].attr && t->id[i].id != id)
		i = (i + 1) & mask;
	return &t->id[i];
}

static void grow(struct attrs *t)
{
	struct attrs old = *t;

	t->cap_id = old.cap_id ? old.cap_id * 2 : 16;
	t->id = xcalloc(t->cap_id, sizeof(*t->id));
	for (size_t i = 0; i < old.cap_id; i++)
		if (old.id[i].attr)
			*slot(t, old.id[i].id) = old.id[i];
	free(old.id);
}

void attrs_add_id(struct attrs *t, uint64_t id, size_t attr)
{
	struct attr_id *at;

	if (t->nr_id == ATTR_IDS_MAX)
		return;
	if (t->nr_id * 2 >= t->cap_id)
		grow(t);
	at = slot(t, id);
	t->nr_id += !at->attr;
	*at = (struct attr_id){ .id = id, .attr = (uint32_t)attr + 1 };
}

int attrs_find_id(const struct attrs *t, uint64_t id)
{
	return t->nr_id ? (int)slot(t, id)->attr - 1 : -1;
}

static bool has_id(const struct attr *a, bool is_sample)
{
	return a->sample_type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID) &&
	       (is_sample || a->sample_id_all);
}

/* The offset of the ID in a record, which depends on the attr's sample_type. */
static bool find_id(const struct attr *a, struct span record, bool is_sample, size_t *at)
{
	const uint64_t before =
		PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
	const uint64_t behind = PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU;
	size_t words;

	if (!has_id(a, is_sample))
		return false;
	if (a->sample_type & PERF_SAMPLE_IDENTIFIER)
		words = is_sample ? 0 : 1;
	else if (is_sample)
		words = (size_t)__builtin_popcountll(a->sample_type & before);
	else
		words = (size_t)__builtin_popcountll(a->sample_type & behind) + 1;
	words *= sizeof(uint64_t);
	*at = is_sample ? RECORD_HEADER_SIZE + words : record.size - words;
	return is_sample ? record.size >= *at + sizeof(uint64_t)
			 : record.size >= RECORD_HEADER_SIZE + words;
}

int attrs_of_record(const struct attrs *t, struct span record, enum byte_order order)
{
	bool is_sample = record_header(record.at, order).type == PERF_RECORD_SAMPLE;
	size_t at, own;
	int found;

	if (!t->nr)
		return -1;
	if (t->nr == 1 || !has_id(&t->attr[0], is_sample))
		return 0;
	/* A sample without an ID is malformed; other records may lack one. */
	if (!find_id(&t->attr[0], record, is_sample, &at))
		return is_sample ? -1 : 0;
	found = attrs_find_id(t, load_u64(record.at + at, order));
	/*
	 * The ID was read at its offset by attr[0].  If the attr with that ID has another offset,
	 * it was not an ID.
	 */
	if (found > 0 && (!find_id(&t->attr[found], record, is_sample, &own) || own != at))
		found = -1;
	/* The records that perf synthesizes (running processes, their mappings) have ID 0. */
	return found < 0 && !is_sample ? 0 : found;
}
