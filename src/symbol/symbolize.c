#include "symbol/symbolize.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "symbol/advice.h"
#include "symbol/closures.h"
#include "symbol/demangle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define NO_FILE INTERN_NONE

/* A line of a frame: numbers of strings in job.function and job.file. */
struct found {
	uint32_t function, file, line;
};

/* The unresolved frames of one module, and the names that were found: the work of one thread. */
struct job {
	uint32_t module;
	size_t first, nr; /* in work.frame */
	enum image_state state;
	struct image_trouble trouble;
	bool no_lines, symbols, is_go; /* as in struct fate */
	struct found *found; /* the lines of all frames; work.nr_found has the number for each */
	size_t nr_found, cap_found;
	struct intern function, file; /* function: mangled */
	struct strbuf names;	      /* the same demangled, each with a NUL */
	size_t *name;		      /* by number: offset in names */
	size_t nr_name, cap_name;
};

struct work {
	const struct profile *p;
	const struct symbolize_opts *o;
	struct image_opts image;
	uint32_t *frame;    /* the unresolved frames, sorted by module and address */
	uint32_t *nr_found; /* by frame[i]: number of lines; 0: unresolved */
	size_t nr_frame;
	struct job *job;
	size_t nr_job, cap_job;
	uint64_t *order;    /* sort_key()s of jobs */
	atomic_size_t next; /* index in order: the job for the next free thread */
};

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
	w->nr_found = xcalloc(p->nr_frame, sizeof(*w->nr_found));
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

/* The largest jobs first: otherwise, one thread may start the largest when all others are done. */
static void put_in_order(struct work *w)
{
	w->order = xcalloc(w->nr_job + 1, sizeof(*w->order));
	for (size_t i = 0; i < w->nr_job; i++)
		w->order[i] = sort_key(UINT32_MAX - (uint32_t)w->job[i].nr, i);
	sort_keys(w->order, w->nr_job);
}

/*
 * Looks up the call before a return address, which may already be in the next function.  But the
 * trampoline that a signal handler returns to was not called: its address is the start of a
 * function.
 */
static size_t find(struct image *image, const struct frame *f,
		   struct source_line line[static INLINED_MAX])
{
	size_t nr = 0;

	if (f->flags & FRAME_RETURN_ADDRESS && f->address)
		nr = image_lines(image, f->address - 1, line);
	return nr ? nr : image_lines(image, f->address, line);
}

/* Demangling is slower than lookups, so each name is demangled once. */
static uint32_t add_function(struct job *j, const struct source_line *l)
{
	const char *function = l->function ? l->function : "[unknown]";
	uint32_t number = intern(&j->function, span_of(function));

	if (number == j->nr_name) {
		GROW(j->name, j->nr_name, j->cap_name);
		j->name[j->nr_name++] = j->names.size;
		demangle(&j->names, function);
		if (l->closure)
			closures_number(&j->names, j->name[number], span_of(l->closure));
		strbuf_addch(&j->names, '\0');
	}
	return number;
}

static void add_found(struct job *j, const struct source_line *l)
{
	GROW(j->found, j->nr_found, j->cap_found);
	j->found[j->nr_found++] = (struct found){
		.function = add_function(j, l),
		.file = l->file ? intern(&j->file, span_of(l->file)) : NO_FILE,
		.line = l->line,
	};
}

static void name_frames(struct work *w, struct job *j, struct image *image)
{
	for (size_t i = j->first; i < j->first + j->nr; i++) {
		struct source_line line[INLINED_MAX];
		size_t nr = find(image, &w->p->frame[w->frame[i]], line);

		for (size_t k = 0; k < nr; k++)
			add_found(j, &line[k]);
		w->nr_found[i] = (uint32_t)nr;
	}
	j->trouble = image_trouble(image);
	j->no_lines = w->image.lines && !image_has_lines(image);
	j->symbols = image_has_symbols(image);
	j->is_go = image_is_go(image);
}

/* The places that find() will look up, sorted. */
static uint64_t *wanted(const struct work *w, const struct job *j, size_t *nr)
{
	uint64_t *place = xcalloc(2 * j->nr, sizeof(*place));

	*nr = 0;
	for (size_t i = j->first; i < j->first + j->nr; i++) {
		uint64_t address = w->p->frame[w->frame[i]].address;

		if (address)
			place[(*nr)++] = address - 1;
		place[(*nr)++] = address;
	}
	return place;
}

static struct image *open_image(const struct work *w, struct job *j)
{
	const struct module *m = &w->p->module[j->module];
	struct image_opts o = w->image;
	uint64_t *place = wanted(w, j, &o.nr_wanted);
	struct image *image;

	o.wanted = place;
	image = image_open(profile_peek(w->p, m->path), profile_peek(w->p, m->build_id), &o,
			   &j->state);
	free(place);
	return image;
}

