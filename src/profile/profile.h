/*
 * The profile: the one value between readers and recorders on one side, and everything that draws
 * or writes on the other.  It has tables of rows, which are identified by handles (their numbers).
 * Equal rows have equal handles.  Handle 0 is always valid: the empty string, no module, the
 * unknown frame, the empty stack, no thread, no labels.
 *
 * Invariants; profile_check() checks those that are visible in the data:
 * 1. a stack's caller has a smaller number than the stack;
 * 2. adding the same row again returns the same handle;
 * 3. rows are never removed or renumbered, only names are added later; the exception is restack.c,
 *    for filters, which rebuilds stacks and counts;
 * 4. kind, thread, time and inlining are fields, never parts of a name;
 * 5. what went wrong is counted in notes;
 * 6. the ticks of an event that has any add up to its counts, and so do its intervals.
 *
 * A profile has one writer and no locks: reading threads fill a profile each, which are then
 * merged.
 */
#ifndef WICK_PROFILE_PROFILE_H
#define WICK_PROFILE_PROFILE_H

#include "base/error.h"
#include "base/intern.h"
#include "base/span.h"
#include "profile/notes.h"

#include <stdbool.h>
#include <stdint.h>

/* One struct each, so that swapped arguments do not compile. */
typedef struct {
	uint32_t i;
} str_id;
typedef struct {
	uint32_t i;
} module_id;
typedef struct {
	uint32_t i;
} frame_id;
typedef struct {
	uint32_t i;
} stack_id;
typedef struct {
	uint32_t i;
} thread_id;
typedef struct {
	uint32_t i;
} label_id;
typedef struct {
	uint32_t i;
} link_id;

enum frame_kind { FRAME_USER, FRAME_KERNEL, FRAME_JIT, FRAME_LABEL };

/* A FRAME_LABEL at the root that stands for callers that are missing in the stack. */
#define TRUNCATED_FRAME "[truncated]"

enum frame_flags {
	FRAME_RETURN_ADDRESS = 1, /* follows a call: address - 1 is symbolized */
	FRAME_INLINED = 2,	  /* a call that was inlined into its caller */
	FRAME_JIT_INLINED = 4,	  /* inlined by a JIT compiler: spelled name_[i] */
	FRAME_WAKER = 8,	  /* in the thread that woke this one: spelled name_[w] */
	FRAME_IN_MODULE = 16,	  /* the address is an offset in the module: it can be looked up */
};

/* A function and a line of its source; 0: unknown. */
struct line {
	str_id function, file;
	uint32_t line;
};

/* An address, which may be resolved later, or a name from the start. */
struct frame {
	enum frame_kind kind;
	unsigned flags; /* enum frame_flags */
	module_id module;
	uint32_t nr_line;	 /* 0: unresolved */
	uint64_t address;	 /* 0: none */
	const struct line *line; /* innermost first: each is inlined into the next one */
};

struct module {
	str_id path, build_id;
};

/* A node of the tree of all stacks: a frame, and the stack that called it. */
struct stack {
	stack_id caller;
	frame_id frame;
};

struct thread {
	uint32_t pid, tid; /* THREAD_UNKNOWN: not in the input */
	str_id comm;
};

#define THREAD_UNKNOWN UINT32_MAX

/*
 * Where the weights of an event come from: only sampled ones have sampling noise.  Sums over an unknown
 * number of samples count as measured, too, because their noise cannot be estimated.
 */
enum weight_source { SOURCE_SAMPLED, SOURCE_MEASURED };

/* What the input contains, but the reader skipped because it was not requested. */
enum profile_unread {
	UNREAD_TIMES = 1 << 0,
	UNREAD_CPUS = 1 << 1,
	UNREAD_LABELS = 1 << 2, /* labels other than the CPU */
	UNREAD_LINES = 1 << 3,
};

