/* Names by address. */
#include "image/elf/symtab.h"

#include "symbol/demangle.h"
#include "tap.h"

static const char *name_at(const struct symtab *t, uint64_t address)
{
	const struct symbol *s = symtab_find(t, address);

	return s ? s->name : NULL;
}

static void test_lookup(void)
{
	static const struct symbol symbols[] = {
		{ .begin = 100, .end = 200, .name = "outer" },
		{ .begin = 120, .end = 130, .name = "inner" },
		{ .begin = 140, .end = 140, .name = "label inside" },
		{ .begin = 300, .end = 300, .name = "label" },
		{ .begin = 310, .end = 320, .name = "next" },
		{ .begin = 330, .end = 340, .at_most = true, .name = "end of a section" },
		{ .begin = 350, .end = 390, .at_most = true, .name = "long section" },
		{ .begin = 360, .end = 365, .name = "in it" },
		{ .begin = 400, .end = 400, .name = "last" },
	};
	struct symtab t = { 0 };

	for (size_t i = sizeof(symbols) / sizeof(*symbols); i; i--)
		symtab_add(&t, &symbols[i - 1]);
	symtab_finish(&t, EQUAL_BEST);
	is_str(name_at(&t, 100), "outer", "a symbol has its first byte");
	is_str(name_at(&t, 125), "inner", "a symbol inside another one has its own bytes");
	is_str(name_at(&t, 150), "outer", "a symbol continues after another one inside it");
	ok(!name_at(&t, 200) && !name_at(&t, 99),
	   "an address before or behind a symbol has no name");
	is_str(name_at(&t, 309), "label", "a symbol without a size ends at the next one");
	is_str(name_at(&t, 335), "end of a section",
	       "a symbol without a size ends at the end of its section");
	ok(!name_at(&t, 345), "an address behind the end of a section has no name");
	is_str(name_at(&t, 359), "long section",
	       "a symbol that reaches to the end of its section has the bytes before the next one");
	ok(!name_at(&t, 366),
	   "a symbol that reaches to the end of its section ends at the next one");
	is_str(name_at(&t, 410), "last", "the last symbol without a size has some bytes");
	ok(!name_at(&t, 400 + 4096), "the last symbol without a size has no more than 4096 bytes");
	symtab_release(&t);
}

/* Which of two names of one address stays, whichever comes first. */
static void wins(const struct symbol *a, const struct symbol *b, const char *what)
{
	bool won = true;

	for (int first = 0; first < 2; first++) {
		struct symtab t = { 0 };

		symtab_add(&t, first ? a : b);
		symtab_add(&t, first ? b : a);
		symtab_finish(&t, EQUAL_BEST);
		won &= t.nr == 1 && !strcmp(name_at(&t, 0), a->name);
		symtab_release(&t);
	}
	ok(won, what);
}

static void test_aliases(void)
{
	struct symbol sized = { .end = 9, .name = "a" }, label = { .name = "much_longer" };
	struct symbol weak = { .end = 9, .name = "much_longer", .weak = true };
	struct symbol public = { .end = 9, .name = "read", .weak = true, .global = true };
	struct symbol inner = { .end = 9, .name = "__read", .global = true };
	struct symbol own = { .end = 9, .name = "__GI___libc_read" };
	struct symbol call = { .end = 9, .name = "clock_gettime", .weak = true, .global = true };
	struct symbol vdso = { .end = 9, .name = "__vdso_clock_gettime", .global = true };
	struct symbol global = { .end = 9, .name = "g", .global = true };
	struct symbol old = { .end = 9, .name = "cfree", .global = true, .old = true };
	struct symbol plain = { .end = 9, .name = "b" }, inside = { .end = 9, .name = "__GI_b" };
	struct symbol longer = { .end = 9, .name = "open_file" };
	struct symtab t = { 0 };

	wins(&sized, &label, "a symbol with a size wins over one without");
	wins(&sized, &weak, "a strong symbol wins over a weak one");
	wins(&global, &sized, "a global symbol wins over a local one");
	wins(&global, &old, "a current symbol version wins over an old one");
	wins(&public, &own, "a weak global symbol wins over a local one");
	wins(&public, &inner, "a weak symbol without underscores wins over a strong one with them");
	wins(&vdso, &call, "a vDSO symbol's __vdso_ name wins over that of the C library");
	wins(&plain, &inside, "a name with fewer underscores wins");
	wins(&longer, &plain, "a longer name wins over a shorter one");
	symtab_add_copy(&t, &sized, SPAN("before"));
	symtab_add_copy(&t, &sized, SPAN("after"));
	symtab_finish(&t, EQUAL_LAST);
	is_str(name_at(&t, 0), "after", "with EQUAL_LAST, the symbol that was added last wins");
	symtab_release(&t);
}

/* f(int[int], what came before by what came before, …): twice as much with each. */
static void test_growing_d(struct strbuf *out)
{
	struct strbuf name = { 0 };
	size_t before = strlen("_D3app1fF");

	strbuf_addf(&name, "_D3app1fFHii");
	for (int i = 0; i < 60; i++) {
		size_t at = name.size;

		strbuf_addf(&name, "HQ%cQ%c", (char)('a' + (int)(at + 1 - before)),
			    (char)('a' + (int)(at + 3 - before)));
		before = at;
	}
	strbuf_addf(&name, "Zv");
	strbuf_reset(out);
	demangle(out, name.at);
	is_str(out->at, name.at, "a D name that grows exponentially is not demangled");
	strbuf_release(&name);
}

