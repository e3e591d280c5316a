#include "unwind/unwind.h"

/*
 * Returned by a step that found the caller.  If unwinding ends with it, the limit of frames was
 * reached.
 */
#define STEPPED UNWIND_TOO_DEEP

void unwind_forget(struct unwinder *u)
{
	memset(u->map, 0, sizeof(u->map));
}

const struct unwind_map *unwind_search_map(struct unwinder *u, uint64_t pc)
{
	struct unwind_map found;

	for (unsigned i = 0; i < UNWIND_MAPS; i++)
		if (pc - u->map[i].begin < u->map[i].end - u->map[i].begin) {
			u->last = i;
			return &u->map[i];
		}
	if (!u->find(u->arg, pc, &found))
		return NULL;
	u->last = u->next;
	u->next = (u->next + 1) % UNWIND_MAPS;
	u->map[u->last] = found;
	return &u->map[u->last];
}

const struct cfi_rule *unwind_rule(struct unwinder *u, uint64_t pc, struct cfi **cfi)
{
	static const struct cfi_rule none = { .cfa = CFA_NONE };
	const struct unwind_map *map = unwind_map(u, pc);
	struct unwind_row *row;
	uint64_t place;

	*cfi = NULL;
	if (!map || !map->cfi)
		return &none;
	place = pc - map->begin + map->offset;
	if (place > UINT32_MAX)
		return &none;
	*cfi = map->cfi;
	row = &u->row[(place * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - UNWIND_ROW_BITS)];
	if (row->cfi != map->cfi || row->place != place)
		*row = (struct unwind_row){ .cfi = map->cfi,
					    .place = (uint32_t)place,
					    .rule = cfi_find(map->cfi, place) };
	return cfi_rule_at(map->cfi, row->rule);
}

/* The value of a register; false if it is unknown. */
static bool register_of(const struct unwind_walk *w, unsigned reg, uint64_t *value)
{
	*value = reg < CFI_REGISTERS ? w->r.value[reg] : 0;
	return reg < CFI_REGISTERS && unwind_known(&w->r, reg);
}

static bool find_cfa(struct unwind_walk *w, const struct cfi *cfi, const struct cfi_rule *rule,
		     uint64_t *cfa)
{
	uint64_t pc = w->r.value[PC_REGISTER];

	switch ((enum cfi_cfa)rule->cfa) {
	case CFA_NONE:
	case CFA_ROOT:
	case CFA_EDGE:
		return false;
	case CFA_EXPRESSION:
		return unwind_expression(w, cfi_expression(cfi, rule->offset), NULL, cfa);
	case CFA_PLAIN:
	case CFA_REGISTER:
	case CFA_MEMORY:
	case CFA_PLT:
		break;
	}
	if (!register_of(w, rule->base, cfa))
		return false;
	*cfa += (uint64_t)(int64_t)rule->offset;
	if (rule->cfa == CFA_PLT && (pc & 15) >= rule->plt_from)
		*cfa += 8;
	return rule->cfa != CFA_MEMORY || unwind_load(w, *cfa, cfa);
}

/*
 * In an epilogue, rows often still say that a register is saved on the stack when it was popped
 * already.  Words below the stack pointer were popped: the register has the caller's value again.
 */
static bool load_saved(struct unwind_walk *w, unsigned reg, uint64_t address, uint64_t *value)
{
	if (address < w->r.value[w->u->arch->stack] && unwind_known(&w->r, reg)) {
		*value = w->r.value[reg];
		return true;
	}
	return unwind_load(w, address, value);
}

static inline bool find_saved(struct unwind_walk *w, const struct cfi *cfi,
			      const struct cfi_saved *s, uint64_t cfa, uint64_t *value)
{
	struct span x;

	switch ((enum cfi_save)s->how) {
	case SAVE_AT_CFA:
		return load_saved(w, s->reg, cfa + (uint64_t)(int64_t)s->value, value);
	case SAVE_AT_REGISTER:
		return register_of(w, s->base, value) &&
		       load_saved(w, s->reg, *value + (uint64_t)(int64_t)s->value, value);
	case SAVE_IS_CFA:
		*value = cfa + (uint64_t)(int64_t)s->value;
		return true;
	case SAVE_IS_REGISTER:
		return register_of(w, s->base, value);
	case SAVE_AT_EXPRESSION:
		x = cfi_expression(cfi, s->value);
		return unwind_expression(w, x, &cfa, value) && unwind_load(w, *value, value);
	case SAVE_IS_EXPRESSION:
		x = cfi_expression(cfi, s->value);
		return unwind_expression(w, x, &cfa, value);
	case SAVE_LOST:
		return false;
	}
	return false;
}

