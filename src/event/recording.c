#include "event/recording.h"

#include "base/alloc.h"
#include "base/output.h"
#include "event/recording_held.h"
#include "event/recording_pack.h"

#include <stdlib.h>

enum {
	/* Sections of a damaged file may be the same bytes again and again; real ones come to a few MB. */
	FACTS_MAX = 256 * 1024 * 1024,
};

struct event {
	struct strbuf attr, ids, name;
};

struct recording {
	struct output out;
	enum byte_order order;
	struct packer packer;
	struct event *event;
	size_t nr_event, cap_event;
	struct strbuf feature[FEATURE_BITS];
	bool has_feature[FEATURE_BITS];
	size_t facts_size;    /* of all features and ids */
	struct strbuf record; /* the one being written */
	struct held held;
	uint64_t nr_sample, nr_cut;
};

struct recording *recording_new(const char *path, struct error *e)
{
	static const char no_header[PERF_HEADER_SIZE];
	struct recording *r = xcalloc(1, sizeof(*r));

	r->order = ORDER_HOST;
	if (output_open_whole(&r->out, path, e)) {
		free(r);
		return NULL;
	}
	packer_init(&r->packer, &r->out);
	/* It is written when all is known that it tells. */
	output_add(&r->out, (struct span){ .at = no_header, .size = sizeof(no_header) });
	return r;
}

void recording_order(struct recording *r, enum byte_order order)
{
	r->order = r->packer.order = order;
}

static void free_recording(struct recording *r)
{
	for (size_t i = 0; i < r->nr_event; i++) {
		strbuf_release(&r->event[i].attr);
		strbuf_release(&r->event[i].ids);
		strbuf_release(&r->event[i].name);
	}
	for (size_t i = 0; i < FEATURE_BITS; i++)
		strbuf_release(&r->feature[i]);
	strbuf_release(&r->record);
	held_release(&r->held);
	packer_release(&r->packer);
	free(r->event);
	free(r);
}

void recording_drop(struct recording *r)
{
	output_drop(&r->out);
	free_recording(r);
}

uint64_t recording_nr_sample(const struct recording *r)
{
	return r->nr_sample;
}

uint64_t recording_nr_cut(const struct recording *r)
{
	return r->nr_cut;
}

static void add_zeroes(struct strbuf *to, size_t nr)
{
	strbuf_reserve(to, nr);
	memset(to->at + to->size, 0, nr + 1);
	to->size += nr;
}

/* perf reads texts in units of this size. */
enum { TEXT_UNIT = 64 };

static void add_text(const struct recording *r, struct strbuf *to, struct span text)
{
	size_t size = (text.size / TEXT_UNIT + 1) * TEXT_UNIT;

	append_u32(to, (uint32_t)size, r->order);
	strbuf_add(to, text);
	add_zeroes(to, size - text.size);
}

/* Records */

void recording_settle(struct recording *r, recording_root *root, void *arg)
{
	held_write(&r->held, &r->packer, r->order, root, arg);
}

/* Writes a record, or lets it wait. */
static void put(struct recording *r, struct span bytes, const struct held_record *record)
{
	if (!record->ticket && !held_any(&r->held))
		packer_add(&r->packer, bytes);
	else if (held_add(&r->held, bytes, record))
		recording_settle(r, NULL, NULL);
}

static const struct held_record finished;

void recording_add(struct recording *r, struct span record)
{
	put(r, record, &finished);
}

void recording_add_record(struct recording *r, const struct record *record, const struct attr *a)
{
	if (record_encode(&r->record, record, a, r->order))
		put(r, strbuf_peek(&r->record), &finished);
}

/* As many words as a record has room for; one that is cut off says so. */
static void add_chain(struct recording *r, const struct words *chain, size_t room)
{
	size_t nr = chain->nr <= room ? chain->nr : room - CHAIN_TOO_DEEP;
	bool cut = nr < chain->nr;

	/* Markers behind its last address would be counted with those that say so. */
	while (cut && nr && word_at(chain, nr - 1) == PERF_CONTEXT_USER)
		nr--;
	append_u64(&r->record, cut ? nr + CHAIN_TOO_DEEP : nr, r->order);
	for (size_t i = 0; i < nr; i++)
		append_u64(&r->record, word_at(chain, i), r->order);
	for (int i = 0; cut && i < CHAIN_TOO_DEEP; i++)
		append_u64(&r->record, PERF_CONTEXT_USER, r->order);
	r->nr_cut += cut;
}

