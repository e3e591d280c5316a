/* Events that the kernel describes in files: tracepoints, probes, and those of PMUs. */
#include "base/strbuf.h"
#include "record/perf_events/events.h"
#include "record/targets/running.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The trimmed text of a small file. */
static bool read_text(int folder, const char *path, struct strbuf *out)
{
	size_t size;
	char *text = running_read_at(folder, path, &size);

	if (text)
		strbuf_add(out, span_trim((struct span){ text, size }));
	free(text);
	return text != NULL;
}

static bool read_number(int folder, const char *path, uint64_t *value)
{
	struct strbuf text = { 0 };
	bool good = read_text(folder, path, &text) && span_u64(strbuf_peek(&text), value);

	strbuf_release(&text);
	return good;
}

/* Names become parts of paths: none may lead out of the directory. */
static bool is_name(struct span name)
{
	return name.size && name.at[0] != '.' && span_find(name, '/') == name.size;
}

/* Tracepoints */

int event_find_tracepoint(int tracefs, struct span system, struct span name, struct sampled *event,
			  struct error *e)
{
	struct strbuf path = { 0 };
	int ret = 0;

	strbuf_addf(&path, "events/%.*s/%.*s/id", (int)system.size, system.at, (int)name.size,
		    name.at);
	if (!is_name(system) || !is_name(name) || !read_number(tracefs, path.at, &event->config))
		ret = error_set(e, ERROR_USAGE, "unknown tracepoint '%.*s:%.*s'", (int)system.size,
				system.at, (int)name.size, name.at);
	event->type = PERF_TYPE_TRACEPOINT;
	event->count = 1;
	event->needs_kernel = true;
	strbuf_release(&path);
	return ret;
}

/* PMUs: format/FIELD says which bits of which config word a field is */

static bool pmu_type(struct span pmu, uint32_t *type)
{
	struct strbuf path = { 0 };
	uint64_t value;
	bool good;

	strbuf_addf(&path, "/sys/bus/event_source/devices/%.*s/type", (int)pmu.size, pmu.at);
	good = is_name(pmu) && read_number(AT_FDCWD, path.at, &value) && value <= UINT32_MAX;
	if (good)
		*type = (uint32_t)value;
	strbuf_release(&path);
	return good;
}

/* Stores the low bits of a value at the bits that `places` lists, such as "0-7,32-35". */
static bool put_bits(struct span places, uint64_t value, uint64_t *word)
{
	do {
		size_t comma = span_find(places, ',');
		struct span range = span_upto(places, comma);
		size_t dash = span_find(range, '-');
		uint64_t first, last;

		if (!span_u64(span_upto(range, dash), &first))
			return false;
		last = first;
		if (dash < range.size && !span_u64(span_from(range, dash + 1), &last))
			return false;
		for (; first <= last && first < 64; first++, value >>= 1)
			*word |= (value & 1) << first;
		places = span_from(places, comma + 1);
	} while (places.size);
	return true;
}

/* The config word of that name, or NULL. */
static uint64_t *word_of(struct sampled *event, struct span word)
{
	if (span_is(word, "config"))
		return &event->config;
	if (span_is(word, "config1"))
		return &event->config1;
	return span_is(word, "config2") ? &event->config2 : NULL;
}

static bool parse_value(struct span text, uint64_t *value)
{
	return span_starts(text, "0x") ? span_hex(span_from(text, 2), value)
				       : span_u64(text, value);
}

/* "event=0x3c"; "edge" alone is 1 */
static bool put_term(struct span pmu, struct span term, struct sampled *event)
{
	size_t equals = span_find(term, '=');
	struct span name = span_upto(term, equals), format;
	struct strbuf path = { 0 }, text = { 0 };
	uint64_t value = 1, *word;
	bool good = false;

	if (equals < term.size && !parse_value(span_from(term, equals + 1), &value))
		return false;
	word = word_of(event, name);
	if (word) {
		*word = value;
		return true;
	}
	strbuf_addf(&path, "/sys/bus/event_source/devices/%.*s/format/%.*s", (int)pmu.size, pmu.at,
		    (int)name.size, name.at);
	if (is_name(name) && read_text(AT_FDCWD, path.at, &text)) {
		format = strbuf_peek(&text);
		word = word_of(event, span_upto(format, span_find(format, ':')));
		good = word && put_bits(span_from(format, span_find(format, ':') + 1), value, word);
	}
	strbuf_release(&path);
	strbuf_release(&text);
	return good;
}

