#include "record/waits/watcher.h"

#include "base/alloc.h"
#include "record/session.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	/* Limit of a stack copy: it has to fit into a record. */
	STACK_MAX = 48 * 1024,
	/* Sampling may take 1 / SHARE of a CPU. */
	SHARE = 50,
	/* The kernel's accounting of so many threads is read at once, at this interval. */
	ACCOUNTS_AT_ONCE = 64,
	ACCOUNTS_NS = 100000000,
	/* Minimum time between two searches for lost exits. */
	EXITS_NS = 20000000,
	SECOND_NS = 1000000000,
	/*
	 * Switches are too many if they exceed the limit in FLOODS consecutive periods of this length, which is
	 * also the shortest pause.
	 */
	FLOOD_NS = 100000000,
	FLOODS = 3,
};

/* Threads */

static size_t home(pid_t tid, size_t nr_slot)
{
	return (size_t)((uint32_t)tid * UINT64_C(2654435761) >> 7) & (nr_slot - 1);
}

static uint32_t *find_slot(const struct watcher *w, pid_t tid)
{
	size_t i = home(tid, w->nr_slot);

	while (w->slot[i] && w->thread[w->slot[i] - 1].tid != tid)
		i = (i + 1) & (w->nr_slot - 1);
	return &w->slot[i];
}

static struct watched *find(const struct watcher *w, pid_t tid)
{
	uint32_t at = w->nr_slot ? *find_slot(w, tid) : 0;

	return at ? &w->thread[at - 1] : NULL;
}

static void index_threads(struct watcher *w)
{
	memset(w->slot, 0, w->nr_slot * sizeof(*w->slot));
	for (size_t i = 0; i < w->nr; i++)
		*find_slot(w, w->thread[i].tid) = (uint32_t)i + 1;
}

static struct watched *add(struct watcher *w, pid_t pid, pid_t tid)
{
	if (w->nr == WATCHED_MAX)
		return NULL;
	GROW(w->thread, w->nr, w->cap);
	assert(w->thread);
	w->thread[w->nr++] = (struct watched){ .pid = pid, .tid = tid };
	if (w->nr * 2 > w->nr_slot) {
		w->nr_slot = w->nr_slot ? w->nr_slot * 2 : 64;
		w->slot = xreallocarray(w->slot, w->nr_slot, sizeof(*w->slot));
		index_threads(w);
	} else {
		*find_slot(w, tid) = (uint32_t)w->nr;
	}
	return &w->thread[w->nr - 1];
}

/* Reads the beginning of a file in /proc/PID/task/TID as a string; false: empty or unreadable. */
static bool read_file(const struct watched *t, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)t->pid, (int)t->tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Zeros: unknown. */
static struct account read_account(const struct watched *t)
{
	char text[128];
	struct span all;
	struct account a = { 0 };

	if (!read_file(t, "schedstat", text, sizeof(text)))
		return a;
	all = span_of(text);
	if (!span_u64(span_word(&all), &a.ran) || !span_u64(span_word(&all), &a.waited))
		return (struct account){ 0 };
	return a;
}

/* The thread's state, a letter as in ps; 0: it has exited. */
static char read_state(const struct watched *t)
{
	char text[512];
	const char *behind;

	/* The state follows the name, which is in parentheses and may contain parentheses. */
	if (!read_file(t, "stat", text, sizeof(text)))
		return 0;
	behind = strrchr(text, ')');
	return behind && behind[1] == ' ' ? behind[2] : 0;
}

/* Records */

static void put_record(struct watcher *w, const struct wait_record *own, const struct blocked *who,
		       uint64_t now)
{
#if defined(__x86_64__)
	/* A system call preserves its arguments: vfork() of glibc has its return address in rdi. */
	const uint64_t reg[] = { who->arg[0], who->sp, who->pc };
#else
	const uint64_t reg[] = { who->sp, who->pc };
#endif
	struct wait_sample_parts s = { .id = w->id,
				       .ip = who->pc,
				       .pid = (uint32_t)who->pid,
				       .tid = (uint32_t)who->tid,
				       .time = now,
				       .own = own,
				       .stack = who->stack };

	if (who->stack.size >= sizeof(uint64_t)) {
		s.abi = who->is_32bit ? PERF_SAMPLE_REGS_ABI_32 : PERF_SAMPLE_REGS_ABI_64;
		s.reg = reg;
		s.nr_reg = ARRAY_SIZE(reg);
	}
	wait_sample_encode(w->to, &s, &w->attrs->attr[w->event]);
}

