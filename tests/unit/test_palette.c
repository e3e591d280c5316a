/* Which color a frame gets: hues by name, shades by rule, changes, backgrounds. */
#include "render/peer/palette.h"

#include "base/alloc.h"
#include "span_tap.h"

#include <stdlib.h>

static void check_rgb(struct rgb got, int r, int g, int b, const char *what)
{
	char text[32], want[32];

	snprintf(text, sizeof(text), "%u,%u,%u", got.r, got.g, got.b);
	snprintf(want, sizeof(want), "%d,%d,%d", r, g, b);
	is_str(text, want, what);
}

static struct rgb pick(enum palette palette, enum shade shade, enum name_rules rules,
		       const char *name)
{
	struct colors c;

	colors_init(&c, palette, shade, rules);
	return colors_pick(&c, span_of(name));
}

static bool near(struct rgb a, int r, int g, int b)
{
	return abs(a.r - r) <= 1 && abs(a.g - g) <= 1 && abs(a.b - b) <= 1;
}

static void test_names(void)
{
	enum palette p;
	bool all = true;

	for (int i = 0; i < NR_PALETTES; i++)
		all &= palette_find(span_of(palette_name((enum palette)i)), &p) && (int)p == i;
	ok(all, "every palette is found by its name");
	ok(!palette_find(SPAN("pink"), &p) && !palette_find(SPAN(""), &p) &&
		   !palette_find(SPAN("hott"), &p),
	   "unknown, empty and misspelled palette names are not found");
}

