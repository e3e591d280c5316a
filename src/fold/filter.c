#include "fold/filter.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "fold/frame_labels.h"
#include "fold/modules.h"
#include "profile/spelling.h"

#include <stdlib.h>

/* One transform while it rebuilds the table of stacks. */
struct pass {
	struct profile *p;
	const struct labels *labels; /* of the frames that existed when it began */
	bool *hit;		     /* by frame: does it match the pattern? */
	bool *in_module;	     /* by module: is it the requested one? */
};

/* Pushes a frame, or not, onto what its caller's stack has become; returns the new stack. */
typedef stack_id placer(struct pass *s, stack_id caller, frame_id frame);

static stack_id place_same(struct pass *s, stack_id caller, frame_id frame)
{
	return profile_push(s->p, caller, frame);
}

/* Splits a frame with inlined calls into one for each call, so that they can be hidden singly. */
static stack_id place_apart(struct pass *s, stack_id caller, frame_id id)
{
	const struct frame whole = s->p->frame[id.i];

	if (whole.nr_line < 2)
		return profile_push(s->p, caller, id);
	for (size_t i = whole.nr_line; i-- > 0;) {
		struct frame part = { .kind = whole.kind,
				      .flags = whole.flags & ~(unsigned)FRAME_RETURN_ADDRESS,
				      .module = whole.module,
				      .line = &whole.line[i],
				      .nr_line = 1 };

		/* Without an address, which would be the same for all, and merge them into one frame again. */
		if (i + 1 < whole.nr_line)
			part.flags |= FRAME_INLINED;
		caller = profile_push(s->p, caller, profile_frame(s->p, &part));
	}
	return caller;
}

static stack_id place_unless_hit(struct pass *s, stack_id caller, frame_id frame)
{
	return s->hit[frame.i] ? caller : profile_push(s->p, caller, frame);
}

static stack_id place_unless_kernel(struct pass *s, stack_id caller, frame_id frame)
{
	return s->p->frame[frame.i].kind == FRAME_KERNEL ? caller
							 : profile_push(s->p, caller, frame);
}

static stack_id place_below_hit(struct pass *s, stack_id caller, frame_id frame)
{
	return caller.i || s->hit[frame.i] ? profile_push(s->p, caller, frame) : caller;
}

/* Are two frames with one name each the same function?  A kernel function never equals one of the program. */
static bool is_same(const struct pass *s, frame_id a, frame_id b)
{
	const struct labels *l = s->labels;
	const struct frame *frame = s->p->frame;

	return l->of_frame[l->first[a.i]] == l->of_frame[l->first[b.i]] &&
	       (frame[a.i].kind == FRAME_KERNEL) == (frame[b.i].kind == FRAME_KERNEL);
}

static stack_id place_unless_same(struct pass *s, stack_id caller, frame_id frame)
{
	if (caller.i && is_same(s, s->p->stack[caller.i].frame, frame))
		return caller;
	return profile_push(s->p, caller, frame);
}

/* An inlined call without a module belongs to its caller's. */
static bool is_in_module(const struct pass *s, stack_id caller, const struct frame *f)
{
	const struct frame *calling = &s->p->frame[s->p->stack[caller.i].frame.i];

	if (f->flags & (FRAME_INLINED | FRAME_JIT_INLINED) && !f->module.i)
		return caller.i && s->in_module[calling->module.i];
	return s->in_module[f->module.i];
}

/* Replaces adjacent frames of the module by one frame that only has the module. */
static stack_id place_in_module(struct pass *s, stack_id caller, frame_id id)
{
	const struct frame *frame = s->p->frame;
	struct frame f = { .kind = frame[id.i].kind, .module = frame[id.i].module };

	if (!is_in_module(s, caller, &frame[id.i]))
		return profile_push(s->p, caller, id);
	if (caller.i && s->in_module[frame[s->p->stack[caller.i].frame.i].module.i])
		return caller;
	return profile_push(s->p, caller, profile_frame(s->p, &f));
}

enum which { ALL_SAMPLES, SAMPLES_WITH, SAMPLES_WITHOUT };

struct kind {
	placer *place;
	enum which which; /* which samples stay: all, or those with or without a hit */
	bool apart;	  /* frames with inlined calls are split first, so that each has one name */
};

