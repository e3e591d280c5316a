/*
 * range-perf.pl: copies the samples of a time range from perf script text.  Only the time of each
 * event is parsed.
 */
#include "base/output.h"
#include "base/text.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "dropin/dropin.h"

#include <stdio.h>
#include <stdlib.h>

struct range {
	bool raw;	 /* from and to are absolute, not relative to the first sample */
	bool zero_secs;	 /* from and to are relative to the first sample's whole second */
	double from, to; /* seconds */
	/* While it runs: */
	bool inside;  /* within the range: lines are copied */
	double start; /* the time of the first sample */
};

#define AT(field) offsetof(struct range, field)

static const struct option options[] = {
	{ "timeraw", 0, OPTION_FLAG, AT(raw), NULL, "use raw timestamps from perf", 0 },
	{ "timezerosecs", 0, OPTION_FLAG, AT(zero_secs), NULL,
	  "time starts at 0 secs, but keep offset from perf", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static void usage(const struct dropin *d, FILE *to)
{
	message_peer(to,
		     "USAGE: %s [options] min_seconds max_seconds\n"
		     "\t--timeraw\t# use raw timestamps from perf\n"
		     "\t--timezerosecs\t# time starts at 0 secs, but keep offset from perf\n"
		     "\teg,\n\t%s 10 20\t# only include samples between 10 and 20 seconds\n",
		     d->name, d->name);
}

/* Removes the next word from *s, with the spaces before it. */
static struct span take_word(struct span *s)
{
	size_t begin = 0, end;

	while (begin < s->size && s->at[begin] == ' ')
		begin++;
	for (end = begin; end < s->size && !is_blank(s->at[end]);)
		end++;
	*s = span_from(*s, begin);
	begin = end - begin;
	*s = span_from(*s, begin);
	return (struct span){ .at = s->at - begin, .size = begin };
}

/* Is the text after the time that of an event: "cycles:" or "250000 cycles:"? */
static bool has_event(struct span s)
{
	for (int i = 0; i < 2; i++) {
		struct span word = span_from(take_word(&s), 1);

		if (span_find(word, ':') < word.size)
			return true;
	}
	return false;
}

static double to_seconds(struct span digits)
{
	char text[64];

	digits = span_upto(digits, sizeof(text) - 1);
	memcpy(text, digits.at, digits.size);
	text[digits.size] = '\0';
	/* More digits are not a time. */
	return digits.size < 20 ? strtod(text, NULL) : 0;
}

/* Finds the first " 123.456:" that an event follows. */
static bool event_time(struct span line, double *seconds)
{
	const char *end = line.at + line.size, *at = line.at, *colon;

	for (; (colon = memchr(at, ':', (size_t)(end - at))); at = colon + 1) {
		const char *digit = colon;

		while (digit > at && (is_digit(digit[-1]) || digit[-1] == '.'))
			digit--;
		if (digit < colon && digit > line.at && digit[-1] == ' ' &&
		    has_event(span_between(colon + 1, end))) {
			*seconds = to_seconds(span_between(digit, colon));
			return true;
		}
	}
	return false;
}

/* Returns false when the range is over: samples are sorted by time. */
static bool step(struct range *r, double seconds)
{
	if (r->start == 0)
		r->start = seconds;
	if (r->zero_secs)
		seconds -= (double)(uint64_t)r->start;
	else if (!r->raw)
		seconds -= r->start;
	if (seconds >= r->from)
		r->inside = true;
	return !(seconds > r->to);
}

static void copy_range(struct range *r, struct text *in, struct output *out)
{
	struct span line;

	while (!out->failed && text_line(in, &line)) {
		double seconds;

		if (line.size && line.at[0] == '#')
			continue;
		if (event_time(line, &seconds) && !step(r, seconds))
			return;
		/* The line with its newline. */
		if (r->inside)
			output_add(out, span_between(line.at, in->at));
	}
}

static int run(struct range *r, struct error *e)
{
	struct stream *stream = stream_open("-", e);
	struct source *source;
	struct output out;
	struct text in;
	int ret;

	if (!stream)
		return -1;
	source = source_new(stream, e);
	if (!source)
		return -1;
	text_init(&in, source);
	ret = output_open(&out, "-", e);
	if (!ret) {
		copy_range(r, &in, &out);
		ret = output_close(&out, e);
	}
	if (!ret && in.failed) {
		*e = in.error;
		ret = -1;
	}
	if (!ret && source_overlong(source))
		ret = error_set(e, ERROR_INPUT, "%llu lines too long to copy",
				(unsigned long long)source_overlong(source));
	text_release(&in);
	source_free(source);
	return ret;
}

static bool parse_seconds(const char *s, double *seconds)
{
	char *end;

	*seconds = strtod(s, &end);
	return end != s && !*end;
}

static int range_perf_main(const struct dropin *d, int argc, char **argv)
{
	static const struct option_table table = { .option = options, .syntax = SYNTAX_PERL };
	struct range r = { 0 };
	struct option_list limits = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&table, &r, argc, argv, &limits, &e);

	if (ret < 0)
		message_peer(stderr, "%s\n", e.text);
	else if (!ret && limits.nr < 2)
		ret = -1;
	else if (!ret &&
		 (!parse_seconds(limits.at[0], &r.from) || !parse_seconds(limits.at[1], &r.to)))
		ret = error_set(&e, ERROR_USAGE, "not a number");
	option_list_release(&limits);
	if (ret) {
		usage(d, ret > 0 ? stdout : stderr);
		return ret > 0 ? 0 : 255;
	}
	ret = run(&r, &e);
	if (ret && e.kind != ERROR_PIPE)
		message_peer(stderr, "%s\n", e.text);
	return ret ? 2 : 0;
}

const struct dropin dropins_range_perf[] = {
	{ "range-perf.pl", range_perf_main, NULL },
	{ 0 },
};
