/* A profile as wick's own file: the pack, bare. */
#ifndef WICK_EXPORT_WICK_H
#define WICK_EXPORT_WICK_H

#include "base/error.h"
#include "pack/pack_write.h"

int wick_write(const char *path, const struct profile *p, const struct pack_view *view,
	       struct error *e);

#endif
