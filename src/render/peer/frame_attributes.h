/*
 * XML attributes for the frames of some functions (flamegraph.pl's --nameattr),
 * from a file with a line for each function: `name<TAB>href=…<TAB>title=…`.
 */
#ifndef WICK_RENDER_PEER_FRAME_ATTRIBUTES_H
#define WICK_RENDER_PEER_FRAME_ATTRIBUTES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"

struct attribute {
	struct span name, value;
};

struct function_attributes {
	struct span title; /* instead of the usual one; title.at NULL: not set */
	bool is_link;	   /* it has an href: the frame is an <a>, not a <g> */
	struct attribute *attribute;
	size_t nr, cap;
};

enum attribute_trouble { ATTRIBUTE_UNKNOWN, ATTRIBUTE_TWICE, ATTRIBUTE_NONE };

/* Called for each problem in the file: an unknown key, one that a function has twice, or a line without a tab. */
typedef void attributes_watcher(void *arg, enum attribute_trouble trouble, struct span key,
				struct span function);

struct attributes {
	struct intern functions;
	struct function_attributes *of; /* by number of the function */
	size_t cap;
	struct arena text;
};

/* -1: the file cannot be read; release `a` in any case. */
int attributes_read(struct attributes *a, const char *path, attributes_watcher *watcher, void *arg,
		    struct error *e);
void attributes_release(struct attributes *a);

/* NULL when the function has none. */
const struct function_attributes *attributes_find(const struct attributes *a, struct span function);

#endif
