/*
 * What JIT compilers write for perf, of any bytes: a dump, or else a list of
 * functions.  A place that is found is in the dump, and nothing is read outside of it.
 */
#include "fuzz.h"

#include "image/cfi/cfi.h"
#include "image/jit/jitdump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void die(const char *why)
{
	fprintf(stderr, "%s\n", why);
	abort();
}

/* Its rows, at all places of a piece of code. */
static void find_rows(const struct jit_codes *c, const struct jit_code *code)
{
	for (uint64_t i = 0; c->cfi && i < code->end - code->begin; i++) {
		uint32_t rule = cfi_find(c->cfi, code->place + i);

		if (rule >= c->cfi->rules.size)
			die("a rule that is not there");
		if (cfi_rule_at(c->cfi, rule)->nr_saved > CFI_REGISTERS)
			die("a rule that is none");
	}
}

/* As ingest does: by address and time. */
static void find_codes(struct span bytes)
{
	struct jitdump d;
	struct jit_codes c = { 0 };

	/* It was shorter when it was read first. */
	if (jitdump_init(&d, span_upto(bytes, bytes.size / 2)))
		jit_codes_parse(&c, &d);
	if (!jitdump_init(&d, bytes)) {
		jit_codes_release(&c);
		return;
	}
	jit_codes_parse(&c, &d);
	for (size_t i = 0; i < c.nr && c.nr <= JIT_USES_MAX; i++)
		for (int late = 0; late < 2; late++) {
			uint64_t time = late ? JIT_ANY_TIME : c.code[i].time;
			const struct jit_code *code = jit_codes_find(&c, c.code[i].begin, time);

			if (!code)
				die("code that is not where it is");
			if (code->place >= bytes.size)
				die("a place behind the end");
			find_rows(&c, code);
		}
	jit_codes_release(&c);
}

/* As symbolize() does: by place, of a file with this name. */
static void find_names(const char *name, struct span bytes)
{
	struct source_line line[INLINED_MAX];
	enum image_state state;
	struct image *m;
	FILE *f = fopen(name, "wbe");

	if (!f || fwrite(bytes.at, 1, bytes.size, f) != bytes.size || fclose(f))
		die("no room for a file");
	m = image_open(span_of(name), SPAN(""), &(struct image_opts){ .lines = true }, &state);
	for (uint64_t place = 0; m && place < bytes.size; place += 3)
		for (size_t i = image_lines(m, place, line); i--;)
			if (!line[i].function || strlen(line[i].function) > bytes.size)
				die("a function without a name, or with too much of it");
	image_close(m);
	unlink(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span bytes = { (const char *)data, size };
	char name[64];

	find_codes(bytes);
	snprintf(name, sizeof(name), "/tmp/jit-%d.dump", (int)getpid());
	find_names(name, bytes);
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	find_names(name, bytes);
	return 0;
}
