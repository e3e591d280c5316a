#include "symbol/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>

enum {
	MANGLED_MAX = 64 * 1024,
	/* A short name can come to a text without end: past this, it stays as it is. */
	PLAIN_MAX = 64 * 1024,
};

struct plain {
	struct strbuf *out;
	size_t begin;
	jmp_buf too_long;
};

/* The demanglers keep nothing on the heap while they print, so they can be left at any time. */
static void add(const char *text, size_t size, void *arg)
{
	struct plain *p = arg;

	if (p->out->size - p->begin + size > PLAIN_MAX)
		longjmp(p->too_long, 1);
	strbuf_add(p->out, (struct span){ .at = text, .size = size });
}

static bool try(struct plain *p, const char *name)
{
	if (setjmp(p->too_long))
		return false;
	if (!strncmp(name, "_R", 2) || !strncmp(name, "_ZN", 3))
		if (rust_demangle_callback(name, DMGL_NO_OPTS, add, p))
			return true;
	p->out->size = p->begin;
	if (!strncmp(name, "_Z", 2) || !strncmp(name, "___Z", 4))
		return cplus_demangle_v3_callback(name, DMGL_NO_OPTS, add, p);
	return false;
}

static void add_plain(struct strbuf *out, const char *name)
{
	struct plain p = { .out = out, .begin = out->size };

	/* Before any name of these schemes there is an underscore. */
	if (name[0] == '_' && strlen(name) < MANGLED_MAX && try(&p, name) && out->size > p.begin)
		return;
	out->size = p.begin;
	strbuf_add(out, span_of(name));
}

void demangle(struct strbuf *out, const char *name)
{
	struct span whole = span_of(name), stub = SPAN("@plt");
	char *mangled;

	/* A stub is called like what it calls, and says so behind the name. */
	if (name[0] != '_' || !span_ends(whole, stub.at)) {
		add_plain(out, name);
		return;
	}
	mangled = strndup(name, whole.size - stub.size);
	add_plain(out, mangled ? mangled : name);
	free(mangled);
	strbuf_add(out, stub);
}
