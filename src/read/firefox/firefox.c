/*
 * Profiles of the Firefox Profiler's, as samply, profiler.firefox.com and
 * Firefox itself write them:
 *
 *	"meta": {"interval": 1, "startTime": 1700000000000.5, "preprocessedProfileVersion": 55, …},
 *	"libs": [{"path": "/usr/bin/ls", "codeId": "6326…"}, …],
 *	"shared": {"stackTable": …, "frameTable": …, "funcTable": …, "stringArray": …},
 *	"threads": [{"name": "ls", "pid": "12", "tid": "12", "samples": …}, …]
 *
 * firefox.h describes the tables.  Firefox's own files contain the profiles of
 * other processes; up to version 4, such a profile is a string among the
 * threads.  Shared tables may follow the threads, so the text is read twice.
 */
#include "read/firefox/firefox.h"
#include "base/alloc.h"
#include "base/date.h"
#include "base/json_tree.h"
#include "profile/spelling.h"
#include "read/firefox/firefox_counters.h"
#include "read/firefox/firefox_markers.h"
#include "read/firefox/firefox_samples.h"
#include "read/json_walk.h"
#include "read/readers.h"
#include "read/script_function.h"
#include "read/whole_input.h"

/* The profile of another process does not contain further ones. */
enum { LEVELS_MAX = 2 };

struct firefox {
	struct build *b;
	unsigned level; /* 1; or 2, inside another profile */
	bool is_inside; /* the profile is inside another object: see profile_inside() */
	struct firefox_tables shared, own; /* own: of the thread that is being read */
	struct firefox_samples samples;
	struct firefox_markers *markers; /* of all processes, as counters */
	struct counters *counters;
	const struct firefox_symbols *symbols;
	int64_t kernel;
	struct strbuf name, process, pid, tid;
	struct strbuf event, unit, source, period; /* of the thread, in files that wick wrote */
	bool spans;				   /* the same */
};

/* Metadata */

/* The number of the category of that name. */
static int64_t find_category(const struct json_node *categories, const char *name)
{
	int64_t i = 0;

	for (const struct json_node *n = categories ? categories->first : NULL; n;
	     n = n->next, i++) {
		const char *is = json_string(n, "name");

		if (is && !strcmp(is, name))
			return i;
	}
	return FIREFOX_NONE;
}

static enum json_token read_categories(struct firefox *f, struct json *j, struct error *e)
{
	struct arena arena = { 0 };
	const struct json_node *n = json_tree_take(&arena, j, json_next(j, e), e);

	f->kernel = find_category(n, "Kernel");
	arena_release(&arena);
	return n ? JSON_ARRAY_END : JSON_ERROR;
}

static enum json_token read_units(struct firefox *f, struct json *j, struct error *e)
{
	struct arena arena = { 0 };
	const struct json_node *n = json_tree_take(&arena, j, json_next(j, e), e);
	const char *unit = json_string(n, "threadCPUDelta");

	if (unit)
		firefox_samples_unit(&f->samples, span_of(unit));
	arena_release(&arena);
	return n ? JSON_OBJECT_END : JSON_ERROR;
}

/* Milliseconds since 1970. */
static enum json_token read_start(struct firefox *f, struct json *j, struct error *e)
{
	enum json_token token = json_next(j, e);
	struct decimal d;
	int64_t start;

	if (token == JSON_NUMBER && decimal_parse(j->value, &d) &&
	    decimal_at(d, FIREFOX_DIGITS, &start))
		f->samples.start = start;
	return json_skip(j, token, e);
}

static enum json_token read_command(struct firefox *f, struct json *j, struct error *e)
{
	enum json_token token = json_next(j, e);

	if (token == JSON_STRING)
		profile_inform(f->b->p, SPAN("command"), j->value);
	return json_skip(j, token, e);
}

static enum json_token meta_member(void *arg, struct json *j, struct span name, struct error *e)
{
	static const struct {
		const char *name;
		enum json_token (*read)(struct firefox *f, struct json *j, struct error *e);
	} members[] = {
		{ "categories", read_categories },
		{ "sampleUnits", read_units },
		{ "startTime", read_start },
		{ "arguments", read_command },
	};

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (span_is(name, members[i].name))
			return members[i].read(arg, j, e);
	return json_pass_over(j, e);
}

static void inform_time(struct firefox *f)
{
	struct strbuf text = { 0 };

	if (f->level > 1 || f->samples.start <= 0)
		return;
	date_add(&text, (time_t)(f->samples.start / 1000000000));
	profile_inform(f->b->p, SPAN("captured"), strbuf_peek(&text));
	strbuf_release(&text);
}

/* Threads */

/* Ids are numbers, or strings of them: "12"; those of merged profiles are any text. */
static enum json_token read_id(struct json *j, struct strbuf *to, struct error *e)
{
	enum json_token token = json_next(j, e);