void recording_add_open_sample(struct recording *r, const struct record *sample,
			       const struct attr *a, const struct words *chain, uint32_t ticket)
{
	const struct sample_parts *parts = &sample->sample.parts;
	uint64_t type = attr_finished_type(a);
	struct span branches = type & PERF_SAMPLE_BRANCH_STACK ? parts->branches : SPAN("");
	size_t size = RECORD_HEADER_SIZE + parts->who.size + parts->raw.size + branches.size +
		      parts->facts.size;
	/* What it had before had room for its number too. */
	size_t room = (RECORD_SIZE_MAX - size) / sizeof(uint64_t) - 1;
	struct held_record held = { 0 };

	strbuf_reset(&r->record);
	append_u32(&r->record, PERF_RECORD_SAMPLE, r->order);
	append_u16(&r->record, (uint16_t)sample->misc, r->order);
	append_u16(&r->record, 0, r->order);
	strbuf_add(&r->record, parts->who);
	held.chain = (uint32_t)r->record.size;
	if (type & PERF_SAMPLE_CALLCHAIN) {
		add_chain(r, chain, room);
		held.ticket = chain->nr + CHAIN_ROOT_WORDS <= room ? ticket : 0;
	}
	held.end = (uint32_t)r->record.size;
	strbuf_add(&r->record, parts->raw);
	strbuf_add(&r->record, branches);
	strbuf_add(&r->record, parts->facts);
	store_u16(r->record.at + 6, (uint16_t)r->record.size, r->order);
	put(r, strbuf_peek(&r->record), &held);
	r->nr_sample++;
}

void recording_add_sample(struct recording *r, const struct record *sample, const struct attr *a,
			  const struct words *chain)
{
	recording_add_open_sample(r, sample, a, chain, 0);
}

static bool has_room(struct recording *r, struct span fact)
{
	if (fact.size > FACTS_MAX - r->facts_size)
		return false;
	r->facts_size += fact.size;
	return true;
}

/* Events */

void recording_add_event(struct recording *r, struct span attr)
{
	struct event *event;

	GROW(r->event, r->nr_event, r->cap_event);
	event = &r->event[r->nr_event++];
	*event = (struct event){ 0 };
	strbuf_reserve(&event->attr, attr.size);
	attr_finish(attr, event->attr.at, r->order);
	event->attr.size = attr.size;
}

void recording_add_ids(struct recording *r, size_t event, struct span ids)
{
	ids = span_upto(ids, ids.size - ids.size % sizeof(uint64_t));
	if (event < r->nr_event && has_room(r, ids))
		strbuf_add(&r->event[event].ids, ids);
}

void recording_name_event(struct recording *r, size_t event, struct span name)
{
	if (event >= r->nr_event)
		return;
	strbuf_reset(&r->event[event].name);
	strbuf_add(&r->event[event].name, name);
}

/* All attrs of a file have one size: that of the largest. */
static size_t attr_size(const struct recording *r)
{
	size_t size = PERF_ATTR_SIZE_VER0;

	for (size_t i = 0; i < r->nr_event; i++)
		if (r->event[i].attr.size > size)
			size = r->event[i].attr.size;
	return size;
}

static void add_attr(const struct recording *r, struct strbuf *to, const struct event *event)
{
	size_t begin = to->size, size = attr_size(r);

	strbuf_add(to, strbuf_peek(&event->attr));
	add_zeroes(to, size - event->attr.size);
	store_u32(to->at + begin + 4, (uint32_t)size, r->order);
}

