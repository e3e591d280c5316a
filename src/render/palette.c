#include "render/palette.h"

#include "base/alloc.h"

#include <math.h>
#include <time.h>

static const char *const names[] = {
	[PALETTE_HOT] = "hot",	     [PALETTE_MEM] = "mem",	  [PALETTE_IO] = "io",
	[PALETTE_RED] = "red",	     [PALETTE_GREEN] = "green",	  [PALETTE_BLUE] = "blue",
	[PALETTE_YELLOW] = "yellow", [PALETTE_PURPLE] = "purple", [PALETTE_AQUA] = "aqua",
	[PALETTE_ORANGE] = "orange", [PALETTE_JAVA] = "java",	  [PALETTE_JS] = "js",
	[PALETTE_PERL] = "perl",     [PALETTE_PYTHON] = "python", [PALETTE_RUST] = "rust",
	[PALETTE_WAKEUP] = "wakeup", [PALETTE_CHAIN] = "chain",
};

const char *palette_name(enum palette palette)
{
	return names[palette];
}

bool palette_find(struct span name, enum palette *palette)
{
	for (int i = 0; i < NR_PALETTES; i++)
		if (span_is(name, names[i])) {
			*palette = (enum palette)i;
			return true;
		}
	return false;
}

/* A channel is base + range × one of the three values that a frame draws. */
static const struct channel {
	uint8_t base, range, value;
} hues[][3] = {
	[PALETTE_HOT] = { { 205, 50, 2 }, { 0, 230, 0 }, { 0, 55, 1 } },
	[PALETTE_MEM] = { { 0, 0, 2 }, { 190, 50, 1 }, { 0, 210, 0 } },
	[PALETTE_IO] = { { 80, 60, 0 }, { 80, 60, 0 }, { 190, 55, 1 } },
	[PALETTE_RED] = { { 200, 55, 0 }, { 50, 80, 0 }, { 50, 80, 0 } },
	[PALETTE_GREEN] = { { 50, 60, 0 }, { 200, 55, 0 }, { 50, 60, 0 } },
	[PALETTE_BLUE] = { { 80, 60, 0 }, { 80, 60, 0 }, { 205, 50, 0 } },
	[PALETTE_YELLOW] = { { 175, 55, 0 }, { 175, 55, 0 }, { 50, 20, 0 } },
	[PALETTE_PURPLE] = { { 190, 65, 0 }, { 80, 60, 0 }, { 190, 65, 0 } },
	[PALETTE_AQUA] = { { 50, 60, 0 }, { 165, 55, 0 }, { 165, 55, 0 } },
	[PALETTE_ORANGE] = { { 190, 65, 0 }, { 90, 65, 0 }, { 0, 0, 0 } },
};

void colors_init(struct colors *c, enum palette palette, enum shade shade, enum name_rules rules)
{
	*c = (struct colors){ .palette = palette, .shade = shade, .rules = rules };
	/* The seed that inferno starts with, so that its pictures come out again. */
	c->running = shade == SHADE_RANDOM ? (uint64_t)time(NULL) * 0x9e3779b97f4a7c15u | 1 : 1234;
}

/* Values: three numbers from 0 up to 1 */

static float next_running(struct colors *c)
{
	c->running ^= c->running << 13;
	c->running ^= c->running >> 7;
	c->running ^= c->running << 17;
	return (float)((double)(c->running >> 11) * 0x1p-53);
}

/* Perl sees characters where inferno sees bytes. */
struct letters {
	struct span name;
	bool characters, backwards;
};

/* Cuts one letter off, and gives its number. */
static unsigned next_letter(struct letters *l)
{
	const unsigned char *u = (const unsigned char *)l->name.at;
	size_t last = l->name.size - 1, at = l->backwards ? last : 0, n = 1;
	unsigned letter;

	if (l->characters && l->backwards)
		while (at > 0 && last - at < 3 && (u[at] & 0xc0) == 0x80)
			at--;
	if (l->characters && u[at] >= 0xc0)
		while (n < 4 && at + n <= last && (u[at + n] & 0xc0) == 0x80)
			n++;
	/* The first byte of a character has as many ones as it has bytes. */
	letter = n > 1 ? u[at] & (0x7fu >> n) : u[at];
	for (size_t i = 1; i < n; i++)
		letter = letter << 6 | (u[at + i] & 0x3f);
	l->name = l->backwards ? span_upto(l->name, at) : span_from(l->name, n);
	return letter;
}

