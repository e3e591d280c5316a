/* wick's own colors: the cases that web/color.js is held to as well, and labels of a profile. */
#include "render/color.h"

#include "base/alloc.h"
#include "profile/spelling.h"
#include "render/color_states.h"
#include "span_tap.h"

#include <stdlib.h>

/* The next column of a row. */
static struct span column(struct span *row)
{
	struct span field = span_upto(*row, span_find(*row, '\t'));

	*row = span_from(*row, field.size + 1);
	return field;
}

static unsigned number(struct span text)
{
	uint64_t value = 0;

	span_u64(text, &value);
	return (unsigned)value;
}

static unsigned color_of_row(enum color_scheme scheme, struct span *row)
{
	enum frame_kind kind = (enum frame_kind)number(column(row));
	unsigned flags = number(column(row)), inlined = number(column(row));
	struct span module = column(row), name = column(row);
	enum color_kind is = color_kind_of(kind, flags, inlined, module);
	double value = 0;
	size_t rank;

	switch (scheme) {
	case COLOR_KIND:
		return color_by_kind(is, name);
	case COLOR_MODULE:
		rank = number(span_word(&module));
		module = span_trim_start(module);
		return color_by_hue(color_hue_of(rank, color_module_name(module)), name);
	case COLOR_FUNCTION:
		return color_by_function(name);
	case COLOR_STATE:
		return color_by_state(color_state_of(module), name);
	case COLOR_SELF:
	case COLOR_DIFF:
		span_double(name, &value);
		break;
	}
	return scheme == COLOR_SELF ? color_by_self(value) : color_by_change(value);
}

static void test_cases(void)
{
	FILE *f = fopen(TESTS_DIR "/color/cases.tsv", "re");
	char line[512];

	if (!ok(f, "tests/color/cases.tsv can be opened"))
		return;
	while (fgets(line, sizeof(line), f)) {
		struct span row;
		enum color_scheme scheme = COLOR_KIND;
		unsigned color;

		line[strcspn(line, "\n")] = '\0';
		row = span_of(line);
		if (row.at[0] == '#')
			continue;
		if (!ok(color_scheme_find(column(&row), &scheme), line))
			continue;
		color = color_of_row(scheme, &row);
		is_int(color, number(row), line);
	}
	fclose(f);
}

static void test_ranges(void)
{
	unsigned first, end;

	color_scheme_range(COLOR_DIFF, &first, &end);
	is_int(color_by_change(-1), first, "the largest decrease has the first color of its range");
	is_int(color_by_change(1), end - 1, "the largest increase has the last color of its range");
	color_scheme_range(COLOR_SELF, &first, &end);
	is_int(color_by_self(0), first, "a self share of 0 has the first color of its range");
	is_int(color_by_self(1), end - 1, "a self share of 1 has the last color of its range");
	is_int(strlen(color_hex(0, COLOR_LIGHT)), 6 * NR_COLORS,
	       "the light palette has all colors");
	is_int(strlen(color_hex(0, COLOR_DARK)), 6 * NR_COLORS, "the dark palette has all colors");
}

static frame_id add_flagged(struct profile *p, const char *name, enum frame_kind kind,
			    unsigned flags, const char *module)
{
	struct line line = { .function = profile_string(p, span_of(name)) };
	struct frame f = { .kind = kind, .flags = flags, .line = &line, .nr_line = 1 };

	if (*module)
		f.module = profile_module(p, span_of(module), SPAN(""));
	return profile_frame(p, &f);
}

static frame_id add_frame(struct profile *p, const char *name, enum frame_kind kind,
			  const char *module)
{
	return add_flagged(p, name, kind, 0, module);
}

/* Frames that share a name share a color, whichever comes first. */
static void test_labels(void)
{
	struct profile p;
	struct labels l;
	uint8_t *color;

	profile_init(&p);
	add_frame(&p, "free", FRAME_USER, "/lib/libc.so.6");
	add_frame(&p, "free", FRAME_USER, "/bin/app");
	add_frame(&p, "read", FRAME_KERNEL, "");
	labels_init(&l, &p, SPELL_UTF8);
	color = color_labels(&p, &l, COLOR_KIND, NULL);
	is_int(color[labels_find(&l, SPAN("free"))] / COLOR_KIND_SHADES, COLOR_USER,
	       "a function of a library and of the program has the color of the program");
	is_int(color[labels_find(&l, SPAN("read"))] / COLOR_KIND_SHADES, COLOR_KERNEL,
	       "a function of the kernel has the color of the kernel");
	free(color);
	labels_release(&l);
	profile_release(&p);
}