/* Expands an event with a name: the file events/NAME contains its terms. */
static bool expand(struct span pmu, struct span name, struct strbuf *terms)
{
	struct strbuf path = { 0 };
	bool good;

	strbuf_addf(&path, "/sys/bus/event_source/devices/%.*s/events/%.*s", (int)pmu.size, pmu.at,
		    (int)name.size, name.at);
	good = is_name(name) && read_text(AT_FDCWD, path.at, terms);
	strbuf_release(&path);
	return good;
}

int event_find_pmu(struct span pmu, struct span terms, struct sampled *event, struct error *e)
{
	struct strbuf text = { 0 };
	struct span rest = terms;
	bool good = true;

	if (!pmu_type(pmu, &event->type))
		return error_set(e, ERROR_USAGE, "unknown PMU '%.*s'", (int)pmu.size, pmu.at);
	if (span_find(terms, '=') == terms.size && expand(pmu, terms, &text))
		rest = strbuf_peek(&text);
	while (rest.size && good) {
		size_t comma = span_find(rest, ',');

		good = put_term(pmu, span_upto(rest, comma), event);
		rest = span_from(rest, comma + 1);
	}
	strbuf_release(&text);
	return good ? 0
		    : error_set(e, ERROR_USAGE, "PMU %.*s has no event '%.*s'", (int)pmu.size,
				pmu.at, (int)terms.size, terms.at);
}

/* Probes */

/* The first colon at or after `from` that may end FILE in "FILE:FUNCTION": not part of "::". */
static size_t path_end(struct span text, size_t from)
{
	for (; from < text.size; from++) {
		if (text.at[from] != ':')
			continue;
		if (from + 1 == text.size || text.at[from + 1] != ':')
			break;
		from++;
	}
	return from;
}

/*
 * FILE as a string: up to the first such colon where the part before it is an existing file, because names of files
 * may contain colons.  If there is none, up to the first colon: the error names that path.
 */
static const char *split_path(struct events *v, struct span rest, size_t *end)
{
	char *copy = arena_take(&v->text, rest.size + 1);
	size_t first = path_end(rest, 0);

	for (*end = first; *end < rest.size; *end = path_end(rest, *end + 1)) {
		memcpy(copy, rest.at, *end);
		copy[*end] = '\0';
		if (!access(copy, F_OK))
			return copy;
	}
	*end = first;
	memcpy(copy, rest.at, first);
	copy[first] = '\0';
	return copy;
}

static int no_file(const char *path, struct error *e)
{
	bool library = errno == ENOENT && !strchr(path, '/');

	error_sys(e, "%s", path);
	return library ? error_hint(
				 e,
				 "use the path of the file; `ldd PROGRAM` prints the paths of libraries")
		       : -1;
}

/* "uprobe:/lib/libc.so.6:malloc", "uprobe:./app:shop::Cart::total<long>" */
int event_find_probe(struct events *v, struct span probe, events_find *find, struct sampled *event,
		     struct error *e)
{
	struct span kind = span_upto(probe, span_find(probe, ':'));
	struct span rest = span_from(probe, kind.size + 1), function;
	size_t end;
	const char *path = split_path(v, rest, &end);

	function = span_from(rest, end + 1);
	if (!end || !function.size || !find)
		return error_set(e, ERROR_USAGE,
				 "invalid probe '%.*s': expected uprobe:FILE:FUNCTION",
				 (int)probe.size, probe.at);
	if (!pmu_type(SPAN("uprobe"), &event->type))
		return error_set(e, ERROR_SYSTEM, "this kernel does not support uprobes");
	if (access(path, R_OK))
		return no_file(path, e);
	if (find(span_of(path), function, &event->config2, e))
		return -1;
	event->config = span_starts(kind, "uret");
	event->config1 = (uint64_t)(uintptr_t)path;
	event->is_probe = true;
	event->count = 1;
	event->needs_kernel = true;
	return 0;
}
