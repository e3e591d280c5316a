#include "base/sorted_runs.h"

#include "base/alloc.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many records of a run are read at a time. */
enum { BLOCK = 1024 };

struct sorted_run {
	uint64_t at, end; /* its unread part in the file */
	char *block;
	size_t next, nr; /* records of the block */
};

void sorted_runs_release(struct sorted_runs *s)
{
	if (s->nr_run)
		close(s->fd);
	for (size_t i = 0; i < s->nr_run; i++)
		free(s->run[i].block);
	free(s->run);
	free(s->record);
	s->run = NULL;
	s->record = NULL;
	s->nr = s->cap = s->at = s->nr_run = s->cap_run = 0;
}

static char *record_at(const struct sorted_runs *s, size_t i)
{
	return s->record + i * s->size;
}

static bool is_sorted(const struct sorted_runs *s, size_t begin, size_t end)
{
	for (size_t i = begin + 1; i < end; i++)
		if (s->compare(record_at(s, i - 1), record_at(s, i)) > 0)
			return false;
	return true;
}

static void sort_part(struct sorted_runs *s, size_t begin, size_t end)
{
	if (!is_sorted(s, begin, end))
		qsort(record_at(s, begin), end - begin, s->size, s->compare);
}

/* Moves the records of each of nr groups together, in input order, and sorts the groups that are not sorted. */
static void sort_groups(struct sorted_runs *s, size_t nr)
{
	size_t *end = xcalloc(nr + 1, sizeof(*end));
	char *grouped = xreallocarray(NULL, s->nr, s->size);

	for (size_t i = 0; i < s->nr; i++)
		end[s->group(record_at(s, i)) + 1]++;
	for (size_t i = 1; i < nr; i++)
		end[i] += end[i - 1];
	/* Now end[i] is where the next record of group i goes. */
	for (size_t i = 0; i < s->nr; i++)
		memcpy(grouped + end[s->group(record_at(s, i))]++ * s->size, record_at(s, i),
		       s->size);
	free(s->record);
	s->record = grouped;
	s->cap = s->nr;
	for (size_t i = 0; i < nr; i++)
		sort_part(s, i ? end[i - 1] : 0, end[i]);
	free(end);
}

static void sort(struct sorted_runs *s)
{
	size_t nr_group = 0;

	for (size_t i = 0; i < s->nr; i++) {
		if (s->update)
			s->update(s->arg, record_at(s, i));
		if (s->group && s->group(record_at(s, i)) >= nr_group)
			nr_group = (size_t)s->group(record_at(s, i)) + 1;
	}
	if (nr_group > 1 && nr_group <= s->nr && !is_sorted(s, 0, s->nr))
		sort_groups(s, nr_group);
	else
		sort_part(s, 0, s->nr);
}

/* An unnamed file, which is deleted when it is closed; -1: it cannot be created. */
static int temporary_file(void)
{
	char path[] = "/tmp/wick-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd >= 0)
		unlink(path);
	return fd;
}

static bool write_all(int fd, const char *bytes, size_t size, uint64_t at)
{
	while (size) {
		ssize_t n = pwrite(fd, bytes, size, (off_t)at);

		if (n <= 0)
			return false;
		bytes += n;
		size -= (size_t)n;
		at += (uint64_t)n;
	}
	return true;
}

/* Writes the records in memory as one more run; false: they could not be written, and stay in memory. */
static bool spill(struct sorted_runs *s)
{
	size_t bytes = s->nr * s->size;

	if (!s->nr_run)
		s->fd = temporary_file();
	if (s->fd < 0)
		return false;
	sort(s);
	if (!write_all(s->fd, s->record, bytes, s->file_size)) {
		if (!s->nr_run)
			close(s->fd);
		return false;
	}
	GROW(s->run, s->nr_run, s->cap_run);
	s->run[s->nr_run++] =
		(struct sorted_run){ .at = s->file_size, .end = s->file_size + bytes };
	s->file_size += bytes;
	s->nr = 0;
	return true;
}

void sorted_runs_add(struct sorted_runs *s, const void *record)
{
	if (s->nr >= s->max && !spill(s))
		s->max = SIZE_MAX;
	if (s->nr == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 64;
		s->record = xreallocarray(s->record, s->cap, s->size);
	}
	memcpy(record_at(s, s->nr++), record, s->size);
}

/* The next record of a run; NULL at its end. */
static int peek(struct sorted_runs *s, struct sorted_run *r, char **record, struct error *e)
{
	size_t want = BLOCK * s->size, have = 0;

	*record = NULL;
	if (r->next < r->nr) {
		*record = r->block + r->next * s->size;
		return 0;
	}
	if (want > r->end - r->at)
		want = (size_t)(r->end - r->at);
	while (have < want) {
		ssize_t n = pread(s->fd, r->block + have, want - have, (off_t)(r->at + have));

		if (n <= 0)
			return error_sys(e, "cannot read a temporary file");
		have += (size_t)n;
	}
	r->at += want;
	r->next = 0;
	r->nr = want / s->size;
	for (size_t i = 0; i < r->nr && s->update; i++)
		s->update(s->arg, r->block + i * s->size);
	*record = r->nr ? r->block : NULL;
	return 0;
}

static bool is_before(const struct sorted_runs *s, const struct sorted_run *a,
		      const struct sorted_run *b)
{
	if (a->next == a->nr || b->next == b->nr)
		return a->next < a->nr;
	return s->compare(a->block + a->next * s->size, b->block + b->next * s->size) < 0;
}

/* Moves a run down the heap of runs, whose first one has the next record. */
static void sift(struct sorted_runs *s, size_t i)
{
	struct sorted_run moved = s->run[i];
	size_t k;

	while ((k = 2 * i + 1) < s->nr_run) {
		if (k + 1 < s->nr_run && is_before(s, &s->run[k + 1], &s->run[k]))
			k++;
		if (!is_before(s, &s->run[k], &moved))
			break;
		s->run[i] = s->run[k];
		i = k;
	}
	s->run[i] = moved;
}

int sorted_runs_finish(struct sorted_runs *s, struct error *e)
{
	char *first;

	sort(s);
	for (size_t i = 0; i < s->nr_run; i++) {
		s->run[i].block = xreallocarray(NULL, BLOCK, s->size);
		if (peek(s, &s->run[i], &first, e))
			return -1;
	}
	for (size_t i = s->nr_run; i; i--)
		sift(s, i - 1);
	return 0;
}

int sorted_runs_next(struct sorted_runs *s, void *record, struct error *e)
{
	const char *here = s->at < s->nr ? record_at(s, s->at) : NULL;
	struct sorted_run *run = s->nr_run ? &s->run[0] : NULL;
	const char *there = run && run->next < run->nr ? run->block + run->next * s->size : NULL;
	char *next;

	if (here && (!there || s->compare(here, there) <= 0)) {
		memcpy(record, here, s->size);
		s->at++;
		return 1;
	}
	if (!there)
		return 0;
	memcpy(record, there, s->size);
	run->next++;
	if (peek(s, run, &next, e))
		return -1;
	sift(s, 0);
	return 1;
}
