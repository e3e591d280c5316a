/* Private to recording.c (records, the file) and recording_facts.c (features). */
#ifndef WICK_PERF_FILE_RECORDING_PARTS_H
#define WICK_PERF_FILE_RECORDING_PARTS_H

#include "base/output.h"
#include "base/strbuf.h"
#include "perf/file/recording.h"
#include "perf/file/recording_held.h"
#include "perf/file/recording_pack.h"

struct recorded_event {
	struct strbuf attr, ids, name;
};

struct recording {
	struct output out;
	enum byte_order order;
	struct packer packer;
	struct recorded_event *event;
	size_t nr_event, cap_event;
	struct strbuf feature[FEATURE_BITS];
	bool has_feature[FEATURE_BITS];
	size_t facts_size;    /* bytes of all features and ids */
	struct strbuf record; /* the record being encoded */
	struct held held;
	struct held hidden; /* file_waits.c */
	uint64_t nr_sample, nr_truncated;
};

/* Encodes a sample into r->record. */
struct held_record recording_encode_sample(struct recording *r, const struct record *sample,
					   const struct attr *a, const struct words *chain,
					   uint32_t ticket);

/* file_waits.c: sets the feature section of hidden samples. */
void recording_set_hidden(struct recording *r);

/* Sets the features that depend on events and records.  To be called at the end. */
void recording_describe(struct recording *r);

/* All attrs in a file have the size of the largest one; others are padded. */
size_t recording_attr_size(const struct recording *r);
void recording_put_attr(const struct recording *r, struct strbuf *to,
			const struct recorded_event *event);

#endif
