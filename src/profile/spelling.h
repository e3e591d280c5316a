/*
 * How frames and threads are spelled in text formats, which only have a name: `_[k]` after a kernel
 * function, `libc`malloc`, `java-12/34`.  In a profile these are fields; only here they become
 * parts of a name, and marks become fields again.
 */
#ifndef WICK_PROFILE_SPELLING_H
#define WICK_PROFILE_SPELLING_H

#include "base/strbuf.h"
#include "profile/profile.h"

enum spelling {
	SPELL_THREAD = 1 << 0,	/* the thread's name is the root of its stacks */
	SPELL_PID = 1 << 1,	/* … with its process: name-12 */
	SPELL_TID = 1 << 2,	/* … and thread: name-12/34 */
	SPELL_KERNEL = 1 << 3,	/* name_[k] */
	SPELL_JIT = 1 << 4,	/* name_[j] */
	SPELL_INLINED = 1 << 5, /* name_[i] */
	SPELL_WAKER = 1 << 6,	/* name_[w] */
	SPELL_MARKS = SPELL_KERNEL | SPELL_JIT | SPELL_INLINED | SPELL_WAKER,
	SPELL_MODULE = 1 << 7,	    /* module`name */
	SPELL_ADDRESS = 1 << 8,	    /* [module <7f12>] if it is unresolved */
	SPELL_SRCLINE = 1 << 9,	    /* name:file.c:12 */
	SPELL_UTF8 = 1 << 10,	    /* bytes that are not UTF-8 become U+FFFD */
	SPELL_LINE_FIRST = 1 << 11, /* file.py:12:name */
	/* More about threads */
	SPELL_BLANKS = 1 << 12,	   /* blanks in the name stay; without this they become _ */
	SPELL_POOL = 1 << 13,	   /* worker-1 and worker-2 are both worker */
	SPELL_HEX_TID = 1 << 14,   /* with SPELL_TID: name-0x1F2E, and no process */
	SPELL_ID_FRAMES = 1 << 15, /* with SPELL_PID, SPELL_TID: frames PID=12 and TID=34 */
	SPELL_LONE_TID = 1 << 16,  /* with SPELL_TID: name-34, and no process */
	SPELL_APART = 1 << 17,	   /* threads are not merged with functions of the same name */
	SPELL_GROUP =
		1
		<< 18, /* pool-1, pool-2, … are pool-* where there are many (fold/frame_labels.c) */
	/* More about modules: written even if a frame has none (!name, name()) */
	SPELL_MODULE_BANG = 1 << 20,   /* module!name */
	SPELL_MODULE_BEHIND = 1 << 21, /* name(module) */
	/* Everything around the name of a function: for tables that have columns for it */
	SPELL_AROUND = SPELL_MODULE | SPELL_MODULE_BANG | SPELL_MODULE_BEHIND | SPELL_SRCLINE |
		       SPELL_LINE_FIRST,
};

/*
 * The spelling of two inputs together.  Modules only if both have them: otherwise the same function
 * would have two names.
 */
unsigned spelling_join(unsigned a, unsigned b);

/* Does any frame have a mark?  And does any function occur both with and without one? */
bool spelling_has_marks(const struct profile *p);
bool spelling_marks_differ(const struct profile *p);

/* Appends the name of one line of a frame: 0 is the innermost, inlined call. */
void spelling_frame(struct strbuf *out, const struct profile *p, frame_id id, size_t line,
		    unsigned spelling);

/* Does spelling_frame() append just the function's name?  May be false even if it does. */
bool spelling_is_function(const struct profile *p, frame_id id, size_t line, unsigned spelling);

/* Appends the name of a thread, for the root of its stacks; nothing if the thread is unknown. */
void spelling_thread(struct strbuf *out, const struct profile *p, thread_id id, unsigned spelling);

/* Removes a mark (`_[k]`) from the end of a name, and sets kind or flags in *f. */
struct span spelling_unmark(struct span name, struct frame *f);

/* Appends s; each malformed sequence of UTF-8 becomes one U+FFFD. */
void spelling_utf8(struct strbuf *out, struct span s);

/* A spelling as words, "thread pid module", for packs; unknown words are ignored. */
void spelling_write(struct strbuf *out, unsigned spelling);
unsigned spelling_parse(struct span words);

#endif
