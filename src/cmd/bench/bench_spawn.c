/*
 * One run: starts a command, waits for it, and measures it.
 *
 * A helper process, the spawner, starts the commands.  The kernel includes the memory that a
 * process had before its exec in its peak: with vfork() from here, that would be all memory of
 * wick, and a fork() would copy wick's page tables for each run.  The spawner is forked once, while
 * it is small, and calls vfork() for each run. CLONE_PARENT makes the command a child of wick,
 * which gets its exit status and resource usage.
 */
#include "base/alloc.h"
#include "cmd/bench/bench_parts.h"
#include "record/session.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The environment is padded by 0 to PADDING_MAX bytes: enough to move the stack by a page. */
enum { PADDING_MAX = 4096, STATUS_NOT_STARTED = 127 };

/* USER, LOGNAME, HOME and SHELL */
enum { USER_VARIABLES = 4 };

/* The kernel accepts up to 6 MiB of arguments and environment. */
enum { WORDS_SIZE = 8 << 20, STACK_SIZE = 64 << 10 };

/* Memory shared by wick, the spawner, and the command before its exec, at the same address. */
struct bench_shared {
	struct bench_begin begin;
	pid_t pid; /* of the command; 0: not started yet */
	struct bench_program program;
	char **env;
	size_t nr_used;		/* bytes of `words` */
	char words[WORDS_SIZE]; /* strings and pointers of `program` and `env` */
};

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

/* Reads and drops what commands write into the pipe, until it is closed. */
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

/* The spawner */

/*
 * The first call of a library function maps 64 KiB and more, and so does the dynamic linker that
 * resolves it, all of which counts as memory of the program.  So the spawner uses syscall() and
 * pointers to functions that were resolved before, and the command reads the clock once before its
 * memory is measured.
 */

/* In the child: like launch_become(), without library functions. */
static bool become_user(const struct bench_spawn *s)
{
	const struct launch_user *user = run_as_user(&s->b->run_as);
	bool is_us;

	if (!user)
		return true;
	is_us = syscall(SYS_getuid) == (long)user->uid && syscall(SYS_getgid) == (long)user->gid;
	if (syscall(SYS_setgroups, s->nr_group, s->group) && !is_us)
		return false;
	return !syscall(SYS_setresgid, user->gid, user->gid, user->gid) &&
	       !syscall(SYS_setresuid, user->uid, user->uid, user->uid);
}

/* In the child: undoes signals_take(), and becomes the program. */
static int become(void *of)
{
	const struct bench_spawn *s = of;
	const struct bench_program *p = &s->shared->program;
	const struct launch_signals *before = &s->b->signals;
	struct bench_begin *begin = &s->shared->begin;
	bool ready = true;

	for (int fd = 0; fd < BENCH_STREAMS; fd++)
		if (p->stream[fd] == fd)
			ready &= !fcntl(fd, F_SETFD, 0);
		else if (p->stream[fd] >= 0)
			ready &= syscall(SYS_dup3, p->stream[fd], fd, 0) == fd;
	if (!become_user(s)) {
		begin->error = -errno;
		_exit(STATUS_NOT_STARTED);
	}
	if (p->folder)
		ready &= !syscall(SYS_chdir, p->folder);
	sigaction(SIGCHLD, &before->child, NULL);
	sigaction(SIGXFSZ, &before->too_large, NULL);
	sigaction(SIGPIPE, &before->no_reader, NULL);
	sigprocmask(SIG_SETMASK, &before->blocked, NULL);
	begin->time = session_now();
	syscall(SYS_getrusage, RUSAGE_SELF, &begin->used);
	begin->time = session_now();
	if (ready)
		syscall(SYS_execve, p->path, p->argv, s->shared->env);
	begin->error = errno;
	_exit(STATUS_NOT_STARTED);
}

/* Starts a command at each request, until the spawner is killed or wick has exited. */
static void serve(struct bench_spawn *s, pid_t parent)
{
	static _Alignas(16) char stack[STACK_SIZE];
	int (*volatile const start)(int (*)(void *), void *, int, void *, ...) = clone;
	const int flags = CLONE_VM | CLONE_VFORK | CLONE_PARENT | CLONE_PARENT_SETTID | SIGCHLD;
	struct bench_shared *shared = s->shared;
	uint64_t nr;

	syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
	while (syscall(SYS_getppid) == parent &&
	       syscall(SYS_read, s->request, &nr, sizeof(nr)) == sizeof(nr))
		if (start(become, stack + sizeof(stack), flags, s, &shared->pid) < 0) {
			__atomic_store_n(&shared->begin.error, errno, __ATOMIC_RELEASE);
			syscall(SYS_kill, parent, SIGCHLD);
		}
	syscall(SYS_exit_group, 0);
}