/* How much of an interval's weight falls into a time range. */
enum extent {
	EXTENT_SHARE, /* in proportion to the overlap: a wait, a state of a thread */
	EXTENT_SELF,  /* the time not covered by nested intervals: a span */
	EXTENT_WHOLE, /* everything if it begins in the range: an allocation, which ends when freed */
};

/* Weights of this event are multiples of 10^scale units. */
struct event {
	str_id name, unit; /* unit: samples, ns, bytes, …; "": not in the input */
	int scale;	   /* 0 or less */
	uint64_t period;   /* units between two samples if fixed, or 0 */
	enum weight_source source;
	enum extent extent; /* of its intervals, if it has any */
	bool untimed; /* some of its samples have no time: its ticks, if any, only give an order */
};

/* key = value: cpu, cgroup, reason of waiting, …  A set of them is sorted by key. */
struct label {
	str_id key, value;
};

struct label_set {
	const struct label *label;
	size_t nr;
};

/* A fact about the whole profile: command, host, time of capture, …  Keys may repeat. */
struct info {
	str_id key, value;
};

/* Samples with the same event, thread, stack and labels, added up.  Always stored. */
struct count {
	uint32_t event;
	thread_id thread;
	stack_id stack;
	label_id labels;
	int64_t weight;
	uint64_t nr; /* number of samples: statistics need it */
};

/* A single sample.  Stored on request, in input order. */
struct tick {
	uint64_t time; /* ns, or a line number: see profile_ticks_timed() */
	uint32_t event;
	thread_id thread;
	stack_id stack;
	label_id labels;
	int64_t weight;
};

/* A time with a beginning and an end: a wait, a state of a thread, an allocation, a span. */
struct interval {
	uint64_t begin,
		end;	/* ns; end is exclusive, INTERVAL_OPEN: after the end of the recording */
	int64_t weight; /* less than the duration if it represents several, merged at the limit */
	thread_id thread;
	stack_id stack;
	label_id labels;
	link_id link;
	uint16_t event;
	uint16_t nr;		       /* the number of intervals that it represents */
} __attribute__((packed, aligned(4))); /* 44 bytes: there are many */

#define INTERVAL_OPEN UINT64_MAX
#define INTERVAL_NONE UINT32_MAX

enum link_kind { LINK_WAKER, LINK_HOLDER, LINK_PARENT, LINK_ASYNC };

/*
 * What caused the begin or end of an interval: the thread that woke this one, the thread that held its
 * lock, the interval that started it.  An interval may have a list of links.
 */
struct link {
	enum link_kind kind;
	thread_id thread;  /* 0: unknown, or woken by an interrupt */
	stack_id stack;	   /* of that thread at that time; 0: unknown */
	uint32_t interval; /* or INTERVAL_NONE */
	link_id next;	   /* a smaller number; 0: the last one */
};

struct point {
	uint64_t time; /* ns */
	int64_t value; /* × 10^scale of the series */
};

/* A value over time: resident memory, live bytes, CPU use, pressure. */
struct series {
	str_id name, unit;
	str_id scope;	  /* what it measures: "" is the target; machine, cgroup …, thread … */
	int scale;	  /* 0 or less */
	uint64_t quantum; /* resolution of times: the largest point of each quantum is kept */
	struct point *point; /* in order of time */
	size_t nr, cap;
};

/* Stacks have an index of their own, which is large and accessed at random: one cache miss per lookup. */
struct stack_slot {
	uint32_t hash, row; /* row 0: empty */
};

struct stack_index {
	struct stack_slot *slot;
	uint32_t mask; /* number of slots - 1 */
	uint32_t nr; /* number of rows in it: only those that do not directly follow their caller */
};

