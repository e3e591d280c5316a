#include "tui/theme.h"

#include "render/color_states.h"

/* Colors of a light and a dark background; the same as in web/app.css. */
static const struct shades {
	uint32_t text, ground, hit, selected, selected_text, sliver;
} shades[] = {
	[COLOR_LIGHT] = { 0x1b1d1f, 0xffffff, 0xc79bff, 0x20242a, 0xffffff, 0xb9bcc0 },
	[COLOR_DARK] = { 0xe9ebee, 0x16181b, 0x7b42d6, 0xf2f4f7, 0x101214, 0x55585d },
};

void theme_init(struct theme *l, enum tint_depth depth, enum color_ground ground)
{
	*l = (struct theme){ .depth = depth };
	theme_ground(l, ground);
}

void theme_ground(struct theme *l, enum color_ground ground)
{
	l->ground = l->depth == TINT_TRUE ? ground : COLOR_LIGHT;
}

static bool is_hit(const struct theme *l, uint32_t label)
{
	return l->hit && label < LAYOUT_MORE && l->hit[label];
}

static double share(weight_sum part, weight_sum all)
{
	return all > 0 ? (double)part / (double)all : 0;
}

static unsigned color_number(const struct theme *l, const struct graph *g, size_t place)
{
	const struct box *b = graph_box(g, g->order[place]);
	const struct layout *a = &g->layout;
	uint32_t label = g->label[place];

	if (l->is_diff)
		return color_by_change(share(b->sum[1], a->sum[1]) - share(b->sum[0], a->sum[0]));
	if (g->state && b->node && label < LAYOUT_MORE)
		return color_by_state(g->state[b->node], labels_peek(l->labels, label));
	return label < LAYOUT_MORE ? l->color[label] : color_by_kind(COLOR_ROOT, SPAN("all"));
}

/* Without colors: bold, underlined or reverse text instead. */
static struct ink plain_ink(const struct theme *l, uint32_t label, enum box_style how)
{
	struct ink ink = INK_PLAIN;

	if (how == BOX_SELECTED)
		ink.style = INK_REVERSE;
	else if (is_hit(l, label))
		ink.style = INK_BOLD | INK_UNDERLINE;
	else if (how == BOX_SAME)
		ink.style = INK_UNDERLINE;
	return ink;
}

struct ink theme_box(const struct theme *l, const struct graph *g, size_t place, enum box_style how)
{
	const struct shades *s = &shades[l->ground];
	uint32_t label = g->label[place];
	struct ink ink = { .fg = s->text };

	if (l->depth == TINT_NONE)
		return plain_ink(l, label, how);
	if (how == BOX_SELECTED) {
		ink.fg = s->selected_text;
		ink.bg = s->selected;
		ink.style = INK_BOLD;
		return ink;
	}
	ink.bg = is_hit(l, label) ? s->hit
				  : tint_of_hex(color_hex(color_number(l, g, place), l->ground));
	if (how == BOX_SAME)
		ink.style = INK_BOLD | INK_UNDERLINE;
	/* During a search, boxes that do not match are faded. */
	if (l->depth == TINT_TRUE && (how == BOX_FADED || (l->hit && !is_hit(l, label)))) {
		ink.bg = tint_mix(ink.bg, s->ground, 0.45);
		ink.fg = tint_mix(ink.fg, s->ground, 0.75);
	}
	return ink;
}

struct ink theme_state(const struct theme *l, unsigned state)
{
	return (struct ink){ .fg = shades[l->ground].text,
			     .bg = tint_of_hex(color_hex(color_of_state(state), l->ground)) };
}

uint32_t theme_sliver(const struct theme *l)
{
	return shades[l->ground].sliver;
}

uint32_t theme_line(const struct theme *l)
{
	return shades[l->ground].ground;
}

uint32_t theme_mark(const struct theme *l, unsigned color, bool turned)
{
	/* Terminals that do not report their background color mostly have a dark one. */
	bool dark = l->depth != TINT_TRUE || l->ground == COLOR_DARK;

	return tint_of_hex(color_hex(color, dark != turned ? COLOR_LIGHT : COLOR_DARK));
}

struct span theme_name(const struct theme *l, uint32_t label)
{
	return label < LAYOUT_MORE ? labels_peek(l->labels, label) : SPAN("all");
}
