/*
 * The terminal view: the bytes are what a terminal sends, and names of functions too.  Whatever
 * they are, keys are taken apart to the last byte, every state can be drawn, and no byte of
 * a name is a control character on the screen.  R, which begins a recording anew, brings another
 * profile: half of the bytes, and then all again.
 */
#include "fuzz.h"

#include "base/alloc.h"
#include "tui/viewer.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEYS_DRAWN = 200 };

static void die(const char *why)
{
	fprintf(stderr, "terminal: %s\n", why);
	abort();
}

/* Lines of the bytes as stacks, their words as frames. */
static void fill(struct profile *p, struct span bytes)
{
	profile_init(p);
	profile_event(p, SPAN("samples"), SPAN("samples"));
	while (bytes.size) {
		struct span line = span_upto(bytes, span_find(bytes, '\n'));
		struct tick t = { .weight = (int64_t)line.size + 1, .time = line.size };

		bytes = span_from(bytes, line.size + 1);
		while (line.size) {
			struct span name = span_upto(line, span_find(line, ' '));
			struct line l = { .function = profile_string(p, name), .line = 1 };
			struct frame f = { .line = &l, .nr_line = 1 };

			t.stack = profile_push(p, t.stack, profile_frame(p, &f));
			line = span_from(line, name.size + 1);
		}
		profile_add(p, &t);
	}
}

static void check(const struct screen *s)
{
	for (int i = 0; i < s->width * s->height; i++)
		for (int k = 0; k < s->cell[i].size; k++)
			if ((unsigned char)s->cell[i].text[k] < 0x20 || s->cell[i].text[k] == 0x7f)
				die("a control character on the screen");
}

static void press(struct viewer *v, struct screen *s, struct model m[2], struct span bytes)
{
	struct strbuf out = { 0 };
	unsigned nr = 0, which = 0;

	while (bytes.size) {
		struct key k;
		size_t size = key_parse(bytes, KEY_REST_IS_NONE, &k);

		if (!size || size > bytes.size)
			die("a key of no bytes, or of too many");
		if (key_parse(bytes, KEY_REST_MAY_COME, &k) > bytes.size)
			die("a key of too many bytes");
		key_parse(bytes, KEY_REST_IS_NONE, &k);
		bytes = span_from(bytes, size);
		if (viewer_key(v, &k) == ASK_RESET) {
			which = !which;
			viewer_update(v, &m[which]);
		}
		if (nr++ > KEYS_DRAWN)
			break;
		viewer_draw(v, s);
		check(s);
		strbuf_reset(&out);
		screen_send(s, &out);
	}
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const bool in[] = { true };
	struct span bytes = { .at = (const char *)data, .size = size };
	enum tint_depth depth = size ? (enum tint_depth)(data[0] & 3) : TINT_TRUE;
	struct model_opts o = { .nr_column = 1, .in = { in }, .unit = SPAN("samples") };
	struct profile p[2];
	struct model m[2];
	struct screen s;
	struct viewer v;
	struct theme theme;

	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < 2; i++) {
		fill(&p[i], span_upto(bytes, size / (i + 1)));
		o.p = &p[i];
		model_init(&m[i], &o);
	}
	theme_init(&theme, depth, COLOR_DARK);
	screen_init(&s, (struct screen_can){ depth, size && data[0] & 4 });
	screen_resize(&s, size ? data[size - 1] : 80, 20);
	viewer_init(&v, &m[0], &theme, SPAN("fuzz"));
	v.live = true;
	press(&v, &s, m, bytes);
	viewer_release(&v);
	screen_release(&s);
	for (size_t i = 0; i < 2; i++) {
		model_release(&m[i]);
		profile_release(&p[i]);
	}
	return 0;
}
