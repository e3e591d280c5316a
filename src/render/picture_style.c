/*
 * The <style> of wick's own picture.  The light theme uses attributes only, since a content
 * security policy may forbid inline styles (as in Jenkins); the style adds the dark colors, the
 * edges of kernel and inlined code, cursor and hover.
 */
#include "render/peer/svg_text.h"
#include "render/picture_parts.h"

/* Kernel and inlined code also have distinct edges, for people who cannot see the hue. */
static void write_edges(struct picture *p, enum color_ground ground)
{
	static const char *const edges[] = { [COLOR_LIGHT] = "4f6fae", [COLOR_DARK] = "93a9d6" };
	static const char *const dashes[] = { [COLOR_LIGHT] = "8a7a1f", [COLOR_DARK] = "b5ab62" };
	unsigned kernel = COLOR_KERNEL * COLOR_KIND_SHADES,
		 inlined = COLOR_INLINED * COLOR_KIND_SHADES, first, end;

	color_scheme_range(p->o->scheme, &first, &end);
	if (!p->o->rgb && first == 0 && end > inlined)
		svg_printf(
			p->out,
			".c%u,.c%u,.c%u,.c%u{stroke:#%s}.c%u,.c%u,.c%u,.c%u{stroke:#%s;stroke-dasharray:3 2}",
			kernel, kernel + 1, kernel + 2, kernel + 3, edges[ground], inlined,
			inlined + 1, inlined + 2, inlined + 3, dashes[ground]);
}

/* One class for each color that the scheme uses. */
static void write_dark_colors(struct picture *p)
{
	unsigned first, end;

	color_scheme_range(p->o->scheme, &first, &end);
	svg_printf(p->out, "text{fill:#f2f2f2}.c0{fill:#%.6s}", color_hex(0, COLOR_DARK));
	for (unsigned i = first ? first : 1; i < end; i++)
		svg_printf(p->out, ".c%u{fill:#%.6s}", i, color_hex(i, COLOR_DARK));
	write_edges(p, COLOR_DARK);
}

void picture_write_style(struct picture *p)
{
	output_add(p->out, SPAN("<style>#frames rect{stroke-width:.6;stroke-opacity:.6}"
				"#frames text{pointer-events:none}"));
	write_edges(p, COLOR_LIGHT);
	output_add(p->out, SPAN("@media (prefers-color-scheme:dark){"));
	/* A palette has no dark theme: its fills and the text on them stay. */
	if (!p->o->rgb)
		write_dark_colors(p);
	/* If the SVG is opened by itself, the rest of the window is dark, too. */
	output_add(p->out, SPAN("svg:root{background:#16181c}#ground,#lid{fill:#16181c}"
				"#title{fill:#f2f2f2}#details,.legend,.button{fill:#b4b8c0}"
				".more{fill:#33363c}}</style>\n"));
}
