/*
 * A JSON document of moderate size as a whole, for what is asked here and there:
 * settings, the answers of other programs.  What grows with a profile is pulled
 * from json.h instead.
 */
#ifndef WICK_BASE_JSON_TREE_H
#define WICK_BASE_JSON_TREE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/span.h"

struct json_node {
	enum json_token type; /* JSON_OBJECT, JSON_ARRAY, JSON_STRING, … */
	struct span name;     /* of a member of an object */
	struct span text;     /* of a string decoded, of a number as written; with a NUL behind */
	struct json_node *first, *next; /* inside; after it */
};

enum { JSON_TREE_MAX = 4 * 1024 * 1024 /* more values than that are an error */ };

/* The first value of the text; everything in it lives as long as the arena. */
struct json_node *json_tree_parse(struct arena *a, struct span text, struct error *e);

/* The value that begins with the token, which was read last: a part of what is pulled otherwise. */
struct json_node *json_tree_take(struct arena *a, struct json *j, enum json_token token,
				 struct error *e);

/* The member of that name; NULL: there is none, or this is no object, or NULL. */
const struct json_node *json_find(const struct json_node *n, const char *name);

/* The string of a member; NULL: it is none.  A NUL in it ends it. */
const char *json_string(const struct json_node *n, const char *name);

#endif
