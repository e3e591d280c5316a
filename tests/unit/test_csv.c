#include "base/alloc.h"
#include "base/csv.h"
#include "tap.h"

#include <stdlib.h>

static struct csv csv;

/* The fields of a line with | between them; ours until the next call. */
static const char *fields(struct span line)
{
	static struct strbuf out;

	csv_parse(&csv, line);
	strbuf_reset(&out);
	strbuf_add(&out, SPAN(""));
	for (size_t i = 0; i < csv.nr; i++) {
		if (i)
			strbuf_addch(&out, '|');
		strbuf_add(&out, csv.field[i].text);
	}
	return out.at;
}

static void test_fields(void)
{
	static const struct {
		const char *line, *want, *what;
	} cases[] = {
		{ "", "", "an empty line has one empty field" },
		{ "a", "a", "a line without a comma is one field" },
		{ "a,b,,d", "a|b||d", "commas part fields, empty ones too" },
		{ "a,", "a|", "a comma at the end opens one more field" },
		{ "\"a,b\",c", "a,b|c", "a comma in quotes is part of the field" },
		{ "\"a\"\"b\",\"\"\"\"", "a\"b|\"", "a doubled quote is one" },
		{ "\"\",x", "|x", "quotes around nothing are an empty field" },
		{ "\"a\"b,c", "ab|c", "what follows the quotes belongs to the field" },
		{ "a\"b\",c", "a\"b\"|c", "a quote in the middle is a quote" },
		{ " \"a\" ,b", " \"a\" |b", "a blank in front makes quotes part of the text" },
		{ "\xef\xbb\xbfLevel,\"Name\"", "Level|Name", "a byte order mark is passed over" },
		{ "\"a,b", "a,b", "a quote that is not closed goes on to the end" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		is_str(fields(span_of(cases[i].line)), cases[i].want, cases[i].what);
}

static void test_facts(void)
{
	csv_parse(&csv, SPAN("\"a\",b"));
	ok(csv.field[0].quoted && !csv.field[1].quoted, "quoted fields are known");
	ok(!csv.unclosed, "closed quotes are closed");
	csv_parse(&csv, SPAN("x,\"a"));
	ok(csv.unclosed, "a quote that is not closed is known");
	csv_parse(&csv, SPAN("x,\""));
	ok(csv.unclosed, "also when nothing follows it");
	csv_parse(&csv, SPAN("f<a, b>,\"c\"\"\",d"));
	ok(!csv.unclosed, "and forgotten in the next line");
	ok(span_is(csv_written(&csv, 0, 1), "f<a, b>"), "fields can be put together again");
	ok(span_is(csv_written(&csv, 1, 2), " b>,\"c\"\"\""), "as they were written");
	is_int(csv_find(&csv, "d"), 3, "a field is found");
	is_int(csv_find(&csv, "e"), csv.nr, "or not");
}

static void test_many(void)
{
	enum { SIZE = 3 * CSV_FIELDS_MAX };
	char *line = xmalloc(SIZE);

	memset(line, ',', SIZE);
	csv_parse(&csv, (struct span){ .at = line, .size = SIZE });
	is_int(csv.nr, CSV_FIELDS_MAX, "there are not more fields than that");
	is_int(csv.field[csv.nr - 1].text.size, SIZE - CSV_FIELDS_MAX + 1,
	       "the last one has the rest");
	memset(line, '"', SIZE);
	csv_parse(&csv, (struct span){ .at = line, .size = SIZE });
	is_int(csv.field[0].text.size, SIZE / 2 - 1, "a line of nothing but quotes");
	free(line);
}

int main(void)
{
	test_fields();
	test_facts();
	test_many();
	csv_release(&csv);
	return done();
}
