/*
 * The profile: the one value between readers and recorders on the one side, and all that draw
 * or write on the other.  It has tables of rows, which are named by handles (their numbers).
 * Equal rows have equal handles.  Handle 0 is always valid: the empty string, no module, the
 * unknown frame, the empty stack, no thread, no labels.
 *
 * Invariants; profile_check() checks those that data can show:
 * 1. a stack's caller has a smaller number than the stack;
 * 2. adding the same row again gives the same handle;
 * 3. rows are never removed or renumbered, only names are added later; the exception is restack.c,
 *    for filters, which makes stacks and counts anew;
 * 4. kind, thread, time and inlining are fields, never parts of a name;
 * 5. what went wrong is counted in notes.
 *
 * A profile has one writer and no locks: reading threads fill a profile each, which are merged.
 */
#ifndef WICK_PROFILE_PROFILE_H
#define WICK_PROFILE_PROFILE_H

#include "base/error.h"
#include "base/intern.h"
#include "base/span.h"
#include "profile/notes.h"

#include <stdbool.h>
#include <stdint.h>

/* A struct each, so that swapped arguments do not compile. */
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

enum frame_kind { FRAME_USER, FRAME_KERNEL, FRAME_JIT, FRAME_LABEL };

enum frame_flags {
	FRAME_RETURN_ADDRESS = 1, /* the call is before it: names are those of address - 1 */
	FRAME_INLINED = 2,	  /* a call that was inlined into its caller */
	FRAME_JIT_INLINED = 4,	  /* inlined by a JIT compiler: spelled name_[i] */
	FRAME_WAKER = 8,	  /* of the thread that woke this one: spelled name_[w] */
	FRAME_IN_MODULE = 16,	  /* the address is an offset in the module: it can be looked up */
};

/* A function and a line of its source; unknown: 0. */
struct line {
	str_id function, file;
	uint32_t line;
};

