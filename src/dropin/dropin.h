/*
 * Other programs' command lines.  wick also answers to the names that people's
 * scripts call; each family of names has a file here that knows how its
 * programs spell options, messages and exit status.  Readers and writers know
 * none of it.
 */
#ifndef WICK_DROPIN_DROPIN_H
#define WICK_DROPIN_DROPIN_H

struct dropin {
	const char *name; /* of the program */
	int (*main)(const struct dropin *d, int argc, char **argv);
	const void *detail; /* what the family's file knows of this program */
};

/* The family tables; each ends with a row of zeros. */
extern const struct dropin dropins_cargo[];
extern const struct dropin dropins_chrome_tracing[];
extern const struct dropin dropins_diff_folded[];
extern const struct dropin dropins_files[];
extern const struct dropin dropins_flamegraph_pl[];
extern const struct dropin dropins_flamegraph_rs[];
extern const struct dropin dropins_inferno[];
extern const struct dropin dropins_inferno_flamegraph[];
extern const struct dropin dropins_range_perf[];
extern const struct dropin dropins_stackcollapse[];

#endif
