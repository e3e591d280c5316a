/* Sums by function, module, thread, …, as a table or as JSON. */
#ifndef WICK_CMD_REPORT_REPORT_TABLE_H
#define WICK_CMD_REPORT_REPORT_TABLE_H

#include "cmd/report/report_facts.h"
#include "fold/sums.h"

/* "comm,module" into key[NR_SUM_KEYS]; also takes names of perf report --sort.  -1: unknown one. */
int report_keys_parse(const char *text, enum sum_key *key, size_t *nr, struct error *e);

/* -1: no sample of the input has one of the keys. */
int report_table_write(const struct report *r, const enum sum_key *key, size_t nr_key,
		       struct strbuf *out, struct error *e);

#endif
