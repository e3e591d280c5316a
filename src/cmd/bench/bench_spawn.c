/* One run: starts a command, waits for it, and tells what it took. */
#include "base/alloc.h"
#include "cmd/bench/bench_parts.h"
#include "record/session.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The environment is longer by 0 to this many bytes: enough to move the stack by a page. */
enum { PADDING_MAX = 4096, STATUS_NOT_STARTED = 127 };

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

	if (s->pipe >= 0)
		return 0;
	if (pipe2(fd, O_CLOEXEC))
		return error_sys(e, "pipe");
	s->pipe = fd[1];
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

int bench_spawn_init(struct bench_spawn *s, struct bench *b, struct error *e)
{
	size_t nr = 0;

	*s = (struct bench_spawn){ .b = b, .null = -1, .pipe = -1 };
	s->begin = mmap(NULL, sizeof(*s->begin), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (s->begin == MAP_FAILED) {
		s->begin = NULL;
		return error_sys(e, "mmap");
	}
	while (environ[nr])
		nr++;
	s->env = xcalloc(nr + 3, sizeof(*s->env));
	memcpy(s->env, environ, nr * sizeof(*s->env));
	s->padding = xmalloc(sizeof(PADDING_NAME) + PADDING_MAX);
	memcpy(s->padding, PADDING_NAME, sizeof(PADDING_NAME));
	s->env[nr] = s->padding;
	s->last = &s->env[nr + 1];
	return open_file("/dev/null", O_RDWR, &s->null, e);
}

void bench_spawn_release(struct bench_spawn *s)
{
	if (s->null >= 0)
		close(s->null);
	/* The thread that reads sees the end of the pipe, and closes nothing. */
	if (s->pipe >= 0)
		close(s->pipe);
	if (s->begin)
		munmap(s->begin, sizeof(*s->begin));
	free(s->env);
	free(s->padding);
}

/* Streams */

/* A file is opened for each run, which reads it from its beginning, or overwrites it. */
int bench_streams_open(struct bench_spawn *s, const char *output, int *stream, struct error *e)
{
	const char *input = s->b->o.input ? s->b->o.input : "null";

	for (int i = 0; i < BENCH_STREAMS; i++)
		stream[i] = s->null;
	if (strcmp(input, "null") != 0 && open_file(input, O_RDONLY, &stream[0], e))
		return -1;
	if (!strcmp(output, "inherit")) {
		stream[1] = stream[2] = -1;
	} else if (!strcmp(output, "pipe")) {
		if (open_pipe(s, e))
			return -1;
		stream[1] = s->pipe;
	} else if (strcmp(output, "null") != 0) {
		return open_file(output, O_WRONLY | O_CREAT | O_TRUNC, &stream[1], e);
	}
	return 0;
}

void bench_streams_close(const struct bench_spawn *s, const int *stream)
{
	for (int i = 0; i < BENCH_STREAMS; i++)
		if (stream[i] >= 0 && stream[i] != s->null && stream[i] != s->pipe)
			close(stream[i]);
}

/* The environment */

void bench_spawn_pad(struct bench_spawn *s)
{
	char *text = s->padding + strlen(PADDING_NAME);
	size_t nr = seeded_below(&s->b->chance, PADDING_MAX);

	memset(text, 'x', PADDING_MAX);
	text[nr] = '\0';
}

void bench_spawn_iterate(struct bench_spawn *s, const char *which)
{
	snprintf(s->iteration, sizeof(s->iteration), "HYPERFINE_ITERATION=%s", which ? which : "");
	*s->last = which ? s->iteration : NULL;
}

/* Runs */

/*
 * In the child: undoes signals_take(), and becomes the program.  Each function of a library that is
 * used here for the first time maps 64 KiB and more, which count as memory of the program: hence
 * syscall(), and a clock that was read before memory is.
 */
static void become(const struct bench_spawn *s, const struct bench_program *p)
{
	const struct launch_signals *before = &s->b->signals;
	bool ready = true;

	for (int fd = 0; fd < BENCH_STREAMS; fd++)
		if (p->stream[fd] == fd)
			ready &= !fcntl(fd, F_SETFD, 0);
		else if (p->stream[fd] >= 0)
			ready &= syscall(SYS_dup3, p->stream[fd], fd, 0) == fd;
	if (p->folder)
		ready &= !syscall(SYS_chdir, p->folder);
	sigaction(SIGCHLD, &before->child, NULL);
	sigaction(SIGXFSZ, &before->too_large, NULL);
	sigaction(SIGPIPE, &before->no_reader, NULL);
	sigprocmask(SIG_SETMASK, &before->blocked, NULL);
	s->begin->time = session_now();
	syscall(SYS_getrusage, RUSAGE_SELF, &s->begin->used);
	s->begin->time = session_now();
	if (ready)
		syscall(SYS_execve, p->path, p->argv, s->env);
	s->begin->error = errno;
	_exit(STATUS_NOT_STARTED);
}

static void wait_for(struct bench *b, pid_t pid, struct bench_started *r)
{
	struct launch l = { .pid = pid, .go = -1, .failed = -1 };
	siginfo_t info;
	int status;

	do {
		int number = sigwaitinfo(&b->signals.taken, &info);

		r->end = session_now();
		if (number > 0 && number != SIGCHLD) {
			signal_pass_on(&l, &b->signals, number, info.si_code, info.si_pid);
			b->interrupted = signal_ends(number) ? number : b->interrupted;
		}
	} while (wait4(pid, &status, WNOHANG, &r->used) != pid);
	r->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	r->status = r->signal ? 128 + r->signal : WEXITSTATUS(status);
}

/*
 * A fork, although posix_spawn() takes less time: the kernel adds the memory that a process had before
 * its exec to its peak, and with posix_spawn() that is all of ours.  The clock starts right before the
 * exec, so that the fork is not part of the result.
 */
int bench_spawn_run(struct bench_spawn *s, const struct bench_program *p, struct bench_started *r,
		    struct error *e)
{
	pid_t pid;

	*s->begin = (struct bench_begin){ 0 };
	pid = fork();
	if (pid < 0)
		return error_sys(e, "fork");
	if (!pid)
		become(s, p);
	wait_for(s->b, pid, r);
	r->begin = *s->begin;
	return r->begin.error ? launch_not_run(p->argv[0], r->begin.error, e) : 0;
}

int bench_spawn_line(struct bench_spawn *s, const char *what, const char *line,
		     const struct bench_command *c, struct error *e)
{
	const char *const *argv = bench_words(s->b, line, e);
	bool is_shown = !strcmp(c->output, "inherit");
	struct bench_program p = { .argv = argv, .folder = c->folder };
	struct bench_started r = { 0 };
	int ret = argv ? 0 : -1;

	if (!ret) {
		p.path = bench_find(s->b, argv[0]);
		bench_spawn_iterate(s, NULL);
		ret = bench_streams_open(s, is_shown ? "inherit" : "null", p.stream, e) ||
		      bench_spawn_run(s, &p, &r, e);
		bench_streams_close(s, p.stream);
	}
	if (ret)
		return error_within(e, "%s", what);
	if (!r.status || s->b->interrupted)
		return 0;
	error_set(e, ERROR_SYSTEM, "%s '%s' failed with exit status %d", what, line, r.status);
	return error_hint(e, "use --output inherit to see its output");
}
