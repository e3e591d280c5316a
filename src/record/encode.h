/* Records that nobody wrote, as the kernel would have: for files that others read. */
#ifndef WICK_RECORD_ENCODE_H
#define WICK_RECORD_ENCODE_H

#include "base/strbuf.h"
#include "event/event.h"

/* A mapping or a name of a thread, as the event of this attr tells it; in bytes, until out changes. */
struct span encode_record(struct strbuf *out, const struct record *r, const struct attr *a);

#endif
