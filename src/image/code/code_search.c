/* Paths through the code of a function: from a place to a return, and from the start to a place. */
#include "base/alloc.h"
#include "image/code/code_path.h"
#include "image/code/code_text.h"

#include <stdlib.h>

enum {
	/* Limits for one place: enough for nearly all functions. */
	STEPS_MAX = 4000, /* instructions */
	PATHS_MAX = 16,	  /* branches still to be followed */
	SEEN_MAX = 256,	  /* targets of jumps */
	/* DWARF's numbers of registers. */
	DWARF_FP = 6,
	DWARF_SP = 7,
	DWARF_RETURN = 16,
};

/* DWARF's number of each register, by its number in instructions. */
static const uint8_t dwarf[CODE_REGISTERS] = {
	0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15
};

struct search {
	struct text_file *text;
	struct code_path path[PATHS_MAX]; /* a stack of branches still to be followed */
	size_t nr_path;
	uint64_t seen[SEEN_MAX]; /* targets of jumps so far */
	size_t nr_seen;
};

/* Is there padding (nop, int3) after a call?  Then the call never returns. */
static bool is_padding(struct text_file *t, uint64_t place)
{
	struct x86_insn i;

	return x86_decode(text_bytes(t, place, X86_INSN_MAX), &i) &&
	       ((i.map == X86_0F && i.opcode == 0x1f) || (i.map == X86_ONE && i.opcode == 0xcc));
}

/* Is the target of a jump code that was not followed yet?  Marks it as followed. */
static bool is_new(struct search *s, uint64_t place)
{
	if (s->nr_seen == SEEN_MAX || !text_is_code(s->text, place))
		return false;
	for (size_t i = 0; i < s->nr_seen; i++)
		if (s->seen[i] == place)
			return false;
	s->seen[s->nr_seen++] = place;
	return true;
}

/* Pushes the target of a branch, to be followed later.  If the limit is reached, it is ignored. */
static void keep_branch(struct search *s, const struct code_path *path, uint64_t target)
{
	if (s->nr_path == PATHS_MAX || !is_new(s, target))
		return;
	s->path[s->nr_path] = *path;
	s->path[s->nr_path++].place = target;
}

/* Follows one path to a return, a dead end, or an unknown stack pointer. */
static enum next follow(struct search *s, struct code_path *path, size_t *steps)
{
	for (; *steps < STEPS_MAX; ++*steps) {
		struct x86_insn i;
		enum next next;

		if (!x86_decode(text_bytes(s->text, path->place, X86_INSN_MAX), &i))
			return DEAD_END;
		path->place += i.size;
		next = code_path_step(path, &i);
		if (next == BRANCH)
			keep_branch(s, path, path->place + (uint64_t)i.imm);
		else if (next == CALL && is_padding(s->text, path->place))
			return DEAD_END;
		else if (next == JUMP && is_new(s, path->place + (uint64_t)i.imm))
			path->place += (uint64_t)i.imm;
		else if (next != GO_ON && next != CALL)
			return next == JUMP ? DEAD_END : next;
		if (!text_is_code(s->text, path->place))
			return DEAD_END;
	}
	return LOST;
}

/* The first path that ends in a return; depth first, branches not taken before taken ones. */
static bool find_path(struct text_file *t, uint64_t place, struct code_path *found)
{
	struct search s = { .text = t, .nr_path = 1 };
	size_t steps = 0;

	s.path[0].place = place;
	while (s.nr_path) {
		enum next end;

		*found = s.path[--s.nr_path];
		end = follow(&s, found, &steps);

		if (end == RETURN)
			return found->sp % 8 == 0 && (found->by_frame || found->sp >= 0);
		if (end == LOST)
			return false;
	}
	return false;
}

static void set_saved(struct cfi_state *s, unsigned reg, int64_t value)
{
	s->saved |= UINT64_C(1) << reg;
	s->reg[reg] = (struct cfi_saved){ .reg = (uint8_t)reg,
					  .how = SAVE_AT_CFA,
					  .value = (int32_t)value };
}

bool code_find_return(struct text_file *t, uint64_t place, struct cfi_state *s)
{
	struct code_path path;

	if (!find_path(t, place, &path))
		return false;
	*s = (struct cfi_state){ .cfa = CFA_REGISTER,
				 .base = path.by_frame ? DWARF_FP : DWARF_SP,
				 .offset = (int32_t)path.sp + 8 };
	set_saved(s, DWARF_RETURN, -8);
	for (unsigned i = 0; i < CODE_REGISTERS; i++)
		if (path.saved >> i & 1 && path.at[i] < path.sp)
			set_saved(s, dwarf[i], path.at[i] - path.sp - 8);
	return true;
}

