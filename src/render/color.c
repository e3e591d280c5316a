#include "render/color.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/crate.h"
#include "profile/spelling.h"

#include <stdlib.h>

/*
 * Six hexadecimal digits per color, in the order of the numbers.  The colors are in steps of equal
 * lightness (OKLCH); text on them has a contrast of at least 4.5, which a test checks.
 */
static const char *const grounds[] = {
	[COLOR_LIGHT] = "d4d6d8d8dadcdcdee0e0e2e4"
			"eab07decbc8ceec79cf0d3ac"
			"94cdaca0d4baacdcc7b9e3d4"
			"a1bfefb0c7f2becff5ccd7f8"
			"cdbf76d0c989d4d39cd9dcae"
			"dfabcee6b6d2ecc1d6f2cbdc"
			"f0ada7fcb8b2ffc8c3e7b68cf3c197fecca4cfc285dbcd90e6d89badcd97"
			"b8d8a2c3e3ad8cd2b897dec3a2e9ce80d0d98bdce596e7f192c8f09dd4fc"
			"b2deffb3bdf5bfc8fecdd5fed3b2e6dfbdf2eac9fee9acc9f5b7d4ffc4df"
			"efebddece2c7ecd7b2eccb9eeebe8bf0b179f2a26af4925df58254f57050"
			"52a9fe6bb4fe83bffd99c9fbaed3fac4ddf8e0e1e4f3d2bef2c4a6f1b58e"
			"efa775ed975aeb883b",
	[COLOR_DARK] = "3b3d403e404342434745474a"
		       "633c156a451b704d21775628"
		       "27503a2c584431604e376859"
		       "3247673c4e6f465577515c80"
		       "51470b564f165a58215f612b"
		       "5c39516540576e485c784f61"
		       "66393671433f7b4c48613f216b482a75523452481a5b5124655b2e3a4f2a"
		       "4359334c633c1c5342275d4b316754095258195b6225656c244c672e5672"
		       "375f7c3f446a484e7551577f543d615e466b68507562394d6c4257764c61"
		       "3b3732443b2f4f3f2c5a41296543277145257d46248a4625964628a3452e"
		       "1f6cb028659f2e5f8e33587d36516d394a5d41424559433567463075492a"
		       "834c22914e169e5107",
};

static const char *const schemes[] = { "kind", "module", "function", "self", "diff", "state" };

const char *color_hex(unsigned color, enum color_ground ground)
{
	return grounds[ground] + 6 * (size_t)color;
}

bool color_scheme_find(struct span name, enum color_scheme *scheme)
{
	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (span_is(name, schemes[i])) {
			*scheme = (enum color_scheme)i;
			return true;
		}
	return false;
}

const char *color_scheme_name(enum color_scheme scheme)
{
	return schemes[scheme];
}

void color_scheme_range(enum color_scheme scheme, unsigned *first, unsigned *end)
{
	static const unsigned ranges[][2] = {
		[COLOR_KIND] = { 0, COLOR_HUES },
		[COLOR_MODULE] = { 0, COLOR_HEAT },
		[COLOR_FUNCTION] = { COLOR_HUES, COLOR_HEAT },
		[COLOR_SELF] = { COLOR_HEAT, COLOR_HEAT + NR_COLOR_HEAT },
		[COLOR_DIFF] = { COLOR_HEAT + NR_COLOR_HEAT, NR_COLORS },
		[COLOR_STATE] = { 0, COLOR_HEAT },
	};

	*first = ranges[scheme][0];
	*end = ranges[scheme][1];
}

/* FNV-1a, its upper half folded in, since callers use the hash modulo a small number. */
uint32_t color_hash(struct span name)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < name.size; i++)
		h = (h ^ (unsigned char)name.at[i]) * 16777619u;
	return h ^ h >> 15;
}

/* libc.so.6, libfoo.so (deleted), foo.dylib, foo.dll, [vdso] */
static bool is_library(struct span path)
{
	struct span name = color_module_name(path);
	size_t at = span_find_text(name, ".so");

	if (at < name.size && (at + 3 == name.size || strchr(". (", name.at[at + 3])))
		return true;
	return span_ends(name, ".dylib") || span_ends(name, ".dll") || span_ends(name, ".DLL") ||
	       span_is(name, "[vdso]");
}

enum color_kind color_kind_of(enum frame_kind kind, unsigned flags, bool inlined,
			      struct span module)
{
	if (kind == FRAME_LABEL)
		return COLOR_ROOT;
	if (kind == FRAME_KERNEL)
		return COLOR_KERNEL;
	if (inlined || flags & (FRAME_INLINED | FRAME_JIT_INLINED))
		return COLOR_INLINED;
	if (kind == FRAME_JIT)
		return COLOR_JIT;
	return is_library(module) ? COLOR_LIBRARY : COLOR_USER;
}

unsigned color_by_kind(enum color_kind kind, struct span name)
{
	return kind * COLOR_KIND_SHADES + color_hash(name) % COLOR_KIND_SHADES;
}

unsigned color_by_hue(unsigned hue, struct span name)
{
	return COLOR_HUES + hue * COLOR_HUE_SHADES + color_hash(name) % COLOR_HUE_SHADES;
}

unsigned color_by_function(struct span name)
{
	return COLOR_HUES + color_hash(name) % (NR_COLOR_HUES * COLOR_HUE_SHADES);
}

unsigned color_by_self(double share)
{
	static const double least[] = { 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2 };
	unsigned step = 0;

	while (step < ARRAY_SIZE(least) && share >= least[step])
		step++;
	return COLOR_HEAT + step;
}

