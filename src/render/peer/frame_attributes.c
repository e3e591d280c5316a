#include "render/peer/frame_attributes.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>

struct reading {
	struct attributes *a;
	attributes_watcher *watcher;
	void *arg;
	struct span function;
};

/* Copies a part of the file's text, which is freed with the file. */
static struct span keep(struct attributes *a, struct span s)
{
	char *copy = arena_take(&a->text, s.size + 1);

	if (s.size)
		memcpy(copy, s.at, s.size);
	return (struct span){ .at = copy, .size = s.size };
}

static struct span unquote(struct span s)
{
	s = span_trim(s);
	if (s.size >= 2 && s.at[0] == '"' && s.at[s.size - 1] == '"')
		return span_upto(span_from(s, 1), s.size - 2);
	return s;
}

static void set(struct reading *r, struct function_attributes *f, struct span name,
		struct span value)
{
	for (size_t i = 0; i < f->nr; i++)
		if (span_eq(f->attribute[i].name, name)) {
			r->watcher(r->arg, ATTRIBUTE_TWICE, name, r->function);
			f->attribute[i].value = keep(r->a, value);
			return;
		}
	GROW(f->attribute, f->nr, f->cap);
	f->attribute[f->nr++] =
		(struct attribute){ .name = keep(r->a, name), .value = keep(r->a, value) };
}

/* Is it an XML attribute name in ASCII, without a namespace or in one that the SVG declares? */
static bool is_attribute_name(struct span name)
{
	size_t colon = span_find(name, ':');

	if (colon < name.size) {
		if (!span_starts(name, "xlink:") && !span_starts(name, "xml:"))
			return false;
		name = span_from(name, colon + 1);
	}
	for (size_t i = 0; i < name.size; i++) {
		char c = name.at[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';

		if (!letter && (!i || (!is_digit(c) && c != '-' && c != '.')))
			return false;
	}
	return name.size > 0 && !span_starts(name, "xmlns");
}

/* a=b c="d e" */
static void set_extra(struct reading *r, struct function_attributes *f, struct span s)
{
	while ((s = span_trim_start(s)).size) {
		size_t equals = span_find(s, '='), n;
		struct span name = span_trim(span_upto(s, equals)), value;

		if (equals == s.size || !name.size)
			return;
		s = span_trim_start(span_from(s, equals + 1));
		if (s.size && s.at[0] == '"') {
			n = span_find(span_from(s, 1), '"');
			value = span_upto(span_from(s, 1), n);
			s = span_from(s, n + 2);
		} else {
			value = span_word(&s);
		}
		if (is_attribute_name(name))
			set(r, f, name, value);
		else
			r->watcher(r->arg, ATTRIBUTE_UNKNOWN, name, r->function);
	}
}

static void read_pair(struct reading *r, struct function_attributes *f, struct span pair)
{
	size_t equals = span_find(pair, '=');
	struct span name = span_trim(span_upto(pair, equals));
	struct span value = unquote(span_from(pair, equals + 1));

	if (!name.size || equals == pair.size)
		return;
	if (span_is(name, "title")) {
		f->title = keep(r->a, value);
	} else if (span_is(name, "href")) {
		f->is_link = true;
		set(r, f, SPAN("xlink:href"), value);
	} else if (span_is(name, "id") || span_is(name, "class") || span_is(name, "target")) {
		set(r, f, name, value);
	} else if (span_is(name, "g_extra") || span_is(name, "a_extra")) {
		set_extra(r, f, value);
	} else {
		r->watcher(r->arg, ATTRIBUTE_UNKNOWN, name, r->function);
	}
}

static struct function_attributes *entry(struct attributes *a, struct span function)
{
	uint32_t known = a->functions.nr, i = intern(&a->functions, function);

	if (i == known) {
		GROW(a->of, (size_t)i, a->cap);
		a->of[i] = (struct function_attributes){ 0 };
	}
	return &a->of[i];
}

static void read_line(struct reading *r, struct span line)
{
	size_t tab = span_find(line, '\t');
	struct function_attributes *f;
	bool has_target = false;

	r->function = span_trim(span_upto(line, tab));
	if (!r->function.size)
		return;
	if (tab == line.size)
		r->watcher(r->arg, ATTRIBUTE_NONE, SPAN(""), r->function);
	f = entry(r->a, r->function);
	for (line = span_from(line, tab + 1); line.size; line = span_from(line, tab + 1)) {
		tab = span_find(line, '\t');
		read_pair(r, f, span_upto(line, tab));
	}
	for (size_t i = 0; i < f->nr; i++)
		has_target |= span_is(f->attribute[i].name, "target");
	if (f->is_link && !has_target)
		set(r, f, SPAN("target"), SPAN("_top"));
}

int attributes_read(struct attributes *a, const char *path, attributes_watcher *watcher, void *arg,
		    struct error *e)
{
	struct reading r = { .a = a, .watcher = watcher, .arg = arg };
	struct stream *stream = stream_open(path, e);
	struct source *source = stream ? source_new(stream, e) : NULL;
	struct span line;
	struct text t;
	int ret = 0;

	*a = (struct attributes){ 0 };
	if (!source)
		return -1;
	text_init(&t, source);
	while (text_line(&t, &line))
		read_line(&r, line);
	if (t.failed) {
		*e = t.error;
		ret = -1;
	}
	text_release(&t);
	source_free(source);
	return ret;
}

void attributes_release(struct attributes *a)
{
	for (uint32_t i = 0; i < a->functions.nr; i++)
		free(a->of[i].attribute);
	free(a->of);
	intern_release(&a->functions);
	arena_release(&a->text);
	*a = (struct attributes){ 0 };
}

const struct function_attributes *attributes_find(const struct attributes *a, struct span function)
{
	uint32_t i = intern_find(&a->functions, function, intern_hash(function));

	return i == INTERN_NONE ? NULL : &a->of[i];
}
