#include "render/page_settings.h"

#include "fold/changes.h"
#include "profile/spelling.h"

#include <assert.h>

static void set(struct view *v, const char *key, struct span value)
{
	assert(v->pack.nr_setting < VIEW_SETTINGS);
	v->setting[v->pack.nr_setting++] = (struct pack_setting){ .key = key, .value = value };
}

/* Lists the numbers of the events in a column. */
static void set_events(struct view *v, const char *key, const struct profile *p, const bool *in)
{
	size_t begin = v->text.size;

	for (size_t i = 0; i < p->nr_event; i++)
		if (in[i])
			strbuf_addf(&v->text, "%s%zu", v->text.size > begin ? "," : "", i);
	if (v->text.size > begin)
		set(v, key, span_from(strbuf_peek(&v->text), begin));
}

static void set_number(struct view *v, const char *key, double number)
{
	size_t begin = v->text.size;

	strbuf_addf(&v->text, "%.17g", number);
	set(v, key, span_from(strbuf_peek(&v->text), begin));
}

static struct span color_name(const struct draw_opts *o, const struct picture_opts *picture)
{
	if (o->style == STYLE_WICK && !o->has_palette)
		return span_of(color_scheme_name(picture->scheme));
	return span_of(palette_name(o->palette));
}

/* Settings that make the page count and compare as the other program's picture does. */
static void set_peer(struct view *v, const struct draw_opts *o)
{
	if (o->svg.factor != 1)
		set_number(v, "factor", o->svg.factor);
	if (o->svg.total > 0)
		set_number(v, "total", o->svg.total);
	set(v, "scale", o->svg.diff_scale == DIFF_SCALE_PERL ? SPAN("perl") : SPAN("inferno"));
	if (o->svg.negate)
		set(v, "negate", SPAN("1"));
	if (o->svg.by_width)
		set(v, "by-width", SPAN("1"));
}

/* "1.5,1.25;1.75": the sizes of the runs before, and after. */
static void set_times(struct view *v, const struct draw_opts *o)
{
	size_t begin = v->text.size;

	for (size_t i = 0; i < o->nr_run[0] + o->nr_run[1]; i++)
		strbuf_addf(&v->text, "%s%.9f",
			    !i			? ""
			    : i == o->nr_run[0] ? ";"
						: ",",
			    o->run_size[i]);
	set(v, "times", span_from(strbuf_peek(&v->text), begin));
}

static void set_comparison(struct view *v, const struct draw_opts *o, const struct profile *p,
			   const struct chosen *c, const struct picture_opts *picture)
{
	size_t begin;

	set_events(v, "before", p, c->in[0]);
	set_events(v, "after", p, c->in[1]);
	set(v, "width", o->either ? SPAN("either") : SPAN("after"));
	set(v, "normalize",
	    o->in_time		? SPAN("duration")
	    : o->not_normalized ? SPAN("none")
				: SPAN("total"));
	if (o->run_size)
		set_times(v, o);
	begin = v->text.size;
	strbuf_addf(&v->text, "%.10g", o->confidence > 0 ? o->confidence : CONFIDENCE_DEFAULT);
	set(v, "confidence", span_from(strbuf_peek(&v->text), begin));
	if (picture->changed)
		set(v, "changed", span_of(picture->changed));
}

void view_init(struct view *v, const struct draw_opts *o, const struct profile *p,
	       const struct chosen *c, const struct picture_opts *picture)
{
	struct span spelling;

	*v = (struct view){ .pack = { .spelling = c->spelling } };
	/*
	 * Values point into the text, so it must not be reallocated: reserves room for all of them.
	 */
	strbuf_reserve(&v->text, 1024 + 22 * p->nr_event + 32 * (o->nr_run[0] + o->nr_run[1]));
	spelling_write(&v->text, c->input_spelling);
	spelling = strbuf_peek(&v->text);
	if (o->svg.title)
		set(v, "title", span_of(o->svg.title));
	if (o->svg.subtitle)
		set(v, "subtitle", span_of(o->svg.subtitle));
	if (c->nr_column == 2)
		set_comparison(v, o, p, c, picture);
	else
		set_events(v, "event", p, c->in[0]);
	set(v, "weight", c->samples ? SPAN("samples") : SPAN("weight"));
	set(v, "unit", span_of(picture->count_name));
	set(v, "top", o->svg.root_on_top ? SPAN("root") : SPAN("leaf"));
	set(v, "tree", o->reverse ? SPAN("reverse") : SPAN("forward"));
	set(v, "sort",
	    o->chart		     ? SPAN("time")
	    : o->order == TREE_WIDTH ? SPAN("width")
				     : SPAN("name"));
	set(v, "color", color_name(o, picture));
	if (o->style == STYLE_PEER)
		set_peer(v, o);
	set(v, "spelling", spelling);
	v->pack.setting = v->setting;
}

void view_release(struct view *v)
{
	strbuf_release(&v->text);
}