/* Writes a record without a stack.  t NULL: a record of no thread. */
static void put_of(struct watcher *w, const struct watched *t, const struct wait_record *own,
		   uint64_t at)
{
	struct blocked who = { .pid = t ? t->pid : -1, .tid = t ? t->tid : -1 };

	put_record(w, own, &who, at);
}

/* value: an enum wait_begin; if t is NULL, an enum wait_scope. */
static void put_begin(struct watcher *w, const struct watched *t, uint64_t value)
{
	put_of(w, t, &(struct wait_record){ .kind = WAIT_RECORD_BEGIN, .value = value },
	       session_now());
}

/* Samples */

/* A random number in (0, 1]. */
static double chance(struct watcher *w)
{
	w->random ^= w->random << 13;
	w->random ^= w->random >> 7;
	w->random ^= w->random << 17;
	return ((double)(w->random >> 11) + 1) / 9007199254740992.0;
}

/* The time of a thread's last switch; 0: unknown. */
static uint64_t last_switch(const struct watcher *w, pid_t tid)
{
	const struct watched *t = tid ? find(w, tid) : NULL;

	return t ? t->changed : 0;
}

static void sample(struct watcher *w, struct watched *t)
{
	struct wait_record own = { .kind = WAIT_RECORD_SAMPLE, .since = session_now() };
	struct blocked who;
	int seen = blocked_read(&w->reader, t->pid, t->tid, &who);

	if (seen > 0 || who.state == BLOCKED_GONE ||
	    (w->is_traced && !strcmp(who.wchan, "ptrace_stop")))
		return;
	t->is_seen = true;
	t->holder = !seen && who.reason == WAIT_LOCK ? who.holder : 0;
	t->holder_changed = last_switch(w, t->holder);
	t->was_held |= t->holder != 0;
	if (seen < 0) {
		w->nr_refused[who.state]++;
		who.stack.size = 0;
	}
	who.pid = t->pid;
	who.tid = t->tid;
	own.reason = who.reason;
	own.lock = who.lock;
	own.holder = (uint32_t)who.holder;
	own.channel = span_of(who.wchan);
	own.value = (uint64_t)(1e12 / w->real_gap);
	put_record(w, &own, &who, session_now());
}

static uint64_t cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

/* Has the lock another holder than at the last sample, or has the holder begun another wait, which was sampled? */
static bool has_other_holder(struct watcher *w, const struct watched *t)
{
	const struct watched *holder;
	struct blocked who;

	if (blocked_read_lock(&w->reader, t->pid, t->tid, &who))
		return false;
	if (who.holder != t->holder)
		return true;
	holder = t->holder ? find(w, t->holder) : NULL;
	return holder && holder->is_off && holder->is_seen && holder->changed != t->holder_changed;
}

/*
 * Samples threads again that wait for a lock with a known holder: only a few, so that this costs less than first
 * samples.
 */
static void sample_again(struct watcher *w)
{
	enum { AT_ONCE = 4 };
	size_t left = AT_ONCE;

	for (size_t i = 0; i < w->nr && left; i++) {
		struct watched *t = &w->thread[w->next_again++ % w->nr];

		if (!t->is_off || !t->is_seen || !t->was_held)
			continue;
		left--;
		if (has_other_holder(w, t))
			sample(w, t);
	}
}

/* Samples all blocked threads whose current wait was not sampled yet. */
static void sample_all(struct watcher *w, uint64_t now)
{
	const double weight = 0.1;
	uint64_t begin = cpu_time();
	double gap;

	w->real_gap += weight * ((double)(now - w->last_round) - w->real_gap);
	w->last_round = now;
	for (size_t i = 0; i < w->nr; i++)
		if (w->thread[i].is_off && !w->thread[i].is_seen)
			sample(w, &w->thread[i]);
	sample_again(w);
	w->round_cost += weight * ((double)(cpu_time() - begin) - w->round_cost);
	gap = fmax((double)w->gap, w->round_cost * SHARE);
	w->next_round = session_now() + (uint64_t)(-log(chance(w)) * gap);
}

/* The kernel's accounting */

