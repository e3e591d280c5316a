/*
 * Messages of inferno's programs on standard error: as env_logger prints them, or main()'s error.
 */
#ifndef WICK_DROPIN_INFERNO_LOG_H
#define WICK_DROPIN_INFERNO_LOG_H

#include "load/load.h"

/* env_logger's levels; INFERNO_FATAL: an error that ends the program. */
enum inferno_level { INFERNO_FATAL, INFERNO_ERROR, INFERNO_WARN, INFERNO_INFO };

struct inferno_log {
	bool quiet;
	int verbose; /* number of -v: levels beyond warnings */
};

/* Prints "[WARN  inferno::module] what: text", if that level is enabled. */
void inferno_print(const struct inferno_log *l, enum inferno_level level, const char *module,
		   const char *what, struct span text);

/* Prints inferno's messages for notes that do not make it fail. */
void inferno_print_notes(const struct inferno_log *l, const struct load_result *r);

/* A load_check: -1, with inferno's message, if there is a note at which inferno would fail. */
int inferno_check(const struct load_result *r, struct error *e);

#endif
