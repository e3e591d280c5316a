#include "load/source_text.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/whole_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads a whole file.  O_NONBLOCK: the path comes from the profile, and may be a FIFO, which would block. */
static bool read_file(struct source_text *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	size_t size;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > SOURCE_TEXT_MAX) {
		close(fd);
		return false;
	}
	s->changed = st.st_mtime;
	s->bytes = whole_file_of(fd, (size_t)st.st_size, &size);
	for (struct span rest = { s->bytes, size }; rest.size;) {
		GROW(s->line, s->nr, s->cap);
		s->line[s->nr++] = span_line(&rest);
	}
	return true;
}

/* Does the path contain a .. component, which could lead out of the folder? */
static bool has_way_out(struct span path)
{
	while (path.size) {
		struct span part = span_upto(path, span_find(path, '/'));

		if (span_is(part, ".."))
			return true;
		path = span_from(path, part.size + 1);
	}
	return false;
}

/* Reads the longest suffix of the path that is below the folder. */
static bool read_below(struct source_text *s, struct span path, const char *folder)
{
	struct strbuf full = { 0 };
	bool found = false;

	while (path.size && !found) {
		strbuf_reset(&full);
		strbuf_addf(&full, "%s/", folder);
		strbuf_add(&full, path);
		found = !has_way_out(path) && read_file(s, full.at);
		path = span_from(path, span_find(path, '/') + 1);
	}
	strbuf_release(&full);
	return found;
}

bool source_text_open(struct source_text *s, struct span path, const char *folder)
{
	struct strbuf full = { 0 };
	bool found;

	*s = (struct source_text){ 0 };
	if (!path.size || span_find(path, '\0') < path.size)
		return false;
	if (folder)
		return read_below(s, path, folder);
	strbuf_add(&full, path);
	found = read_file(s, full.at);
	strbuf_release(&full);
	return found;
}

void source_text_release(struct source_text *s)
{
	free(s->bytes);
	free(s->line);
	*s = (struct source_text){ 0 };
}

struct span source_text_line(const struct source_text *s, uint32_t number)
{
	return number && number <= s->nr ? s->line[number - 1] : SPAN("");
}