/* An address, which may get names later, or a name from the start. */
struct frame {
	enum frame_kind kind;
	unsigned flags; /* enum frame_flags */
	module_id module;
	uint64_t address;	 /* 0: none */
	const struct line *line; /* innermost first: each is inlined into the next one */
	size_t nr_line;		 /* 0: unnamed */
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

/* Weights of this event are multiples of 10^scale units. */
struct event {
	str_id name, unit; /* unit: samples, ns, bytes, …; "": not in the input */
	int scale;	   /* 0 or less */
	uint64_t period;   /* units between two samples if that is fixed, or 0 */
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

/* Samples with the same event, thread, stack and labels, added up.  Always kept. */
struct count {
	uint32_t event;
	thread_id thread;
	stack_id stack;
	label_id labels;
	int64_t weight;
	uint64_t nr; /* of samples: statistics need it */
};

/* A single sample.  Kept on request, in input order. */
struct tick {
	uint64_t time; /* ns; the line number if the input has no times (profile.timed) */
	uint32_t event;
	thread_id thread;
	stack_id stack;
	label_id labels;
	int64_t weight;
};

/* A hash table of the rows of a table, see row_index.h. */
struct row_index {
	uint32_t *slot; /* 0: empty */
	uint32_t mask;	/* number of slots - 1 */
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
	struct info *info;
	size_t nr_module, nr_frame, nr_stack, nr_thread, nr_event, nr_labels, nr_count, nr_tick,
		nr_info;
	size_t cap_module, cap_frame, cap_stack, cap_thread, cap_event, cap_labels, cap_count,
		cap_tick, cap_info;
	uint32_t *fork; /* stacks that do not directly follow their caller; see stack.c */
	size_t nr_fork, cap_fork;
	struct row_index module_index, frame_index, stack_index, thread_index, label_index,
		count_index;
	struct arena arena;    /* lines of frames, label sets */
	bool fold_recursion;   /* pushing the frame that is on top already changes nothing */
	bool timed;	       /* ticks have times, not line numbers */
	size_t max_tick;       /* 0: ticks are not kept */
	uint64_t tick_quantum; /* resolution of times: ticks of one quantum were merged */
	struct notes notes;
};

enum {
	/* Handles have 32 bits, and an index needs empty slots.  With more rows, reading fails. */
	PROFILE_MAX_ROWS = 1 << 30,
	/* How many ticks are kept, if any: 512 MB. */
	PROFILE_TICKS_DEFAULT = 16 * 1024 * 1024,
	/* … and how many in a page, where they take about 1 MB. */
	PROFILE_TIMES_DEFAULT = 1024 * 1024,
	/* The finest scale of an event: nine digits behind the decimal point. */
	PROFILE_SCALE_MIN = -9,
	/* A longer name is cut there, and counted. */
	PROFILE_NAME_MAX = 64 * 1024,
	/* More facts than this are not kept. */
	PROFILE_INFO_MAX = 1000,
	/* A deeper stack keeps this many frames next to its leaf, and is counted. */
	PROFILE_DEPTH_MAX = 64 * 1024,
};

void profile_init(struct profile *p);
void profile_release(struct profile *p);

/* Frees all ticks, and keeps no more. */
void profile_drop_ticks(struct profile *p);

/* Keeps up to max ticks from now on; past that, times get coarser, and a note says so. */
void profile_keep_ticks(struct profile *p, size_t max);

/* These add a row if it is new, and return its handle; arguments are copied. */
str_id profile_string(struct profile *p, struct span s);
module_id profile_module(struct profile *p, struct span path, struct span build_id);
frame_id profile_frame(struct profile *p, const struct frame *f);
thread_id profile_thread(struct profile *p, const struct thread *t);
label_id profile_labels(struct profile *p, const struct label *label, size_t nr);

/* The string of a handle: NUL-terminated, valid as long as the profile. */
struct span profile_peek(const struct profile *p, str_id s);

/* The event of that name, added when it is new. */
uint32_t profile_event(struct profile *p, struct span name, struct span unit);

/* Adds a fact, `command` = `./app -x`, if it is not there already. */
void profile_inform(struct profile *p, struct span key, struct span value);

/* Converts the event's weights to a finer scale.  -1: they would overflow, nothing is changed. */
int profile_rescale(struct profile *p, uint32_t event, int scale);

/* Sets the names of a frame, innermost first: the only change that a row ever sees. */
void profile_name(struct profile *p, frame_id f, const struct line *line, size_t nr);

/* stack.c: the stack with one more frame. */
stack_id profile_push(struct profile *p, stack_id caller, frame_id callee);

enum path_order { ROOT_FIRST, LEAF_FIRST };

/* Pushes many frames, which are in that order. */
stack_id profile_push_path(struct profile *p, stack_id caller, const frame_id *frame, size_t nr,
			   enum path_order order);

/* Adds a sample to its count, and to ticks if these are kept.  -1: overflow, nothing is added. */
int profile_add(struct profile *p, const struct tick *t);

/* The same for nr samples, whose weights add up to t->weight: they are one tick. */
int profile_add_many(struct profile *p, const struct tick *t, uint64_t nr);

/* Adds a count of several samples at once, without a tick. */
int profile_add_count(struct profile *p, const struct count *c);

/* The count with the same event, thread, stack and labels, or NULL. */
const struct count *profile_find_count(const struct profile *p, const struct count *c);

/* merge.c: adds all of `from`, which must be another profile. */
void profile_merge(struct profile *into, const struct profile *from);

struct strbuf;

/* For comparisons, which add one side after the other.  Zeroed: profile_merge(). */
struct merge_opts {
	const bool *in; /* by event of `from`: only these, without ticks; NULL: all, with ticks */
	const uint32_t *as; /* all of them become this event of `into`; NULL: by name */
	bool samples;	    /* weights become numbers of samples */
	void (*rename)(struct strbuf *out, struct span name); /* all strings; NULL: they stay */
	struct span key, value; /* a label for all samples, in place of one with that key; or "" */
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
	const struct time_span *span; /* only ticks in it, which must have been kept; NULL: all */
};

/*
 * Makes all counts anew; those that become the same are added up.  With a time span, counts are
 * made of ticks, each of which counts as one sample.
 */
void profile_recount(struct profile *p, const struct recount *r);

/* size.c: bytes of memory.  A table that is full doubles with the next row. */
size_t profile_size(const struct profile *p);

/* check.c: NULL when all invariants hold, else what is wrong. */
const char *profile_check(const struct profile *p);

#endif
