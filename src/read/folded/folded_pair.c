#include "read/folded/folded_pair.h"

#include "base/alloc.h"
#include "base/source.h"
#include "read/readers.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	DIGITS_MAX = 18, /* of a count: fits into an int64_t */
	/* A shorter line exceeds neither limit of the reader: length of a name, depth of a stack. */
	PLAIN_MAX = PROFILE_NAME_MAX < PROFILE_DEPTH_MAX ? PROFILE_NAME_MAX : PROFILE_DEPTH_MAX,
	CHUNK = 1024 * 1024, /* bytes that a thread takes at a time */
	BATCH = 16,	     /* lines whose slots are prefetched together */
	AHEAD = 8,	     /* rows whose texts are prefetched before they are needed */
	AROUND = 64 * 1024,  /* bytes that the kernel maps around a page fault */
	THREADS_MAX = 64,
};

/*
 * The rows of a chunk, which are added in the order of chunks.  They are in a mapping of their own, which is freed at
 * once: what malloc() would keep for reuse is a tenth of all memory.
 */
struct part {
	struct folded_row *row;
	size_t nr, size; /* rows, and bytes of memory */
	int64_t total;
	bool is_sorted;
};

struct join {
	struct folded_pair *pair;
	bool with_roots;
	pthread_mutex_t lock; /* of the pair's roots */
	unsigned side;	      /* the file whose chunks are being read */
	struct part *part;
	size_t nr_part;
	_Atomic size_t next; /* the first chunk that no thread has taken */
	_Atomic bool odd;    /* there is a line that is not plain */
	_Atomic bool sort;   /* one of the threads has to sort the rows of the first file */
};

/* Lines */

static struct span text_of(const struct folded_row *row)
{
	return (struct span){ .at = row->at, .size = row->size };
}

static void set_text(struct folded_row *row, struct span text)
{
	row->at = text.at;
	row->size = (uint32_t)text.size & INT32_MAX;
}

/* Splits a plain line into stack and count. */
static bool parse_line(struct span s, struct folded_row *row, int64_t *count)
{
	int64_t unit = 1;
	size_t at = s.size;

	*count = 0;
	while (at > 0 && is_digit(s.at[at - 1])) {
		at--;
		if (s.size - at > DIGITS_MAX)
			return false;
		*count += (s.at[at] - '0') * unit;
		unit *= 10;
	}
	if (!*count || at < 2 || s.at[at - 1] != ' ' || s.size > PLAIN_MAX)
		return false;
	set_text(row, span_upto(s, --at));
	/* Not plain: a comment, blanks at either end, a byte order mark, a missing name … */
	if (s.at[at - 1] == ';' || is_blank(s.at[0]) || s.at[0] == '#' || s.at[0] == '\xef' ||
	    is_blank(s.at[at - 1]))
		return false;
	/* … or a second count. */
	while (at > 0 && (is_digit(s.at[at - 1]) || s.at[at - 1] == '.'))
		at--;
	return at > 0 && (at == row->size || !is_blank(s.at[at - 1]));
}

/* Compares a renamed row, which is its root and its text, with a row that is all text. */
static int compare_renamed(struct span root, const struct folded_row *renamed,
			   const struct folded_row *row)
{
	struct span text = text_of(row);
	int order = span_compare(root, span_upto(text, root.size));

	return order ? order : span_compare(text_of(renamed), span_from(text, root.size));
}

static int compare_rows(const struct folded_pair *p, const struct folded_row *a,
			const struct folded_row *b)
{
	if (a->is_renamed == b->is_renamed)
		return span_compare(text_of(a), text_of(b));
	return a->is_renamed ? compare_renamed(p->root, a, b) : -compare_renamed(p->root, b, a);
}

/* Roots */

/* The root of a line is hashed separately, so that it can be replaced in the fingerprint. */
static struct print print_root(const struct folded_pair *p, struct span root)
{
	return print_of(root, ~p->seed);
}

static void set_print(struct folded_row *row, struct print print)
{
	row->print_low = print.low;
	row->print_high = print.high;
}

