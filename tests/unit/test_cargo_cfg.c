/* Which conditions of cargo's files hold. */
#include "base/alloc.h"
#include "cargo/cargo.h"
#include "tap.h"

static const struct span facts = SPAN("panic=\"unwind\"\n"
				      "target_arch=\"x86_64\"\n"
				      "target_feature=\"sse\"\n"
				      "target_feature=\"sse2\"\n"
				      "target_os=\"linux\"\n"
				      "unix\n");

static const struct {
	const char *condition;
	bool holds;
} cases[] = {
	{ "cfg(unix)", true },
	{ "cfg(windows)", false },
	{ "cfg(uni)", false },
	{ "cfg( unix )", true },
	{ "cfg(target_os)", false },
	{ "cfg(unix = \"unix\")", false },
	{ "cfg(target_os = \"linux\")", true },
	{ "cfg(target_os=\"linu\")", false },
	{ "cfg(target_feature = \"sse2\")", true },
	{ "cfg(target_feature = \"avx\")", false },
	{ "cfg(all(unix, target_arch = \"x86_64\"))", true },
	{ "cfg(all(unix, target_arch = \"arm\"))", false },
	{ "cfg(any(windows, target_arch = \"x86_64\",))", true },
	{ "cfg(any(windows, wasm))", false },
	{ "cfg(all())", true },
	{ "cfg(any())", false },
	{ "cfg(not(windows))", true },
	{ "cfg(not(all(unix, not(windows))))", false },
	{ "cfg(true)", true },
	{ "cfg(not(false))", true },
	/* What is none holds nowhere. */
	{ "cfg(not(windows)", false },
	{ "cfg(not())", false },
	{ "cfg(not(windows, wasm))", false },
	{ "cfg(none(windows))", false },
	{ "cfg(not(none(unix)))", false },
	{ "cfg(all(unix unix))", false },
	{ "cfg(not(target_os = linux))", false },
	{ "cfg(not(target_os = \"linux))", false },
	{ "cfg(unix) unix", false },
	{ "cfg()", false },
	{ "cfg", false },
	{ "unix", false },
	{ "", false },
};

static void test_nested(void)
{
	char text[4096] = "cfg(";

	for (int i = 0; i < 500; i++)
		strcat(text, "all(");
	ok(!cargo_cfg_holds(span_of(text), facts),
	   "an unclosed condition of 500 levels does not hold");
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ok(cargo_cfg_holds(span_of(cases[i].condition), facts) == cases[i].holds,
		   cases[i].condition);
	test_nested();
	return done();
}
