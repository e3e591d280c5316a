/* What a command took, for people and for programs. */
#ifndef WICK_CMD_STAT_TELL_H
#define WICK_CMD_STAT_TELL_H

#include "base/strbuf.h"

#include <stdbool.h>

struct stat_row {
	struct strbuf name;
	const char *unit; /* "ns", "bytes", or "" */
	bool counted;
	double value;
	struct strbuf note; /* more about the value; or why there is none */
};

struct stat_rows {
	struct stat_row *at;
	size_t nr, cap;
	int status; /* the command's */
};

struct stat_row *stat_rows_add(struct stat_rows *r, const char *unit);
void stat_rows_release(struct stat_rows *r);

void stat_tell_text(struct strbuf *out, const struct stat_rows *r);
void stat_tell_json(struct strbuf *out, const struct stat_rows *r);

#endif
