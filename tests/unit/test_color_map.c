/* Colors that names keep: read, used, written in order. */
#include "render/peer/color_map.h"

#include "span_tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/wick-color-map.XXXXXX";

static void write_text(const char *text)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

static const char *read_text(void)
{
	static char text[1024];
	FILE *f = fopen(path, "r");

	text[f ? fread(text, 1, sizeof(text) - 1, f) : 0] = '\0';
	if (f)
		fclose(f);
	return text;
}

static bool is_rgb(struct rgb c, int r, int g, int b)
{
	return c.r == r && c.g == g && c.b == b;
}

static void test_use(void)
{
	struct error e = ERROR_INIT;
	struct color_map m;
	struct colors c;
	struct rgb picked;

	colors_init(&c, PALETTE_HOT, SHADE_RUNNING, NAME_RULES_INFERNO);
	write_text("main->rgb(1,2,3)\nz->rgb(4, 5,255)\n->rgb(7,8,9)\noperator->->rgb(10,11,12)\n");
	is_int(color_map_read(&m, path, &e), 0, "a valid map is read");
	is_int(m.nr_bad, 0, "a valid map has no bad line");
	ok(is_rgb(color_map_pick(&m, &c, SPAN("main")), 1, 2, 3),
	   "a name of the map keeps its color");
	ok(is_rgb(color_map_pick(&m, &c, SPAN("z")), 4, 5, 255),
	   "blanks between the numbers of a color are ignored");
	ok(is_rgb(color_map_pick(&m, &c, SPAN("")), 7, 8, 9),
	   "the root, whose name is empty, keeps its color");
	ok(is_rgb(color_map_pick(&m, &c, SPAN("operator->")), 10, 11, 12),
	   "a name that contains an arrow keeps its color");
	picked = color_map_pick(&m, &c, SPAN("new"));
	ok(is_rgb(picked, 227, 0, 7), "a new name gets a color of the palette");
	picked = color_map_pick(&m, &c, SPAN("new"));
	ok(is_rgb(picked, 227, 0, 7), "a new name keeps its color");
	color_map_pick(&m, &c, SPAN("a"));
	is_int(color_map_write(&m, path, &e), 0, "a map with new names is written");
	is_str(read_text(),
	       "->rgb(7,8,9)\na->rgb(217,0,24)\nmain->rgb(1,2,3)\nnew->rgb(227,0,7)\n"
	       "operator->->rgb(10,11,12)\nz->rgb(4,5,255)\n",
	       "a map is written in the order of its names");
	color_map_release(&m);
}

static void test_bad(void)
{
	struct error e = ERROR_INIT;
	struct color_map m;
	struct colors c;

	colors_init(&c, PALETTE_HOT, SHADE_RUNNING, NAME_RULES_INFERNO);
	write_text("good->rgb(1,2,3)\nbad\nbad->\nbad->rgb\nbad->rgb(1,2)\nbad->rgb(1,2,256)\n"
		   "bad->rgb(1,2,x)\nbad->rgb(1,2,3\nbad->rgb(1,2,3)x\nbad->rgb(-1,2,3)\n\n");
	is_int(color_map_read(&m, path, &e), 0, "a map with bad lines is read");
	is_int(m.nr_bad, 9, "bad lines of a map are counted");
	is_int(m.names.nr, 1, "bad lines of a map are skipped");
	color_map_release(&m);

	unlink(path);
	is_int(color_map_read(&m, path, &e), 0,
	       "a map that does not exist is read without an error");
	is_int(m.names.nr, 0, "a map that does not exist is empty");
	is_int(color_map_write(&m, path, &e), 0, "an empty map is written");
	is_str(read_text(), "", "an empty map is written as an empty file");
	is_int(color_map_write(&m, "/nonexistent/map", &e), -1,
	       "a map is not written to a missing directory");
	like(e.text, "nonexistent.*No such file",
	     "an error of writing a map has its path and the reason");
	color_map_release(&m);
	is_int(color_map_read(&m, "/", &e), -1, "a directory is rejected as a map");
	color_map_release(&m);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	test_use();
	test_bad();
	unlink(path);
	return done();
}
