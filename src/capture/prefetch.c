#include "capture/prefetch.h"

#include "base/alloc.h"
#include "image/dwarf/section_store.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

enum { FILES_MAX = 64 };

struct file {
	char *path, *build_id;
};

struct prefetch {
	pthread_mutex_t lock;
	unsigned users; /* the recorder and the thread: the last one frees it */
	bool ended, has_thread;
	struct file file[FILES_MAX];
	size_t nr, next;  /* files; the first that the thread has not taken */
	size_t nr_module; /* modules of the profile that were checked */
	struct naming_files files;
	struct section_store *store;
};

struct prefetch *prefetch_new(const struct naming *n)
{
	struct prefetch *f = xcalloc(1, sizeof(*f));
	struct naming own = *n;

	/* The recorder's list of open files changes while it records. */
	own.kept = NULL;
	pthread_mutex_init(&f->lock, NULL);
	f->users = 1;
	f->store = own.store = section_store_new();
	naming_files_init(&f->files, &own);
	f->files.image.lines = true;
	return f;
}

static void leave(struct prefetch *f)
{
	bool last;

	pthread_mutex_lock(&f->lock);
	last = !--f->users;
	pthread_mutex_unlock(&f->lock);
	if (!last)
		return;
	for (size_t i = 0; i < f->nr; i++) {
		free(f->file[i].path);
		free(f->file[i].build_id);
	}
	naming_files_release(&f->files);
	section_store_free(f->store);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

/* The next file; NULL: there is none, and the thread ends. */
static const struct file *next_file(struct prefetch *f)
{
	const struct file *file = NULL;

	pthread_mutex_lock(&f->lock);
	if (!f->ended && f->next < f->nr)
		file = &f->file[f->next++];
	else
		f->has_thread = false;
	pthread_mutex_unlock(&f->lock);
	return file;
}

/* Opening an image decompresses what it needs, and closing it leaves that in the store. */
static void *run(void *arg)
{
	static const struct sched_param none;
	static const uint64_t nowhere;
	struct prefetch *f = arg;
	struct image_opts o = f->files.image;
	const struct file *file;

	/*
	 * A batch thread preempts no other.  But its priority is not lower than normal: wick exits only when this
	 * thread has, which would take a second on a busy machine if nearly every other thread came first.
	 */
	(void)sched_setscheduler(0, SCHED_BATCH, &none);
	o.wanted = &nowhere;
	o.nr_wanted = 1;
	while ((file = next_file(f))) {
		enum image_state state;

		image_close(image_open(span_of(file->path), span_of(file->build_id), &o, &state));
	}
	leave(f);
	return NULL;
}

/* Starts the thread with all signals blocked: the recorder handles them. */
static bool start(struct prefetch *f)
{
	sigset_t all, before;
	pthread_t thread;
	bool started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = !pthread_create(&thread, NULL, run, f);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (started)
		pthread_detach(thread);
	return started;
}

void prefetch_modules(struct prefetch *f, const struct profile *p)
{
	if (f->ended || f->nr_module == p->nr_module)
		return;
	pthread_mutex_lock(&f->lock);
	for (; f->nr_module < p->nr_module && f->nr < FILES_MAX; f->nr_module++) {
		const struct module *m = &p->module[f->nr_module];
		struct span path = profile_peek(p, m->path),
			    build_id = profile_peek(p, m->build_id);

		if (span_starts(path, "/") && build_id.size && !image_is_list(path))
			f->file[f->nr++] = (struct file){ xstrdup(path.at), xstrdup(build_id.at) };
	}
	f->nr_module = p->nr_module;
	if (f->next < f->nr && !f->has_thread) {
		f->users++;
		f->has_thread = start(f);
		f->users -= !f->has_thread;
	}
	pthread_mutex_unlock(&f->lock);
}

struct section_store *prefetch_end(struct prefetch *f)
{
	if (!f)
		return NULL;
	pthread_mutex_lock(&f->lock);
	f->ended = true;
	pthread_mutex_unlock(&f->lock);
	section_store_close(f->store);
	return f->store;
}

void prefetch_free(struct prefetch *f)
{
	if (!f)
		return;
	prefetch_end(f);
	leave(f);
}
