#include "pack/pack_read.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "pack/count_rows.h"
#include "pack/interval_rows.h"
#include "pack/note_rows.h"
#include "pack/section.h"
#include "pack/series_rows.h"
#include "pack/stack_rows.h"
#include "pack/tick_rows.h"

#include <assert.h>
#include <stdlib.h>

struct reader {
	struct profile *p;
	pack_visitor *visit;
	void *arg;
};

bool pack_begins(struct span head)
{
	/* The last byte is the version, which pack_read() checks. */
	return head.size >= PACK_MAGIC_SIZE && !memcmp(head.at, PACK_MAGIC, PACK_MAGIC_SIZE - 1);
}

static str_id string(const struct reader *r, struct bytes *b)
{
	return (str_id){ section_handle(b, r->p->strings.nr) };
}

static int read_strings(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes size = bytes_column(b, nr);

	for (size_t i = 0; i < nr; i++) {
		struct span s = bytes_take(b, bytes_upto(&size, PROFILE_NAME_MAX));

		if (b->failed || size.failed)
			return section_cut_short(e);
		if (profile_string(r->p, s).i != i + 1)
			return section_wrong(e, "duplicate string");
	}
	return b->failed ? section_cut_short(e) : 0;
}

static int read_modules(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes path = bytes_column(b, nr), build_id = bytes_column(b, nr);

	for (size_t i = 0; i < nr; i++) {
		str_id name = string(r, &path), id = string(r, &build_id);

		if (path.failed || build_id.failed)
			return section_cut_short(e);
		if (profile_module(r->p, profile_peek(r->p, name), profile_peek(r->p, id)).i !=
		    i + 1)
			return section_wrong(e, "duplicate module");
	}
	return b->failed ? section_cut_short(e) : 0;
}

/* The columns of the lines, frame after frame. */
struct line_columns {
	struct bytes function, file, line;
	size_t nr;	 /* remaining lines */
	struct line *at; /* the lines of one frame */
	size_t cap;
};

/* Reads nr lines into l->at; -1: fewer are left. */
static int next_lines(const struct reader *r, struct line_columns *l, size_t nr)
{
	if (nr > l->nr)
		return -1;
	l->nr -= nr;
	if (nr > l->cap) {
		l->cap = nr;
		l->at = xreallocarray(l->at, l->cap, sizeof(*l->at));
	}
	for (size_t i = 0; i < nr; i++)
		l->at[i] = (struct line){ .function = string(r, &l->function),
					  .file = string(r, &l->file),
					  .line = (uint32_t)bytes_upto(&l->line, UINT32_MAX) };
	return l->function.failed || l->file.failed || l->line.failed ? -1 : 0;
}

enum {
	FRAME_FLAGS = FRAME_RETURN_ADDRESS | FRAME_INLINED | FRAME_JIT_INLINED | FRAME_WAKER |
		      FRAME_IN_MODULE
};

static int read_frames(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes kind = bytes_column(b, nr), flags = bytes_column(b, nr),
		     module = bytes_column(b, nr), address = bytes_column(b, nr),
		     nr_line = bytes_column(b, nr);
	struct line_columns l = { .nr = bytes_count(b) };
	uint64_t at = 0;
	int ret = 0;

	l.function = bytes_column(b, l.nr);
	l.file = bytes_column(b, l.nr);
	l.line = bytes_column(b, l.nr);
	for (size_t i = 0; i < nr && !ret; i++) {
		size_t lines = (size_t)bytes_varint(&nr_line);
		struct frame f = { .kind = (enum frame_kind)bytes_upto(&kind, FRAME_LABEL),
				   .flags = (unsigned)bytes_upto(&flags, FRAME_FLAGS),
				   .module = { section_handle(&module, r->p->nr_module) },
				   .nr_line = (uint32_t)lines };

		at += (uint64_t)bytes_signed(&address);
		f.address = at;
		if (kind.failed || flags.failed || module.failed || address.failed ||
		    nr_line.failed || next_lines(r, &l, lines)) {
			ret = section_cut_short(e);
			break;
		}
		f.line = l.at;
		if (profile_frame(r->p, &f).i != i + 1)
			ret = section_wrong(e, "duplicate frame");
	}
	free(l.at);
	if (!ret && (b->failed || l.nr))
		ret = section_cut_short(e);
	return ret;
}

