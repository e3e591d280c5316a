/*
 * What to take samples of, as people write it:
 *
 *	cycles:u  cpu-clock  L1-dcache-load-misses  r1a8  sched:sched_switch
 *	sched:sched_stat_*  uprobe:/usr/lib/libc.so.6:malloc  cpu/event=0x3c,umask=0x1/
 *
 * Modifiers: u (only programs), k (only the kernel), p (the exact place).
 */
#ifndef WICK_RECORD_EVENTS_H
#define WICK_RECORD_EVENTS_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "record/sampler.h"

/* Where in the file the function is. */
typedef int events_find(struct span path, struct span function, uint64_t *offset, struct error *e);

struct events {
	struct sampled *event;
	size_t nr, cap;
	struct arena text;
	size_t nr_probe; /* that the kernel has of us */
};

enum { EVENTS_MAX = 1024 };

void events_release(struct events *v);

/* Adds the events of a list with commas between them.  find: for probes. */
int events_add(struct events *v, struct span list, events_find *find, struct error *e);

/*
 * event_probes.c: to be called before events are opened: probes become tracepoints, which
 * children can inherit.  They go with events_release().
 */
int events_make_probes(struct events *v, struct error *e);
void events_drop_probes(struct events *v);

/* What is sampled when nobody says: cycles, or a clock. */
void events_add_default(struct events *v);

/* Whether it stands for all that are called like it, as in a shell. */
bool event_is_glob(struct span name);

/* events.c: what it is called. */
void event_name(struct strbuf *out, const struct sampled *event);

/* event_names.c: an event that has a name of its own; false when it is none. */
bool event_find_name(struct span name, struct sampled *event);

/* What can be written, for those who ask what there is. */
enum event_kind {
	EVENT_HARDWARE,
	EVENT_SOFTWARE,
	EVENT_CACHE,
	EVENT_PMU, /* what the kernel names of devices that count: cpu/cycles-t/ */
	EVENT_TRACEPOINT,
	NR_EVENT_KIND
};

struct event_row {
	enum event_kind kind;
	const char *name, *about;
	struct sampled event; /* what comes of it */
};

typedef void event_visit(void *arg, const struct event_row *row);

/* The same table that names are found in. */
void event_names_each(event_visit *visit, void *arg);

/* event_lists.c: those of event_files.c, in order. */
void event_pmus_each(event_visit *visit, void *arg);
int event_tracepoints_each(event_visit *visit, void *arg, struct error *e);

/* Adds to the error what was probably meant by the name of an event that is not there.  Always -1. */
int event_unknown(struct span name, struct error *e);

/* Whether tracepoints can be seen. */
int event_tracepoints_check(struct error *e);

/* event_files.c: those that the kernel tells of in files. */
const char *event_tracing_folder(void);
int event_find_tracepoint(struct span system, struct span name, struct sampled *event,
			  struct error *e);
int event_find_pmu(struct span pmu, struct span terms, struct sampled *event, struct error *e);
int event_find_probe(struct events *v, struct span probe, events_find *find, struct sampled *event,
		     struct error *e);

#endif
