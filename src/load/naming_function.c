/* Finds a function by its symbol, or by its demangled name (C++, Rust, D). */
#include "base/alloc.h"
#include "load/naming.h"
#include "symbol/demangle.h"

enum { SAME_MAX = 16 };

struct search {
	struct span name;
	uint64_t offset[SAME_MAX]; /* of the functions with that name, as overloads have the same */
	size_t nr;
	struct strbuf symbols;	     /* their symbols, for the error message */
	struct strbuf symbol, plain; /* buffers */
};

static bool has(const struct search *s, uint64_t offset)
{
	for (size_t i = 0; i < s->nr; i++)
		if (s->offset[i] == offset)
			return true;
	return false;
}

/* An image_function_visit. */
static bool visit(void *arg, struct span symbol, uint64_t offset)
{
	struct search *s = arg;

	/* An exact match with the symbol wins. */
	if (span_eq(symbol, s->name)) {
		s->offset[0] = offset;
		s->nr = 1;
		return true;
	}
	/* A symbol that is not mangled has no other name. */
	if (!span_starts(symbol, "_") || s->nr == SAME_MAX)
		return false;
	strbuf_reset(&s->symbol);
	strbuf_add(&s->symbol, symbol);
	strbuf_reset(&s->plain);
	demangle(&s->plain, s->symbol.at);
	if (!span_eq(strbuf_peek(&s->plain), s->name) || has(s, offset))
		return false;
	s->offset[s->nr++] = offset;
	strbuf_addf(&s->symbols, "%s%.*s", s->symbols.size ? ", " : "", (int)symbol.size,
		    symbol.at);
	return false;
}

static int report_not_one(const struct search *s, struct span path, struct error *e)
{
	if (s->nr > 1) {
		error_set(e, ERROR_INPUT, "%.*s: function '%.*s' is ambiguous", (int)path.size,
			  path.at, (int)s->name.size, s->name.at);
		return error_hint(e, "use one of these symbols: %s", s->symbols.at);
	}
	error_set(e, ERROR_INPUT, "%.*s: no function '%.*s'", (int)path.size, path.at,
		  (int)s->name.size, s->name.at);
	return error_hint(e, "`wick doctor %.*s` checks whether it has symbols", (int)path.size,
			  path.at);
}

int naming_find_function(struct span path, struct span function, uint64_t *offset, struct error *e)
{
	struct search s = { .name = function };
	struct naming_files files;
	int ret = 0;

	naming_files_init(&files, &(struct naming){ 0 });
	image_functions_each(path, &files.image, visit, &s);
	naming_files_release(&files);
	if (s.nr == 1)
		*offset = s.offset[0];
	else
		ret = report_not_one(&s, path, e);
	strbuf_release(&s.symbols);
	strbuf_release(&s.symbol);
	strbuf_release(&s.plain);
	return ret;
}
