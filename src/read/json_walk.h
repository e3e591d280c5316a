/* Helpers for reading JSON token by token: the members of an object, the elements of an array. */
#ifndef WICK_READ_JSON_WALK_H
#define WICK_READ_JSON_WALK_H

#include "base/json.h"

/* Reads or skips the value of the member, which comes next; returns its last token. */
typedef enum json_token json_member_fn(void *arg, struct json *j, struct span name,
				       struct error *e);

/* Reads the element that begins with the token; returns its last token. */
typedef enum json_token json_element_fn(void *arg, struct json *j, enum json_token token,
					struct error *e);

/* Is this the end of the input, regular or not? */
static inline bool json_is_over(enum json_token token)
{
	return token == JSON_ERROR || token == JSON_END;
}

/* Skips the next value, whatever it is. */
enum json_token json_pass_over(struct json *j, struct error *e);

/* Visits the object or array whose first token was read last, to its end. */
enum json_token json_each_member(struct json *j, json_member_fn *member, void *arg,
				 struct error *e);
enum json_token json_each_element(struct json *j, json_element_fn *element, void *arg,
				  struct error *e);

/* Visits the next value, if it is an object or an array; skips anything else. */
enum json_token json_object_of(struct json *j, json_member_fn *member, void *arg, struct error *e);
enum json_token json_array_of(struct json *j, json_element_fn *element, void *arg, struct error *e);

/* Reads the next value, if it is a string; otherwise leaves the text unchanged. */
enum json_token json_string_of(struct json *j, struct strbuf *to, struct error *e);

/*
 * The position of an array in a text that stays in memory, to be read later: columns that belong
 * together, such as samples and their weights, follow one another, and are too long to be stored.
 */
struct json_place {
	const char *at; /* NULL: there is none */
	uint64_t line;
};

/* Skips the next value, and stores its position if it is an array. */
enum json_token json_place_of(struct json *j, struct json_place *place, struct error *e);

/* Reads such an array: json_next() of `json` returns the elements, and JSON_ARRAY_END. */
struct json_again {
	struct text text;
	struct json json;
};

/* end: of the text.  If place.at is NULL, there are no elements. */
void json_again_open(struct json_again *a, struct source *source, struct json_place place,
		     const char *end);
void json_again_close(struct json_again *a);

/* The next element, if it is a number; others are skipped and returned as JSON_NULL. */
enum json_token json_again_number(struct json_again *a);

#endif
