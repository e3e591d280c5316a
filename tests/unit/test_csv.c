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
		{ "", "", "an empty line has no text" },
		{ "a", "a", "a line without a comma is one field" },
		{ "a,b,,d", "a|b||d", "commas separate fields, empty ones too" },
		{ "a,", "a|", "a comma at the end opens one more field" },
		{ "\"a,b\",c", "a,b|c", "a comma in quotes is part of the field" },
		{ "\"a\"\"b\",\"\"\"\"", "a\"b|\"",
		  "a doubled quote in a quoted field is one quote" },
		{ "\"\",x", "|x", "quotes around nothing are an empty field" },
		{ "\"a\"b,c", "ab|c", "text behind the closing quote belongs to the field" },
		{ "a\"b\",c", "a\"b\"|c", "a quote in the middle of a field is part of its text" },
		{ " \"a\" ,b", " \"a\" |b",
		  "a blank before a quote makes the quotes part of the text" },
		{ "\xef\xbb\xbfLevel,\"Name\"", "Level|Name", "a byte order mark is dropped" },
		{ "\"a,b", "a,b", "an unclosed quote extends to the end of the line" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		is_str(fields(span_of(cases[i].line)), cases[i].want, cases[i].what);
}

static void test_facts(void)
{
	csv_parse(&csv, SPAN("\"a\",b"));
	ok(csv.field[0].quoted && !csv.field[1].quoted, "a field knows whether it was quoted");
	ok(!csv.unclosed, "a line with closed quotes is not marked as unclosed");
	csv_parse(&csv, SPAN("x,\"a"));
	ok(csv.unclosed, "a line with an open quote is marked as unclosed");
	csv_parse(&csv, SPAN("x,\""));
	ok(csv.unclosed, "a line that ends with an opening quote is marked as unclosed");
	csv_parse(&csv, SPAN("f<a, b>,\"c\"\"\",d"));
	ok(!csv.unclosed, "the line after one with an open quote is not marked as unclosed");
	ok(span_is(csv_written(&csv, 0, 1), "f<a, b>"),
	   "csv_written() joins fields with the comma between them");
	ok(span_is(csv_written(&csv, 1, 2), " b>,\"c\"\"\""),
	   "csv_written() returns fields with their quotes");
	is_int(csv_find(&csv, "d"), 3, "csv_find() returns the index of a field");
	is_int(csv_find(&csv, "e"), csv.nr,
	       "csv_find() returns the number of fields if no field matches");
}

static void test_many(void)
{
	enum { SIZE = 3 * CSV_FIELDS_MAX };
	char *line = xmalloc(SIZE);

	memset(line, ',', SIZE);
	csv_parse(&csv, (struct span){ .at = line, .size = SIZE });
	is_int(csv.nr, CSV_FIELDS_MAX, "a line is split into at most CSV_FIELDS_MAX fields");
	is_int(csv.field[csv.nr - 1].text.size, SIZE - CSV_FIELDS_MAX + 1,
	       "the last of CSV_FIELDS_MAX fields has the rest of the line");
	memset(line, '"', SIZE);
	csv_parse(&csv, (struct span){ .at = line, .size = SIZE });
	is_int(csv.field[0].text.size, SIZE / 2 - 1,
	       "a line of nothing but quotes is one field with half of them");
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
