#include "read/text/listing.h"

#include "read/text/names.h"

int listing_read(struct listing *l, struct error *e)
{
	struct span line;
	int ret = 0;

	l->weight = 1;
	if (!l->own_events)
		l->b->event = profile_event(l->b->p, SPAN("samples"), SPAN("samples"));
	while (!ret && text_line(l->b->text, &line))
		ret = l->line(l, line, e);
	if (!ret)
		ret = listing_end(l, e);
	strbuf_release(&l->name);
	strbuf_release(&l->part);
	return ret;
}

struct span listing_name(struct listing *l, struct span name)
{
	return span_find(name, ';') < name.size ? name_tidy(name, TIDY_NONE, &l->name) : name;
}

static frame_id frame_of(struct listing *l, enum frame_kind kind, struct span name)
{
	return build_frame(l->b, kind, SPAN(""), listing_name(l, name));
}

void listing_push_frame(struct listing *l, frame_id f)
{
	/* One more than the limit, so that build_end() notes it; the rest would be dropped anyway. */
	if (l->b->nr <= PROFILE_DEPTH_MAX)
		build_push(l->b, f);
}

void listing_push(struct listing *l, struct span name)
{
	listing_push_frame(l, name.size ? frame_of(l, FRAME_USER, name) : (frame_id){ 0 });
}

void listing_push_label(struct listing *l, struct span name)
{
	listing_push_frame(l, frame_of(l, FRAME_LABEL, name));
}

static int count_stack(struct listing *l, struct error *e)
{
	if (!l->b->nr)
		return 0;
	return build_end_many(l->b, LEAF_FIRST, l->weight, l->is_measured ? 1 : (uint64_t)l->weight,
			      e);
}

int listing_end(struct listing *l, struct error *e)
{
	return l->end ? l->end(l, e) : count_stack(l, e);
}

int listing_cut_short(struct listing *l, struct error *e)
{
	bool is_open = l->b->nr > 0;

	build_drop(l->b);
	return is_open ? build_note(l->b, NOTE_CUT_SHORT, SPAN(""), e) : 0;
}

int listing_count(struct listing *l, struct span count, struct error *e)
{
	if (!build_weight(l->b, count, &l->weight)) {
		build_drop(l->b);
		return build_note(l->b, NOTE_BAD_COUNT, count, e);
	}
	if (!l->b->nr && l->b->o->drop_empty)
		notes_add(&l->b->p->notes, NOTE_NO_STACK, (uint64_t)l->weight, l->b->text->line,
			  SPAN(""));
	else if (!l->b->nr)
		listing_push(l, SPAN(""));
	return count_stack(l, e);
}

bool listing_number(struct span *line, uint64_t *number)
{
	struct span digits;

	if (!span_starts(*line, "#"))
		return false;
	digits = span_digits(span_from(*line, 1));
	if (!span_u64(digits, number))
		return false;
	*line = span_trim_start(span_from(*line, 1 + digits.size));
	return true;
}

uint32_t listing_id(struct span s)
{
	bool is_known;
	uint64_t id;
	size_t n = 2;

	if (span_starts(s, "0x")) {
		while (n < s.size && is_hex(s.at[n]))
			n++;
		is_known = span_hex(span_from(span_upto(s, n), 2), &id);
	} else {
		is_known = span_u64(span_digits(s), &id);
	}
	return is_known && id < THREAD_UNKNOWN ? (uint32_t)id : THREAD_UNKNOWN;
}
