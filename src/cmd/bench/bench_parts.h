/*
 * The parts of `wick bench`, in the order in which they work:
 *
 *	bench_commands.c   command lines: parameters, shells, words
 *	bench_git.c        two revisions, each built in its own worktree
 *	bench_spawn.c      one run: starts a command, waits for it, and measures it
 *	bench_measure.c    all runs: order, number, and what runs before and after them
 *	bench_saved.c      saved runs, and the machine they were measured on
 *	bench_compare.c    verdicts, and warnings about the conditions
 *	bench_profile.c    profiled runs: which functions make the difference
 *	bench_report.c, bench_export.c, bench_markup.c, bench_page.c   output
 */
#ifndef WICK_CMD_BENCH_BENCH_PARTS_H
#define WICK_CMD_BENCH_BENCH_PARTS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/output.h"
#include "base/seeded.h"
#include "base/strbuf.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/term.h"
#include "fold/ratio.h"
#include "perf/wait_reason.h"
#include "record/launch/run_as.h"
#include "record/launch/signals.h"
#include "record/perf_events/counting.h"
#include "record/perf_events/events.h"

/* Metrics of a run; event counters follow. */
enum bench_metric {
	METRIC_TIME,
	METRIC_USER,
	METRIC_SYSTEM,
	METRIC_MEMORY,
	METRIC_MINOR_FAULTS,
	METRIC_MAJOR_FAULTS,
	METRIC_SWITCHES,
	METRIC_PREEMPTIONS,
	METRIC_WAIT, /* by reason, of recorded runs */
	METRIC_COUNTERS = METRIC_WAIT + NR_WAIT_REASONS,
	METRICS_MAX = METRIC_COUNTERS + 8,
};

struct bench_metric_name {
	const char *title; /* for people */
	const char *key;   /* in JSON */
	const char *unit;  /* "ns", "bytes" or "" */
};

/* Times are in ns, memory in bytes. */
struct bench_run {
	double value[METRICS_MAX];
	int status;   /* exit status as in a shell */
	size_t order; /* its position among all runs, from 0 */
};

struct bench_parameter {
	const char *name, *value;
};

struct bench_command {
	const char *name;	 /* given with -n, or the command line */
	const char *title;	 /* the same, with parameters that it does not show */
	const char *const *argv; /* the command, with a NULL at the end; NULL: saved runs */
	const char *path;	 /* of argv[0] */
	bool in_shell;		 /* argv is a shell, whose start-up time is subtracted */
	const char *prepare, *conclude, *setup, *cleanup; /* or NULL */
	const char *output;				  /* as in --output */
	const char *folder; /* its working directory; NULL: wick's own */
	struct bench_parameter *parameter;
	size_t nr_parameter;
	/* The timed runs: run i belongs to round i; each command runs once per round. */
	struct bench_runs {
		struct bench_run *at;
		size_t nr, cap;
	} timed;
	struct bench_runs recorded; /* of --profile-runs: have METRIC_WAIT only */
	bool has_no_waits;	    /* waits of a recorded run are missing */
	unsigned metrics;	    /* bits: available metrics; saved runs may lack some */
	const struct bench_command *reference; /* the command it is compared with; NULL: none */
	struct ratio ratio[METRICS_MAX];       /* the results of that comparison */
};

/* A condition that may distort the results, and what to do about it. */
struct bench_warning {
	const char *text, *hint; /* hint: or "" */
};

/* A changed function: its self CPU time per run, in ns. */
struct bench_function {
	const char *name;
	double before, after;
	double share; /* of the difference in total CPU time; NAN: there may be none */
	double error; /* ± of the share */
};

/* The profiled comparison: the first command that has a reference. */
struct bench_profile {
	bool made;
	struct bench_function *function; /* significant changes, largest first */
	size_t nr_function;
	const struct bench_command *command; /* compared with its reference; NULL: none is */
	size_t nr_run;			     /* of each command */
	double cpu[2];			     /* CPU time per run: ns */
	bool user_only; /* … in user mode: the kernel could not be profiled */
	char *page;	/* the comparison as a page, for -o; or NULL */
	size_t page_size;
	const char *why_not; /* why there is no result; or NULL */
};

struct bench_opts {
	struct option_list prepare, conclude, name, output, scan, list, event;
	const char *setup, *cleanup, *shell, *step, *input, *reference, *reference_name;
	const char *target_user, *json, *csv, *markdown, *asciidoc, *orgmode, *page, *save,
		*baseline;
	const char *time, *each_time, *until, *fail_above, *git, *build, *ignore_failure;
	const char *profile;
	unsigned runs, min_runs, max_runs, warmup;
	unsigned profile_runs; /* parsed from .profile, or BENCH_PROFILE_AUTO */
	int style, sort, unit; /* enum bench_style, … */
	bool no_shell, show_output, quiet;
};

