/*
 * Command lines as data: one table for each command.  Parsing, the help, the
 * manual and shell completion all use it, so they cannot drift apart.
 */
#ifndef WICK_CLI_OPTIONS_H
#define WICK_CLI_OPTIONS_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_type {
	OPTION_FLAG,   /* bool: true when given */
	OPTION_OFF,    /* bool: false when given */
	OPTION_NEGATE, /* bool: --name or --no-name */
	OPTION_BITS,   /* unsigned: bits are set */
	OPTION_CLEAR,  /* unsigned: bits are cleared */
	OPTION_VALUE,  /* int: becomes the row's `bits` */
	OPTION_COUNT,  /* int: how often it was given */
	OPTION_UINT,   /* unsigned: at least the row's `bits` */
	OPTION_NUMBER, /* double */
	OPTION_STRING, /* const char * */
	OPTION_MAYBE,  /* const char *: the value is optional (--name=VALUE); without it, "" */
	OPTION_NEXT,  /* const char *: the same, but also --name VALUE, unless VALUE is an option */
	OPTION_LIST,  /* struct option_list: this and the next two may be repeated */
	OPTION_TUPLE, /* struct option_list: a value for each word of the argument */
	OPTION_STEP,  /* struct option_steps: has a value if the row has an argument */
	OPTION_CHOICE, /* int: the index of the value in the choices, "a|b|c" */
	OPTION_HELP,   /* parsing stops, and options_parse() returns 1 */
};

struct option {
	const char *name; /* without dashes; NULL: only the letter */
	char letter;	  /* 0: only the name */
	enum option_type type;
	size_t offset;	      /* of the field in the struct that is filled */
	const char *argument; /* the name of its value in the help; for a choice, the choices */
	const char *help;     /* NULL: hidden */
	unsigned
		bits; /* for OPTION_BITS, OPTION_CLEAR, OPTION_VALUE, OPTION_UINT and OPTION_STEP */
};

/* The strings are those of argv. */
struct option_list {
	const char **at;
	size_t nr, cap;
};

/* One of several options whose order matters: their rows share a struct option_steps. */
struct option_step {
	unsigned what; /* the `bits` of its row */
	const char *name, *value;
};

struct option_steps {
	struct option_step *at;
	size_t nr, cap;
};

enum option_syntax {
	SYNTAX_GNU,  /* --name VALUE, --name=VALUE, -nVALUE, -abc; exact names */
	SYNTAX_PERL, /* Getopt::Long: -name and +name too, any case, any unique prefix */
	/*
	 * awk: options are variables, which `-v NAME=VALUE` and operands NAME=VALUE before the
	 * first file set.  With a value that awk takes as false, flags and bits are negated.
	 * Unknown variables are ignored.
	 */
	SYNTAX_AWK,
};

/* Rows that several tables share.  They fill a struct that is a member of the table's own. */
struct option_group {
	const struct option *option; /* ends with a row of zeros; NULL: there are none */
	size_t offset;		     /* of that member */
};

struct option_table {
	const char *usage; /* "wick collapse [FORMAT] [options] [FILE]"; may be several lines */
	const char *about; /* a paragraph */
	const struct option *option; /* ends with a row of zeros */
	struct option_group shared;
	const char *after; /* a paragraph below the options, or NULL */
	enum option_syntax syntax;
	bool command; /* the first operand begins another command line: no options after it */
	const char *operand;		  /* the name of its operands in the help; NULL: FILE */
	const struct option_words *words; /* ends with a row of zeros, or NULL */
};

/* For completion: the valid words of the argument with that name, "a|b|c". */
struct option_words {
	const char *argument, *words;
};

/*
 * Fills the struct `into` from argv[1] on; operands are added to the list, which
 * the caller releases.  Returns 0, -1 with an error, or 1: the help was requested.
 */
int options_parse(const struct option_table *t, void *into, int argc, char **argv,
		  struct option_list *operands, struct error *e);

/* Prints the help of a table on standard output, on a terminal with the pager. */
void options_help(const struct option_table *t);

/* Append the whole help, its options, or a paragraph; on a terminal, lines are wrapped. */
void options_text(const struct option_table *t, struct strbuf *out);
void options_rows(const struct option_table *t, struct strbuf *out);
void options_prose(const char *text, struct strbuf *out);

/* The next row, including those of the shared group; o NULL: the first; returns NULL at the end. */
const struct option *option_next(const struct option_table *t, const struct option *o);

/* Does the option require a value? */
bool option_takes_value(const struct option *o);

/* The index of "--" among the arguments; argc if there is none. */
int options_dashes(int argc, char **argv);

/*
 * Sets the error for a value that is none of the choices, "a|b|c", of an option or argument, with
 * the nearest one as a hint.
 */
int option_choice_wrong(struct span what, const char *choices, const char *value, struct error *e);

void option_list_add(struct option_list *l, const char *s);
void option_list_release(struct option_list *l);
void option_steps_release(struct option_steps *s);

#endif
