/* The names of this program's own variables, by their addresses. */
#include "image/image.h"
#include "record/targets/running.h"
#include "tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock_without_bytes;
static pthread_mutex_t lock_with_bytes = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static struct {
	char before[40];
	pthread_mutex_t mutex;
} inner_lock;

int main(void);

static char path[4096];
static struct image_spot code; /* main() */

/* A running_sink: the mapping that holds main(). */
static int find_code(void *arg, const struct record *r, struct error *e)
{
	uint64_t from = (uintptr_t)main - r->mmap.addr;

	(void)arg;
	(void)e;
	if (from < r->mmap.len) {
		snprintf(path, sizeof(path), "%.*s", (int)r->mmap.path.size, r->mmap.path.at);
		code.place = r->mmap.pgoff + from;
	}
	return 0;
}

static bool find(const void *address, struct image_variable *v)
{
	static const struct image_opts opts;
	struct image_spot at = code;

	at.distance = (int64_t)((uintptr_t)address - (uintptr_t)main);
	return image_variable(span_of(path), SPAN(""), &opts, &at, v);
}

int main(void)
{
	static const struct image_opts opts;
	struct error e = ERROR_INIT;
	struct image_variable v;
	void *heap = malloc(100);

	/* So that all of them are there. */
	pthread_mutex_lock(&lock_without_bytes);
	pthread_mutex_lock(&lock_with_bytes);
	pthread_mutex_lock(&inner_lock.mutex);
	running_maps(getpid(), find_code, NULL, &e);
	ok(find(&lock_without_bytes, &v),
	   "image_variable() finds a variable that has no bytes in the file");
	is_str(v.name, "lock_without_bytes",
	       "image_variable() names a variable that has no bytes in the file");
	is_int((intmax_t)v.offset, 0, "the offset of an address where a variable begins is 0");
	ok(find(&lock_with_bytes, &v),
	   "image_variable() finds a variable that has bytes in the file");
	is_str(v.name, "lock_with_bytes",
	       "image_variable() names a variable that has bytes in the file");
	ok(find(&inner_lock.mutex, &v), "image_variable() finds a member of a variable");
	is_str(v.name, "inner_lock", "image_variable() names the variable of a member");
	is_int((intmax_t)v.offset, sizeof(inner_lock.before),
	       "the offset of a member's address is that in its variable");
	ok(!find(heap, &v), "image_variable() does not find an address of the heap in a file");
	ok(!find(&e, &v), "image_variable() does not find an address of the stack in a file");
	ok(!image_variable(SPAN("/nowhere"), SPAN(""), &opts, &code, &v),
	   "image_variable() does not find an address in a missing file");
	free(heap);
	return done();
}
