/* Two revisions, each in its own worktree, built once. */
#include "base/alloc.h"
#include "cli/messages.h"
#include "cmd/bench/bench_parts.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REVISIONS = 2 };

/* Runs git with these words, which end with NULL; its output goes to `out`, unless that is -1. */
static int git(struct bench_spawn *s, const char *const *words, int out, struct error *e)
{
	const struct bench_program p = { .path = bench_find(s->b, "git"),
					 .argv = words,
					 .stream = { s->null, out, out } };
	struct bench_started r;

	if (bench_spawn_run(s, &p, &r, e))
		return -1;
	if (!r.status)
		return 0;
	return error_set(e, ERROR_INPUT, "--git: git %s failed with exit status %d", words[1],
			 r.status);
}

/* Sets *line to the first line that git prints. */
static int ask(struct bench_spawn *s, const char *const *words, const char **line, struct error *e)
{
	char text[4096];
	int fd = memfd_create("git", MFD_CLOEXEC), ret;
	ssize_t n;

	if (fd < 0)
		return error_sys(e, "git");
	ret = git(s, words, fd, e);
	n = pread(fd, text, sizeof(text) - 1, 0);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	*line = bench_text(s->b, "%s", text);
	if (ret && *text)
		return error_set(e, ERROR_INPUT, "--git: %s", text);
	return ret;
}

/* Parses "A..B"; an empty revision is HEAD. */
static int parse_range(struct bench *b, const char **revision, struct error *e)
{
	const char *dots = strstr(b->o.git, "..");

	if (!dots || strstr(dots + 1, "..")) {
		error_set(e, ERROR_USAGE, "--git: invalid range '%s'", b->o.git);
		return error_hint(e, "expected two revisions, such as HEAD~1..HEAD");
	}
	revision[0] = bench_text(b, "%.*s", (int)(dots - b->o.git), b->o.git);
	revision[1] = dots + 2;
	for (int i = 0; i < REVISIONS; i++)
		if (!*revision[i])
			revision[i] = "HEAD";
	return 0;
}

/* Makes two commands of the one, each in its folder. */
static void double_commands(struct bench *b, const char *const *revision, const char *const *folder)
{
	struct bench_command one = b->command[0];

	b->command = xreallocarray(b->command, REVISIONS, sizeof(*b->command));
	for (int i = 0; i < REVISIONS; i++) {
		b->command[i] = one;
		b->command[i].folder = folder[i];
		b->command[i].name = i < (int)b->o.name.nr
					     ? b->o.name.at[i]
					     : bench_text(b, "%s (%s)", one.name, revision[i]);
		b->command[i].title = b->command[i].name;
		b->command[i].reference = i && !one.reference ? &b->command[0] : one.reference;
	}
	b->nr_command = REVISIONS;
}

static int make_worktree(struct bench_spawn *s, const char *revision, const char *folder,
			 struct error *e)
{
	const char *const name_words[] = { "git",
					   "rev-parse",
					   "--verify",
					   "--end-of-options",
					   bench_text(s->b, "%s^{commit}", revision),
					   NULL };
	const char *commit = NULL, *words[] = { "git",	    "worktree", "add", "--quiet",
						"--detach", folder,	NULL,  NULL };

	if (ask(s, name_words, &commit, e))
		return error_within(e, "revision '%s'", revision);
	words[6] = commit;
	return ask(s, words, &commit, e);
}

/* Warns about uncommitted changes, which are not in a revision. */
static void check_changes(struct bench *b, struct bench_spawn *s)
{
	static const char *const words[] = { "git", "status", "--porcelain", "--untracked-files=no",
					     NULL };
	struct error ignored = ERROR_INIT;
	const char *line = "";

	if (!ask(s, words, &line, &ignored) && *line)
		bench_warn(b,
			   "the working tree has uncommitted changes, which --git does not measure",
			   "commit them, or use the revision that `git stash create` prints");
}

static void check_submodules(struct bench *b, const char *revision, const char *top)
{
	const char *build = b->o.build ? b->o.build : "make";

	if (!access(bench_text(b, "%s/.gitmodules", top), F_OK) && !strstr(build, "submodule"))
		bench_warn(b, bench_text(b, "the submodules of '%s' are not checked out", revision),
			   bench_text(b, "--build 'git submodule update --init && %s'", build));
}

/* Runs the build; its log is kept if it fails. */
static int build(struct bench *b, struct bench_spawn *s, const char *folder, const char *log,
		 struct error *e)
{
	struct bench_command there = b->command[0];
	struct stat st;

	there.folder = folder;
	if (!bench_spawn_line(s, &(struct bench_line){ "--build", b->o.build, &there, log }, e)) {
		unlink(log);
		return 0;
	}
	if (stat(log, &st) || st.st_size)
		return -1;
	unlink(log);
	return error_hint(e, "it printed nothing");
}

int bench_git_open(struct bench *b, struct bench_spawn *s, struct error *e)
{
	static const char *const prefix_words[] = { "git", "rev-parse", "--show-prefix", NULL };
	const char *revision[REVISIONS] = { 0 }, *folder[REVISIONS] = { 0 }, *prefix = NULL;
	struct progress progress;
	int ret = 0;

	if (b->nr_command != 1)
		return error_set(e, ERROR_USAGE, "--git requires exactly one command");
	if (parse_range(b, revision, e) || ask(s, prefix_words, &prefix, e))
		return -1;
	b->worktrees = bench_folder(b, e);
	if (!b->worktrees)
		return -1;
	if (b->run_as.is_other && chown(b->worktrees, b->run_as.user.uid, b->run_as.user.gid))
		return error_sys(e, "%s", b->worktrees);
	check_changes(b, s);
	bench_progress_init(b, &progress);
	for (int i = 0; i < REVISIONS && !b->interrupted && !ret; i++) {
		const char *top = bench_text(b, "%s/%c", b->worktrees, "ab"[i]);

		progress_text(&progress, bench_text(b, "building %s", revision[i]));
		ret = make_worktree(s, revision[i], top, e);
		if (ret)
			break;
		check_submodules(b, revision[i], top);
		/* The counterpart of the current directory in the worktree. */
		folder[i] = bench_text(b, "%s/%s", top, prefix);
		if (access(folder[i], F_OK))
			ret = error_set(e, ERROR_INPUT, "--git: '%s' has no directory '%s'",
					revision[i], prefix);
		else if (b->o.build && build(b, s, folder[i], bench_text(b, "%s.log", top), e))
			ret = error_within(e, "%s", revision[i]);
	}
	progress_end(&progress);
	if (!b->interrupted && !ret)
		double_commands(b, revision, folder);
	return ret;
}

void bench_git_close(struct bench *b, struct bench_spawn *s)
{
	struct error e = ERROR_INIT;

	for (int i = 0; i < REVISIONS && b->worktrees; i++) {
		const char *folder = bench_text(b, "%s/%c", b->worktrees, "ab"[i]), *line;
		const char *const words[] = { "git",	 "worktree", "remove", "--force",
					      "--force", folder,     NULL };

		if (!access(folder, F_OK) && ask(s, words, &line, &e)) {
			message_error(&e);
			message("worktree %s was not removed", folder);
		}
	}
	if (b->worktrees)
		rmdir(b->worktrees);
	b->worktrees = NULL;
}
