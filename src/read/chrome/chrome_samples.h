/*
 * Samples in the Trace Event Format, as Hermes (React Native) and perf's converters write them:
 *
 *	"samples": [{"cpu": 0, "tid": 1, "ts": 1000.0, "name": "cycles", "sf": 3, "weight": 1}, …],
 *	"stackFrames": {"3": {"name": "f(/a/b.js:4:2)", "parent": 1}, …}
 *
 * Events of the trace itself (`ph` P) may be samples, too.  Frames may follow the samples that
 * refer to them, so all are stored until chrome_samples_count(); equal ones are added up, unless
 * each sample is kept (read_opts.ticks).
 */
#ifndef WICK_READ_CHROME_CHROME_SAMPLES_H
#define WICK_READ_CHROME_CHROME_SAMPLES_H

#include "base/decimal.h"
#include "base/intern.h"
#include "base/json.h"
#include "read/slices.h"

struct chrome_frame {
	frame_id frame;
	uint32_t parent; /* INTERN_NONE: none */
	uint32_t depth;
	stack_id stack; /* if it is known */
	bool defined;	/* it is in stackFrames, not only referred to */
	bool known;	/* stack and depth are set */
	bool climbed;	/* visited on the path to a root: to detect cycles */
};

struct chrome_sample_key {
	str_id name;
	uint32_t frame; /* INTERN_NONE: none */
	uint32_t track; /* its thread: slices.track */
};

struct chrome_sample {
	struct decimal weight;
	uint64_t nr; /* number of equal samples */
	struct chrome_sample_key key;
};

/* All samples of a trace.  Begins as { .b = … }. */
struct chrome_samples {
	struct build *b;
	struct intern ids; /* of frames, as written → frame */
	struct chrome_frame *frame;
	size_t nr_frame, cap_frame;
	struct chrome_sample *sample;
	size_t nr, cap;
	struct intern keys; /* bytes of a key → sample */
	uint32_t *path;	    /* from a frame upwards to one whose stack is known */
	size_t nr_path, cap_path;
};

/* The fields of a sample as written; empty if missing. */
struct chrome_sample_text {
	struct span name, frame, weight;
};

int chrome_samples_add(struct chrome_samples *c, const struct chrome_sample_text *text,
		       uint32_t track, struct error *e);

/* Reads the value of `stackFrames`, which comes next. */
enum json_token chrome_samples_frames(struct chrome_samples *c, struct json *j, struct error *e);

/* Counts all, as one event for each name, with the threads of these tracks. */
int chrome_samples_count(struct chrome_samples *c, const struct slices *slices, struct error *e);
void chrome_samples_release(struct chrome_samples *c);

#endif
