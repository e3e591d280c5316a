/* What the files complete_*.c share: one a shell. */
#ifndef WICK_CLI_COMPLETE_H
#define WICK_CLI_COMPLETE_H

#include "base/span.h"
#include "cli/program.h"

/* What may stand in a place of a command line. */
enum value_kind {
	VALUE_TEXT, /* nobody knows */
	VALUE_FILE,
	VALUE_FOLDER,
	VALUE_PROGRAM, /* something that can be run */
	VALUE_PROCESS,
	VALUE_EVENT,
	VALUE_USER,
	VALUE_SUBCOMMAND, /* of wick */
	NR_VALUES,
};

struct value {
	const char *name; /* what the help calls it */
	enum value_kind kind;
	struct span words; /* "a|b|c", besides; or nothing */
	bool list;	   /* several of them, with commas between */
};

/* Of an option that takes a value, or of the operands where o is NULL. */
struct value value_of(const struct option_table *t, const struct option *o);

/* The next of the words, which is cut off; false at the end. */
bool value_next_word(struct span *words, struct span *word);

/* Can it be given again? */
bool option_repeats(const struct option *o);

/* Prints the text with that in front of each of these characters. */
void complete_put_escaped(const char *text, const char *special, char escape);

/* Prints all words, with blanks between. */
void complete_put_words(const struct program *p, const struct value *v);

/* The next program of the list that cargo runs: it is called cargo-WORD; NULL at the end. */
const struct program *program_next_of_cargo(const struct program *p);
const char *program_cargo_word(const struct program *p);

void complete_bash(const struct program *p);
void complete_zsh(const struct program *p);
void complete_fish(const struct program *p);
void complete_powershell(const struct program *p);
void complete_elvish(const struct program *p);

/* `cargo WORD` as what is printed by the above for cargo-WORD, all of the list. */
void complete_bash_cargo(const struct program *list);
void complete_fish_cargo(const struct program *list);

#endif