static const struct kind kinds[] = {
	[TRANSFORM_FOCUS] = { place_same, SAMPLES_WITH, false },
	[TRANSFORM_IGNORE] = { place_same, SAMPLES_WITHOUT, false },
	[TRANSFORM_HIDE] = { place_unless_hit, ALL_SAMPLES, true },
	[TRANSFORM_ROOT] = { place_below_hit, SAMPLES_WITH, true },
	[TRANSFORM_RECURSION] = { place_unless_same, ALL_SAMPLES, true },
	[TRANSFORM_NO_KERNEL] = { place_unless_kernel, ALL_SAMPLES, false },
	[TRANSFORM_MODULE] = { place_in_module, ALL_SAMPLES, false },
};
static const struct kind same = { place_same, ALL_SAMPLES, false };
static const struct kind apart = { place_apart, ALL_SAMPLES, false };

/* By stack: do its samples stay?  NULL: all do. */
static bool *find_kept(const struct pass *s, enum which which)
{
	const struct stack *stack = s->p->stack;
	bool *kept = NULL;

	if (which == ALL_SAMPLES)
		return NULL;
	kept = xcalloc(s->p->nr_stack, sizeof(*kept));
	for (size_t i = 1; i < s->p->nr_stack; i++)
		kept[i] = kept[stack[i].caller.i] || s->hit[stack[i].frame.i];
	for (size_t i = 0; i < s->p->nr_stack; i++)
		kept[i] = kept[i] == (which == SAMPLES_WITH);
	return kept;
}

static void need(const struct profile *p, stack_id at, bool *needed)
{
	for (; at.i && !needed[at.i]; at = p->stack[at.i].caller)
		needed[at.i] = true;
}

/* By stack: is it that of a sample that stays, or a caller of one?  Others are not rebuilt. */
static bool *find_needed(const struct profile *p, const bool *kept)
{
	bool *needed = xcalloc(p->nr_stack, sizeof(*needed));

	for (size_t i = 0; i < p->nr_count; i++)
		if (!kept || kept[p->count[i].stack.i])
			need(p, p->count[i].stack, needed);
	/* Stacks of wakers and holders, which may belong to any thread. */
	for (size_t i = 1; i < p->nr_link; i++)
		need(p, p->link[i].stack, needed);
	return needed;
}

static void run_pass(struct pass *s, const struct kind *kind)
{
	bool *kept = find_kept(s, kind->which), *needed = find_needed(s->p, kept);
	stack_id *to = xcalloc(s->p->nr_stack, sizeof(*to));
	size_t nr;
	struct stack *old = profile_take_stacks(s->p, &nr);

	for (size_t i = 1; i < nr; i++)
		if (needed[i])
			to[i] = kind->place(s, to[old[i].caller.i], old[i].frame);
	profile_recount(s->p, &(struct recount){ .keep = kept, .stack = to });
	free(old);
	free(to);
	free(needed);
	free(kept);
}

static int matches(const void *pattern, struct span name, bool *fits, struct error *e)
{
	return pattern_match(pattern, name, fits, e);
}

/* By frame: does one of its names match? */
static bool *find_hits(const struct labels *l, const struct profile *p, unsigned spelling,
		       const struct pattern *pattern, struct error *e)
{
	bool *fitting = labels_fitting(l, p, spelling, matches, pattern, e), *hit;

	if (!fitting)
		return NULL;
	hit = xcalloc(p->nr_frame, sizeof(*hit));
	for (size_t f = 0; f < p->nr_frame; f++)
		for (uint32_t k = l->first[f]; k < l->first[f + 1]; k++)
			hit[f] |= fitting[k];
	free(fitting);
	return hit;
}

/* By module: is `wanted` its path, or the last part of it?  NULL and an error: there is none. */
static bool *find_modules(const struct profile *p, struct span wanted, struct error *e)
{
	bool *in = xcalloc(p->nr_module, sizeof(*in)), any = false;

	for (size_t i = 1; i < p->nr_module; i++) {
		struct span path = profile_peek(p, p->module[i].path);
		size_t slash = span_rfind(path, '/');

		in[i] = span_eq(path, wanted) ||
			(slash < path.size && span_eq(span_from(path, slash + 1), wanted));
		any |= in[i];
	}
	if (any)
		return in;
	error_set(e, ERROR_INPUT, "no module '%.*s' in the input", (int)wanted.size, wanted.at);
	free(in);
	return NULL;
}

static bool has_inlined(const struct profile *p)
{
	for (size_t i = 1; i < p->nr_stack; i++)
		if (p->frame[p->stack[i].frame.i].nr_line > 1)
			return true;
	return false;
}

static int transform(struct profile *p, const struct filter_step *step, unsigned spelling,
		     struct error *e)
{
	const struct kind *kind = &kinds[step->what];
	struct pass s = { .p = p };
	struct labels labels;
	int ret = 0;

