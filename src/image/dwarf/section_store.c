#include "image/dwarf/section_store.h"

#include "base/alloc.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { STORE_MAX = 64 * 1024 * 1024 };

struct stored {
	char *build_id;
	size_t section, size;
	char *bytes; /* NULL: taken */
};

struct section_store {
	pthread_mutex_t lock;
	struct stored *stored;
	size_t nr, cap, size; /* size: of all sections, in bytes */
	bool closed;
};

struct section_store *section_store_new(void)
{
	struct section_store *s = xcalloc(1, sizeof(*s));

	pthread_mutex_init(&s->lock, NULL);
	return s;
}

void section_store_free(struct section_store *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr; i++) {
		free(s->stored[i].build_id);
		free(s->stored[i].bytes);
	}
	free(s->stored);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

static struct stored *find(const struct section_store *s, struct span build_id, size_t section)
{
	for (size_t i = 0; i < s->nr; i++)
		if (s->stored[i].section == section && span_is(build_id, s->stored[i].build_id))
			return &s->stored[i];
	return NULL;
}

char *section_store_take(struct section_store *s, struct span build_id, size_t section, size_t size)
{
	struct stored *found;
	char *bytes = NULL;

	pthread_mutex_lock(&s->lock);
	found = find(s, build_id, section);
	if (found && found->bytes && found->size == size) {
		bytes = found->bytes;
		found->bytes = NULL;
		s->size -= size;
	}
	pthread_mutex_unlock(&s->lock);
	return bytes;
}

static struct stored *add(struct section_store *s, struct span build_id, size_t section)
{
	char *copy = xmalloc(build_id.size + 1);

	memcpy(copy, build_id.at, build_id.size);
	copy[build_id.size] = '\0';
	GROW(s->stored, s->nr, s->cap);
	s->stored[s->nr] = (struct stored){ .build_id = copy, .section = section };
	return &s->stored[s->nr++];
}

void section_store_add(struct section_store *s, struct span build_id, size_t section, char *bytes,
		       size_t size)
{
	struct stored *at;

	pthread_mutex_lock(&s->lock);
	at = find(s, build_id, section);
	if (!s->closed && size <= STORE_MAX - s->size && !(at && at->bytes)) {
		if (!at)
			at = add(s, build_id, section);
		at->bytes = bytes;
		at->size = size;
		s->size += size;
		bytes = NULL;
	}
	pthread_mutex_unlock(&s->lock);
	free(bytes);
}

void section_store_close(struct section_store *s)
{
	pthread_mutex_lock(&s->lock);
	s->closed = true;
	pthread_mutex_unlock(&s->lock);
}
