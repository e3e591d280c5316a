/* The header of perf.data: where its sections are, and its events. */
#include "perf/file/perf_data.h"

enum { ATTR_SIZE_MAX = 4096 };

static struct perf_section take_section(struct fields *f)
{
	return (struct perf_section){ .offset = fields_u64(f), .size = fields_u64(f) };
}

/* Reads a whole section; nothing if it is missing. */
static int read_section(struct perf_data *d, struct perf_section s, struct strbuf *into,
			struct error *e)
{
	ssize_t n;

	strbuf_reset(into);
	if (s.size > PERF_SECTION_MAX)
		return perf_data_note(d, NOTE_BAD_HEADER, "section exceeds the file", e);
	strbuf_reserve(into, (size_t)s.size);
	n = source_read_at(d->b->text->source, s.offset, into->at, (size_t)s.size, e);
	if (n < 0)
		return -1;
	into->size = (size_t)n;
	return 0;
}

static int read_attrs(struct perf_data *d, struct perf_section s, uint64_t entry, struct error *e)
{
	struct strbuf all = { 0 }, ids = { 0 };
	int ret = read_section(d, s, &all, e);
	struct fields f = fields_over(strbuf_peek(&all), d->order);

	while (!ret && fields_left(&f) >= entry) {
		struct span bytes = fields_take(&f, entry - 2 * sizeof(uint64_t));
		struct perf_section where = take_section(&f);

		if (!perf_data_add_attr(d, bytes))
			break;
		ret = read_section(d, where, &ids, e);
		if (!ret)
			perf_data_add_ids(d, strbuf_peek(&ids));
	}
	strbuf_release(&all);
	strbuf_release(&ids);
	return ret;
}

static int read_features(struct perf_data *d, struct perf_section data, const uint64_t bits[4],
			 struct error *e)
{
	struct strbuf table = { 0 }, bytes = { 0 };
	bool cut = false;
	size_t nr = 0;
	struct fields f;
	int ret;

	for (int i = 0; i < 4; i++)
		nr += (size_t)__builtin_popcountll(bits[i]);
	ret = read_section(d,
			   (struct perf_section){ .offset = data.offset + data.size,
						  .size = nr * 2 * sizeof(uint64_t) },
			   &table, e);
	f = fields_over(strbuf_peek(&table), d->order);
	for (unsigned i = 0; i < FEATURE_BITS && !ret; i++) {
		struct perf_section s;

		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		s = take_section(&f);
		cut |= f.failed;
		if (f.failed || s.size > PERF_SECTION_MAX)
			continue;
		ret = read_section(d, s, &bytes, e);
		cut |= bytes.size < s.size;
		if (!ret)
			perf_feature(d, i, strbuf_peek(&bytes));
	}
	/*
	 * If the whole table is missing, the records are truncated, too, which their reader
	 * reports.
	 */
	if (!ret && cut && table.size)
		ret = perf_data_note(d, NOTE_NO_END, "truncated recording", e);
	strbuf_release(&table);
	strbuf_release(&bytes);
	return ret;
}

static int cut_in_header(struct error *e)
{
	return error_set(e, ERROR_INPUT, "truncated recording: incomplete header");
}

int perf_contents_read(struct perf_data *d, struct fields *f, struct perf_section *records,
		       struct error *e)
{
	uint64_t entry = fields_u64(f), bits[4];
	struct perf_section attrs = take_section(f);

	*records = take_section(f);
	take_section(f); /* event types, obsolete */
	for (int i = 0; i < 4; i++)
		bits[i] = fields_u64(f);
	if (f->failed)
		return cut_in_header(e);
	if (entry < PERF_ATTR_SIZE_VER0 + 16 || entry > ATTR_SIZE_MAX)
		return error_set(e, ERROR_INPUT, "corrupt perf.data header");
	if (read_attrs(d, attrs, entry, e))
		return -1;
	if (!d->attrs.nr)
		return attrs.size < entry
			       ? error_set(e, ERROR_INPUT, "perf.data header without events")
			       : cut_in_header(e);
	if (records->size)
		return read_features(d, *records, bits, e);
	/* A recorder that is killed does not fill in these fields. */
	records->size = UINT64_MAX - records->offset;
	return perf_data_note(d, NOTE_NO_END, "perf did not finish writing the file", e);
}