/* The spawner shares wick's file descriptors, so it can use the streams of a run. */
static int start_spawner(struct bench_spawn *s, struct error *e)
{
	const pid_t us = getpid();
	sigset_t all, before;

	s->request = eventfd(0, EFD_CLOEXEC);
	if (s->request < 0)
		return error_sys(e, "eventfd");
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	s->spawner = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL);
	if (!s->spawner)
		serve(s, us);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return s->spawner < 0 ? error_sys(e, "fork") : 0;
}

static void end_spawner(struct bench_spawn *s)
{
	if (s->spawner > 0) {
		kill(s->spawner, SIGKILL);
		waitpid(s->spawner, NULL, 0);
	}
	s->spawner = 0;
	if (s->request >= 0)
		close(s->request);
}

/* Sets the groups of the user, and its variables in place of wick's. */
static size_t set_user(struct bench_spawn *s, const struct launch_user *user, size_t nr)
{
	const char *const words[USER_VARIABLES] = { bench_text(s->b, "USER=%s", user->name),
						    bench_text(s->b, "LOGNAME=%s", user->name),
						    bench_text(s->b, "HOME=%s", user->home),
						    bench_text(s->b, "SHELL=%s", user->shell) };
	int nr_group = 0;

	getgrouplist(user->name, user->gid, NULL, &nr_group);
	s->group = xcalloc((size_t)nr_group + 1, sizeof(*s->group));
	if (getgrouplist(user->name, user->gid, s->group, &nr_group) >= 0)
		s->nr_group = (size_t)nr_group;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t size = strcspn(words[i], "=") + 1, at = 0;

		while (at < nr && strncmp(s->env[at], words[i], size) != 0)
			at++;
		s->env[at] = (char *)(uintptr_t)words[i];
		nr += at == nr;
	}
	return nr;
}

