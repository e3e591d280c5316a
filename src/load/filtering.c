#include "load/filtering.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "perf/wait_reason.h"

#include <math.h>
#include <stdlib.h>

static const double MAX_SECONDS = 1e10; /* as ns, this still fits into 64 bits */

/* One end of a range; if the text is empty, *ns keeps the default. */
static bool parse_seconds(struct span text, uint64_t *ns)
{
	double seconds;

	if (!text.size)
		return true;
	if (!span_double(text, &seconds) || !(seconds >= 0 && seconds <= MAX_SECONDS))
		return false;
	*ns = (uint64_t)llround(seconds * 1e9);
	return true;
}

static int parse_time(const char *text, struct time_span *span, struct error *e)
{
	struct span all = span_of(text);
	size_t dots = span_find_text(all, "..");

	*span = (struct time_span){ .begin = 0, .end = UINT64_MAX };
	if (dots == all.size || !parse_seconds(span_upto(all, dots), &span->begin) ||
	    !parse_seconds(span_from(all, dots + 2), &span->end))
		return error_set(
			e, ERROR_USAGE,
			"invalid time range '%s': expected START..END in seconds, such as 0.5..2",
			text);
	if (span->begin >= span->end)
		return error_set(e, ERROR_USAGE,
				 "invalid time range '%s': it ends before it starts", text);
	return 0;
}

static int parse_step(struct filtering *f, size_t i, struct error *e)
{
	const struct option_step *given = &f->steps.at[i];
	struct filter_step *step = &f->step[i];

	step->what = (enum transform)given->what;
	switch (step->what) {
	case TRANSFORM_FOCUS:
	case TRANSFORM_IGNORE:
	case TRANSFORM_HIDE:
	case TRANSFORM_ROOT:
		f->pattern[i] = pattern_new(span_of(given->value), e);
		step->pattern = f->pattern[i];
		if (!step->pattern)
			return error_within(e, "--%s", given->name);
		break;
	case TRANSFORM_MODULE:
		step->module = span_of(given->value);
		if (!step->module.size)
			return error_set(e, ERROR_USAGE, "--%s requires the name of a module",
					 given->name);
		break;
	case TRANSFORM_RECURSION:
	case TRANSFORM_NO_KERNEL:
		break;
	}
	return 0;
}

static int check_reason(const char *name, struct error *e)
{
	struct strbuf all = { 0 };

	for (unsigned i = 0; i < NR_WAIT_REASONS; i++) {
		const char *known = wait_reason_name((enum wait_reason)i);

		if (!strcmp(name, known)) {
			strbuf_release(&all);
			return 0;
		}
		strbuf_addf(&all, "%s%s", i ? "|" : "", known);
	}
	strbuf_addch(&all, '\0');
	option_choice_wrong(SPAN("--reason"), all.at, name, e);
	strbuf_release(&all);
	return -1;
}

int filtering_parse(struct filtering *f, const struct filter **filter, struct error *e)
{
	*filter = NULL;
	f->step = xcalloc(f->steps.nr, sizeof(*f->step));
	f->pattern = xcalloc(f->steps.nr, sizeof(*f->pattern));
	for (size_t i = 0; i < f->steps.nr; i++)
		if (parse_step(f, i, e))
			return -1;
	for (size_t i = 0; i < f->reasons.nr; i++)
		if (check_reason(f->reasons.at[i], e))
			return -1;
	if (f->time && parse_time(f->time, &f->span, e))
		return -1;
	f->filter = (struct filter){ .step = f->step,
				     .nr_step = f->steps.nr,
				     .thread = f->threads.at,
				     .nr_thread = f->threads.nr,
				     .module = f->modules.at,
				     .nr_module = f->modules.nr,
				     .reason = f->reasons.at,
				     .nr_reason = f->reasons.nr,
				     .span = f->time ? &f->span : NULL };
	if (f->steps.nr || f->threads.nr || f->modules.nr || f->reasons.nr || f->time)
		*filter = &f->filter;
	return 0;
}

void filtering_release(struct filtering *f)
{
	for (size_t i = 0; f->pattern && i < f->steps.nr; i++)
		pattern_free(f->pattern[i]);
	free(f->pattern);
	free(f->step);
	option_steps_release(&f->steps);
	option_list_release(&f->threads);
	option_list_release(&f->modules);
	option_list_release(&f->reasons);
	*f = (struct filtering){ 0 };
}