static void change_print(struct folded_row *row, struct print by)
{
	row->print_low ^= by.low;
	row->print_high ^= by.high;
}

static bool has_root(const struct folded_row *row, struct span root)
{
	return row->size >= root.size && !memcmp(row->at, root.at, root.size) &&
	       (row->size == root.size || row->at[root.size] == ';');
}

static uint32_t add_root(struct folded_roots *r, struct span name)
{
	uint32_t nr = r->names.nr, i = intern(&r->names, name);

	if (i == nr) {
		GROW(r->sum, (size_t)nr, r->cap);
		r->sum[i][0] = r->sum[i][1] = 0;
	}
	return i;
}

/* The roots of the lines that a thread reads. */
struct tally {
	struct folded_roots roots;
	struct print *print; /* by root */
	size_t cap;
	uint32_t last; /* root of the previous line, which is mostly also that of the next */
};

static void tally_line(struct tally *t, const struct join *j, struct folded_row *row, int64_t count)
{
	struct span text = text_of(row), root = span_upto(text, span_find(text, ';'));
	uint32_t nr = t->roots.names.nr;

	if (!nr || !span_eq(root, intern_peek(&t->roots.names, t->last)))
		t->last = add_root(&t->roots, root);
	if (t->last == nr) {
		GROW(t->print, (size_t)nr, t->cap);
		t->print[nr] = print_root(j->pair, root);
	}
	t->roots.sum[t->last][j->side] += count;
	set_print(row, print_of(span_from(text, root.size), j->pair->seed));
	change_print(row, t->print[t->last]);
}

static void release_roots(struct folded_roots *r)
{
	intern_release(&r->names);
	free(r->sum);
}

/* Adds the roots of a thread to those of the pair. */
static void tally_finish(struct tally *t, struct join *j)
{
	struct folded_roots *all = &j->pair->roots;

	pthread_mutex_lock(&j->lock);
	for (uint32_t i = 0; i < t->roots.names.nr; i++) {
		uint32_t root = add_root(all, intern_peek(&t->roots.names, i));

		for (unsigned side = 0; side < 2; side++)
			all->sum[root][side] += t->roots.sum[i][side];
	}
	pthread_mutex_unlock(&j->lock);
	release_roots(&t->roots);
	free(t->print);
}

/* The table */

static bool same_print(const struct folded_row *a, const struct folded_row *b)
{
	return a->print_low == b->print_low && a->print_high == b->print_high;
}

/* The slot of the row's line, or the empty slot for it. */
static uint32_t *find_slot(const struct folded_pair *p, const struct folded_row *row)
{
	uint32_t i = (uint32_t)row->print_low & p->mask;

	while (p->slot[i] && !same_print(&p->row[p->slot[i] - 1], row))
		i = (i + 1) & p->mask;
	return &p->slot[i];
}

static void fetch_slot(const struct folded_pair *p, const struct folded_row *row)
{
	__builtin_prefetch(&p->slot[(uint32_t)row->print_low & p->mask]);
}

/* Makes a table for nr rows, of which at least a quarter is empty. */
static void make_slots(struct folded_pair *p, size_t nr)
{
	size_t slots = 256;

	while (slots / 4 * 3 < nr)
		slots *= 2;
	p->slot = xcalloc(slots, sizeof(*p->slot));
	p->mask = (uint32_t)(slots - 1);
}

/* Adds a row of the first file, or its count to the row with the same line. */
static void add_first(struct folded_pair *p, const struct folded_row *row)
{
	uint32_t *slot = find_slot(p, row);

	if (*slot) {
		p->row[*slot - 1].sum[0] += row->sum[0];
		return;
	}
	p->row[p->nr++] = *row;
	*slot = (uint32_t)p->nr;
}

/* Chunks */

/* The offset of the first line that begins at or after this byte. */
static size_t line_at(struct span text, size_t at)
{
	if (at >= text.size)
		return text.size;
	if (at)
		at += span_find(span_from(text, at - 1), '\n');
	return at < text.size ? at : text.size;
}

