/* Checks what the kernel, the privileges of wick and the container allow. */
#include "base/alloc.h"
#include "cmd/doctor/doctor.h"
#include "record/perf_events/access.h"
#include "record/perf_events/counting.h"
#include "record/perf_events/events.h"
#include "record/perf_events/permissions.h"
#include "record/perf_events/tracefs.h"
#include "record/targets/running.h"
#include "record/waits/sched_bpf.h"
#include "render/number.h"
#include "symbol/debuginfod.h"
#include "symbol/packages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Takes the reason and the hint from an error "what failed: why"; the title of the check says what
 * failed.
 */
static void take_error(struct finding *f, enum verdict verdict, const struct error *e)
{
	const char *why = strstr(e->text, ": ");

	f->verdict = verdict;
	strbuf_addf(&f->what, "%s", why ? why + 2 : e->text);
	strbuf_addf(&f->fix, "%s", e->hint);
}

static void say_denied(struct finding *f, enum verdict verdict, enum access what)
{
	struct error e = ERROR_INIT;

	access_denied(what, &e);
	take_error(f, verdict, &e);
}

/*
 * Perf events of the user's own processes.  If they are denied, ptrace sampling may work, which is
 * less exact.
 */
static void check_own(struct finding *f, const void *subject)
{
	int why = trial(TRIAL_OWN);
	bool stops = why && !trial_stop();

	(void)subject;
	if (why == ENOSYS && !access_is_filtered()) {
		f->verdict = stops ? LESS : FAILS;
		strbuf_add(&f->what, SPAN("this kernel does not support perf events"));
	} else if (why) {
		say_denied(f, stops ? LESS : FAILS, ACCESS_OWN);
	}
	if (stops)
		strbuf_add(&f->what, SPAN("; wick falls back to ptrace sampling"));
	else if (why)
		strbuf_add(&f->what, SPAN("; ptrace sampling is refused, too"));
}

static void check_kernel(struct finding *f, const void *subject)
{
	(void)subject;
	if (trial(TRIAL_KERNEL))
		say_denied(f, LESS, ACCESS_KERNEL);
}

/*
 * Does kallsyms show addresses?  Without permission, all of them are 0.  The first symbols are
 * per-CPU offsets, some of which are 0 or small even with permission.
 */
static bool sees_kernel(void)
{
	size_t size;
	char *symbols = running_read("/proc/kallsyms", &size);
	struct span rest = { symbols, size };
	uint64_t address = 0;

	while (rest.size && !address) {
		struct span line = span_line(&rest);

		if (!span_hex(span_word(&line), &address))
			break;
	}
	free(symbols);
	return address != 0;
}

static void check_names(struct finding *f, const void *subject)
{
	long restricted = access_setting("kptr_restrict", 1);

	(void)subject;
	if (sees_kernel())
		return;
	f->verdict = LESS;
	strbuf_addf(&f->what, "hidden in /proc/kallsyms: %s is %ld",
		    restricted ? "kernel.kptr_restrict" : "kernel.perf_event_paranoid",
		    restricted ? restricted : access_setting("perf_event_paranoid", 2));
	strbuf_addf(&f->fix, "sudo sysctl %skernel.perf_event_paranoid=1",
		    restricted ? "kernel.kptr_restrict=0 " : "");
}

static void check_counters(struct finding *f, const void *subject)
{
	int why = trial(TRIAL_CYCLES);

	(void)subject;
	if (access_is_missing(why)) {
		f->verdict = LESS;
		strbuf_add(
			&f->what,
			SPAN("no PMU, as in most virtual machines; wick samples cpu-clock instead"));
	} else if (why) {
		say_denied(f, LESS, ACCESS_OWN);
	}
}

static void check_machine(struct finding *f, const void *subject)
{
	(void)subject;
	if (trial(TRIAL_MACHINE))
		say_denied(f, LESS, ACCESS_MACHINE);
}

static void check_tracepoints(struct finding *f, const void *subject)
{
	struct sampled event = { 0 };
	struct error e = ERROR_INIT;
	int tracefs = tracefs_open(&e);

	(void)subject;
	if (tracefs < 0 ||
	    event_find_tracepoint(tracefs, SPAN("sched"), SPAN("sched_switch"), &event, &e))
		take_error(f, LESS, &e);
	else if (counter_try(&event))
		say_denied(f, LESS, ACCESS_TRACEPOINT);
	if (tracefs >= 0)
		close(tracefs);
}

static void check_rings(struct finding *f, const void *subject)
{
	size_t size = trial_ring();

	(void)subject;
	if (!size) {
		f->verdict = LESS;
		strbuf_add(&f->what, SPAN("none"));
		return;
	}
	number_add_count(&f->what, (double)size, SPAN("bytes"));
	strbuf_add(&f->what, SPAN(" per CPU"));
	if (size >= RING_SIZE_ENOUGH)
		return;
	f->verdict = LESS;
	strbuf_addf(&f->what, ", %d MiB recommended (kernel.perf_event_mlock_kb is %ld)",
		    RING_SIZE_ENOUGH >> 20, access_setting("perf_event_mlock_kb", 0));
	strbuf_add(&f->fix, SPAN("sudo sysctl kernel.perf_event_mlock_kb=8192"));
}

