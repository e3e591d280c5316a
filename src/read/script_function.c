#include "read/script_function.h"

#include "base/json.h"
#include "base/strbuf.h"

static const char file_scheme[] = "file://";

static struct span last_part(struct span path)
{
	size_t slash = span_rfind(path, '/');

	return slash < path.size ? span_from(path, slash + 1) : path;
}

frame_id script_frame(struct build *b, struct span name, struct span file, uint32_t line)
{
	struct frame f = { .kind = FRAME_USER, .nr_line = 1 };
	struct line at = { 0 };
	struct strbuf text = { 0 };

	if (span_starts(file, file_scheme))
		file = span_from(file, sizeof(file_scheme) - 1);
	strbuf_add(&text, name.size ? name : SPAN("(anonymous)"));
	if (!name.size && file.size) {
		strbuf_addch(&text, ' ');
		strbuf_add(&text, last_part(file));
		if (line)
			strbuf_addf(&text, ":%u", line);
	}
	at.function = profile_string(b->p, strbuf_peek(&text));
	if (file.size)
		f.module = profile_module(b->p, file, SPAN(""));
	if (build_wants_lines(b, line != 0) && file.size) {
		at.file = profile_string(b->p, file);
		at.line = line;
	}
	f.line = &at;
	strbuf_release(&text);
	return profile_frame(b->p, &f);
}

/* Is there such a member in the object that begins here, or in the first object of the array? */
static bool shows_inside(struct json *j, enum json_token token, const char *name, struct error *e)
{
	if (token == JSON_ARRAY)
		token = json_next(j, e);
	if (token != JSON_OBJECT)
		return false;
	while (json_next(j, e) == JSON_NAME) {
		if (span_is(j->value, name))
			return true;
		token = json_skip(j, json_next(j, e), e);
		if (token == JSON_ERROR || token == JSON_END)
			break;
	}
	return false;
}

bool script_shows(struct span head, const char *outer, const char *inner)
{
	struct error e = ERROR_INIT;
	struct text text;
	struct json j;
	enum json_token token = JSON_OBJECT;
	bool yes = false;

	text_over(&text, head);
	json_init(&j, &text);
	if (json_next(&j, &e) != JSON_OBJECT)
		token = JSON_END;
	while (token != JSON_ERROR && token != JSON_END && json_next(&j, &e) == JSON_NAME) {
		if (span_is(j.value, outer)) {
			yes = shows_inside(&j, json_next(&j, &e), inner, &e);
			break;
		}
		token = json_skip(&j, json_next(&j, &e), &e);
	}
	json_release(&j);
	return yes;
}