/* Of Rust, crates are told apart: the compiler's, the program's, others. */
static void test_crates(void)
{
	static const struct {
		const char *name;
		enum color_kind want;
	} functions[] = {
		{ "<std::time::Instant>::now", COLOR_LIBRARY },
		{ "core::fmt::write", COLOR_LIBRARY },
		{ "serde::de", COLOR_JIT },
		{ "app::main", COLOR_USER },
		{ "<T as core::X>::f", COLOR_LIBRARY },
		{ "main", COLOR_USER },
	};
	struct profile p;
	struct labels l;
	uint8_t *color;

	profile_init(&p);
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		add_frame(&p, functions[i].name, FRAME_USER, "/bin/app");
	profile_inform(&p, SPAN("crates"), SPAN("std core alloc serde"));
	labels_init(&l, &p, SPELL_UTF8);
	color = color_labels(&p, &l, COLOR_KIND, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		is_int(color[labels_find(&l, span_of(functions[i].name))] / COLOR_KIND_SHADES,
		       functions[i].want, functions[i].name);
	free(color);
	labels_release(&l);
	profile_release(&p);
}

static void add_samples(struct profile *p, stack_id stack, uint64_t nr)
{
	profile_add_count(p, &(struct count){ .stack = stack, .weight = (int64_t)nr, .nr = nr });
}

/* The same profile as in tests/web/color.mjs. */
static void make_called(struct profile *p)
{
	frame_id top = add_frame(p, "main", FRAME_USER, "/bin/app");
	frame_id inner = add_flagged(p, "inner", FRAME_USER, FRAME_INLINED, "");
	frame_id outer = add_flagged(p, "outer", FRAME_USER, FRAME_INLINED, "");
	frame_id copy = add_frame(p, "memcpy", FRAME_USER, "/lib/libc.so.6");
	frame_id helper = add_frame(p, "helper", FRAME_USER, "/old/app");
	frame_id kernel = add_frame(p, "sys_read", FRAME_KERNEL, "[kernel.kallsyms]");
	frame_id nobody = add_frame(p, "nobody", FRAME_USER, "");
	stack_id first = profile_push(p, (stack_id){ 0 }, top);

	profile_module(p, SPAN("/lib/unused.so"), SPAN(""));
	profile_event(p, SPAN("cycles"), SPAN("samples"));
	add_samples(p, profile_push(p, profile_push(p, first, inner), copy), 3);
	add_samples(p, profile_push(p, profile_push(p, first, kernel), outer), 1);
	add_samples(p, profile_push(p, first, helper), 1);
	add_samples(p, profile_push(p, (stack_id){ 0 }, nobody), 9);
}

static void test_modules(void)
{
	static const struct {
		const char *name;
		unsigned first, shades;
		const char *what;
	} want[] = {
		{ "main", COLOR_HUES + 1 * COLOR_HUE_SHADES, COLOR_HUE_SHADES,
		  "the module with the largest area has the first hue" },
		{ "helper", COLOR_HUES + 1 * COLOR_HUE_SHADES, COLOR_HUE_SHADES,
		  "a module with the same file name has the same hue" },
		{ "memcpy", COLOR_HUES + 4 * COLOR_HUE_SHADES, COLOR_HUE_SHADES,
		  "the module with the second largest area has the next hue" },
		{ "inner", COLOR_HUES + 1 * COLOR_HUE_SHADES, COLOR_HUE_SHADES,
		  "an inlined function has the hue of its caller's module" },
		{ "outer", COLOR_KERNEL * COLOR_KIND_SHADES, COLOR_KIND_SHADES,
		  "a function that is inlined into the kernel has the color of the kernel" },
		{ "sys_read", COLOR_KERNEL * COLOR_KIND_SHADES, COLOR_KIND_SHADES,
		  "a function of the kernel has no hue of a module" },
		{ "nobody", COLOR_ROOT * COLOR_KIND_SHADES, COLOR_KIND_SHADES,
		  "a function without a module has the color of roots" },
	};
	struct profile p;
	struct labels l;
	struct color_modules m;
	uint8_t *color;

	profile_init(&p);
	make_called(&p);
	labels_init(&l, &p, SPELL_UTF8);
	color_modules_init(&m, &p);
	is_int(m.nr, 2, "modules are those in stacks, each file name once, without the kernel");
	is_span(m.list[0].name, "app", "the module with the largest area comes first");
	is_span(m.list[1].name, "libc.so.6",
		"the module with the second largest area comes second");
	color = color_labels(&p, &l, COLOR_MODULE, &m);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		ok(color[labels_find(&l, span_of(want[i].name))] - want[i].first < want[i].shades,
		   want[i].what);
	free(color);
	color_modules_release(&m);
	labels_release(&l);
	profile_release(&p);
}

int main(void)
{
	test_cases();
	test_ranges();
	test_labels();
	test_crates();
	test_modules();
	return done();
}
