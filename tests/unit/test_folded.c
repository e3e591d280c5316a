/* A profile written as folded text: numbers, columns and orders. */
#include "write/folded.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/spelling.h"
#include "span_tap.h"

#include <stdlib.h>
#include <unistd.h>

static const bool both[] = { true, true }, first[] = { true, false }, second[] = { false, true };

static void check_text(const struct profile *p, const struct folded_opts *o, const char *want,
		       const char *what)
{
	char path[] = "/tmp/wick-folded.XXXXXX", text[4096] = "";
	struct error e = ERROR_INIT;
	struct output out;
	size_t nr_line, newlines = 0;
	int fd = mkstemp(path);

	output_open(&out, path, &e);
	nr_line = folded_write(&out, p, o);
	output_close(&out, &e);
	(void)!read(fd, text, sizeof(text) - 1);
	close(fd);
	unlink(path);
	is_str(text, want, what);
	for (const char *c = text; *c; c++)
		newlines += *c == '\n';
	is_int(nr_line, newlines, "folded_write() returns the number of lines");
}

static void add(struct profile *p, uint32_t event, const char *name, int64_t weight, uint64_t time)
{
	struct line line = { .function = profile_string(p, span_of(name)) };
	struct tick t = { .event = event, .weight = weight, .time = time };

	t.stack = profile_push(p, (stack_id){ 0 },
			       profile_frame(p, &(struct frame){ .line = &line, .nr_line = 1 }));
	profile_add(p, &t);
}

static void test_numbers(void)
{
	static const struct {
		int64_t weight;
		int scale;
		const char *shortest, *point;
	} rows[] = {
		{ 0, 0, "f 0\n", "f 0.0\n" },
		{ 7, 0, "f 7\n", "f 7.0\n" },
		{ -7, 0, "f -7\n", "f -7.0\n" },
		{ 1000, 0, "f 1000\n", "f 1000.0\n" },
		{ INT64_MAX, 0, "f 9223372036854775807\n", "f 9223372036854775807.0\n" },
		{ INT64_MIN, 0, "f -9223372036854775808\n", "f -9223372036854775808.0\n" },
		{ 15, -1, "f 1.5\n", "f 1.5\n" },
		{ 1, -3, "f 0.001\n", "f 0.001\n" },
		{ -5, -1, "f -0.5\n", "f -0.5\n" },
		{ 1500, -3, "f 1.5\n", "f 1.5\n" },
		{ 2000, -3, "f 2\n", "f 2.0\n" },
		{ 100, -1, "f 10\n", "f 10.0\n" },
		{ 1, -9, "f 0.000000001\n", "f 0.000000001\n" },
		{ 3, 2, "f 300\n", "f 300.0\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct folded_opts o = { .nr_column = 1, .in = { both } };
		struct profile p;

		profile_init(&p);
		profile_keep_ticks(&p, 10);
		profile_event(&p, SPAN("x"), SPAN("x"));
		p.event[0].scale = rows[i].scale;
		add(&p, 0, "f", rows[i].weight, 1);
		check_text(&p, &o, rows[i].shortest, "a weight is written in its shortest form");
		o.number = FOLDED_POINT;
		check_text(&p, &o, rows[i].point,
			   "FOLDED_POINT writes a weight with a decimal point");
		o.order = FOLDED_INPUT;
		check_text(&p, &o, rows[i].point,
			   "FOLDED_POINT writes a decimal point in the order of the input too");
		profile_release(&p);
	}
}

static void test_columns(void)
{
	struct folded_opts o = { .nr_column = 2, .in = { first, second } };
	struct profile p;

	profile_init(&p);
	profile_keep_ticks(&p, 100);
	profile_event(&p, SPAN("before"), SPAN("x"));
	profile_event(&p, SPAN("after"), SPAN("x"));
	profile_rescale(&p, 1, -1);
	add(&p, 0, "g", 1, 1);
	add(&p, 1, "g", 25, 1);
	add(&p, 0, "f", 3, 2);
	add(&p, 1, "f", 40, 3);
	add(&p, 1, "g", 5, 4);
	check_text(&p, &o, "f 3 4\ng 1 3\n", "two columns have their own scales");
	o.order = FOLDED_INPUT;
	check_text(&p, &o, "g 1 2.5\nf 3 0\nf 0 4\ng 0 0.5\n",
		   "FOLDED_INPUT writes one line for adjacent samples of one time and stack");
	o.samples = true;
	check_text(&p, &o, "g 1 1\nf 1 0\nf 0 1\ng 0 1\n",
		   "FOLDED_INPUT counts samples instead of weights");
	o.order = FOLDED_SORTED;
	check_text(&p, &o, "f 1 1\ng 1 2\n", "FOLDED_SORTED adds up the numbers of samples");
	o = (struct folded_opts){ .nr_column = 1, .in = { second }, .order = FOLDED_INPUT };
	check_text(&p, &o, "g 2.5\nf 4\ng 0.5\n", "one of two events is written alone");
	o.in[0] = both;
	check_text(&p, &o, "g 1\ng 2.5\nf 3\nf 4\ng 0.5\n",
		   "FOLDED_INPUT writes two events in one column one after the other");
	o.order = FOLDED_SORTED;
	check_text(&p, &o, "f 7\ng 4\n", "FOLDED_SORTED adds up two events in one column");
	profile_release(&p);
}

/* A sample of which nothing is known has no line to stand on. */
static void test_nothing(void)
{
	struct folded_opts o = { .nr_column = 1, .in = { both }, .spelling = SPELL_THREAD };
	struct tick t = { .weight = 1 };
	struct profile p;

	profile_init(&p);
	profile_keep_ticks(&p, 10);
	check_text(&p, &o, "", "a profile without samples is written as nothing");
	profile_event(&p, SPAN("x"), SPAN("x"));
	profile_add(&p, &t);
	check_text(&p, &o, "", "a sample without thread and stack is not written");
	t.thread = profile_thread(&p, &(struct thread){ .comm = profile_string(&p, SPAN("a b")) });
	profile_add(&p, &t);
	check_text(&p, &o, "a_b 1\n", "a sample of a thread without a stack is written");
	o.order = FOLDED_INPUT;
	check_text(&p, &o, "a_b 1\n", "FOLDED_INPUT writes a sample of a thread without a stack");
	profile_release(&p);
}

int main(void)
{
	test_numbers();
	test_columns();
	test_nothing();
	return done();
}
