/*
 * Names and lines for many addresses, spelled as `addr2line -a -i -f` does: what it
 * costs, and whether it is right.  They are looked up in their order, as the frames of
 * a profile are, and printed in the order of the input.
 *
 * usage: symbols [-t] FILE [DISTANCE]    addresses, in hex, come on standard input; the
 *                                        DISTANCE is from a place in the file to its
 *                                        address; -t tells times instead
 */
#include "base/alloc.h"
#include "base/sort.h"
#include "image/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct query {
	uint64_t address;
	size_t first, nr;
};

struct answers {
	struct source_line *line;
	size_t nr, cap;
};

static struct query *read_queries(size_t *nr)
{
	struct query *query = NULL;
	size_t cap = 0;
	char text[64];

	*nr = 0;
	while (fgets(text, sizeof(text), stdin)) {
		GROW(query, *nr, cap);
		query[*nr] = (struct query){ .address = strtoull(text, NULL, 16) };
		++*nr;
	}
	return query;
}

static void find(struct image *m, uint64_t distance, struct query *q, struct answers *a)
{
	struct source_line line[INLINED_MAX];

	q->first = a->nr;
	q->nr = image_lines(m, q->address - distance, line);
	for (size_t k = 0; k < q->nr; k++) {
		GROW(a->line, a->nr, a->cap);
		a->line[a->nr++] = line[k];
	}
}

static void find_all(struct image *m, uint64_t distance, struct query *query, size_t nr,
		     struct answers *a)
{
	uint64_t *key = xcalloc(nr + 1, sizeof(*key));

	for (size_t i = 0; i < nr; i++)
		key[i] = sort_key((uint32_t)query[i].address, i);
	sort_keys(key, nr);
	for (size_t i = 0; i < nr; i++)
		find(m, distance, &query[sort_what(key[i])], a);
	free(key);
}

/* How many functions there were, so that nothing is optimized away. */
static size_t count_all(struct image *m, uint64_t distance, const struct query *query, size_t nr)
{
	size_t found = 0;

	for (size_t i = 0; i < nr; i++) {
		struct source_line line[INLINED_MAX];

		found += image_lines(m, query[i].address - distance, line);
	}
	return found;
}

static void print_all(const struct query *query, size_t nr, const struct answers *a)
{
	for (size_t i = 0; i < nr; i++) {
		printf("0x%016" PRIx64 "\n", query[i].address);
		if (!query[i].nr)
			puts("??\n??:0");
		for (size_t k = 0; k < query[i].nr; k++) {
			const struct source_line *l = &a->line[query[i].first + k];

			fputs(l->function ? l->function : "??", stdout);
			putchar('\n');
			fputs(l->file ? l->file : "??", stdout);
			printf(":%" PRIu32 "\n", l->line);
		}
	}
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void run(struct image *m, uint64_t distance, const char *times, double begin)
{
	struct answers a = { 0 };
	size_t nr, found;
	struct query *query = read_queries(&nr);
	double built, end;

	find_all(m, distance, query, nr, &a);
	built = cpu_seconds();
	if (times) {
		/* Once more, in the order they came: now everything is there. */
		found = count_all(m, distance, query, nr);
		end = cpu_seconds();
		printf("first %.3f s; then %.3f µs an address, %.2f functions each\n",
		       built - begin, nr ? (end - built) / (double)nr * 1e6 : 0,
		       nr ? (double)found / (double)nr : 0);
	} else {
		print_all(query, nr, &a);
	}
	free(query);
	free(a.line);
}

int main(int argc, char **argv)
{
	static const char *const dirs[] = { "/usr/lib/debug", NULL };
	struct image_opts o = { .lines = true, .debug_dir = dirs };
	const char *times = argc > 1 && !strcmp(argv[1], "-t") ? argv[1] : NULL;
	double begin = cpu_seconds();
	struct image_trouble trouble;
	enum image_state state;
	struct image *m;

	argv += times != NULL;
	if (!argv[0] || !argv[1]) {
		fputs("usage: symbols [-t] FILE [DISTANCE]\n", stderr);
		return 2;
	}
	m = image_open(span_of(argv[1]), SPAN(""), &o, &state);
	if (!m) {
		fprintf(stderr, "symbols: %s: cannot be read\n", argv[1]);
		return 1;
	}
	run(m, argv[2] ? strtoull(argv[2], NULL, 16) : 0, times, begin);
	trouble = image_trouble(m);
	if (trouble.damaged || trouble.missing)
		fprintf(stderr, "symbols: %zu pieces of DWARF make no sense, %zu are elsewhere\n",
			trouble.damaged, trouble.missing);
	image_close(m);
	return 0;
}