/* From the start */

/* May a function begin after these bytes?  They must be padding, or a return. */
static bool may_end(struct span before)
{
	uint8_t last = before.size ? (uint8_t)before.at[before.size - 1] : 1;

	/* nop, int3, ret */
	if (last)
		return last == 0x90 || last == 0xcc || last == 0xc3;
	/*
	 * Long nops end in zeros, as 0f 1f 84 00 00 00 00 00; some assemblers pad with zeros
	 * only.
	 */
	return span_find_text(before, "\x0f\x1f") < before.size ||
	       (before.size > 1 && !before.at[before.size - 2]);
}

size_t code_find_starts(struct text_file *t, uint64_t place, uint64_t start[static CODE_STARTS])
{
	/* Compilers align functions to 16 bytes; the longest nop they use has 9. */
	enum { ALIGNED = 16, FUNCTION_MAX = 16 * 1024, BEFORE = 9 };
	size_t nr = 0;

	for (uint64_t at = place - place % ALIGNED;
	     nr < CODE_STARTS && at > BEFORE && text_is_code(t, at - BEFORE) &&
	     place - at < FUNCTION_MAX;
	     at -= ALIGNED)
		if (may_end(text_bytes(t, at - BEFORE, BEFORE)))
			start[nr++] = at;
	return nr;
}

/* The targets of forward jumps, and the state of the path at each jump. */
struct later {
	struct code_path path[PATHS_MAX];
	size_t nr;
};

static void later_add(struct later *l, const struct code_path *path, uint64_t target)
{
	if (target < path->place || l->nr == PATHS_MAX)
		return;
	l->path[l->nr] = *path;
	l->path[l->nr++].place = target;
}

static bool later_find(const struct later *l, uint64_t place, struct code_path *path)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->path[i].place == place) {
			*path = l->path[i];
			return true;
		}
	return false;
}

static bool goes_on(enum next next)
{
	return next == GO_ON || next == BRANCH || next == CALL;
}

/*
 * Applies all instructions up to the place, in the order of addresses.  After a jump or a return,
 * the state is that of an earlier jump to the next instruction.
 */
static bool walk_to(struct text_file *t, uint64_t place, struct code_path *path)
{
	struct later *later = xcalloc(1, sizeof(*later));
	bool sound = true;

	while (sound && path->place < place) {
		struct x86_insn i;
		enum next next;

		sound = x86_decode(text_bytes(t, path->place, X86_INSN_MAX), &i);
		if (!sound)
			break;
		path->place += i.size;
		next = code_path_step(path, &i);
		if (next == BRANCH || next == JUMP)
			later_add(later, path, path->place + (uint64_t)i.imm);
		path->lost = next == LOST;
		sound = goes_on(next) || (next != LOST && later_find(later, path->place, path));
	}
	free(later);
	return sound && path->place == place;
}

bool code_from_start(struct text_file *t, uint64_t start, uint64_t place, struct cfi_state *s)
{
	/* Callee-saved: rbx, rbp, r12 … r15. */
	enum { KEPT = 1 << 3 | 1 << 5 | 0xf << 12 };
	struct code_path path = { .place = start };

	if (!walk_to(t, place, &path) || path.by_frame || path.sp > 0 || path.sp % 8)
		return false;
	*s = (struct cfi_state){ .cfa = CFA_REGISTER,
				 .base = DWARF_SP,
				 .offset = (int32_t)-path.sp + 8 };
	set_saved(s, DWARF_RETURN, -8);
	for (unsigned i = 0; i < CODE_REGISTERS; i++)
		if (path.pushed & KEPT & 1u << i && path.put[i] >= path.sp)
			set_saved(s, dwarf[i], path.put[i] - 8);
	return true;
}

bool code_frame_at(struct text_file *t, uint64_t start, uint64_t place, struct code_frame *f)
{
	struct code_path path = { .place = start };

	bool arrived = walk_to(t, place, &path);

	if (!path.has_frame || path.by_frame || path.sp > 0 || (!arrived && !path.lost))
		return false;
	*f = (struct code_frame){ .frame = path.frame - path.sp,
				  .cfa = 8 - path.sp,
				  .is_bound = !arrived };
	return true;
}