/*
 * A number from the first three letters, the first counting most.  What stands before
 * a backtick (a module) does not count, unless it is the first letter.
 */
static float first_letters(struct letters l)
{
	float vector = 0, weight = 1, max = 1;

	for (unsigned modulo = 10; l.name.size && modulo <= 12; modulo++) {
		vector += (float)(next_letter(&l) % modulo) / (float)(modulo - 1) * weight;
		max += weight;
		weight *= 0.7f;
	}
	return 1 - vector / max;
}

/* Backwards, the module is what comes behind the last backtick but the first letter. */
static struct span without_module(struct span name, bool backwards)
{
	if (backwards) {
		size_t at =
			name.size > 1 ? span_rfind(span_upto(name, name.size - 1), '`') : name.size;

		return at < name.size - (name.size > 0) ? span_upto(name, at) : name;
	}
	if (name.size > 1) {
		size_t at = span_find(span_from(name, 1), '`');

		if (at < name.size - 1)
			return span_from(name, at + 2);
	}
	return name;
}

static void hash_whole(struct span name, float value[3])
{
	const uint64_t prime = 0x100000001b3u;
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < name.size; i++)
		hash = (hash ^ (unsigned char)name.at[i]) * prime;
	for (int i = 0; i < 3; i++) {
		value[i] = (float)((double)hash / (double)UINT64_MAX);
		hash *= prime;
	}
}

/* One step of drand48 from the sum of the letters. */
static float letter_sum(struct letters l)
{
	uint64_t x = 0;

	while (l.name.size)
		x += next_letter(&l);
	x = ((x & UINT32_MAX) << 16) + 0x330e;
	x = (x * 0x5deece66d + 0xb) & 0xffffffffffffu;
	return (float)((double)x / 0x1p48);
}

static void draw_values(struct colors *c, struct span name, float value[3])
{
	struct letters forward = { .name = name, .characters = c->rules == NAME_RULES_PERL };
	struct letters backward = forward;

	switch (c->shade) {
	case SHADE_RUNNING:
	case SHADE_RANDOM:
		for (int i = 0; i < 3; i++)
			value[i] = next_running(c);
		break;
	case SHADE_HASH:
		forward.name = without_module(name, false);
		backward.name = without_module(name, true);
		backward.backwards = true;
		value[0] = first_letters(forward);
		value[1] = value[2] = first_letters(backward);
		break;
	case SHADE_NAME:
		hash_whole(name, value);
		break;
	case SHADE_LETTERS:
		value[0] = value[1] = value[2] = letter_sum(forward);
		break;
	}
}

/* Hues: what a name looks like */

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool all_blank(struct span name)
{
	return name.size && !span_trim(name).size;
}

static enum palette java_hue(struct span name)
{
	struct span bare = name.size && name.at[0] == 'L' ? span_from(name, 1) : name;

	if (span_ends(name, "_[k]"))
		return PALETTE_ORANGE;
	if (span_ends(name, "_[i]"))
		return PALETTE_AQUA;
	if (span_ends(name, "_[j]"))
		return PALETTE_GREEN;
	if (span_contains(name, "::") || span_starts(name, "-[") || span_starts(name, "+["))
		return PALETTE_YELLOW;
	if (span_contains(bare, "/") || (span_contains(bare, ".") && !span_starts(bare, "[")) ||
	    (bare.size && is_upper(bare.at[0])))
		return PALETTE_GREEN;
	return PALETTE_RED;
}

static enum palette java_hue_perl(struct span name)
{
	static const char *const packages[] = { "java/", "javax/", "jdk/", "net/",
						"org/",	 "com/",   "io/",  "sun/" };
	struct span bare = name.size && name.at[0] == 'L' ? span_from(name, 1) : name;

