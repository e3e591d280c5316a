/* Generated profiles, written in each format and read back: what the format can hold is the same. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/stream.h"
#include "profile/spelling.h"
#include "random.h"
#include "read/read.h"
#include "tap.h"
#include "write/folded.h"
#include "write/formats.h"

#include <stdlib.h>
#include <unistd.h>

enum { PROFILES = 40, SAMPLES = 60, DEPTH = 12 };

/* The first are names in any format; the others need quotes, or are not UTF-8. */
static const char *const names[] = { "main",	 "work",	"Pool::take",  "std::sort",
				     "a b",	 "\"quote\"",	"back\\slash", "tab\there",
				     "\xff\xfe", "caf\xc3\xa9", "semi;colon",  "\x01" };
enum { PLAIN_NAMES = 4 };

static frame_id make_frame(struct profile *p, struct random *r, uint32_t nr_name)
{
	struct line line[3] = { 0 };
	struct frame f = { .line = line, .nr_line = random_below(r, 4) };

	for (size_t i = 0; i < f.nr_line; i++) {
		line[i].function = profile_string(p, span_of(names[random_below(r, nr_name)]));
		line[i].file = profile_string(p, random_below(r, 2) ? SPAN("a.c") : SPAN(""));
		line[i].line = random_below(r, 100);
	}
	if (!f.nr_line || random_below(r, 2)) {
		f.module = profile_module(p, SPAN("/bin/app"), SPAN("abcd"));
		f.address = 0x1000 + random_below(r, 16);
		f.flags = FRAME_IN_MODULE;
	}
	return profile_frame(p, &f);
}

static void generate(struct profile *p, struct random *r, uint32_t nr_name)
{
	static const char *const comms[] = { "", "app", "worker" };

	profile_init(p);
	profile_event(p, SPAN("samples"), SPAN(""));
	profile_event(p, SPAN("time"), SPAN("ns"));
	if (random_below(r, 2)) {
		profile_keep_ticks(p, 1000);
		p->timed = true;
	}
	for (size_t i = 0; i < SAMPLES; i++) {
		struct tick t = { .event = random_below(r, 2), .time = random_below(r, 1000000) };
		uint32_t thread = random_below(r, 3);

		if (thread)
			t.thread = profile_thread(
				p, &(struct thread){
					   .pid = 10,
					   .tid = 10 + thread,
					   .comm = profile_string(p, span_of(comms[thread])) });
		for (uint32_t k = random_below(r, DEPTH) + 1; k-- > 0;)
			t.stack = profile_push(p, t.stack, make_frame(p, r, nr_name));
		t.weight = t.event ? (int64_t)random_below(r, 1000000) + 1 : 1;
		profile_add(p, &t);
	}
}

/* The stacks and weights of an event as text; "" if there is no event of that name. */
static void spell(struct strbuf *text, const struct profile *p, const char *event)
{
	char path[] = "/tmp/wick-writers.XXXXXX", buf[4096];
	bool *in = xcalloc(p->nr_event, sizeof(*in));
	struct folded_opts o = { .spelling = SPELL_UTF8, .nr_column = 1, .in = { in } };
	struct error e = ERROR_INIT;
	struct output out;
	int fd = mkstemp(path);
	ssize_t n;

	for (size_t i = 0; i < p->nr_event; i++)
		in[i] = span_is(profile_peek(p, p->event[i].name), event);
	output_open(&out, path, &e);
	folded_write(&out, p, &o);
	output_close(&out, &e);
	strbuf_add(text, SPAN(""));
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		strbuf_add(text, (struct span){ .at = buf, .size = (size_t)n });
	close(fd);
	unlink(path);
	free(in);
}

static int64_t total(const struct profile *p, const char *event)
{
	int64_t sum = 0;

	for (size_t i = 0; i < p->nr_count; i++)
		if (span_is(profile_peek(p, p->event[p->count[i].event].name), event))
			sum += p->count[i].weight;
	return sum;
}

/* Writes a profile and reads it back. */
static int round_trip(const struct writer *writer, const struct profile *p, struct profile *back)
{
	static const bool first[] = { true, false };
	char path[] = "/tmp/wick-writers.XXXXXX";
	const struct write_what what = { .p = p, .nr_column = 1, .in = { first }, .all = true };
	const struct read_opts o = { .threads = 1, .tidy = TIDY_NONE };
	struct read_result result = { 0 };
	struct error e = ERROR_INIT;
	struct source *source;
	struct output out;
	int ret;

	close(mkstemp(path));
	output_open(&out, path, &e);
	ret = writer->write(&out, &what, &e);
	ret |= output_close(&out, &e);
	source = source_new(stream_open(path, &e), &e);
	profile_init(back);
	ret |= read_source(reader_find(span_of(writer->reader)), source, &o, back, &result, &e);
	source_free(source);
	unlink(path);
	return ret;
}

/* What of a generated profile a format gives back. */
static const struct {
	enum format format;
	uint32_t nr_name;
	bool stacks; /* besides totals */
} cases[] = {
	{ FORMAT_PPROF, ARRAY_SIZE(names), true },   { FORMAT_SPEEDSCOPE, ARRAY_SIZE(names), true },
	{ FORMAT_PERF_SCRIPT, PLAIN_NAMES, true },   { FORMAT_CALLGRIND, PLAIN_NAMES, false },
	{ FORMAT_FIREFOX, ARRAY_SIZE(names), true },
};

