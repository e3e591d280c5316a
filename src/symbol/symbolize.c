#include "symbol/symbolize.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "symbol/demangle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The nameless frames of one module, and what they are called. */
struct job {
	uint32_t module;
	size_t first, nr; /* of the frames */
	enum image_state state;
	struct strbuf names; /* one after the other, with a NUL each */
};

struct work {
	const struct profile *p;
	const struct symbolize_opts *o;
	struct image_opts image;
	uint32_t *frame; /* the nameless ones, by module and address */
	size_t *name;	 /* … and where in the job's names; NO_NAME: it has none */
	size_t nr_frame;
	struct job *job;
	size_t nr_job, cap_job;
	atomic_size_t next;
};

#define NO_NAME SIZE_MAX

static bool is_nameless(const struct frame *f)
{
	return f->flags & FRAME_IN_MODULE && !f->nr_line;
}

static int by_place(const void *a, const void *b, void *arg)
{
	const struct profile *p = arg;
	const struct frame *x = &p->frame[*(const uint32_t *)a];
	const struct frame *y = &p->frame[*(const uint32_t *)b];

	if (x->module.i != y->module.i)
		return x->module.i < y->module.i ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

static void collect(struct work *w)
{
	const struct profile *p = w->p;

	w->frame = xcalloc(p->nr_frame, sizeof(*w->frame));
	w->name = xcalloc(p->nr_frame, sizeof(*w->name));
	for (size_t i = 0; i < p->nr_frame; i++)
		if (is_nameless(&p->frame[i]))
			w->frame[w->nr_frame++] = (uint32_t)i;
	qsort_r(w->frame, w->nr_frame, sizeof(*w->frame), by_place, (void *)(uintptr_t)p);
	for (size_t i = 0; i < w->nr_frame; i++) {
		uint32_t module = p->frame[w->frame[i]].module.i;

		if (!w->nr_job || w->job[w->nr_job - 1].module != module) {
			GROW(w->job, w->nr_job, w->cap_job);
			w->job[w->nr_job++] = (struct job){ .module = module, .first = i };
		}
		w->job[w->nr_job - 1].nr++;
	}
}

/*
 * A call is in front of the address it returns to, which may be another function's.  But
 * what a signal handler returns to is no call's: it begins a function.
 */
static const struct symbol *find(const struct image *image, const struct frame *f)
{
	const struct symbol *s = NULL;

	if (f->flags & FRAME_RETURN_ADDRESS && f->address)
		s = image_symbol(image, f->address - 1);
	return s ? s : image_symbol(image, f->address);
}

/* Frames come by address: those of one function follow each other. */
static void name_frames(struct work *w, struct job *j, const struct image *image)
{
	const struct symbol *last = NULL;
	size_t last_name = NO_NAME;

	for (size_t i = j->first; i < j->first + j->nr; i++) {
		const struct frame *f = &w->p->frame[w->frame[i]];
		const struct symbol *s = image ? find(image, f) : NULL;

		if (s && s != last) {
			last = s;
			last_name = j->names.size;
			demangle(&j->names, s->name);
			strbuf_addch(&j->names, '\0');
		}
		w->name[i] = s ? last_name : NO_NAME;
	}
}

static void *run(void *arg)
{
	struct work *w = arg;
	size_t i;

	while ((i = atomic_fetch_add(&w->next, 1)) < w->nr_job) {
		struct job *j = &w->job[i];
		const struct module *m = &w->p->module[j->module];
		struct image *image =
			image_open(profile_peek(w->p, m->path), profile_peek(w->p, m->build_id),
				   &w->image, &j->state);

		name_frames(w, j, image);
		image_close(image);
	}
	return NULL;
}

enum { THREADS_MAX = 64 };

static void run_all(struct work *w)
{
	pthread_t thread[THREADS_MAX];
	unsigned nr = 0, want = w->o->threads < THREADS_MAX ? w->o->threads : THREADS_MAX;

	/* This thread works too. */
	while (nr + 1 < want && nr + 1 < w->nr_job && !pthread_create(&thread[nr], NULL, run, w))
		nr++;
	run(w);
	while (nr)
		pthread_join(thread[--nr], NULL);
}

static enum note_code reason(enum image_state state)
{
	switch (state) {
	case IMAGE_OPEN:
		return NOTE_NO_SYMBOLS;
	case IMAGE_MISSING:
		return NOTE_NO_FILE;
	case IMAGE_OTHER:
		return NOTE_OTHER_FILE;
	case IMAGE_NO_KERNEL:
		return NOTE_NO_KERNEL;
	case IMAGE_HIDDEN:
		return NOTE_KERNEL_HIDDEN;
	case IMAGE_NO_JIT_MAP:
		return NOTE_NO_JIT_MAP;
	}
	return NOTE_NO_FILE;
}

/* Writes down what the workers found, in the order of the frames. */
static void name_profile(struct profile *p, struct work *w)
{
	for (size_t k = 0; k < w->nr_job; k++) {
		struct job *j = &w->job[k];
		size_t unnamed = 0;

		for (size_t i = j->first; i < j->first + j->nr; i++) {
			struct line line = { 0 };

			if (w->name[i] == NO_NAME) {
				unnamed++;
				continue;
			}
			line.function = profile_string(p, span_of(j->names.at + w->name[i]));
			profile_name(p, (frame_id){ w->frame[i] }, &line, 1);
		}
		if (unnamed)
			notes_add(&p->notes, reason(j->state), unnamed, 0,
				  profile_peek(p, p->module[j->module].path));
		strbuf_release(&j->names);
	}
}

/* The only value there is; nothing where inputs disagree. */
static void set_only(struct span *known, bool *several, struct span value)
{
	if (known->size && !span_eq(*known, value))
		*several = true;
	*known = *several ? SPAN("") : value;
}

/* The kernel's build-id stands with its own code, if that was seen. */
static void find_kernel(const struct profile *p, struct image_opts *o)
{
	bool builds = false, releases = false;

	for (size_t i = 0; i < p->nr_module; i++)
		if (span_is(profile_peek(p, p->module[i].path), "[kernel.kallsyms]"))
			set_only(&o->kernel_build_id, &builds,
				 profile_peek(p, p->module[i].build_id));
	for (size_t i = 0; i < p->nr_info; i++)
		if (span_is(profile_peek(p, p->info[i].key), "kernel"))
			set_only(&o->kernel_release, &releases, profile_peek(p, p->info[i].value));
}

void symbolize(struct profile *p, const struct symbolize_opts *o)
{
	struct work w = { .p = p, .o = o, .image = o->image };

	find_kernel(p, &w.image);
	collect(&w);
	run_all(&w);
	name_profile(p, &w);
	free(w.frame);
	free(w.name);
	free(w.job);
}
