/*
 * What profiles of V8's are made of, wherever they stand: a call tree of nodes
 * that know their children or their parents by number, and samples of these.
 */
#ifndef WICK_READ_V8_H
#define WICK_READ_V8_H

#include "base/intern.h"
#include "base/json_tree.h"
#include "read/build.h"

enum { V8_NO_NODE = UINT32_MAX };

struct v8_node {
	const struct json_node *json;
	uint32_t parent; /* V8_NO_NODE: none */
	uint32_t depth;
	stack_id stack; /* once it is known */
	bool known, climbed;
};

struct v8_tree {
	struct build *b;
	struct intern ids; /* → node */
	struct v8_node *node;
	size_t nr, cap;
	uint32_t *path; /* that is being climbed */
	size_t nr_path, cap_path;
};

/* All of an array of nodes, beside those that are there; their JSON must stay. */
int v8_tree_flat(struct v8_tree *t, const struct json_node *nodes, struct error *e);

/* All below one node, whose children are in it. */
int v8_tree_nested(struct v8_tree *t, const struct json_node *head, struct error *e);
void v8_tree_release(struct v8_tree *t);

/* The node of that id, or V8_NO_NODE. */
uint32_t v8_tree_find(const struct v8_tree *t, int64_t id);

/* The stack of a node, without V8's own root. */
int v8_tree_stack(struct v8_tree *t, uint32_t node, stack_id *stack, struct error *e);

/* A member that is a whole number; 0: it is not there. */
int64_t v8_number(const struct json_node *n, const char *name);

struct v8_numbers {
	int64_t *value;
	size_t nr, cap;
};

/*
 * Which node it was, and when: a delta is the time since the sample before.  A
 * sample lasts until the next one.  All times are microseconds.
 */
struct v8_samples {
	struct v8_numbers node, delta, stamp;
	struct v8_numbers begin, end; /* of the whole: one each, if it is told */
};

bool v8_add_number(struct v8_numbers *n, struct span text);

/* Are there samples, and times of them? */
bool v8_samples_timed(const struct v8_samples *s);

/* Counts them as the event that is set. */
int v8_samples_count(struct v8_samples *s, struct v8_tree *t, struct error *e);
void v8_samples_release(struct v8_samples *s);

#endif
