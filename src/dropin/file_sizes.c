/*
 * files.pl: the files below some directories as folded stacks, one path a line,
 * weighed by their size.  Lines are printed as files are found, so memory does not
 * limit the number of files; directories are opened relative to each other
 * (openat), so PATH_MAX does not limit the depth.
 */
#include "base/alloc.h"
#include "base/output.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "dropin/dropin.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	/* Directories above these are closed, and opened again on the way back. */
	LEVELS_OPEN = 64,
	/* Further errors are only counted. */
	FAILURES_SHOWN = 20,
};

/* An ancestor of the current directory, or that itself. */
struct level {
	int fd; /* -1: closed, and opened again when it is needed */
	dev_t device;
	ino_t inode;
	size_t path_size;      /* the length of its own path in walk.path */
	struct strbuf subdirs; /* names of its directories, NUL-terminated */
	size_t next;	       /* the offset of the next one to enter */
};

struct walk {
	struct output out;
	struct strbuf path, line;
	struct level *level;
	size_t nr, cap;
	bool one_device;
	dev_t device;
	size_t nr_failed;
};

static void warn_failure(struct walk *w, const char *what)
{
	struct span path = strbuf_peek(&w->path);

	if (w->nr_failed++ < FAILURES_SHOWN)
		message_peer(stderr, "Can't %s %.*s: %s\n", what, (int)path.size, path.at,
			     strerror(errno));
}

/* Is the character allowed in the name of a frame?  Others become _. */
static bool is_kept(char c)
{
	return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '.' || c == '-' ||
	       c == ';';
}

static void write_path(struct walk *w, off_t size)
{
	struct strbuf *line = &w->line;

	strbuf_reset(line);
	strbuf_add(line, strbuf_peek(&w->path));
	for (size_t i = 0; i < line->size; i++)
		if (line->at[i] == '/')
			line->at[i] = ';';
		else if (!is_kept(line->at[i]))
			line->at[i] = '_';
	strbuf_addf(line, " %lld\n", (long long)size);
	output_add(&w->out, span_from(strbuf_peek(line), line->at[0] == ';'));
}

static bool is_elsewhere(const struct walk *w, const struct stat *st)
{
	return w->one_device && st->st_dev != w->device;
}

/* Sets the path to a name in the directory. */
static void go_to(struct walk *w, const struct level *l, const char *name)
{
	w->path.size = l->path_size;
	if (w->path.at[w->path.size - 1] != '/' || w->path.size > 1)
		strbuf_addch(&w->path, '/');
	strbuf_add(&w->path, span_of(name));
}

