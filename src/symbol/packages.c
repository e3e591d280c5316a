#include "symbol/packages.h"

#include "base/alloc.h"
#include "base/whole_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

enum { LIST_MAX = 16 * 1024 * 1024 };

/* The content of a file smaller than LIST_MAX, NUL-terminated, which the caller frees; or NULL. */
static char *read_file(int folder, const char *name, size_t *size)
{
	char *bytes = whole_file_at(folder, name, LIST_MAX, size);

	if (*size < LIST_MAX)
		return bytes;
	free(bytes);
	*size = 0;
	return NULL;
}

/* Is there a line with exactly this text? */
static bool has_line(struct span list, struct span line)
{
	const char *at = list.at, *end = list.at + list.size;

	while ((at = memmem(at, (size_t)(end - at), line.at, line.size))) {
		if ((at == list.at || at[-1] == '\n') &&
		    (at + line.size == end || at[line.size] == '\n'))
			return true;
		at++;
	}
	return false;
}

/* /lib is a link to /usr/lib today, but lists may have either. */
static bool has_path(struct span list, struct span path)
{
	struct strbuf longer = { 0 };
	bool has = has_line(list, path);

	if (!has && span_starts(path, "/usr/"))
		return has_line(list, span_from(path, 4));
	strbuf_addf(&longer, "/usr%.*s", (int)path.size, path.at);
	has = has || has_line(list, strbuf_peek(&longer));
	strbuf_release(&longer);
	return has;
}

/* libc6:amd64.list is the list of libc6. */
static struct span package_name(const char *list)
{
	struct span name = span_of(list);

	name.size -= strlen(".list");
	return span_upto(name, span_find(name, ':'));
}

/* Do packages install files there?  Most programs that are profiled are the user's own. */
static bool may_be_packaged(struct span path)
{
	static const char *const folders[] = { "/usr/", "/lib", "/bin/", "/sbin/", "/opt/" };

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (span_starts(path, folders[i]))
			return !span_starts(path, "/usr/local/");
	return false;
}

/* A search for the packages of some files. */
struct search {
	const struct span *path;
	struct strbuf *package;
	size_t nr, left; /* number of files, and of those whose package was not found yet */
	bool *wanted;	 /* by file */
};

/* Does a package's name begin like the name of a wanted file?  libc.so.6 is in libc6. */
static bool is_likely(const struct search *s, struct span package)
{
	enum { LETTERS = 4 };

	for (size_t i = 0; i < s->nr; i++) {
		struct span name = span_from(s->path[i], span_rfind(s->path[i], '/') + 1);

		if (s->wanted[i] && span_common(name, package) >= LETTERS)
			return true;
	}
	return false;
}

static void look_into(struct search *s, int folder, const char *name)
{
	size_t size;
	char *bytes = read_file(folder, name, &size);

	for (size_t i = 0; bytes && i < s->nr; i++)
		if (s->wanted[i] && has_path((struct span){ bytes, size }, s->path[i])) {
			strbuf_add(&s->package[i], package_name(name));
			s->wanted[i] = false;
			s->left--;
		}
	free(bytes);
}

/* Searches the likely lists, or all others: there are thousands, most of them irrelevant. */
static void look_through(struct search *s, DIR *folder, bool likely)
{
	const struct dirent *entry;

	while (s->left && (entry = readdir(folder)))
		if (span_ends(span_of(entry->d_name), ".list") &&
		    is_likely(s, package_name(entry->d_name)) == likely)
			look_into(s, dirfd(folder), entry->d_name);
}

void packages_find(const char *root, const struct span *path, size_t nr, struct strbuf *package)
{
	struct search s = { .path = path, .package = package, .nr = nr };
	struct strbuf name = { 0 };
	DIR *folder = NULL;

	s.wanted = xcalloc(nr, sizeof(*s.wanted));
	for (size_t i = 0; i < nr; i++) {
		s.wanted[i] = may_be_packaged(path[i]);
		s.left += s.wanted[i];
	}
	strbuf_addf(&name, "%s/var/lib/dpkg/info", root);
	if (s.left)
		folder = opendir(name.at);
	if (folder) {
		look_through(&s, folder, true);
		rewinddir(folder);
		look_through(&s, folder, false);
		closedir(folder);
	}
	strbuf_release(&name);
	free(s.wanted);
}

