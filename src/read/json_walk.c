#include "read/json_walk.h"

enum json_token json_pass_over(struct json *j, struct error *e)
{
	return json_skip(j, json_next(j, e), e);
}

enum json_token json_each_member(struct json *j, json_member_fn *member, void *arg, struct error *e)
{
	enum json_token token;

	do {
		token = json_next(j, e);
		if (token != JSON_NAME)
			return token;
		token = member(arg, j, j->value, e);
	} while (!json_is_over(token));
	return token;
}

enum json_token json_object_of(struct json *j, json_member_fn *member, void *arg, struct error *e)
{
	enum json_token token = json_next(j, e);

	if (token != JSON_OBJECT)
		return json_skip(j, token, e);
	return json_each_member(j, member, arg, e);
}

enum json_token json_each_element(struct json *j, json_element_fn *element, void *arg,
				  struct error *e)
{
	enum json_token token;

	do {
		token = json_next(j, e);
		if (token == JSON_ARRAY_END)
			return token;
		if (!json_is_over(token))
			token = element(arg, j, token, e);
	} while (!json_is_over(token));
	return token;
}

enum json_token json_array_of(struct json *j, json_element_fn *element, void *arg, struct error *e)
{
	enum json_token token = json_next(j, e);

	if (token != JSON_ARRAY)
		return json_skip(j, token, e);
	return json_each_element(j, element, arg, e);
}

enum json_token json_string_of(struct json *j, struct strbuf *to, struct error *e)
{
	enum json_token token = json_next(j, e);

	if (token != JSON_STRING)
		return json_skip(j, token, e);
	strbuf_reset(to);
	strbuf_add(to, j->value);
	return token;
}

enum json_token json_place_of(struct json *j, struct json_place *place, struct error *e)
{
	enum json_token token = json_next(j, e);

	if (token == JSON_ARRAY)
		*place = (struct json_place){ .at = j->text->at - 1, .line = j->text->line };
	return json_skip(j, token, e);
}

void json_again_open(struct json_again *a, struct source *source, struct json_place place,
		     const char *end)
{
	struct error ignored = ERROR_INIT;

	if (place.at)
		text_over_source(&a->text, source, span_between(place.at, end));
	else
		text_over(&a->text, SPAN("[]"));
	json_init(&a->json, &a->text);
	a->text.line = place.line;
	json_next(&a->json, &ignored);
}

void json_again_close(struct json_again *a)
{
	json_release(&a->json);
	text_release(&a->text);
}

/* Ignores errors: the array was read before, and its errors were reported then. */
enum json_token json_again_number(struct json_again *a)
{
	struct error ignored = ERROR_INIT;
	enum json_token token = json_next(&a->json, &ignored);

	if (token == JSON_NUMBER || token == JSON_ARRAY_END || json_is_over(token))
		return token == JSON_NUMBER ? token : JSON_ARRAY_END;
	token = json_skip(&a->json, token, &ignored);
	return json_is_over(token) ? JSON_ARRAY_END : JSON_NULL;
}
