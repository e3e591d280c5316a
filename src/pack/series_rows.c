#include "pack/series_rows.h"

#include "pack/section.h"

void series_rows_write(const struct profile *p, const struct orders *o, struct strbuf *out)
{
	if (!p->nr_series)
		return;
	bytes_add_varint(out, p->nr_series);
	for (size_t i = 0; i < p->nr_series; i++) {
		const struct series *s = &p->series[i];

		bytes_add_varint(out, o->strings.number[s->name.i]);
		bytes_add_varint(out, o->strings.number[s->unit.i]);
		bytes_add_varint(out, o->strings.number[s->scope.i]);
		bytes_add_signed(out, s->scale);
		bytes_add_varint(out, s->quantum);
		bytes_add_varint(out, s->nr);
	}
	for (size_t i = 0; i < p->nr_series; i++) {
		uint64_t last = 0;

		for (size_t k = 0; k < p->series[i].nr; k++) {
			bytes_add_varint(out, p->series[i].point[k].time - last);
			last = p->series[i].point[k].time;
		}
	}
	for (size_t i = 0; i < p->nr_series; i++) {
		uint64_t last = 0;

		for (size_t k = 0; k < p->series[i].nr; k++) {
			uint64_t value = (uint64_t)p->series[i].point[k].value;

			bytes_add_signed(out, (int64_t)(value - last));
			last = value;
		}
	}
}

/* The head of a series; its points have columns of their own. */
struct head {
	str_id name, unit, scope;
	int64_t scale;
	uint64_t quantum;
	size_t nr;
};

static struct head next_head(const struct profile *p, struct bytes *b)
{
	struct head h = { .name = { section_handle(b, p->strings.nr) } };

	h.unit.i = section_handle(b, p->strings.nr);
	h.scope.i = section_handle(b, p->strings.nr);
	h.scale = bytes_signed(b);
	h.quantum = bytes_varint(b);
	h.nr = bytes_count(b);
	if (h.scale > 0 || h.scale < PROFILE_SCALE_MIN || !h.quantum || h.nr > PROFILE_POINTS_MAX)
		bytes_fail(b);
	return h;
}

static int read_points(struct profile *p, const struct head *h, struct bytes *time,
		       struct bytes *value, size_t which, struct error *e)
{
	struct series *s = profile_series(p, profile_peek(p, h->name), profile_peek(p, h->unit),
					  profile_peek(p, h->scope));
	uint64_t at = 0, sum = 0;

	if (!s || p->nr_series != which + 1)
		return section_wrong(e, "duplicate series");
	s->scale = (int)h->scale;
	s->quantum = h->quantum;
	for (size_t i = 0; i < h->nr; i++) {
		uint64_t step = bytes_varint(time);

		sum += (uint64_t)bytes_signed(value);
		if (time->failed || value->failed || __builtin_add_overflow(at, step, &at))
			return section_cut_short(e);
		series_add(p, s, at, (int64_t)sum);
	}
	return 0;
}

int series_rows_read(struct profile *p, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes heads = *b, time, value;
	uint64_t rows = 0;

	if (nr > PROFILE_SERIES_MAX)
		return section_wrong(e, "too many series");
	for (size_t i = 0; i < nr; i++) {
		rows += next_head(p, b).nr;
		if (b->failed || rows > bytes_left(b))
			return section_cut_short(e);
	}
	time = bytes_column(b, (size_t)rows);
	value = bytes_column(b, (size_t)rows);
	if (b->failed)
		return section_cut_short(e);
	for (size_t i = 0; i < nr; i++) {
		struct head h = next_head(p, &heads);

		if (read_points(p, &h, &time, &value, i, e))
			return -1;
	}
	return 0;
}
