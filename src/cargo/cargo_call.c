/* cargo flamegraph: calls of cargo. */
#include "base/alloc.h"
#include "cargo/cargo.h"
#include "cli/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Limit of the output, in bytes.  The metadata of thousands of packages takes tens of megabytes. */
enum { PRINTED_MAX = 256 * 1024 * 1024 };

const char *cargo_text(struct cargo *c, const char *format, ...)
{
	const char *text;
	va_list args;

	va_start(args, format);
	text = arena_vtext(&c->arena, format, args);
	va_end(args);
	return text;
}

void cargo_push(struct option_list *l, const char *word)
{
	GROW(l->at, l->nr, l->cap);
	l->at[l->nr++] = word;
}

const char *cargo_program(void)
{
	const char *cargo = getenv("CARGO");

	return cargo && *cargo ? cargo : "cargo";
}

void cargo_pass(struct cargo *c, struct option_list *words, unsigned to)
{
	for (size_t i = 0; i < c->passed.nr; i++) {
		const struct option_step *s = &c->passed.at[i];

		if (!(s->what & to))
			continue;
		cargo_push(words, cargo_text(c, "--%s", s->name));
		if (s->value)
			cargo_push(words, s->value);
	}
}

/* Unsets cargo's folders if they are root's, which the user cannot read. */
static void forget_closed_folders(void)
{
	static const char *const names[] = { "CARGO_HOME", "RUSTUP_HOME" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *folder = getenv(names[i]);

		if (folder && access(folder, R_OK | X_OK))
			unsetenv(names[i]);
	}
}

/* In the child: does not return. */
static void become(const struct cargo *c, const char *const *argv, enum cargo_voice voice, int out)
{
	const struct launch_user *user = c->rs.job.o.user;
	const char *name = strrchr(argv[0], '/');

	dup2(out, STDOUT_FILENO);
	if (voice == CARGO_QUIET)
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
	if (user && !launch_become(user)) {
		message_peer(stderr, "%s: %s\n", argv[0], strerror(errno));
		_exit(STATUS_NOT_RUN);
	}
	if (user)
		forget_closed_folders();
	if (c->self >= 0)
		fcntl(c->self, F_SETFD, 0);
	for (size_t i = 0; i < c->env.nr; i++)
		putenv((char *)(uintptr_t)c->env.at[i]);
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	/* The path may be accessible to root only: tries $PATH. */
	if (name)
		execvp(name + 1, (char *const *)(uintptr_t)argv);
	message_peer(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(STATUS_NOT_FOUND);
}

static int read_all(int fd, struct strbuf *out, struct error *e)
{
	char buf[64 * 1024];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_sys(e, "cargo");
		if (out->size + (size_t)n > PRINTED_MAX)
			return error_set(e, ERROR_INPUT, "output of cargo exceeds %d MiB",
					 PRINTED_MAX >> 20);
		strbuf_add(out, (struct span){ buf, (size_t)n });
	}
	return 0;
}

int cargo_call(struct cargo *c, const char *program, const struct option_list *words,
	       enum cargo_voice voice, struct strbuf *out, struct error *e)
{
	const char **argv = xcalloc(words->nr + 2, sizeof(*argv));
	int fd[2], status = 0, ret;
	pid_t pid;

	argv[0] = program;
	memcpy(argv + 1, words->at, words->nr * sizeof(*argv));
	if (pipe2(fd, O_CLOEXEC)) {
		free(argv);
		return error_sys(e, "pipe");
	}
	fflush(NULL);
	pid = fork();
	if (!pid)
		become(c, argv, voice, fd[1]);
	free(argv);
	close(fd[1]);
	ret = pid < 0 ? error_sys(e, "fork") : read_all(fd[0], out, e);
	close(fd[0]);
	if (pid > 0 && waitpid(pid, &status, 0) != pid)
		ret = error_sys(e, "%s", program);
	if (ret)
		return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