	if (token == JSON_STRING || token == JSON_NUMBER) {
		strbuf_reset(to);
		strbuf_add(to, j->value);
	}
	return json_skip(j, token, e);
}

static enum json_token thread_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct firefox *f = arg;
	enum json_token token;

	if (span_is(name, "name"))
		return json_string_of(j, &f->name, e);
	if (span_is(name, "processName"))
		return json_string_of(j, &f->process, e);
	if (span_is(name, "event"))
		return json_string_of(j, &f->event, e);
	if (span_is(name, "unit"))
		return json_string_of(j, &f->unit, e);
	if (span_is(name, "source"))
		return json_string_of(j, &f->source, e);
	if (span_is(name, "spans")) {
		f->spans = true;
		return json_pass_over(j, e);
	}
	if (span_is(name, "period"))
		return read_id(j, &f->period, e);
	if (span_is(name, "pid"))
		return read_id(j, &f->pid, e);
	if (span_is(name, "tid"))
		return read_id(j, &f->tid, e);
	token = firefox_tables_member(&f->own, f->b, j, name, e);
	return token == JSON_NAME ? json_pass_over(j, e) : token;
}

static uint32_t parse_id(const struct strbuf *s)
{
	uint64_t id;

	return span_u64(strbuf_peek(s), &id) && id < THREAD_UNKNOWN ? (uint32_t)id : THREAD_UNKNOWN;
}

/* All main threads are called GeckoMain: the process distinguishes them. */
static thread_id find_thread(struct firefox *f)
{
	bool main = span_is(strbuf_peek(&f->name), "GeckoMain") && f->process.size;
	struct thread thread = { .pid = parse_id(&f->pid), .tid = parse_id(&f->tid) };

	thread.comm = profile_string(f->b->p, strbuf_peek(main ? &f->process : &f->name));
	return profile_thread(f->b->p, &thread);
}

static int read_profile(const struct firefox *around, struct span all, struct error *e);

static enum json_token read_thread(void *arg, struct json *j, enum json_token token,
				   struct error *e)
{
	struct firefox *f = arg;
	struct firefox_frames frames = { .b = f->b, .kernel = f->kernel, .symbols = f->symbols };

	if (token == JSON_STRING && span_starts(span_trim_start(j->value), "{") &&
	    f->level < LEVELS_MAX)
		return read_profile(f, j->value, e) ? JSON_ERROR : token;
	if (token != JSON_OBJECT && build_note(f->b, NOTE_BAD_RECORD, SPAN("thread"), e))
		return JSON_ERROR;
	if (token != JSON_OBJECT)
		return json_skip(j, token, e);
	strbuf_reset(&f->name);
	strbuf_reset(&f->process);
	strbuf_reset(&f->pid);
	strbuf_reset(&f->tid);
	strbuf_reset(&f->event);
	strbuf_reset(&f->unit);
	strbuf_reset(&f->source);
	strbuf_reset(&f->period);
	f->spans = false;
	f->own.shared = &f->shared;
	token = json_each_member(j, thread_member, f, e);
	/* The complete part of a truncated thread counts, too. */
	if (token != JSON_ERROR) {
		f->b->thread = find_thread(f);
		frames.t = f->own.column[STACK_FRAME].seen ? &f->own : &f->shared;
		f->samples.event = strbuf_peek(&f->event);
		f->samples.event_unit = strbuf_peek(&f->unit);
		f->samples.source_word = strbuf_peek(&f->source);
		f->samples.extent = f->spans ? EXTENT_SELF : EXTENT_SHARE;
		if (!span_u64(strbuf_peek(&f->period), &f->samples.period))
			f->samples.period = 0;
		/* In files that wick wrote, markers are the same intervals as the samples. */
		if (firefox_samples_count(&f->samples, &frames, &f->own, e) ||
		    (!f->event.size &&
		     firefox_markers_add(f->markers, &f->samples, &frames, &f->own, e)))
			token = JSON_ERROR;
	}
	firefox_tables_release(&f->own);
	return token;
}

/* The text: one pass for the shared tables, one for the threads */

/* Stores the position of a process in the text, to read it later. */
static enum json_token read_process(void *arg, struct json *j, enum json_token token,
				    struct error *e)
{
	struct firefox *f = arg;
	const char *begin = j->text->at - 1;
	enum json_token end = json_skip(j, token, e);

	if (token != JSON_OBJECT || end == JSON_ERROR || f->level >= LEVELS_MAX)
		return end;
	if (read_profile(f, span_between(begin, j->text->at), e))
		return JSON_ERROR;
	return end;
}

static enum json_token shared_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct firefox *f = arg;
	enum json_token token = firefox_tables_member(&f->shared, f->b, j, name, e);

	return token == JSON_NAME ? json_pass_over(j, e) : token;
}