struct profile {
	struct intern strings;
	struct module *module;
	struct frame *frame;
	struct stack *stack;
	struct thread *thread;
	struct event *event;
	struct label_set *labels;
	struct count *count;
	struct tick *tick;
	struct interval *interval;
	struct link *link;
	struct series *series;
	struct info *info;
	size_t nr_module, nr_frame, nr_stack, nr_thread, nr_event, nr_labels, nr_count, nr_tick,
		nr_interval, nr_link, nr_series, nr_info;
	size_t cap_module, cap_frame, cap_stack, cap_thread, cap_event, cap_labels, cap_count,
		cap_tick, cap_interval, cap_link, cap_series, cap_info;
	struct stack_index stack_index;
	struct row_index module_index, frame_index, thread_index, label_index, count_index,
		link_index;
	struct arena arena;	   /* lines of frames, label sets */
	bool fold_recursion;	   /* pushing the frame that is already on top changes nothing */
	bool timed;		   /* ticks have times, except those of untimed events */
	bool has_intervals;	   /* intervals were added, whether they are stored or not */
	unsigned unread;	   /* enum profile_unread */
	size_t max_tick;	   /* 0: ticks are not kept */
	uint64_t tick_quantum;	   /* resolution of times: ticks of one quantum were merged */
	size_t max_interval;	   /* 0: intervals are not kept */
	uint64_t interval_quantum; /* resolution of times, as of ticks */
	struct notes notes;
};

enum {
	/* Handles have 32 bits, and an index needs empty slots.  With more rows, reading fails. */
	PROFILE_MAX_ROWS = 1 << 30,
	/* The maximum number of ticks, if any are kept: 512 MB. */
	PROFILE_TICKS_DEFAULT = 16 * 1024 * 1024,
	/* … and in a page, where they take about 1 MB. */
	PROFILE_TIMES_DEFAULT = 1024 * 1024,
	/* The maximum number of intervals, if any are kept: 440 MB. */
	PROFILE_INTERVALS_DEFAULT = 10 * 1000 * 1000,
	/* The maximum number of points of a series: 1 MB. */
	PROFILE_POINTS_MAX = 64 * 1024,
	/* The maximum number of series; points of further ones are dropped and counted. */
	PROFILE_SERIES_MAX = 10 * 1000,
	/* The finest scale of an event: nine digits after the decimal point. */
	PROFILE_SCALE_MIN = -9,
	/* Longer names are truncated, and counted in a note. */
	PROFILE_NAME_MAX = 64 * 1024,
	/* Further events are counted as the last one, with a note. */
	PROFILE_EVENTS_MAX = 10 * 1000,
	/* Further facts are not stored. */
	PROFILE_INFO_MAX = 1000,
	/* A deeper stack keeps this many frames nearest its leaf, and is counted in a note. */
	PROFILE_DEPTH_MAX = 64 * 1024,
};

void profile_init(struct profile *p);
void profile_release(struct profile *p);

/*
 * Frees the indexes of large tables, up to half of the memory of a profile, when no more rows are
 * expected.  If a row is added nevertheless, the index of its table is rebuilt.
 */
void profile_settle(struct profile *p);

/* Frees all ticks, and stores no more. */
void profile_drop_ticks(struct profile *p);

/* Drops the ticks of each event whose ticks do not add up to its counts, and adds a note about it. */
void profile_drop_partial_ticks(struct profile *p);

/* Do the ticks of every event that has any add up to its counts (modulo 2^64)? */
bool profile_ticks_add_up(const struct profile *p);

/* Do the ticks of the event have times?  If not, they have line numbers instead. */
static inline bool profile_ticks_timed(const struct profile *p, uint32_t event)
{
	return p->timed && !p->event[event].untimed;
}

/* Stores up to max ticks from now on; beyond that, times get coarser, and a note says so. */
void profile_keep_ticks(struct profile *p, size_t max);

/* These add a row if it is new, and return its handle; arguments are copied. */
str_id profile_string(struct profile *p, struct span s);
module_id profile_module(struct profile *p, struct span path, struct span build_id);
frame_id profile_frame(struct profile *p, const struct frame *f);
thread_id profile_thread(struct profile *p, const struct thread *t);
label_id profile_labels(struct profile *p, const struct label *label, size_t nr);

/* The string of a handle: NUL-terminated, valid as long as the profile. */
struct span profile_peek(const struct profile *p, str_id s);

