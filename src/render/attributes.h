/*
 * Attributes that the frames of some functions get: `name<TAB>href=…<TAB>title=…`,
 * a line a function (flamegraph.pl's --nameattr).
 */
#ifndef WICK_RENDER_ATTRIBUTES_H
#define WICK_RENDER_ATTRIBUTES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"

struct attribute {
	struct span name, value;
};

struct function_attributes {
	struct span title; /* instead of the usual one; at NULL: none */
	bool is_link;
	struct attribute *attribute;
	size_t nr, cap;
};

enum attribute_trouble { ATTRIBUTE_UNKNOWN, ATTRIBUTE_TWICE };

/* Told of what is odd in the file: an unknown key, or one that is there twice. */
typedef void attributes_watcher(void *arg, enum attribute_trouble trouble, struct span key,
				struct span function);

struct attributes {
	struct intern functions;
	struct function_attributes *of; /* by number of the function */
	size_t cap;
	struct arena text;
};

int attributes_read(struct attributes *a, const char *path, attributes_watcher *watcher, void *arg,
		    struct error *e);
void attributes_release(struct attributes *a);

/* NULL when the function has none. */
const struct function_attributes *attributes_find(const struct attributes *a, struct span function);

#endif
