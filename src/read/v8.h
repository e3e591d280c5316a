/*
 * V8 profiles, in a file of their own (v8.c) or inside a trace (chrome_profiles.h): a
 * call tree of nodes that refer to children or parents by id, and samples that refer
 * to nodes.
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
	stack_id stack; /* if it is known */
	bool known;	/* stack and depth are set */
	bool climbed;	/* it was passed on the way to a root: to find cycles */
};

struct v8_tree {
	struct build *b;
	struct intern ids; /* id → node */
	struct v8_node *node;
	size_t nr, cap;
	uint32_t *path; /* from a node upwards to one whose stack is known */
	size_t nr_path, cap_path;
};

/* Adds an array of nodes, which refer to each other by id.  The JSON must outlive the tree. */
int v8_tree_flat(struct v8_tree *t, const struct json_node *nodes, struct error *e);

/* Adds a node and all below it: children are nested in their parents. */
int v8_tree_nested(struct v8_tree *t, const struct json_node *head, struct error *e);
void v8_tree_release(struct v8_tree *t);

/* The node of that id, or V8_NO_NODE. */
uint32_t v8_tree_find(const struct v8_tree *t, int64_t id);

/* The stack of a node, without V8's own root. */
int v8_tree_stack(struct v8_tree *t, uint32_t node, stack_id *stack, struct error *e);

/* A member that is a number, rounded; 0: there is none. */
int64_t v8_number(const struct json_node *n, const char *name);

struct v8_numbers {
	int64_t *value;
	size_t nr, cap;
};

/* A sample lasts until the next one.  All times are microseconds. */
struct v8_samples {
	struct v8_numbers node;	      /* by sample: the id of its node */
	struct v8_numbers delta;      /* … the time since the sample before, or */
	struct v8_numbers stamp;      /* … its time */
	struct v8_numbers begin, end; /* of the whole profile: one value each, or none */
};

/* Appends a number, rounded; false when it is none. */
bool v8_add_number(struct v8_numbers *n, struct span text);

/* Are there samples with times? */
bool v8_samples_timed(const struct v8_samples *s);

/* Counts the samples as t->b->event, weighted by how long each lasted. */
int v8_samples_count(struct v8_samples *s, struct v8_tree *t, struct error *e);
void v8_samples_release(struct v8_samples *s);

#endif
