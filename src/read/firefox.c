/*
 * Profiles of the Firefox Profiler's, as samply, profiler.firefox.com and
 * Firefox itself write them:
 *
 *	"meta": {"interval": 1, "startTime": 1700000000000.5, "preprocessedProfileVersion": 55, …},
 *	"libs": [{"path": "/usr/bin/ls", "codeId": "6326…"}, …],
 *	"shared": {"stackTable": …, "frameTable": …, "funcTable": …, "stringArray": …},
 *	"threads": [{"name": "ls", "pid": "12", "tid": "12", "samples": …}, …]
 *
 * firefox.h tells of the tables.  Firefox's own files have other processes
 * inside, each a profile again.  What all share may stand behind the threads,
 * so the text is read twice.
 */
#include "read/firefox.h"
#include "base/alloc.h"
#include "base/date.h"
#include "base/json_tree.h"
#include "profile/spelling.h"
#include "read/firefox_samples.h"
#include "read/json_walk.h"
#include "read/readers.h"
#include "read/script.h"
#include "read/whole.h"

/* Processes have none inside. */
enum { LEVELS_MAX = 2 };

struct firefox {
	struct build *b;
	unsigned level;
	struct firefox_tables shared, own; /* own: of the thread that is being read */
	struct firefox_samples samples;
	int64_t kernel;
	struct strbuf name, process, pid, tid;
};

/* What is said of the whole */

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

	if (f->level || f->samples.start <= 0)
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

/* All main threads are GeckoMain: the process tells them apart. */
static thread_id find_thread(struct firefox *f)
{
	bool main = span_is(strbuf_peek(&f->name), "GeckoMain") && f->process.size;
	struct thread thread = { .pid = parse_id(&f->pid), .tid = parse_id(&f->tid) };

	thread.comm = profile_string(f->b->p, strbuf_peek(main ? &f->process : &f->name));
	return profile_thread(f->b->p, &thread);
}

static enum json_token read_thread(void *arg, struct json *j, enum json_token token,
				   struct error *e)
{
	struct firefox *f = arg;
	struct firefox_frames frames = { .b = f->b, .kernel = f->kernel };

	if (token != JSON_OBJECT)
		return json_skip(j, token, e);
	strbuf_reset(&f->name);
	strbuf_reset(&f->process);
	strbuf_reset(&f->pid);
	strbuf_reset(&f->tid);
	f->own.shared = &f->shared;
	token = json_each_member(j, thread_member, f, e);
	/* What there is of one that is cut short counts too. */
	if (token != JSON_ERROR) {
		f->b->thread = find_thread(f);
		frames.t = f->own.column[STACK_FRAME].seen ? &f->own : &f->shared;
		if (firefox_samples_count(&f->samples, &frames, &f->own, e))
			token = JSON_ERROR;
	}
	firefox_tables_release(&f->own);
	return token;
}

/* The text, once for what all share and once for the threads */

static int read_profile(struct build *b, struct span all, unsigned level, struct error *e);

/* Its place in the text is all that is needed of it now. */
static enum json_token read_process(void *arg, struct json *j, enum json_token token,
				    struct error *e)
{
	struct firefox *f = arg;
	const char *begin = j->text->at - 1;
	enum json_token end = json_skip(j, token, e);

	if (token != JSON_OBJECT || end == JSON_ERROR || f->level + 1 >= LEVELS_MAX)
		return end;
	if (read_profile(f->b, span_between(begin, j->text->at), f->level + 1, e))
		return JSON_ERROR;
	return end;
}

static enum json_token shared_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct firefox *f = arg;
	enum json_token token = firefox_tables_member(&f->shared, f->b, j, name, e);

	return token == JSON_NAME ? json_pass_over(j, e) : token;
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
	return json_pass_over(j, e);
}

static enum json_token second_member(void *arg, struct json *j, struct span name, struct error *e)
{
	if (span_is(name, "threads"))
		return json_array_of(j, read_thread, arg, e);
	if (span_is(name, "processes"))
		return json_array_of(j, read_process, arg, e);
	return json_pass_over(j, e);
}

static int read_pass(struct firefox *f, struct span all, json_member_fn *member, bool *cut,
		     struct error *e)
{
	struct text *before = f->b->text, over;
	enum json_token token;
	struct json json;

	text_over(&over, all);
	f->b->text = &over;
	json_init(&json, &over);
	token = json_object_of(&json, member, f, e);
	*cut = json.cut;
	json_release(&json);
	text_release(&over);
	f->b->text = before;
	return token == JSON_ERROR ? -1 : 0;
}

static int read_profile(struct build *b, struct span all, unsigned level, struct error *e)
{
	struct firefox f = { .b = b, .level = level, .kernel = FIREFOX_NONE };
	bool cut = false;
	int ret = read_pass(&f, all, first_member, &cut, e);

	if (!ret) {
		inform_time(&f);
		ret = read_pass(&f, all, second_member, &cut, e);
	}
	if (!ret && cut && !level)
		ret = build_note(b, NOTE_NO_END, SPAN(""), e);
	firefox_tables_release(&f.shared);
	firefox_tables_release(&f.own);
	strbuf_release(&f.name);
	strbuf_release(&f.process);
	strbuf_release(&f.pid);
	strbuf_release(&f.tid);
	return ret;
}

static int firefox_read(struct build *b, struct error *e)
{
	struct strbuf all = { 0 };
	int ret = whole_read(b, &all, e);

	if (!ret)
		ret = read_profile(b, strbuf_peek(&all), 0, e);
	strbuf_release(&all);
	return ret;
}

static bool firefox_accepts(struct span head)
{
	return script_shows(head, "meta", "preprocessedProfileVersion") ||
	       (script_shows(head, "meta", "interval") && script_shows(head, "meta", "version"));
}

const struct reader reader_firefox = {
	.name = "firefox",
	.title = "profiles of the Firefox Profiler and samply (JSON)",
	.accepts = firefox_accepts,
	.read = firefox_read,
	.split = SPLIT_ANYWHERE,
	.timed = true,
	.spelling = SPELL_THREAD,
};
