/*
 * Profiles of gperftools and jemalloc, and Go's as text: addresses, followed by the memory map of the
 * process, which converts them to offsets in files.
 *
 * A CPU profile is binary, in machine words: 0, 3, 0, the period in µs, 0; then for each stack its count,
 * the number of addresses, and the addresses; at the end 0, 1, 0, and the map as text.
 *
 * A heap profile is text.  Numbers in brackets are the total allocated so far, those before are in use:
 *
 *	heap profile:    2:    20480 [    3:    30720] @ heap_v2/524288
 *	     2:    20480 [     3:    30720] @ 0x401136 0x40114f
 *	#	0x401135	main.work+0x15	/src/main.go:12
 *	MAPPED_LIBRARIES:
 *
 *	heap_v2/524288
 *	@ 0x401136 0x40114f
 *	  t*: 2: 20480 [3: 30720]
 *
 * With a rate, only some allocations were sampled: each is scaled to represent the others.
 */
#include "base/alloc.h"
#include "base/first_above.h"
#include "read/build.h"
#include "read/readers.h"
#include "read/whole_input.h"

#include <math.h>
#include <stdlib.h>

/* The memory map of the process */

struct mapping {
	uint64_t begin, end, offset;
	struct span path;
};

struct gperf {
	struct build *b;
	struct mapping *mapping; /* by address */
	size_t nr, cap;
};

static int by_address(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* "00400000-0040b000 r-xp 00001000 fe:01 1234  /usr/bin/app" */
static bool parse_mapping(struct span line, struct mapping *m)
{
	struct span range = span_word(&line), access = span_word(&line), offset = span_word(&line);
	size_t dash = span_find(range, '-');

	span_word(&line); /* device */
	span_word(&line); /* inode */
	m->path = span_trim(line);
	return dash < range.size && span_hex(span_upto(range, dash), &m->begin) &&
	       span_hex(span_from(range, dash + 1), &m->end) && m->begin < m->end &&
	       access.size >= 4 && access.at[2] == 'x' && span_hex(offset, &m->offset) &&
	       span_starts(m->path, "/");
}

static void read_map(struct gperf *g, struct span text)
{
	while (text.size) {
		struct mapping m;

		if (!parse_mapping(span_line(&text), &m))
			continue;
		GROW(g->mapping, g->nr, g->cap);
		g->mapping[g->nr++] = m;
	}
	if (g->nr)
		qsort(g->mapping, g->nr, sizeof(*g->mapping), by_address);
}

static const struct mapping *find_mapping(const struct gperf *g, uint64_t address)
{
	size_t low = FIRST_ABOVE(g->mapping, g->nr, begin, address);

	if (!g->mapping || !low || address >= g->mapping[low - 1].end)
		return NULL;
	return &g->mapping[low - 1];
}

static void push_address(struct gperf *g, uint64_t address, unsigned flags)
{
	const struct mapping *m = find_mapping(g, address);
	struct frame f = { .flags = flags, .address = address };

	if (m) {
		f.module = profile_module(g->b->p, m->path, SPAN(""));
		f.address = address - m->begin + m->offset;
		f.flags |= FRAME_IN_MODULE;
	}
	build_push(g->b, profile_frame(g->b->p, &f));
}

/* CPU profiles */

enum { HEADER_WORDS = 5, HEADER_REST = 3, PERIOD_WORD = 3 };

/* Words, with their size and byte order. */
struct words {
	struct span bytes;
	unsigned size;
	bool is_big;
};

static uint64_t word_at(const struct words *w, size_t i)
{
	const unsigned char *at = (const unsigned char *)w->bytes.at + i * w->size;
	uint64_t value = 0;

	for (unsigned k = 0; k < w->size; k++)
		value = value << 8 | at[w->is_big ? k : w->size - 1 - k];
	return value;
}

static bool find_words(struct span bytes, struct words *w)
{
	static const struct {
		unsigned size;
		bool is_big;
	} kinds[] = { { 8, false }, { 4, false }, { 8, true }, { 4, true } };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		*w = (struct words){ bytes, kinds[i].size, kinds[i].is_big };
		if (bytes.size >= HEADER_WORDS * (size_t)w->size && !word_at(w, 0) &&
		    word_at(w, 1) == HEADER_REST && !word_at(w, 2) && word_at(w, PERIOD_WORD) &&
		    word_at(w, PERIOD_WORD) < UINT32_MAX && !word_at(w, 4))
			return true;
	}
	return false;
}

