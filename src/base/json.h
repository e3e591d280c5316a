/*
 * JSON as a row of tokens, pulled one at a time from a text of any size: what
 * is kept is the way from the outermost value to here, and one string.
 *
 * Where writers are sloppy it is not fussy: a comma before a closing bracket,
 * control characters in strings, NaN and Infinity are fine, and several values
 * may follow each other (JSON lines).
 */
#ifndef WICK_BASE_JSON_H
#define WICK_BASE_JSON_H

#include "base/error.h"
#include "base/span.h"
#include "base/strbuf.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_token {
	JSON_ERROR, /* this is no JSON: the error says where */
	JSON_END,   /* of the input; `cut` tells whether it is a good one */
	JSON_OBJECT,
	JSON_OBJECT_END,
	JSON_ARRAY,
	JSON_ARRAY_END,
	JSON_NAME, /* of a member, whose value comes next */
	JSON_STRING,
	JSON_NUMBER,
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL,
};

enum {
	JSON_DEPTH_MAX = 256 * 1024, /* more levels are an error */
	JSON_VALUE_MAX = 1024 * 1024 /* bytes of a longer string are dropped */
};

enum json_state {
	JSON_AT_VALUE,	/* a value comes */
	JSON_AT_FIRST,	/* a value or ] */
	JSON_AT_NAME,	/* a name or } */
	JSON_BEHIND_IT, /* a comma, an end, or at the outermost level another value */
};

struct json {
	struct text *text;
	struct span
		value; /* of a name or string decoded, of a number as written; until the next token */
	size_t depth; /* how many objects and arrays are open */
	bool cut;     /* the input ended in the middle of a value */
	enum json_state state;
	struct strbuf buf;
	uint32_t half; /* of a character in a string: \ud83d waits for \ude00 */
	char *open;    /* by depth: { or [ */
	size_t cap;
	/* Where we are: bytes before the chunk, and where the line begins. */
	const char *chunk;
	uint64_t before, line_begin;
};

/*
 * The source must be cut anywhere (SPLIT_ANYWHERE): a line of JSON may be as
 * long as the file.  text->line is the line of the token read last.
 */
void json_init(struct json *j, struct text *text);
void json_release(struct json *j);

enum json_token json_next(struct json *j, struct error *e);

/*
 * Passes over the value that begins with the token: to the end of an object or
 * array, nowhere for the others.  Returns JSON_ERROR or JSON_END when the input
 * does not get that far, else the token it ended with.
 */
enum json_token json_skip(struct json *j, enum json_token token, struct error *e);

/* Appends any bytes as a string of JSON, quotes and all; what is no UTF-8 becomes U+FFFD. */
void json_add_string(struct strbuf *out, struct span s);

#endif
