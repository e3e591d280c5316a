/* The <style> of wick's own picture: colors as classes, for a light background and a dark one. */
#include "render/picture_parts.h"
#include "render/svg_text.h"

/* One class for each color that the scheme uses. */
static void write_classes(struct picture *p, enum color_ground ground)
{
	static const char *const edges[] = { [COLOR_LIGHT] = "4f6fae", [COLOR_DARK] = "93a9d6" };
	static const char *const dashes[] = { [COLOR_LIGHT] = "8a7a1f", [COLOR_DARK] = "b5ab62" };
	unsigned first, end, kernel = COLOR_KERNEL * COLOR_KIND_SHADES,
			     inlined = COLOR_INLINED * COLOR_KIND_SHADES;

	color_scheme_range(p->o->scheme, &first, &end);
	if (p->o->rgb)
		first = end = 1;
	svg_printf(p->out, ".c0{fill:#%.6s}", color_hex(0, ground));
	for (unsigned i = first ? first : 1; i < end; i++)
		svg_printf(p->out, ".c%u{fill:#%.6s}", i, color_hex(i, ground));
	/* Kernel and inlined code also have an edge of their own: not everybody sees the hue. */
	if (first == 0 && end > inlined)
		svg_printf(
			p->out,
			".c%u,.c%u,.c%u,.c%u{stroke:#%s}.c%u,.c%u,.c%u,.c%u{stroke:#%s;stroke-dasharray:3 2}",
			kernel, kernel + 1, kernel + 2, kernel + 3, edges[ground], inlined,
			inlined + 1, inlined + 2, inlined + 3, dashes[ground]);
}

void picture_write_style(struct picture *p)
{
	output_add(
		p->out,
		SPAN("<style>"
		     "text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:#1a1a1a}"
		     "#title{font:600 16px system-ui,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}"
		     "#details,.legend,.button{font:12px system-ui,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif;fill:#4a4d55}"
		     /* Where the picture is the whole window, the rest of it too. */
		     "svg:root{background:#fff}#ground,#lid{fill:#fff}"
		     "#frames rect{stroke-width:.6;stroke-opacity:.6}"
		     "#frames text{pointer-events:none;stroke:none}"
		     ".more{fill:#d9dade}"));
	write_classes(p, COLOR_LIGHT);
	if (p->o->rgb) {
		/* A palette has no dark half: its fills and the text on them stay. */
		output_add(
			p->out,
			SPAN("@media (prefers-color-scheme:dark){svg:root{background:#16181c}#ground,#lid{fill:#16181c}"
			     "#title{fill:#f2f2f2}#details,.legend,.button{fill:#b4b8c0}.more{fill:#33363c}}"));
	} else {
		output_add(
			p->out,
			SPAN("@media (prefers-color-scheme:dark){svg:root{background:#16181c}#ground,#lid{fill:#16181c}text{fill:#f2f2f2}"
			     "#details,.legend,.button{fill:#b4b8c0}.more{fill:#33363c}"));
		write_classes(p, COLOR_DARK);
		output_char(p->out, '}');
	}
	output_add(p->out, SPAN("</style>\n"));
}
