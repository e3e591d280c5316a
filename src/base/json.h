/*
 * A JSON tokenizer: tokens are pulled one at a time from a text of any size.  Memory holds the open
 * brackets and one string.
 *
 * It accepts what sloppy writers produce: a comma before a closing bracket, control characters in
 * strings, NaN and Infinity; and several values in a row (JSON lines).
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
	JSON_ERROR, /* not JSON: the error says where */
	JSON_END,   /* of the input, maybe in the middle of a value: see `cut` */
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
	JSON_DEPTH_MAX = 256 * 1024, /* deeper nesting is an error */
	JSON_VALUE_MAX = 1024 * 1024 /* bytes; longer strings are truncated, see json.value_max */
};

enum json_state {
	/* What may come next: */
	JSON_AT_VALUE,	/* a value */
	JSON_AT_FIRST,	/* a value or ] */
	JSON_AT_NAME,	/* a name or } */
	JSON_BEHIND_IT, /* after a value: a comma, a closing bracket, or at depth 0 another value */
};

struct json {
	struct text *text;
	struct span value; /* a name or string decoded, a number as written; until the next token */
	size_t value_max;  /* JSON_VALUE_MAX, unless the caller sets it after json_init() */
	size_t depth;	   /* how many objects and arrays are open */
	bool cut;	   /* the input ended in the middle of a value */
	enum json_state state;
	struct strbuf buf;
	uint32_t half; /* first of two surrogates: \ud83d waits for \ude00 */
	char *open;    /* by depth: { or [ */
	size_t cap;
	/* The position, for errors: */
	const char *chunk;
	uint64_t before;     /* offset of the chunk in the input */
	uint64_t line_begin; /* offset of the line */
};

/*
 * The source must be SPLIT_ANYWHERE, because a line of JSON may be as long as
 * the file.  text->line is the line of the token read last.
 */
void json_init(struct json *j, struct text *text);
void json_release(struct json *j);

enum json_token json_next(struct json *j, struct error *e);

/*
 * Skips the rest of the value that begins with the token: up to the end of an object or array;
 * nothing for others.  Returns the last token of the value, or JSON_ERROR or JSON_END.
 */
enum json_token json_skip(struct json *j, enum json_token token, struct error *e);

/* Appends any bytes as a JSON string, in quotes; invalid UTF-8 becomes U+FFFD. */
void json_add_string(struct strbuf *out, struct span s);

#endif
