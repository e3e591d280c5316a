/* Reads the format of docs/pack.md, from untrusted bytes. */
#ifndef WICK_PACK_PACK_READ_H
#define WICK_PACK_PACK_READ_H

#include "base/error.h"
#include "base/span.h"
#include "profile/profile.h"

/* Do these bytes begin like a pack, of any version? */
bool pack_begins(struct span head);

/* Called for each setting of the view; the spans are valid during the call only. */
typedef void pack_visitor(void *arg, struct span key, struct span value);

/*
 * Fills p, which must be empty.  -1: the error names the section; p is valid and
 * has some of the rows.  visit may be NULL.
 */
int pack_read(struct profile *p, struct span bytes, pack_visitor *visit, void *arg,
	      struct error *e);

#endif
