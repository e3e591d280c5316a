/* Threads whose exits were lost. */
#include "record/session.h"
#include "record/waits/watcher.h"
#include "tap.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct attr attr = { .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
					   PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
					   PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW,
			    .sample_id_all = true };
static const struct attrs attrs = { .attr = &attr, .nr = 1 };
static struct strbuf to;

/* Has the thread exited by the records, and existed before? */
static bool is_gone(pid_t tid)
{
	struct span rest = strbuf_peek(&to);
	struct wait_record own;
	struct record r;

	while (rest.size) {
		struct span bytes = span_upto(rest, record_header(rest.at, ORDER_HOST).size);

		if (record_decode(&r, &attr, bytes, ORDER_HOST) && r.tid == (uint32_t)tid &&
		    wait_record_parse(&own, r.sample.raw, ORDER_HOST) &&
		    own.kind == WAIT_RECORD_GONE && own.since && own.since <= r.time)
			return true;
		rest = span_from(rest, bytes.size);
	}
	return false;
}

static pid_t start(void)
{
	pid_t child = fork();

	if (!child)
		for (;;)
			pause();
	return child;
}

static void end(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void tick(struct watcher *w, bool has_lost)
{
	uint64_t now = session_now();

	/* Nothing else is due. */
	w->accounts_at = now;
	w->next_round = UINT64_MAX;
	w->next_exits = 0;
	w->has_lost = has_lost;
	strbuf_reset(&to);
	watcher_tick(w, now);
}

int main(void)
{
	struct watcher w = { .attrs = &attrs, .id = 1, .to = &to };
	pid_t a = start(), b = start();

	blocked_reader_init(&w.reader, 4096);
	watcher_add(&w, a, a, WATCH_MET);
	watcher_add(&w, b, b, WATCH_MET);
	watcher_add(&w, getpid(), getpid(), WATCH_MET);
	tick(&w, true);
	is_int((intmax_t)to.size, 0, "the watcher records no exit of a thread that exists");
	end(a);
	end(b);
	tick(&w, false);
	is_int((intmax_t)to.size, 0, "the watcher records no exits if no records were lost");
	tick(&w, true);
	ok(is_gone(a) && is_gone(b),
	   "the watcher records the exits of threads that are gone if records were lost");
	ok(!is_gone(getpid()),
	   "the watcher records no exit of a thread that exists among others that are gone");
	tick(&w, true);
	is_int((intmax_t)to.size, 0, "the watcher records the exit of a thread once");
	strbuf_release(&to);
	watcher_close(&w);
	return done();
}