	if (span_ends(name, "_[j]"))
		return PALETTE_GREEN;
	if (span_ends(name, "_[i]"))
		return PALETTE_AQUA;
	for (size_t i = 0; i < ARRAY_SIZE(packages); i++)
		if (span_starts(bare, packages[i]) || span_starts(name, packages[i]))
			return PALETTE_GREEN;
	if (span_contains(name, ":::"))
		return PALETTE_GREEN;
	if (span_contains(name, "::"))
		return PALETTE_YELLOW;
	return span_ends(name, "_[k]") ? PALETTE_ORANGE : PALETTE_RED;
}

static enum palette js_hue(struct span name)
{
	size_t slash = span_find(name, '/');

	if (all_blank(name))
		return PALETTE_GREEN;
	if (span_ends(name, "_[k]"))
		return PALETTE_ORANGE;
	if (span_ends(name, "_[j]"))
		return slash < name.size ? PALETTE_GREEN : PALETTE_AQUA;
	if (span_contains(name, "::"))
		return PALETTE_YELLOW;
	if (span_contains(name, ":"))
		return PALETTE_AQUA;
	if (slash < name.size) {
		struct span rest = span_from(name, slash);

		if (span_contains(rest, "node_modules/"))
			return PALETTE_PURPLE;
		if (span_contains(rest, ".js"))
			return PALETTE_GREEN;
	}
	return PALETTE_RED;
}

static enum palette js_hue_perl(struct span name)
{
	size_t slash = span_find(name, '/');

	if (span_ends(name, "_[j]"))
		return slash < name.size ? PALETTE_GREEN : PALETTE_AQUA;
	if (span_contains(name, "::"))
		return PALETTE_YELLOW;
	if (slash < name.size && span_contains(span_from(name, slash), ".js"))
		return PALETTE_GREEN;
	if (span_contains(name, ":"))
		return PALETTE_AQUA;
	if (span_is(name, " "))
		return PALETTE_GREEN;
	return span_contains(name, "_[k]") ? PALETTE_ORANGE : PALETTE_RED;
}

static enum palette perl_hue(struct span name)
{
	if (span_ends(name, "_[k]"))
		return PALETTE_ORANGE;
	if (span_contains(name, "Perl") || span_contains(name, ".pl"))
		return PALETTE_GREEN;
	return span_contains(name, "::") ? PALETTE_YELLOW : PALETTE_RED;
}

static enum palette perl_hue_perl(struct span name)
{
	if (span_contains(name, "::"))
		return PALETTE_YELLOW;
	if (span_contains(name, "Perl") || span_contains(name, ".pl"))
		return PALETTE_GREEN;
	return span_ends(name, "_[k]") ? PALETTE_ORANGE : PALETTE_RED;
}

/* "python3.11" */
static bool is_python_folder(struct span part)
{
	if (!span_starts(part, "python") && !span_starts(part, "Python"))
		return false;
	for (size_t i = 6; i < part.size; i++)
		if (!is_digit(part.at[i]) && part.at[i] != '.')
			return false;
	return true;
}

static enum palette python_hue(struct span name)
{
	bool library = span_starts(name, "<built-in") || span_starts(name, "<method") ||
		       span_starts(name, "<frozen");

	for (struct span rest = name; rest.size;) {
		size_t n = 0;

		while (n < rest.size && rest.at[n] != '/' && rest.at[n] != '\\')
			n++;
		if (span_is(span_upto(rest, n), "site-packages"))
			return PALETTE_AQUA;
		library |= is_python_folder(span_upto(rest, n));
		rest = span_from(rest, n + 1);
	}
	return library ? PALETTE_YELLOW : PALETTE_RED;
}

static enum palette rust_hue(struct span name)
{
	static const char *const system[] = { "core::",	 "std::",  "alloc::",
					      "<core::", "<std::", "<alloc::" };
	size_t backtick = span_find(name, '`');

	if (backtick < name.size)
		name = span_from(name, backtick + 1);
	for (size_t i = 0; i < ARRAY_SIZE(system); i++)
		if (span_starts(name, system[i]) &&
		    !span_starts(name, "<core::future::from_generator::GenFuture<T>"))
			return PALETTE_ORANGE;
	return span_contains(name, "::") ? PALETTE_AQUA : PALETTE_YELLOW;
}

