/*
 * A JSON document as a tree in memory: for small ones, such as settings or the output of other programs.
 * Documents that grow with a profile are read token by token with json.h.
 */
#ifndef WICK_BASE_JSON_TREE_H
#define WICK_BASE_JSON_TREE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/span.h"

struct json_node {
	enum json_token type;		/* JSON_OBJECT, JSON_ARRAY, JSON_STRING, … */
	struct span name;		/* of a member of an object */
	struct span text;		/* a string decoded, a number as written; NUL-terminated */
	struct json_node *first, *next; /* child, sibling */
};

enum { JSON_TREE_MAX = 4 * 1024 * 1024 /* more values than that are an error */ };

/* The first value of the text; everything in it lives as long as the arena. */
struct json_node *json_tree_parse(struct arena *a, struct span text, struct error *e);

/* The value that begins with the last token of j: for a part of a larger document. */
struct json_node *json_tree_take(struct arena *a, struct json *j, enum json_token token,
				 struct error *e);

/* The member of that name; NULL if there is none, or if n is not an object or is NULL. */
const struct json_node *json_find(const struct json_node *n, const char *name);

/* The string value of a member, up to its first NUL; NULL if there is none. */
const char *json_string(const struct json_node *n, const char *name);

#endif