/* The index of the trailer, where the stacks end; the map follows it. */
static size_t find_end(const struct words *w, size_t nr)
{
	size_t i = HEADER_WORDS;

	while (nr - i >= 2 && word_at(w, i) && word_at(w, i + 1) <= nr - i - 2)
		i += 2 + (size_t)word_at(w, i + 1);
	return i;
}

static int read_stacks(struct gperf *g, const struct words *w, size_t end, struct error *e)
{
	uint64_t period = word_at(w, PERIOD_WORD);

	g->b->event = profile_event(g->b->p, SPAN("cpu"), SPAN("us"));
	for (size_t i = HEADER_WORDS; i < end;) {
		uint64_t count = word_at(w, i), nr = word_at(w, i + 1);
		int64_t weight;

		for (i += 2; nr; nr--, i++)
			push_address(g, word_at(w, i), g->b->nr ? FRAME_RETURN_ADDRESS : 0);
		if (__builtin_mul_overflow(count, period, &weight)) {
			build_drop(g->b);
			if (build_note(g->b, NOTE_COUNT_TOO_LARGE, SPAN(""), e))
				return -1;
		} else if (build_end_many(g->b, LEAF_FIRST, weight, count, e)) {
			return -1;
		}
	}
	return 0;
}

static int gperftools_read(struct build *b, struct error *e)
{
	struct gperf g = { .b = b };
	struct whole whole;
	struct words w;
	size_t end, nr;
	int ret = whole_open(&whole, b, e);

	if (!ret && !find_words(whole.all, &w))
		ret = build_note(b, NOTE_BAD_HEADER, SPAN(""), e);
	else if (!ret) {
		nr = whole.all.size / w.size;
		end = find_end(&w, nr);
		if (nr - end >= 3 && !word_at(&w, end))
			read_map(&g, span_from(w.bytes, (end + 3) * w.size));
		else
			ret = build_note(b, NOTE_NO_END, SPAN(""), e);
		if (!ret)
			ret = read_stacks(&g, &w, end, e);
	}
	free(g.mapping);
	return ret;
}

static bool gperftools_accepts(struct span head)
{
	struct words w;

	return find_words(head, &w);
}

const struct reader reader_gperftools = {
	.name = "gperftools",
	.title = "gperftools CPU profiles",
	.accepts = gperftools_accepts,
	.read = gperftools_read,
	.split = SPLIT_ANYWHERE,
};

/* Heap profiles */

struct amounts {
	uint64_t objects, bytes;
};

struct heap {
	struct gperf g;
	double rate; /* bytes between two samples; 0: all allocations are recorded */
	uint32_t in_use, allocated;
	struct amounts used, total; /* of the stack that is being read */
	bool has_stack, has_amounts;
	struct span addresses;
};

/* "12: 4096" */
static bool take_amounts(struct span *text, struct amounts *a)
{
	struct span objects, bytes;

	*text = span_trim_start(*text);
	objects = span_digits(*text);
	*text = span_trim_start(span_from(*text, objects.size));
	if (!span_starts(*text, ":"))
		return false;
	*text = span_trim_start(span_from(*text, 1));
	bytes = span_digits(*text);
	*text = span_trim_start(span_from(*text, bytes.size));
	return span_u64(objects, &a->objects) && span_u64(bytes, &a->bytes);
}

/* "12: 4096 [34: 8192]" */
static bool take_row(struct heap *h, struct span *text)
{
	if (!take_amounts(text, &h->used) || !span_starts(*text, "["))
		return false;
	*text = span_from(*text, 1);
	if (!take_amounts(text, &h->total) || !span_starts(*text, "]"))
		return false;
	*text = span_trim_start(span_from(*text, 1));
	return true;
}

/* Divides by the probability that an allocation of this size is sampled. */
static struct amounts unsample(const struct heap *h, struct amounts a)
{
	double scale;

	if (h->rate <= 0 || !a.objects || !a.bytes)
		return a;
	scale = 1 / (1 - exp(-((double)a.bytes / (double)a.objects) / h->rate));
	if (!(scale > 1) || (double)a.bytes * scale >= (double)INT64_MAX ||
	    (double)a.objects * scale >= (double)INT64_MAX)
		return a;
	return (struct amounts){ (uint64_t)((double)a.objects * scale + 0.5),
				 (uint64_t)((double)a.bytes * scale + 0.5) };
}

static int count_amounts(struct heap *h, stack_id stack, uint32_t event, struct amounts a,
			 struct error *e)
{
	a = unsample(h, a);
	h->g.b->event = event;
	if (a.bytes > INT64_MAX)
		return build_note(h->g.b, NOTE_COUNT_TOO_LARGE, SPAN(""), e);
	return a.bytes ? build_add(h->g.b, stack, (int64_t)a.bytes, a.objects, e) : 0;
}