/* Maps memory for the largest possible number of rows of a text; pages that are not written to cost nothing. */
static bool open_part(struct part *c, size_t text)
{
	enum { LINE_MIN = sizeof("a 1\n") - 1 };
	void *at;

	c->size = (text / LINE_MIN + 1) * sizeof(*c->row);
	at = mmap(NULL, c->size, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	c->row = at == MAP_FAILED ? NULL : at;
	return c->row;
}

static void release_part(struct part *c)
{
	if (c->row)
		munmap(c->row, c->size);
	c->row = NULL;
}

/* Unmaps the unused rest. */
static void close_part(struct part *c)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t used = (c->nr * sizeof(*c->row) + page - 1) & ~(page - 1);

	if (!used)
		release_part(c);
	else if (used < c->size && !munmap((char *)c->row + used, c->size - used))
		c->size = used;
}

/* Lines of the second file: those in the first file are counted there, the others are stored. */
static void match_rows(const struct folded_pair *p, struct part *c, const struct folded_row *row,
		       size_t nr)
{
	struct folded_row *found[BATCH];

	for (size_t i = 0; i < nr; i++) {
		uint32_t first = p->slot[(uint32_t)row[i].print_low & p->mask];

		found[i] = first ? &p->row[first - 1] : NULL;
		if (first)
			__builtin_prefetch(found[i], 1);
	}
	for (size_t i = 0; i < nr; i++) {
		uint32_t at;

		if (found[i] && !same_print(found[i], &row[i])) {
			at = *find_slot(p, &row[i]);
			found[i] = at ? &p->row[at - 1] : NULL;
		}
		if (found[i])
			__atomic_fetch_add(&found[i]->sum[1], row[i].sum[1], __ATOMIC_RELAXED);
		else
			c->row[c->nr++] = row[i];
	}
}

/* Lines of the first file. */
static void keep_rows(const struct folded_pair *p, struct part *c, const struct folded_row *row,
		      size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		c->is_sorted = c->is_sorted &&
			       (!c->nr || compare_rows(p, &c->row[c->nr - 1], &row[i]) < 0);
		c->row[c->nr++] = row[i];
	}
}

/* Up to BATCH lines of the text; 0: no more, or one is not plain. */
static size_t take_lines(struct join *j, struct part *c, struct tally *t, struct span *text,
			 struct folded_row *row)
{
	size_t nr = 0;

	while (text->size && nr < BATCH) {
		size_t n = span_find(*text, '\n');
		struct folded_row *r = &row[nr];
		int64_t count;

		if (n) {
			if (!parse_line(span_upto(*text, n), r, &count) ||
			    __builtin_add_overflow(c->total, count, &c->total)) {
				j->odd = true;
				return 0;
			}
			if (j->with_roots)
				tally_line(t, j, r, count);
			else
				set_print(r, print_of(text_of(r), j->pair->seed));
			r->is_renamed = false;
			r->sum[j->side] = count;
			r->sum[!j->side] = 0;
			if (j->side)
				fetch_slot(j->pair, r);
			nr++;
		}
		*text = span_from(*text, n + 1);
	}
	return nr;
}

/* madvise() for the complete pages of a range. */
static void advise(struct span s, int advice)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = ((uintptr_t)s.at + page - 1) & ~(page - 1);
	uintptr_t end = ((uintptr_t)s.at + s.size) & ~(page - 1);

	if (begin < end)
		(void)madvise((void *)begin, end - begin, advice);
}

static void read_chunk(struct join *j, size_t nr, struct tally *t)
{
	struct part *c = &j->part[nr];
	struct span text = j->pair->text[j->side], lines;
	size_t begin = line_at(text, nr * CHUNK), end = line_at(text, (nr + 1) * CHUNK), taken;
	struct folded_row row[BATCH];

	lines = span_between(text.at + begin, text.at + end);
#ifdef MADV_POPULATE_READ
	advise(lines, MADV_POPULATE_READ);
#endif
	c->is_sorted = true;
	if (!open_part(c, end - begin)) {
		j->odd = true;
		return;
	}
	while ((taken = take_lines(j, c, t, &lines, row)))
		if (j->side)
			match_rows(j->pair, c, row, taken);
		else
			keep_rows(j->pair, c, row, taken);
	close_part(c);
	/* The text is not needed again: no row points into it.  Frees what the kernel mapped before it, too. */
	if (j->side && !c->nr)
		advise(span_between(text.at + begin - (begin < AROUND ? begin : AROUND),
				    text.at + end),
		       MADV_DONTNEED);
}