unsigned color_by_change(double change)
{
	static const double least[] = { 0.001, 0.003, 0.01, 0.03, 0.1, 0.3 };
	double size = change < 0 ? -change : change;
	unsigned step = 0;

	while (step < ARRAY_SIZE(least) && size >= least[step])
		step++;
	return change < 0 ? COLOR_SAME - step : COLOR_SAME + step;
}

/*
 * Facts about a label.  Its frames may be of several kinds and modules: the smallest kind and
 * module hash count, so that the color does not depend on the order of the frames.
 */
struct label_facts {
	uint8_t kind;	      /* enum color_kind; NR_COLOR_KINDS: no frame has the label */
	bool in_kernel;	      /* an inlined call in the kernel */
	uint32_t module_hash; /* of the module's name */
	module_id module;     /* 0: none */
};

static void add_module(struct label_facts *f, const struct profile *p, module_id module)
{
	struct span path = profile_peek(p, p->module[module.i].path);
	uint32_t hash = color_hash(color_module_name(path));

	if (module.i && (!f->module.i || hash < f->module_hash)) {
		f->module = module;
		f->module_hash = hash;
	}
}

static void add_facts(struct label_facts *f, const struct profile *p, const struct frame *frame,
		      bool inlined)
{
	struct span module = profile_peek(p, p->module[frame->module.i].path);
	uint8_t kind = (uint8_t)color_kind_of(frame->kind, frame->flags, inlined, module);

	if (kind < f->kind)
		f->kind = kind;
	add_module(f, p, frame->module);
}

static struct label_facts *collect_facts(const struct profile *p, const struct labels *l)
{
	struct label_facts *facts = xcalloc(l->nr, sizeof(*facts));

	for (uint32_t i = 0; i < l->nr; i++)
		facts[i].kind = NR_COLOR_KINDS;
	for (uint32_t f = 0; f < p->nr_frame; f++)
		for (uint32_t k = l->first[f]; k < l->first[f + 1]; k++)
			add_facts(&facts[l->of_frame[k]], p, &p->frame[f], k > l->first[f]);
	return facts;
}

/* The crates of a Rust program, from the profile's info; those of the compiler come first. */
static void find_crates(struct intern *crates, const struct profile *p)
{
	for (size_t i = 0; i < p->nr_info; i++) {
		struct span rest = profile_peek(p, p->info[i].value), word;

		if (!span_is(profile_peek(p, p->info[i].key), "crates"))
			continue;
		while ((word = span_word(&rest)).size)
			intern(crates, word);
		return;
	}
}

/* Code of another crate is colored as such even if it was inlined. */
static void add_crates(struct label_facts *facts, const struct profile *p, const struct labels *l)
{
	enum { COMPILER_CRATES = 3 };
	struct intern crates = { 0 };

	find_crates(&crates, p);
	for (uint32_t i = 0; i < l->nr && crates.nr; i++) {
		struct span crate = crate_of(labels_peek(l, i));
		uint32_t at =
			crate.size ? intern_find(&crates, crate, intern_hash(crate)) : INTERN_NONE;

		if (at != INTERN_NONE)
			facts[i].kind = at < COMPILER_CRATES ? COLOR_LIBRARY : COLOR_JIT;
	}
	intern_release(&crates);
}

/* An inlined call without its own module gets that of its owner. */
static void add_owners(struct label_facts *facts, const struct profile *p, const struct labels *l,
		       const frame_id *owner)
{
	for (uint32_t s = 1; s < p->nr_stack; s++) {
		uint32_t f = p->stack[s].frame.i;
		const struct frame *o = &p->frame[owner[s].i];

		if (f == owner[s].i)
			continue;
		for (uint32_t k = l->first[f]; k < l->first[f + 1]; k++)
			if (o->kind == FRAME_KERNEL)
				facts[l->of_frame[k]].in_kernel = true;
			else
				add_module(&facts[l->of_frame[k]], p, o->module);
	}
}

static unsigned module_color(const struct label_facts *f, const struct color_modules *modules,
			     struct span name)
{
	if (f->kind == COLOR_KERNEL || (f->in_kernel && !f->module.i))
		return color_by_kind(COLOR_KERNEL, name);
	return f->module.i ? color_by_hue(modules->hue[f->module.i], name)
			   : color_by_kind(COLOR_ROOT, name);
}

uint8_t *color_labels(const struct profile *p, const struct labels *l, enum color_scheme scheme,
		      const struct color_modules *modules)
{
	struct label_facts *facts = collect_facts(p, l);
	uint8_t *color = xcalloc(l->nr, sizeof(*color));
	struct strbuf text = { 0 };

	add_crates(facts, p, l);
	if (scheme == COLOR_MODULE)
		add_owners(facts, p, l, modules->owner);
	for (uint32_t i = 0; i < l->nr; i++) {
		enum color_kind kind = facts[i].kind == NR_COLOR_KINDS
					       ? COLOR_ROOT
					       : (enum color_kind)facts[i].kind;

		/* The page hashes names in UTF-8: its colors must be the same. */
		strbuf_reset(&text);
		spelling_utf8(&text, labels_peek(l, i));
		if (scheme == COLOR_FUNCTION)
			color[i] = (uint8_t)color_by_function(strbuf_peek(&text));
		else if (scheme == COLOR_MODULE)
			color[i] = (uint8_t)module_color(&facts[i], modules, strbuf_peek(&text));
		else
			color[i] = (uint8_t)color_by_kind(kind, strbuf_peek(&text));
	}
	strbuf_release(&text);
	free(facts);
	return color;
}
