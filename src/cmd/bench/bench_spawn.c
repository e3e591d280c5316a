/* One run: starts a command, waits for it, and tells what it took. */
#include "base/alloc.h"
#include "cmd/bench/bench_parts.h"
#include "record/session.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The environment is longer by 0 to this many bytes: enough to move the stack by a page. */
enum { PADDING_MAX = 4096 };

#define PADDING_NAME "WICK_BENCH_PADDING="

const char *bench_find(struct bench *b, const char *name)
{
	const char *folders = getenv("PATH");
	struct span rest = span_of(folders ? folders : "/usr/local/bin:/usr/bin:/bin");
	struct strbuf path = { 0 };

	while (!strchr(name, '/') && rest.size) {
		size_t colon = span_find(rest, ':');

		strbuf_reset(&path);
		strbuf_addf(&path, "%.*s/%s", colon ? (int)colon : 1, colon ? rest.at : ".", name);
		if (!access(path.at, X_OK)) {
			name = bench_text(b, "%s", path.at);
			break;
		}
		rest = span_from(rest, colon + 1);
	}
	strbuf_release(&path);
	return name;
}

/* Reads what commands write into the pipe, for as long as there are any. */
static void *drain(void *fd)
{
	static char buf[64 * 1024];
	ssize_t n;

	do
		n = read((int)(intptr_t)fd, buf, sizeof(buf));
	while (n > 0 || (n < 0 && errno == EINTR));
	return NULL;
}

static int open_pipe(struct bench_spawn *s, struct error *e)
{
	pthread_t thread;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return error_sys(e, "pipe");
	s->out = fd[1];
	errno = pthread_create(&thread, NULL, drain, (void *)(intptr_t)fd[0]);
	if (errno)
		return error_sys(e, "thread");
	pthread_detach(thread);
	return 0;
}

static int open_file(const char *path, int flags, int *fd, struct error *e)
{
	*fd = open(path, flags | O_CLOEXEC, 0666);
	return *fd < 0 ? error_sys(e, "%s", path) : 0;
}

static int open_output(struct bench_spawn *s, struct error *e)
{
	const char *where = s->b->o.output ? s->b->o.output : "null";

	if (s->b->o.show_output || !strcmp(where, "inherit"))
		return 0;
	if (open_file("/dev/null", O_WRONLY, &s->err, e))
		return -1;
	if (!strcmp(where, "pipe"))
		return open_pipe(s, e);
	if (!strcmp(where, "null"))
		return open_file("/dev/null", O_WRONLY, &s->out, e);
	s->is_file = true;
	return open_file(where, O_WRONLY | O_CREAT | O_TRUNC, &s->out, e);
}

int bench_spawn_init(struct bench_spawn *s, struct bench *b, struct error *e)
{
	const char *in = b->o.input && strcmp(b->o.input, "null") != 0 ? b->o.input : "/dev/null";
	size_t nr = 0;

	*s = (struct bench_spawn){ .b = b, .in = -1, .out = -1, .err = -1 };
	while (environ[nr])
		nr++;
	s->env = xcalloc(nr + 2, sizeof(*s->env));
	memcpy(s->env, environ, nr * sizeof(*s->env));
	s->padding = xmalloc(sizeof(PADDING_NAME) + PADDING_MAX);
	memcpy(s->padding, PADDING_NAME, sizeof(PADDING_NAME));
	s->env[nr] = s->padding;
	return open_file(in, O_RDONLY, &s->in, e) || open_output(s, e) ? -1 : 0;
}

void bench_spawn_release(struct bench_spawn *s)
{
	if (s->in >= 0)
		close(s->in);
	/* The thread that reads sees the end of the pipe, and closes nothing. */
	if (s->out >= 0)
		close(s->out);
	if (s->err >= 0)
		close(s->err);
	free(s->env);
	free(s->padding);
}

void bench_spawn_pad(struct bench_spawn *s)
{
	char *text = s->padding + strlen(PADDING_NAME);
	size_t nr = seeded_below(&s->b->chance, PADDING_MAX);

	memset(text, 'x', PADDING_MAX);
	text[nr] = '\0';
}

/* Signals do for the command what they did before signals_take(). */
static void set_signals(posix_spawnattr_t *attr, const struct launch_signals *before)
{
	const struct {
		int number;
		const struct sigaction *was;
	} changed[] = { { SIGXFSZ, &before->too_large }, { SIGPIPE, &before->no_reader } };
	sigset_t by_default;

	sigemptyset(&by_default);
	for (size_t i = 0; i < ARRAY_SIZE(changed); i++)
		if (changed[i].was->sa_handler != SIG_IGN)
			sigaddset(&by_default, changed[i].number);
	posix_spawnattr_setsigmask(attr, &before->blocked);
	posix_spawnattr_setsigdefault(attr, &by_default);
	posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static void wait_for(struct bench *b, pid_t pid, struct bench_started *r, uint64_t begin)
{
	struct launch l = { .pid = pid, .go = -1, .failed = -1 };
	uint64_t end;
	siginfo_t info;
	int status;

	do {
		int number = sigwaitinfo(&b->signals.taken, &info);

		end = session_now();
		if (number > 0 && number != SIGCHLD) {
			signal_pass_on(&l, &b->signals, number, info.si_code, info.si_pid);
			b->interrupted = signal_ends(number) ? number : b->interrupted;
		}
	} while (wait4(pid, &status, WNOHANG, &r->used) != pid);
	r->time = (double)(end - begin);
	r->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	r->status = r->signal ? 128 + r->signal : WEXITSTATUS(status);
}

int bench_spawn_run(struct bench_spawn *s, const char *path, const char *const *argv,
		    const char *folder, struct bench_started *r, struct error *e)
{
	const int streams[] = { s->in, s->out, s->err };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	uint64_t begin;
	pid_t pid;
	int why;

	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	set_signals(&attr, &s->b->signals);
	/* What the run before has written; a pipe or a device has no end to cut off. */
	if (s->is_file && !ftruncate(s->out, 0))
		lseek(s->out, 0, SEEK_SET);
	for (int fd = 0; fd < (int)ARRAY_SIZE(streams); fd++)
		if (streams[fd] >= 0)
			posix_spawn_file_actions_adddup2(&files, streams[fd], fd);
	if (folder)
		posix_spawn_file_actions_addchdir_np(&files, folder);
	begin = session_now();
	why = posix_spawn(&pid, path, &files, &attr, (char *const *)(uintptr_t)argv, s->env);
	if (!why)
		wait_for(s->b, pid, r, begin);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return why ? launch_not_run(argv[0], why, e) : 0;
}

int bench_spawn_line(struct bench_spawn *s, const char *what, const char *line, const char *folder,
		     struct error *e)
{
	const char *const *argv = bench_words(s->b, line, e);
	struct bench_started r = { 0 };

	if (!argv || bench_spawn_run(s, bench_find(s->b, argv[0]), argv, folder, &r, e))
		return error_within(e, "%s", what);
	if (!r.status || s->b->interrupted)
		return 0;
	error_set(e, ERROR_SYSTEM, "%s '%s' failed with exit status %d", what, line, r.status);
	return error_hint(e, "use --output inherit to see its output");
}