/* The difference of two readings.  While a thread is being switched out, its values may decrease a little. */
static struct account account_since(const struct account *then, const struct account *now)
{
	return (struct account){ .ran = now->ran > then->ran ? now->ran - then->ran : 0,
				 .waited = now->waited > then->waited ? now->waited - then->waited
								      : 0 };
}

static void take_account(struct watcher *w, struct watched *t, uint64_t at)
{
	struct account now = read_account(t), passed = account_since(&t->last, &now);
	struct wait_record own = { .kind = WAIT_RECORD_ACCOUNT };

	if (!passed.ran && !passed.waited)
		return;
	t->last = now;
	passed = account_since(&t->first, &now);
	own.since = passed.ran;
	own.value = passed.waited;
	put_of(w, t, &own, at);
}

static void read_accounts(struct watcher *w, uint64_t now)
{
	size_t nr = w->nr < ACCOUNTS_AT_ONCE ? w->nr : ACCOUNTS_AT_ONCE;

	if (now - w->accounts_at < ACCOUNTS_NS)
		return;
	w->accounts_at = now;
	while (nr--)
		take_account(w, &w->thread[w->next_account++ % w->nr], session_now());
}

/* Lost exits */

/* Signal 0 is not sent, only checked: that is faster than reading files in /proc. */
static bool exists(const struct watched *t)
{
	return !syscall(SYS_tgkill, t->pid, t->tid, 0) || errno != ESRCH;
}

/*
 * A thread whose exit was lost would seem to wait until the end of the recording.  If the record of its exit is
 * only late, it is older than this one, and takes precedence.
 */
static void find_exits(struct watcher *w)
{
	uint64_t begin = cpu_time(), now = session_now(), cost;

	for (size_t i = 0; i < w->nr; i++) {
		struct watched *t = &w->thread[i];
		struct wait_record own = { .kind = WAIT_RECORD_GONE };

		if (t->is_gone)
			continue;
		if (exists(t)) {
			t->existed = now;
			continue;
		}
		own.since = t->changed > t->existed ? t->changed : t->existed;
		put_of(w, t, &own, session_now());
		t->is_gone = true;
		t->is_off = false;
	}
	cost = (cpu_time() - begin) * SHARE;
	w->next_exits = session_now() + (cost > EXITS_NS ? cost : EXITS_NS);
}

/* Interface */

void watcher_open(struct watcher *w, const struct sampler *s, unsigned rate, struct strbuf *to)
{
	uint64_t now = session_now();

	*w = (struct watcher){ .attrs = &s->attrs,
			       .to = to,
			       .gap = SECOND_NS / rate,
			       .next_round = now,
			       .last_round = now,
			       .accounts_at = now,
			       .flood.at = now,
			       .is_paused = true,
			       .is_traced = s->trace };
	w->real_gap = (double)w->gap;
	w->event = sampler_find_switches(s, &w->id);
	if (getrandom(&w->random, sizeof(w->random), GRND_NONBLOCK) < 0 || !w->random)
		w->random = now | 1;
	blocked_reader_init(&w->reader, STACK_MAX);
}

void watcher_close(struct watcher *w)
{
	if (w->to)
		blocked_reader_release(&w->reader);
	free(w->thread);
	free(w->slot);
	*w = (struct watcher){ .event = SIZE_MAX };
}

/* Records the state of a thread when the recording begins. */
static void begin(struct watcher *w, struct watched *t)
{
	char state = read_state(t);
	struct account now, paused;

	/* It has exited, and the record of its exit was not read yet. */
	if (!state || state == 'Z' || state == 'X')
		return;
	t->is_off = state != 'R';
	t->is_seen = t->was_held = false;
	/* Its CPU time and CPU wait during the pause do not count. */
	now = read_account(t);
	paused = account_since(&t->last, &now);
	t->first.ran += paused.ran;
	t->first.waited += paused.waited;
	t->last = now;
	put_begin(w, t, t->is_off ? BEGIN_BLOCKED : BEGIN_READY);
}

void watcher_start(struct watcher *w)
{
	uint64_t before = cpu_time();

	if (w->event == SIZE_MAX || !w->is_paused || w->is_stopped)
		return;
	w->is_paused = false;
	w->began_at = session_now();
	put_begin(w, NULL, w->scope);
	for (size_t i = 0; i < w->nr; i++)
		begin(w, &w->thread[i]);
	w->cost = cpu_time() - before;
}

