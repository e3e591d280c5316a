#include "cmd/doctor/doctor.h"

#include "cli/messages.h"
#include "cli/options.h"

#include <stdio.h>
#include <unistd.h>

struct command {
	struct naming naming;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	NAMING_OPTIONS(naming),
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

const struct option_table doctor_table = {
	.usage = "wick doctor [options] [PROGRAM...]",
	.about =
		"Checks what can be profiled on this machine, and prints a fix for what cannot.  For each\n"
		"PROGRAM, checks whether wick can resolve its functions and unwind its stacks.  The exit\n"
		"status is 0 if programs can be recorded.",
	.option = options,
	.syntax = SYNTAX_GNU,
};

static void print(const char *title, const struct finding *f)
{
	static const char *const verdicts[] = { "ok", "limited", "FAILS" };

	printf("  %-7s  %s%s%s\n", verdicts[f->verdict], title, f->what.size ? ": " : "",
	       f->what.size ? f->what.at : "");
	if (f->fix.size)
		printf("           fix: %s\n", f->fix.at);
}

/* Runs and prints the checks; true: none fails. */
static bool examine(const struct check *check, const void *subject)
{
	bool works = true;

	for (; check->title; check++) {
		struct finding f = { 0 };

		check->check(&f, subject);
		print(check->title, &f);
		works &= f.verdict != FAILS;
		strbuf_release(&f.what);
		strbuf_release(&f.fix);
	}
	return works;
}

static bool examine_program(const struct naming *n, const char *name)
{
	struct doctor_program p;
	bool works;

	doctor_program_open(&p, name, n);
	printf("\n%s\n", p.path.at);
	works = !p.found || examine(checks_of_program, &p);
	if (p.script.size) {
		printf("  limited  a script: check its interpreter instead\n"
		       "           fix: wick doctor %s\n",
		       p.script.at);
	} else if (!p.found) {
		printf("  FAILS    %s\n",
		       access(p.path.at, F_OK) ? "no such program" : "not a program");
		works = false;
	}
	doctor_program_close(&p);
	return works;
}

int doctor_main(int argc, char **argv)
{
	struct option_list programs = { 0 };
	struct error e = ERROR_INIT;
	struct command c = { 0 };
	int ret = options_parse(&doctor_table, &c, argc, argv, &programs, &e);

	if (!ret)
		ret = naming_check(&c.naming, &e);
	if (ret > 0) {
		options_help(&doctor_table);
		ret = 0;
	} else if (ret) {
		message_error(&e);
		ret = message_status(&e);
	} else {
		bool works;

		puts("this machine");
		works = examine(checks_of_machine, NULL);
		for (size_t i = 0; i < programs.nr; i++)
			works &= examine_program(&c.naming, programs.at[i]);
		ret = !works;
	}
	option_list_release(&programs);
	return ret;
}
