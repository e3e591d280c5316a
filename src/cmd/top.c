#include "cmd/top.h"

#include "capture/live.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/view/terminal_view.h"
#include "fold/sums.h"
#include "perf/wait_record.h"
#include "record/perf_events/events.h"
#include "record/targets/targets.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct command {
	struct capture_opts o;
	struct choose_opts choose; /* which events are shown, and how */
	struct events events;
	struct targets targets;
	struct terminal_view_opts view;
	struct option_list pid, event, operands;
	double interval, half_life; /* seconds */
	bool all, children;
	/* While it runs */
	struct live *live;
	struct live_picture *picture; /* the shown picture */
	struct terminal_view l;
	struct strbuf who;
};

/* The number of wait reasons in the title. */
enum { TITLE_REASONS = 3 };

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "pid", 'p', OPTION_LIST, AT(pid), "PID|NAME,...",
	  "attach to these processes (all threads)", 0 },
	{ "children", 0, OPTION_FLAG, AT(children), NULL, "also record all their child processes",
	  0 },
	{ "all", 'a', OPTION_FLAG, AT(all), NULL, "record all processes of this machine", 0 },
	{ "interval", 'i', OPTION_NUMBER, AT(interval), "SECONDS", "time between updates [1]", 0 },
	{ "decay", 0, OPTION_NUMBER, AT(half_life), "SECONDS",
	  "half-life of samples; they are dropped after ten half-lives [no decay]", 0 },
	{ "event", 'e', OPTION_LIST, AT(event), "EVENT,...",
	  "event to sample, as for wick record; off-cpu: where and why threads wait [cpu]", 0 },
	{ "freq", 'F', OPTION_UINT, AT(o.sampling.frequency), "HZ", "samples per second [997]", 1 },
	PER_THREAD_OPTION(choose),
	TERMINAL_VIEW_OPTIONS(view),
	NAMING_OPTIONS(o.naming),
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

const struct option_table top_table = {
	.usage = "wick top [options] -p PID|-a",
	.about =
		"Shows a live flame graph of running processes in the terminal.  Press z to freeze it, R to\n"
		"restart, w to write it to a file, ? for all keys.  The processes keep running when wick top\n"
		"ends.",
	.option = options,
	.syntax = SYNTAX_GNU,
};

/* Options */

static int set_targets(struct command *c, struct error *e)
{
	struct sampling *s = &c->o.sampling;

	if (!c->pid.nr == !c->all) {
		error_set(e, ERROR_USAGE,
			  c->all ? "-p and -a are mutually exclusive" : "no target given");
		return error_hint(e, "wick top -p PID, or -a for everything");
	}
	for (size_t i = 0; i < c->pid.nr; i++) {
		if (targets_add_processes(&c->targets, span_of(c->pid.at[i]), e))
			return -1;
		strbuf_addf(&c->who, "%s%s", i ? "," : "", c->pid.at[i]);
	}
	if (c->all)
		strbuf_add(&c->who, SPAN("everything"));
	if (c->children)
		targets_add_children(&c->targets);
	s->follow = c->children ? FOLLOW_ALL : FOLLOW_THREADS;
	s->task = c->targets.task;
	s->nr_task = c->targets.nr_task;
	c->o.targets = &c->targets;
	return 0;
}

static int set_opts(struct command *c, struct error *e)
{
	bool off_cpu = false;

	if (c->operands.nr)
		return error_set(e, ERROR_USAGE, "unexpected argument '%s'", c->operands.at[0]);
	if (!(c->interval >= 0.05 && c->interval <= 3600))
		return error_set(e, ERROR_USAGE, "--interval must be from 0.05 to 3600 seconds");
	if (c->half_life != 0 && !(c->half_life >= 0.05 && c->half_life <= 86400))
		return error_set(e, ERROR_USAGE, "--decay must be from 0.05 to 86400 seconds");
	c->events.off_cpu = &off_cpu;
	for (size_t i = 0; i < c->event.nr; i++)
		if (events_add(&c->events, span_of(c->event.at[i]), naming_find_function, e))
			return -1;
	c->events.off_cpu = NULL;
	if (!c->event.nr)
		events_add_default(&c->events);
	c->o.waits = off_cpu ? WAITS_ASKED : WAITS_BESIDE;
	if (off_cpu && !c->events.nr) {
		c->choose.event = OFF_CPU;
		c->choose.event_may_miss = true;
	}
	c->choose.keeps_events = true;
	c->o.times = c->o.cpus = c->o.live = true;
	return naming_check(&c->o.naming, e) || set_targets(c, e) ? -1 : 0;
}

/* Viewing */

/* As given; the default leaves time to read what is shown. */
static uint64_t half_life_of(const struct command *c)
{
	const double by_default = 10;

	return (uint64_t)((c->half_life > 0 ? c->half_life : by_default) * 1e9);
}

static int write_picture(void *arg, const char *path, struct error *e)
{
	struct command *c = arg;
	struct profile *part = viewer_part(&c->l.view);

	return terminal_view_write(part ? part : &c->picture->p, &c->picture->chosen, path, e);
}