static enum palette hue_of(const struct colors *c, struct span name)
{
	bool perl = c->rules == NAME_RULES_PERL;

	switch (c->palette) {
	case PALETTE_JAVA:
		return perl ? java_hue_perl(name) : java_hue(name);
	case PALETTE_JS:
		return perl ? js_hue_perl(name) : js_hue(name);
	case PALETTE_PERL:
		return perl ? perl_hue_perl(name) : perl_hue(name);
	case PALETTE_PYTHON:
		return python_hue(name);
	case PALETTE_RUST:
		return rust_hue(name);
	case PALETTE_WAKEUP:
		return PALETTE_AQUA;
	case PALETTE_CHAIN:
		return span_contains(name, "_[w]") ? PALETTE_AQUA : PALETTE_BLUE;
	case PALETTE_HOT:
	case PALETTE_MEM:
	case PALETTE_IO:
	case PALETTE_RED:
	case PALETTE_GREEN:
	case PALETTE_BLUE:
	case PALETTE_YELLOW:
	case PALETTE_PURPLE:
	case PALETTE_AQUA:
	case PALETTE_ORANGE:
	case NR_PALETTES:
		break;
	}
	return c->palette;
}

struct rgb colors_pick(struct colors *c, struct span name)
{
	const struct channel *hue;
	uint8_t channel[3];
	float value[3];

	if (span_is(name, "--"))
		return (struct rgb){ 160, 160, 160 };
	if (span_is(name, "-"))
		return (struct rgb){ 200, 200, 200 };
	hue = hues[hue_of(c, name)];
	draw_values(c, name, value);
	for (int i = 0; i < 3; i++)
		channel[i] = (uint8_t)(hue[i].base +
				       (uint8_t)((float)hue[i].range * value[hue[i].value]));
	return (struct rgb){ channel[0], channel[1], channel[2] };
}

struct rgb colors_diff(double delta, double max, enum diff_scale scale)
{
	bool perl = scale == DIFF_SCALE_PERL;
	double pale = (perl ? 210 : 150) * (max - fabs(delta)) / max;
	uint8_t c = (uint8_t)((perl ? 0 : 100) + pale);
	uint8_t none = perl ? 255 : 250;

	if (delta == 0)
		return (struct rgb){ none, none, none };
	return delta > 0 ? (struct rgb){ 255, c, c } : (struct rgb){ c, c, 255 };
}

/* Backgrounds */

static const struct {
	const char *name;
	struct background b;
} backgrounds[] = {
	{ "yellow", { "#eeeeee", "#eeeeb0" } },
	{ "blue", { "#eeeeee", "#e0e0ff" } },
	{ "green", { "#eef2ee", "#e0ffe0" } },
	{ "grey", { "#f8f8f8", "#e8e8e8" } },
};

bool background_find(struct span name, struct background *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(backgrounds); i++)
		if (span_is(name, backgrounds[i].name)) {
			*b = backgrounds[i].b;
			return true;
		}
	return false;
}

struct background palette_background(enum palette palette)
{
	struct background b = { 0 };
	const char *name = "grey";

	switch (palette) {
	case PALETTE_MEM:
		name = "green";
		break;
	case PALETTE_IO:
	case PALETTE_WAKEUP:
	case PALETTE_CHAIN:
		name = "blue";
		break;
	case PALETTE_HOT:
	case PALETTE_JAVA:
	case PALETTE_JS:
	case PALETTE_PERL:
	case PALETTE_PYTHON:
	case PALETTE_RUST:
		name = "yellow";
		break;
	case PALETTE_RED:
	case PALETTE_GREEN:
	case PALETTE_BLUE:
	case PALETTE_YELLOW:
	case PALETTE_PURPLE:
	case PALETTE_AQUA:
	case PALETTE_ORANGE:
	case NR_PALETTES:
		break;
	}
	background_find(span_of(name), &b);
	return b;
}

bool rgb_parse(struct span text, struct rgb *color)
{
	uint64_t value;

	if (text.size != 7 || text.at[0] != '#' || !span_hex(span_from(text, 1), &value))
		return false;
	*color = (struct rgb){ (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value };
	return true;
}