static void test_demangle(void)
{
	static const char *const rows[][2] = {
		{ "main", "main" },
		{ "_start", "_start" },
		{ "_ZN3foo3barEi", "foo::bar" },
		{ "_ZNSt6vectorIiSaIiEE9push_backEOi",
		  "std::vector<int, std::allocator<int> >::push_back" },
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
		  "core::fmt::Write::write_fmt" },
		{ "_RNvCsabcdef_7mycrate3foo", "mycrate::foo" },
		{ "_Znwm@plt", "operator new@plt" },
		{ "_Dmain", "D main" },
		{ "_D3std5stdio4File5flushMFNfZv", "std.stdio.File.flush" },
		{ "_D3app__T5twiceTiZQjFiZi", "app.twice!(int).twice" },
		{ "_D3app__T5ShapeTiZQj4areaMxFiZi@plt", "app.Shape!(int).Shape.area@plt" },
		{ "_D3app4mainFZ5innerMFZv", "app.main().inner" },
		{ "_D", "_D" },
		{ "_DTV_size", "_DTV_size" },
		{ "_D3std5stdio4File5flushMFNfZv.constprop.0", "std.stdio.File.flush" },
		{ "_ZN3foo3barEi.constprop.0", "foo::bar" },
		{ "_Z", "_Z" },
		{ "_ZN", "_ZN" },
		{ "", "" },
	};
	struct strbuf out = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		strbuf_reset(&out);
		demangle(&out, rows[i][0]);
		is_str(out.at, rows[i][1], rows[i][0]);
	}
	/* Each S_ stands for all that came before: the text doubles with every pair. */
	strbuf_reset(&out);
	demangle(&out, "_Z1fI1AIS_S_S_S_ES0_IS1_S1_S1_S1_EE"
		       "S2_IS3_S3_S3_S3_E");
	ok(out.size, "a C++ name that grows exponentially gives some name");
	test_growing_d(&out);
	strbuf_release(&out);
}

static void test_encoded(void)
{
	static const char *const rows[][2] = {
		/* Haskell: package, module, name, and what of it */
		{ "containerszm0zi6zi4zi1_DataziMapziInternal_balanceL_info",
		  "Data.Map.Internal.balanceL" },
		{ "base_GHCziBase_zpzp_entry", "GHC.Base.++" },
		{ "base_GHCziBase_zdfEqInt_zdczeze_info", "GHC.Base.$fEqInt.$c==" },
		{ "Main_zdsinsertWithzuzdszdwzdsgo8_info", "Main.$sinsertWith_$s$w$sgo8" },
		{ "Main_reczq_info", "Main.rec'" },
		{ "Main_main_info", "Main.main" },
		{ "ghczmprim_GHCziTuple_Z3T_con_info", "GHC.Tuple.(,,)" },
		{ "ghczmprim_GHCziTypes_ZMZN_closure", "GHC.Types.[]" },
		{ "base_GHCziBase_ZZazz_info", "GHC.Base.Zaz" },
		/* … and what only looks like it */
		{ "SSL_get_info", "SSL_get_info" },
		{ "Get_size_info", "Get_size_info" },
		{ "Main_size_info", "Main_size_info" },
		{ "stg_ap_0_fast", "stg_ap_0_fast" },
		{ "basezm4_info", "basezm4_info" },
		{ "base_GHCziBase_Z99999999999999999999T_info",
		  "base_GHCziBase_Z99999999999999999999T_info" },
		{ "base_GHCziBase_Z3", "base_GHCziBase_Z3" },
		{ "base_GHCziBase_z_info", "base_GHCziBase_z_info" },
		{ "zi__info", "zi__info" },
		{ "_info", "_info" },
		/* OCaml: modules, name, and the compiler's number */
		{ "camlStdlib__List__map_236", "Stdlib.List.map" },
		{ "camlMain__rec__97", "Main.rec_" },
		{ "camlMain__f_1_97", "Main.f_1" },
		{ "camlMain__fun_316", "Main.fun_316" },
		{ "camlMain__$2b$2b$2b_118", "Main.+++" },
		{ "camlMain__a__b_12", "Main.a__b" },
		{ "camlMain__entry", "Main.entry" },
		{ "camlMain.f_12", "Main.f" },
		{ "camlDune__exe__Main__go_81_90_code", "Main.go_81" },
		{ "camlMain__$2", "Main.$2" },
		{ "camlMain__", "camlMain__" },
		{ "camlMain", "camlMain" },
		{ "caml_alloc_shr", "caml_alloc_shr" },
		/* Fortran: module and procedure */
		{ "__work_MOD_solve", "work::solve" },
		{ "__work_MOD_solve.constprop.0", "work::solve.constprop.0" },
		{ "___MOD_solve", "___MOD_solve" },
		{ "__work_MOD_", "__work_MOD_" },
		{ "work_MOD_solve", "work_MOD_solve" },
	};
	struct strbuf out = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		strbuf_reset(&out);
		demangle(&out, rows[i][0]);
		is_str(out.at, rows[i][1], rows[i][0]);
	}
	strbuf_release(&out);
}

int main(void)
{
	test_lookup();
	test_encoded();
	test_aliases();
	test_demangle();
	return done();
}