/* "main" hashes to the values 0.124…, 0.868… and 0.662…. */
static void test_palettes(void)
{
	static const struct {
		enum palette palette;
		int r, g, b;
	} want[] = {
		{ PALETTE_HOT, 238, 28, 47 },	  { PALETTE_MEM, 0, 233, 25 },
		{ PALETTE_IO, 87, 87, 237 },	  { PALETTE_RED, 206, 59, 59 },
		{ PALETTE_GREEN, 57, 206, 57 },	  { PALETTE_BLUE, 87, 87, 211 },
		{ PALETTE_YELLOW, 181, 181, 52 }, { PALETTE_PURPLE, 197, 87, 197 },
		{ PALETTE_AQUA, 57, 171, 171 },	  { PALETTE_ORANGE, 197, 97, 0 },
		{ PALETTE_WAKEUP, 57, 171, 171 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		check_rgb(pick(want[i].palette, SHADE_NAME, NAME_RULES_INFERNO, "main"), want[i].r,
			  want[i].g, want[i].b, palette_name(want[i].palette));
	check_rgb(pick(PALETTE_MEM, SHADE_NAME, NAME_RULES_PERL, "--"), 160, 160, 160,
		  "a frame called '--' (a separator) is gray");
	check_rgb(pick(PALETTE_MEM, SHADE_NAME, NAME_RULES_PERL, "-"), 200, 200, 200,
		  "a frame called '-' (unresolved) is light gray");
}

static void test_shades(void)
{
	static const struct {
		const char *name;
		int hash[3], whole[3], letters[3];
	} want[] = {
		{ "main", { 247, 83, 46 }, { 238, 28, 47 }, { 243, 179, 42 } },
		{ "libc`malloc", { 222, 112, 18 }, { 207, 42, 40 }, { 212, 33, 7 } },
		{ "`x", { 255, 113, 55 }, { 233, 7, 51 }, { 218, 60, 14 } },
		{ "x`", { 229, 230, 27 }, { 232, 8, 41 }, { 218, 60, 14 } },
		{ "a", { 235, 140, 33 }, { 249, 157, 1 }, { 236, 146, 35 } },
		{ "", { 255, 230, 55 }, { 206, 183, 37 }, { 213, 39, 9 } },
		{ "m`n`o", { 245, 179, 44 }, { 240, 147, 50 }, { 241, 167, 40 } },
	};
	bool hash = true, whole = true, letters = true;
	struct colors c;

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct rgb h = pick(PALETTE_HOT, SHADE_HASH, NAME_RULES_INFERNO, want[i].name);
		struct rgb n = pick(PALETTE_HOT, SHADE_NAME, NAME_RULES_INFERNO, want[i].name);
		struct rgb l = pick(PALETTE_HOT, SHADE_LETTERS, NAME_RULES_PERL, want[i].name);

		hash &= near(h, want[i].hash[0], want[i].hash[1], want[i].hash[2]);
		whole &= near(n, want[i].whole[0], want[i].whole[1], want[i].whole[2]);
		letters &= near(l, want[i].letters[0], want[i].letters[1], want[i].letters[2]);
	}
	ok(hash, "SHADE_HASH depends on the first and last letters, without modules");
	ok(whole, "SHADE_NAME depends on the whole name");
	ok(letters, "SHADE_LETTERS depends on the sum of the letters");
	ok(near(pick(PALETTE_HOT, SHADE_HASH, NAME_RULES_INFERNO, "\xc3\xa9"), 226, 158, 23),
	   "SHADE_HASH takes bytes as letters by inferno's rules");
	ok(near(pick(PALETTE_HOT, SHADE_HASH, NAME_RULES_PERL, "\xc3\xa9"), 246, 191, 45),
	   "SHADE_HASH takes characters as letters by Perl's rules");
	ok(near(pick(PALETTE_HOT, SHADE_HASH, NAME_RULES_PERL, "x\xc3\xa9\xe6\x97\xa5"), 244, 191,
		43),
	   "SHADE_HASH takes characters from both ends of a name by Perl's rules");
	ok(near(pick(PALETTE_HOT, SHADE_LETTERS, NAME_RULES_PERL, "x\xc3\xa9\xe6\x97\xa5"), 227,
		101, 24),
	   "SHADE_LETTERS adds up characters by Perl's rules");
	/* Hot colors have much red. */
	ok(pick(PALETTE_HOT, SHADE_HASH, NAME_RULES_PERL, "\x80\x80\x80\x80\x80\x80\xff\xc3").r >=
		   205,
	   "SHADE_HASH of invalid UTF-8 is a hot color");
	ok(pick(PALETTE_HOT, SHADE_LETTERS, NAME_RULES_PERL, "\xf0\x80\x80\x80\x80\x80\x80\xff\xc3")
			   .r >= 205,
	   "SHADE_LETTERS of invalid UTF-8 is a hot color");

	colors_init(&c, PALETTE_HOT, SHADE_RUNNING, NAME_RULES_INFERNO);
	check_rgb(colors_pick(&c, SPAN("a")), 227, 0, 7,
		  "SHADE_RUNNING gives the first frame the first random color");
	colors_pick(&c, SPAN("-"));
	check_rgb(colors_pick(&c, SPAN("a")), 217, 0, 24,
		  "SHADE_RUNNING draws no random number for a gray frame");
	check_rgb(colors_pick(&c, SPAN("a")), 221, 193, 54,
		  "SHADE_RUNNING gives the third frame another random color");
	colors_init(&c, PALETTE_HOT, SHADE_RUNNING, NAME_RULES_INFERNO);
	check_rgb(colors_pick(&c, SPAN("b")), 227, 0, 7,
		  "SHADE_RUNNING gives the same first color after each colors_init()");
	colors_init(&c, PALETTE_HOT, SHADE_RANDOM, NAME_RULES_PERL);
	ok(colors_pick(&c, SPAN("a")).r >= 205, "SHADE_RANDOM of the hot palette is a hot color");
}

struct hue {
	const char *name;
	enum palette inferno, perl;
};

/* Both rule sets: each name's hue is that of a palette of one. */
static void check_hues(enum palette palette, const struct hue *hue, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		char what[128];

		for (int rules = NAME_RULES_INFERNO; rules <= NAME_RULES_PERL; rules++) {
			enum palette want = rules == NAME_RULES_PERL ? hue[i].perl : hue[i].inferno;
			struct rgb a =
				pick(palette, SHADE_NAME, (enum name_rules)rules, hue[i].name);
			struct rgb b = pick(want, SHADE_NAME, (enum name_rules)rules, hue[i].name);

			snprintf(what, sizeof(what), "palette %s%s colors '%s' as %s",
				 palette_name(palette),
				 rules == NAME_RULES_PERL ? " by Perl's rules" : "", hue[i].name,
				 palette_name(want));
			check_rgb(a, b.r, b.g, b.b, what);
		}
	}
}

