#include "base/json_tree.h"

#include "tap.h"

static struct arena arena;

static const struct json_node *parse(const char *text, struct error *e)
{
	*e = (struct error)ERROR_INIT;
	return json_tree_parse(&arena, span_of(text), e);
}

static void test_values(void)
{
	struct error e;
	const struct json_node *n =
		parse("{\"a\":[1,{\"b\":\"x\\u0041\"},null],\"c\":{},\"d\":true,\"a\":2}", &e);
	const struct json_node *a = json_find(n, "a");

	if (!ok(n && a, "an object"))
		return;
	is_int(n->type, JSON_OBJECT, "is one");
	is_int(a->type, JSON_ARRAY, "of two members of a name it is the first");
	is_str(a->first->text.at, "1", "a number is as it was written");
	is_str(json_string(a->first->next, "b"), "xA", "a string is decoded");
	is_int(a->first->next->next->type, JSON_NULL, "null");
	ok(!a->first->next->next->next, "is the last");
	ok(json_find(n, "c") && !json_find(n, "c")->first, "an empty object");
	is_int(json_find(n, "d")->type, JSON_TRUE, "true");
	ok(!json_find(n, "e") && !json_find(a, "b") && !json_find(NULL, "a"),
	   "what is not there is not found");
	ok(!json_string(n, "a") && !json_string(n, "e"), "only a string is a string");
	is_int(parse("7 8", &e)->type, JSON_NUMBER, "the first value counts");
}

static void test_errors(void)
{
	static const char *const texts[] = { "", "{\"a\":", "[1,", "{]", "nonsense", "]" };
	struct error e;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		ok(!parse(texts[i], &e), texts[i]);
		is_int(e.kind, ERROR_INPUT, "is an error");
	}
}

/* Depth is the input's, and takes no stack of ours. */
static void test_depth(void)
{
	enum { DEPTH = 200000 };
	struct strbuf text = { 0 };
	struct error e;

	for (size_t i = 0; i < DEPTH; i++)
		strbuf_addch(&text, '[');
	ok(!parse(text.at, &e), "a deep text that is cut off");
	for (size_t i = 0; i < DEPTH; i++)
		strbuf_addch(&text, ']');
	ok(parse(text.at, &e), "one that is not");
	strbuf_release(&text);
}

static void test_size(void)
{
	struct strbuf text = { 0 };
	struct error e;

	strbuf_addch(&text, '[');
	for (size_t i = 0; i < JSON_TREE_MAX; i++)
		strbuf_add(&text, SPAN("1,"));
	ok(!parse(text.at, &e), "too many values");
	like(e.text, "^more than [0-9]+ JSON values$", "json_tree rejects too many values");
	strbuf_release(&text);
}

int main(void)
{
	test_values();
	test_errors();
	test_depth();
	test_size();
	arena_release(&arena);
	return done();
}
