/*
 * Names and lines for many addresses, spelled as `addr2line -a -i -f` does: what it
 * costs, and whether it is right.  They are looked up and printed as they come.
 *
 * usage: symbols [-t] FILE [DISTANCE]    addresses, in hex, come on standard input; the
 *                                        DISTANCE is from a place in the file to its
 *                                        address; -t tells times instead
 */
#include "base/alloc.h"
#include "base/output.h"
#include "image/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct queries {
	uint64_t *address;
	size_t nr, cap;
};

static void read_queries(struct queries *q)
{
	char text[64];

	while (fgets(text, sizeof(text), stdin)) {
		GROW(q->address, q->nr, q->cap);
		q->address[q->nr++] = strtoull(text, NULL, 16);
	}
}

static void add_text(struct output *out, const char *s)
{
	output_add(out, span_of(s ? s : "??"));
}

static void add_number(struct output *out, uint32_t n)
{
	char digits[16];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + n % 10);
	while (n /= 10);
	output_add(out, (struct span){ .at = digits + at, .size = sizeof(digits) - at });
}

static void add_address(struct output *out, uint64_t address)
{
	char digits[] = "0x0000000000000000\n";

	for (size_t at = 17; address; address >>= 4)
		digits[at--] = "0123456789abcdef"[address & 15];
	add_text(out, digits);
}

static void print_all(struct image *m, uint64_t distance, const struct queries *q)
{
	struct error e = ERROR_INIT;
	struct output out;

	if (output_open(&out, "-", &e))
		return;
	for (size_t i = 0; i < q->nr; i++) {
		uint64_t address = q->address[i];
		struct source_line line[INLINED_MAX];
		size_t nr = image_lines(m, address - distance, line);

		add_address(&out, address);
		if (!nr)
			line[nr++] = (struct source_line){ 0 };
		for (size_t k = 0; k < nr; k++) {
			add_text(&out, line[k].function);
			output_char(&out, '\n');
			add_text(&out, line[k].file);
			output_char(&out, ':');
			add_number(&out, line[k].line);
			output_char(&out, '\n');
		}
	}
	(void)output_close(&out, &e);
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The first time everything is read. */
static void print_times(struct image *m, uint64_t distance, const struct queries *q, double begin)
{
	double built, end, nr = q->nr ? (double)q->nr : 1;
	struct source_line line[INLINED_MAX];
	size_t found = 0;

	for (size_t i = 0; i < q->nr; i++)
		(void)image_lines(m, q->address[i] - distance, line);
	built = cpu_seconds();
	for (size_t i = 0; i < q->nr; i++)
		found += image_lines(m, q->address[i] - distance, line);
	end = cpu_seconds();
	printf("first %.3f s; then %.3f µs an address, %.2f functions each\n", built - begin,
	       (end - built) / nr * 1e6, (double)found / nr);
}

int main(int argc, char **argv)
{
	static const char *const dirs[] = { "/usr/lib/debug", NULL };
	struct image_opts o = { .lines = true, .debug_dir = dirs };
	bool times = argc > 1 && !strcmp(argv[1], "-t");
	double begin = cpu_seconds();
	struct image_trouble trouble;
	struct queries q = { 0 };
	enum image_state state;
	struct image *m;
	uint64_t distance;

	argv += times;
	if (!argv[0] || !argv[1]) {
		fputs("usage: symbols [-t] FILE [DISTANCE]\n", stderr);
		return 2;
	}
	m = image_open(span_of(argv[1]), SPAN(""), &o, &state);
	if (!m) {
		fprintf(stderr, "symbols: %s: cannot be read\n", argv[1]);
		return 1;
	}
	distance = argv[2] ? strtoull(argv[2], NULL, 16) : 0;
	read_queries(&q);
	if (times)
		print_times(m, distance, &q, begin);
	else
		print_all(m, distance, &q);
	trouble = image_trouble(m);
	if (trouble.damaged || trouble.missing)
		fprintf(stderr, "symbols: %zu pieces of DWARF make no sense, %zu are elsewhere\n",
			trouble.damaged, trouble.missing);
	free(q.address);
	image_close(m);
	return 0;
}