/* The return address: the rule says where it is saved, or it is still in the link register. */
static bool find_pc(struct unwind_walk *w, const struct cfi *cfi, const struct cfi_rule *rule,
		    uint64_t cfa, uint64_t *pc)
{
	uint8_t link = w->u->arch->link;

	if (rule->nr_saved && rule->saved[0].reg == cfi->return_register)
		return find_saved(w, cfi, &rule->saved[0], cfa, pc);
	return link != NO_LINK && register_of(w, link, pc);
}

/* Restores the caller's registers; false if the return address is unknown. */
static bool step(struct unwind_walk *w, const struct cfi *cfi, const struct cfi_rule *rule,
		 uint64_t cfa)
{
	const struct unwind_arch *arch = w->u->arch;
	uint64_t value[CFI_REGISTERS], pc, lost = 0;

	if (!find_pc(w, cfi, rule, cfa, &pc))
		return false;
	/* Rules refer to the registers of this frame: none is set before all are found. */
	for (unsigned i = 0; i < rule->nr_saved; i++)
		if (!find_saved(w, cfi, &rule->saved[i], cfa, &value[i])) {
			value[i] = 0;
			lost |= UINT64_C(1) << rule->saved[i].reg;
		}
	for (unsigned i = 0; i < rule->nr_saved; i++)
		unwind_set(&w->r, rule->saved[i].reg, value[i]);
	w->r.known &= ~lost;
	unwind_set(&w->r, arch->stack, cfa);
	unwind_set(&w->r, PC_REGISTER, pc & arch->address_bits);
	/* A register beyond the end of the copy is a problem only if a caller's rule needs it. */
	w->missed = false;
	return true;
}

/*
 * The same, faster, for CFA_PLAIN: if the whole frame was copied, and no register was popped yet.
 */
static inline bool step_plain(struct unwind_walk *w, const struct cfi_rule *rule)
{
	const struct unwind_arch *arch = w->u->arch;
	const struct unwind_stack *s = w->stack;
	uint64_t cfa = w->r.value[rule->base] + (uint64_t)(int64_t)rule->offset;
	uint64_t sp = w->r.value[arch->stack], known = UINT64_C(1) << arch->stack;
	const char *at;

	if (!unwind_known(&w->r, rule->base) || cfa < sp || cfa - sp < rule->words * UINT64_C(8) ||
	    sp < s->begin || cfa - s->begin > s->bytes.size || !s->bytes.size)
		return false;
	at = s->bytes.at + (cfa - s->begin);
	for (unsigned i = 1; i < rule->nr_saved; i++) {
		const struct cfi_saved *saved = &rule->saved[i];

		w->r.value[saved->reg] = load_u64(at + saved->value, ORDER_LITTLE);
		known |= UINT64_C(1) << saved->reg;
	}
	w->r.known |= known;
	w->r.value[arch->stack] = cfa;
	w->r.value[PC_REGISTER] =
		load_u64(at + rule->saved[0].value, ORDER_LITTLE) & arch->address_bits;
	w->missed = false;
	return true;
}

/*
 * Looks up the call, which is before the return address: if it is the last instruction of its
 * function, the return address is in the next one.
 */
const struct cfi_rule *unwind_frame_rule(struct unwinder *u, const struct unwind_frame *f,
					 struct cfi **cfi)
{
	const struct cfi_rule *rule = unwind_rule(u, f->is_return ? f->pc - 1 : f->pc, cfi);

