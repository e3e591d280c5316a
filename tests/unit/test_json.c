#include "base/json.h"

#include "base/stream.h"
#include "tap.h"

#include <stdlib.h>

/* All tokens as one line: names as `a:`, strings in quotes, then what ended them. */
static void spell(struct json *j, struct strbuf *out, struct error *e)
{
	static const char *const plain[] = {
		[JSON_OBJECT] = "{",	[JSON_OBJECT_END] = "}", [JSON_ARRAY] = "[",
		[JSON_ARRAY_END] = "]", [JSON_TRUE] = "true",	 [JSON_FALSE] = "false",
		[JSON_NULL] = "null",
	};

	strbuf_reset(out);
	for (;;) {
		enum json_token token = json_next(j, e);
		struct span v = j->value;

		if (out->size)
			strbuf_addch(out, ' ');
		if (token == JSON_ERROR) {
			strbuf_addf(out, "error %s", e->text);
			return;
		}
		if (token == JSON_END) {
			strbuf_addf(out, j->cut ? "cut" : "end");
			return;
		}
		if (token == JSON_NAME)
			strbuf_addf(out, "%.*s:", (int)v.size, v.at);
		else if (token == JSON_STRING)
			strbuf_addf(out, "\"%.*s\"", (int)v.size, v.at);
		else if (token == JSON_NUMBER)
			strbuf_addf(out, "%.*s", (int)v.size, v.at);
		else
			strbuf_addf(out, "%s", plain[token]);
	}
}

