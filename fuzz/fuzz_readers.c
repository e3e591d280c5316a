/*
 * One target for the table of readers.  Whatever the bytes are, the profile
 * that comes out must hold its invariants, be writable and be drawable.
 */
#include "fuzz.h"

#include "base/alloc.h"
#include "base/output.h"
#include "base/stream.h"
#include "profile/profile.h"
#include "profile/spelling.h"
#include "read/read.h"
#include "render/peer/svg.h"
#include "write/folded.h"

#include <stdio.h>
#include <stdlib.h>

/* What is left out of names as a rule. */
#define EVERY_FACT \
	(SPELL_PID | SPELL_TID | SPELL_MARKS | SPELL_MODULE | SPELL_ADDRESS | SPELL_SRCLINE | \
	 SPELL_UTF8)

static void die(const struct reader *r, const char *why)
{
	fprintf(stderr, "%s: %s\n", r->name, why);
	abort();
}

/* A box for each pixel at most: a case is to be over soon. */
static void draw(struct output *out, const struct profile *p, const struct tree_opts *o)
{
	struct svg_opts svg = {
		.title = "",
		.count_name = "samples",
		.font = "serif",
		.font_size = 12,
		.font_width = 0.6,
		.row_height = 16,
		.factor = 1,
	};
	struct layout_least least = { .share = svg_share_of_pixels(&svg, 1) };
	struct colors colors;
	struct layout l;
	struct tree t;

	svg.background = palette_background(PALETTE_JAVA);
	colors_init(&colors, PALETTE_JAVA, SHADE_HASH, NAME_RULES_PERL);
	tree_build(&t, p, o);
	if (p->nr_tick)
		layout_chart(&l, p, &t.labels, o, CHART_BACKWARD, least);
	else
		layout_tree(&l, &t, o->reverse ? TREE_WIDTH : TREE_NAME, least);
	svg_write(out, &l, &t.labels, &colors, &svg);
	layout_release(&l);
	tree_release(&t);
}

static void write_out(const struct profile *p, unsigned spelling, enum folded_order order)
{
	bool *in = xcalloc(p->nr_event, sizeof(*in));
	struct folded_opts o = {
		.spelling = spelling, .order = order, .nr_column = 1, .in = { in }
	};
	struct error e = ERROR_INIT;
	struct output out;

	for (size_t i = 0; i < p->nr_event; i++)
		in[i] = true;
	if (!output_open(&out, "/dev/null", &e)) {
		folded_write(&out, p, &o);
		draw(&out, p,
		     &(struct tree_opts){ .spelling = spelling,
					  .nr_column = 1,
					  .in = { in },
					  .reverse = order == FOLDED_FIRST });
		(void)output_close(&out, &e);
	}
	free(in);
}

static void read_bytes(const struct reader *r, const struct read_opts *o, struct span bytes)
{
	struct error e = ERROR_INIT;
	struct source *source = source_new(stream_over(bytes), &e);
	struct read_result result;
	struct profile p;
	const char *wrong;
	int ret;

	if (!source)
		return;
	profile_init(&p);
	ret = read_source(r, source, o, &p, &result, &e);
	if (ret && !e.text[0])
		die(r, "an error without a word");
	wrong = profile_check(&p);
	if (wrong)
		die(r, wrong);
	if (o->ticks)
		write_out(&p, r->spelling | EVERY_FACT, FOLDED_INPUT);
	else
		write_out(&p, r->spelling, o->strict ? FOLDED_FIRST : FOLDED_SORTED);
	profile_release(&p);
	source_free(source);
}

static const struct reader *chosen;

int fuzz_choose(const char *reader)
{
	chosen = reader ? reader_find(span_of(reader)) : NULL;
	return reader && !chosen ? -1 : 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	if (fuzz_choose(getenv("FUZZ_READER"))) {
		fprintf(stderr, "FUZZ_READER: no such reader\n");
		exit(1);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* As the commands come, and with everything the other way around. */
	static const struct read_opts opts[] = {
		{ .threads = 1 },
		{ .threads = 1,
		  .ticks = true,
		  .addresses = true,
		  .srcline = true,
		  .cpus = true,
		  .tidy = TIDY_FIRST_PAREN,
		  .offsets = true,
		  .packages = PACKAGES_SHORTEN,
		  .mangled_rust = true,
		  .drop_empty = true,
		  .keep_zero = true,
		  .drop_inlined = true,
		  .fold_recursion = true,
		  .rows.last_counts = true,
		  .folded.single_count = true,
		  .folded.whole_counts = true,
		  .rows.two_words = true,
		  .heading_lines = 3,
		  .ghc_weight = GHC_BYTES,
		  .rows.allocated_bytes = true,
		  .rows.whole_ms = true,
		  .rows.any_header = true,
		  .rows.leaf_totals = true,
		  .rows.leave_out = "\" ",
		  .call_counts = true,
		  .script.wake_stacks = true,
		  .script.wake_chains = true,
		  .script.waker_ids = true },
		{ .threads = 1,
		  .strict = true,
		  .packages = PACKAGES_DROP,
		  .ghc_weight = GHC_TICKS,
		  .rows.last_counts = true,
		  .drop_threads = true },
	};
	struct span bytes = { .at = (const char *)data, .size = size };
	const struct reader *reader = chosen ? chosen : reader_guess(bytes);

	for (size_t i = 0; reader && i < ARRAY_SIZE(opts); i++)
		read_bytes(reader, &opts[i], bytes);
	return 0;
}
