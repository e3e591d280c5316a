/*
 * The profile: the one value that passes between those who read or record and
 * those who draw or write.  Rows of interned tables, named by handles; equal
 * things have equal handles, and handle 0 is always valid (the empty string,
 * no module, the unknown frame, the empty stack, no thread, no labels).
 *
 * Invariants, which profile_check() proves:
 * 1. a stack's caller has a smaller number than the stack;
 * 2. the same row gives the same handle;
 * 3. nothing is removed or renumbered, only names arrive; restack.c, between
 *    reading and showing, makes stacks and counts anew;
 * 4. kind, thread, time and inlining are fields, never pieces of a name;
 * 5. what went wrong is counted in notes.
 *
 * A profile has one writer and no locks: two reading threads fill a profile
 * each and merge.
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
	FRAME_RETURN_ADDRESS = 1, /* where the call returns to: look up address - 1, once */
	FRAME_INLINED = 2,	  /* stands for a call inlined into its caller */
	FRAME_JIT_INLINED = 4,	  /* inlined by a JIT compiler, which folded text spells _[i] */
	FRAME_WAKER = 8,	  /* of the thread that woke this one, spelled _[w] */
	FRAME_IN_MODULE = 16,	  /* the address is one of the module's file: it can be looked up */
};

/* Innermost first; a call inlined into the function adds one. */
struct line {
	str_id function, file;
	uint32_t line;
};

/* An address in a module until it is named, or a name from the start. */
struct frame {
	enum frame_kind kind;
	unsigned flags;
	module_id module;
	uint64_t address;
	const struct line *line;
	size_t nr_line;
};

struct module {
	str_id path, build_id;
};

/* The caller first and then the function it called: a path from the root. */
struct stack {
	stack_id caller;
	frame_id frame;
};

struct thread {
	uint32_t pid, tid; /* THREAD_UNKNOWN: the input does not tell */
	str_id comm;
};

#define THREAD_UNKNOWN UINT32_MAX

/* A weight of this event is weight × 10^scale of unit: samples, ns, bytes, …; "" where the input does not tell. */
struct event {
	str_id name, unit;
	int scale;
	uint64_t period; /* fixed distance between two samples, or 0 */
};

/* Sets of key = value: cpu, cgroup, reason of waiting, … sorted by key. */
struct label {
	str_id key, value;
};

struct label_set {
	const struct label *label;
	size_t nr;
};

/* What is known of the whole: command, host, when it was captured, … a key may have several values. */
struct info {
	str_id key, value;
};

/*
 * Always kept: what happened how often.  nr is the number of samples behind
 * the weight: a statistical claim needs it.
 */
struct count {
	uint32_t event;
	thread_id thread;
	stack_id stack;
	label_id labels;
	int64_t weight;
	uint64_t nr;
};

/* Kept on request, in input order.  Without times in the input, time is the line number. */
struct tick {
	uint64_t time;
	uint32_t event;
	thread_id thread;
	stack_id stack;
	label_id labels;
	int64_t weight;
};

/* Rows of some table, found by their content. */
struct row_index {
	uint32_t *slot; /* see row_index.h; 0: empty */
	uint32_t mask;
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
	uint32_t *fork; /* stacks that do not follow their caller: the rows of stack_index */
	size_t nr_fork, cap_fork;
	struct row_index module_index, frame_index, stack_index, thread_index, label_index,
		count_index;
	struct arena arena;  /* lines of frames, label sets */
	bool fold_recursion; /* a frame pushed on itself is nothing new */
	bool timed;	     /* some sample had a time: ticks have nanoseconds, not line numbers */
	size_t max_tick;     /* 0: ticks are not kept */
	uint64_t tick_quantum;
	struct notes notes;
};

enum {
	/* Handles have 32 bits, and an index needs an empty slot: past this, reading is an error. */
	PROFILE_MAX_ROWS = 1 << 30,
	/* How many ticks are kept when they are asked for: 512 MB of them. */
	PROFILE_TICKS_DEFAULT = 16 * 1024 * 1024,
	/* The finest scale of an event: nine digits behind the point. */
	PROFILE_SCALE_MIN = -9,
	/* The same for those that a page carries: a megabyte of it. */
	PROFILE_TIMES_DEFAULT = 1024 * 1024,
	/* A longer name is cut there, and counted. */
	PROFILE_NAME_MAX = 64 * 1024,
	/* More facts of the whole than this are not kept: nobody would read them. */
	PROFILE_INFO_MAX = 1000,
	/* A deeper stack keeps this many frames next to its leaf, and is counted. */
	PROFILE_DEPTH_MAX = 64 * 1024,
};

