/* Writes a profile in the format of docs/pack.md. */
#ifndef WICK_PACK_PACK_WRITE_H
#define WICK_PACK_PACK_WRITE_H

#include "base/strbuf.h"
#include "profile/profile.h"

struct pack_setting {
	const char *key;
	struct span value;
};

/* How the page shows the profile. */
struct pack_view {
	const struct pack_setting *setting;
	size_t nr_setting;
	unsigned spelling; /* of the displayed names of frames and threads */
	/*
	 * The color (0xrrggbb) of a displayed name with its marks, by a palette; NULL: the page
	 * picks colors.  The name is of a line of a frame; or of a thread, if frame is NULL.
	 */
	uint32_t (*color)(void *arg, struct span word, const frame_id *frame, size_t line);
	void *color_arg;
};

/* Appends the pack; with view NULL, only the profile. */
void pack_write(struct strbuf *out, const struct profile *p, const struct pack_view *view);

#endif
