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

	if (!ok(n && a, "json_tree_parse parses an object, and json_find finds a member"))
		return;
	is_int(n->type, JSON_OBJECT, "a parsed object has the type JSON_OBJECT");
	is_int(a->type, JSON_ARRAY,
	       "json_find returns the first of two members with the same name");
	is_str(a->first->text.at, "1", "the text of a number is as written");
	is_str(json_string(a->first->next, "b"), "xA",
	       "json_string returns a string with its escapes decoded");
	is_int(a->first->next->next->type, JSON_NULL, "a parsed null has the type JSON_NULL");
	ok(!a->first->next->next->next, "the last element of an array has no sibling");
	ok(json_find(n, "c") && !json_find(n, "c")->first, "an empty object has no members");
	is_int(json_find(n, "d")->type, JSON_TRUE, "a parsed true has the type JSON_TRUE");
	ok(!json_find(n, "e") && !json_find(a, "b") && !json_find(NULL, "a"),
	   "json_find returns NULL for a missing member, an array or NULL");
	ok(!json_string(n, "a") && !json_string(n, "e"),
	   "json_string returns NULL for an array or a missing member");
	is_int(parse("7 8", &e)->type, JSON_NUMBER,
	       "json_tree_parse returns the first of two values");
}

static void test_errors(void)
{
	static const char *const texts[] = { "", "{\"a\":", "[1,", "{]", "nonsense", "]" };
	struct error e;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		ok(!parse(texts[i], &e), texts[i]);
		is_int(e.kind, ERROR_INPUT,
		       "json_tree_parse reports malformed or truncated JSON as an input error");
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
	ok(!parse(text.at, &e), "json_tree_parse rejects 200,000 arrays without their ends");
	for (size_t i = 0; i < DEPTH; i++)
		strbuf_addch(&text, ']');
	ok(parse(text.at, &e), "json_tree_parse parses 200,000 nested arrays");
	strbuf_release(&text);
}

static void test_size(void)
{
	struct strbuf text = { 0 };
	struct error e;

	strbuf_addch(&text, '[');
	for (size_t i = 0; i < JSON_TREE_MAX; i++)
		strbuf_add(&text, SPAN("1,"));
	ok(!parse(text.at, &e), "json_tree_parse rejects more than JSON_TREE_MAX values");
	like(e.text, "^more than [0-9]+ JSON values$",
	     "the error for too many values has the limit");
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