void watcher_add(struct watcher *w, pid_t pid, pid_t tid, enum watch_since since)
{
	struct watched *t;

	if (w->event == SIZE_MAX || tid <= 0)
		return;
	t = find(w, tid);
	/* Another thread had this tid before. */
	if (t && since == WATCH_STARTED)
		watcher_remove(w, tid);
	else if (t)
		return;
	t = add(w, pid, tid);
	if (!t)
		return;
	/* The thread may have started long before the recording. */
	if (since == WATCH_MET)
		t->first = t->last = read_account(t);
	else if (since == WATCH_RUNNING && !w->is_paused)
		begin(w, t);
}

void watcher_remove(struct watcher *w, pid_t tid)
{
	struct watched *t = w->event == SIZE_MAX ? NULL : find(w, tid);

	if (!t)
		return;
	blocked_forget(&w->reader, tid);
	*t = w->thread[--w->nr];
	index_threads(w);
}

static void take_switch(struct watcher *w, const struct record *r)
{
	struct watched *t = w->event == SIZE_MAX ? NULL : find(w, (pid_t)r->tid);

	if (!t || r->time <= t->changed)
		return;
	t->changed = r->time;
	/* A preempted thread is not blocked, and not sampled. */
	t->is_off = r->sched.out && !r->sched.preempted;
	t->is_seen = t->was_held = t->is_gone = false;
}

void watcher_met(struct watcher *w, const struct record *r)
{
	watcher_add(w, (pid_t)r->pid, (pid_t)r->tid, WATCH_MET);
	take_switch(w, r);
}

void watcher_switch(struct watcher *w, const struct record *r)
{
	w->nr_switch += r->sched.out;
	take_switch(w, r);
}

void watcher_hurry(struct watcher *w, unsigned rate)
{
	w->gap = SECOND_NS / rate;
	w->real_gap = (double)w->gap;
}

uint64_t watcher_tick(struct watcher *w, uint64_t now)
{
	if (w->event == SIZE_MAX || w->is_paused)
		return w->is_stopped ? w->resume_at : 0;
	if (now >= w->next_round)
		sample_all(w, now);
	if (w->nr)
		read_accounts(w, now);
	if (w->has_lost && now >= w->next_exits)
		find_exits(w);
	return w->next_round;
}

bool watch_is_flooded(struct watch_flood *f, uint64_t nr, uint64_t now, size_t most)
{
	uint64_t passed = now - f->at, since = nr - f->nr;

	if (passed < FLOOD_NS)
		return false;
	f->at = now;
	f->nr = nr;
	f->rate = (double)since / (double)passed * 1e9;
	f->times = f->rate > (double)most ? f->times + 1 : 0;
	return f->times == FLOODS;
}

static void end(struct watcher *w, uint64_t now, enum wait_record_kind how)
{
	struct wait_record own = { .kind = how };
	struct blocked nobody = { .pid = -1, .tid = -1 };

	w->is_paused = true;
	w->recorded += now > w->began_at ? now - w->began_at : 0;
	put_record(w, &own, &nobody, now);
}

void watcher_take_accounts(struct watcher *w, uint64_t now)
{
	for (size_t i = 0; i < w->nr && !w->is_paused; i++)
		take_account(w, &w->thread[i], now);
}

void watcher_end(struct watcher *w, uint64_t now)
{
	if (w->event != SIZE_MAX && !w->is_paused)
		end(w, now, WAIT_RECORD_END);
}

void watcher_stop(struct watcher *w, uint64_t now, size_t most)
{
	uint64_t before = cpu_time();
	double lasted = (double)(now - w->began_at), rest;

	watcher_take_accounts(w, now);
	end(w, now, WAIT_RECORD_STOP);
	w->is_stopped = true;
	w->nr_stop++;
	w->cost += cpu_time() - before;
	/* A pause never makes up for more than FLOODS periods of recording. */
	rest = fmin(lasted, FLOODS * (double)FLOOD_NS) * (w->flood.rate / (double)most - 1);
	w->resume_at = now + (uint64_t)fmax(fmax(rest, FLOOD_NS), (double)w->cost * SHARE);
}

bool watcher_resumes(struct watcher *w, uint64_t now)
{
	if (!w->is_stopped || now < w->resume_at)
		return false;
	w->is_stopped = false;
	/* If switches still exceed the limit, the next check stops recording again. */
	w->flood = (struct watch_flood){ .at = now, .nr = w->nr_switch, .times = FLOODS - 1 };
	return true;
}
