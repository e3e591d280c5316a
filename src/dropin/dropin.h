/*
 * Drop-in replacements: when wick is called by the name of another program, it behaves like that
 * program.  Each family of programs has a file here with its options, messages and exit status.
 * Readers and writers know nothing about them.
 */
#ifndef WICK_DROPIN_DROPIN_H
#define WICK_DROPIN_DROPIN_H

struct dropin {
	const char *name; /* of the program */
	int (*main)(const struct dropin *d, int argc, char **argv);
	const void *detail; /* of the family's own type: how this program differs */
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
