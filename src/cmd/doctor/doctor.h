/* wick doctor: checks what can be profiled on this machine, and prints fixes. */
#ifndef WICK_CMD_DOCTOR_DOCTOR_H
#define WICK_CMD_DOCTOR_DOCTOR_H

#include "base/strbuf.h"
#include "load/naming.h"

enum verdict {
	WORKS,
	LESS,  /* recording works, but something will be missing */
	FAILS, /* recording does not work */
};

/* The result of a check; starts as WORKS. */
struct finding {
	enum verdict verdict;
	struct strbuf what; /* details, or empty */
	struct strbuf fix;  /* the one command that fixes it, or empty */
};

/* One line of the output. */
struct check {
	const char *title;
	void (*check)(struct finding *f, const void *subject);
};

/* doctor_machine.c: ends with a row of zeros; the subject is NULL. */
extern const struct check checks_of_machine[];

/* doctor_program.c: the same; the subject is a struct doctor_program. */
extern const struct check checks_of_program[];

struct doctor_program {
	struct strbuf path;   /* as found through $PATH, links followed */
	struct strbuf script; /* the interpreter, if it is a script; else empty */
	struct image_facts facts;
	bool found;
};

void doctor_program_open(struct doctor_program *p, const char *name, const struct naming *n);
void doctor_program_close(struct doctor_program *p);

int doctor_main(int argc, char **argv);
extern const struct option_table doctor_table;

#endif
