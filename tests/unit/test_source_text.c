/* Sources, wherever they are now. */
#include "load/source_text.h"

#include "base/strbuf.h"
#include "span_tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/wick-source.XXXXXX";

static void write_file(const char *name, const char *text)
{
	struct strbuf path = { 0 };
	FILE *f;

	strbuf_addf(&path, "%s/%s", folder, name);
	f = fopen(path.at, "w");
	if (f) {
		fputs(text, f);
		fclose(f);
	}
	strbuf_release(&path);
}

static void check(struct span path, const char *below, const char *want, const char *what)
{
	struct source_text s;

	if (!source_text_open(&s, path, below)) {
		is_str(NULL, want, what);
		return;
	}
	is_span(source_text_line(&s, 2), want ? want : "(should not be there)", what);
	source_text_release(&s);
}

int main(void)
{
	struct strbuf path = { 0 };
	struct source_text s;

	if (!ok(mkdtemp(folder), "a folder") || chdir(folder))
		return done();
	mkdir("src", 0700);
	write_file("src/a.c", "one\ntwo\r\nthree");
	write_file("a.c", "other\nhere\n");
	mkfifo("pipe", 0600);
	strbuf_addf(&path, "%s/src/a.c", folder);
	check(strbuf_peek(&path), NULL, "two", "by its path");
	check(SPAN("/build/src/a.c"), NULL, NULL, "which may be gone");
	check(SPAN("/build/src/a.c"), folder, "two",
	      "below another folder, as much of it as is there");
	check(SPAN("/build/lib/a.c"), folder, "here", "or its name alone");
	check(SPAN("/build/b.c"), folder, NULL, "or not");
	check(SPAN("../src/a.c"), folder, "two", "the way out is not taken");
	check(SPAN("src/.."), folder, NULL, "at its end neither");
	check(SPAN("src"), folder, NULL, "a folder is no text");
	check(SPAN("pipe"), folder, NULL, "nor is a pipe");
	check(SPAN("a.c\0b"), folder, NULL, "nor is a path with a zero");
	check(SPAN(""), folder, NULL, "nor nothing");
	if (ok(source_text_open(&s, SPAN("src/a.c"), folder), "opens")) {
		is_int((intmax_t)s.nr, 3, "all lines");
		is_span(source_text_line(&s, 3), "three", "with the last");
		is_span(source_text_line(&s, 4), "", "and none behind");
		is_span(source_text_line(&s, 0), "", "or before");
		source_text_release(&s);
	}
	unlink("src/a.c");
	unlink("a.c");
	unlink("pipe");
	rmdir("src");
	rmdir(folder);
	strbuf_release(&path);
	return done();
}