static void check(const char *bytes, const char *want)
{
	struct strbuf out = { 0 };
	struct error e = ERROR_INIT;
	char title[80];
	struct text t;
	struct json j;

	text_over(&t, span_of(bytes));
	json_init(&j, &t);
	spell(&j, &out, &e);
	snprintf(title, sizeof(title), "json_next returns the right tokens for '%s'", bytes);
	for (char *c = title; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '.';
	is_str(out.at, want, title);
	json_release(&j);
	strbuf_release(&out);
}

static void test_values(void)
{
	check("", "end");
	check(" \n\t\r ", "end");
	check("{}", "{ } end");
	check("[]", "[ ] end");
	check("{\"a\" : 1 , \"b\":[true,false,null]}", "{ a: 1 b: [ true false null ] } end");
	check("[0,-1,12.5,1e3,-0.5E-7,10]", "[ 0 -1 12.5 1e3 -0.5E-7 10 ] end");
	check("[[],{},[{}]]", "[ [ ] { } [ { } ] ] end");
	check("\"a\"", "\"a\" end");
	check("12", "12 end");
}

static void test_strings(void)
{
	check("\"\"", "\"\" end");
	check("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\"\\/\b\f\n\r\t\" end");
	check("\"\\u0041\\u00e9\\u20AC\"", "\"A\xc3\xa9\xe2\x82\xac\" end");
	check("\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\" end");
	check("\"\\ud83d\"", "\"\xef\xbf\xbd\" end");
	check("\"\\ud83d\\n\"", "\"\xef\xbf\xbd\n\" end");
	check("\"\\ud83dx\\ude00\"", "\"\xef\xbf\xbdx\xef\xbf\xbd\" end");
	check("\"\\ud83d\\ud83d\\ude00\"", "\"\xef\xbf\xbd\xf0\x9f\x98\x80\" end");
	check("\"\xff\xfe\"", "\"\xff\xfe\" end");
}

static void test_sloppy(void)
{
	check("[1,]", "[ 1 ] end");
	check("{\"a\":1,}", "{ a: 1 } end");
	check("[\"a\tb\nc\"]", "[ \"a\tb\nc\" ] end");
	check("[NaN,Infinity,-Infinity]", "[ NaN Infinity -Infinity ] end");
	check("{}\n[]\n1", "{ } [ ] 1 end");
	check("\xef\xbb\xbf{}", "{ } end");
}

static void test_cut(void)
{
	check("[", "[ cut");
	check("[1,", "[ 1 cut");
	check("{\"a", "{ cut");
	check("{\"a\"", "{ cut");
	check("{\"a\":", "{ a: cut");
	check("[\"a\\", "[ cut");
	check("[\"a\\u00", "[ cut");
	check("[tru", "[ cut");
}

static void test_wrong(void)
{
	check("]", "error line 1, column 1: expected a value");
	check("[1 2]", "[ 1 error line 1, column 4: expected , or ]");
	check("[\n 1,\n 2}", "[ 1 2 error line 3, column 3: expected , or ]");
	check("{\"a\":1]", "{ a: 1 error line 1, column 7: expected , or }");
	check("{1:2}", "{ error line 1, column 2: expected a name in quotes or }");
	check("{\"a\" 1}", "{ error line 1, column 6: expected a colon");
	check("{\"a\":}", "{ a: error line 1, column 6: expected a value");
	check("[01]", "[ error line 1, column 2: expected a value");
	check("[1.]", "[ error line 1, column 2: expected a value");
	check("[+1]", "[ error line 1, column 2: expected a value");
	check("[1e]", "[ error line 1, column 2: expected a value");
	check("[yes]", "[ error line 1, column 2: expected a value");
	check("[,1]", "[ error line 1, column 2: expected a value");
	check("[\"\\x\"]", "[ error line 1, column 4: invalid escape in a string");
	check("[\"\\u00g0\"]", "[ error line 1, column 7: invalid escape in a string");
	check("[\"a\nb\", x]", "[ \"a\nb\" error line 2, column 5: expected a value");
}

/* Whatever the chunks are, the tokens are the same: the source cuts at 256 kB. */
static void test_chunks(void)
{
	struct strbuf in = { 0 };
	struct error e = ERROR_INIT;
	struct source *source;
	struct json j;
	struct text t;
	enum json_token token;
	size_t nr = 0, wrong = 0;

	strbuf_add(&in, SPAN("["));
	for (int i = 0; i < 60000; i++)
		strbuf_addf(&in, "%s{\"name%d\":\"va\\u006cue %d\", \"n\" : %d}", i ? "," : "", i,
			    i, i);
	strbuf_add(&in, SPAN("]"));
	source = source_new(stream_over(strbuf_peek(&in)), &e);
	source_split(source, SPLIT_ANYWHERE, NULL);
	text_init(&t, source);
	json_init(&j, &t);
	while ((token = json_next(&j, &e)) != JSON_END && token != JSON_ERROR) {
		char want[64];

		snprintf(want, sizeof(want), "name%zu", nr);
		if (token == JSON_NAME && j.value.size > 1)
			wrong += !span_is(j.value, want);
		snprintf(want, sizeof(want), "value %zu", nr);
		wrong += token == JSON_STRING && !span_is(j.value, want);
		snprintf(want, sizeof(want), "%zu", nr);
		wrong += token == JSON_NUMBER && !span_is(j.value, want);
		nr += token == JSON_OBJECT_END;
	}
	ok(token == JSON_END && !j.cut, "json_next reads a text of many chunks to its end");
	is_int(nr, 60000, "json_next returns every object of a text of many chunks");
	is_int(wrong, 0, "names, strings and numbers are whole where chunks split them");
	json_release(&j);
	text_release(&t);
	source_free(source);
	strbuf_release(&in);
}

static void test_limits(void)
{
	struct strbuf in = { 0 };
	struct error e = ERROR_INIT;
	struct json j;
	struct text t;
	enum json_token token;

	for (int i = 0; i <= JSON_DEPTH_MAX; i++)
		strbuf_addch(&in, '[');
	text_over(&t, strbuf_peek(&in));
	json_init(&j, &t);
	while ((token = json_next(&j, &e)) == JSON_ARRAY)
		;
	ok(token == JSON_ERROR, "json_next rejects nesting above JSON_DEPTH_MAX");
	like(e.text, "line 1, column 262145: .*too deep",
	     "the error for too deep nesting has the line and column");
	json_release(&j);
	strbuf_reset(&in);

	strbuf_add(&in, SPAN("\"\\n"));
	for (int i = 0; i < 2 * JSON_VALUE_MAX; i++)
		strbuf_addch(&in, 'x');
	strbuf_add(&in, SPAN("\" 1"));
	text_over(&t, strbuf_peek(&in));
	json_init(&j, &t);
	ok(json_next(&j, &e) == JSON_STRING,
	   "json_next accepts a string longer than JSON_VALUE_MAX");
	is_int(j.value.size, JSON_VALUE_MAX, "a string longer than JSON_VALUE_MAX is truncated");
	ok(json_next(&j, &e) == JSON_NUMBER, "json_next reads the value behind a truncated string");
	json_release(&j);
	strbuf_release(&in);
}

static void test_skip(void)
{
	struct error e = ERROR_INIT;
	struct json j;
	struct text t;

	text_over(&t, SPAN("{\"a\":{\"b\":[1,{}],\"c\":2},\"d\":3"));
	json_init(&j, &t);
	json_next(&j, &e);
	json_next(&j, &e);
	ok(json_skip(&j, json_next(&j, &e), &e) == JSON_OBJECT_END,
	   "json_skip skips an object up to its end");
	ok(json_next(&j, &e) == JSON_NAME && span_is(j.value, "d"),
	   "the token after json_skip of an object is the next name");
	ok(json_skip(&j, json_next(&j, &e), &e) == JSON_NUMBER,
	   "json_skip of a number skips nothing");
	ok(json_next(&j, &e) == JSON_END && j.cut,
	   "json_next reports an object without its end as truncated");
	json_release(&j);
}

int main(void)
{
	test_values();
	test_strings();
	test_sloppy();
	test_cut();
	test_wrong();
	test_chunks();
	test_limits();
	test_skip();
	return done();
}