static struct sort_text *sort_rows(const struct folded_pair *p, size_t begin, size_t end,
				   unsigned threads)
{
	struct sort_text *t = xcalloc(end - begin, sizeof(*t));

	for (size_t i = begin; i < end; i++)
		t[i - begin] = sort_text(text_of(&p->row[i]), (uint32_t)i);
	sort_texts(t, end - begin, threads);
	return t;
}

static void *work(void *arg)
{
	struct join *j = arg;
	struct tally t = { 0 };
	size_t nr;

	if (atomic_exchange(&j->sort, false))
		j->pair->order[FOLDED_FIRST_FILE] = sort_rows(j->pair, 0, j->pair->nr, 1);
	while (!j->odd && (nr = j->next++) < j->nr_part)
		read_chunk(j, nr, &t);
	tally_finish(&t, j);
	return NULL;
}

/* Adds the rows of a chunk of the first file; *is_sorted: all rows so far are sorted. */
static void add_first_chunk(struct folded_pair *p, const struct part *c, bool *is_sorted)
{
	*is_sorted = *is_sorted && c->is_sorted &&
		     (!c->nr || !p->nr || compare_rows(p, &p->row[p->nr - 1], c->row) < 0);
	for (size_t k = 0; k < c->nr; k++) {
		if (k + AHEAD < c->nr)
			fetch_slot(p, &c->row[k + AHEAD]);
		add_first(p, &c->row[k]);
	}
}

/*
 * Adds the stored rows of the chunks of a file; false: their counts are too large.  Equal lines that are only in
 * the second file are not merged yet: they will be adjacent when they are sorted.
 */
static bool add_chunks(struct join *j, bool *is_sorted)
{
	struct folded_pair *p = j->pair;
	size_t nr = p->nr;
	int64_t total = 0;

	for (size_t i = 0; i < j->nr_part; i++)
		nr += j->part[i].nr;
	if (nr >= UINT32_MAX / 4)
		return false;
	p->row = xreallocarray(p->row, nr, sizeof(*p->row));
	if (!j->side)
		make_slots(p, nr);
	*is_sorted = true;
	for (size_t i = 0; i < j->nr_part; i++) {
		struct part *c = &j->part[i];

		if (!j->side) {
			add_first_chunk(p, c, is_sorted);
		} else if (c->nr) {
			memcpy(p->row + p->nr, c->row, c->nr * sizeof(*c->row));
			p->nr += c->nr;
		}
		release_part(c);
		if (__builtin_add_overflow(total, c->total, &total))
			return false;
	}
	return true;
}

static bool read_side(struct join *j, unsigned side, unsigned threads, bool *is_sorted)
{
	pthread_t thread[THREADS_MAX];
	unsigned nr = 0;
	bool plain;

	j->side = side;
	j->nr_part = (j->pair->text[side].size + CHUNK - 1) / CHUNK;
	j->part = xcalloc(j->nr_part, sizeof(*j->part));
	j->next = 0;
	/* If a thread cannot be created, those before it do the work. */
	while (nr + 1 < threads && nr < THREADS_MAX && nr < j->nr_part &&
	       !pthread_create(&thread[nr], NULL, work, j))
		nr++;
	work(j);
	for (unsigned i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
	plain = !j->odd && add_chunks(j, is_sorted);
	for (size_t i = 0; i < j->nr_part; i++)
		release_part(&j->part[i]);
	free(j->part);
	return plain;
}

/* Merges equal lines that are only in the second file, which are adjacent now. */
static void add_up_second(struct folded_pair *p, size_t nr)
{
	struct sort_text *t = p->order[FOLDED_SECOND_FILE];
	struct folded_row *last = NULL;

	for (size_t i = 0; i < nr; i++) {
		struct folded_row *row = &p->row[t[i].what];

		if (i + AHEAD < nr)
			__builtin_prefetch(&p->row[t[i + AHEAD].what]);
		if (last && same_print(last, row)) {
			last->sum[1] += row->sum[1];
			continue;
		}
		last = row;
		t[p->nr_order[FOLDED_SECOND_FILE]++] = t[i];
	}
}

/* Files */

/* Another format may have plain lines, too. */
static bool is_folded(struct span text)
{
	return reader_guess(span_upto(text, SOURCE_HEAD_SIZE)) == &reader_folded;
}

/* The bytes of a file; empty if it is not a regular file, too large or cannot be read. */
static struct span map_file(const char *path)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *at = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return (struct span){ 0 };
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    st.st_size <= FOLDED_PAIR_MAX)
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return (struct span){ 0 };
	return (struct span){ .at = at, .size = (size_t)st.st_size };
}

