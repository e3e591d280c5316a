/* Lists of CPUs, as the kernel and users write them. */
#include "base/alloc.h"
#include "record/perf_events/sampler.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { CPUS_MAX = 64 * 1024 };

static bool parse_range(struct span range, uint64_t *first, uint64_t *last)
{
	size_t dash = span_find(range, '-');

	if (!span_u64(span_upto(range, dash), first))
		return false;
	*last = *first;
	if (dash < range.size && !span_u64(span_from(range, dash + 1), last))
		return false;
	return *first <= *last && *last < CPUS_MAX;
}

int processors_parse(struct span list, int **cpu, size_t *nr, struct error *e)
{
	struct span rest = span_trim(list);
	size_t cap = 0;

	*cpu = NULL;
	*nr = 0;
	do {
		size_t comma = span_find(rest, ',');
		uint64_t first, last;

		if (!parse_range(span_upto(rest, comma), &first, &last)) {
			free(*cpu);
			*cpu = NULL;
			return error_set(
				e, ERROR_USAGE,
				"invalid CPU list '%.*s': expected numbers and ranges, such as 0-3,5",
				(int)list.size, list.at);
		}
		for (; first <= last; first++) {
			GROW(*cpu, *nr, cap);
			(*cpu)[(*nr)++] = (int)first;
		}
		rest = span_from(rest, comma + 1);
	} while (rest.size);
	return 0;
}

int processors_online(int **cpu, size_t *nr, struct error *e)
{
	int fd = open("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC);
	char text[4096];
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text)) : -1;

	if (fd >= 0)
		close(fd);
	if (n > 0 && !processors_parse((struct span){ text, (size_t)n }, cpu, nr, e))
		return 0;
	/* Without /sys, CPUs are numbered from 0. */
	*nr = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
	*cpu = xcalloc(*nr, sizeof(**cpu));
	for (size_t i = 0; i < *nr; i++)
		(*cpu)[i] = (int)i;
	return 0;
}

int processors_choose(struct span list, int **cpu, size_t *nr, struct error *e)
{
	int *online, missing = -1;
	size_t nr_online;

	if (processors_parse(list, cpu, nr, e))
		return -1;
	if (processors_online(&online, &nr_online, e))
		return -1;
	/* Neither list is ever empty. */
	assert(*cpu && online && nr_online);
	for (size_t i = 0; i < *nr && missing < 0; i++) {
		size_t k = 0;

		while (k < nr_online && online[k] != (*cpu)[i])
			k++;
		if (k == nr_online)
			missing = (*cpu)[i];
	}
	if (missing >= 0)
		error_set(e, ERROR_USAGE, "no CPU %d: the last one is %d", missing,
			  online[nr_online - 1]);
	free(online);
	return missing >= 0 ? -1 : 0;
}
