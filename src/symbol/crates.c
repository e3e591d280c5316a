#include "symbol/crates.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "profile/crate.h"

#include <stdlib.h>

struct crates {
	struct profile *p;
	bool *is_rust;	      /* by module */
	struct intern own;    /* the crates of programs */
	struct intern theirs; /* all others, in the order of the list */
};

/* Every thread of a Rust program begins in one of these. */
static bool is_runtime(struct span function)
{
	return span_starts(function, "std::rt::lang_start") ||
	       span_contains(function, "__rust_begin_short_backtrace");
}

/* Adds the crate with the name of the file: app, or for a test deps/app-0123456789abcdef. */
static void add_own(struct crates *c, struct span path)
{
	size_t slash = span_rfind(path, '/'), dash;
	struct strbuf name = { 0 };

	path = slash < path.size ? span_from(path, slash + 1) : path;
	dash = span_rfind(path, '-');
	if (path.size - dash == 17)
		path = span_upto(path, dash);
	strbuf_add(&name, path);
	for (size_t i = 0; i < name.size; i++)
		if (name.at[i] == '-')
			name.at[i] = '_';
	intern(&c->own, strbuf_peek(&name));
	strbuf_release(&name);
}

static void find_programs(struct crates *c)
{
	const struct profile *p = c->p;

	for (size_t i = 0; i < p->nr_frame; i++) {
		const struct frame *f = &p->frame[i];

		for (size_t k = 0; k < f->nr_line && !c->is_rust[f->module.i]; k++)
			if (is_runtime(profile_peek(p, f->line[k].function))) {
				c->is_rust[f->module.i] = true;
				add_own(c, profile_peek(p, p->module[f->module.i].path));
			}
	}
}

/* The file may be named differently than its crate, but that crate has main. */
static void add_main(struct crates *c, struct span function)
{
	struct span crate = crate_of(function);

	if (crate.size && span_is(span_from(function, crate.size), "::main"))
		intern(&c->own, crate);
}

static void add_crate(struct crates *c, struct span function)
{
	struct span crate = crate_of(function);

	if (crate.size && c->theirs.nr < CRATES_MAX &&
	    intern_find(&c->own, crate, intern_hash(crate)) == INTERN_NONE)
		intern(&c->theirs, crate);
}

static void each_function(struct crates *c, void (*add)(struct crates *c, struct span function))
{
	const struct profile *p = c->p;

	for (size_t i = 0; i < p->nr_frame; i++) {
		const struct frame *f = &p->frame[i];

		for (size_t k = 0; k < f->nr_line && c->is_rust[f->module.i]; k++)
			add(c, profile_peek(p, f->line[k].function));
	}
}

static void write_list(struct crates *c)
{
	struct strbuf list = { 0 };

	for (uint32_t i = 0; i < c->theirs.nr; i++) {
		if (i)
			strbuf_addch(&list, ' ');
		strbuf_add(&list, intern_peek(&c->theirs, i));
	}
	profile_inform(c->p, SPAN("crates"), strbuf_peek(&list));
	strbuf_release(&list);
}

void crates_find(struct profile *p)
{
	static const char *const compiler[] = { "std", "core", "alloc" };
	struct crates c = { .p = p, .is_rust = xcalloc(p->nr_module, sizeof(*c.is_rust)) };

	find_programs(&c);
	if (c.own.nr) {
		for (size_t i = 0; i < ARRAY_SIZE(compiler); i++)
			intern(&c.theirs, span_of(compiler[i]));
		each_function(&c, add_main);
		each_function(&c, add_crate);
		write_list(&c);
	}
	free(c.is_rust);
	intern_release(&c.own);
	intern_release(&c.theirs);
}