bool folded_pair_read(struct folded_pair *p, const char *const path[2], unsigned threads,
		      bool with_roots)
{
	struct join j = { .pair = p, .with_roots = with_roots, .lock = PTHREAD_MUTEX_INITIALIZER };
	bool plain = true, is_sorted = true, new_sorted;

	*p = (struct folded_pair){ .seed = print_seed() };
	for (unsigned i = 0; i < 2 && plain; i++) {
		p->text[i] = map_file(path[i]);
		plain = p->text[i].size && is_folded(p->text[i]);
	}
	plain = plain && read_side(&j, 0, threads, &is_sorted);
	p->nr_first = p->nr;
	j.sort = plain && !is_sorted;
	return plain && read_side(&j, 1, threads, &new_sorted);
}

/* Merges lines only in the second file, with this root, into the same lines of the first file, which get their text. */
static void match_renamed(struct folded_pair *p, struct span to, struct print change)
{
	size_t nr = p->nr;

	p->nr = p->nr_first;
	for (size_t i = p->nr_first; i < nr; i++) {
		struct folded_row row = p->row[i], *first;
		uint32_t number;

		if (i + AHEAD < nr) {
			struct folded_row ahead = p->row[i + AHEAD];

			change_print(&ahead, change);
			fetch_slot(p, &ahead);
			__builtin_prefetch(ahead.at);
		}
		change_print(&row, change);
		number = has_root(&row, to) ? *find_slot(p, &row) : 0;
		if (!number) {
			p->row[p->nr++] = p->row[i];
			continue;
		}
		first = &p->row[number - 1];
		first->sum[1] += row.sum[1];
		set_text(first, text_of(&row));
	}
}

/* Was the line of the first file already given the text of the second file, or its root? */
static bool is_moved(const struct folded_pair *p, const struct folded_row *row)
{
	return row->is_renamed ||
	       (row->at >= p->text[1].at && row->at < p->text[1].at + p->text[1].size);
}

void folded_pair_rename(struct folded_pair *p, uint32_t from, uint32_t to)
{
	struct span name[2] = { intern_peek(&p->roots.names, from),
				intern_peek(&p->roots.names, to) };
	struct print change = print_root(p, name[0]), other = print_root(p, name[1]);

	change.low ^= other.low;
	change.high ^= other.high;
	match_renamed(p, name[1], change);
	p->root = name[1];
	for (size_t i = 0; i < p->nr_first; i++) {
		struct folded_row *row = &p->row[i];

		if (i + AHEAD < p->nr_first)
			__builtin_prefetch(row[AHEAD].at);
		if (is_moved(p, row) || !has_root(row, name[0]))
			continue;
		set_text(row, span_from(text_of(row), name[0].size));
		row->is_renamed = true;
	}
}

