/* wick doctor: what works here, and what helps where it does not. */
#ifndef WICK_CMD_DOCTOR_H
#define WICK_CMD_DOCTOR_H

#include "base/strbuf.h"
#include "cmd/naming.h"

enum verdict {
	WORKS,
	LESS,  /* something is missing, and the rest works */
	FAILS, /* nothing can be recorded so */
};

struct finding {
	enum verdict verdict;
	struct strbuf what; /* more about it */
	struct strbuf fix;  /* the one command that helps, or nothing */
};

/* A thing to look at, and how. */
struct check {
	const char *title;
	void (*check)(struct finding *f, const void *subject);
};

/* doctor_machine.c: ends with a row of zeros; no subject. */
extern const struct check checks_of_machine[];

/* doctor_program.c: the same, of a struct doctor_program. */
extern const struct check checks_of_program[];

struct doctor_program {
	struct strbuf path;   /* where it is, if its name alone was given */
	struct strbuf script; /* what runs it, if it is one */
	struct image_facts facts;
	bool found;
};

void doctor_program_open(struct doctor_program *p, const char *name, const struct naming *n);
void doctor_program_close(struct doctor_program *p);

int doctor_main(int argc, char **argv);
extern const struct option_table doctor_table;

#endif