	if (kind->apart && has_inlined(p))
		run_pass(&s, &apart);
	/* Marks and thread names are not part of a function's name. */
	labels_init(&labels, p, spelling & ~(unsigned)(SPELL_MARKS | SPELL_THREAD));
	s.labels = &labels;
	if (step->pattern) {
		s.hit = find_hits(&labels, p, spelling, step->pattern, e);
		ret = s.hit ? 0 : -1;
	}
	if (step->module.size) {
		s.in_module = find_modules(p, step->module, e);
		ret = s.in_module ? 0 : -1;
	}
	if (!ret)
		run_pass(&s, kind);
	free(s.hit);
	free(s.in_module);
	labels_release(&labels);
	return ret;
}

/* Which samples */

static bool is_thread(const struct profile *p, uint32_t i, struct span wanted, unsigned spelling)
{
	const struct thread *t = &p->thread[i];
	struct strbuf shown = { 0 };
	uint64_t id;
	bool is;

	if (span_u64(wanted, &id) && id < THREAD_UNKNOWN && (t->pid == id || t->tid == id))
		return true;
	spelling_thread(&shown, p, (thread_id){ i }, spelling | SPELL_THREAD);
	is = span_eq(profile_peek(p, t->comm), wanted) || span_eq(strbuf_peek(&shown), wanted);
	/* As unknown_thread() lists it. */
	strbuf_reset(&shown);
	spelling_thread(&shown, p, (thread_id){ i }, SPELL_THREAD | SPELL_PID | SPELL_TID);
	is |= span_eq(strbuf_peek(&shown), wanted);
	strbuf_release(&shown);
	return is;
}

static int unknown_thread(const struct profile *p, const char *wanted, struct error *e)
{
	if (p->nr_thread < 2)
		return error_set(e, ERROR_INPUT, "no thread '%s': the input has no threads",
				 wanted);
	error_set(e, ERROR_INPUT, "unknown thread '%s'; the input has: ", wanted);
	for (uint32_t i = 1; i < p->nr_thread && !error_is_full(e); i++) {
		struct strbuf shown = { 0 };

		spelling_thread(&shown, p, (thread_id){ i }, SPELL_THREAD | SPELL_PID | SPELL_TID);
		error_add(e, "%s%s", i > 1 ? ", " : "", shown.at ? shown.at : "");
		strbuf_release(&shown);
	}
	return -1;
}

/* By thread: is it one of those that are wanted? */
static bool *find_threads(const struct profile *p, const struct filter *f, unsigned spelling,
			  struct error *e)
{
	bool *in = xcalloc(p->nr_thread, sizeof(*in)), found = false;

	for (size_t k = 0; k < f->nr_thread; k++) {
		bool any = false;

		for (uint32_t i = 1; i < p->nr_thread; i++)
			if (is_thread(p, i, span_of(f->thread[k]), spelling))
				any = in[i] = true;
		found |= any;
		if (!any && (!f->some || (!found && k + 1 == f->nr_thread))) {
			unknown_thread(p, f->thread[k], e);
			free(in);
			return NULL;
		}
	}
	return in;
}

static bool is_module(const struct profile *p, const struct frame *f, struct span wanted)
{
	return span_eq(profile_peek(p, p->module[f->module.i].path), wanted) ||
	       span_eq(modules_name(p, f), wanted);
}

/* By frame: is it in one of the wanted modules, and, if only the kernel is wanted, in that? */
static bool *find_frames(const struct profile *p, const struct filter *f, struct error *e)
{
	bool *in = xcalloc(p->nr_frame, sizeof(*in)), found = false;

	for (size_t i = 1; i < p->nr_frame && !f->nr_module; i++)
		in[i] = true;
	for (size_t k = 0; k < f->nr_module; k++) {
		bool any = false;

		for (size_t i = 1; i < p->nr_frame; i++)
			if (is_module(p, &p->frame[i], span_of(f->module[k])))
				any = in[i] = true;
		found |= any;
		if (!any && (!f->some || (!found && k + 1 == f->nr_module))) {
			error_set(e, ERROR_INPUT, "no module '%s' in the input", f->module[k]);
			error_hint(e, "`wick report --modules` lists them");
			free(in);
			return NULL;
		}
	}
	for (size_t i = 1; i < p->nr_frame && f->kernel; i++)
		in[i] &= p->frame[i].kind == FRAME_KERNEL;
	return in;
}

/* By stack: does it end in such a frame? */
static bool *find_ends(const struct profile *p, const struct filter *f, struct error *e)
{
	bool *in = find_frames(p, f, e), *ends;

	if (!in)
		return NULL;
	ends = xcalloc(p->nr_stack, sizeof(*ends));
	for (uint32_t i = 1; i < p->nr_stack; i++)
		ends[i] = in[modules_frame(p, (stack_id){ i }).i];
	free(in);
	return ends;
}

