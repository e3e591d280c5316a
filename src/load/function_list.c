#include "load/function_list.h"

#include "base/alloc.h"
#include "base/pattern.h"

#include <stdlib.h>

static int is_called(const void *wanted, struct span name, bool *fits, struct error *e)
{
	(void)e;
	*fits = span_is(name, wanted);
	return 0;
}

static int matches(const void *pattern, struct span name, bool *fits, struct error *e)
{
	return pattern_match(pattern, name, fits, e);
}

/* Adds each matching label once, in order.  fitting: from labels_fitting(), freed here; NULL: that failed. */
static int add_fitting(struct function_list *f, const struct labels *l, bool *fitting)
{
	bool *fits;

	if (!fitting)
		return -1;
	fits = xcalloc(l->nr, sizeof(*fits));
	for (size_t k = 0; k < l->nr_of_frame; k++)
		fits[l->of_frame[k]] |= fitting[k];
	for (uint32_t i = 0; i < l->nr; i++) {
		if (!fits[i])
			continue;
		GROW(f->at, f->nr, f->cap);
		f->at[f->nr++] = labels_peek(l, i).at;
	}
	free(fits);
	free(fitting);
	return 0;
}

int function_list_find(struct function_list *f, const struct labels *l, const struct profile *p,
		       unsigned spelling, const char *wanted, struct error *e)
{
	struct pattern *pattern;
	int ret;

	*f = (struct function_list){ 0 };
	ret = add_fitting(f, l, labels_fitting(l, p, spelling, is_called, wanted, e));
	if (ret || f->nr)
		return ret;
	pattern = pattern_new(span_of(wanted), e);
	ret = pattern ? add_fitting(f, l, labels_fitting(l, p, spelling, matches, pattern, e)) : -1;
	pattern_free(pattern);
	if (ret || f->nr)
		return ret;
	error_set(e, ERROR_INPUT, "no function matches '%s'", wanted);
	return error_hint(
		e,
		"`wick report` lists the functions; --hide and other filters may have dropped it");
}

void function_list_release(struct function_list *f)
{
	free(f->at);
	*f = (struct function_list){ 0 };
}