/* {"label": …, "profile": {…}}: as saved by the old performance panel of Firefox. */
static enum json_token profile_inside(struct firefox *f, struct json *j, json_member_fn *member,
				      struct error *e)
{
	enum json_token token;

	if (f->is_inside)
		return json_pass_over(j, e);
	f->is_inside = true;
	token = json_object_of(j, member, f, e);
	f->is_inside = false;
	return token;
}

static enum json_token first_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct firefox *f = arg;

	if (span_is(name, "meta"))
		return json_object_of(j, meta_member, f, e);
	if (span_is(name, "shared"))
		return json_object_of(j, shared_member, f, e);
	if (span_is(name, "libs"))
		return firefox_tables_member(&f->shared, f->b, j, name, e);
	if (span_is(name, "profile"))
		return profile_inside(f, j, first_member, e);
	return json_pass_over(j, e);
}

static enum json_token read_counter(void *arg, struct json *j, enum json_token token,
				    struct error *e)
{
	struct firefox *f = arg;

	return firefox_counter_read(f->counters, &f->samples, j, token, e);
}

static enum json_token second_member(void *arg, struct json *j, struct span name, struct error *e)
{
	if (span_is(name, "threads"))
		return json_array_of(j, read_thread, arg, e);
	if (span_is(name, "processes"))
		return json_array_of(j, read_process, arg, e);
	if (span_is(name, "counters"))
		return json_array_of(j, read_counter, arg, e);
	if (span_is(name, "profile"))
		return profile_inside(arg, j, second_member, e);
	return json_pass_over(j, e);
}

static int read_pass(struct firefox *f, struct span all, json_member_fn *member, bool *cut,
		     struct error *e)
{
	struct text *before = f->b->text, over;
	enum json_token token;
	struct json json;

	f->samples.source = before->source;
	f->samples.end = all.at + all.size;
	text_over_source(&over, before->source, all);
	f->b->text = &over;
	json_init(&json, &over);
	/* A string may be a whole profile. */
	json.value_max = SIZE_MAX;
	token = json_object_of(&json, member, f, e);
	*cut = json.cut;
	json_release(&json);
	text_release(&over);
	f->b->text = before;
	return token == JSON_ERROR ? -1 : 0;
}

/* around: the profile that contains this one. */
static int read_profile(const struct firefox *around, struct span all, struct error *e)
{
	struct firefox f = { .b = around->b,
			     .level = around->level + 1,
			     .kernel = FIREFOX_NONE,
			     .markers = around->markers,
			     .counters = around->counters,
			     .symbols = around->symbols };
	bool cut = false;
	int ret = read_pass(&f, all, first_member, &cut, e);

	if (!ret) {
		inform_time(&f);
		ret = read_pass(&f, all, second_member, &cut, e);
	}
	if (!ret && cut && f.level == 1)
		ret = build_note(f.b, NOTE_NO_END, SPAN(""), e);
	firefox_tables_release(&f.shared);
	firefox_tables_release(&f.own);
	strbuf_release(&f.name);
	strbuf_release(&f.process);
	strbuf_release(&f.pid);
	strbuf_release(&f.tid);
	strbuf_release(&f.event);
	strbuf_release(&f.unit);
	strbuf_release(&f.source);
	strbuf_release(&f.period);
	return ret;
}

static int firefox_read(struct build *b, struct error *e)
{
	struct firefox_markers markers = { 0 };
	struct firefox_symbols symbols = { 0 };
	struct counters counters = { .b = b };
	const struct firefox whole = {
		.b = b, .markers = &markers, .counters = &counters, .symbols = &symbols
	};
	struct whole input;
	int ret = whole_open(&input, b, e);

	if (!ret)
		ret = firefox_symbols_read(&symbols, source_name(input.source), e);
	if (!ret)
		ret = read_profile(&whole, input.all, e);
	if (!ret)
		ret = firefox_markers_count(&markers, b, e);
	counters_finish(&counters, 0);
	counters_release(&counters);
	firefox_markers_release(&markers);
	firefox_symbols_release(&symbols);
	return ret;
}

static bool firefox_accepts(struct span head)
{
	return script_shows(head, "profile", "threads") || script_shows(head, "profile", "meta") ||
	       script_shows(head, "meta", "preprocessedProfileVersion") ||
	       (script_shows(head, "meta", "interval") && script_shows(head, "meta", "version"));
}

const struct reader reader_firefox = {
	.name = "firefox",
	.title = "Firefox Profiler and samply profiles (JSON)",
	.accepts = firefox_accepts,
	.read = firefox_read,
	.split = SPLIT_ANYWHERE,
	.timed = true,
	.spelling = SPELL_THREAD,
};