void profile_init(struct profile *p);
void profile_release(struct profile *p);

/* Those there are go, and no more are kept. */
void profile_drop_ticks(struct profile *p);

/* Keep up to max ticks; past that, times get coarser until they fit, and a note says so. */
void profile_keep_ticks(struct profile *p, size_t max);

str_id profile_string(struct profile *p, struct span s);
struct span profile_peek(const struct profile *p, str_id s);

module_id profile_module(struct profile *p, struct span path, struct span build_id);
frame_id profile_frame(struct profile *p, const struct frame *f);
thread_id profile_thread(struct profile *p, const struct thread *t);
label_id profile_labels(struct profile *p, const struct label *label, size_t nr);

/* The event of that name, added when it is new. */
uint32_t profile_event(struct profile *p, struct span name, struct span unit);

/* A fact of the whole: `command`, `./app -x`.  What is known already is nothing new. */
void profile_inform(struct profile *p, struct span key, struct span value);

/* Makes the event's weights multiples of 10^scale, if they are coarser now.  -1: they would overflow. */
int profile_rescale(struct profile *p, uint32_t event, int scale);

/* Gives a frame its names, innermost first: the only change a row ever sees. */
void profile_name(struct profile *p, frame_id f, const struct line *line, size_t nr);

/* stack.c */
stack_id profile_push(struct profile *p, stack_id caller, frame_id callee);

enum path_order { ROOT_FIRST, LEAF_FIRST };

/* Pushes many frames. */
stack_id profile_push_path(struct profile *p, stack_id caller, const frame_id *frame, size_t nr,
			   enum path_order order);

/* Counts one sample; keeps the tick if asked to.  -1: the sum would overflow, nothing is added. */
int profile_add(struct profile *p, const struct tick *t);

/* The same for nr samples at once that weigh t->weight together: one tick carries them all. */
int profile_add_many(struct profile *p, const struct tick *t, uint64_t nr);

/* Adds a count of several samples at once, without a tick. */
int profile_add_count(struct profile *p, const struct count *c);

/* The row that counts the same thing as c, or NULL. */
const struct count *profile_find_count(const struct profile *p, const struct count *c);

/* merge.c: adds all of `from`, in order.  The two must not be the same. */
void profile_merge(struct profile *into, const struct profile *from);

struct strbuf;

/* How one side of a comparison is added. */
struct merge_opts {
	const bool *in; /* by event of `from`: only these, without ticks; NULL: all, with them */
	const uint32_t *as; /* all of them as this event of `into`; NULL: as they are called */
	bool samples;	    /* weights are the numbers of samples */
	void (*rename)(struct strbuf *out, struct span name); /* NULL: names stay */
	struct span key, value; /* a label that all get, in place of theirs; no key: none */
};
void profile_merge_with(struct profile *into, const struct profile *from,
			const struct merge_opts *o);

/* restack.c: takes the stacks away, which are then the caller's; only the empty one is left. */
struct stack *profile_take_stacks(struct profile *p, size_t *nr);

/* From the one time up to the other. */
struct time_span {
	uint64_t begin, end;
};

/* Which samples count, and with which stack; by stack means by the number it had before. */
struct recount {
	const bool *thread;	      /* by thread: does it count?  NULL: all do */
	const bool *keep;	      /* by stack: do its samples count?  NULL: all do */
	const stack_id *stack;	      /* by stack: which one it is now; NULL: what it was */
	const struct time_span *span; /* only these ticks, which must have been kept; NULL: all */
};

/* Counts all samples anew.  Those that become alike are added up; of a time span, a tick is one sample. */
void profile_recount(struct profile *p, const struct recount *r);

/* size.c: the bytes that it takes.  A table that is full doubles. */
size_t profile_size(const struct profile *p);

/* check.c: NULL when every invariant holds, else which one does not. */
const char *profile_check(const struct profile *p);

#endif