static const struct {
	const char *id, *url;
} servers[] = {
	{ "debian", "https://debuginfod.debian.net" },
	{ "ubuntu", "https://debuginfod.ubuntu.com" },
	{ "fedora", "https://debuginfod.fedoraproject.org" },
	{ "centos", "https://debuginfod.centos.org" },
	{ "arch", "https://debuginfod.archlinux.org" },
	{ "opensuse-tumbleweed", "https://debuginfod.opensuse.org" },
	{ "opensuse-leap", "https://debuginfod.opensuse.org" },
};

/* The first URL in the files *.urls of /etc/debuginfod. */
static bool find_configured(const char *root, struct strbuf *url)
{
	struct strbuf name = { 0 };
	const struct dirent *entry;
	bool found = false;
	DIR *folder;

	strbuf_addf(&name, "%s/etc/debuginfod", root);
	folder = opendir(name.at);
	strbuf_release(&name);
	while (folder && !found && (entry = readdir(folder))) {
		size_t size = 0;
		char *bytes = span_ends(span_of(entry->d_name), ".urls")
				      ? read_file(dirfd(folder), entry->d_name, &size)
				      : NULL;
		struct span text = { bytes, size }, word = span_word(&text);

		found = word.size;
		if (found)
			strbuf_add(url, word);
		free(bytes);
	}
	if (folder)
		closedir(folder);
	return found;
}

/* The value of KEY=debian or KEY="debian" among the lines of os-release; "": there is none. */
static struct span find_value(struct span text, const char *key)
{
	while (text.size) {
		struct span line = span_line(&text), value = span_from(line, strlen(key));

		if (!span_starts(line, key))
			continue;
		if (value.size >= 2 && value.at[0] == '"')
			value = span_upto(span_from(value, 1), value.size - 2);
		return value;
	}
	return SPAN("");
}

static char *read_release(const char *root, size_t *size)
{
	struct strbuf name = { 0 };
	char *bytes;

	strbuf_addf(&name, "%s/etc/os-release", root);
	bytes = read_file(AT_FDCWD, name.at, size);
	strbuf_release(&name);
	return bytes;
}

bool packages_server(const char *root, struct strbuf *url)
{
	bool found = find_configured(root, url);
	struct span id;
	size_t size;
	char *bytes;

	if (found)
		return true;
	bytes = read_release(root, &size);
	id = find_value((struct span){ bytes, size }, "ID=");
	for (size_t i = 0; i < ARRAY_SIZE(servers) && !found; i++)
		if (span_is(id, servers[i].id)) {
			strbuf_add(url, span_of(servers[i].url));
			found = true;
		}
	free(bytes);
	return found;
}

static const struct {
	const char *id, *host, *suite, *parts;
} archives[] = {
	{ "debian", "http://deb.debian.org/debian-debug", "-debug", "main" },
	{ "ubuntu", "http://ddebs.ubuntu.com", "", "main restricted universe multiverse" },
};

/* Do apt's sources, in this file or in the files of this folder, have the text? */
static bool has_source(const char *root, const char *path, const char *text)
{
	struct strbuf name = { 0 };
	const struct dirent *entry;
	bool has = false;
	size_t size;
	char *bytes;
	DIR *folder;

	strbuf_addf(&name, "%s%s", root, path);
	folder = opendir(name.at);
	bytes = folder ? NULL : read_file(AT_FDCWD, name.at, &size);
	strbuf_release(&name);
	has = bytes && span_contains((struct span){ bytes, size }, text);
	free(bytes);
	while (folder && !has && (entry = readdir(folder))) {
		bytes = read_file(dirfd(folder), entry->d_name, &size);
		has = bytes && span_contains((struct span){ bytes, size }, text);
		free(bytes);
	}
	if (folder)
		closedir(folder);
	return has;
}

void packages_debug_archive(const char *root, struct strbuf *line)
{
	size_t size;
	char *bytes = read_release(root, &size);
	struct span release = { bytes, size };
	struct span id = find_value(release, "ID="),
		    name = find_value(release, "VERSION_CODENAME=");

	for (size_t i = 0; i < ARRAY_SIZE(archives) && name.size; i++) {
		/* Compares the folder only: mirrors have the same one, and some use https. */
		const char *text = strrchr(archives[i].host, '/') + 1;

		if (span_is(id, archives[i].id) &&
		    !has_source(root, "/etc/apt/sources.list", text) &&
		    !has_source(root, "/etc/apt/sources.list.d", text))
			strbuf_addf(line, "deb %s %.*s%s %s", archives[i].host, (int)name.size,
				    name.at, archives[i].suite, archives[i].parts);
	}
	free(bytes);
}