/* The values of --style, --sort and --time-unit, which are hyperfine's. */
enum bench_style {
	BENCH_STYLE_AUTO,
	BENCH_STYLE_BASIC,
	BENCH_STYLE_FULL,
	BENCH_STYLE_NOCOLOR,
	BENCH_STYLE_COLOR,
	BENCH_STYLE_NONE,
};
enum bench_sort { BENCH_SORT_AUTO, BENCH_SORT_COMMAND, BENCH_SORT_MEAN };
enum bench_unit { BENCH_UNIT_AUTO, BENCH_MICROSECONDS, BENCH_MILLISECONDS, BENCH_SECONDS };

/* Bits of the metrics that profiled runs have. */
#define BENCH_WAITS (((1u << NR_WAIT_REASONS) - 1) << METRIC_WAIT)

/* Marks numbers that were not given. */
#define BENCH_NOT_GIVEN UINT32_MAX

/* --profile-runs auto: until the functions can be distinguished. */
#define BENCH_PROFILE_AUTO UINT32_MAX

struct bench {
	struct bench_opts o;
	struct arena arena; /* owner of all strings */
	struct bench_command *command;
	size_t nr_command;
	struct bench_command *saved; /* of --baseline */
	size_t nr_saved;
	struct bench_metric_name metric[METRICS_MAX];
	size_t nr_metric;
	double limit_time;  /* s: of all runs; 0: not given */
	double each_time;   /* s: of the runs of a command, if limit_time is not given */
	double limit_width; /* --until, as a fraction; 0: not given */
	double fail_above;  /* as a fraction; NAN: not given */
	bool ignored[256];  /* by exit status: it does not count as a failure */
	bool uses_shell;
	const char *const *shell; /* words, then NULL */
	size_t nr_shell;
	bool in_blocks; /* runs do not alternate, because --setup differs between commands */
	struct events events;
	struct counter counter[METRICS_MAX - METRIC_COUNTERS];
	struct launch_signals signals;
	struct run_as run_as; /* the user that runs all commands under sudo */
	int interrupted;      /* the signal that interrupted wick, or 0 */
	struct seeded chance;
	/* Results: */
	double overhead[3]; /* of an empty shell: METRIC_TIME, _USER, _SYSTEM */
	bool is_wide;	    /* --until was not reached */
	struct bench_warning *warning;
	size_t nr_warning, cap_warning;
	struct bench_profile profile;
	const char *worktrees; /* their directory; NULL: there are none */
	double others;	       /* CPUs that other processes kept busy */
	double memory_floor;   /* bytes: smaller values of peak memory cannot be measured */
};

