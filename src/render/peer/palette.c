#include "render/peer/palette.h"

#include "base/alloc.h"
#include "render/peer/hue.h"
#include "render/peer/shade.h"

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

/* A channel is base + range × one of the frame's three values (shade_draw()). */
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
	/* inferno's seed, for the same colors as inferno. */
	c->running = shade == SHADE_RANDOM ? (uint64_t)time(NULL) * 0x9e3779b97f4a7c15u | 1 : 1234;
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
	hue = hues[hue_pick(c->palette, c->rules, name)];
	shade_draw(c, name, value);
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
