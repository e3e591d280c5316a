#include "tui/narrow.h"

#include "base/alloc.h"

#include <stdlib.h>

void narrow_release(struct narrow *n)
{
	while (narrow_pop(n))
		;
	free(n->step);
	*n = (struct narrow){ 0 };
}

void narrow_add(struct narrow *n, enum narrow_kind kind, struct span text,
		const struct time_span *span)
{
	GROW(n->step, n->nr, n->cap);
	n->step[n->nr] = (struct narrow_step){ .kind = kind };
	strbuf_add(&n->step[n->nr].text, text);
	if (span)
		n->step[n->nr].span = *span;
	n->nr++;
}

bool narrow_pop(struct narrow *n)
{
	if (!n->nr)
		return false;
	strbuf_release(&n->step[--n->nr].text);
	return true;
}

bool narrow_drop(struct narrow *n, enum narrow_kind kind)
{
	for (size_t i = n->nr; i-- > 0;)
		if (n->step[i].kind == kind) {
			strbuf_release(&n->step[i].text);
			n->nr--;
			memmove(&n->step[i], &n->step[i + 1], (n->nr - i) * sizeof(*n->step));
			return true;
		}
	return false;
}

void narrow_add_pattern(struct strbuf *out, struct span name)
{
	strbuf_addch(out, '^');
	for (size_t i = 0; i < name.size; i++) {
		if (name.at[i] && strchr("\\^$.|?*+()[]{}/-", name.at[i]))
			strbuf_addch(out, '\\');
		strbuf_addch(out, name.at[i]);
	}
	strbuf_addch(out, '$');
}

static struct pattern *pattern_of(struct span name, struct error *e)
{
	struct strbuf text = { 0 };
	struct pattern *p;

	narrow_add_pattern(&text, name);
	p = pattern_new(strbuf_peek(&text), e);
	strbuf_release(&text);
	return p;
}

/* A filter built from the steps, and the memory that it points to. */
struct making {
	struct filter f;
	struct filter_step *step;
	struct pattern **pattern; /* by step of struct narrow; NULL: it has none */
	const char *thread, *module;
};

/*
 * Of several times, threads or modules, the last one counts: it was chosen within the earlier ones.
 */
static int make_filter(const struct narrow *n, struct making *m, struct error *e)
{
	static const enum transform transforms[] = { [NARROW_FOCUS] = TRANSFORM_FOCUS,
						     [NARROW_HIDE] = TRANSFORM_HIDE,
						     [NARROW_RECURSION] = TRANSFORM_RECURSION };

	for (size_t i = 0; i < n->nr; i++) {
		const struct narrow_step *s = &n->step[i];

		switch (s->kind) {
		case NARROW_FOCUS:
		case NARROW_HIDE:
			m->pattern[i] = pattern_of(strbuf_peek(&s->text), e);
			if (!m->pattern[i])
				return -1;
			m->step[m->f.nr_step++] = (struct filter_step){ .what = transforms[s->kind],
									.pattern = m->pattern[i] };
			break;
		case NARROW_RECURSION:
			m->step[m->f.nr_step++] =
				(struct filter_step){ .what = TRANSFORM_RECURSION };
			break;
		case NARROW_THREAD:
			m->thread = s->text.at;
			m->f.nr_thread = 1;
			break;
		case NARROW_MODULE:
			m->module = s->text.at;
			m->f.nr_module = 1;
			break;
		case NARROW_KERNEL:
			m->f.kernel = true;
			break;
		case NARROW_TIME:
			m->f.span = &s->span;
			break;
		}
	}
	return 0;
}

int narrow_apply(const struct narrow *n, struct profile *p, unsigned spelling, struct error *e)
{
	struct making m = { .step = xcalloc(n->nr, sizeof(*m.step)),
			    .pattern = xcalloc(n->nr, sizeof(struct pattern *)) };
	int ret;

	m.f = (struct filter){ .step = m.step, .thread = &m.thread, .module = &m.module };
	ret = make_filter(n, &m, e);
	if (!ret)
		ret = filter_apply(p, &m.f, spelling, e);
	for (size_t i = 0; i < n->nr; i++)
		pattern_free(m.pattern[i]);
	free(m.pattern);
	free(m.step);
	return ret;
}

void narrow_add_time(struct strbuf *out, const struct time_span *span)
{
	enum { DIGITS_MAX = 9, SECOND = 1000000000 };
	uint64_t part = span->end - span->begin;
	int digits = 1;

	/* Enough decimals to distinguish the two times. */
	for (; part < SECOND && digits < DIGITS_MAX; part *= 10)
		digits++;
	strbuf_addf(out, "%.*f to %.*f s", digits, (double)span->begin / 1e9, digits,
		    (double)span->end / 1e9);
}

void narrow_add_text(const struct narrow *n, struct strbuf *out)
{
	for (size_t i = 0; i < n->nr; i++) {
		const struct narrow_step *s = &n->step[i];

		strbuf_add(out, i ? SPAN(", ") : SPAN(""));
		switch (s->kind) {
		case NARROW_FOCUS:
			strbuf_addf(out, "only %.40s", s->text.at);
			break;
		case NARROW_HIDE:
			strbuf_addf(out, "without %.40s", s->text.at);
			break;
		case NARROW_RECURSION:
			strbuf_add(out, SPAN("recursion collapsed"));
			break;
		case NARROW_THREAD:
			strbuf_addf(out, "thread %.40s", s->text.at);
			break;
		case NARROW_MODULE:
			strbuf_addf(out, "in %.40s", s->text.at);
			break;
		case NARROW_KERNEL:
			strbuf_add(out, SPAN("kernel only"));
			break;
		case NARROW_TIME:
			narrow_add_time(out, &s->span);
			break;
		}
	}
}