static int read_stacks(struct reader *r, struct bytes *b, struct error *e)
{
	return stack_rows_read(r->p, b, e);
}

static int read_threads(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes pid = bytes_column(b, nr), tid = bytes_column(b, nr),
		     comm = bytes_column(b, nr);

	for (size_t i = 0; i < nr; i++) {
		/* 0 - 1 is THREAD_UNKNOWN. */
		struct thread t = { .pid = (uint32_t)bytes_upto(&pid, UINT32_MAX) - 1,
				    .tid = (uint32_t)bytes_upto(&tid, UINT32_MAX) - 1,
				    .comm = string(r, &comm) };

		if (pid.failed || tid.failed || comm.failed)
			return section_cut_short(e);
		if (profile_thread(r->p, &t).i != i + 1)
			return section_wrong(e, "duplicate thread");
	}
	return b->failed ? section_cut_short(e) : 0;
}

static int read_events(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes name = bytes_column(b, nr), unit = bytes_column(b, nr),
		     scale = bytes_column(b, nr), period = bytes_column(b, nr);

	/*
	 * profile_event() searches all events: a malicious number of them would take quadratic
	 * time.
	 */
	if (nr > PROFILE_EVENTS_MAX)
		return section_wrong(e, "too many events");
	for (size_t i = 0; i < nr; i++) {
		str_id n = string(r, &name), u = string(r, &unit);
		int64_t s = bytes_signed(&scale);
		uint64_t every = bytes_varint(&period);

		if (name.failed || unit.failed || scale.failed || period.failed)
			return section_cut_short(e);
		if (s > 0 || s < PROFILE_SCALE_MIN)
			return section_wrong(e, "scale without an event");
		if (profile_event(r->p, profile_peek(r->p, n), profile_peek(r->p, u)) != i)
			return section_wrong(e, "duplicate event");
		r->p->event[i].scale = (int)s;
		r->p->event[i].period = every;
	}
	return b->failed ? section_cut_short(e) : 0;
}

/*
 * Members of events that were added to the format later: the source of their weights, and the
 * extent of intervals.
 */
static int read_sources(struct reader *r, struct bytes *b, struct error *e)
{
	struct profile *p = r->p;
	struct bytes source = bytes_column(b, p->nr_event), extent = bytes_column(b, p->nr_event);

	for (size_t i = 0; i < p->nr_event; i++) {
		p->event[i].source = (enum weight_source)bytes_upto(&source, SOURCE_MEASURED);
		p->event[i].extent = (enum extent)bytes_upto(&extent, EXTENT_WHOLE);
	}
	return b->failed || source.failed || extent.failed ? section_cut_short(e) : 0;
}

static int read_labels(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b), cap = 0;
	struct bytes size = bytes_column(b, nr), sizes = size, key;
	struct label *label = NULL;
	uint64_t all = 0;
	int ret = 0;

	/* Keys and values have a column each, as long as all sets together. */
	for (size_t i = 0; i < nr && all <= bytes_left(b); i++)
		all += bytes_upto(&sizes, bytes_left(b));
	if (all > bytes_left(b))
		return section_cut_short(e);
	key = bytes_column(b, (size_t)all);
	for (size_t i = 0; i < nr && !ret; i++) {
		size_t nr_label = (size_t)bytes_upto(&size, all);

		all -= nr_label;
		if (nr_label > cap) {
			cap = nr_label;
			label = xreallocarray(label, cap, sizeof(*label));
		}
		for (size_t k = 0; k < nr_label; k++)
			label[k] = (struct label){ string(r, &key), string(r, b) };
		if (size.failed || key.failed || b->failed)
			ret = section_cut_short(e);
		else if (profile_labels(r->p, label, nr_label).i != i + 1)
			ret = section_wrong(e, "duplicate label set");
	}
	free(label);
	return !ret && b->failed ? section_cut_short(e) : ret;
}

static int read_counts(struct reader *r, struct bytes *b, struct error *e)
{
	return count_rows_read(r->p, b, e);
}

static int read_ticks(struct reader *r, struct bytes *b, struct error *e)
{
	return tick_rows_read(r->p, b, e);
}

static int read_links(struct reader *r, struct bytes *b, struct error *e)
{
	return interval_rows_read_links(r->p, b, e);
}

static int read_intervals(struct reader *r, struct bytes *b, struct error *e)
{
	return interval_rows_read(r->p, b, e);
}

