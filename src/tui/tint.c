#include "tui/tint.h"

#include "base/alloc.h"

#include <stdlib.h>

enum tint_depth tint_depth_find(const char *colorterm, const char *term, const char *no_color)
{
	struct span name = span_of(term ? term : "");

	if (no_color && *no_color)
		return TINT_NONE;
	if (colorterm && (!strcmp(colorterm, "truecolor") || !strcmp(colorterm, "24bit")))
		return TINT_TRUE;
	if (span_find_text(name, "direct") < name.size)
		return TINT_TRUE;
	if (span_find_text(name, "256") < name.size)
		return TINT_256;
	if (!name.size || span_starts(name, "vt") || span_is(name, "dumb"))
		return TINT_NONE;
	return TINT_16;
}

static int part(uint32_t rgb, unsigned shift)
{
	return (int)(rgb >> shift & 255);
}

static int distance(int r, int g, int b, uint32_t rgb)
{
	int dr = r - part(rgb, 16), dg = g - part(rgb, 8), db = b - part(rgb, 0);

	return dr * dr * 2 + dg * dg * 4 + db * db * 3;
}

unsigned tint_256(uint32_t rgb)
{
	static const int level[] = { 0, 95, 135, 175, 215, 255 };
	int at[3], gray = (part(rgb, 16) + part(rgb, 8) + part(rgb, 0)) / 3;
	int step = gray < 8 ? 0 : (gray - 3) / 10;

	for (unsigned i = 0; i < 3; i++) {
		int v = part(rgb, 16 - 8 * i);

		at[i] = 0;
		for (int k = 1; k < 6; k++)
			if (abs(level[k] - v) < abs(level[at[i]] - v))
				at[i] = k;
	}
	step = step > 23 ? 23 : step;
	gray = 8 + 10 * step;
	if (distance(gray, gray, gray, rgb) <
	    distance(level[at[0]], level[at[1]], level[at[2]], rgb))
		return 232 + (unsigned)step;
	return 16 + (unsigned)(36 * at[0] + 6 * at[1] + at[2]);
}

/* 0 to 359, from red over green and blue. */
static int hue_of(int r, int g, int b, int max, int range)
{
	int hue = max == r   ? 60 * (g - b) / range
		  : max == g ? 120 + 60 * (b - r) / range
			     : 240 + 60 * (r - g) / range;

	return hue < 0 ? hue + 360 : hue;
}

unsigned tint_16(uint32_t rgb)
{
	static const struct {
		int below;
		unsigned color;
	} hues[] = { { 15, 1 },	 { 70, 3 },  { 165, 2 }, { 200, 6 },
		     { 255, 4 }, { 340, 5 }, { 360, 1 } };
	int r = part(rgb, 16), g = part(rgb, 8), b = part(rgb, 0);
	int max = r > g ? r : g, min = r < g ? r : g, hue;
	size_t i = 0;

	max = b > max ? b : max;
	min = b < min ? b : min;
	if (max - min < 24)
		return max < 48 ? 0 : max < 128 ? 8 : max < 240 ? 7 : 15;
	hue = hue_of(r, g, b, max, max - min);
	while (hue >= hues[i].below)
		i++;
	return hues[i].color;
}

uint32_t tint_mix(uint32_t a, uint32_t b, double share)
{
	uint32_t mixed = 0;

	for (unsigned shift = 0; shift < 24; shift += 8)
		mixed |= (uint32_t)(part(a, shift) * share + part(b, shift) * (1 - share) + 0.5)
			 << shift;
	return mixed;
}

uint32_t tint_of_hex(const char *hex)
{
	uint32_t rgb = 0;

	for (size_t i = 0; i < 6; i++)
		rgb = rgb << 4 | (uint32_t)(hex[i] <= '9' ? hex[i] - '0' : hex[i] - 'a' + 10);
	return rgb;
}
