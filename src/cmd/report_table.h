/* Rows by function, module, thread, …: a table, or its JSON. */
#ifndef WICK_CMD_REPORT_TABLE_H
#define WICK_CMD_REPORT_TABLE_H

#include "cmd/report_facts.h"
#include "fold/sums.h"

/* "comm,module": as perf report --sort takes them too.  -1: one of them is none. */
int report_keys_parse(const char *text, enum sum_key *key, size_t *nr, struct error *e);

/* -1: the input does not tell one of the keys at all. */
int report_table_write(const struct report *r, const enum sum_key *key, size_t nr_key,
		       struct strbuf *out, struct error *e);

#endif
