#include "cmd/sides.h"

#include "base/strbuf.h"

#define BEFORE "before: "
#define AFTER  "after: "

void sides_mark(struct profile *p, struct span side)
{
	struct strbuf key = { 0 };

	for (size_t i = 0; i < p->nr_info; i++) {
		strbuf_reset(&key);
		strbuf_add(&key, side);
		strbuf_add(&key, SPAN(": "));
		strbuf_add(&key, profile_peek(p, p->info[i].key));
		p->info[i].key = profile_string(p, strbuf_peek(&key));
	}
	strbuf_release(&key);
}

/* The fact of after that says what this one of before says, or nr_info. */
static size_t find_twin(const struct profile *p, const struct info *before)
{
	struct span key = profile_peek(p, before->key);
	size_t i = 0;

	if (!span_starts(key, BEFORE))
		return p->nr_info;
	key = span_from(key, strlen(BEFORE));
	for (; i < p->nr_info; i++) {
		struct span other = profile_peek(p, p->info[i].key);

		if (p->info[i].value.i == before->value.i && span_starts(other, AFTER) &&
		    span_eq(span_from(other, strlen(AFTER)), key))
			break;
	}
	return i;
}

static void remove_fact(struct profile *p, size_t at)
{
	p->nr_info--;
	memmove(&p->info[at], &p->info[at + 1], (p->nr_info - at) * sizeof(*p->info));
}

void sides_join(struct profile *p)
{
	struct strbuf key = { 0 };

	for (size_t i = 0; i < p->nr_info; i++) {
		size_t twin = find_twin(p, &p->info[i]);

		if (twin == p->nr_info)
			continue;
		/* A string that is added may move the others. */
		strbuf_reset(&key);
		strbuf_add(&key, span_from(profile_peek(p, p->info[i].key), strlen(BEFORE)));
		p->info[i].key = profile_string(p, strbuf_peek(&key));
		remove_fact(p, twin);
	}
	strbuf_release(&key);
}
