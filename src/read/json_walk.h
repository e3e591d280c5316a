/* Walking over JSON that is pulled: what is inside of an object or an array, one after the other. */
#ifndef WICK_READ_JSON_WALK_H
#define WICK_READ_JSON_WALK_H

#include "base/json.h"

/* The value of the member comes next, and is read or passed over; the token it ended with. */
typedef enum json_token json_member_fn(void *arg, struct json *j, struct span name,
				       struct error *e);

/* This element begins with the token; the token it ended with. */
typedef enum json_token json_element_fn(void *arg, struct json *j, enum json_token token,
					struct error *e);

/* Does the input end here, well or not? */
static inline bool json_is_over(enum json_token token)
{
	return token == JSON_ERROR || token == JSON_END;
}

/* The next value, whatever it is. */
enum json_token json_pass_over(struct json *j, struct error *e);

/* Of the object, or the array, whose beginning was read last, to its end. */
enum json_token json_each_member(struct json *j, json_member_fn *member, void *arg,
				 struct error *e);
enum json_token json_each_element(struct json *j, json_element_fn *element, void *arg,
				  struct error *e);

/* Of the next value, if it is an object or an array; anything else is passed over. */
enum json_token json_object_of(struct json *j, json_member_fn *member, void *arg, struct error *e);
enum json_token json_array_of(struct json *j, json_element_fn *element, void *arg, struct error *e);

/* The next value, if it is a string; any other leaves the text as it is. */
enum json_token json_string_of(struct json *j, struct strbuf *to, struct error *e);

#endif