static void check(size_t i, struct random *r, unsigned failed[3])
{
	static const char *const events[] = { "samples", "time" };
	struct profile p, back;

	generate(&p, r, cases[i].nr_name);
	failed[0] += round_trip(format_writer(cases[i].format), &p, &back) != 0;
	for (size_t k = 0; k < ARRAY_SIZE(events); k++) {
		struct strbuf want = { 0 }, got = { 0 };

		spell(&want, &p, events[k]);
		spell(&got, &back, events[k]);
		failed[1] += total(&p, events[k]) != total(&back, events[k]);
		if (cases[i].stacks && !span_eq(strbuf_peek(&want), strbuf_peek(&got)) &&
		    !failed[2]++) {
			tap_show("got", got.at);
			tap_show("want", want.at);
		}
		strbuf_release(&want);
		strbuf_release(&got);
	}
	profile_release(&p);
	profile_release(&back);
}

/* What a format makes of a profile, as text. */
static void write_text(struct strbuf *text, const struct profile *p, enum format format)
{
	static const bool first[] = { true, false };
	const struct write_what what = { .p = p, .nr_column = 1, .in = { first }, .all = true };
	char path[] = "/tmp/wick-writers.XXXXXX", buf[4096];
	struct error e = ERROR_INIT;
	struct output out;
	int fd = mkstemp(path);
	ssize_t n;

	output_open(&out, path, &e);
	is_int(format_writer(format)->write(&out, &what, &e), 0,
	       "a profile with series is written without an error");
	output_close(&out, &e);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		strbuf_add(text, (struct span){ .at = buf, .size = (size_t)n });
	close(fd);
	unlink(path);
}

/* Series and intervals, which no text format has. */
static void check_series(void)
{
	static const struct {
		enum format format;
		const char *has, *title;
	} wanted[] = {
		{ FORMAT_FIREFOX, "\"category\":\"Memory\"",
		  "a Firefox profile has a memory counter for a series of bytes" },
		{ FORMAT_FIREFOX, "\"time\":[0,1],\"count\":[100,-50]",
		  "a counter of a Firefox profile has changes, in ms since the beginning" },
		{ FORMAT_FIREFOX, "\"startTime\":[0],\"endTime\":[0.005]",
		  "a Firefox profile has a marker for an interval" },
		{ FORMAT_JSON, "\"points\":[[1000000,100],[2000000,50]]",
		  "JSON has the points of a series" },
		{ FORMAT_PERFETTO, "heap", "a Perfetto trace has a counter track for a series" },
	};
	struct profile p;

	profile_init(&p);
	profile_keep_intervals(&p, 10);
	profile_event(&p, SPAN("wait"), SPAN("ns"));
	profile_add_interval(
		&p,
		&(struct interval){ .begin = 1000000, .end = 1005000, .weight = 5000, .nr = 1 });
	series_add(&p, profile_series(&p, SPAN("heap"), SPAN("bytes"), SPAN("")), 1000000, 100);
	series_add(&p, profile_series(&p, SPAN("heap"), SPAN("bytes"), SPAN("")), 2000000, 50);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		struct strbuf text = { 0 };

		write_text(&text, &p, wanted[i].format);
		ok(span_contains(strbuf_peek(&text), wanted[i].has), wanted[i].title);
		strbuf_release(&text);
	}
	profile_release(&p);
}

/* The choices of wick diff --to are the formats that hold a comparison, by their numbers. */
static void check_comparisons(void)
{
#define X(id, ...) 1 +
	const int nr = WRITERS(X) 0;
#undef X
	struct strbuf holding = { 0 };

	for (int i = 0; i < nr; i++) {
		const struct writer *w = format_writer((enum format)i);

		if (w->holds & HOLDS_COMPARISON)
			strbuf_addf(&holding, "%s%s", i ? "|" : "", w->name);
	}
	is_str(holding.at, FORMAT_COMPARISON_CHOICES,
	       "the formats that hold a comparison are those of diff --to");
	strbuf_release(&holding);
}

int main(void)
{
	check_comparisons();
	is_int((long)format_ending_size("a.b/app.pb.gz"), 6, "a file extension may have two dots");
	is_int((long)format_ending_size("app.v2.svg"), 4,
	       "a file extension is no longer than that of its format");
	is_int((long)format_ending_size("a.b/app"), 0,
	       "a dot in the name of a directory does not begin a file extension");
	is_int((long)format_ending_size("callgrind.out"), 4,
	       "a file extension is only the end of the name");
	check_series();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct random r = { .state = 20 + i };
		const char *name = format_writer(cases[i].format)->name;
		unsigned failed[3] = { 0 };
		char what[100];

		for (size_t k = 0; k < PROFILES; k++)
			check(i, &r, failed);
		snprintf(what, sizeof(what), "%s is written and read back without an error", name);
		is_int(failed[0], 0, what);
		snprintf(what, sizeof(what), "%s gives back the total of each event", name);
		is_int(failed[1], 0, what);
		if (!cases[i].stacks)
			continue;
		snprintf(what, sizeof(what), "%s gives back the stacks and their weights", name);
		is_int(failed[2], 0, what);
	}
	return done();
}
