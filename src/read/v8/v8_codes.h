/* V8's code by address, as it is created, moved and deleted in the order of a log. */
#ifndef WICK_READ_V8_V8_CODES_H
#define WICK_READ_V8_V8_CODES_H

#include "base/intern.h"
#include "profile/profile.h"

#include <stdbool.h>
#include <stdint.h>

struct v8_code {
	uint64_t begin, size;
	frame_id frame;
	bool is_js;
};

/* Zeroed, it is empty. */
struct v8_codes {
	struct intern pages; /* number of the page → bucket */
	struct v8_page {
		struct v8_code *code; /* no two overlap */
		size_t nr, cap;
	} * page;
	size_t nr, cap;
};

/* Adds code, which replaces overlapping code. */
void v8_codes_add(struct v8_codes *c, struct v8_code code);
void v8_codes_remove(struct v8_codes *c, const struct v8_code *code);

/* The code that contains an address, or NULL; valid until the next change. */
const struct v8_code *v8_codes_find(const struct v8_codes *c, uint64_t address);
void v8_codes_release(struct v8_codes *c);

#endif
