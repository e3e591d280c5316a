#include "read/folded_lines.h"

#include "base/alloc.h"
#include "base/source.h"
#include "read/readers.h"

#include <endian.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	DIGITS_MAX = 18, /* of a count: fits into an int64_t */
	/* A shorter line exceeds neither limit of the reader: length of a name, depth of a stack. */
	PLAIN_MAX = PROFILE_NAME_MAX < PROFILE_DEPTH_MAX ? PROFILE_NAME_MAX : PROFILE_DEPTH_MAX,
	FEW = 16,  /* lines that are sorted by inserting */
	AHEAD = 8, /* how many lines ahead are prefetched */
};

/* Cuts a plain line into stack and count. */
static bool parse_line(struct span s, struct folded_line *line)
{
	int64_t count = 0, unit = 1;
	size_t at = s.size;

	while (at > 0 && is_digit(s.at[at - 1])) {
		at--;
		if (s.size - at > DIGITS_MAX)
			return false;
		count += (s.at[at] - '0') * unit;
		unit *= 10;
	}
	if (at == s.size || at < 2 || s.at[at - 1] != ' ' || s.size > PLAIN_MAX)
		return false;
	line->at = s.at;
	line->size = (uint32_t)--at;
	line->count = count;
	/* Not plain: a comment, blanks at either end, a byte order mark … */
	if (is_blank(s.at[0]) || s.at[0] == '#' || s.at[0] == '\xef' || is_blank(s.at[at - 1]))
		return false;
	/* … or a second count. */
	while (at > 0 && (is_digit(s.at[at - 1]) || s.at[at - 1] == '.'))
		at--;
	return at > 0 && (at == line->size || !is_blank(s.at[at - 1]));
}

/* The next bytes of a line, the first one most significant; 0 behind its end. */
static uint64_t key_at(const struct folded_line *l, size_t depth)
{
	uint64_t key = 0;
	size_t left = l->size - depth;

	if (left >= sizeof(key)) {
		memcpy(&key, l->at + depth, sizeof(key));
		return be64toh(key);
	}
	memcpy(&key, l->at + depth, left);
	return be64toh(key);
}

/* Lines to be compared are scattered over the text, so each would be a cache miss. */
static void load_keys(struct folded_line *l, size_t nr, size_t depth)
{
	for (size_t i = 0; i < nr; i++) {
		if (i + AHEAD < nr)
			__builtin_prefetch(l[i + AHEAD].at + depth);
		l[i].key = key_at(&l[i], depth);
	}
}

static int compare_from(const struct folded_line *a, const struct folded_line *b, size_t depth)
{
	size_t shorter = (a->size < b->size ? a->size : b->size) - depth;
	int order = memcmp(a->at + depth, b->at + depth, shorter);

	return order ? order : (a->size > b->size) - (a->size < b->size);
}

static void insert_sort(struct folded_line *l, size_t nr, size_t depth)
{
	for (size_t i = 1; i < nr; i++) {
		struct folded_line line = l[i];
		size_t k = i;

		for (; k > 0 && compare_from(&l[k - 1], &line, depth) > 0; k--)
			l[k] = l[k - 1];
		l[k] = line;
	}
}

static int by_size(const void *a, const void *b)
{
	const struct folded_line *x = a, *y = b;

	return (x->size > y->size) - (x->size < y->size);
}

/* The length of the prefix that all lines share, at least depth: skips common callers at once. */
static size_t skip_shared(const struct folded_line *l, size_t nr, size_t depth)
{
	size_t end = nr ? l[0].size : depth;

	for (size_t i = 1; i < nr && end > depth; i++) {
		struct span a = { .at = l[0].at + depth, .size = end - depth };
		struct span b = { .at = l[i].at + depth, .size = l[i].size - depth };

		end = depth + span_common(a, b);
	}
	return end;
}

/*
 * Of lines with equal keys: moves those that end within the key to the front, ordered by size, which
 * is their order by bytes.  Returns how many these are.
 */