	/*
	 * A signal handler returns to the first byte of the trampoline, so the byte before is not
	 * part of it.  The same goes for a planted function; padding before that may have the row
	 * of the previous function.
	 */
	if ((rule->cfa != CFA_NONE && rule->cfa != CFA_EDGE) || !f->is_return)
		return rule;
	rule = unwind_rule(u, f->pc, cfi);
	return rule->is_signal || rule->is_planted ? rule : unwind_rule(u, f->pc - 1, cfi);
}

static enum unwind_end end_of(const struct unwind_walk *w, enum unwind_end otherwise)
{
	if (!w->stack->bytes.size)
		return UNWIND_NO_COPY;
	return w->missed ? UNWIND_TRUNCATED : otherwise;
}

static enum unwind_end step_by_guess(struct unwind_walk *w, bool is_leaf)
{
	switch (unwind_guess(w, is_leaf)) {
	case GUESS_ROOT:
		return UNWIND_ROOT;
	case GUESS_FAILED:
		return end_of(w, UNWIND_NO_ROW);
	case GUESS_STEPPED:
		break;
	}
	return STEPPED;
}

/*
 * Can the CFA be right?  It must be further up the stack; a leaf may have pushed nothing.  A signal
 * handler may have its own stack, above or below the interrupted one.
 */
static bool is_further_up(const struct cfi_rule *rule, uint64_t sp, uint64_t cfa, bool is_leaf)
{
	return rule->is_signal || cfa > sp || (cfa == sp && is_leaf);
}

static enum unwind_end step_by_rule(struct unwind_walk *w, struct cfi *cfi,
				    const struct cfi_rule *rule, const struct unwind_frame *f,
				    bool is_leaf)
{
	uint64_t sp = w->r.value[w->u->arch->stack], cfa;

	if (rule->cfa == CFA_PLAIN && step_plain(w, rule))
		return STEPPED;
	if (!find_cfa(w, cfi, rule, &cfa)) {
		if (w->missed)
			return UNWIND_TRUNCATED;
		if (unwind_known(&w->r, w->u->arch->frame) || !unwind_find_frame(w, f, is_leaf))
			return step_by_guess(w, is_leaf);
		/* The search has looked up other rules, which invalidates this one. */
		rule = unwind_frame_rule(w->u, f, &cfi);
		if (!find_cfa(w, cfi, rule, &cfa))
			return end_of(w, UNWIND_NO_ROW);
	}
	if (!is_further_up(rule, sp, cfa, is_leaf))
		return UNWIND_LOOP;
	return step(w, cfi, rule, cfa) ? STEPPED : end_of(w, UNWIND_NO_ROW);
}

bool unwind_step(struct unwind_walk *w, const struct cfi *cfi, const struct cfi_rule *rule,
		 bool is_leaf)
{
	uint64_t sp = w->r.value[w->u->arch->stack], cfa;

	return find_cfa(w, cfi, rule, &cfa) && is_further_up(rule, sp, cfa, is_leaf) &&
	       step(w, cfi, rule, cfa);
}

/*
 * Is the return address planted, that is, not after a call?  makecontext() and others store the
 * address of a function on a new stack, for its first function to return to: that is a root.  It
 * has a row; or, as for boost's make_fcontext(), a row led to it, and by its code it never returns.
 */
static bool is_planted(struct unwind_walk *w, const struct unwind_frame *f)
{
	const struct unwind_map *map = unwind_map(w->u, f->pc);
	uint64_t place, start;
	struct cfi *cfi;

	if (!f->is_return || !map || !map->cfi)
		return false;
	place = f->pc - map->begin + map->offset;
	if (unwind_rule(w->u, f->pc, &cfi)->cfa == CFA_NONE &&
	    (!w->told || !w->u->arch->reads_code || cfi_find_by_code(map->cfi, place, 0, &start)))
		return false;
	return !cfi_is_returned_to(map->cfi, place, 0);
}

/* Is this a new thread that has not yet left the function that called clone()? */
static bool is_birth(struct unwind_walk *w, const struct unwind_frame *f)
{
	enum { RAX = 0 };
	const struct unwind_map *map = unwind_map(w->u, f->pc);

	return w->u->arch->reads_code && unwind_known(&w->r, RAX) && !w->r.value[RAX] && map &&
	       map->cfi && cfi_is_birth(map->cfi, f->pc - map->begin + map->offset);
}

