/*
 * Flame graphs as inputs.  .wick files, and the SVGs and pages that wick draws, contain
 * the whole profile as a pack (docs/pack.md).  SVGs of inferno and flamegraph.pl are
 * converted back from their boxes.
 */
#include "base/alloc.h"
#include "base/base64.h"
#include "pack/pack_read.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/pictures/svg_boxes.h"
#include "read/readers.h"
#include "read/whole_input.h"

#include <stdlib.h>

/* Limit of declarations and comments before an SVG: bytes. */
enum { PROLOG_MAX = 4096 };

static bool starts_html(struct span head)
{
	static const char *const begins[] = { "<!doctype html", "<html" };

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (head.size >= strlen(begins[i]) &&
		    !strncasecmp(head.at, begins[i], strlen(begins[i])))
			return true;
	return false;
}

static bool is_page(struct span head)
{
	head = span_trim_start(head);
	return starts_html(head) ||
	       (span_starts(head, "<") && span_contains(span_upto(head, PROLOG_MAX), "<svg"));
}

static bool accepts(struct span head)
{
	return pack_begins(head) || is_page(head);
}

/* The text of the pack in a page; empty: there is none. */
static struct span find_pack(struct span page)
{
	static const char id[] = "id=\"wick\">";

	for (;;) {
		size_t at = span_find_text(page, id);

		if (at == page.size)
			return SPAN("");
		page = span_trim_start(span_from(page, at + sizeof(id) - 1));
		/* The first bytes of every pack, in base64. */
		if (span_starts(page, "iXdpY2sNCg"))
			return span_upto(page, span_find(page, '<'));
	}
}

static void on_setting(void *arg, struct span key, struct span value)
{
	struct read_result *result = arg;

	if (span_is(key, "spelling"))
		result->spelling = spelling_parse(value);
	compared_set(&result->compared, key, value);
}

static bool is_new(const struct profile *p)
{
	return p->strings.nr == 1 && p->nr_stack == 1 && !p->nr_event && !p->fold_recursion;
}

/* If ticks are requested and the pack has none for an event, each of its counts becomes one. */
static void make_ticks(struct profile *p)
{
	bool *has = xcalloc(p->nr_event, sizeof(*has));
	uint64_t quantum = p->tick_quantum;

	for (size_t i = 0; i < p->nr_tick; i++)
		has[p->tick[i].event] = true;
	profile_keep_ticks(p, PROFILE_TICKS_DEFAULT + p->nr_tick + p->nr_count);
	p->tick_quantum = quantum ? quantum : 1;
	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];

		if (has[c->event])
			continue;
		p->event[c->event].untimed = true;
		GROW(p->tick, p->nr_tick, p->cap_tick);
		p->tick[p->nr_tick++] = (struct tick){ .time = i + 1,
						       .event = c->event,
						       .thread = c->thread,
						       .stack = c->stack,
						       .labels = c->labels,
						       .weight = c->weight };
	}
	free(has);
}

static int read_pack(struct build *b, struct span pack, struct error *e)
{
	bool ticks = b->o->ticks;
	struct profile own;
	int ret;

	b->result->is_pack = true;
	/* Rows keep their numbers in an empty profile. */
	if (is_new(b->p)) {
		ret = pack_read(b->p, pack, on_setting, b->result, e);
		if (ticks)
			make_ticks(b->p);
		return ret;
	}
	profile_init(&own);
	ret = pack_read(&own, pack, on_setting, b->result, e);
	if (ticks)
		make_ticks(&own);
	profile_merge(b->p, &own);
	profile_release(&own);
	return ret;
}

static int read_text(struct build *b, struct span page, struct error *e)
{
	struct span text = find_pack(page);
	struct strbuf pack = { 0 };
	int ret;

	if (!text.size && starts_html(span_trim_start(page)))
		return error_set(e, ERROR_INPUT, "the page has no wick profile");
	if (!text.size)
		return boxes_read(b, page, e);
	ret = base64_parse(&pack, text);
	if (ret)
		error_set(e, ERROR_INPUT, "the profile in the page is corrupt");
	else
		ret = read_pack(b, strbuf_peek(&pack), e);
	strbuf_release(&pack);
	return ret;
}

static int read_page(struct build *b, struct error *e)
{
	struct whole whole;

	if (whole_open(&whole, b, e))
		return -1;
	return pack_begins(whole.all) ? read_pack(b, whole.all, e) : read_text(b, whole.all, e);
}

const struct reader reader_page = {
	.name = "page",
	.title = "wick files (.wick, .html, .svg) and SVG flame graphs",
	.accepts = accepts,
	.read = read_page,
	.split = SPLIT_ANYWHERE,
	.spelling = SPELL_MARKS,
};
