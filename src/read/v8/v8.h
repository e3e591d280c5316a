/*
 * V8 profiles, in their own file (v8.c) or inside a trace (chrome_profiles.h): a call tree of nodes
 * that refer to children or parents by ID, and samples that refer to nodes.
 */
#ifndef WICK_READ_V8_V8_H
#define WICK_READ_V8_V8_H

#include "base/intern.h"
#include "base/json_tree.h"
#include "read/build.h"

enum { V8_NO_NODE = UINT32_MAX };

struct v8_node {
	frame_id frame;
	int64_t hits, size; /* self values; 0: not in the input */
	uint32_t parent;    /* V8_NO_NODE: none */
	bool is_root;	    /* V8's own, if it has no parent */
	uint32_t depth;
	stack_id stack; /* if it is known */
	bool known;	/* stack and depth are set */
	bool climbed;	/* visited on the path to a root: to detect cycles */
};

struct v8_tree {
	struct build *b;
	struct intern ids; /* id → node */
	bool is_heap;	   /* nodes have sizes */
	struct v8_node *node;
	size_t nr, cap;
	/* Calls between nodes, until v8_tree_link() */
	struct v8_call {
		uint32_t node;
		int64_t other; /* the id of a callee, or of its parent */
		bool is_parent;
	} * call;
	size_t nr_call, cap_call;
	uint32_t *path; /* from a node upwards to one whose stack is known */
	size_t nr_path, cap_path;
};

/* Adds a node that refers to others by id; to be followed by v8_tree_link() when all nodes are added. */
void v8_tree_add(struct v8_tree *t, const struct json_node *node);
int v8_tree_link(struct v8_tree *t, struct error *e);

/* Adds a node and all below it: children are nested in their parents. */
void v8_tree_nested(struct v8_tree *t, const struct json_node *head);
void v8_tree_release(struct v8_tree *t);

/* The node of that id, or V8_NO_NODE. */
uint32_t v8_tree_find(const struct v8_tree *t, int64_t id);

/* The stack of a node, without V8's own root. */
int v8_tree_stack(struct v8_tree *t, uint32_t node, stack_id *stack, struct error *e);

/* A sample lasts until the next one.  All times are microseconds. */
struct v8_last {
	struct v8_tree *tree;
	int64_t id, stamp;
	bool is_known;
};

/* Each sample counts the previous one, as tree->b->event; v8_samples_end() counts the last one. */
int v8_sample(struct v8_last *last, int64_t id, int64_t stamp, struct error *e);
int v8_samples_end(struct v8_last *last, int64_t stamp, struct error *e);

/* stamp + delta, saturated. */
int64_t v8_later(int64_t stamp, int64_t delta);

/* A number, rounded; false if it is not a number. */
bool v8_number(struct span text, int64_t *value);

#endif
