#include "read/text/names.h"

#include "base/alloc.h"
#include "span_tap.h"

static void test_offsets(void)
{
	static const char *const names[][2] = {
		{ "main+0x12", "main" },
		{ "main+0xffffffff81000000", "main" },
		{ "main", "main" },
		{ "", "" },
		{ "main+0x", "main" },
		{ "main+0x12g", "main+0x12g" },
		{ "main+12", "main+12" },
		{ "operator+", "operator+" },
		{ "operator++0x8", "operator+" },
		{ "f+0x1+0x2", "f+0x1" },
		{ "a+0x1b c", "a+0x1b c" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		is_span(name_without_offset(span_of(names[i][0])), names[i][1],
			*names[i][0] ? names[i][0] : "name_without_offset keeps an empty name");
}

static void test_rust(void)
{
	static const char *const names[][2] = {
		/* The escapes of Rust's own table */
		{ "a$SP$b$BP$c$RF$d::h0123456789abcdef", "a@b*c&d" },
		{ "_$LT$T$GT$::f::h0123456789abcdef", "<T>::f" },
		{ "f$LP$$C$$RP$::h0123456789abcdef", "f(,)" },
		{ "$u7e$$u20$$u27$$u3d$$u5b$$u5d$$u7b$$u7d$::h0123456789abcdef", "~ '=[]{}" },
		{ "$u3b$$u2b$$u21$$u22$::h0123456789abcdef", ";+!\"" },
		{ "core..fmt..Display::h0123456789abcdef", "core::fmt::Display" },
		{ "a.b::h0123456789abcdef", "a.b" },
		{ "_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Deref$GT$::deref::h0123456789abcdef",
		  "<alloc::vec::Vec<T> as core::ops::Deref>::deref" },
		{ "std::rt::lang_start::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef",
		  "std::rt::lang_start::_{{closure}}" },
		/* What nobody knows ends the decoding, not the name */
		{ "a$XX$b$LT$::h0123456789abcdef", "a$XX$b$LT$" },
		{ "a$::h0123456789abcdef", "a$" },
		{ "h0123456789abcdef", "" },
		/* No Rust */
		{ "_$LT$T$GT$::f", "_$LT$T$GT$::f" },
		{ "f::h0123456789abcde", "f::h0123456789abcde" },
		{ "f::h0123456789abcdeg", "f::h0123456789abcdeg" },
		{ "f::g0123456789abcdef", "f::g0123456789abcdef" },
		{ "main", "main" },
		{ "", "" },
	};
	struct strbuf b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		is_span(name_rust(span_of(names[i][0]), &b), names[i][1],
			*names[i][0] ? names[i][0] : "name_rust keeps an empty name");
	strbuf_release(&b);
}

static void test_tidy(void)
{
	static const struct {
		const char *name, *balanced, *first_paren;
	} rows[] = {
		{ "main", "main", "main" },
		{ "", "", "" },
		{ "f(int, char)", "f", "f" },
		{ "std::vector<int (*)(char)>::push_back(int (*)(char))",
		  "std::vector<int (*)(char)>::push_back", "std::vector<int " },
		{ "(anonymous namespace)::f(int)", "(anonymous namespace)::f",
		  "(anonymous namespace)::f" },
		{ "a::(anonymous namespace)::b::(anonymous namespace)::f(int)::g()",
		  "a::(anonymous namespace)::b::(anonymous namespace)::f",
		  "a::(anonymous namespace)::b::(anonymous namespace)::f" },
		{ "net/http.(*Client).Do", "net/http.(*Client).Do", "net/http.(*Client).Do" },
		{ "net/http.(*Client).Do(0x1, 0x2)", "net/http.(*Client).Do",
		  "net/http.(*Client).Do(0x1, 0x2)" },
		{ "main.main.func1", "main.main.func1", "main.main.func1" },
		{ "Lorg/foo/Bar;::method(ILjava/lang/String;)V", "Lorg/foo/Bar:::method",
		  "Lorg/foo/Bar:::method" },
		{ "a;b", "a:b", "a:b" },
		{ "it's \"q\"", "it's \"q\"", "its q" },
		{ "<lambda(int)>::f()", "<lambda(int)>::f", "<lambda" },
		{ "{lambda(int)#1}::f(int)", "{lambda(int)#1}::f", "{lambda" },
		{ "f[abi:cxx11](int)", "f[abi:cxx11]", "f[abi:cxx11]" },
		{ "(", "", "" },
	};
	struct span text = SPAN("a<b>::f(int)");
	struct strbuf b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		is_span(name_tidy(span_of(rows[i].name), TIDY_BALANCED, &b), rows[i].balanced,
			*rows[i].name ? rows[i].name : "name_tidy keeps an empty name");
		is_span(name_tidy(span_of(rows[i].name), TIDY_FIRST_PAREN, &b), rows[i].first_paren,
			"TIDY_FIRST_PAREN shortens a name as the Perl scripts do");
	}
	ok(name_tidy(text, TIDY_BALANCED, &b).at == text.at,
	   "name_tidy returns a part of the name itself if nothing is replaced");
	is_span(name_tidy(SPAN("f(a;b)"), TIDY_NONE, &b), "f(a:b)",
		"TIDY_NONE keeps the parameters and replaces only ;");
	strbuf_release(&b);
}

static void test_java(void)
{
	is_span(name_java(SPAN("Lorg/foo/Bar::m")), "org/foo/Bar::m",
		"name_java drops the L before the path of a class");
	is_span(name_java(SPAN("Lookup")), "Lookup",
		"name_java keeps the L of a name without a path");
	is_span(name_java(SPAN("org/L")), "org/L", "name_java keeps an L in the middle of a name");
	is_span(name_java(SPAN("")), "", "name_java keeps an empty name");
}

int main(void)
{
	test_offsets();
	test_rust();
	test_tidy();
	test_java();
	return done();
}
