/* Checks what recording a program needs from its file: symbols, debug info, unwind tables. */
#include "cmd/doctor/doctor.h"
#include "record/launch/executable.h"
#include "symbol/advice.h"
#include "symbol/packages.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Follows links: package managers know files by their real paths. */
static void make_whole(struct strbuf *path)
{
	char *real = realpath(path->at, NULL);

	if (!real)
		return;
	strbuf_reset(path);
	strbuf_addf(path, "%s", real);
	free(real);
}

/* Takes the last word of "#!/usr/bin/env bash", which mostly is the interpreter. */
static void find_interpreter(struct strbuf *program, const char *path)
{
	char head[256];
	FILE *file = fopen(path, "re");
	size_t n = file ? fread(head, 1, sizeof(head), file) : 0;
	struct span rest = { head, n }, line = span_line(&rest), word;

	if (file)
		fclose(file);
	if (!span_starts(line, "#!"))
		return;
	line = span_from(line, 2);
	while ((word = span_word(&line)).size && word.at[0] != '-') {
		strbuf_reset(program);
		strbuf_add(program, word);
	}
}

void doctor_program_open(struct doctor_program *p, const char *name, const struct naming *n)
{
	struct naming_files files;

	*p = (struct doctor_program){ 0 };
	if (!n->symfs) {
		if (!executable_find(&p->path, name))
			return;
		make_whole(&p->path);
	} else {
		strbuf_addf(&p->path, "%s", name);
	}
	naming_files_init(&files, n);
	p->found = image_facts(strbuf_peek(&p->path), &files.image, &p->facts);
	naming_files_release(&files);
	if (!p->found)
		find_interpreter(&p->script, p->path.at);
}

void doctor_program_close(struct doctor_program *p)
{
	strbuf_release(&p->path);
	strbuf_release(&p->script);
}

/* How to get the debug info: the distribution's package, or an option of the compiler or Go's linker. */
static void add_debug_fix(struct strbuf *fix, const struct doctor_program *p)
{
	struct span path = strbuf_peek(&p->path);
	struct strbuf package = { 0 }, archive = { 0 };

	packages_find("", &path, 1, &package);
	packages_debug_archive("", &archive);
	if (span_is(strbuf_peek(&package), "libc6"))
		strbuf_add(fix, SPAN("sudo apt install libc6-dbg"));
	else if (package.size && archive.size)
		/* apt cannot find the package unless its archive is in sources.list. */
		strbuf_addf(fix, "sudo apt install %s-dbgsym (in sources.list: %s)", package.at,
			    archive.at);
	else if (package.size)
		strbuf_addf(fix, "sudo apt install %s-dbgsym", package.at);
	else
		strbuf_addf(fix, "%s", advice_build(p->facts.is_go));
	strbuf_release(&package);
	strbuf_release(&archive);
}

static void check_symbols(struct finding *f, const void *subject)
{
	const struct doctor_program *p = subject;

	switch (p->facts.symbols) {
	case FACTS_INSIDE:
		return;
	case FACTS_BESIDE:
		strbuf_add(&f->what, SPAN("in a debug file"));
		return;
	case FACTS_NOWHERE:
		f->verdict = LESS;
		/* Stripped Go programs keep the runtime's table of functions. */
		strbuf_addf(&f->what, "stripped: only %s functions",
			    p->facts.is_go ? "Go" : "exported");
		add_debug_fix(&f->fix, p);
	}
}

static void check_dwarf(struct finding *f, const void *subject)
{
	const struct doctor_program *p = subject;

	if (p->facts.dwarf == FACTS_BESIDE)
		strbuf_add(&f->what, SPAN("in a debug file"));
	if (p->facts.dwarf)
		return;
	f->verdict = LESS;
	strbuf_add(&f->what, SPAN("no debug info"));
	add_debug_fix(&f->fix, p);
}

static void check_link(struct finding *f, const void *subject)
{
	const struct image_facts *facts = &((const struct doctor_program *)subject)->facts;

	if (!*facts->link) {
		strbuf_add(&f->what, SPAN("none referenced"));
		return;
	}
	strbuf_addf(&f->what, "%s", facts->link);
	if (facts->symbols == FACTS_BESIDE || facts->dwarf)
		return;
	f->verdict = LESS;
	strbuf_add(&f->what, SPAN(": not found"));
	add_debug_fix(&f->fix, subject);
}

static void check_build_id(struct finding *f, const void *subject)
{
	const struct image_facts *facts = &((const struct doctor_program *)subject)->facts;

	if (*facts->build_id) {
		strbuf_addf(&f->what, "%s", facts->build_id);
		return;
	}
	f->verdict = LESS;
	strbuf_add(&f->what, SPAN("none: wick cannot detect that the file was replaced"));
	strbuf_addf(&f->fix, "%s",
		    facts->is_go ? "build with -ldflags='-B gobuildid' (Go 1.22 or later), or "
				   "-ldflags='-linkmode=external -extldflags=-Wl,--build-id'"
				 : "link with -Wl,--build-id");
}

static void check_frames(struct finding *f, const void *subject)
{
	const struct image_facts *facts = &((const struct doctor_program *)subject)->facts;

	if (facts->frames)
		return;
	f->verdict = LESS;
	strbuf_add(&f->what, SPAN("no .eh_frame: wick can only unwind by frame pointers"));
	strbuf_addf(&f->fix, "%s",
		    facts->is_go ? advice_build(true)
				 : "compile with -fasynchronous-unwind-tables");
}

/* Frame pointers are not needed, so their absence has no fix. */
static void check_pointers(struct finding *f, const void *subject)
{
	const struct image_facts *facts = &((const struct doctor_program *)subject)->facts;

	if (!facts->nr_function) {
		strbuf_add(&f->what, SPAN("unknown: no symbols"));
		return;
	}
	strbuf_addf(&f->what, "in %.0f %% of functions, so --call-graph fp is %s",
		    100.0 * (double)facts->nr_framed / (double)facts->nr_function,
		    facts->nr_framed * 2 > facts->nr_function ? "possible" : "useless");
	if (!facts->frames && facts->nr_framed * 2 <= facts->nr_function) {
		f->verdict = LESS;
		strbuf_add(&f->fix, SPAN("compile with -fno-omit-frame-pointer"));
	}
}

const struct check checks_of_program[] = {
	{ "symbols", check_symbols },
	{ "inlined calls and source lines (DWARF)", check_dwarf },
	{ "debug file", check_link },
	{ "build ID", check_build_id },
	{ "unwind tables", check_frames },
	{ "frame pointers", check_pointers },
	{ 0 },
};
