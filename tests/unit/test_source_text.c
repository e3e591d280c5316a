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

	if (!ok(mkdtemp(folder), "a temporary folder is created") || chdir(folder))
		return done();
	mkdir("src", 0700);
	write_file("src/a.c", "one\ntwo\r\nthree");
	write_file("a.c", "other\nhere\n");
	mkfifo("pipe", 0600);
	strbuf_addf(&path, "%s/src/a.c", folder);
	check(strbuf_peek(&path), NULL, "two", "a source is found by its path");
	check(SPAN("/build/src/a.c"), NULL, NULL,
	      "a source is not found by a path that does not exist");
	check(SPAN("/build/src/a.c"), folder, "two",
	      "a source is found below a folder by the longest suffix of its path");
	check(SPAN("/build/lib/a.c"), folder, "here",
	      "a source is found below a folder by its name alone");
	check(SPAN("/build/b.c"), folder, NULL,
	      "a source whose name is not below the folder is not found");
	check(SPAN("../src/a.c"), folder, "two",
	      "'..' at the beginning of a path does not leave the folder");
	check(SPAN("src/.."), folder, NULL, "a path that ends with '..' is not found");
	check(SPAN("src"), folder, NULL, "a folder is not opened as a source");
	check(SPAN("pipe"), folder, NULL, "a pipe is not opened as a source");
	check(SPAN("a.c\0b"), folder, NULL, "a path with a NUL is not found");
	check(SPAN(""), folder, NULL, "an empty path is not found");
	if (ok(source_text_open(&s, SPAN("src/a.c"), folder),
	       "a source opens by a relative path below a folder")) {
		is_int((intmax_t)s.nr, 3, "a source has all its lines");
		is_span(source_text_line(&s, 3), "three",
			"the last line of a source needs no newline");
		is_span(source_text_line(&s, 4), "",
			"a line number behind the last gives an empty line");
		is_span(source_text_line(&s, 0), "", "line number 0 gives an empty line");
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
