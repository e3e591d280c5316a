/* The features of a perf.data file: host, command line, build IDs, names of events, … */
#include "base/date.h"
#include "perf/file/perf_data.h"

/* A length and that many bytes, padded with NULs. */
static struct span take_string(struct fields *f)
{
	struct span s = fields_take(f, fields_u32(f));

	return span_upto(s, span_find(s, '\0'));
}

static void inform(struct perf_data *d, struct span key, struct span value)
{
	if (value.size)
		profile_inform(d->b->p, key, value);
}

static void command_line(struct perf_data *d, struct fields *f)
{
	struct strbuf line = { 0 };

	for (uint32_t nr = fields_u32(f); nr && fields_left(f); nr--) {
		if (line.size)
			strbuf_addch(&line, ' ');
		strbuf_add(&line, take_string(f));
	}
	inform(d, SPAN("command"), strbuf_peek(&line));
	strbuf_release(&line);
}

static void processors(struct perf_data *d, struct fields *f)
{
	struct strbuf text = { 0 };

	fields_u32(f); /* configured; the next one is online: */
	strbuf_addf(&text, "%u", fields_u32(f));
	if (!f->failed)
		inform(d, SPAN("cpus"), strbuf_peek(&text));
	strbuf_release(&text);
}

/* `perf record -k CLOCK`: the values of that clock and of the time of day at one moment. */
static void clock_data(struct perf_data *d, struct fields *f)
{
	struct strbuf text = { 0 };
	uint64_t ns, then;

	fields_u32(f); /* version, and which clock: */
	fields_u32(f);
	ns = fields_u64(f);
	then = fields_u64(f);
	if (!f->failed) {
		d->clock.wall = ns;
		d->clock.then = then;
	}
	if (!f->failed && ns)
		date_add(&text, (time_t)(ns / 1000000000));
	inform(d, SPAN("captured"), strbuf_peek(&text));
	strbuf_release(&text);
}

/* The names of the events, each with a copy of its attr and its IDs. */
static void event_descriptions(struct perf_data *d, struct fields *f)
{
	uint32_t nr = fields_u32(f), attr_size = fields_u32(f);

	for (uint32_t i = 0; i < nr && fields_left(f); i++) {
		uint32_t nr_id;
		struct span name;
		struct words ids;
		int attr;

		fields_take(f, attr_size);
		nr_id = fields_u32(f);
		name = take_string(f);
		ids = fields_words(f, nr_id);
		attr = ids.nr ? attrs_find_id(&d->attrs, word_at(&ids, 0)) : -1;
		/* Without IDs, there is only one event, or they are in the order of the attrs. */
		if (attr < 0 && i < d->attrs.nr)
			attr = (int)i;
		if (attr >= 0 && !f->failed) {
			strbuf_reset(&d->attrs.name[attr]);
			strbuf_add(&d->attrs.name[attr], name);
		}
	}
}

void perf_build_id(struct perf_data *d, struct span record)
{
	/* A bit of misc: the byte after the build ID is its size. */
	enum { HAS_SIZE = 1 << 15, ROOM = 24 };
	struct fields f = fields_over(record, d->order);
	struct span id, path;
	uint16_t misc;
	uint8_t size;

	fields_u32(&f);
	misc = fields_u16(&f);
	fields_u16(&f);
	fields_u32(&f); /* pid: -1, or that of a virtual machine */
	id = fields_take(&f, ROOM);
	path = fields_text(&f);
	if (f.failed || !path.size)
		return;
	size = (uint8_t)id.at[BUILD_ID_MAX];
	id = span_upto(id, misc & HAS_SIZE && size <= BUILD_ID_MAX ? size : BUILD_ID_MAX);
	ingest_build_id(&d->ingest, path, id);
}

static void build_ids(struct perf_data *d, struct fields *f)
{
	while (fields_left(f) >= RECORD_HEADER_SIZE) {
		struct record_header h = record_header(f->at, d->order);

		if (h.size < RECORD_HEADER_SIZE)
			return;
		perf_build_id(d, fields_take(f, h.size));
	}
}

void perf_feature(struct perf_data *d, unsigned feature, struct span bytes)
{
	struct fields f = fields_over(bytes, d->order);

	perf_copy_feature(d, feature, bytes);
	switch (feature) {
	case FEATURE_BUILD_ID:
		build_ids(d, &f);
		break;
	case FEATURE_HOSTNAME:
		inform(d, SPAN("host"), take_string(&f));
		break;
	case FEATURE_OSRELEASE:
		inform(d, SPAN("kernel"), take_string(&f));
		break;
	case FEATURE_VERSION:
		inform(d, SPAN("perf"), take_string(&f));
		break;
	case FEATURE_ARCH:
		inform(d, SPAN("arch"), take_string(&f));
		break;
	case FEATURE_NRCPUS:
		processors(d, &f);
		break;
	case FEATURE_CPUDESC:
		inform(d, SPAN("cpu"), take_string(&f));
		break;
	case FEATURE_CMDLINE:
		command_line(d, &f);
		break;
	case FEATURE_CLOCK_DATA:
		clock_data(d, &f);
		break;
	case FEATURE_EVENT_DESC:
		event_descriptions(d, &f);
		break;
	case FEATURE_WAITS:
		perf_waits_read(d, bytes);
		break;
	case FEATURE_SERIES:
		perf_series_read(d, bytes);
		break;
	default:
		break;
	}
}
