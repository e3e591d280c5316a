/* What inferno's programs say on standard error: env_logger's lines, and Rust's last words. */
#ifndef WICK_DROPIN_INFERNO_LOG_H
#define WICK_DROPIN_INFERNO_LOG_H

#include "cmd/collapse.h"

/* env_logger's levels, and what ends the program. */
enum inferno_level { INFERNO_FATAL, INFERNO_ERROR, INFERNO_WARN, INFERNO_INFO };

struct inferno_log {
	bool quiet;
	int verbose; /* how much more than warnings */
};

/* "[WARN  inferno::module] what: text", if that level is listened to. */
void inferno_tell(const struct inferno_log *l, enum inferno_level level, const char *module,
		  const char *what, struct span text);

/* Tells what could not be read and yet did not stop it. */
void inferno_tell_notes(const struct inferno_log *l, const struct collapse_result *r);

/* A collapse_check: something that inferno gives up at is an error, in its words. */
int inferno_check(const struct collapse_result *r, struct error *e);

#endif
