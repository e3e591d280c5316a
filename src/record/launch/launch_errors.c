/* Why a command could not be run: one errno can have several causes. */
#include "base/span.h"
#include "record/launch/launch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The text after "#!" in the first line of a file; or nothing. */
static struct span interpreter(const char *path, char *head, size_t size)
{
	FILE *file = fopen(path, "re");
	struct span rest, line;

	if (!file)
		return (struct span){ 0 };
	rest = (struct span){ head, fread(head, 1, size, file) };
	fclose(file);
	line = span_upto(rest, span_find(rest, '\n'));
	if (!span_starts(line, "#!"))
		return (struct span){ 0 };
	line = span_trim_start(span_from(line, 2));
	return span_upto(line, span_find(line, ' '));
}

/* The file exists, but its interpreter does not. */
static int no_interpreter(const char *name, struct error *e)
{
	char head[256];
	struct span who = interpreter(name, head, sizeof(head));

	if (!who.size) {
		error_set(e, ERROR_SYSTEM, "%s: its dynamic loader is missing", name);
		return error_hint(e, "`file %s` shows which system it was built for", name);
	}
	if (!span_ends(who, "\r"))
		return error_set(e, ERROR_SYSTEM, "%s: its interpreter %.*s is missing", name,
				 (int)who.size, who.at);
	error_set(e, ERROR_SYSTEM,
		  "%s: its interpreter is missing: the #! line has a Windows line ending", name);
	return error_hint(e, "sed -i 's/\\r$//' %s", name);
}

static int not_found(const char *name, struct error *e)
{
	struct span words = span_of(name);
	bool is_path = strchr(name, '/');

	if (is_path && !access(name, F_OK))
		return no_interpreter(name, e);
	if (is_path)
		error_set(e, ERROR_SYSTEM, "%s: No such file or directory", name);
	else
		error_set(e, ERROR_SYSTEM, "%s: command not found", name);
	if (span_find(words, ' ') < words.size)
		return error_hint(
			e, "pass command and arguments as separate words, or use sh -c '%s'", name);
	if (!is_path && *name && !access(name, F_OK))
		return error_hint(e, "did you mean ./%s?", name);
	return -1;
}

int launch_not_run(const char *name, int why, struct error *e)
{
	struct stat st;
	bool is_there = strchr(name, '/') && !stat(name, &st);

	if (why == ENOENT)
		return not_found(name, e);
	if (why == EACCES && is_there && S_ISDIR(st.st_mode))
		return error_set(e, ERROR_SYSTEM, "%s: Is a directory", name);
	errno = why;
	error_sys(e, "%s", name);
	if (why == EACCES && is_there && !(st.st_mode & 0111))
		return error_hint(e, "chmod +x %s", name);
	return -1;
}

int launch_refused(const char *name, int why, struct error *e)
{
	errno = why;
	error_sys(e, "cannot run %s as another user", name);
	return error_hint(e, "run it as root: --target-user root");
}
