#include "symbol/debuginfod.h"

#include "base/alloc.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct debuginfod_client;
typedef int progress_function(struct debuginfod_client *client, long position, long size);

/* The functions of the library that are used. */
struct library {
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *client);
	int (*find_debuginfo)(struct debuginfod_client *client, const unsigned char *build_id,
			      int build_id_size, char **path);
	void (*set_progressfn)(struct debuginfod_client *client, progress_function *f);
};

struct fetcher {
	void *handle;
	struct library lib;
	struct debuginfod_client *client;
	pthread_mutex_t turn;
	fetch_watcher *watcher;
	void *arg;
	struct span file; /* being downloaded */
	bool silent;	  /* the servers did not answer: no further requests */
};

/* The fetcher of the download in this thread: the library only passes its client to show(). */
static _Thread_local const struct fetcher *waiting;

static int show(struct debuginfod_client *client, long position, long size)
{
	const struct fetcher *f = waiting;

	(void)client;
	f->watcher(f->arg, f->file, position > 0 ? (uint64_t)position : 0,
		   size > 0 ? (uint64_t)size : 0);
	return 0;
}

static bool load(struct fetcher *f)
{
	static const struct {
		const char *name;
		size_t at;
	} functions[] = {
		{ "debuginfod_begin", offsetof(struct library, begin) },
		{ "debuginfod_end", offsetof(struct library, end) },
		{ "debuginfod_find_debuginfo", offsetof(struct library, find_debuginfo) },
		{ "debuginfod_set_progressfn", offsetof(struct library, set_progressfn) },
	};

	f->handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; f->handle && i < ARRAY_SIZE(functions); i++) {
		void *function = dlsym(f->handle, functions[i].name);

		if (!function)
			return false;
		memcpy((char *)&f->lib + functions[i].at, &function, sizeof(function));
	}
	return f->handle != NULL;
}

struct fetcher *fetcher_new(fetch_watcher *watcher, void *arg)
{
	struct fetcher *f = xcalloc(1, sizeof(*f));

	f->watcher = watcher;
	f->arg = arg;
	pthread_mutex_init(&f->turn, NULL);
	if (load(f))
		f->client = f->lib.begin();
	if (!f->client) {
		fetcher_free(f);
		return NULL;
	}
	f->lib.set_progressfn(f->client, show);
	return f;
}

void fetcher_free(struct fetcher *f)
{
	if (!f)
		return;
	if (f->client)
		f->lib.end(f->client);
	/* No dlclose(): some dependencies of the library crash when they are unloaded. */
	pthread_mutex_destroy(&f->turn);
	free(f);
}

bool fetcher_is_silent(const struct fetcher *f)
{
	return f->silent;
}

char *fetcher_fetch(void *fetcher, const char *build_id, struct span file)
{
	struct fetcher *f = fetcher;
	char *path = NULL;
	int fd = -ENOENT;

	pthread_mutex_lock(&f->turn);
	f->file = file;
	waiting = f;
	/* A size of 0 means that the build ID is in hex. */
	if (!f->silent) {
		f->watcher(f->arg, file, 0, 0);
		fd = f->lib.find_debuginfo(f->client, (const unsigned char *)build_id, 0, &path);
		f->silent = fd < 0 && fd != -ENOENT;
	}
	pthread_mutex_unlock(&f->turn);
	if (fd < 0)
		return NULL;
	close(fd);
	return path;
}