/* By frame: is it one of the wanted reasons? */
static bool *find_reason_frames(const struct profile *p, const struct filter *f, struct error *e)
{
	bool *in = xcalloc(p->nr_frame, sizeof(*in));

	for (size_t k = 0; k < f->nr_reason; k++) {
		struct span wanted = span_of(f->reason[k]);
		bool any = false;

		for (size_t i = 1; i < p->nr_frame; i++) {
			const struct frame *one = &p->frame[i];
			struct span name =
				one->nr_line ? profile_peek(p, one->line[0].function) : SPAN("");

			if (one->kind == FRAME_LABEL && name.size == wanted.size + 2 &&
			    name.at[0] == '[' && span_starts(span_from(name, 1), f->reason[k]))
				any = in[i] = true;
		}
		if (!any) {
			error_set(e, ERROR_INPUT, "no waits for '%s' in the input", f->reason[k]);
			error_hint(e, "`wick report --by reason` lists the reasons in the input");
			free(in);
			return NULL;
		}
	}
	return in;
}

/* Drops the stacks without such a frame from those that stay. */
static int keep_reasons(const struct profile *p, const struct filter *f, bool *keep,
			struct error *e)
{
	bool *in = find_reason_frames(p, f, e), *has;

	if (!in)
		return -1;
	has = xcalloc(p->nr_stack, sizeof(*has));
	for (uint32_t i = 1; i < p->nr_stack; i++)
		has[i] = has[p->stack[i].caller.i] || in[p->stack[i].frame.i];
	for (uint32_t i = 0; i < p->nr_stack; i++)
		keep[i] &= has[i];
	free(has);
	free(in);
	return 0;
}

/* Adds a note for each event about samples without a time, which no time range includes. */
static void note_untimed(struct profile *p)
{
	bool *timed = profile_timed_events(p);
	uint64_t *nr = xcalloc(p->nr_event, sizeof(*nr));

	for (size_t i = 0; i < p->nr_count; i++)
		nr[p->count[i].event] += p->count[i].nr;
	for (size_t i = 0; i < p->nr_event; i++)
		if (nr[i] && !timed[i])
			notes_add(&p->notes, NOTE_NO_TIMES, nr[i], 0,
				  profile_peek(p, p->event[i].name));
	free(nr);
	free(timed);
}

/* Converts times since the first sample or interval to absolute times. */
static int find_span(const struct profile *p, const struct time_span *wanted,
		     struct time_span *span, struct error *e)
{
	uint64_t first = 0;

	if (!profile_first_time(p, &first) && p->nr_count)
		return error_set(e, ERROR_INPUT, "the samples of this input have no timestamps");
	if (__builtin_add_overflow(first, wanted->begin, &span->begin))
		span->begin = UINT64_MAX;
	if (__builtin_add_overflow(first, wanted->end, &span->end))
		span->end = UINT64_MAX;
	return 0;
}

static int select_samples(struct profile *p, const struct filter *f, unsigned spelling,
			  struct error *e)
{
	struct recount r = { 0 };
	struct time_span span;
	bool *thread = NULL, *ends = NULL;
	int ret = 0;

	if (f->span) {
		ret = find_span(p, f->span, &span, e);
		r.span = &span;
		if (!ret)
			note_untimed(p);
	}
	if (!ret && f->nr_thread) {
		thread = find_threads(p, f, spelling, e);
		ret = thread ? 0 : -1;
		r.thread = thread;
	}
	if (!ret && (f->nr_module || f->kernel)) {
		ends = find_ends(p, f, e);
		ret = ends ? 0 : -1;
		r.keep = ends;
	}
	if (!ret && f->nr_reason) {
		if (!ends) {
			ends = xcalloc(p->nr_stack, sizeof(*ends));
			memset(ends, true, p->nr_stack * sizeof(*ends));
		}
		ret = keep_reasons(p, f, ends, e);
		r.keep = ends;
	}
	if (!ret) {
		profile_recount(p, &r);
		/* Removes stacks that have no samples any more. */
		run_pass(&(struct pass){ .p = p }, &same);
	}
	free(thread);
	free(ends);
	return ret;
}

int filter_apply(struct profile *p, const struct filter *f, unsigned spelling, struct error *e)
{
	/* Samples are selected first, by the stacks that they had before any transform. */
	if ((f->nr_thread || f->nr_module || f->nr_reason || f->kernel || f->span) &&
	    select_samples(p, f, spelling, e))
		return -1;
	for (size_t i = 0; i < f->nr_step; i++)
		if (transform(p, &f->step[i], spelling, e))
			return -1;
	return 0;
}
