/* What the files share that write perf.data: recording.c has the records and the file, recording_facts.c what is told of all. */
#ifndef WICK_EVENT_RECORDING_PARTS_H
#define WICK_EVENT_RECORDING_PARTS_H

#include "base/output.h"
#include "base/strbuf.h"
#include "event/recording.h"
#include "event/recording_held.h"
#include "event/recording_pack.h"

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
	size_t facts_size;    /* of all features and ids */
	struct strbuf record; /* the one being written */
	struct held held;
	uint64_t nr_sample, nr_cut;
};

/* The facts that follow from what was written. */
void recording_describe(struct recording *r);

/* All attrs of a file have one size: that of the largest. */
size_t recording_attr_size(const struct recording *r);
void recording_put_attr(const struct recording *r, struct strbuf *to,
			const struct recorded_event *event);

#endif
