#include "symbol/demangle.h"

#include "symbol/closures.h"
#include "symbol/encoded.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>

enum {
	MANGLED_MAX = 64 * 1024,
	/* Back references can expand a short name to a huge text: then it stays mangled. */
	PLAIN_MAX = 64 * 1024,
};

struct plain {
	struct strbuf *out;
	size_t begin;
	jmp_buf too_long;
};

/* libiberty has nothing on the heap while it calls this, so longjmp() leaks nothing. */
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
		if (rust_demangle_callback(name, DMGL_NO_OPTS, add, p)) {
			closures_tidy(p->out, p->begin);
			return true;
		}
	p->out->size = p->begin;
	if (!strncmp(name, "_Z", 2) || !strncmp(name, "___Z", 4))
		return cplus_demangle_v3_callback(name, DMGL_NO_OPTS, add, p);
	return false;
}

/*
 * D.  Its names have back references, too, but libiberty has no callback for them: it would build
 * the whole text, and recurse as deep as the name is long.  So the size is estimated first.
 */
enum {
	D_NAME_MAX = 4096,
	D_EXPANDED_MAX = 16 * 1024 * 1024,
	D_LETTER_MAX = 16, /* maximum expansion of one letter of the name: bytes */
};

/* The distance of a back reference, Q: base 26, the last digit in lower case.  0: malformed. */
static size_t distance_back(const char *q)
{
	size_t back = 0;

	for (q++; *q >= 'A' && *q <= 'Z' && back < D_NAME_MAX; q++)
		back = back * 26 + (size_t)(*q - 'A');
	return *q >= 'a' && *q <= 'z' ? back * 26 + (size_t)(*q - 'a') : 0;
}

/*
 * Is the text short enough?  A back reference repeats at most everything from its target to itself.
 */
static bool is_bounded(const char *name, size_t size)
{
	uint32_t text[D_NAME_MAX + 1] = { 0 };

	for (size_t i = 0; i < size; i++) {
		size_t back = name[i] == 'Q' ? distance_back(&name[i]) : 0;

		text[i + 1] = text[i] + D_LETTER_MAX;
		if (!back || back > i)
			continue;
		/*
		 * It refers to a word, which begins with its length, or to a type, which may have
		 * back references, too.
		 */
		text[i + 1] += is_digit(name[i - back]) ? (uint32_t)size : text[i] - text[i - back];
		if (text[i + 1] > D_EXPANDED_MAX)
			return false;
	}
	return true;
}

/*
 * Removes the parameters and the attributes after them, but not !(…), which are template arguments.
 */
static struct span without_parameters(struct span plain)
{
	size_t end = span_rfind(plain, ')'), depth = 0;

	if (end == plain.size)
		return plain;
	for (size_t i = end + 1; i-- > 0;) {
		depth += plain.at[i] == ')';
		if (plain.at[i] == '(' && !--depth)
			return i && plain.at[i - 1] == '!' ? plain : span_upto(plain, i);
	}
	return plain;
}

static bool try_d(struct plain *p, const char *name)
{
	/* A dot begins a suffix of the optimizer: .part.0, .constprop.1 */
	size_t size = strcspn(name, ".");
	char *mangled, *text;
	struct span plain;

	if (size > D_NAME_MAX || !is_bounded(name, size))
		return false;
	mangled = strndup(name, size);
	text = mangled ? dlang_demangle(mangled, DMGL_NO_OPTS) : NULL;
	free(mangled);
	if (!text)
		return false;
	plain = without_parameters(span_of(text));
	strbuf_add(p->out, span_upto(plain, PLAIN_MAX));
	free(text);
	return true;
}

static void add_plain(struct strbuf *out, const char *name)
{
	struct plain p = { .out = out, .begin = out->size };

	/* All these schemes begin with an underscore, which excludes most C names. */
	if (name[0] == '_' && strlen(name) < MANGLED_MAX && try(&p, name) && out->size > p.begin)
		return;
	out->size = p.begin;
	if (!strncmp(name, "_D", 2) && try_d(&p, name))
		return;
	out->size = p.begin;
	if (strlen(name) >= MANGLED_MAX || !encoded_name(out, span_of(name)))
		strbuf_add(out, span_of(name));
}

void demangle(struct strbuf *out, const char *name)
{
	struct span whole = span_of(name), stub = SPAN("@plt");
	char *mangled;

	/* _Zmain@plt: the suffix is not part of the mangled name. */
	if (name[0] != '_' || !span_ends(whole, stub.at)) {
		add_plain(out, name);
		return;
	}
	mangled = strndup(name, whole.size - stub.size);
	add_plain(out, mangled ? mangled : name);
	free(mangled);
	strbuf_add(out, stub);
}