/* One step without a row: by the code, or else by the frame pointer. */
static enum unwind_end step_without_rule(struct unwind_walk *w, const struct unwind_frame *f,
					 bool is_leaf, bool *is_signal)
{
	*is_signal = false;
	if (is_planted(w, f) || (is_leaf && is_birth(w, f)))
		return UNWIND_ROOT;
	if (unwind_by_code(w, f, is_leaf, is_signal)) {
		w->linked = false;
		return STEPPED;
	}
	return w->missed ? end_of(w, UNWIND_TRUNCATED) : step_by_guess(w, is_leaf);
}

/* From a frame to its caller: STEPPED, with *f the caller, or how unwinding ends. */
static enum unwind_end next_frame(struct unwind_walk *w, struct unwind_frame *f, bool is_leaf)
{
	struct cfi *cfi;
	const struct cfi_rule *rule = unwind_frame_rule(w->u, f, &cfi);
	bool is_signal = rule->is_signal, told = rule->cfa != CFA_NONE && w->u->arch->has_tables;
	enum unwind_end end;

	if (rule->cfa == CFA_ROOT)
		return UNWIND_ROOT;
	if (rule->cfa == CFA_EDGE)
		return unwind_edge(rule) == EDGE_TOP ? UNWIND_ROOT : UNWIND_EDGE;
	if (!told)
		end = step_without_rule(w, f, is_leaf, &is_signal);
	else
		end = step_by_rule(w, cfi, rule, f, is_leaf);
	w->linked &= !told;
	w->told = told;
	if (end != STEPPED)
		return end;
	f->pc = w->r.value[PC_REGISTER];
	f->is_return = !is_signal;
	if (!f->pc)
		return UNWIND_ROOT;
	return unwind_map(w->u, f->pc - f->is_return) ? end : UNWIND_BAD_PC;
}

bool unwind_next(struct unwind_walk *w, struct unwind_frame *f, enum unwind_end *end)
{
	*end = next_frame(w, f, false);
	return *end == STEPPED;
}

/* The ranges of the stack that unwinding has proved: struct unwind_trail */

static void trail_begin(struct unwind_trail *t, uint64_t at)
{
	t->piece[0] = (struct unwind_piece){ .low = at, .high = at };
	t->nr = 1;
}

/* Adds a piece above a large frame.  If the limit is reached, drops the one nearest to the leaf. */
static void trail_add(struct unwind_trail *t, struct unwind_piece piece)
{
	if (t->nr == UNWIND_PIECES)
		memmove(t->piece, t->piece + 1, --t->nr * sizeof(*t->piece));
	t->piece[t->nr++] = piece;
}

/* Is the CFA relative to the stack pointer?  Then the frame is on the same stack as its callee. */
static bool is_by_stack_pointer(const struct unwind_arch *arch, const struct cfi_rule *rule)
{
	return (rule->cfa == CFA_PLAIN || rule->cfa == CFA_REGISTER) && rule->base == arch->stack;
}

/*
 * Records a step over a large frame or to another stack: `to` is the stack pointer of the caller.
 * (Other steps extend the last piece, whose end is only set when it is complete.)
 */
static void trail_leap(struct unwinder *u, const struct unwind_frame *frame, uint64_t from,
		       uint64_t to, bool is_return)
{
	struct unwind_trail *t = &u->trail;
	struct cfi *cfi;

	t->piece[t->nr - 1].high = from;
	if (is_return && to > from &&
	    is_by_stack_pointer(u->arch, unwind_frame_rule(u, frame, &cfi)))
		trail_add(t, (struct unwind_piece){ .low = to - u->arch->word, .high = to });
	else
		trail_begin(t, to);
}