/* Writes the files of the directory entered last, and keeps the names of its directories. */
static void list(struct walk *w, struct level *l)
{
	int fd = fcntl(l->fd, F_DUPFD_CLOEXEC, 0);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;

	if (!dir) {
		warn_failure(w, "read");
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((errno = 0, d = readdir(dir))) {
		struct stat st;

		if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
			continue;
		go_to(w, l, d->d_name);
		if (fstatat(l->fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW))
			warn_failure(w, "stat");
		else if (S_ISDIR(st.st_mode))
			strbuf_add(&l->subdirs,
				   (struct span){ .at = d->d_name, .size = strlen(d->d_name) + 1 });
		else if (!is_elsewhere(w, &st))
			write_path(w, st.st_size);
	}
	w->path.size = l->path_size;
	if (errno)
		warn_failure(w, "read");
	closedir(dir);
}

/* Writes the directory at walk.path, and enters it. */
static void enter(struct walk *w, int parent, const char *name, int flags)
{
	struct level l = { .path_size = w->path.size };
	struct stat st;

	if (fstatat(parent, name, &st, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0)) {
		warn_failure(w, "stat");
		return;
	}
	if (is_elsewhere(w, &st))
		return;
	write_path(w, st.st_size);
	l.fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	if (l.fd < 0) {
		warn_failure(w, "open");
		return;
	}
	l.device = st.st_dev;
	l.inode = st.st_ino;
	if (w->nr >= LEVELS_OPEN) {
		close(w->level[w->nr - LEVELS_OPEN].fd);
		w->level[w->nr - LEVELS_OPEN].fd = -1;
	}
	list(w, &l);
	GROW(w->level, w->nr, w->cap);
	w->level[w->nr++] = l;
}

/* Reopens a closed directory as the parent of the one that was entered below it. */
static void open_again(struct walk *w, struct level *l, int below)
{
	struct stat st;

	l->fd = openat(below, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (l->fd >= 0 && !fstat(l->fd, &st) && st.st_dev == l->device && st.st_ino == l->inode)
		return;
	/* The directory was moved meanwhile: the rest of its parent cannot be reached. */
	errno = l->fd < 0 ? errno : ESTALE;
	warn_failure(w, "go back to");
	l->next = l->subdirs.size;
}

static void leave(struct walk *w)
{
	struct level *l = &w->level[--w->nr];

	w->path.size = w->nr ? w->level[w->nr - 1].path_size : 0;
	if (w->nr && w->level[w->nr - 1].fd < 0)
		open_again(w, &w->level[w->nr - 1], l->fd);
	if (l->fd >= 0)
		close(l->fd);
	strbuf_release(&l->subdirs);
}

static void walk_below(struct walk *w)
{
	while (w->nr) {
		struct level *l = &w->level[w->nr - 1];
		const char *name;

		if (l->next == l->subdirs.size || w->out.failed) {
			leave(w);
			continue;
		}
		name = l->subdirs.at + l->next;
		l->next += strlen(name) + 1;
		go_to(w, l, name);
		enter(w, l->fd, name, O_NOFOLLOW);
	}
}

static void walk_from(struct walk *w, const char *top)
{
	struct span path = span_of(top);
	struct stat st;

	if (path.size > 1 && span_ends(path, "/"))
		path.size--;
	strbuf_reset(&w->path);
	strbuf_add(&w->path, path);
	/* Not stat(): "link/" is the directory, "link" is the link. */
	if (lstat(top, &st)) {
		warn_failure(w, "stat");
		return;
	}
	w->device = st.st_dev;
	if (S_ISDIR(st.st_mode)) {
		enter(w, AT_FDCWD, top, 0);
		walk_below(w);
		return;
	}
	if (span_find(path, '/') == path.size) {
		strbuf_reset(&w->path);
		strbuf_addf(&w->path, "./%s", top);
	}
	write_path(w, st.st_size);
}

static void usage(const struct dropin *d, FILE *to)
{
	message_peer(to,
		     "USAGE: %s [--xdev] DIRECTORY...\n"
		     "   --xdev: stay on the file system of the directories that follow\n"
		     "   eg, %s --xdev / | flamegraph.pl --hash --countname=bytes > files.svg\n",
		     d->name, d->name);
}

static int files_main(const struct dropin *d, int argc, char **argv)
{
	struct error e = ERROR_INIT;
	struct walk w = { 0 };
	int ret;

	if (argc < 2) {
		usage(d, stderr);
		return 1;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		usage(d, stdout);
		return 0;
	}
	ret = output_open(&w.out, "-", &e);
	for (int i = 1; i < argc && !ret; i++)
		if (!strcmp(argv[i], "--xdev"))
			w.one_device = true;
		else
			walk_from(&w, argv[i]);
	if (!ret)
		ret = output_close(&w.out, &e);
	if (w.nr_failed > FAILURES_SHOWN)
		message_peer(stderr, "%zu more could not be read\n", w.nr_failed - FAILURES_SHOWN);
	if (ret && e.kind != ERROR_PIPE)
		message_peer(stderr, "%s\n", e.text);
	free(w.level);
	strbuf_release(&w.path);
	strbuf_release(&w.line);
	return ret ? 1 : 0;
}

const struct dropin dropins_files[] = {
	{ "files.pl", files_main, NULL },
	{ 0 },
};