static void *run(void *arg)
{
	struct work *w = arg;
	size_t i;

	while ((i = atomic_fetch_add(&w->next, 1)) < w->nr_job) {
		struct job *j = &w->job[sort_what(w->order[i])];
		struct image *image = open_image(w, j);

		if (image)
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

	/* This thread works, too. */
	while (nr + 1 < want && nr + 1 < w->nr_job && !pthread_create(&thread[nr], NULL, run, w))
		nr++;
	run(w);
	while (nr)
		pthread_join(thread[--nr], NULL);
}

static enum note_code reason(enum image_state state, struct span path)
{
	switch (state) {
	case IMAGE_OPEN:
		return image_is_list(path) ? NOTE_NO_JIT_MAP : NOTE_NO_SYMBOLS;
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

static void job_release(struct job *j)
{
	free(j->found);
	free(j->name);
	intern_release(&j->function);
	intern_release(&j->file);
	strbuf_release(&j->names);
}

/* The strings of a job in the profile, by number in the job. */
struct handles {
	str_id *function, *file;
};

static struct handles add_strings(struct profile *p, const struct job *j)
{
	struct handles h = { .function = xcalloc(j->nr_name + 1, sizeof(*h.function)),
			     .file = xcalloc(j->file.nr + 1, sizeof(*h.file)) };

	for (size_t i = 0; i < j->nr_name; i++)
		h.function[i] = profile_string(p, span_of(j->names.at + j->name[i]));
	for (uint32_t i = 0; i < j->file.nr; i++)
		h.file[i] = profile_string(p, intern_peek(&j->file, i));
	return h;
}

/* Sets the names of the frames of a module; returns the number of unresolved ones. */
static size_t name_module(struct profile *p, const struct work *w, const struct job *j)
{
	struct handles h = add_strings(p, j);
	const struct found *found = j->found;
	size_t unnamed = 0;

	for (size_t i = j->first; i < j->first + j->nr; i++) {
		struct line line[INLINED_MAX];
		uint32_t nr = w->nr_found[i];

		for (uint32_t k = 0; k < nr; k++, found++) {
			line[k] = (struct line){ .function = h.function[found->function],
						 .line = found->line };
			if (found->file != NO_FILE)
				line[k].file = h.file[found->file];
		}
		if (nr)
			profile_name(p, (frame_id){ w->frame[i] }, line, nr);
		unnamed += !nr;
	}
	free(h.function);
	free(h.file);
	return unnamed;
}

/*
 * Adds the results of the threads in the order of modules, so that they are the same in every run.
 */
static void name_profile(struct profile *p, struct work *w, struct fate *fate)
{
	for (size_t i = 0; i < w->nr_job; i++) {
		struct job *j = &w->job[i];
		size_t unnamed = name_module(p, w, j);
		struct span path = profile_peek(p, p->module[j->module].path);

		fate[i] = (struct fate){ .module = j->module,
					 .state = j->state,
					 .nr_unnamed = unnamed,
					 .no_lines = j->no_lines,
					 .symbols = j->symbols,
					 .is_go = j->is_go };
		if (unnamed)
			notes_add(&p->notes, reason(j->state, path), unnamed, 0, path);
		if (j->trouble.damaged)
			notes_add(&p->notes, NOTE_BAD_DEBUG_INFO, j->trouble.damaged, 0, path);
		if (j->trouble.missing)
			notes_add(&p->notes, NOTE_NO_SPLIT_FILE, j->trouble.missing, 0, path);
		if (j->trouble.unnamed)
			notes_add(&p->notes, NOTE_NO_SHARED_FILE, j->trouble.unnamed, 0, path);
		job_release(j);
	}
}

/* Keeps a value if all inputs agree; otherwise, it becomes empty. */
static void set_only(struct span *known, bool *several, struct span value)
{
	if (known->size && !span_eq(*known, value))
		*several = true;
	*known = *several ? SPAN("") : value;
}

/* The build ID is that of the kernel's module, if the kernel was sampled. */
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

/* A saved profile may have notes of an earlier symbolization. */
static void forget_reasons(struct profile *p)
{
	static const enum note_code reasons[] = { NOTE_NO_FILE,	   NOTE_OTHER_FILE,
						  NOTE_NO_SYMBOLS, NOTE_NO_JIT_MAP,
						  NOTE_NO_KERNEL,  NOTE_KERNEL_HIDDEN,
						  NOTE_ADVICE };

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		notes_forget(&p->notes, reasons[i]);
}

enum {
	/* A recording may have millions of threads: roots of further ones are ignored. */
	PROCESSES_MAX = 64 * 1024,
};

/* Mostly, the threads of a process follow each other. */
static void find_roots(const struct profile *p, struct roots *roots)
{
	uint32_t last = THREAD_UNKNOWN;

	for (size_t i = 0; i < p->nr_thread && i < PROCESSES_MAX; i++) {
		if (p->thread[i].pid != last && p->thread[i].pid != THREAD_UNKNOWN)
			roots_add(roots, p->thread[i].pid);
		last = p->thread[i].pid;
	}
}

void symbolize_find_files(const struct profile *p, struct image_opts *o, struct roots *roots)
{
	find_kernel(p, o);
	find_roots(p, roots);
	o->roots = roots;
}

void symbolize(struct profile *p, const struct symbolize_opts *o)
{
	struct work w = { .p = p, .o = o, .image = o->image };
	struct advice_opts advice = { .root = "", .fetches = o->image.fetch };
	struct roots roots = { 0 };
	struct fate *fate;

	collect(&w);
	if (w.nr_job)
		symbolize_find_files(p, &w.image, &roots);
	put_in_order(&w);
	run_all(&w);
	forget_reasons(p);
	fate = xcalloc(w.nr_job, sizeof(*fate));
	name_profile(p, &w, fate);
	advise(p, fate, w.nr_job, &advice);
	free(fate);
	free(w.frame);
	free(w.nr_found);
	free(w.job);
	free(w.order);
}
