#include "fold/apart.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <math.h>
#include <stdlib.h>

#define SUFFIX ": interrupts"

enum part {
	PART_OTHER,
	PART_INTERRUPT, /* with all its callees */
	PART_RESCHED,	/* a preemption, with all its callees */
	PART_EXIT,	/* the return to user mode, where the program is preempted … */
	PART_SCHEDULE,	/* … if it calls this; elsewhere, this means that the program waits */
	PART_UNKNOWN,	/* the name was not looked up yet */
};

/*
 * Functions of Linux, without suffixes of compilers (.isra.0).  Softirqs are not listed: those in a system call are
 * the program's own network traffic, all others are called by an interrupt.
 */
static const struct {
	const char *name;
	bool is_prefix;
	enum part part;
} functions[] = {
	/* x86; before Linux 5.8 without asm_ */
	{ "asm_sysvec_", true, PART_INTERRUPT },
	{ "sysvec_", true, PART_INTERRUPT },
	{ "asm_common_interrupt", false, PART_INTERRUPT },
	{ "asm_spurious_interrupt", false, PART_INTERRUPT },
	{ "common_interrupt", false, PART_INTERRUPT },
	{ "asm_exc_nmi", false, PART_INTERRUPT },
	{ "end_repeat_nmi", false, PART_INTERRUPT },
	{ "apic_timer_interrupt", false, PART_INTERRUPT },
	{ "smp_apic_timer_interrupt", false, PART_INTERRUPT },
	{ "reschedule_interrupt", false, PART_INTERRUPT },
	{ "call_function_interrupt", false, PART_INTERRUPT },
	{ "call_function_single_interrupt", false, PART_INTERRUPT },
	{ "ret_from_intr", false, PART_INTERRUPT },
	{ "retint_user", false, PART_INTERRUPT },
	{ "do_IRQ", false, PART_INTERRUPT },
	{ "interrupt_entry", false, PART_INTERRUPT },
	/* arm64 */
	{ "el0_irq", false, PART_INTERRUPT },
	{ "el1_irq", false, PART_INTERRUPT },
	{ "el0_interrupt", false, PART_INTERRUPT },
	{ "el1_interrupt", false, PART_INTERRUPT },
	{ "el0t_64_irq", true, PART_INTERRUPT },
	{ "el0t_32_irq", true, PART_INTERRUPT },
	{ "el1h_64_irq", true, PART_INTERRUPT },
	{ "gic_handle_irq", false, PART_INTERRUPT },
	/* others */
	{ "do_irq", false, PART_INTERRUPT },
	{ "generic_handle_arch_irq", false, PART_INTERRUPT },
	{ "irq_exit_rcu", false, PART_INTERRUPT },
	{ "irq_exit", false, PART_INTERRUPT },
	/* The end of an interrupt or a fault: all work here was caused by other processes. */
	{ "irqentry_exit_to_user_mode", false, PART_RESCHED },
	{ "irqentry_exit_cond_resched", false, PART_RESCHED },
	{ "raw_irqentry_exit_cond_resched", false, PART_RESCHED },
	{ "preempt_schedule", true, PART_RESCHED },
	{ "__cond_resched", true, PART_RESCHED },
	{ "_cond_resched", false, PART_RESCHED },
	{ "dynamic_cond_resched", false, PART_RESCHED },
	{ "exit_to_user_mode_loop", false, PART_EXIT },
	{ "exit_to_user_mode_prepare", false, PART_EXIT },
	{ "exit_to_usermode_loop", false, PART_EXIT },
	{ "prepare_exit_to_usermode", false, PART_EXIT },
	{ "syscall_exit_to_user_mode", false, PART_EXIT },
	{ "syscall_return_slowpath", false, PART_EXIT },
	{ "do_syscall_64", false, PART_EXIT },
	{ "do_notify_resume", false, PART_EXIT },
	{ "el0_svc", false, PART_EXIT },
	{ "schedule", false, PART_SCHEDULE },
	{ "__schedule", false, PART_SCHEDULE },
};

