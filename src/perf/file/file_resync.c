/*
 * Nothing marks the start of a record, so after corrupt bytes it is guessed: at the first place
 * where several plausible headers follow each other, each at the end of the previous record.
 */
#include "perf/file/perf_data.h"

enum {
	/* This many plausible headers in a row are no coincidence. */
	IN_A_ROW = 4,
	/* Bytes searched at a time; those in the overlap only complete a row of headers. */
	WINDOW = 1024 * 1024,
	OVERLAP = (IN_A_ROW + 1) * (RECORD_SIZE_MAX + 1),
};

bool perf_is_header(struct record_header h)
{
	/* Sizes of the kernel's records are multiples of 8, those of perf itself need not be. */
	if (h.type < USER_ATTR)
		return h.type >= PERF_RECORD_MMAP && h.type <= PERF_RECORD_DEFERRED &&
		       h.size >= RECORD_HEADER_SIZE && h.size % 8 == 0;
	return h.type <= USER_LAST && h.size >= RECORD_HEADER_SIZE;
}

/* Does a row of records begin here?  At the end of the input it may be shorter. */
static bool is_row(struct span bytes, enum byte_order order)
{
	for (int i = 0; i < IN_A_ROW; i++) {
		struct record_header h;

		if (bytes.size < RECORD_HEADER_SIZE)
			return i && !bytes.size;
		h = record_header(bytes.at, order);
		if (!perf_is_header(h) || h.size > bytes.size)
			return false;
		bytes = span_from(bytes, h.size);
	}
	return true;
}

static bool find_row(struct span window, size_t from, size_t to, enum byte_order order, size_t *at)
{
	for (*at = from; *at < to; ++*at)
		if (is_row(span_from(window, *at), order))
			return true;
	return false;
}

bool perf_resync(struct perf_data *d, uint64_t *passed)
{
	/* There is no record at 0. */
	size_t from = 1, at;

	for (*passed = 0;; from = 0) {
		struct span window = feed_peek(&d->feed, WINDOW);
		bool is_last = window.size < WINDOW;
		size_t to = is_last ? window.size : WINDOW - OVERLAP;
		bool found = find_row(window, from, to, d->order, &at);

		*passed += at;
		if (!feed_skip(&d->feed, at) || found || is_last)
			return found;
	}
}