static void check_rate(struct finding *f, const void *subject)
{
	long rate = access_setting("perf_event_max_sample_rate", 0);

	(void)subject;
	number_add_count(&f->what, (double)rate, SPAN("Hz"));
	if (rate >= FREQUENCY_DEFAULT)
		return;
	f->verdict = LESS;
	strbuf_add(&f->fix, SPAN("sudo sysctl kernel.perf_event_max_sample_rate=100000"));
}

/* Capabilities, by their numbers in the kernel */

static const struct {
	unsigned bit;
	const char *name;
} capabilities[] = {
	{ 21, "SYS_ADMIN" },  { 38, "PERFMON" }, { 39, "BPF" },
	{ 19, "SYS_PTRACE" }, { 34, "SYSLOG" },
};

static uint64_t own_capabilities(void)
{
	size_t size;
	char *text = running_read("/proc/self/status", &size);
	struct span status = { text, size };
	uint64_t bits = 0;

	status = span_from(status, span_find_text(status, "\nCapEff:"));
	span_word(&status);
	if (!span_hex(span_word(&status), &bits))
		bits = 0;
	free(text);
	return bits;
}

static void add_own_path(struct strbuf *out)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	strbuf_add(out, n > 0 ? (struct span){ path, (size_t)n } : SPAN("wick"));
}

static void check_privileges(struct finding *f, const void *subject)
{
	uint64_t bits = own_capabilities();

	(void)subject;
	if (!geteuid())
		strbuf_add(&f->what, SPAN("root"));
	for (size_t i = 0; i < ARRAY_SIZE(capabilities); i++)
		if (bits >> capabilities[i].bit & 1)
			strbuf_addf(&f->what, "%s%s", f->what.size ? ", " : "",
				    capabilities[i].name);
	if (f->what.size && access_has_own("user")) {
		f->verdict = LESS;
		strbuf_add(&f->what, SPAN(", but only inside this container"));
		return;
	}
	/* CAP_SYS_ADMIN (21) or CAP_PERFMON (38): either is enough. */
	if (bits >> 21 & 1 || bits >> 38 & 1)
		return;
	f->verdict = LESS;
	strbuf_addf(&f->what, "%sno CAP_PERFMON", f->what.size ? ", " : "");
	strbuf_add(&f->fix, SPAN("sudo setcap cap_perfmon,cap_sys_ptrace,cap_syslog+ep "));
	add_own_path(&f->fix);
}

/* Containers */

static void check_container(struct finding *f, const void *subject)
{
	bool processes = access_has_own("pid"), users = access_has_own("user");

	(void)subject;
	if (!processes && !users && access_is_filtered()) {
		f->verdict = LESS;
		strbuf_add(&f->what,
			   SPAN("none detected, but a seccomp filter blocks perf_event_open"));
		return;
	}
	if (!processes && !users) {
		strbuf_add(&f->what, SPAN("none"));
		return;
	}
	f->verdict = LESS;
	strbuf_addf(&f->what, "inside one, with its own %s; %s",
		    processes && users ? "PID and user namespaces"
		    : processes	       ? "PID namespace"
				       : "user namespace",
		    users ? "its root user has no privileges on the host"
			  : "processes outside are invisible");
	strbuf_add(&f->fix,
		   SPAN("run wick on the host with -p PID; it finds the container's files"));
}

/* Debug files */

static void check_servers(struct finding *f, const void *subject)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct fetcher *fetcher = fetcher_new(NULL, NULL);
	struct strbuf server = { 0 };

	(void)subject;
	if (!fetcher) {
		f->verdict = LESS;
		strbuf_add(&f->what, SPAN("libdebuginfod is not installed"));
		strbuf_add(&f->fix, SPAN("sudo apt install libdebuginfod1"));
	} else if (urls && *urls) {
		strbuf_addf(&f->what, "%s", urls);
	} else {
		f->verdict = LESS;
		strbuf_add(&f->what, SPAN("DEBUGINFOD_URLS is not set"));
		if (packages_server("", &server))
			strbuf_addf(&f->fix, "export DEBUGINFOD_URLS=%s", server.at);
	}
	fetcher_free(fetcher);
	strbuf_release(&server);
}

/* BPF records waits best; the fallbacks are tracepoints, and reading the state of threads. */
static void check_bpf(struct finding *f, const void *subject)
{
	const struct sampling nobody = { .nr_task = 1 };
	struct error e = ERROR_INIT;
	struct sched_bpf *bpf = sched_bpf_open(&nobody, &e);

	(void)subject;
	if (!bpf)
		take_error(f, LESS, &e);
	sched_bpf_close(bpf);
}

const struct check checks_of_machine[] = {
	{ "recording your programs", check_own },
	{ "kernel stacks", check_kernel },
	{ "kernel symbols", check_names },
	{ "hardware counters", check_counters },
	{ "recording the whole machine (-a)", check_machine },
	{ "tracepoints", check_tracepoints },
	{ "recording waits with BPF", check_bpf },
	{ "ring buffers", check_rings },
	{ "maximum sampling rate", check_rate },
	{ "privileges", check_privileges },
	{ "container", check_container },
	{ "debug info servers", check_servers },
	{ 0 },
};