static enum part find_part(struct span name)
{
	struct span whole = span_upto(name, span_find(name, '.'));

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (functions[i].is_prefix ? span_starts(whole, functions[i].name)
					   : span_is(whole, functions[i].name))
			return functions[i].part;
	return PART_OTHER;
}

/* Text without marks does not distinguish kernel frames; it has no modules either. */
static bool may_be_kernel(const struct frame *f)
{
	return f->kind == FRAME_KERNEL || (f->kind == FRAME_USER && !f->module.i && !f->address);
}

/*
 * The part of a frame, by its names (including inlined calls) and the part of its caller.  named: a cache by
 * string.
 */
static enum part part_of(const struct profile *p, const struct frame *f, enum part caller,
			 uint8_t *named)
{
	if (caller == PART_INTERRUPT || caller == PART_RESCHED)
		return caller;
	if (!may_be_kernel(f) || !f->nr_line)
		return PART_OTHER;
	for (size_t i = f->nr_line; i-- > 0;) {
		str_id name = f->line[i].function;
		enum part part = (enum part)named[name.i];

		if (part == PART_UNKNOWN)
			named[name.i] = (uint8_t)(part = find_part(profile_peek(p, name)));
		if (part == PART_SCHEDULE && caller == PART_EXIT)
			part = PART_RESCHED;
		if (part == PART_INTERRUPT || part == PART_RESCHED)
			return part;
		caller = part;
	}
	return caller;
}

/* By stack: were its samples taken in an interrupt or a preemption? */
static bool *find_apart(const struct profile *p)
{
	enum part *part = xcalloc(p->nr_stack, sizeof(*part));
	bool *apart = xcalloc(p->nr_stack, sizeof(*apart));
	uint8_t *named = xmalloc(p->strings.nr);

	memset(named, PART_UNKNOWN, p->strings.nr);
	for (size_t i = 1; i < p->nr_stack; i++) {
		part[i] = part_of(p, &p->frame[p->stack[i].frame.i], part[p->stack[i].caller.i],
				  named);
		apart[i] = part[i] == PART_INTERRUPT || part[i] == PART_RESCHED;
	}
	free(named);
	free(part);
	return apart;
}

static uint32_t event_apart(struct profile *p, uint32_t event)
{
	struct strbuf name = { 0 };
	struct event own = p->event[event];
	uint32_t apart;

	strbuf_add(&name, profile_peek(p, own.name));
	strbuf_add(&name, SPAN(SUFFIX));
	apart = profile_event(p, strbuf_peek(&name), SPAN("samples"));
	strbuf_release(&name);
	own.name = p->event[apart].name;
	p->event[apart] = own;
	return apart;
}

void apart_split(struct profile *p, enum change_basis basis, double *amount)
{
	bool *apart = find_apart(p);
	size_t nr_event = p->nr_event;
	uint32_t *as = xcalloc(nr_event, sizeof(*as));
	bool any = false;

	for (size_t i = 0; i < nr_event; i++)
		amount[i] = 0;
	for (size_t i = 0; i < p->nr_count; i++) {
		struct count *c = &p->count[i];

		if (!apart[c->stack.i])
			continue;
		if (!as[c->event])
			as[c->event] = event_apart(p, c->event);
		amount[c->event] += basis == BASIS_SAMPLES
					    ? (double)c->nr
					    : (double)c->weight * pow(10, p->event[c->event].scale);
		c->event = as[c->event];
		any = true;
	}
	/* The index of counts is by event, too. */
	if (any)
		profile_recount(p, &(struct recount){ 0 });
	free(as);
	free(apart);
}

void apart_join(struct profile *p)
{
	bool any = false;

	for (size_t i = 0; i < p->nr_count; i++) {
		struct span name = profile_peek(p, p->event[p->count[i].event].name);

		for (uint32_t k = 0; k < p->nr_event && span_ends(name, SUFFIX); k++)
			if (span_eq(profile_peek(p, p->event[k].name),
				    span_upto(name, name.size - strlen(SUFFIX)))) {
				p->count[i].event = k;
				any = true;
			}
	}
	if (any)
		profile_recount(p, &(struct recount){ 0 });
}