/* Moves renamed rows of the first file to their group: among themselves, they are sorted. */
static void group_renamed(struct folded_pair *p)
{
	struct sort_text *all = p->order[FOLDED_FIRST_FILE];

	p->order[FOLDED_RENAMED] = xcalloc(p->nr_first, sizeof(*all));
	p->order[FOLDED_FIRST_FILE] = xcalloc(p->nr_first, sizeof(*all));
	p->nr_order[FOLDED_FIRST_FILE] = 0;
	for (uint32_t i = 0; i < p->nr_first; i++) {
		uint32_t number = all ? all[i].what : i;
		enum folded_group group =
			is_moved(p, &p->row[number]) ? FOLDED_RENAMED : FOLDED_FIRST_FILE;

		p->order[group][p->nr_order[group]++].what = number;
	}
	free(all);
}

void folded_pair_sort(struct folded_pair *p, unsigned threads)
{
	p->nr_order[FOLDED_FIRST_FILE] = p->nr_first;
	if (p->root.size)
		group_renamed(p);
	if (p->nr > p->nr_first) {
		p->order[FOLDED_SECOND_FILE] = sort_rows(p, p->nr_first, p->nr, threads);
		add_up_second(p, p->nr - p->nr_first);
	}
}

void folded_pair_release(struct folded_pair *p)
{
	for (unsigned i = 0; i < 2; i++)
		if (p->text[i].size)
			munmap((void *)(uintptr_t)p->text[i].at, p->text[i].size);
	for (unsigned i = 0; i < NR_FOLDED_GROUPS; i++)
		free(p->order[i]);
	free(p->slot);
	free(p->row);
	release_roots(&p->roots);
	*p = (struct folded_pair){ 0 };
}

/* The row at some position of a group. */
static const struct folded_row *row_at(const struct folded_pair *p, unsigned group, size_t at)
{
	return &p->row[p->order[group] ? p->order[group][at].what : at];
}

/* The first position from `at` on, before `end`, whose row does not come before this one. */
static size_t find_place(const struct folded_pair *p, unsigned group, size_t at, size_t end,
			 const struct folded_row *row)
{
	while (at < end) {
		size_t middle = at + (end - at) / 2;

		if (compare_rows(p, row_at(p, group, middle), row) < 0)
			at = middle + 1;
		else
			end = middle;
	}
	return at;
}

struct folded_range folded_pair_take(struct folded_pair *p, size_t nr)
{
	struct folded_range r;

	memcpy(r.at, p->at, sizeof(r.at));
	memcpy(r.end, p->nr_order, sizeof(r.end));
	/* The range ends after nr rows of one group, and at the same position in the order of the others. */
	for (unsigned i = 0; i < NR_FOLDED_GROUPS; i++) {
		if (r.end[i] - r.at[i] <= nr)
			continue;
		r.end[i] = r.at[i] + nr;
		for (unsigned k = 0; k < NR_FOLDED_GROUPS; k++)
			if (k != i)
				r.end[k] =
					find_place(p, k, r.at[k], r.end[k], row_at(p, i, r.end[i]));
	}
	memcpy(p->at, r.end, sizeof(p->at));
	return r;
}

/* Prefetches rows, and then their texts, which are scattered in memory. */
static void fetch_rows(const struct folded_pair *p, unsigned group, size_t at)
{
	size_t nr = p->nr_order[group];
	const struct folded_row *row;

	if (at + AHEAD >= nr)
		return;
	if (at + 2 * (size_t)AHEAD < nr)
		__builtin_prefetch(row_at(p, group, at + 2 * (size_t)AHEAD));
	row = row_at(p, group, at + AHEAD);
	/* The hardware prefetches the rest of a long text. */
	for (size_t i = 0; i < row->size && i < 256; i += 64)
		__builtin_prefetch(row->at + i);
}

const struct folded_row *folded_range_next(const struct folded_pair *p, struct folded_range *r)
{
	const struct folded_row *first = NULL;
	unsigned group = 0;

	for (unsigned i = 0; i < NR_FOLDED_GROUPS; i++) {
		const struct folded_row *row;

		if (r->at[i] == r->end[i])
			continue;
		row = row_at(p, i, r->at[i]);
		if (first && compare_rows(p, first, row) < 0)
			continue;
		first = row;
		group = i;
	}
	if (first)
		fetch_rows(p, group, ++r->at[group]);
	return first;
}
