#include "cmd/top.h"

#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/live.h"
#include "cmd/looking.h"
#include "cmd/record_job.h"
#include "profile/spelling.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct command {
	struct record_job job;
	struct looking_opts looking;
	struct option_list pid, event, operands;
	double interval, half_life; /* seconds */
	bool all, children, per_thread;
	/* While it runs */
	struct live *live;
	struct live_picture *picture; /* what is looked at */
	struct looking l;
	struct strbuf who;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "pid", 'p', OPTION_LIST, AT(pid), "PID|NAME,...",
	  "these processes, with all their threads", 0 },
	{ "children", 0, OPTION_FLAG, AT(children), NULL, "and all that they start", 0 },
	{ "all", 'a', OPTION_FLAG, AT(all), NULL, "everything that runs on this machine", 0 },
	{ "interval", 'i', OPTION_NUMBER, AT(interval), "SECONDS",
	  "show what is new that often [1]", 0 },
	{ "decay", 0, OPTION_NUMBER, AT(half_life), "SECONDS",
	  "a sample counts half as much after so long, and is forgotten after ten times that [all count the same]",
	  0 },
	{ "event", 'e', OPTION_LIST, AT(event), "EVENT,...",
	  "what to take samples of, as for wick record [cycles]", 0 },
	{ "freq", 'F', OPTION_UINT, AT(job.o.sampling.frequency), "HZ", "samples a second [997]",
	  0 },
	{ "per-thread", 0, OPTION_FLAG, AT(per_thread), NULL, "each thread has stacks of its own",
	  0 },
	LOOKING_OPTIONS(looking),
	NAMING_OPTIONS(job.o.naming),
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

const struct option_table top_table = {
	.usage = "wick top [options] -p PID|-a",
	.about =
		"Records what runs, as wick record does, and shows its flame graph in the terminal while it\n"
		"grows.  z freezes the picture, R begins anew, w writes it, ? tells the other keys.  What is\n"
		"recorded runs on when it ends.",
	.option = options,
	.syntax = SYNTAX_GNU,
};

/* Options */

static int set_targets(struct command *c, struct error *e)
{
	struct sampling *s = &c->job.o.sampling;

	if (!c->pid.nr == !c->all) {
		error_set(e, ERROR_USAGE,
			  c->all ? "-p and -a: it is one or the other"
				 : "what shall be looked at?");
		return error_hint(e, "wick top -p PID, or -a for everything");
	}
	for (size_t i = 0; i < c->pid.nr; i++) {
		if (targets_add_processes(&c->job.targets, span_of(c->pid.at[i]), e))
			return -1;
		strbuf_addf(&c->who, "%s%s", i ? "," : "", c->pid.at[i]);
	}
	if (c->all)
		strbuf_add(&c->who, SPAN("everything"));
	if (c->children)
		targets_add_children(&c->job.targets);
	s->follow = c->children ? FOLLOW_ALL : FOLLOW_THREADS;
	s->task = c->job.targets.task;
	s->nr_task = c->job.targets.nr_task;
	c->job.o.targets = &c->job.targets;
	return 0;
}

static int set_opts(struct command *c, struct error *e)
{
	if (c->operands.nr)
		return error_set(e, ERROR_USAGE, "'%s' is more than wick top takes",
				 c->operands.at[0]);
	if (!(c->interval >= 0.05 && c->interval <= 3600))
		return error_set(e, ERROR_USAGE, "--interval: it is 0.05 to 3600 seconds");
	if (c->half_life != 0 && !(c->half_life >= 0.05 && c->half_life <= 86400))
		return error_set(e, ERROR_USAGE, "--decay: it is 0.05 to 86400 seconds");
	for (size_t i = 0; i < c->event.nr; i++)
		if (events_add(&c->job.events, span_of(c->event.at[i]), naming_find_function, e))
			return -1;
	if (!c->event.nr)
		events_add_default(&c->job.events);
	if (!c->job.o.sampling.frequency)
		return error_set(e, ERROR_USAGE, "--freq: it is 1 or more");
	if (c->per_thread)
		c->job.flame.in.spell = SPELL_PID | SPELL_TID;
	c->job.flame.in.keeps_events = true;
	c->job.o.times = c->job.o.cpus = true;
	return naming_check(&c->job.o.naming, e) || set_targets(c, e) ? -1 : 0;
}

/* Looking */

/* As given; the default is long enough to read what is shown. */
static uint64_t half_life_of(const struct command *c)
{
	const double by_default = 10;

	return (uint64_t)((c->half_life > 0 ? c->half_life : by_default) * 1e9);
}

static int write_picture(void *arg, const char *path, struct error *e)
{
	struct command *c = arg;
	struct profile *part = viewer_part(&c->l.view);

	return looking_write(part ? part : &c->picture->read.p, c->picture->read.spelling,
			     &c->picture->chosen, path, e);
}

/* "1234 · 12 s": what is recorded and for how long, with its state and lost samples. */
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
}

/* Shows the newest picture, unless the view is frozen. */
static enum viewer_ask told(void *arg)
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
		told(c);
	if (ask == ASK_FADE) {
		live_fade(c->live, c->l.view.fading ? half_life_of(c) : 0);
		viewer_say(&c->l.view, c->l.view.fading
					       ? SPAN("from now on, what is older counts less")
					       : SPAN("from now on, all counts the same"));
	}
	if (ask == ASK_SUSPEND && live_is_traced(c->live)) {
		viewer_say(
			&c->l.view,
			SPAN("not now: threads are stopped to be looked at, and one could stay so"));
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

static int look(struct command *c, struct error *e)
{
	int ret;

	wait_for_picture(c);
	c->looking.naming = &c->job.o.naming;
	looking_init(&c->l, &c->picture->model, &c->looking, SPAN(""));
	c->l.view.live = true;
	c->l.view.fading = c->half_life > 0;
	c->l.write = write_picture;
	c->l.told = told;
	c->l.answer = answer;
	c->l.arg = c;
	c->l.other = live_fd(c->live);
	set_title(c);
	ret = looking_run(&c->l, e);
	looking_release(&c->l);
	return ret;
}

/* Blocks signals in all threads that are made later: the viewer reads them by itself. */
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
	struct live_opts o = { .capture = &c->job.o,
			       .choose = &c->job.flame.in,
			       .interval = (uint64_t)(c->interval * 1e9),
			       .half_life = c->half_life > 0 ? half_life_of(c) : 0 };
	struct error ended = ERROR_INIT;
	sigset_t before;
	int ret = -1;

	if (events_make_probes(&c->job.events, e))
		return -1;
	c->job.o.sampling.event = c->job.events.event;
	c->job.o.sampling.nr_event = c->job.events.nr;
	/* A download would hold up the view. */
	unsetenv("DEBUGINFOD_URLS");
	block_signals(&before);
	c->live = live_start(&o, e);
	if (c->live) {
		ret = look(c, e);
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
	struct command c = { .interval = 1 };
	struct error e = ERROR_INIT;
	int ret;

	record_job_init(&c.job);
	ret = options_parse(&top_table, &c, argc, argv, &c.operands, &e);
	if (ret > 0) {
		options_help(&top_table);
		ret = 0;
	} else if (!ret) {
		ret = set_opts(&c, &e) || looking_check(&e) || run(&c, &e) ? -1 : 0;
	}
	ret = message_result(ret, &e);
	record_job_release(&c.job);
	option_list_release(&c.pid);
	option_list_release(&c.event);
	option_list_release(&c.operands);
	strbuf_release(&c.who);
	return ret;
}