static void push_addresses(struct heap *h)
{
	struct span word;
	uint64_t address;

	while ((word = span_word(&h->addresses)).size)
		if (span_starts(word, "0x") && span_hex(span_from(word, 2), &address))
			push_address(&h->g, address, FRAME_RETURN_ADDRESS);
}

static int end_stack(struct heap *h, struct error *e)
{
	struct build *b = h->g.b;
	stack_id stack = { 0 };
	bool counts = h->has_stack && h->has_amounts;

	h->has_stack = h->has_amounts = false;
	/* Named frames, if there were any, are already pushed. */
	if (counts && !b->nr)
		push_addresses(h);
	if (!counts || !b->nr) {
		build_drop(b);
		return 0;
	}
	if (build_stack(b, LEAF_FIRST, &stack, e))
		return -1;
	return count_amounts(h, stack, h->in_use, h->used, e) ||
			       count_amounts(h, stack, h->allocated, h->total, e)
		       ? -1
		       : 0;
}

/* "#	0x401135	main.work+0x15	/src/main.go:12" */
static void push_named(struct heap *h, struct span line)
{
	struct span address, name;
	size_t plus;

	line = span_from(line, 1);
	address = span_word(&line);
	name = span_word(&line);
	plus = span_rfind_text(name, "+0x");
	if (span_starts(address, "0x") && name.size)
		build_push_name(h->g.b, span_upto(name, plus));
}

/* "heap_v2/524288"; Go writes twice the rate. */
static void set_rate(struct heap *h, struct span kind)
{
	size_t slash = span_find(kind, '/');
	struct span digits = span_digits(span_from(kind, slash + 1));
	uint64_t rate;

	if (!span_u64(digits, &rate) || !rate)
		return;
	h->rate = (double)rate;
	if (span_is(span_upto(kind, slash), "heap"))
		h->rate /= 2;
}

static bool is_map(struct span line)
{
	return span_starts(line, "MAPPED_LIBRARIES:") || span_starts(line, "--- Memory map: ---");
}

static int heap_line(struct heap *h, struct span line, struct error *e)
{
	struct span rest = span_trim_start(line);

	if (span_starts(rest, "heap profile:") || span_starts(rest, "heap_v2/")) {
		set_rate(h, span_starts(rest, "heap_v2")
				    ? rest
				    : span_trim(span_from(rest, span_find(rest, '@') + 1)));
		return 0;
	}
	if (span_starts(rest, "#")) {
		if (h->has_stack)
			push_named(h, rest);
		return 0;
	}
	/* jemalloc: the stack comes first, then the sum of all threads, then each thread. */
	if (span_starts(rest, "@")) {
		if (end_stack(h, e))
			return -1;
		h->addresses = span_from(rest, 1);
		h->has_stack = true;
		return 0;
	}
	if (span_starts(rest, "t*:")) {
		rest = span_from(rest, 3);
		h->has_amounts = h->has_stack && take_row(h, &rest);
		return 0;
	}
	if (!rest.size || !is_digit(rest.at[0]))
		return 0;
	if (end_stack(h, e))
		return -1;
	if (!take_row(h, &rest) || !span_starts(rest, "@"))
		return build_note(h->g.b, NOTE_BAD_LINE, line, e);
	h->addresses = span_from(rest, 1);
	h->has_stack = h->has_amounts = true;
	return 0;
}

static int heap_text_read(struct build *b, struct error *e)
{
	struct heap h = { .g = { .b = b } };
	struct whole whole;
	struct span rest = SPAN("");
	int ret = whole_open(&whole, b, e);

	if (!ret)
		rest = whole.all;
	h.in_use = profile_event(b->p, SPAN("inuse_space"), SPAN("bytes"));
	h.allocated = profile_event(b->p, SPAN("alloc_space"), SPAN("bytes"));
	for (struct span at = rest; at.size;) {
		if (!is_map(span_line(&at)))
			continue;
		read_map(&h.g, at);
		break;
	}
	while (!ret && rest.size) {
		struct span line = span_line(&rest);

		b->text->line++;
		if (is_map(line))
			break;
		ret = heap_line(&h, line, e);
	}
	if (!ret)
		ret = end_stack(&h, e);
	free(h.g.mapping);
	return ret;
}

static bool heap_text_accepts(struct span head)
{
	return span_starts(head, "heap profile: ") || span_starts(head, "heap_v2/");
}

const struct reader reader_heap_text = {
	.name = "heap-text",
	.title = "heap profiles of gperftools, jemalloc and Go as text",
	.accepts = heap_text_accepts,
	.read = heap_text_read,
	.split = SPLIT_ANYWHERE,
};
