#include "symbol/closures.h"

#include "base/alloc.h"
#include "symbol/demangle.h"
#include "tap.h"

static const struct {
	const char *linker, *compiler, *want;
} cases[] = {
	{ "a::f::{closure}", "{async_fn#0}", "a::f" },
	{ "a::f::{closure}", "{async_block#0}", "a::f::{async block}" },
	{ "a::f::{closure#1}", "{async_block#1}", "a::f::{async block#1}" },
	{ "a::f::{closure}", "{closure#3}", "a::f::{closure#3}" },
	{ "a::f::{closure}", "a::f::{closure#0}", "a::f::{closure}" },
	{ "a::f::{closure}::{closure}", "a::f::{async_fn#0}::{async_block#0}",
	  "a::f::{async block}" },
	{ "a::f::{closure}::{closure}", "a::f::{async_fn#0}::{closure#1}", "a::f::{closure#1}" },
	{ "a::f::{closure}::{closure}", "{closure#1}", "a::f::{closure}::{closure#1}" },
	{ "<a::S as b::T>::f::{closure}", "a::{impl#0}::f::{async_fn#0}", "<a::S as b::T>::f" },
	{ "<a::S as b::T>::f::{closure}", "{impl#0}::{async_fn#0}", "<a::S as b::T>::f" },
	/* What does not fit is left alone. */
	{ "a::f", "{async_fn#0}", "a::f" },
	{ "{closure}", "{async_fn#0}", "{closure}" },
	{ "a::f::{closure}", "", "a::f::{closure}" },
	{ "a::f::{closure}", "}{", "a::f::{closure}" },
	{ "a::f::{closure}", "{", "a::f::{closure}" },
	{ "a::f::{closure}", "{}", "a::f::{}" },
	{ "f{closure}", "{async_fn#0}", "f{closure}" },
	{ "", "{async_fn#0}", "" },
};

static const struct {
	const char *mangled, *want;
} mangled[] = {
	{ "_ZN1a1f28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "a::f::{closure}" },
	{ "_RNCNvCs1_1a1f0", "a::f::{closure}" },
	{ "_RNCNvCs1_1a1fs_0", "a::f::{closure#1}" },
	{ "_RNCNCNvCs1_1a1f00", "a::f::{closure}::{closure}" },
	{ "{{closure}}", "{{closure}}" },
};

int main(void)
{
	struct strbuf name = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		strbuf_reset(&name);
		strbuf_add(&name, SPAN("before "));
		strbuf_add(&name, span_of(cases[i].linker));
		closures_number(&name, strlen("before "), span_of(cases[i].compiler));
		is_str(name.at + strlen("before "), cases[i].want, cases[i].compiler);
	}
	for (size_t i = 0; i < ARRAY_SIZE(mangled); i++) {
		strbuf_reset(&name);
		demangle(&name, mangled[i].mangled);
		is_str(name.at, mangled[i].want, mangled[i].mangled);
	}
	strbuf_release(&name);
	return done();
}
