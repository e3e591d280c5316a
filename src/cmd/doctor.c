#include "cmd/doctor.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/naming.h"
#include "record/running.h"
#include "record/trial.h"
#include "render/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum verdict { WORKS, LESS, FAILS };

struct finding {
	enum verdict verdict;
	struct strbuf what; /* more about it */
	struct strbuf fix;  /* the one command that helps, or nothing */
};

struct command {
	struct naming naming;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	NAMING_OPTIONS(naming),
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

static const struct option_table table = {
	.usage = "wick doctor [options] [PROGRAM...]",
	.about =
		"Tells what can be recorded here, by trying, and what helps where something cannot; and of\n"
		"programs, what is there to name their functions and lines with.",
	.option = options,
	.syntax = SYNTAX_GNU,
};

/* What refuses, where the kernel's own settings would allow it. */
static bool is_filtered(void)
{
	size_t size;
	char *status = running_read("/proc/self/status", &size);
	bool filtered = status && span_contains((struct span){ status, size }, "\nSeccomp:\t2");

	free(status);
	return filtered;
}

static void say_setting(struct finding *f, long wanted)
{
	long paranoid = access_setting("perf_event_paranoid", 2);

	if (paranoid > wanted) {
		strbuf_addf(&f->what, "kernel.perf_event_paranoid is %ld", paranoid);
		strbuf_addf(&f->fix, "sudo sysctl kernel.perf_event_paranoid=%ld", wanted);
	} else if (is_filtered()) {
		strbuf_add(&f->what,
			   SPAN("a filter of system calls refuses it, as containers have"));
		strbuf_add(&f->fix, SPAN("docker run --cap-add PERFMON"));
	} else {
		strbuf_add(&f->what, SPAN("refused"));
	}
}

static void check_own(struct finding *f)
{
	int why = trial(TRIAL_OWN);

	if (!why)
		return;
	f->verdict = FAILS;
	if (why == ENOSYS)
		strbuf_add(&f->what, SPAN("this kernel has no perf events"));
	else
		say_setting(f, 2);
}

static void check_kernel(struct finding *f)
{
	if (!trial(TRIAL_KERNEL))
		return;
	f->verdict = LESS;
	say_setting(f, 1);
}

static void check_names(struct finding *f)
{
	size_t size;
	char *symbols = running_read("/proc/kallsyms", &size);
	struct span first = { symbols, size };
	uint64_t address = 0;

	/* Who may not know sees zeroes; the first are of data for each processor, and small. */
	while (first.size && !address) {
		struct span line = span_line(&first);

		if (!span_hex(span_word(&line), &address))
			break;
	}
	free(symbols);
	if (address)
		return;
	f->verdict = LESS;
	strbuf_addf(&f->what, "kernel.kptr_restrict is %ld", access_setting("kptr_restrict", 1));
	strbuf_add(&f->fix,
		   SPAN("sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1"));
}

static void check_cycles(struct finding *f)
{
	if (!trial(TRIAL_CYCLES))
		return;
	f->verdict = LESS;
	strbuf_add(&f->what, SPAN("as on most virtual machines; a clock takes their place"));
}

static void check_machine(struct finding *f)
{
	if (!trial(TRIAL_MACHINE))
		return;
	f->verdict = LESS;
	say_setting(f, 0);
}

static void check_tracepoints(struct finding *f)
{
	if (!access("/sys/kernel/tracing/events/sched/sched_switch/id", R_OK))
		return;
	f->verdict = LESS;
	strbuf_add(&f->what, errno == ENOENT ? SPAN("there is no /sys/kernel/tracing/events")
					     : SPAN("only root may look at them"));
	if (errno == ENOENT)
		strbuf_add(&f->fix, SPAN("sudo mount -t tracefs none /sys/kernel/tracing"));
}

static void check_rings(struct finding *f)
{
	size_t size = trial_ring();

	number_add_count(&f->what, (double)size, SPAN("bytes"));
	strbuf_add(&f->what, SPAN(" for each processor"));
	if (size >= RING_SIZE_ENOUGH)
		return;
	f->verdict = LESS;
	strbuf_add(&f->fix, SPAN("sudo sysctl kernel.perf_event_mlock_kb=8192"));
}

static void check_rate(struct finding *f)
{
	long rate = access_setting("perf_event_max_sample_rate", 0);

	strbuf_addf(&f->what, "up to %ld", rate);
	if (rate >= FREQUENCY_DEFAULT)
		return;
	f->verdict = LESS;
	strbuf_add(&f->fix, SPAN("sudo sysctl kernel.perf_event_max_sample_rate=100000"));
}

static const struct check {
	const char *title;
	void (*check)(struct finding *f);
} checks[] = {
	{ "recording programs of yours", check_own },
	{ "the kernel's part of stacks", check_kernel },
	{ "names of the kernel's functions", check_names },
	{ "counters of the processor (cycles)", check_cycles },
	{ "the whole machine, -a", check_machine },
	{ "tracepoints", check_tracepoints },
	{ "memory for rings", check_rings },
	{ "samples a second", check_rate },
};

static void print(const char *title, const struct finding *f)
{
	static const char *const verdicts[] = { "yes", "no", "NO" };

	printf("%-4s %s%s%s\n", verdicts[f->verdict], title, f->what.size ? ": " : "",
	       f->what.size ? f->what.at : "");
	if (f->fix.size)
		printf("     %s\n", f->fix.at);
}

static void finding_release(struct finding *f)
{
	strbuf_release(&f->what);
	strbuf_release(&f->fix);
}

/* Programs */

static void check_program(const struct naming *n, const char *path, struct finding *f)
{
	struct image_facts facts;
	struct naming_files files;
	bool found;

	naming_files_init(&files, n);
	found = image_facts(span_of(path), &files.image, &facts);
	naming_files_release(&files);
	if (!found) {
		f->verdict = FAILS;
		strbuf_add(&f->what, SPAN("no such program"));
		return;
	}
	strbuf_addf(&f->what, "%s, %s, %s",
		    facts.dwarf	    ? "functions, inlined calls and lines"
		    : facts.symbols ? "functions, but no inlined calls and lines"
				    : "only functions that other files may call",
		    facts.frames ? "stacks can be followed" : "stacks by frame pointers only",
		    facts.build_id ? "build-id" : "no build-id");
	if (!facts.dwarf) {
		f->verdict = LESS;
		strbuf_add(&f->fix, SPAN("compile it with -g, or install its debug symbols"));
	}
}

int doctor_main(int argc, char **argv)
{
	struct option_list programs = { 0 };
	struct error e = ERROR_INIT;
	struct command c = { 0 };
	int ret = options_parse(&table, &c, argc, argv, &programs, &e), status = 0;

	if (!ret)
		ret = naming_check(&c.naming, &e);
	for (size_t i = 0; !ret && i < ARRAY_SIZE(checks); i++) {
		struct finding f = { 0 };

		checks[i].check(&f);
		print(checks[i].title, &f);
		status |= f.verdict == FAILS;
		finding_release(&f);
	}
	for (size_t i = 0; !ret && i < programs.nr; i++) {
		struct finding f = { 0 };

		check_program(&c.naming, programs.at[i], &f);
		print(programs.at[i], &f);
		status |= f.verdict == FAILS;
		finding_release(&f);
	}
	option_list_release(&programs);
	if (ret > 0) {
		options_help(&table);
		return 0;
	}
	if (ret) {
		message_error(&e);
		return message_status(&e);
	}
	return status;
}
