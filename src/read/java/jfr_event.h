/*
 * An event of JDK Flight Recorder, in any of its file formats: its weight, and which event is
 * shown by default.
 *
 * The weight of an event is its duration, or the bytes it allocated; all others are samples, also
 * those that take no time.
 * Events without a stack are ignored.
 */
#ifndef WICK_READ_JAVA_JFR_EVENT_H
#define WICK_READ_JAVA_JFR_EVENT_H

#include "base/strbuf.h"
#include "read/build.h"

struct jfr_weight {
	const char *field, *unit;
};

struct jfr_event {
	struct strbuf name;
	const struct jfr_weight *weight; /* NULL: a sample */
	int64_t value;
	bool bad_value; /* it could not be read */
	struct thread thread;
	uint64_t begin; /* ns since 1970; 0: unknown */
};

void jfr_event_begin(struct jfr_event *j, struct span name);

/* Sets a field, which may be its weight: ns, bytes or a number of samples. */
void jfr_event_set(struct jfr_event *j, struct span field, int64_t value);

/* The same for formatted values: "18.6 MB", "1 m 3 s", "PT0.5S". */
void jfr_event_parse(struct jfr_event *j, struct span field, struct span text);

/*
 * A frame from its class and method: org/acme/Calc, step.  number is the line; kind is the JDK's
 * name for it: "Inlined".
 */
frame_id jfr_frame(struct build *b, struct span type, struct span method, uint32_t number,
		   struct span kind);

/* Counts the stack that was pushed, leaf first, or one built before. */
int jfr_event_end(struct jfr_event *j, struct build *b, struct error *e);
int jfr_event_end_at(struct jfr_event *j, struct build *b, stack_id stack, struct error *e);

/* Moves the event that is shown by default before the others that this input added. */
void jfr_choose_lead(struct profile *p, uint32_t nr_before);

#endif