static int read_series(struct reader *r, struct bytes *b, struct error *e)
{
	return series_rows_read(r->p, b, e);
}

static int read_notes(struct reader *r, struct bytes *b, struct error *e)
{
	return note_rows_read(&r->p->notes, b, e);
}

static int read_info(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes key = bytes_column(b, nr), value = bytes_column(b, nr);

	if (nr > PROFILE_INFO_MAX)
		return section_wrong(e, "too many facts");
	for (size_t i = 0; i < nr; i++) {
		str_id k = string(r, &key), v = string(r, &value);

		if (key.failed || value.failed)
			return section_cut_short(e);
		profile_inform(r->p, profile_peek(r->p, k), profile_peek(r->p, v));
	}
	return b->failed ? section_cut_short(e) : 0;
}

static int read_settings(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);

	for (size_t i = 0; i < nr && !b->failed; i++) {
		struct span key = bytes_text(b);
		struct span value = bytes_text(b);

		if (!b->failed && r->visit)
			r->visit(r->arg, key, value);
	}
	return b->failed ? section_cut_short(e) : 0;
}

/* In the order of PACK_TAGS; NULL: only the page reads that section. */
static int (*const readers[PACK_NR_TAGS])(struct reader *, struct bytes *, struct error *) = {
	read_strings, read_modules, read_frames, read_stacks,	read_threads, read_events,
	read_sources, read_labels,  read_counts, read_ticks,	read_links,   read_intervals,
	read_series,  read_notes,   read_info,	 read_settings, NULL,
};

static int read_section(struct reader *r, const struct section_view *s, size_t which,
			struct error *e)
{
	struct strbuf unpacked = { 0 };
	struct span body;
	int ret = section_unpack(s, &unpacked, &body, e);

	if (!ret) {
		struct bytes b = bytes_over(body);

		ret = readers[which](r, &b, e);
		if (!ret && bytes_left(&b))
			ret = section_wrong(e, "trailing bytes");
	}
	strbuf_release(&unpacked);
	return ret ? error_within(e, "section %c", s->tag) : 0;
}

/*
 * An unknown section with an upper-case tag is part of the profile, added by a newer version of
 * wick.
 */
static void note_unknown(struct profile *p, char tag)
{
	if (tag >= 'A' && tag <= 'Z')
		notes_add(&p->notes, NOTE_FOREIGN, 1, 0, (struct span){ .at = &tag, .size = 1 });
}

static int read_sections(struct reader *r, struct bytes *b, struct error *e)
{
	struct section_view s;
	size_t next = 0;

	while (section_next(b, &s)) {
		const char *known = s.tag ? strchr(PACK_TAGS, s.tag) : NULL;
		size_t which = known ? (size_t)(known - PACK_TAGS) : 0;

		if (!known) {
			note_unknown(r->p, s.tag);
			continue;
		}
		if (which < next)
			return error_set(e, ERROR_INPUT, "section %c: out of order", s.tag);
		next = which + 1;
		if (readers[which] && read_section(r, &s, which, e))
			return -1;
	}
	return b->failed ? section_wrong(e, "truncated pack") : 0;
}

int pack_read(struct profile *p, struct span bytes, pack_visitor *visit, void *arg, struct error *e)
{
	struct reader r = { .p = p, .visit = visit, .arg = arg };
	struct bytes b = bytes_over(span_from(bytes, PACK_MAGIC_SIZE));
	int ret;

	assert(p->strings.nr == 1 && p->nr_stack == 1 && !p->nr_count && !p->fold_recursion);
	if (!pack_begins(bytes))
		return section_wrong(e, "not a pack (bad magic)");
	if (bytes.at[PACK_MAGIC_SIZE - 1] != PACK_MAGIC[PACK_MAGIC_SIZE - 1])
		return error_set(e, ERROR_INPUT,
				 "unsupported pack version %u (this wick reads version 1)",
				 (unsigned)(unsigned char)bytes.at[PACK_MAGIC_SIZE - 1]);
	ret = read_sections(&r, &b, e);
	/* Links precede the intervals that they refer to, which may be missing. */
	if (!interval_rows_complete(p)) {
		profile_drop_intervals(p);
		if (!ret)
			ret = section_wrong(e, "section A: references to missing intervals");
	}
	return ret;
}