/* The event with that name, added if it is new. */
uint32_t profile_event(struct profile *p, struct span name, struct span unit);

/*
 * Keys of facts about a recording: how it was sampled; the share of CPU time without samples, if that is more than
 * chance explains; and FACT_TIME = FACT_TIME_ALL, if time on and off CPU was recorded.
 */
#define FACT_SAMPLING	 "sampling"
#define FACT_NOT_SAMPLED "not sampled"
#define FACT_TIME	 "time"
#define FACT_TIME_ALL	 "on and off CPU"

/* Adds a fact, `command` = `./app -x`, unless it exists. */
void profile_inform(struct profile *p, struct span key, struct span value);

/* Converts the event's weights to a finer scale.  -1: they would overflow, nothing is changed. */
int profile_rescale(struct profile *p, uint32_t event, int scale);

/* Sets the names of a frame, innermost first: the only way in which its row ever changes. */
void profile_name(struct profile *p, frame_id f, const struct line *line, size_t nr);

/* stack.c: the stack with one more frame. */
stack_id profile_push(struct profile *p, stack_id caller, frame_id callee);

enum path_order { ROOT_FIRST, LEAF_FIRST };

/* Pushes many frames, in that order. */
stack_id profile_push_path(struct profile *p, stack_id caller, const frame_id *frame, size_t nr,
			   enum path_order order);

/*
 * The lookup of a call chain in the profile, as far as its stacks exist.  Several are looked up at a time, so
 * that their cache misses overlap; each may share its first frames with the one before it.
 */
struct stack_walk {
	const frame_id *frame; /* from the root; without the shared ones */
	uint32_t nr;	       /* number of frames in it */
	uint32_t shared; /* number of frames from the root that it shares with the previous walk */
	uint32_t
		known; /* result: the number of frames, including the shared ones, that have a stack */
	/*
	 * Result: the stacks of these frames, with room for shared + nr.  If `known` is initially equal to
	 * `shared`, as it must be in the first walk, the caller has set the shared ones.
	 */
	stack_id *path;
	/* Used by profile_walk() only: */
	enum { WALK_WAITS, WALK_ON, WALK_DONE } state;
	bool unsure; /* the last stack of the path was found by its hash, and is not verified yet */
	uint32_t hash; /* of the next stack */
};

/* Does nothing if the profile has few stacks; fold_recursion must not be set. */
void profile_walk(const struct profile *p, struct stack_walk *w, size_t nr);

/*
 * Adds a sample to its count, and to the ticks if these are kept.  -1: overflow, nothing is added.
 */
int profile_add(struct profile *p, const struct tick *t);

/* The same for nr samples, whose weights add up to t->weight: they are one tick. */
int profile_add_many(struct profile *p, const struct tick *t, uint64_t nr);

/* Adds a count of several samples at once, without a tick. */
int profile_add_count(struct profile *p, const struct count *c);

/* Prefetch what a lookup of the row will read, so that the cache misses of several lookups overlap. */
void profile_fetch_count(const struct profile *p, const struct count *c);
void profile_fetch_frame(const struct profile *p, const struct frame *f);

/* The count with the same event, thread, stack and labels, or NULL; not of a settled profile. */
const struct count *profile_find_count(const struct profile *p, const struct count *c);

/*
 * intervals.c: stores up to max of them from now on.  Beyond that, intervals with the same event,
 * thread, stack, labels and link that begin and end in the same quantum of time are merged.  Sums
 * stay exact, and a note says so.
 */
void profile_keep_intervals(struct profile *p, size_t max);

/* Frees all intervals and links, and stores no more. */
void profile_drop_intervals(struct profile *p);

/* Drops the intervals of each event whose intervals do not add up to its counts. */
void profile_drop_partial_intervals(struct profile *p);

/* Adds an interval to its count, and to the table if intervals are kept.  -1: overflow. */
int profile_add_interval(struct profile *p, const struct interval *v);