/* Appends "waits: lock 62 %, poll 30 %": the largest shares of the known time of all threads. */
static void add_waits(struct strbuf *t, const struct profile *p)
{
	double sum[NR_WAIT_REASONS] = { 0 }, all = 0;

	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		struct span reason = profile_peek(p, sum_label(p, c->labels, "reason"));

		/* Samples of a clock are CPU time; values of hardware counters are not times. */
		if (span_is(profile_peek(p, p->event[c->event].unit), "ns"))
			all += (double)c->weight;
		for (int k = 0; k < NR_WAIT_REASONS; k++)
			if (span_is(reason, wait_reason_name((enum wait_reason)k)))
				sum[k] += (double)c->weight;
	}
	for (int nr = 0; nr < TITLE_REASONS && all > 0; nr++) {
		int most = 0;

		for (int k = 1; k < NR_WAIT_REASONS; k++)
			if (sum[k] > sum[most])
				most = k;
		if (sum[most] < all / 100)
			break;
		strbuf_addf(t, "%s%s %.0f %%",
			    nr ? ", " : " · waits: ", wait_reason_name((enum wait_reason)most),
			    100 * sum[most] / all);
		sum[most] = 0;
	}
}

/*
 * Sets the title: "1234 · 12 s", the targets and the elapsed time, with the state and lost samples.
 */
static void set_title(struct command *c)
{
	struct strbuf *t = &c->l.view.title;

	strbuf_reset(t);
	if (c->l.view.frozen)
		strbuf_add(t, SPAN("FROZEN · "));
	else if (live_ended(c->live))
		strbuf_add(t, SPAN("ended · "));
	strbuf_addf(t, "%s · %.0f s", c->who.at, (double)c->picture->time / 1e9);
	if (c->picture->half_life)
		strbuf_addf(t, " · half-life %g s", (double)c->picture->half_life / 1e9);
	if (c->picture->nr_lost)
		strbuf_addf(t, " · %llu lost", (unsigned long long)c->picture->nr_lost);
	add_waits(t, &c->picture->p);
}

/* Shows the newest picture, unless the view is frozen. */
static enum viewer_ask refresh(void *arg)
{
	struct command *c = arg;
	struct live_picture *next = c->l.view.frozen ? NULL : live_take(c->live);

	if (next) {
		viewer_update(&c->l.view, &next->model);
		live_picture_free(c->picture);
		c->picture = next;
	}
	set_title(c);
	return ASK_NOTHING;
}

static bool answer(void *arg, enum viewer_ask ask)
{
	struct command *c = arg;

	if (ask == ASK_RESET)
		live_reset(c->live);
	if (ask == ASK_FREEZE)
		refresh(c);
	if (ask == ASK_FADE) {
		live_fade(c->live, c->l.view.fading ? half_life_of(c) : 0);
		viewer_say(&c->l.view, c->l.view.fading
					       ? SPAN("decay is on: older samples count less")
					       : SPAN("decay is off: all samples count the same"));
	}
	if (ask == ASK_SUSPEND && live_is_traced(c->live)) {
		viewer_say(
			&c->l.view,
			SPAN("cannot suspend during ptrace sampling: a thread could stay stopped"));
		return true;
	}
	return ask == ASK_RESET || ask == ASK_FREEZE || ask == ASK_FADE;
}

/* Waits for the first picture, which may be empty. */
static void wait_for_picture(struct command *c)
{
	while (!c->picture) {
		c->picture = live_take(c->live);
		if (!c->picture)
			usleep(10000);
	}
}

static int explore(struct command *c, struct error *e)
{
	int ret;

	wait_for_picture(c);
	c->view.naming = &c->o.naming;
	terminal_view_init(&c->l, &c->picture->model, &c->view, SPAN(""));
	c->l.view.live = true;
	c->l.view.fading = c->half_life > 0;
	c->l.write = write_picture;
	c->l.refresh = refresh;
	c->l.answer = answer;
	c->l.arg = c;
	c->l.other = live_fd(c->live);
	set_title(c);
	ret = terminal_view_run(&c->l, e);
	terminal_view_release(&c->l);
	return ret;
}

/* Blocks signals in all threads created later: the viewer reads them with a signalfd. */
static void block_signals(sigset_t *before)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL };
	static const int taken[] = { SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		sigaddset(&set, taken[i]);
	sigprocmask(SIG_BLOCK, &set, before);
	/* live_stop() ends the recording with SIGINT, which must not be ignored. */
	sigaction(SIGINT, &by_default, NULL);
}

static int run(struct command *c, struct error *e)
{
	struct live_opts o = { .capture = &c->o,
			       .choose = &c->choose,
			       .interval = (uint64_t)(c->interval * 1e9),
			       .half_life = c->half_life > 0 ? half_life_of(c) : 0 };
	struct error ended = ERROR_INIT;
	sigset_t before;
	int ret = -1;

	if (events_make_probes(&c->events, e))
		return -1;
	c->o.sampling.event = c->events.event;
	c->o.sampling.nr_event = c->events.nr;
	/* Downloads of debug info would block the view. */
	c->o.naming.offline = true;
	block_signals(&before);
	c->live = live_start(&o, e);
	if (c->live) {
		ret = explore(c, e);
		live_picture_free(c->picture);
		if (live_stop(c->live, &ended) && !ret) {
			*e = ended;
			ret = -1;
		}
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}

int top_main(int argc, char **argv)
{
	struct command c = { .interval = 1, .o = CAPTURE_OPTS_DEFAULT };
	struct error e = ERROR_INIT;
	int ret;

	ret = options_parse(&top_table, &c, argc, argv, &c.operands, &e);
	if (ret > 0) {
		options_help(&top_table);
		ret = 0;
	} else if (!ret) {
		ret = set_opts(&c, &e) || terminal_view_check(&e) || run(&c, &e) ? -1 : 0;
	}
	ret = message_result(ret, &e);
	events_release(&c.events);
	targets_release(&c.targets);
	option_list_release(&c.pid);
	option_list_release(&c.event);
	option_list_release(&c.operands);
	strbuf_release(&c.who);
	return ret;
}
