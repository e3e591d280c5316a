#include "capture/spill.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <stdlib.h>

int record_memory_parse(const char *text, size_t *bytes, struct error *e)
{
	static const char units[] = "kMG";
	struct span s = span_of(text);
	const char *unit = s.size ? strchr(units, s.at[s.size - 1]) : NULL;
	unsigned bits = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	uint64_t value;

	s.size -= unit != NULL;
	if (!span_u64(s, &value) || !value || value > SIZE_MAX >> bits)
		return error_set(
			e, ERROR_USAGE,
			"invalid size '%s' for --memory: expected a number with an optional unit, such as 512M or 2G",
			text);
	*bytes = value << bits;
	return 0;
}

/* "dir/app.svg" → "dir/app.data"; for standard output, "flamegraph.data". */
static char *path_beside(const char *path)
{
	struct span all = span_of(strcmp(path, "-") ? path : "flamegraph.svg");
	size_t slash = span_rfind(all, '/'), dot = span_rfind(all, '.');
	struct strbuf beside = { 0 };

	if (dot < all.size && (slash == all.size || dot > slash + 1))
		all = span_upto(all, dot);
	strbuf_add(&beside, all);
	strbuf_add(&beside, SPAN(".data"));
	return beside.at;
}

struct recording *spill_open(void *spill, struct error *e)
{
	struct spill *s = spill;

	s->path = path_beside(s->beside);
	if (output_file_open(&s->file, s->path, s->owner, s->owner_group, e))
		return NULL;
	s->data = recording_new(output_file_write(&s->file), e);
	if (!s->data)
		output_file_failed(&s->file, e);
	return s->data;
}

int spill_finish(struct spill *s, const struct profile *p, struct error *e)
{
	struct recording *data = s->data;

	if (!data)
		return 0;
	capture_data_end(data, p);
	s->data = NULL;
	if (recording_close(data, e))
		return output_file_failed(&s->file, e);
	return output_file_finish(&s->file, e);
}

void spill_release(struct spill *s)
{
	if (s->data)
		recording_drop(s->data);
	output_file_close(&s->file);
	free(s->path);
	*s = (struct spill){ 0 };
}
