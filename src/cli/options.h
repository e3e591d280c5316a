/*
 * Command lines as data: one table a command.  It parses, checks, prints the
 * help, fills the manual and completes, so these cannot drift apart.
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
	OPTION_VALUE,  /* int: becomes the value of the row */
	OPTION_COUNT,  /* int: how often it was given */
	OPTION_UINT,   /* unsigned */
	OPTION_NUMBER, /* double */
	OPTION_STRING, /* const char * */
	OPTION_MAYBE,  /* const char *: "" without a value, which only an = can bring */
	OPTION_NEXT, /* const char *: "" without a value, which is the next word if that is no option */
	OPTION_LIST,   /* struct option_list: may be given again and again */
	OPTION_STEP,   /* struct option_steps: one more; with a value if the row has an argument */
	OPTION_CHOICE, /* int: one of the choices, "a|b|c", counted from 0 */
	OPTION_HELP,   /* stop and tell */
};

struct option {
	const char *name; /* without dashes; NULL: only the letter */
	char letter;	  /* 0: only the name */
	enum option_type type;
	size_t offset;	      /* of the field in the struct that is filled */
	const char *argument; /* what the help calls its value; for a choice, the choices */
	const char *help;     /* NULL: not shown */
	unsigned bits;	      /* for OPTION_BITS, OPTION_CLEAR, OPTION_VALUE and OPTION_STEP */
};

struct option_list {
	const char **at;
	size_t nr, cap;
};

/* Options whose order counts: several rows of a table add to the same steps. */
struct option_step {
	unsigned what; /* the bits of its row */
	const char *name, *value;
};

struct option_steps {
	struct option_step *at;
	size_t nr, cap;
};

enum option_syntax {
	SYNTAX_GNU,  /* --name VALUE, --name=VALUE, -nVALUE, -abc; exact names */
	SYNTAX_PERL, /* Getopt::Long: -name too, any case, any unique beginning */
	/*
	 * awk: the names are variables.  `-v NAME=VALUE` and operands NAME=VALUE
	 * in front of the first file set them; flags and bits go the other way
	 * when the value is what awk calls false.  Nobody else's variables
	 * matter.
	 */
	SYNTAX_AWK,
};

/* Rows that several tables have behind their own: they fill a struct in the one that is filled. */
struct option_group {
	const struct option *option; /* ends with a row of zeros; NULL: there are none */
	size_t offset;		     /* of that struct */
};

struct option_table {
	const char *usage;	     /* "wick collapse [FORMAT] [options] [FILE]" */
	const char *about;	     /* a paragraph */
	const struct option *option; /* ends with a row of zeros */
	struct option_group shared;
	const char *after; /* below the options, or NULL */
	enum option_syntax syntax;
	bool command; /* what is no option begins another command line: all behind is its own */
	const char *operand;		  /* what its other arguments are called; NULL: FILE */
	const struct option_words *words; /* ends with a row of zeros, or NULL */
};

/* What an argument that is called so may be, "a|b|c": for shells that complete it. */
struct option_words {
	const char *argument, *words;
};

/*
 * Fills the struct from argv[1] on.  What is no option goes to operands.
 * Returns 0, -1 with an error, or 1 when the help was asked for.
 */
int options_parse(const struct option_table *t, void *into, int argc, char **argv,
		  struct option_list *operands, struct error *e);

/* The help of a table, on standard output; in pages on a terminal where it is too long. */
void options_help(const struct option_table *t);

/* The same as text, only its options, and paragraphs; on a terminal, lines are as long as that allows. */
void options_text(const struct option_table *t, struct strbuf *out);
void options_rows(const struct option_table *t, struct strbuf *out);
void options_prose(const char *text, struct strbuf *out);

/* The row behind this one, or the first; NULL at the end. */
const struct option *option_next(const struct option_table *t, const struct option *o);

/* Is the word behind it its value? */
bool option_takes_value(const struct option *o);

void option_list_release(struct option_list *l);
void option_steps_release(struct option_steps *s);

#endif
