#include "cmd/functions.h"

#include "base/alloc.h"
#include "base/pattern.h"

#include <stdlib.h>

static void add(struct function_list *f, const struct labels *l, uint32_t label)
{
	GROW(f->at, f->nr, f->cap);
	f->at[f->nr++] = labels_peek(l, label).at;
}

static int find_matching(struct function_list *f, const struct labels *l, const char *wanted,
			 struct error *e)
{
	struct pattern *pattern = pattern_new(span_of(wanted), e);
	int ret = pattern ? 0 : -1;

	for (uint32_t i = 0; i < l->names.nr && !ret; i++) {
		bool matches = false;

		ret = pattern_match(pattern, labels_peek(l, i), &matches, e);
		if (matches)
			add(f, l, i);
	}
	pattern_free(pattern);
	return ret;
}

int function_list_find(struct function_list *f, const struct labels *l, const char *wanted,
		       struct error *e)
{
	struct span name = span_of(wanted);
	uint32_t exact = intern_find(&l->names, name, intern_hash(name));

	*f = (struct function_list){ 0 };
	if (exact != INTERN_NONE) {
		add(f, l, exact);
		return 0;
	}
	if (find_matching(f, l, wanted, e))
		return -1;
	if (f->nr)
		return 0;
	error_set(e, ERROR_INPUT, "no function is called '%s', or matches it", wanted);
	return error_hint(e, "wick report lists them; --hide and others may have taken it out");
}

void function_list_release(struct function_list *f)
{
	free(f->at);
	*f = (struct function_list){ 0 };
}
