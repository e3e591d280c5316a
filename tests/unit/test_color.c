/* wick's own colors: the cases that web/color.js is held to as well, and labels of a profile. */
#include "render/color.h"

#include "base/alloc.h"
#include "profile/spelling.h"
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

	switch (scheme) {
	case COLOR_KIND:
		return color_by_kind(is, name);
	case COLOR_MODULE:
		return color_by_module(is, module, name);
	case COLOR_FUNCTION:
		return color_by_function(name);
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

	if (!ok(f, "the cases are there"))
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
	is_int(color_by_change(-1), first, "the least is the first of its range");
	is_int(color_by_change(1), end - 1, "the most is the last");
	color_scheme_range(COLOR_SELF, &first, &end);
	is_int(color_by_self(0), first, "cold");
	is_int(color_by_self(1), end - 1, "hot");
	is_int(strlen(color_hex(0, COLOR_LIGHT)), 6 * NR_COLORS, "as many light ones as there are");
	is_int(strlen(color_hex(0, COLOR_DARK)), 6 * NR_COLORS, "and dark ones");
}

static frame_id add_frame(struct profile *p, const char *name, enum frame_kind kind,
			  const char *module)
{
	struct line line = { .function = profile_string(p, span_of(name)) };
	struct frame f = { .kind = kind, .line = &line, .nr_line = 1 };

	if (*module)
		f.module = profile_module(p, span_of(module), SPAN(""));
	return profile_frame(p, &f);
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
	color = color_labels(&p, &l, COLOR_KIND);
	is_int(color[intern(&l.names, SPAN("free"))] / COLOR_KIND_SHADES, COLOR_USER,
	       "of a library and the program: the program's");
	is_int(color[intern(&l.names, SPAN("read"))] / COLOR_KIND_SHADES, COLOR_KERNEL,
	       "of the kernel");
	free(color);
	labels_release(&l);
	profile_release(&p);
}

int main(void)
{
	test_cases();
	test_ranges();
	test_labels();
	return done();
}
