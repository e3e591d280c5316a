#include "symbol/crates.h"

#include "base/alloc.h"
#include "profile/crate.h"
#include "span_tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct profile *p, const char *name, const char *module)
{
	struct line line = { .function = profile_string(p, span_of(name)) };
	struct frame f = { .module = profile_module(p, span_of(module), SPAN("")),
			   .line = &line,
			   .nr_line = 1 };

	profile_frame(p, &f);
}

/* The list that comes of a program with these functions; "": none. */
static void check(const char *const *functions, size_t nr, const char *module, const char *want,
		  const char *what)
{
	struct span got = SPAN("");
	struct profile p;

	profile_init(&p);
	for (size_t i = 0; i < nr; i++)
		add(&p, functions[i], module);
	add(&p, "other::library", "/lib/libother.so");
	crates_find(&p);
	for (size_t i = 0; i < p.nr_info; i++)
		if (span_is(profile_peek(&p, p.info[i].key), "crates"))
			got = profile_peek(&p, p.info[i].value);
	is_span(got, want, what);
	profile_release(&p);
}

/* The cases that the page is held to as well. */
static void check_names(void)
{
	FILE *f = fopen(TESTS_DIR "/color/crates.tsv", "re");
	char line[512];

	if (!ok(f, "tests/color/crates.tsv can be opened"))
		return;
	while (fgets(line, sizeof(line), f)) {
		struct span row, name;

		line[strcspn(line, "\n")] = '\0';
		row = span_of(line);
		name = span_upto(row, span_find(row, '\t'));
		if (row.at[0] != '#')
			is_span(crate_of(name), line + name.size + 1, line);
	}
	fclose(f);
}

int main(void)
{
	static const char *const program[] = { "std::rt::lang_start_internal",
					       "my_app::run",
					       "<serde::de::X<T> as core::fmt::Debug>::fmt",
					       "tokio::runtime::enter",
					       "serde::de::y",
					       "memcpy",
					       "<T as core::X>::f" };
	static const char *const thread[] = { "std::sys::backtrace::__rust_begin_short_backtrace",
					      "lib::work", "app::main", "x::y::main" };
	static const char *const other[] = { "std::vector<int>::push_back", "ns::f", "main" };

	check(program, ARRAY_SIZE(program), "/target/release/my-app", "std core alloc serde tokio",
	      "crates of a Rust program are listed without its own");
	check(program, ARRAY_SIZE(program), "/target/deps/my_app-0123456789abcdef",
	      "std core alloc serde tokio",
	      "the own crate of a file with a hash in its name is not listed");
	check(thread, ARRAY_SIZE(thread), "/bin/renamed", "std core alloc lib x",
	      "the own crate of a renamed program is that of its main()");
	check(other, ARRAY_SIZE(other), "/bin/app", "", "a C++ program has no crates");
	check_names();
	return done();
}
