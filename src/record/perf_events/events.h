/*
 * Events by the names that -e accepts:
 *
 *	cycles:u  cpu-clock  L1-dcache-load-misses  r1a8  sched:sched_switch
 *	cpu  off-cpu  sched:sched_stat_*  uprobe:/usr/lib/libc.so.6:malloc  cpu/event=0x3c,umask=0x1/
 *
 * Modifiers: u (only user code), k (only the kernel), p to ppp (the exact instruction).
 */
#ifndef WICK_RECORD_PERF_EVENTS_EVENTS_H
#define WICK_RECORD_PERF_EVENTS_EVENTS_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "record/perf_events/sampler.h"

/* Finds the file offset of a function: probes need it, and record/ does not read symbols. */
typedef int events_find(struct span path, struct span function, uint64_t *offset, struct error *e);

struct events {
	struct sampled *event;
	size_t nr, cap;
	struct arena text; /* their names, and paths of probes */
	/* Set if off-cpu is among them; NULL: events are counted, which cpu and off-cpu cannot be. */
	bool *off_cpu;
	size_t nr_probe; /* number of probes created in tracefs, see event_probes.c, … */
	/* … and a pipe to the process that removes them if wick is killed; -1: none. */
	int watch;
};

/* Time on CPU, by the best event for it; its counterpart is OFF_CPU (perf/wait_record.h). */
#define CPU_TIME "cpu"

enum { EVENTS_MAX = 1024 };

void events_release(struct events *v);

/* Adds a comma-separated list of events.  find: NULL if probes are not supported. */
int events_add(struct events *v, struct span list, events_find *find, struct error *e);

/*
 * event_probes.c: creates a tracepoint for each probe; to be called before events are opened.
 * events_release() removes them from the kernel again.
 */
int events_make_probes(struct events *v, struct error *e);
void events_drop_probes(struct events *v);

/* Adds the default event, `cpu`: cycles, or the CPU clock if there is no such counter. */
void events_add_default(struct events *v);

/* Is it a shell pattern, for all names that match? */
bool event_is_glob(struct span name);

/* Appends the name of an event. */
void event_name(struct strbuf *out, const struct sampled *event);

/* event_names.c: cycles, L1-dcache-loads, r1a8; false if the name is unknown. */
bool event_find_name(struct span name, struct sampled *event);

/* All events with names, for `wick list`. */
enum event_kind {
	EVENT_TIME, /* of wick's own: cpu, off-cpu */
	EVENT_HARDWARE,
	EVENT_SOFTWARE,
	EVENT_CACHE,
	EVENT_PMU, /* named by a PMU in sysfs: cpu/cycles-t/ */
	EVENT_TRACEPOINT,
	NR_EVENT_KIND
};

struct event_row {
	enum event_kind kind;
	const char *name, *about;
	struct sampled event; /* as from events_add() */
};

typedef void event_visit(void *arg, const struct event_row *row);

/* event_names.c: all names that event_find_name() accepts, except raw numbers. */
void event_names_each(event_visit *visit, void *arg);

/* event_lists.c: everything that event_files.c can find, sorted by name. */
void event_pmus_each(event_visit *visit, void *arg);
int event_tracepoints_each(event_visit *visit, void *arg, struct error *e);

/* Adds a hint to the error for an unknown name: the one that was probably meant.  Always -1. */
int event_unknown(struct span name, struct error *e);

/* event_files.c: events that the kernel describes in tracefs and sysfs. */
int event_find_tracepoint(int tracefs, struct span system, struct span name, struct sampled *event,
			  struct error *e);
int event_find_pmu(struct span pmu, struct span terms, struct sampled *event, struct error *e);
int event_find_probe(struct events *v, struct span probe, events_find *find, struct sampled *event,
		     struct error *e);

#endif
