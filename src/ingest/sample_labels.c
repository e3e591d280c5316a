#include "ingest/sample_labels.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static struct label number_label(struct profile *p, const char *key, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	return (struct label){ .key = profile_string(p, span_of(key)),
			       .value = profile_string(p, span_of(text)) };
}

label_id sample_labels_make(struct profile *p, uint64_t cpu, uint64_t parallelism)
{
	struct label label[2];
	size_t nr = 0;

	if (cpu != CPU_UNKNOWN)
		label[nr++] = number_label(p, "cpu", cpu);
	if (parallelism)
		label[nr++] = number_label(p, "parallelism", parallelism);
	return profile_labels(p, label, nr);
}

label_id sample_labels_get(struct sample_labels *l, struct profile *p, uint64_t cpu,
			   uint64_t parallelism)
{
	const uint64_t key[] = { cpu, parallelism };
	uint32_t number = intern(&l->known, (struct span){ (const char *)key, sizeof(key) });

	if (number == l->nr) {
		GROW(l->at, l->nr, l->cap);
		l->at[l->nr++] = sample_labels_make(p, cpu, parallelism);
	}
	return l->at[number];
}

void sample_labels_release(struct sample_labels *l)
{
	intern_release(&l->known);
	free(l->at);
	*l = (struct sample_labels){ 0 };
}
