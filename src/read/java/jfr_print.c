/*
 * The output of `jfr print --json` and `jfr print --xml`.  Both have the same tree of values,
 *
 *	{"recording": {"events": [{"type": "jdk.ExecutionSample", "values": {
 *	  "startTime": "2026-11-16T18:41:35.92Z", "sampledThread": {"javaName": "main", …},
 *	  "stackTrace": {"truncated": false, "frames": [{"method": {"type": {"name": "org/acme/Main"},
 *	    "name": "run"}, "lineNumber": 4, "type": "Inlined"}, …]}}}, …
 *
 *	<event type="jdk.ExecutionSample"><value name="startTime">…</value>
 *	  <struct name="stackTrace"><array name="frames"><struct index="0">…
 *
 * so an XML event is converted to a tree like that of JSON, and read as one.
 */
#include "base/alloc.h"
#include "base/json_tree.h"
#include "base/xml.h"
#include "profile/spelling.h"
#include "read/java/jfr_event.h"
#include "read/json_walk.h"
#include "read/readers.h"

#include <stdio.h>
#include <time.h>

/* Limit of nesting in an XML event: threads have nested groups. */
enum { DEPTH_MAX = 1000 };

struct print {
	struct build *b;
	struct jfr_event event;
	struct arena arena; /* of one event */
};

/* Events */

static struct span text_of(const struct json_node *n, const char *name)
{
	n = json_find(n, name);
	return n ? n->text : SPAN("");
}

/* Two or four digits, and the byte after them; '\0': none. */
static bool take_digits(struct span *s, size_t nr, char behind, int *value)
{
	*value = 0;
	for (size_t i = 0; i < nr; i++) {
		if (i >= s->size || !is_digit(s->at[i]))
			return false;
		*value = *value * 10 + (s->at[i] - '0');
	}
	*s = span_from(*s, nr);
	if (behind && (!s->size || s->at[0] != behind))
		return false;
	*s = span_from(*s, behind ? 1 : 0);
	return true;
}

/* "2026-11-16T18:41:35.923921619Z", "…+01:00"; 0: not a time. */
static uint64_t parse_time(struct span s)
{
	int64_t fraction = 0, scale = 1000000000, time;
	int hour = 0, minute = 0;
	struct tm tm = { 0 };

	if (!take_digits(&s, 4, '-', &tm.tm_year) || !take_digits(&s, 2, '-', &tm.tm_mon) ||
	    !take_digits(&s, 2, 'T', &tm.tm_mday) || !take_digits(&s, 2, ':', &tm.tm_hour) ||
	    !take_digits(&s, 2, ':', &tm.tm_min) || !take_digits(&s, 2, '\0', &tm.tm_sec))
		return 0;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	time = timegm(&tm);
	if (span_at(s, 0) == '.')
		for (s = span_from(s, 1); s.size && is_digit(s.at[0]); s = span_from(s, 1))
			if (scale > 1) {
				scale /= 10;
				fraction += (s.at[0] - '0') * scale;
			}
	if (span_at(s, 0) == '+' || span_at(s, 0) == '-') {
		int64_t sign = s.at[0] == '-' ? 1 : -1;

		s = span_from(s, 1);
		if (take_digits(&s, 2, ':', &hour) && take_digits(&s, 2, '\0', &minute))
			time += sign * (hour * INT64_C(3600) + minute * INT64_C(60));
	}
	return time > 0 && time < INT64_MAX / 1000000000 - 1
		       ? (uint64_t)(time * 1000000000 + fraction)
		       : 0;
}

static void read_thread(struct print *p, const struct json_node *values)
{
	const struct json_node *thread = json_find(values, "sampledThread");
	struct span name;
	uint64_t tid;

	if (!thread || !thread->first)
		thread = json_find(values, "eventThread");
	name = text_of(thread, "javaName");
	if (!name.size)
		name = text_of(thread, "osName");
	p->event.thread.comm = profile_string(p->b->p, name);
	if (span_u64(text_of(thread, "osThreadId"), &tid) && tid && tid < THREAD_UNKNOWN)
		p->event.thread.tid = (uint32_t)tid;
}

static void push_frames(struct print *p, const struct json_node *stack)
{
	const struct json_node *frames = json_find(stack, "frames"), *truncated;

	for (const struct json_node *n = frames ? frames->first : NULL; n; n = n->next) {
		const struct json_node *method = json_find(n, "method");
		const struct json_node *hidden = json_find(method, "hidden");
		uint64_t line = 0;

		if (hidden && (hidden->type == JSON_TRUE || span_is(hidden->text, "true")))
			continue;
		if (!span_u64(text_of(n, "lineNumber"), &line) || line > UINT32_MAX)
			line = 0;
		build_push(p->b,
			   jfr_frame(p->b, text_of(json_find(method, "type"), "name"),
				     text_of(method, "name"), (uint32_t)line, text_of(n, "type")));
	}
	truncated = json_find(stack, "truncated");
	if (p->b->nr && truncated &&
	    (truncated->type == JSON_TRUE || span_is(truncated->text, "true")))
		build_push(p->b, build_frame(p->b, FRAME_LABEL, SPAN(""), SPAN(TRUNCATED_FRAME)));
}

static int read_event(struct print *p, struct span type, const struct json_node *values,
		      struct error *e)
{
	jfr_event_begin(&p->event, type);
	for (const struct json_node *n = values ? values->first : NULL; n; n = n->next)
		if (n->type == JSON_NUMBER || n->type == JSON_STRING)
			jfr_event_parse(&p->event, n->name, n->text);
	p->event.begin = parse_time(text_of(values, "startTime"));
	read_thread(p, values);
	push_frames(p, json_find(values, "stackTrace"));
	return jfr_event_end(&p->event, p->b, e);
}