/* A text that lives as long as b. */
const char *bench_text(struct bench *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Opens an output file, which belongs to the user who called sudo: output_open_whole(). */
int bench_output_open(const struct bench *b, struct output *out, const char *path, struct error *e);

/* A new directory in $TMPDIR or /tmp; NULL: an error. */
const char *bench_folder(struct bench *b, struct error *e);

/* The runs that measure a metric: timed or recorded ones. */
const struct bench_runs *bench_runs(const struct bench_command *c, size_t metric);
struct bench_run *bench_runs_add(struct bench_runs *r);
void bench_runs_release(struct bench_runs *r);

/* Values of a metric, run by run; the caller frees them. */
double *bench_values(const struct bench_command *c, size_t metric);

/* The median of these values. */
double bench_median(const struct bench_command *c, size_t metric);

/* Appends the median as text, with its unit. */
void bench_median_add(const struct bench *b, const struct bench_command *c, size_t metric,
		      struct strbuf *out);

/*
 * Is a metric 0 in all runs of the command?  bench_are_zero(): also in all runs of its reference?
 */
bool bench_is_zero(const struct bench_command *c, size_t metric);
bool bench_are_zero(const struct bench_command *c, size_t metric);

/* bench_commands.c */

/* The commands of the operands; after_dashes: words, with :: between commands. */
int bench_commands(struct bench *b, const struct option_list *operands, bool after_dashes,
		   struct error *e);

/*
 * The argv that runs a line: the shell's words and the line, or without a shell the line's words;
 * NULL: an error.
 */
const char *const *bench_words(struct bench *b, const char *line, struct error *e);

/* bench_spawn.c */

/* The program of a run. */
enum { BENCH_STREAMS = 3 };
struct bench_program {
	const char *path, *const *argv;
	const char *folder;	   /* NULL: the current directory */
	int stream[BENCH_STREAMS]; /* standard input, output and error; -1: wick's own */
};

/* The child's state right before its exec. */
struct bench_begin {
	uint64_t time; /* ns */
	struct rusage used;
	int error; /* errno of a failed exec, or 0; negative: changing to the user failed */
};

struct bench_started {
	struct bench_begin begin;
	uint64_t end; /* ns */
	struct rusage used;
	int status; /* exit status as in a shell */
	int signal; /* the signal that killed it, or 0 */
};

/* The environment of all runs. */
struct bench_spawn {
	struct bench *b;
	struct bench_shared *shared;
	pid_t spawner;	    /* the process that starts the commands */
	int request;	    /* an eventfd: each event requests a start; or -1 */
	int null, pipe;	    /* /dev/null; a pipe whose other end is read; or -1 */
	char **env;	    /* wick's own environment, `padding`, and `iteration` if set */
	char *padding;	    /* a variable that pads env to the desired size */
	char iteration[64]; /* HYPERFINE_ITERATION: the number of the run */
	char **last;	    /* the entry of `iteration` in env */
	gid_t *group;	    /* groups of the user that runs the commands */
	size_t nr_group;
};

#define BENCH_SPAWN_INIT \
	{ \
		.request = -1, .null = -1, .pipe = -1 \
	}

int bench_spawn_init(struct bench_spawn *s, struct bench *b, struct error *e);
void bench_spawn_release(struct bench_spawn *s);

/* Changes the size of the environment for the next runs. */
void bench_spawn_pad(struct bench_spawn *s);

/* Sets HYPERFINE_ITERATION for the next runs; NULL: it is not set. */
void bench_spawn_iterate(struct bench_spawn *s, const char *which);

/*
 * The standard streams of a run, to be closed after it even if this fails.  output: "null", "pipe",
 * "inherit" or a path.
 */
int bench_streams_open(struct bench_spawn *s, const char *output, int *stream, struct error *e);
void bench_streams_close(const struct bench_spawn *s, const int *stream);

/*
 * Runs a program and waits for it; a signal received meanwhile is in b->interrupted.  -1: it cannot
 * be run.
 */
int bench_spawn_run(struct bench_spawn *s, const struct bench_program *p, struct bench_started *r,
		    struct error *e);

/* The path of a program on a command line; the name itself if it is not found. */
const char *bench_find(struct bench *b, const char *name);

/* A line of --prepare, --setup, --build and the like. */
struct bench_line {
	const char *option, *text;
	const struct bench_command *of; /* runs in its folder, and shows its output if that does */
	const char *log;		/* else the file for its output; NULL: none */
};

/* Runs the line; -1 if it fails. */
int bench_spawn_line(struct bench_spawn *s, const struct bench_line *l, struct error *e);

/* bench_git.c: --git A..B */

/* Creates and builds the worktrees; the command becomes two, one in each of them. */
int bench_git_open(struct bench *b, struct bench_spawn *s, struct error *e);
void bench_git_close(struct bench *b, struct bench_spawn *s);

/* bench_measure.c */
int bench_measure(struct bench *b, struct bench_spawn *s, struct error *e);

/* bench_saved.c */
int bench_saved_read(struct bench *b, struct error *e);

/* Facts about the machine, as members of a JSON object. */
void bench_machine_add(struct strbuf *out);

/* The same for people: "2 × Some CPU, 7.6 GiB, Linux 6.1, wick 1.0" */
void bench_machine_describe(struct strbuf *out);

/* bench_compare.c */
void bench_warn(struct bench *b, const char *text, const char *hint);
void bench_compare(struct bench *b);

/* The confidence of each verdict that makes all of them together right in 95 % of cases. */
double bench_confidence(const struct bench *b);
void bench_check_conditions(struct bench *b);

/* CPU time of all other processes of this machine so far: seconds. */
double bench_busy(void);

/* Is there a verdict?  Not if there were too few runs. */
bool bench_is_known(const struct ratio *r);

/* "faster", "slower" or "no difference" */
const char *bench_verdict(const struct ratio *r);

/* bench_profile.c: after -1, the timed runs are still valid */
int bench_profile(struct bench *b, struct bench_spawn *s, struct error *e);
void bench_profile_release(struct bench_profile *p);

/* bench_report.c */

/* As --style says. */
void bench_progress_init(const struct bench *b, struct progress *p);
struct term bench_term(const struct bench *b);

/* A unit of time.  bench_unit(): that of --time-unit, or one that suits a value in ns. */
struct bench_time_unit {
	const char *name;
	double ns;
	int digits; /* after the decimal point */
};
struct bench_time_unit bench_unit(const struct bench *b, double ns);

/* Statistics of the times of a command: ns. */
struct bench_stats {
	double mean, deviation, median, user, system, min, max;
};
struct bench_stats bench_stats(const struct bench_command *c);

void bench_report(const struct bench *b);
void bench_explain(const struct bench *b, struct strbuf *out);

/* Appends a ratio as text: "+1.20 %", "× 2.10"; "from 0" if all runs of the reference have 0. */
void bench_change_add(const struct bench_command *c, size_t metric, struct strbuf *out);

/* "[+0.50 %, +1.90 %]"; nothing if a side is 0, or has too few runs */
void bench_interval_add(const struct bench_command *c, size_t metric, struct strbuf *out);

/* "faster", "more" or "" */
const char *bench_word(const struct ratio *r, size_t metric);
void bench_summarize(const struct bench *b, const struct bench_command *c, struct strbuf *out);

/* bench_export.c */

/* Can the files be written?  To be called before anything runs. */
int bench_export_check(const struct bench *b, struct error *e);
int bench_export(const struct bench *b, struct error *e);

/* bench_markup.c: a table in some markup language */
void bench_markdown_add(const struct bench *b, struct strbuf *out);
void bench_asciidoc_add(const struct bench *b, struct strbuf *out);
void bench_orgmode_add(const struct bench *b, struct strbuf *out);

/* bench_page.c */
int bench_page_write(const struct bench *b, struct error *e);

#endif
