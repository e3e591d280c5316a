#include "ingest/stacks.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

void stacks_init(struct stacks *s, struct profile *p, struct dumps *dumps)
{
	*s = (struct stacks){ .p = p, .dumps = dumps };
}

void stacks_release(struct stacks *s)
{
	for (size_t i = 0; i < s->nr_table; i++)
		cfi_free(s->table[i].cfi);
	free(s->table);
	free(s->unwinder);
	free(s->frame);
	free(s->chain);
	*s = (struct stacks){ 0 };
}

static void note_bad_rows(struct profile *p, size_t module, const struct cfi *c)
{
	struct span path = profile_peek(p, p->module[module].path);
	char text[NOTE_TEXT_MAX];
	int n;

	if (!c || !c->nr_bad)
		return;
	n = snprintf(text, sizeof(text), "%.*s: %zu of %zu: %s", (int)path.size, path.at, c->nr_bad,
		     c->nr_read, c->why);
	notes_add(&p->notes, NOTE_BAD_FRAME_INFO, c->nr_bad, 0,
		  (struct span){ text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1 });
}

void stacks_finish(struct stacks *s)
{
	for (size_t i = 0; i < s->nr_table; i++)
		note_bad_rows(s->p, i, s->table[i].cfi);
	/* Unwind rows of dumps are always read with the dump: they matter only if stacks were unwound. */
	for (size_t i = 0; s->unwinder && i < s->dumps->nr; i++)
		note_bad_rows(s->p, s->dumps->dump[i].module.i, s->dumps->dump[i].codes.cfi);
}

void stacks_forget(struct stacks *s)
{
	s->process = NULL;
}

/* Tables */

/* For the vdso, which has no file: wick reads its own if the recorded kernel release is the same. */
static struct span kernel_release(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_info; i++)
		if (span_is(profile_peek(p, p->info[i].key), "kernel"))
			return profile_peek(p, p->info[i].value);
	return SPAN("");
}

static struct cfi *table_of(struct stacks *s, module_id module, uint32_t pid)
{
	const struct module *m = &s->p->module[module.i];

	while (s->nr_table <= module.i) {
		size_t nr = s->p->nr_module;

		s->table = xreallocarray(s->table, nr, sizeof(*s->table));
		memset(s->table + s->nr_table, 0, (nr - s->nr_table) * sizeof(*s->table));
		s->nr_table = nr;
	}
	if (!s->table[module.i].tried && s->image) {
		struct image_opts o = *s->image;
		struct roots roots = { 0 };

		/* In a container, the file is searched for below the root of the first process that maps it. */
		roots_add(&roots, pid);
		o.roots = &roots;
		o.kernel_release = kernel_release(s->p);
		s->table[module.i].tried = true;
		s->table[module.i].cfi =
			cfi_open(profile_peek(s->p, m->path), profile_peek(s->p, m->build_id), &o);
	}
	return s->table[module.i].cfi;
}

/* The argument of find(). */
struct lookup {
	struct stacks *s;
	const struct process *process;
};

/* An unwind_find. */
static bool find(void *arg, uint64_t pc, struct unwind_map *map)
{
	const struct lookup *here = arg;
	const struct map *m = process_map(here->process, pc);

	if ((!m || m->kind == FRAME_JIT) && dumps_find(here->s->dumps, here->process, pc, map))
		return true;
	if (!m)
		return false;
	*map = (struct unwind_map){ .begin = m->begin, .end = m->end, .offset = m->offset };
	if (m->kind == FRAME_USER)
		map->cfi = table_of(here->s, m->module, here->process->pid);
	return true;
}

/* Registers */

/* The register mask distinguishes the architectures: bit 32 is pc on arm64, a vector register on x86. */
static const struct unwind_arch *arch_of(const struct attr *a, const struct sample *sample)
{
	enum { ARM64_PC = 32 };

	if (a->regs_user >> ARM64_PC & 1)
		return sample->user_abi == PERF_SAMPLE_REGS_ABI_64 ? &unwind_aarch64 : NULL;
	switch (sample->user_abi) {
	case PERF_SAMPLE_REGS_ABI_64:
		return &unwind_x86_64;
	case PERF_SAMPLE_REGS_ABI_32:
		return &unwind_i386;
	default:
		return NULL;
	}
}

static void load_registers(struct unwind_registers *r, const struct unwind_arch *arch,
			   const struct attr *a, const struct sample *sample)
{
	size_t i = 0;

	*r = (struct unwind_registers){ 0 };
	for (unsigned bit = 0; bit < arch->nr_kernel && i < sample->user_regs.nr; bit++) {
		if (!(a->regs_user >> bit & 1))
			continue;
		if (arch->kernel[bit] != NO_REGISTER)
			unwind_set(r, arch->kernel[bit], word_at(&sample->user_regs, i));
		i++;
	}
}

const struct unwind_arch *stacks_registers(const struct attr *a, const struct sample *sample,
					   struct unwind_registers *r)
{
	const struct unwind_arch *arch = arch_of(a, sample);

	if (arch)
		load_registers(r, arch, a, sample);
	return arch;
}

bool stacks_start(const struct attr *a, const struct sample *sample)
{
	struct unwind_registers r;

	return stacks_registers(a, sample, &r) && unwind_known(&r, PC_REGISTER);
}

/* Takes the user part of the kernel's chain, without the leaf, which is in the registers. */
static void take_chain(struct stacks *s, const struct words *chain)
{
	bool user = false, leaf = false;

	s->nr_chain = 0;
	for (size_t i = 0; i < chain->nr; i++) {
		uint64_t ip = word_at(chain, i);

		if (ip >= PERF_CONTEXT_MAX) {
			user = leaf = ip == PERF_CONTEXT_USER;
			continue;
		}
		if (user && !leaf) {
			GROW(s->chain, s->nr_chain, s->cap_chain);
			s->chain[s->nr_chain++] = ip;
		}
		leaf = false;
	}
}

enum unwind_end stacks_walk(struct stacks *s, const struct process *process, const struct attr *a,
			    const struct sample *sample)
{
	struct lookup here = { .s = s, .process = process };
	struct unwind_stack stack = { .bytes = sample->stack };
	struct unwind_registers r;
	const struct unwind_arch *arch = stacks_registers(a, sample, &r);

	s->nr = 0;
	if (!arch)
		return UNWIND_BAD_PC;
	if (!s->unwinder) {
		s->unwinder = xcalloc(1, sizeof(*s->unwinder));
		s->frame = xcalloc(PROFILE_DEPTH_MAX, sizeof(*s->frame));
	}
	/*
	 * The unwinder's cache is not valid during an exec, when a process has two lists of mappings, nor for
	 * generated code, which changes without a record.
	 */
	if (s->process != process || process->before || process->dump)
		unwind_forget(s->unwinder);
	s->process = process;
	s->unwinder->arch = arch;
	s->unwinder->find = find;
	s->unwinder->arg = &here;
	stack.begin = r.value[arch->stack];
	take_chain(s, &sample->callchain);
	stack.chain = s->chain;
	stack.nr_chain = s->nr_chain;
	return unwind(s->unwinder, &r, &stack, s->frame, PROFILE_DEPTH_MAX, &s->nr);
}
