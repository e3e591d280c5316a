/* flamegraph: runs other programs: perf, sudo, the desktop's viewer. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "dropin/flamegraph_rs.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void push(struct option_list *l, const char *word)
{
	GROW(l->at, l->nr, l->cap);
	l->at[l->nr++] = word;
}

bool flamegraph_rs_by_perf(const struct flamegraph_rs *f)
{
	const char *perf = getenv("PERF");

	return f->cmd || (perf && *perf);
}

/* In the child: does not return.  A byte in the pipe `failed` says that the exec failed. */
static void become(struct option_list *argv, const char *folder, const sigset_t *mask, int failed)
{
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (folder && chdir(folder))
		_exit(126);
	execvp(argv->at[0], (char *const *)(uintptr_t)argv->at);
	(void)!write(failed, "", 1);
	_exit(127);
}

/*
 * Waits for perf, which may be ended by a signal; wick continues and draws.  Ctrl-C reaches perf,
 * too (SI_KERNEL: from the terminal), but a signal sent to wick alone has to be passed on.
 */
static bool wait_for(pid_t pid, const sigset_t *taken, int *status)
{
	siginfo_t info;
	pid_t ended;

	while (!(ended = waitpid(pid, status, WNOHANG)))
		if (sigwaitinfo(taken, &info) > 0 && info.si_signo != SIGCHLD &&
		    info.si_code != SI_KERNEL)
			kill(pid, info.si_signo);
	return ended == pid;
}

/* Runs a program in the folder (NULL: here); returns its exit status, or -1. */
static int run(struct option_list *argv, const char *folder, struct error *e)
{
	struct timespec at_once = { 0 };
	sigset_t taken, before;
	int failed[2], status = 0;
	bool ended, runs;
	char byte;
	pid_t pid;

	push(argv, NULL);
	if (pipe2(failed, O_CLOEXEC))
		return error_sys(e, "pipe");
	sigemptyset(&taken);
	sigaddset(&taken, SIGCHLD);
	sigaddset(&taken, SIGINT);
	sigaddset(&taken, SIGTERM);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &taken, &before);
	pid = fork();
	if (!pid)
		become(argv, folder, &before, failed[1]);
	close(failed[1]);
	runs = read(failed[0], &byte, 1) != 1;
	close(failed[0]);
	ended = pid > 0 && wait_for(pid, &taken, &status);
	while (sigtimedwait(&taken, NULL, &at_once) > 0)
		;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!ended)
		return error_sys(e, "%s", argv->at[0]);
	if (!runs)
		return error_set(e, ERROR_SYSTEM, "perf is not installed or not present in $PATH");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The file's path for perf, absolute if perf runs in another folder.  To be freed. */
static char *data_path(const struct flamegraph_rs *f, const char *name)
{
	struct strbuf path = { 0 };
	char *here = f->folder && *name != '/' ? getcwd(NULL, 0) : NULL;

	if (here)
		strbuf_addf(&path, "%s/", here);
	strbuf_add(&path, span_of(name));
	free(here);
	return path.at;
}

/* Adds the words of --cmd, with an -o if it is missing, and sets f->data to the file of -o. */
static int add_cmd(struct flamegraph_rs *f, struct option_list *argv, struct strbuf *words,
		   struct error *e)
{
	char *save = NULL;

	strbuf_add(words, span_of(f->cmd));
	for (char *word = strtok_r(words->at, " \t\n", &save); word;
	     word = strtok_r(NULL, " \t\n", &save)) {
		push(argv, word);
		if (strcmp(word, "-o") != 0)
			continue;
		word = strtok_r(NULL, " \t\n", &save);
		if (!word)
			return error_set(e, ERROR_INPUT, "missing '-o' argument");
		free(f->data);
		f->data = data_path(f, word);
		push(argv, f->data);
	}
	if (!f->data) {
		f->data = data_path(f, "perf.data");
		push(argv, "-o");
		push(argv, f->data);
	}
	return 0;
}