#define AQUA   PALETTE_AQUA
#define BLUE   PALETTE_BLUE
#define GREEN  PALETTE_GREEN
#define ORANGE PALETTE_ORANGE
#define PURPLE PALETTE_PURPLE
#define RED    PALETTE_RED
#define YELLOW PALETTE_YELLOW

static void test_hues(void)
{
	static const struct hue java[] = {
		{ "sys_read_[k]", ORANGE, ORANGE },
		{ "java/x_[k]", ORANGE, GREEN },
		{ "run_[i]", AQUA, AQUA },
		{ "run_[j]", GREEN, GREEN },
		{ "run_[j]x", RED, RED },
		{ "os::malloc", YELLOW, YELLOW },
		{ "a:::b", YELLOW, GREEN },
		{ "-[Foo bar]", YELLOW, RED },
		{ "+[Foo bar]", YELLOW, RED },
		{ "java/lang/String", GREEN, GREEN },
		{ "Lorg/x/Y", GREEN, GREEN },
		{ "my/pkg/Y", GREEN, RED },
		{ "a.b", GREEN, RED },
		{ "[libc.so]", RED, RED },
		{ "Interpreter", GREEN, RED },
		{ "LInterpreter", GREEN, RED },
		{ "L", RED, RED },
		{ "read", RED, RED },
		{ "", RED, RED },
	};
	static const struct hue js[] = {
		{ " ", GREEN, GREEN },
		{ "  ", GREEN, RED },
		{ "sys_read_[k]", ORANGE, ORANGE },
		{ "x_[k]y", RED, ORANGE },
		{ "a/b.js_[j]", GREEN, GREEN },
		{ "Builtin_[j]", AQUA, AQUA },
		{ "v8::Run", YELLOW, YELLOW },
		{ "Stub:Call", AQUA, AQUA },
		{ "/a/x.js:12", AQUA, GREEN },
		{ "/a/x.js", GREEN, GREEN },
		{ "x.js", RED, RED },
		{ "a/node_modules/b.js", PURPLE, GREEN },
		{ "read", RED, RED },
	};
	static const struct hue perl[] = {
		{ "sys_read_[k]", ORANGE, ORANGE },
		{ "Perl_x_[k]", ORANGE, GREEN },
		{ "Perl_pp", GREEN, GREEN },
		{ "a.pl", GREEN, GREEN },
		{ "Perl::x", GREEN, YELLOW },
		{ "a::b", YELLOW, YELLOW },
		{ "read", RED, RED },
	};
	static const struct hue python[] = {
		{ "/usr/lib/python3.11/site-packages/x.py", AQUA, AQUA },
		{ "C:\\site-packages\\x.py", AQUA, AQUA },
		{ "/usr/lib/python3.11/os.py", YELLOW, YELLOW },
		{ "C:\\Python39\\os.py", YELLOW, YELLOW },
		{ "/lib/python/os.py", YELLOW, YELLOW },
		{ "/lib/pythonic/os.py", RED, RED },
		{ "<built-in method x>", YELLOW, YELLOW },
		{ "<method 'x'>", YELLOW, YELLOW },
		{ "<frozen importlib>", YELLOW, YELLOW },
		{ "x.py", RED, RED },
	};
	static const struct hue rust[] = {
		{ "core::fmt::write", ORANGE, ORANGE },
		{ "std::io::x", ORANGE, ORANGE },
		{ "<alloc::vec::Vec<T>>::x", ORANGE, ORANGE },
		{ "app`std::io::x", ORANGE, ORANGE },
		{ "<core::future::from_generator::GenFuture<T> as X>::poll", AQUA, AQUA },
		{ "tokio::run", AQUA, AQUA },
		{ "stdx", YELLOW, YELLOW },
		{ "main", YELLOW, YELLOW },
	};
	static const struct hue chain[] = {
		{ "try_to_wake_up_[w]", AQUA, AQUA },
		{ "main", BLUE, BLUE },
	};

	check_hues(PALETTE_JAVA, java, ARRAY_SIZE(java));
	check_hues(PALETTE_JS, js, ARRAY_SIZE(js));
	check_hues(PALETTE_PERL, perl, ARRAY_SIZE(perl));
	check_hues(PALETTE_PYTHON, python, ARRAY_SIZE(python));
	check_hues(PALETTE_RUST, rust, ARRAY_SIZE(rust));
	check_hues(PALETTE_CHAIN, chain, ARRAY_SIZE(chain));
}