/* Ends the last piece.  The end of the last frame is known even if the copy ends inside it. */
static void trail_end(struct unwind_walk *w, const struct unwind_frame *frame)
{
	struct unwind_trail *t = &w->u->trail;
	uint64_t from = w->r.value[w->u->arch->stack], to;
	struct cfi *cfi;
	const struct cfi_rule *rule = unwind_frame_rule(w->u, frame, &cfi);

	t->piece[t->nr - 1].high = from;
	if (rule->cfa == CFA_ROOT || !w->u->arch->has_tables || rule->is_signal ||
	    !find_cfa(w, cfi, rule, &to) || to < from)
		return;
	if (to - from <= UNWIND_FRAME_SMALL)
		t->piece[t->nr - 1].high = to;
	else if (is_by_stack_pointer(w->u->arch, rule))
		trail_leap(w->u, frame, from, to, true);
}

/* Does the row of the frame say that it has no caller?  A frame pointer of 0 does not prove that. */
static bool is_proved_root(struct unwinder *u, const struct unwind_frame *frame)
{
	struct cfi *cfi;

	return frame->is_return && unwind_frame_rule(u, frame, &cfi)->cfa == CFA_ROOT;
}

/* Is the frame at which unwinding ended certainly on the stack of a goroutine? */
static bool is_on_goroutine(struct unwinder *u, const struct unwind_frame *frame,
			    const struct unwind_map *map)
{
	struct cfi *cfi;
	const struct cfi_rule *rule = unwind_frame_rule(u, frame, &cfi);

	if (rule->cfa == CFA_EDGE)
		return rule->base & EDGE_GOROUTINE;
	return cfi_is_goroutine(map->cfi, frame->pc - frame->is_return - map->begin + map->offset);
}

/*
 * The root of a stack whose unwinding ended at its edge, or at the end of its copy; 0: unknown.  It
 * is certain for a goroutine's stack: whatever calls are on it, the first of them returns to
 * goexit.
 */
static uint64_t root_beyond(struct unwinder *u, const struct unwind_frame *frame)
{
	const struct unwind_map *map = unwind_map(u, frame->pc - frame->is_return);

	if (!map || !map->cfi || !map->cfi->goexit || !is_on_goroutine(u, frame, map))
		return 0;
	return map->cfi->goexit - map->offset < map->end - map->begin
		       ? map->begin + map->cfi->goexit - map->offset
		       : 0;
}

enum unwind_end unwind(struct unwinder *u, const struct unwind_registers *start,
		       const struct unwind_stack *stack, struct unwind_frame *frame, size_t max,
		       size_t *nr)
{
	struct unwind_walk w = { .u = u, .stack = stack, .start = start, .r = *start };
	struct unwind_frame f = { .pc = start->value[PC_REGISTER] };
	enum unwind_end end = STEPPED;

	*nr = 0;
	u->need = 0;
	u->root = 0;
	u->trail.nr = 0;
	if (!unwind_known(start, PC_REGISTER) || !unwind_known(start, u->arch->stack))
		return UNWIND_BAD_PC;
	trail_begin(&u->trail, start->value[u->arch->stack]);
	while (*nr < max && end == STEPPED) {
		uint64_t sp = w.r.value[u->arch->stack];

		frame[(*nr)++] = f;
		end = next_frame(&w, &f, *nr == 1);
		if (w.r.value[u->arch->stack] - sp > UNWIND_FRAME_SMALL || !f.is_return)
			trail_leap(u, &frame[*nr - 1], sp, w.r.value[u->arch->stack], f.is_return);
	}
	if (end == UNWIND_TRUNCATED || (end == UNWIND_ROOT && is_proved_root(u, &frame[*nr - 1])))
		trail_end(&w, &frame[*nr - 1]);
	else
		u->trail.nr = 0;
	if (end == UNWIND_TRUNCATED || end == UNWIND_NO_COPY || end == UNWIND_EDGE) {
		end = unwind_splice(&w, end, frame, max, nr);
		/* The kernel's chain has no stack addresses: nothing is proved about its frames. */
		if (end != UNWIND_TRUNCATED)
			u->trail.nr = 0;
	}
	u->need = w.r.value[u->arch->stack] - start->value[u->arch->stack];
	if (end == UNWIND_EDGE || end == UNWIND_TRUNCATED)
		u->root = root_beyond(u, &frame[*nr - 1]);
	if (u->root)
		u->trail.nr = 0;
	return end;
}
