/* The feature sections of perf.data: machine, command line, events, build IDs. */
#include "base/alloc.h"
#include "perf/file/recording_parts.h"

enum {
	/*
	 * Limit: real files have a few MB, but all sections of a malicious file may be the same
	 * bytes.
	 */
	FACTS_MAX = 256 * 1024 * 1024,
};

static void add_zeroes(struct strbuf *to, size_t nr)
{
	strbuf_reserve(to, nr);
	memset(to->at + to->size, 0, nr + 1);
	to->size += nr;
}

/* perf pads strings to multiples of this size. */
enum { TEXT_UNIT = 64 };

static void add_text(const struct recording *r, struct strbuf *to, struct span text)
{
	size_t size = (text.size / TEXT_UNIT + 1) * TEXT_UNIT;

	append_u32(to, (uint32_t)size, r->order);
	strbuf_add(to, text);
	add_zeroes(to, size - text.size);
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
	struct recorded_event *event;

	GROW(r->event, r->nr_event, r->cap_event);
	event = &r->event[r->nr_event++];
	*event = (struct recorded_event){ 0 };
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

size_t recording_attr_size(const struct recording *r)
{
	size_t size = PERF_ATTR_SIZE_VER0;

	for (size_t i = 0; i < r->nr_event; i++)
		if (r->event[i].attr.size > size)
			size = r->event[i].attr.size;
	return size;
}

void recording_put_attr(const struct recording *r, struct strbuf *to,
			const struct recorded_event *event)
{
	size_t begin = to->size, size = recording_attr_size(r);

	strbuf_add(to, strbuf_peek(&event->attr));
	add_zeroes(to, size - event->attr.size);
	store_u32(to->at + begin + 4, (uint32_t)size, r->order);
}

/* Features */

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
	append_u32(to, UINT32_MAX, r->order); /* pid: the host, not a guest */
	strbuf_add(to, build_id);
	add_zeroes(to, BUILD_ID_MAX - build_id.size);
	strbuf_addch(to, (char)build_id.size);
	add_zeroes(to, ROOM - BUILD_ID_MAX - 1);
	strbuf_add(to, path);
	add_zeroes(to, text - path.size);
}

/* At the end */

/* Repeats the attrs, with names. */
static void describe_events(struct recording *r)
{
	struct strbuf *to = &r->feature[FEATURE_EVENT_DESC];

	strbuf_reset(to);
	r->has_feature[FEATURE_EVENT_DESC] = true;
	append_u32(to, (uint32_t)r->nr_event, r->order);
	append_u32(to, (uint32_t)recording_attr_size(r), r->order);
	for (size_t i = 0; i < r->nr_event; i++) {
		const struct recorded_event *event = &r->event[i];

		recording_put_attr(r, to, event);
		append_u32(to, (uint32_t)(event->ids.size / sizeof(uint64_t)), r->order);
		add_text(r, to, strbuf_peek(&event->name));
		strbuf_add(to, strbuf_peek(&event->ids));
	}
}

/* Removes the feature "samples have branches" if these became call chains. */
static void drop_branches(struct recording *r)
{
	struct attr a;

	for (size_t i = 0; i < r->nr_event; i++)
		if (attr_parse(&a, strbuf_peek(&r->event[i].attr), r->order) &&
		    a.sample_type & PERF_SAMPLE_BRANCH_STACK)
			return;
	r->has_feature[FEATURE_BRANCH_STACK] = false;
}

/* version, type, level, ratio, and the size of the buffer that decompressing needs */
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

void recording_describe(struct recording *r)
{
	describe_events(r);
	drop_branches(r);
	if (r->packer.nr_packed)
		describe_packing(r);
}
