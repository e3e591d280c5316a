/* Texts about the whole picture: its unit, and what is missing (lost samples, events not shown). */
#include "render/drawing.h"
#include "render/number.h"

/* The unit of the numbers: as given on the command line, or else that of the event. */
static void set_unit(struct drawing *d)
{
	const struct profile *p = d->p;
	struct span unit = SPAN("samples");

	if (d->o->svg.count_name) {
		unit = span_of(d->o->svg.count_name);
	} else if (!d->c->samples) {
		unit = chosen_unit(p, d->c);
	}
	strbuf_add(&d->unit, unit);
	d->svg.count_name = d->picture.count_name = d->unit.at;
	d->drawn.unit = d->unit.at;
}

/* ", 12 samples lost" */
static void add_lost(struct strbuf *out, const struct notes *n)
{
	if (!n->count[NOTE_LOST])
		return;
	strbuf_add(out, SPAN(", "));
	number_add_count(out, (double)n->count[NOTE_LOST], SPAN("samples"));
	strbuf_add(out, SPAN(" lost"));
}

/* " (not shown: page-faults, …)": events that a static picture does not hold. */
static void add_not_shown(struct strbuf *out, const struct notes *n)
{
	bool any = false;

	for (size_t i = 0; i < n->nr; i++) {
		if (n->note[i].code != NOTE_FILTERED)
			continue;
		strbuf_add(out, any ? SPAN(", ") : SPAN(" (not shown: "));
		strbuf_add(out, n->note[i].text);
		any = true;
	}
	if (any)
		strbuf_addch(out, ')');
}

static void set_missing(struct drawing *d)
{
	const struct notes *n = &d->p->notes;

	add_lost(&d->missing, n);
	add_not_shown(&d->missing, n);
	if (d->missing.size)
		d->picture.missing = d->missing.at;
}

/* Another program's picture has room for lost samples in the subtitle only. */
static void set_lost(struct drawing *d)
{
	struct strbuf *text = &d->subtitle;

	if (drawing_is_own(d) || !d->p->notes.count[NOTE_LOST])
		return;
	if (d->svg.subtitle)
		strbuf_add(text, span_of(d->svg.subtitle));
	add_lost(text, &d->p->notes);
	d->svg.subtitle = d->o->svg.subtitle ? text->at : text->at + strlen(", ");
}

void drawing_set_words(struct drawing *d)
{
	set_missing(d);
	set_lost(d);
	set_unit(d);
}
