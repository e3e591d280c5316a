#include "symbol/packages.h"

#include "base/alloc.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIST_MAX = 16 * 1024 * 1024 };

/* A regular file of less than LIST_MAX, NUL-terminated, which the caller frees; or NULL. */
static char *read_file(int folder, const char *name, size_t *size)
{
	int fd = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char *bytes = NULL;
	struct stat st;
	ssize_t n = 0;

	*size = 0;
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size < LIST_MAX) {
		bytes = xmalloc((size_t)st.st_size + 1);
		while (*size < (size_t)st.st_size &&
		       (n = read(fd, bytes + *size, (size_t)st.st_size - *size)) > 0)
			*size += (size_t)n;
		bytes[*size] = '\0';
	}
	close(fd);
	return bytes;
}

/* Is there a line with this text alone? */
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

/* /lib is a link to /usr/lib by now, but lists may have either. */
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

static void look_into(int folder, const char *name, const struct span *path, size_t nr,
		      struct strbuf *package)
{
	size_t size;
	char *bytes = read_file(folder, name, &size);

	for (size_t i = 0; bytes && i < nr; i++)
		if (!package[i].size && path[i].size &&
		    has_path((struct span){ bytes, size }, path[i]))
			strbuf_add(&package[i], package_name(name));
	free(bytes);
}

void packages_find(const char *root, const struct span *path, size_t nr, struct strbuf *package)
{
	struct strbuf name = { 0 };
	const struct dirent *entry;
	DIR *folder;

	strbuf_addf(&name, "%s/var/lib/dpkg/info", root);
	folder = opendir(name.at);
	strbuf_release(&name);
	while (folder && (entry = readdir(folder)))
		if (span_ends(span_of(entry->d_name), ".list"))
			look_into(dirfd(folder), entry->d_name, path, nr, package);
	if (folder)
		closedir(folder);
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

/* ID=debian or ID="debian" */
static bool is_id(struct span line, const char *id)
{
	struct span value = span_from(line, 3);

	if (!span_starts(line, "ID="))
		return false;
	if (value.size >= 2 && value.at[0] == '"')
		value = span_upto(span_from(value, 1), value.size - 2);
	return span_is(value, id);
}

bool packages_server(const char *root, struct strbuf *url)
{
	struct strbuf name = { 0 };
	bool found = find_configured(root, url);
	size_t size;
	struct span all;
	char *bytes;

	if (found)
		return true;
	strbuf_addf(&name, "%s/etc/os-release", root);
	bytes = read_file(AT_FDCWD, name.at, &size);
	strbuf_release(&name);
	all = (struct span){ bytes, size };
	while (all.size && !found) {
		struct span line = span_line(&all);

		for (size_t i = 0; i < ARRAY_SIZE(servers) && !found; i++)
			if (is_id(line, servers[i].id)) {
				strbuf_add(url, span_of(servers[i].url));
				found = true;
			}
	}
	free(bytes);
	return found;
}
