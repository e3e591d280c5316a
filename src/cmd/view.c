#include "cmd/view.h"

#include <assert.h>

static void set(struct view *v, const char *key, struct span value)
{
	assert(v->pack.nr_setting < VIEW_SETTINGS);
	v->setting[v->pack.nr_setting++] = (struct pack_setting){ .key = key, .value = value };
}

/* The first event that is shown in a column. */
static void set_event(struct view *v, const char *key, const struct profile *p, const bool *in)
{
	size_t begin = v->text.size, event = 0;

	while (event < p->nr_event && !in[event])
		event++;
	if (event == p->nr_event)
		return;
	strbuf_addf(&v->text, "%zu", event);
	set(v, key, span_from(strbuf_peek(&v->text), begin));
}

void view_init(struct view *v, const struct flame_opts *o, const struct collapse_result *r,
	       const struct chosen *c)
{
	struct span spelling;

	*v = (struct view){ .pack = { .spelling = c->spelling } };
	/* The values point into the text, which must not move. */
	strbuf_reserve(&v->text, 1024);
	spelling_write(&v->text, r->spelling);
	spelling = strbuf_peek(&v->text);
	if (o->svg.title)
		set(v, "title", span_of(o->svg.title));
	if (o->svg.subtitle)
		set(v, "subtitle", span_of(o->svg.subtitle));
	if (c->nr_column == 2) {
		set_event(v, "before", &r->p, c->in[0]);
		set_event(v, "after", &r->p, c->in[1]);
	} else {
		set_event(v, "event", &r->p, c->in[0]);
	}
	set(v, "weight", c->samples ? SPAN("samples") : SPAN("weight"));
	if (o->svg.count_name)
		set(v, "unit", span_of(o->svg.count_name));
	set(v, "top", o->svg.root_on_top ? SPAN("root") : SPAN("leaf"));
	set(v, "tree", o->reverse ? SPAN("reverse") : SPAN("forward"));
	set(v, "sort",
	    o->chart		     ? SPAN("time")
	    : o->order == TREE_WIDTH ? SPAN("width")
				     : SPAN("name"));
	set(v, "color", span_of(palette_name(o->palette)));
	set(v, "spelling", spelling);
	v->pack.setting = v->setting;
}

void view_release(struct view *v)
{
	strbuf_release(&v->text);
}