static size_t put_ended_first(struct folded_line *l, size_t nr, size_t end)
{
	size_t ended = 0;

	for (size_t i = 0; i < nr; i++)
		if (l[i].size <= end) {
			struct folded_line swap = l[i];

			l[i] = l[ended];
			l[ended++] = swap;
		}
	if (ended > 1)
		qsort(l, ended, sizeof(*l), by_size);
	return ended;
}

static void swap_lines(struct folded_line *a, struct folded_line *b)
{
	struct folded_line swap = *a;

	*a = *b;
	*b = swap;
}

/* Pseudo-random, so that no common order of lines is the worst case. */
static uint64_t pivot_of(const struct folded_line *l, size_t nr, uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return l[*random % nr].key;
}

/*
 * Multikey quicksort, eight bytes at a time: lines that are equal in these are sorted by the bytes
 * behind them, so that a common prefix is not compared again and again.
 */
static void sort_from(struct folded_line *l, size_t nr, size_t depth, uint64_t *random)
{
	bool has_keys = false;

	while (nr > FEW) {
		size_t less = 0, more = nr, ended;
		uint64_t pivot;

		if (!has_keys)
			load_keys(l, nr, depth);
		has_keys = true;
		pivot = pivot_of(l, nr, random);
		for (size_t i = 0; i < more;) {
			if (l[i].key < pivot)
				swap_lines(&l[i++], &l[less++]);
			else if (l[i].key > pivot)
				swap_lines(&l[i], &l[--more]);
			else
				i++;
		}
		/* Recursion for the smaller parts, the loop for the largest: the depth is logarithmic. */
		ended = put_ended_first(l + less, more - less, depth + sizeof(pivot));
		if (more - less >= less && more - less >= nr - more) {
			sort_from(l, less, depth, random);
			sort_from(l + more, nr - more, depth, random);
			l += less + ended;
			nr = more - less - ended;
			depth = skip_shared(l, nr, depth + sizeof(pivot));
			has_keys = false;
			continue;
		}
		sort_from(l + less + ended, more - less - ended, depth + sizeof(pivot), random);
		if (less > nr - more) {
			sort_from(l + more, nr - more, depth, random);
			nr = less;
		} else {
			sort_from(l, less, depth, random);
			l += more;
			nr -= more;
		}
	}
	insert_sort(l, nr, depth);
}

static void add_line(struct folded_lines *l, const struct folded_line *line)
{
	GROW(l->line, l->nr, l->cap);
	l->line[l->nr++] = *line;
}

/* All lines, or false when one is not plain. */
static bool parse_text(struct folded_lines *l, bool *sorted)
{
	struct span text = l->text;

	*sorted = true;
	while (text.size) {
		size_t n = span_find(text, '\n');
		struct folded_line line = { 0 };

		if (n) {
			if (!parse_line(span_upto(text, n), &line) ||
			    __builtin_add_overflow(l->total, line.count, &l->total))
				return false;
			*sorted = *sorted &&
				  (!l->nr || folded_line_compare(&l->line[l->nr - 1], &line) <= 0);
			add_line(l, &line);
		}
		text = span_from(text, n + 1);
	}
	return true;
}

/* Another format may have plain lines, too. */
static bool is_folded(struct span text)
{
	return reader_guess(span_upto(text, SOURCE_HEAD_SIZE)) == &reader_folded;
}

/* The bytes of a file; none when it is no file, too large or cannot be read. */
static struct span map_file(const char *path)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *at = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return (struct span){ 0 };
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    st.st_size <= FOLDED_LINES_MAX)
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return (struct span){ 0 };
	return (struct span){ .at = at, .size = (size_t)st.st_size };
}

bool folded_lines_read(struct folded_lines *l, const char *path)
{
	uint64_t random = 0x9e3779b97f4a7c15u;
	bool sorted;

	*l = (struct folded_lines){ .text = map_file(path) };
	if (!l->text.size || !is_folded(l->text) || !parse_text(l, &sorted))
		return false;
	if (!sorted)
		sort_from(l->line, l->nr, 0, &random);
	return true;
}

void folded_lines_release(struct folded_lines *l)
{
	if (l->text.size)
		munmap((void *)(uintptr_t)l->text.at, l->text.size);
	free(l->line);
	*l = (struct folded_lines){ 0 };
}