static void add_record(struct flamegraph_rs *f, struct option_list *argv, struct strbuf *words)
{
	static const char *const fixed[] = { "--call-graph", "dwarf,64000", "-g" };

	push(argv, "record");
	push(argv, "-F");
	strbuf_addf(words, "%u", f->freq ? f->freq : 997);
	strbuf_addch(words, '\0');
	if (f->compression)
		strbuf_addf(words, "-z=%s", *f->compression ? f->compression : "1");
	push(argv, words->at);
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		push(argv, fixed[i]);
	if (f->compression)
		push(argv, words->at + strlen(words->at) + 1);
	f->data = data_path(f, "perf.data");
	push(argv, "-o");
	push(argv, f->data);
}

static void print_command(const struct flamegraph_rs *f, const struct option_list *argv)
{
	FILE *to = flamegraph_rs_words(f->output);

	message_peer(to, "command");
	for (size_t i = 0; i < argv->nr; i++)
		message_peer(to, " \"%s\"", argv->at[i]);
	message_peer(to, "\n");
}

int flamegraph_rs_perf(struct flamegraph_rs *f, struct error *e)
{
	const char *perf = getenv("PERF");
	struct option_list argv = { 0 };
	struct strbuf words = { 0 };
	int ret = 0;

	if (f->root) {
		push(&argv, "sudo");
		if (*f->root)
			push(&argv, f->root);
	}
	push(&argv, perf && *perf ? perf : "perf");
	if (f->cmd)
		ret = add_cmd(f, &argv, &words, e);
	else
		add_record(f, &argv, &words);
	for (size_t i = 0; i < f->pid.nr; i++) {
		push(&argv, "-p");
		push(&argv, f->pid.at[i]);
	}
	for (size_t i = 0; i < f->argv.nr; i++)
		push(&argv, f->argv.at[i]);
	if (!ret && f->job.verbose)
		print_command(f, &argv);
	if (!ret)
		ret = run(&argv, f->folder, e);
	option_list_release(&argv);
	strbuf_release(&words);
	return ret;
}

/* The path of the command in our $PATH, since sudo has another one. */
static const char *find_self(const char *name, struct strbuf *path)
{
	const char *all = getenv("PATH");
	struct span rest = span_of(all ? all : "");

	if (strchr(name, '/'))
		return name;
	while (rest.size) {
		size_t colon = span_find(rest, ':');

		strbuf_reset(path);
		strbuf_add(path, span_upto(rest, colon));
		strbuf_addf(path, "/%s", name);
		if (!access(path->at, X_OK))
			return path->at;
		rest = span_from(rest, colon + 1);
	}
	return name;
}

static bool is_root_option(const char *word)
{
	return !strcmp(word, "--root") || !strncmp(word, "--root=", strlen("--root="));
}

/*
 * Copies the words without --root: if its flags make sudo run wick as another user, wick would call
 * sudo forever.
 */
static void push_words(struct option_list *all, char **argv)
{
	bool found = false;

	for (; *argv; argv++) {
		if (!found && is_root_option(*argv))
			found = true;
		else
			push(all, *argv);
	}
}

int flamegraph_rs_as_root(const struct flamegraph_rs *f, const struct option_list *env, char **argv,
			  struct error *e)
{
	struct option_list all = { 0 };
	struct strbuf self = { 0 };

	if (!f->root || !geteuid() || f->perfdata || flamegraph_rs_by_perf(f))
		return 0;
	push(&all, "sudo");
	if (*f->root)
		push(&all, f->root);
	if (env)
		push(&all, "env");
	for (size_t i = 0; env && i < env->nr; i++)
		push(&all, env->at[i]);
	push(&all, find_self(argv[0], &self));
	push_words(&all, argv + 1);
	push(&all, NULL);
	execvp("sudo", (char *const *)(uintptr_t)all.at);
	error_sys(e, "sudo");
	option_list_release(&all);
	strbuf_release(&self);
	return -1;
}

int flamegraph_rs_open(const char *path, struct error *e)
{
	struct option_list argv = { 0 };
	int ret;

	push(&argv, "xdg-open");
	push(&argv, path);
	ret = run(&argv, NULL, e);
	option_list_release(&argv);
	if (ret < 0) {
		error_set(e, ERROR_SYSTEM, "failed to open '%s': xdg-open is not installed", path);
		return error_hint(e, "sudo apt install xdg-utils");
	}
	return ret ? error_set(e, ERROR_SYSTEM, "failed to open '%s'", path) : 0;
}
