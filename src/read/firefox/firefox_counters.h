/*
 * The counters of a Firefox Profiler profile, such as the memory of a process: each sample is the change
 * since the previous one, and the sum so far becomes a point of a series.
 */
#ifndef WICK_READ_FIREFOX_FIREFOX_COUNTERS_H
#define WICK_READ_FIREFOX_FIREFOX_COUNTERS_H

#include "read/counters.h"
#include "read/firefox/firefox_samples.h"

/* Reads an element of the list of counters. */
enum json_token firefox_counter_read(struct counters *to, const struct firefox_samples *s,
				     struct json *j, enum json_token token, struct error *e);

#endif