static int finish(struct print *p, uint32_t nr_event, int ret)
{
	jfr_choose_lead(p->b->p, nr_event);
	strbuf_release(&p->event.name);
	arena_release(&p->arena);
	return ret;
}

/* JSON */

static enum json_token read_element(void *arg, struct json *j, enum json_token token,
				    struct error *e)
{
	struct print *p = arg;
	const struct json_node *n = json_tree_take(&p->arena, j, token, e);
	int ret = n ? read_event(p, text_of(n, "type"), json_find(n, "values"), e) : -1;

	arena_release(&p->arena);
	if (ret)
		return JSON_ERROR;
	return j->cut ? JSON_END : JSON_OBJECT_END;
}

static enum json_token recording_member(void *arg, struct json *j, struct span name,
					struct error *e)
{
	return span_is(name, "events") ? json_array_of(j, read_element, arg, e)
				       : json_pass_over(j, e);
}

static enum json_token top_member(void *arg, struct json *j, struct span name, struct error *e)
{
	return span_is(name, "recording") ? json_object_of(j, recording_member, arg, e)
					  : json_pass_over(j, e);
}

static int jfr_json_read(struct build *b, struct error *e)
{
	struct print p = { .b = b };
	uint32_t nr_event = (uint32_t)b->p->nr_event;
	enum json_token token;
	struct json json;
	int ret;

	json_init(&json, b->text);
	token = json_object_of(&json, top_member, &p, e);
	ret = token == JSON_ERROR ? -1 : 0;
	if (!ret && json.cut)
		ret = build_note(b, NOTE_NO_END, SPAN(""), e);
	json_release(&json);
	return finish(&p, nr_event, ret);
}

static bool jfr_json_accepts(struct span head)
{
	head = span_upto(head, 512);
	return span_starts(span_trim_start(head), "{") &&
	       span_find_text(head, "\"recording\"") < 64 &&
	       span_find_text(head, "\"events\"") < 128 && span_contains(head, "\"type\"");
}

const struct reader reader_jfr_json = {
	.name = "jfr-json",
	.title = "jfr print --json",
	.accepts = jfr_json_accepts,
	.read = jfr_json_read,
	.split = SPLIT_ANYWHERE,
	.timed = true,
	.spelling = SPELL_THREAD,
};

/* XML */

static struct span keep(struct arena *a, struct span s)
{
	char *copy = arena_take(a, s.size + 1);

	if (s.size)
		memcpy(copy, s.at, s.size);
	copy[s.size] = '\0';
	return (struct span){ .at = copy, .size = s.size };
}

/* The values of an element that is open, up to its end. */
static void take_values(struct print *p, struct xml *x, struct json_node *parent)
{
	struct json_node *open[DEPTH_MAX] = { parent }, *last[DEPTH_MAX] = { 0 };
	size_t depth = 0, nr = 0, ignored = 0;
	enum xml_piece piece;
	struct span name;

	while ((piece = xml_next(x)) != XML_END) {
		if (piece == XML_CLOSE && ignored) {
			ignored--;
		} else if (piece == XML_CLOSE) {
			if (!depth--)
				return;
		} else if (piece == XML_TEXT && !ignored && !open[depth]->first) {
			open[depth]->text = keep(&p->arena, x->content);
		} else if (piece == XML_OPEN) {
			struct json_node *n;

			if (ignored || depth + 1 >= DEPTH_MAX || nr++ > JSON_TREE_MAX) {
				ignored++;
				continue;
			}
			n = arena_take(&p->arena, sizeof(*n));
			*n = (struct json_node){ .type = span_is(x->name, "value") ? JSON_STRING
										   : JSON_OBJECT };
			if (xml_attribute(x, "name", &name))
				n->name = keep(&p->arena, name);
			if (last[depth])
				last[depth]->next = n;
			else
				open[depth]->first = n;
			last[depth] = n;
			open[++depth] = n;
			last[depth] = NULL;
		}
	}
}

static int jfr_xml_read(struct build *b, struct error *e)
{
	struct print p = { .b = b };
	uint32_t nr_event = (uint32_t)b->p->nr_event;
	enum xml_piece piece;
	struct xml x;
	int ret = 0;

	xml_init(&x, b->text);
	while (!ret && (piece = xml_next(&x)) != XML_END) {
		struct json_node values = { .type = JSON_OBJECT };
		struct span type;

		if (piece != XML_OPEN || !span_is(x.name, "event"))
			continue;
		type = xml_attribute(&x, "type", &type) ? keep(&p.arena, type) : SPAN("");
		take_values(&p, &x, &values);
		ret = read_event(&p, type, &values, e);
		arena_release(&p.arena);
	}
	if (!ret && (x.broken || x.depth))
		ret = build_note(b, NOTE_NO_END, SPAN(""), e);
	xml_release(&x);
	return finish(&p, nr_event, ret);
}

static bool jfr_xml_accepts(struct span head)
{
	head = span_upto(head, 1024);
	return span_starts(span_trim_start(head), "<?xml") && span_contains(head, "<recording") &&
	       span_contains(head, "<events>");
}

const struct reader reader_jfr_xml = {
	.name = "jfr-xml",
	.title = "jfr print --xml",
	.accepts = jfr_xml_accepts,
	.read = jfr_xml_read,
	.split = SPLIT_ANYWHERE,
	.timed = true,
	.spelling = SPELL_THREAD,
};