/* Attrs once more, with names. */
static void describe_events(struct recording *r)
{
	struct strbuf *to = &r->feature[FEATURE_EVENT_DESC];

	strbuf_reset(to);
	r->has_feature[FEATURE_EVENT_DESC] = true;
	append_u32(to, (uint32_t)r->nr_event, r->order);
	append_u32(to, (uint32_t)attr_size(r), r->order);
	for (size_t i = 0; i < r->nr_event; i++) {
		const struct event *event = &r->event[i];

		add_attr(r, to, event);
		append_u32(to, (uint32_t)(event->ids.size / sizeof(uint64_t)), r->order);
		add_text(r, to, strbuf_peek(&event->name));
		strbuf_add(to, strbuf_peek(&event->ids));
	}
}

/* The file says by this bit that samples have branches: not if they became call chains. */
static void drop_branches(struct recording *r)
{
	struct attr a;

	for (size_t i = 0; i < r->nr_event; i++)
		if (attr_parse(&a, strbuf_peek(&r->event[i].attr), r->order) &&
		    a.sample_type & PERF_SAMPLE_BRANCH_STACK)
			return;
	r->has_feature[FEATURE_BRANCH_STACK] = false;
}

/* Facts */

void recording_add_feature(struct recording *r, unsigned feature, struct span bytes)
{
	if (!has_room(r, bytes))
		return;
	strbuf_add(&r->feature[feature], bytes);
	r->has_feature[feature] = true;
}

void recording_set_feature(struct recording *r, unsigned feature, struct span bytes)
{
	strbuf_reset(&r->feature[feature]);
	recording_add_feature(r, feature, bytes);
}

void recording_set_text(struct recording *r, unsigned feature, struct span text)
{
	strbuf_reset(&r->feature[feature]);
	add_text(r, &r->feature[feature], text);
	r->has_feature[feature] = true;
}

void recording_set_command(struct recording *r, const char *const *word, size_t nr)
{
	struct strbuf *to = &r->feature[FEATURE_CMDLINE];

	strbuf_reset(to);
	append_u32(to, (uint32_t)nr, r->order);
	for (size_t i = 0; i < nr; i++)
		add_text(r, to, span_of(word[i]));
	r->has_feature[FEATURE_CMDLINE] = true;
}

void recording_set_cpus(struct recording *r, uint32_t nr_there, uint32_t nr_online)
{
	struct strbuf *to = &r->feature[FEATURE_NRCPUS];

	strbuf_reset(to);
	append_u32(to, nr_there, r->order);
	append_u32(to, nr_online, r->order);
	r->has_feature[FEATURE_NRCPUS] = true;
}

void recording_set_clock(struct recording *r, uint32_t clock, uint64_t time_of_day, uint64_t time)
{
	enum { VERSION = 1 };
	struct strbuf *to = &r->feature[FEATURE_CLOCK_DATA];

	strbuf_reset(to);
	append_u32(to, VERSION, r->order);
	append_u32(to, clock, r->order);
	append_u64(to, time_of_day, r->order);
	append_u64(to, time, r->order);
	r->has_feature[FEATURE_CLOCK_DATA] = true;
}

void recording_add_build_id(struct recording *r, struct span path, struct span build_id,
			    unsigned misc)
{
	enum { HAS_SIZE = 1 << 15, ROOM = 24, FIXED = RECORD_HEADER_SIZE + 4 + ROOM };
	struct strbuf *to = &r->feature[FEATURE_BUILD_ID];
	size_t text = (path.size / TEXT_UNIT + 1) * TEXT_UNIT;

	if (!build_id.size || build_id.size > BUILD_ID_MAX || FIXED + text > RECORD_SIZE_MAX)
		return;
	r->has_feature[FEATURE_BUILD_ID] = true;
	append_u32(to, 0, r->order);
	append_u16(to, (uint16_t)(misc | HAS_SIZE), r->order);
	append_u16(to, (uint16_t)(FIXED + text), r->order);
	append_u32(to, UINT32_MAX, r->order); /* of the host */
	strbuf_add(to, build_id);
	add_zeroes(to, BUILD_ID_MAX - build_id.size);
	strbuf_addch(to, (char)build_id.size);
	add_zeroes(to, ROOM - BUILD_ID_MAX - 1);
	strbuf_add(to, path);
	add_zeroes(to, text - path.size);
}

