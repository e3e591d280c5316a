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
