#include "cmd/diff.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/tell.h"
#include "fold/tree.h"

#include <stdio.h>
#include <stdlib.h>

/* foo+0x12ab → foo+0x... */
static void strip_hex(struct strbuf *out, struct span name)
{
	while (name.size) {
		size_t n = span_find_text(name, "0x"), digits = n + 2;

		while (digits < name.size && is_hex(name.at[digits]))
			digits++;
		strbuf_add(out, span_upto(name, digits));
		if (digits > n + 2) {
			out->size -= digits - n - 2;
			strbuf_add(out, SPAN("..."));
		}
		name = span_from(name, digits);
	}
}

static int read_side(const struct diff_opts *o, const char *const *file, size_t nr,
		     struct span name, struct diff_result *r, struct error *e)
{
	uint32_t event = profile_event(&r->p, name, SPAN("samples"));
	struct merge_opts how = { .as = &event, .rename = o->strip_hex ? strip_hex : NULL };
	struct collapse_opts in = o->in;
	struct collapse_result side;
	struct chosen c = { 0 };
	int ret = -1;

	in.file = file;
	in.nr_file = nr;
	in.several = true;
	if (!collapse_read(&in, &side, e) && !collapse_choose(&in, &side, &c, e)) {
		/* Of a comparison, what it became counts. */
		how.in = c.in[c.nr_column - 1];
		how.samples = c.samples;
		profile_merge_with(&r->p, &side.p, &how);
		r->spelling |= c.spelling;
		ret = 0;
	} else {
		notes_merge(&r->p.notes, &side.p.notes);
	}
	chosen_release(&c);
	collapse_release(&side);
	return ret;
}

static weight_sum total(const struct profile *p, uint32_t event)
{
	weight_sum sum = 0;

	for (size_t i = 0; i < p->nr_count; i++)
		if (p->count[i].event == event)
			sum += p->count[i].weight;
	return sum;
}

/* weight × after / before, exactly where that can be written. */
static weight_sum scale_weight(int64_t weight, weight_sum after, weight_sum before)
{
	weight_sum product;

	if (!__builtin_mul_overflow((weight_sum)weight, after, &product))
		return product / before;
	return (weight_sum)((long double)weight * (long double)after / (long double)before);
}

/* Scales one side so that both weigh the same, cutting fractions of a count. */
static void normalize(struct profile *p)
{
	weight_sum before = total(p, 0), after = total(p, 1), whole = 1;
	int scales = p->event[0].scale - p->event[1].scale;

	for (; scales > 0; scales--)
		before *= 10;
	for (; scales < 0; scales++)
		after *= 10;
	for (int s = p->event[0].scale; s < 0; s++)
		whole *= 10;
	if (before == after || before <= 0)
		return;
	for (size_t i = 0; i < p->nr_count; i++) {
		weight_sum scaled;

		if (p->count[i].event != 0)
			continue;
		scaled = scale_weight(p->count[i].weight, after, before);
		scaled -= scaled % whole;
		if (scaled > INT64_MAX || scaled < INT64_MIN) {
			notes_add(&p->notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
			scaled = scaled < 0 ? INT64_MIN : INT64_MAX;
		}
		p->count[i].weight = (int64_t)scaled;
	}
}

static int diff_read(const struct diff_opts *o, struct diff_result *r, struct error *e)
{
	*r = (struct diff_result){ 0 };
	profile_init(&r->p);
	if (read_side(o, o->before, o->nr_before, SPAN("before"), r, e) ||
	    read_side(o, o->after, o->nr_after, SPAN("after"), r, e))
		return -1;
	if (o->normalize)
		normalize(&r->p);
	return 0;
}

int diff(const struct diff_opts *o, struct diff_result *r, struct error *e)
{
	static const bool is_before[] = { true, false }, is_after[] = { false, true };
	struct folded_opts f = { .nr_column = 2, .in = { is_before, is_after } };
	struct output out;

	if (diff_read(o, r, e) || output_open(&out, o->in.output ? o->in.output : "-", e))
		return -1;
	f.spelling = r->spelling;
	r->nr_line = folded_write(&out, &r->p, &f);
	return output_close(&out, e);
}

void diff_release(struct diff_result *r)
{
	profile_release(&r->p);
}

/* The command */

struct command {
	struct diff_opts o;
	bool quiet, verbose;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "normalize", 'n', OPTION_FLAG, AT(o.normalize), NULL,
	  "make BEFORE weigh as much as AFTER", 0 },
	{ "strip-hex", 's', OPTION_FLAG, AT(o.strip_hex), NULL,
	  "addresses in names are all the same", 0 },
	{ "event", 'e', OPTION_STRING, AT(o.in.event), "NAME",
	  "only this event, or all [the first]", 0 },
	{ "weight", 0, OPTION_CHOICE, AT(o.in.weight), "auto|samples|period",
	  "what a sample counts [auto: 1 for clocks, else its period]", 0 },
	{ "output", 'o', OPTION_STRING, AT(o.in.output), "FILE", "write there [standard output]",
	  0 },
	NAMING_OPTIONS(o.in.naming),
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "do not say what was left out", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list what was left out, with lines", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

static const struct option_table table = {
	.usage = "wick diff [options] BEFORE AFTER, or wick diff [options] BEFORE... -- AFTER...",
	.about =
		"Compares two profiles of any format: folded stacks with two counts, before and after,\n"
		"which `wick flame` draws.  Several files of a side are added up.",
	.option = options,
	.syntax = SYNTAX_GNU,
};

/* Where "--" stands among the arguments; argc when it does not. */
static int find_dashes(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return i;
	return argc;
}

static int set_sides(struct command *c, const struct option_list *files, int argc, char **argv,
		     struct error *e)
{
	int dashes = find_dashes(argc, argv);

	if (dashes < argc) {
		c->o.before = files->at;
		c->o.nr_before = files->nr;
		c->o.after = (const char *const *)argv + dashes + 1;
		c->o.nr_after = (size_t)(argc - dashes - 1);
	} else if (files->nr == 2) {
		c->o.before = files->at;
		c->o.after = files->at + 1;
		c->o.nr_before = c->o.nr_after = 1;
	}
	if (c->o.nr_before && c->o.nr_after)
		return 0;
	return error_set(e, ERROR_USAGE, "two files are compared, or several before and after --");
}

int diff_main(int argc, char **argv)
{
	struct command c = { .o = { .in = { .spell = SPELL_MARKS,
					    .read = { .threads = collapse_threads() } } } };
	struct option_list files = { 0 };
	struct error e = ERROR_INIT;
	struct diff_result r = { 0 };
	int ret = options_parse(&table, &c, find_dashes(argc, argv), argv, &files, &e);

	if (ret > 0) {
		options_help(&table);
		return 0;
	}
	if (!ret)
		ret = set_sides(&c, &files, argc, argv, &e);
	if (!ret) {
		ret = diff(&c.o, &r, &e);
		tell_notes(&r.p, c.quiet ? TELL_NOTHING : c.verbose ? TELL_EACH : TELL_SUM);
		diff_release(&r);
	}
	option_list_release(&files);
	if (!ret)
		return 0;
	message_error(&e);
	return message_status(&e);
}