/* How records were packed: version, zstd, level, ratio, and the room that a packed one needs. */
static void describe_packing(struct recording *r)
{
	enum { VERSION = 1, ZSTD = 1 };
	struct strbuf *to = &r->feature[FEATURE_COMPRESSED];
	const struct packer *p = &r->packer;

	strbuf_reset(to);
	r->has_feature[FEATURE_COMPRESSED] = true;
	append_u32(to, VERSION, r->order);
	append_u32(to, ZSTD, r->order);
	append_u32(to, PACKER_LEVEL, r->order);
	append_u32(to,
		   p->nr_packed ? (uint32_t)((p->nr_plain + p->nr_packed / 2) / p->nr_packed) : 1,
		   r->order);
	append_u32(to, PACKER_ROOM, r->order);
}

/* The end of the file */

struct ending {
	uint64_t at; /* in the file */
	struct strbuf bytes;
};

static void add_section(const struct recording *r, struct strbuf *to, uint64_t at, uint64_t size)
{
	append_u64(to, at, r->order);
	append_u64(to, size, r->order);
}

static void add_features(struct recording *r, struct ending *end)
{
	uint64_t at = end->at;

	for (size_t i = 0; i < FEATURE_BITS; i++)
		at += r->has_feature[i] ? PERF_SECTION_SIZE : 0;
	for (size_t i = 0; i < FEATURE_BITS; i++) {
		if (!r->has_feature[i])
			continue;
		add_section(r, &end->bytes, at, r->feature[i].size);
		at += r->feature[i].size;
	}
	for (size_t i = 0; i < FEATURE_BITS; i++)
		if (r->has_feature[i])
			strbuf_add(&end->bytes, strbuf_peek(&r->feature[i]));
}

/* Returns where the attrs are. */
static uint64_t add_attrs(struct recording *r, struct ending *end)
{
	uint64_t ids = end->at + end->bytes.size, attrs;

	for (size_t i = 0; i < r->nr_event; i++)
		strbuf_add(&end->bytes, strbuf_peek(&r->event[i].ids));
	attrs = end->at + end->bytes.size;
	for (size_t i = 0; i < r->nr_event; i++) {
		add_attr(r, &end->bytes, &r->event[i]);
		add_section(r, &end->bytes, ids, r->event[i].ids.size);
		ids += r->event[i].ids.size;
	}
	return attrs;
}

static void write_header(struct recording *r, uint64_t attrs)
{
	uint64_t entry = attr_size(r) + PERF_SECTION_SIZE, bits[FEATURE_BITS / 64] = { 0 };
	struct strbuf header = { 0 };

	for (size_t i = 0; i < FEATURE_BITS; i++)
		bits[i / 64] |= (uint64_t)r->has_feature[i] << i % 64;
	strbuf_add(&header, r->order == ORDER_BIG ? SPAN("2ELIFREP") : SPAN("PERFILE2"));
	append_u64(&header, PERF_HEADER_SIZE, r->order);
	append_u64(&header, entry, r->order);
	add_section(r, &header, attrs, entry * r->nr_event);
	add_section(r, &header, PERF_HEADER_SIZE, r->packer.nr_written);
	add_section(r, &header, 0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		append_u64(&header, bits[i], r->order);
	output_patch(&r->out, 0, strbuf_peek(&header));
	strbuf_release(&header);
}

int recording_close(struct recording *r, struct error *e)
{
	struct ending end = { 0 };
	uint64_t attrs;
	int ret;

	recording_settle(r, NULL, NULL);
	packer_end(&r->packer);
	describe_events(r);
	drop_branches(r);
	if (r->packer.nr_packed)
		describe_packing(r);
	end.at = PERF_HEADER_SIZE + r->packer.nr_written;
	add_features(r, &end);
	attrs = add_attrs(r, &end);
	output_add(&r->out, strbuf_peek(&end.bytes));
	write_header(r, attrs);
	strbuf_release(&end.bytes);
	ret = output_close(&r->out, e);
	free_recording(r);
	return ret;
}
