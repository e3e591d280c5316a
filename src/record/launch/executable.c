#include "record/launch/executable.h"

#include <stdlib.h>
#include <unistd.h>

bool executable_find(struct strbuf *path, const char *name)
{
	const char *folders = getenv("PATH");
	struct span rest = span_of(folders ? folders : "");

	if (strchr(name, '/') || !access(name, R_OK)) {
		strbuf_addf(path, "%s", name);
		return !access(name, R_OK);
	}
	while (rest.size) {
		size_t colon = span_find(rest, ':');

		strbuf_reset(path);
		strbuf_addf(path, "%.*s/%s", (int)colon, rest.at, name);
		if (!access(path->at, R_OK | X_OK))
			return true;
		rest = span_from(rest, colon + 1);
	}
	strbuf_reset(path);
	strbuf_addf(path, "%s", name);
	return false;
}
