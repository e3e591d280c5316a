/* Shared by the complete_*.c files, each of which prints the completion script of a shell. */
#ifndef WICK_CLI_COMPLETE_H
#define WICK_CLI_COMPLETE_H

#include "base/span.h"
#include "cli/program.h"

/* The kind of an argument on a command line. */
enum value_kind {
	VALUE_TEXT, /* anything: it cannot be completed */
	VALUE_FILE,
	VALUE_FOLDER,
	VALUE_PROGRAM, /* an executable */
	VALUE_PROCESS,
	VALUE_EVENT,
	VALUE_USER,
	VALUE_SUBCOMMAND, /* of wick */
	NR_VALUES,
};

struct value {
	const char *name; /* its name in the help */
	enum value_kind kind;
	struct span words; /* words that are valid as well: "a|b|c", or "" */
	bool list;	   /* several, separated by commas */
};

/* The value that an option takes; o NULL: that of an operand. */
struct value value_of(const struct option_table *t, const struct option *o);

/* Removes the first of the words; false: there is none. */
bool value_next_word(struct span *words, struct span *word);

/* Can the option be given more than once? */
bool option_repeats(const struct option *o);

/* Prints the text with `escape` before each of the special characters. */
void complete_put_escaped(const char *text, const char *special, char escape);

/* Prints all words of a value, separated by blanks; for VALUE_SUBCOMMAND, the subcommands. */
void complete_put_words(const struct program *p, const struct value *v);

/*
 * The first program from p on with a name cargo-WORD, which cargo runs as `cargo WORD`; NULL: none.
 */
const struct program *program_next_of_cargo(const struct program *p);
/* The WORD of cargo-WORD. */
const char *program_cargo_word(const struct program *p);

void complete_bash(const struct program *p);
void complete_zsh(const struct program *p);
void complete_fish(const struct program *p);
void complete_powershell(const struct program *p);
void complete_elvish(const struct program *p);

/* Makes the shell complete `cargo WORD` like cargo-WORD, for all such programs of the list. */
void complete_bash_cargo(const struct program *list);
void complete_fish_cargo(const struct program *list);

#endif
