#include "record/perf_events/ring.h"

#include "base/alloc.h"
#include "perf/event.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

int ring_open(struct ring *r, int fd, size_t size, struct error *e)
{
	size_t page = page_size();
	char *map = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	*r = (struct ring){ 0 };
	if (map == MAP_FAILED) {
		int why = errno;

		error_sys(e, "cannot map a ring buffer of %zu KiB", size / 1024);
		errno = why;
		return -1;
	}
	r->page = (void *)map;
	r->data = map + page;
	r->size = size;
	r->joined = xmalloc(RECORD_SIZE_MAX);
	return 0;
}

void ring_close(struct ring *r)
{
	if (r->page)
		munmap(r->page, page_size() + r->size);
	free(r->joined);
	*r = (struct ring){ 0 };
}

size_t ring_pending(struct ring *r)
{
	/* Pairs with the kernel's release, so that the bytes before the head are visible, too. */
	r->end = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	return (size_t)(r->end - r->page->data_tail);
}

/* The next bytes, contiguous: copied if they wrap around the end of the data. */
static const char *contiguous(struct ring *r, size_t size)
{
	size_t at = (size_t)(r->at & (r->size - 1)), until_end = r->size - at;

	if (size <= until_end)
		return r->data + at;
	memcpy(r->joined, r->data + at, until_end);
	memcpy(r->joined + until_end, r->data, size - until_end);
	return r->joined;
}

bool ring_next(struct ring *r, struct span *record, bool *stays)
{
	size_t size;

	if (r->end - r->at < RECORD_HEADER_SIZE)
		return false;
	size = record_header(contiguous(r, RECORD_HEADER_SIZE), ORDER_HOST).size;
	/* The kernel does not write such a record, but wick would read it forever. */
	if (size < RECORD_HEADER_SIZE || size > r->end - r->at) {
		r->at = r->end;
		return false;
	}
	*record = (struct span){ .at = contiguous(r, size), .size = size };
	*stays = record->at != r->joined;
	r->at += size;
	return true;
}

void ring_take(struct ring *r, struct strbuf *to)
{
	size_t at = (size_t)(r->at & (r->size - 1)), until_end = r->size - at, size;

	ring_pending(r);
	size = (size_t)(r->end - r->at);
	strbuf_add(to, (struct span){ r->data + at, size < until_end ? size : until_end });
	if (size > until_end)
		strbuf_add(to, (struct span){ r->data, size - until_end });
	r->at = r->before = r->end;
	__atomic_store_n(&r->page->data_tail, r->end, __ATOMIC_RELEASE);
}

void ring_round(struct ring *r)
{
	__atomic_store_n(&r->page->data_tail, r->before, __ATOMIC_RELEASE);
	r->before = r->at;
}