static void test_changes(void)
{
	check_rgb(colors_diff(0, 10, DIFF_SCALE_INFERNO), 250, 250, 250,
		  "inferno's scale shows no change as near white");
	check_rgb(colors_diff(10, 10, DIFF_SCALE_INFERNO), 255, 100, 100,
		  "inferno's scale shows the largest increase as red");
	check_rgb(colors_diff(-10, 10, DIFF_SCALE_INFERNO), 100, 100, 255,
		  "inferno's scale shows the largest decrease as blue");
	check_rgb(colors_diff(3, 10, DIFF_SCALE_INFERNO), 255, 205, 205,
		  "inferno's scale shows an increase as light red");
	check_rgb(colors_diff(-1, 7, DIFF_SCALE_INFERNO), 228, 228, 255,
		  "inferno's scale shows a small decrease as pale blue");
	check_rgb(colors_diff(0, 10, DIFF_SCALE_PERL), 255, 255, 255,
		  "Perl's scale shows no change as white");
	check_rgb(colors_diff(10, 10, DIFF_SCALE_PERL), 255, 0, 0,
		  "Perl's scale shows the largest increase as full red");
	check_rgb(colors_diff(-10, 10, DIFF_SCALE_PERL), 0, 0, 255,
		  "Perl's scale shows the largest decrease as full blue");
	check_rgb(colors_diff(3, 10, DIFF_SCALE_PERL), 255, 147, 147,
		  "Perl's scale shows an increase as light red");
	check_rgb(colors_diff(-1, 7, DIFF_SCALE_PERL), 180, 180, 255,
		  "Perl's scale shows a small decrease as light blue");
}

static void check_background(enum palette palette, const char *top, const char *bottom)
{
	struct background b = palette_background(palette);
	char what[64];

	snprintf(what, sizeof(what), "palette %s selects its background", palette_name(palette));
	ok(!strcmp(b.top, top) && !strcmp(b.bottom, bottom), what);
}

static void test_backgrounds(void)
{
	struct background b;

	for (int i = 0; i < NR_PALETTES; i++) {
		enum palette p = (enum palette)i;

		if (p == PALETTE_MEM)
			check_background(p, "#eef2ee", "#e0ffe0");
		else if (p == PALETTE_IO || p == PALETTE_WAKEUP || p == PALETTE_CHAIN)
			check_background(p, "#eeeeee", "#e0e0ff");
		else if (p == PALETTE_HOT || (p >= PALETTE_JAVA && p <= PALETTE_RUST))
			check_background(p, "#eeeeee", "#eeeeb0");
		else
			check_background(p, "#f8f8f8", "#e8e8e8");
	}
	ok(background_find(SPAN("grey"), &b) && !strcmp(b.bottom, "#e8e8e8"),
	   "background 'grey' is found by its name");
	ok(!background_find(SPAN("pink"), &b) && !background_find(SPAN(""), &b),
	   "unknown and empty background names are not found");
}

static void test_parse(void)
{
	static const char *const bad[] = { "",	      "#",	"#12345",  "#1234567", "123456",
					   "#12345g", "# 2345", "#+12345", "red" };
	struct rgb c = { 0 };
	bool none = true;

	ok(rgb_parse(SPAN("#12abEF"), &c), "rgb_parse() accepts a color in mixed case");
	check_rgb(c, 0x12, 0xab, 0xef, "rgb_parse() reads red, green and blue");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		none &= !rgb_parse(span_of(bad[i]), &c);
	ok(none, "rgb_parse() rejects malformed colors");
}

int main(void)
{
	test_names();
	test_palettes();
	test_shades();
	test_hues();
	test_changes();
	test_backgrounds();
	test_parse();
	return done();
}
