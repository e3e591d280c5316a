#include "read/whole_input.h"

int whole_open(struct whole *w, struct build *b, struct error *e)
{
	*w = (struct whole){ .source = b->text->source };
	return source_whole(w->source, &w->all, e);
}

int whole_json(struct whole *w, struct build *b, json_member_fn *member, void *arg, struct error *e)
{
	struct text *before = b->text, over;
	enum json_token token;
	struct json json;
	int ret = 0;

	text_over_source(&over, w->source, w->all);
	b->text = &over;
	json_init(&json, &over);
	token = json_object_of(&json, member, arg, e);
	if (token == JSON_ERROR || (json.cut && build_note(b, NOTE_NO_END, SPAN(""), e)))
		ret = -1;
	json_release(&json);
	text_release(&over);
	b->text = before;
	return ret;
}

void whole_passed(struct whole *w, const void *where)
{
	enum { PART_SIZE = 1024 * 1024 };
	const char *at = where;

	if (!w->passed || at < w->passed)
		w->passed = at;
	if (at - w->passed < PART_SIZE)
		return;
	source_forget(w->source, span_between(w->passed, at));
	w->passed = at;
}