/* The same for an interval whose weight was already counted as a sample: only stores it. */
void profile_add_extent(struct profile *p, const struct interval *v);

/* Adds the link if it is new.  l->interval is a row of the table of intervals, or INTERVAL_NONE. */
link_id profile_link(struct profile *p, const struct link *l);

/*
 * Adds a link without looking for an equal one: for links that are completed later, when the interval
 * that they refer to is added.
 */
link_id profile_add_link(struct profile *p, const struct link *l);

/* Do the intervals of every event that has any add up to its counts (modulo 2^64)? */
bool profile_intervals_add_up(const struct profile *p);

/* series.c: the series with that name, unit and scope, added if it is new; NULL: too many. */
struct series *profile_series(struct profile *p, struct span name, struct span unit,
			      struct span scope);

/* Adds a point at the end, or at its position if its time is earlier. */
void series_add(struct profile *p, struct series *s, uint64_t time, int64_t value);

/*
 * Each point since `begin` is a rate over the time since the previous point.  Lowers the last one to the limit,
 * and distributes the excess over the points before it, the latest first, up to the limit; the rest is dropped.
 */
void series_spread(struct series *s, uint64_t begin, int64_t limit);

/* Adds the points of a series, in any order; returns how many were dropped, as they overflow in the finer scale. */
size_t series_extend(struct profile *p, struct series *to, const struct series *from);

/* merge.c: adds all of `from`, which must be another profile. */
void profile_merge(struct profile *into, const struct profile *from);

struct strbuf;

/* For comparisons, which add one side after the other.  Zeroed: profile_merge(). */
struct merge_opts {
	const bool *in; /* by event of `from`: only these, without ticks; NULL: all, with ticks */
	const uint32_t *as; /* all of them become this event of `into`; NULL: by name */
	bool samples;	    /* weights become numbers of samples */
	void (*rename)(struct strbuf *out, struct span name); /* for all strings; NULL: unchanged */
	struct span key, value; /* a label for all samples, replacing one with that key; or "" */
};
void profile_merge_with(struct profile *into, const struct profile *from,
			const struct merge_opts *o);

/*
 * restack.c: for filters.  Removes all stacks but the empty one and returns them, to be freed
 * by the caller, who pushes the new ones and then calls profile_recount().
 */
struct stack *profile_take_stacks(struct profile *p, size_t *nr);

struct time_span {
	uint64_t begin, end; /* end is exclusive */
};

/* Which samples stay, and their new stacks.  Arrays are by the old numbers of stacks. */
struct recount {
	const bool *thread;	      /* by thread: do its samples stay?  NULL: all do */
	const bool *keep;	      /* by stack: do its samples stay?  NULL: all do */
	const stack_id *stack;	      /* by stack: the new one; NULL: the same */
	const thread_id *as;	      /* by thread: the new one; NULL: the same */
	const struct time_span *span; /* keep only this part of the time; NULL: all */
};

/*
 * Rebuilds all counts; those that become equal are added up.  With a time span, counts come from the
 * intervals in it, if the event has intervals, else from the ticks in it, each of which counts as one
 * sample.  Intervals are cut at the ends of the span.
 */
void profile_recount(struct profile *p, const struct recount *r);

/* By event: does it have times, so that a time span can select a part of it?  To be freed. */
bool *profile_timed_events(const struct profile *p);

/* The earliest time that a time span can select; false: there are no times. */
bool profile_first_time(const struct profile *p, uint64_t *time);

/* Rebuilds the counts and ticks of an event from its intervals, after these got other stacks. */
void profile_recount_event(struct profile *p, uint32_t event);

/* Swaps the numbers of two events: by default, the first event with samples is shown. */
void profile_swap_events(struct profile *p, uint32_t a, uint32_t b);

/* size.c: bytes of memory.  Adding a row to a full table doubles that table. */
size_t profile_size(const struct profile *p);

/* check.c: NULL when all invariants hold, else what is wrong. */
const char *profile_check(const struct profile *p);

#endif