int bench_spawn_init(struct bench_spawn *s, struct bench *b, struct error *e)
{
	const struct launch_user *user = run_as_user(&b->run_as);
	size_t nr = 0;

	*s = (struct bench_spawn)BENCH_SPAWN_INIT;
	s->b = b;
	s->shared = mmap(NULL, sizeof(*s->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (s->shared == MAP_FAILED) {
		s->shared = NULL;
		return error_sys(e, "mmap");
	}
	while (environ[nr])
		nr++;
	s->env = xcalloc(nr + USER_VARIABLES + 3, sizeof(*s->env));
	memcpy(s->env, environ, nr * sizeof(*s->env));
	if (user)
		nr = set_user(s, user, nr);
	s->padding = xmalloc(sizeof(PADDING_NAME) + PADDING_MAX);
	memcpy(s->padding, PADDING_NAME, sizeof(PADDING_NAME));
	s->env[nr] = s->padding;
	s->last = &s->env[nr + 1];
	return open_file("/dev/null", O_RDWR, &s->null, e) ? -1 : start_spawner(s, e);
}

void bench_spawn_release(struct bench_spawn *s)
{
	end_spawner(s);
	if (s->null >= 0)
		close(s->null);
	/* The reading thread sees the end of the pipe. */
	if (s->pipe >= 0)
		close(s->pipe);
	if (s->shared)
		munmap(s->shared, sizeof(*s->shared));
	free(s->env);
	free(s->group);
	free(s->padding);
}

/* Streams */

/* A new file belongs to the user who called sudo. */
static int open_output(const struct bench_spawn *s, const char *path, int *fd, struct error *e)
{
	const struct run_as *as = &s->b->run_as;

	*fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (*fd < 0)
		return open_file(path, O_WRONLY | O_CREAT | O_TRUNC, fd, e);
	if (as->owner != (uid_t)-1)
		(void)!fchown(*fd, as->owner, as->owner_group);
	return 0;
}

/* Files are opened for each run, which reads them from the beginning, or overwrites them. */
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
		return open_output(s, output, &stream[1], e);
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

/* Allocates shared memory for words of the next command; NULL: there is none left. */
static void *share_room(struct bench_shared *shared, size_t size)
{
	char *at = shared->words + shared->nr_used;

	if (size > sizeof(shared->words) - shared->nr_used)
		return NULL;
	shared->nr_used += size;
	return at;
}

static const char *share_text(struct bench_shared *shared, const char *text)
{
	size_t size = strlen(text) + 1;
	char *at = share_room(shared, size);

	return at ? memcpy(at, text, size) : NULL;
}

/* Pointers are allocated first, where they are aligned. */
static const char **share_pointers(struct bench_shared *shared, const char *const *words)
{
	size_t nr = 0;

	while (words[nr])
		nr++;
	return share_room(shared, (nr + 1) * sizeof(*words));
}

static bool share_words(struct bench_shared *shared, const char **at, const char *const *words)
{
	for (; *words; words++, at++)
		if (!(*at = share_text(shared, *words)))
			return false;
	*at = NULL;
	return true;
}

/* Copies the program into shared memory.  If it does not fit, the kernel would reject it, too. */
static int share(struct bench_spawn *s, const struct bench_program *p, struct error *e)
{
	const char *const *env = (const char *const *)s->env;
	struct bench_shared *shared = s->shared;
	struct bench_program *program = &shared->program;
	const char **argv, **new_env;

	shared->begin = (struct bench_begin){ 0 };
	shared->pid = 0;
	shared->nr_used = 0;
	*program = *p;
	argv = share_pointers(shared, p->argv);
	new_env = share_pointers(shared, env);
	program->argv = argv;
	shared->env = (char **)(uintptr_t)new_env;
	program->path = share_text(shared, p->path);
	program->folder = p->folder ? share_text(shared, p->folder) : NULL;
	if (!argv || !new_env || !program->path || !program->folder != !p->folder ||
	    !share_words(shared, argv, p->argv) || !share_words(shared, new_env, env))
		return launch_not_run(p->argv[0], E2BIG, e);
	return 0;
}

/* Is the spawner alive?  It may have been killed. */
static bool is_served(struct bench_spawn *s)
{
	if (s->spawner && waitpid(s->spawner, NULL, WNOHANG))
		s->spawner = 0;
	return s->spawner != 0;
}

/* Waits until the command has started, and returns its pid; 0: it did not start. */
static pid_t wait_for_start(struct bench_spawn *s)
{
	const struct timespec moment = { .tv_nsec = 100000 };
	pid_t pid;

	while (!(pid = __atomic_load_n(&s->shared->pid, __ATOMIC_ACQUIRE))) {
		if (__atomic_load_n(&s->shared->begin.error, __ATOMIC_ACQUIRE) || !is_served(s))
			return 0;
		nanosleep(&moment, NULL);
	}
	return pid;
}

/* Waits until the command exits; -1: it did not start. */
static int wait_for(struct bench_spawn *s, struct bench_started *r)
{
	struct launch l = { .go = -1, .failed = -1 };
	struct bench *b = s->b;
	siginfo_t info;
	int status;

	do {
		int number = sigwaitinfo(&b->signals.taken, &info);

		r->end = session_now();
		l.pid = wait_for_start(s);
		if (number > 0 && number != SIGCHLD) {
			signal_pass_on(&l, &b->signals, number, info.si_code, info.si_pid);
			b->interrupted = signal_ends(number) ? number : b->interrupted;
		}
		if (!l.pid)
			return -1;
	} while (wait4(l.pid, &status, WNOHANG, &r->used) != l.pid);
	r->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	r->status = r->signal ? 128 + r->signal : WEXITSTATUS(status);
	return 0;
}

/*
 * The clock starts right before the exec, so that starting the process is not part of the result.
 */
int bench_spawn_run(struct bench_spawn *s, const struct bench_program *p, struct bench_started *r,
		    struct error *e)
{
	const uint64_t one = 1;

	if (share(s, p, e))
		return -1;
	if (is_served(s) && write(s->request, &one, sizeof(one)) != sizeof(one))
		return error_sys(e, "eventfd");
	if (!s->spawner || wait_for(s, r)) {
		errno = s->shared->begin.error;
		return s->spawner ? error_sys(e, "fork")
				  : error_set(e, ERROR_SYSTEM,
					      "the process that starts commands was killed");
	}
	r->begin = s->shared->begin;
	if (r->begin.error < 0)
		return launch_refused(p->argv[0], -r->begin.error, e);
	return r->begin.error ? launch_not_run(p->argv[0], r->begin.error, e) : 0;
}

/*
 * Opens the streams of a line: wick's own if those of the command are shown, else the log or
 * nothing.
 */
static int open_for_line(struct bench_spawn *s, const struct bench_line *l, int *stream,
			 struct error *e)
{
	if (bench_streams_open(s, strcmp(l->of->output, "inherit") ? "null" : "inherit", stream, e))
		return -1;
	if (!l->log || stream[1] != s->null)
		return 0;
	/* O_EXCL: others may write to the log's folder. */
	if (open_file(l->log, O_WRONLY | O_CREAT | O_EXCL, &stream[1], e))
		return -1;
	stream[2] = stream[1];
	return 0;
}

int bench_spawn_line(struct bench_spawn *s, const struct bench_line *l, struct error *e)
{
	const char *const *argv = bench_words(s->b, l->text, e);
	struct bench_program p = { .argv = argv, .folder = l->of->folder };
	struct bench_started r = { 0 };
	int ret = argv ? 0 : -1;

	if (!ret) {
		p.path = bench_find(s->b, argv[0]);
		bench_spawn_iterate(s, NULL);
		ret = open_for_line(s, l, p.stream, e) || bench_spawn_run(s, &p, &r, e);
		if (p.stream[2] == p.stream[1])
			p.stream[2] = -1;
		bench_streams_close(s, p.stream);
	}
	if (ret)
		return error_within(e, "%s", l->option);
	if (!r.status || s->b->interrupted)
		return 0;
	error_set(e, ERROR_SYSTEM, "%s '%s' failed with exit status %d", l->option, l->text,
		  r.status);
	if (!strcmp(l->of->output, "inherit"))
		return -1;
	return l->log ? error_hint(e, "its output is in %s", l->log)
		      : error_hint(e, "use --output inherit to see its output");
}
