/* The bytes of docs/pack.md, which nobody vouches for, as a profile. */
#ifndef WICK_PACK_PACK_READ_H
#define WICK_PACK_PACK_READ_H

#include "base/error.h"
#include "base/span.h"
#include "profile/profile.h"

/* Do these bytes begin like a pack? */
bool pack_begins(struct span head);

/* Is told each setting of the view; the spans live as long as the call. */
typedef void pack_visitor(void *arg, struct span key, struct span value);

/*
 * Fills p, to which nothing was added yet.  An error names the section; p is
 * then sound and has a part of the rows.  visit may be NULL.
 */
int pack_read(struct profile *p, struct span bytes, pack_visitor *visit, void *arg,
	      struct error *e);

#endif
