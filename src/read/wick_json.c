/*
 * wick's own JSON (docs/json.md):
 *
 *	{"format": "wick-profile", "version": 1, …, "events": […], "threads": […], …,
 *	 "stacks": [{"caller": 0, "frame": 1}, …],
 *	 "counts": [{"event": 0, "stack": 1, "weight": 3, "samples": 3}, …], …}
 *
 * Rows refer to rows of earlier tables.  Samples and intervals repeat the weights of the counts, with
 * times: if they are stored, the counts of their event only add the number of samples.  They follow the
 * counts, so a first pass finds their positions.
 */
#include "base/alloc.h"
#include "base/decimal.h"
#include "base/json.h"
#include "profile/spelling.h"
#include "read/json_walk.h"
#include "read/readers.h"
#include "read/whole_input.h"

#include <stdlib.h>

enum { VERSION = 1 };

/* The handles of the rows of a table, by their number in the file. */
struct handles {
	uint32_t *at;
	size_t nr, cap;
};

/* The numbers in a row of any table; 0 if the row does not have them. */
enum number {
	NUMBER_EVENT,
	NUMBER_THREAD,
	NUMBER_STACK,
	NUMBER_SAMPLES,
	NUMBER_TIME,
	NUMBER_BEGIN,
	NUMBER_END,
	NUMBER_CALLER,
	NUMBER_FRAME,
	NUMBER_MODULE,
	NUMBER_PID,
	NUMBER_TID,
	NUMBER_PERIOD,
	NUMBER_LINE,
	NR_NUMBERS,
};

static const char *const numbers[NR_NUMBERS] = {
	[NUMBER_EVENT] = "event",   [NUMBER_THREAD] = "thread",	  [NUMBER_STACK] = "stack",
	[NUMBER_TIME] = "time",	    [NUMBER_SAMPLES] = "samples", [NUMBER_BEGIN] = "begin",
	[NUMBER_END] = "end",	    [NUMBER_CALLER] = "caller",	  [NUMBER_FRAME] = "frame",
	[NUMBER_MODULE] = "module", [NUMBER_PID] = "pid",	  [NUMBER_TID] = "tid",
	[NUMBER_LINE] = "line",	    [NUMBER_PERIOD] = "period",
};

enum word {
	WORD_NAME,
	WORD_UNIT,
	WORD_SCOPE,
	WORD_SOURCE,
	WORD_EXTENT,
	WORD_KIND,
	WORD_PATH,
	WORD_BUILD_ID,
	WORD_ADDRESS,
	WORD_FUNCTION,
	WORD_FILE,
	WORD_KEY,
	WORD_VALUE,
	NR_WORDS,
};

static const char *const words[NR_WORDS] = {
	[WORD_NAME] = "name",	    [WORD_UNIT] = "unit",     [WORD_SCOPE] = "scope",
	[WORD_SOURCE] = "source",   [WORD_EXTENT] = "extent", [WORD_KIND] = "kind",
	[WORD_PATH] = "path",	    [WORD_FILE] = "file",     [WORD_BUILD_ID] = "build_id",
	[WORD_KEY] = "key",	    [WORD_VALUE] = "value",   [WORD_FUNCTION] = "function",
	[WORD_ADDRESS] = "address",
};

/* The names of frame_flags; the kinds of links and the like are words, in the order of their enum. */
static const struct {
	const char *name;
	unsigned flag;
} flags[] = {
	{ "inlined", FRAME_INLINED },	      { "return_address", FRAME_RETURN_ADDRESS },
	{ "jit_inlined", FRAME_JIT_INLINED }, { "waker", FRAME_WAKER },
	{ "in_module", FRAME_IN_MODULE },
};
static const char *const sources[] = { "sampled", "measured" };
static const char *const extents[] = { "share", "self", "whole" };
static const char *const frame_kinds[] = { "user", "kernel", "jit", "label" };
static const char *const link_kinds[] = { "waker", "holder", "parent", "async" };

struct row {
	uint64_t number[NR_NUMBERS];
	bool has[NR_NUMBERS];
	struct strbuf word[NR_WORDS];
	struct decimal weight;
	bool bad_weight;
	unsigned flags;
};

struct wick_json {
	struct build *b;
	struct whole whole;
	struct handles events, threads, modules, frames, stacks;
	uint32_t *depth; /* by stack of the file */
	size_t cap_depth;
	struct json_place counts, samples, intervals;
	bool *ticked; /* by event of the profile: its samples are ticks */
	bool is_new;  /* the profile was empty */
	bool has_spelling;
	uint64_t version, shown;
	struct strbuf spelling;
	/* Of the row being read: */
	struct row row, inner;
	struct line *line;
	size_t nr_line, cap_line;
	struct label *label;
	size_t nr_label, cap_label;
	struct link *link;
	size_t nr_link, cap_link;
	struct series *series;
	struct decimal point[2];
	size_t nr_point;
};

/* Rows */

static void handles_add(struct handles *h, uint32_t handle)
{
	GROW(h->at, h->nr, h->cap);
	h->at[h->nr++] = handle;
}

/* The handle of an earlier row of the file; 0 and a note if there is no such row. */
static uint32_t handle_of(struct wick_json *w, const struct handles *h, uint64_t row)
{
	if (row < h->nr)
		return h->at[row];
	if (row)
		notes_add(&w->b->p->notes, NOTE_BAD_REF, 1, w->b->text->line, SPAN(""));
	return 0;
}

static struct span word_of(const struct row *r, enum word word)
{
	return strbuf_peek(&r->word[word]);
}

/* The index of the word in the list; 0 if it is not in it. */
static unsigned choice(struct span word, const char *const *list, size_t nr)
{
	for (unsigned i = 0; i < nr; i++)
		if (span_is(word, list[i]))
			return i;
	return 0;
}

static void clear_row(struct row *r)
{
	for (size_t i = 0; i < NR_NUMBERS; i++) {
		r->number[i] = 0;
		r->has[i] = false;
	}
	for (size_t i = 0; i < NR_WORDS; i++)
		strbuf_reset(&r->word[i]);
	r->weight = (struct decimal){ 0 };
	r->bad_weight = false;
	r->flags = 0;
}

static void release_row(struct row *r)
{
	for (size_t i = 0; i < NR_WORDS; i++)
		strbuf_release(&r->word[i]);
}

/* Reads a member that is neither an array nor an object; skips others. */
static enum json_token plain_member(struct row *r, struct json *j, struct span name,
				    struct error *e)
{
	size_t number = 0, word = 0, flag = 0;
	bool is_weight = span_is(name, "weight");
	enum json_token token;

	/* The name is valid only until the next token. */
	while (number < NR_NUMBERS && !span_is(name, numbers[number]))
		number++;
	while (word < NR_WORDS && !span_is(name, words[word]))
		word++;
	while (flag < ARRAY_SIZE(flags) && !span_is(name, flags[flag].name))
		flag++;
	token = json_next(j, e);
	if (token == JSON_NUMBER && is_weight)
		r->bad_weight = !decimal_parse(j->value, &r->weight);
	else if (token == JSON_NUMBER && number < NR_NUMBERS)
		r->has[number] = span_u64(j->value, &r->number[number]);
	else if (token == JSON_STRING && word < NR_WORDS)
		strbuf_add(&r->word[word], j->value);
	else if (token == JSON_TRUE && flag < ARRAY_SIZE(flags))
		r->flags |= flags[flag].flag;
	return json_skip(j, token, e);
}

static enum json_token inner_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct wick_json *w = arg;

	return plain_member(&w->inner, j, name, e);
}

static enum json_token add_line(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct wick_json *w = arg;
	struct profile *p = w->b->p;

	if (token != JSON_OBJECT)
		return json_skip(j, token, e);
	clear_row(&w->inner);
	token = json_each_member(j, inner_member, w, e);
	GROW(w->line, w->nr_line, w->cap_line);
	w->line[w->nr_line++] =
		(struct line){ .function = profile_string(p, word_of(&w->inner, WORD_FUNCTION)),
			       .file = profile_string(p, word_of(&w->inner, WORD_FILE)),
			       .line = (uint32_t)w->inner.number[NUMBER_LINE] };
	return token;
}

static enum json_token add_label(void *arg, struct json *j, struct span name, struct error *e)
{
	struct wick_json *w = arg;
	struct profile *p = w->b->p;
	str_id key = profile_string(p, name);
	enum json_token token = json_next(j, e);

	if (token == JSON_STRING) {
		GROW(w->label, w->nr_label, w->cap_label);
		w->label[w->nr_label++] =
			(struct label){ .key = key, .value = profile_string(p, j->value) };
	}
	return json_skip(j, token, e);
}

static enum json_token add_link(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct wick_json *w = arg;

	if (token != JSON_OBJECT)
		return json_skip(j, token, e);
	clear_row(&w->inner);
	token = json_each_member(j, inner_member, w, e);
	GROW(w->link, w->nr_link, w->cap_link);
	w->link[w->nr_link++] = (struct link){
		.kind = choice(word_of(&w->inner, WORD_KIND), link_kinds, ARRAY_SIZE(link_kinds)),
		.thread = { handle_of(w, &w->threads, w->inner.number[NUMBER_THREAD]) },
		.stack = { handle_of(w, &w->stacks, w->inner.number[NUMBER_STACK]) },
		.interval = INTERVAL_NONE,
	};
	return token;
}

static enum json_token point_number(void *arg, struct json *j, enum json_token token,
				    struct error *e)
{
	struct wick_json *w = arg;

	if (token == JSON_NUMBER && w->nr_point < ARRAY_SIZE(w->point) &&
	    decimal_parse(j->value, &w->point[w->nr_point]))
		w->nr_point++;
	return json_skip(j, token, e);
}

/* Converts a value to the scale of the series, which is made finer if the value needs it. */
static bool fit_point(struct series *s, struct decimal value, int64_t *to)
{
	while (-s->scale < value.digits && -s->scale < DECIMAL_DIGITS_MAX) {
		for (size_t i = 0; i < s->nr; i++)
			if (s->point[i].value > INT64_MAX / 10 ||
			    s->point[i].value < INT64_MIN / 10)
				return decimal_at(value, -s->scale, to);
		for (size_t i = 0; i < s->nr; i++)
			s->point[i].value *= 10;
		s->scale--;
	}
	return decimal_at(value, -s->scale, to);
}

/* [time, value] */
static enum json_token add_point(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct wick_json *w = arg;
	int64_t time, value;

	if (token != JSON_ARRAY)
		return json_skip(j, token, e);
	w->nr_point = 0;
	token = json_each_element(j, point_number, w, e);
	if (json_is_over(token))
		return token;
	if (!w->series)
		w->series =
			profile_series(w->b->p, word_of(&w->row, WORD_NAME),
				       word_of(&w->row, WORD_UNIT), word_of(&w->row, WORD_SCOPE));
	if (w->nr_point < 2 || !w->series || !decimal_at(w->point[0], 0, &time) || time < 0 ||
	    !fit_point(w->series, w->point[1], &value))
		return build_note(w->b, NOTE_BAD_RECORD, SPAN("series"), e) ? JSON_ERROR : token;
	series_add(w->b->p, w->series, (uint64_t)time, value);
	return token;
}

static enum json_token row_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct wick_json *w = arg;

	if (span_is(name, "lines"))
		return json_array_of(j, add_line, w, e);
	if (span_is(name, "labels"))
		return json_object_of(j, add_label, w, e);
	if (span_is(name, "links"))
		return json_array_of(j, add_link, w, e);
	if (span_is(name, "points"))
		return json_array_of(j, add_point, w, e);
	return plain_member(&w->row, j, name, e);
}

/* Reads an object; *whole: it is complete. */
static enum json_token read_row(struct wick_json *w, struct json *j, enum json_token token,
				bool *whole, struct error *e)
{
	*whole = false;
	if (token != JSON_OBJECT)
		return json_skip(j, token, e);
	clear_row(&w->row);
	w->nr_line = w->nr_label = w->nr_link = 0;
	w->series = NULL;
	token = json_each_member(j, row_member, w, e);
	*whole = token == JSON_OBJECT_END;
	return token;
}

/* Tables */

static void add_info(struct wick_json *w)
{
	profile_inform(w->b->p, word_of(&w->row, WORD_KEY), word_of(&w->row, WORD_VALUE));
}

static void add_event(struct wick_json *w)
{
	struct profile *p = w->b->p;
	uint32_t i = profile_event(p, word_of(&w->row, WORD_NAME), word_of(&w->row, WORD_UNIT));

	p->event[i].period = w->row.number[NUMBER_PERIOD];
	p->event[i].source = choice(word_of(&w->row, WORD_SOURCE), sources, ARRAY_SIZE(sources));
	p->event[i].extent = choice(word_of(&w->row, WORD_EXTENT), extents, ARRAY_SIZE(extents));
	handles_add(&w->events, i);
}

static uint32_t id_of(const struct row *r, enum number number)
{
	return r->has[number] && r->number[number] < THREAD_UNKNOWN ? (uint32_t)r->number[number]
								    : THREAD_UNKNOWN;
}

static void add_thread(struct wick_json *w)
{
	struct thread t = { .pid = id_of(&w->row, NUMBER_PID),
			    .tid = id_of(&w->row, NUMBER_TID),
			    .comm = profile_string(w->b->p, word_of(&w->row, WORD_NAME)) };

	/* Row 0 is "no thread"; in the same way, the rows 0 below are no module, no frame, no stack. */
	handles_add(&w->threads, w->threads.nr ? profile_thread(w->b->p, &t).i : 0);
}

static void add_module(struct wick_json *w)
{
	handles_add(&w->modules, w->modules.nr
					 ? profile_module(w->b->p, word_of(&w->row, WORD_PATH),
							  word_of(&w->row, WORD_BUILD_ID))
						   .i
					 : 0);
}

static void add_frame(struct wick_json *w)
{
	struct span address = word_of(&w->row, WORD_ADDRESS);
	struct frame f = {
		.kind = choice(word_of(&w->row, WORD_KIND), frame_kinds, ARRAY_SIZE(frame_kinds)),
		.flags = w->row.flags,
		.module = { handle_of(w, &w->modules, w->row.number[NUMBER_MODULE]) },
		.line = w->line,
		.nr_line = (uint32_t)w->nr_line,
	};

	if (span_starts(address, "0x"))
		span_hex(span_from(address, 2), &f.address);
	handles_add(&w->frames, w->frames.nr ? profile_frame(w->b->p, &f).i : 0);
}

static void add_stack(struct wick_json *w)
{
	uint64_t caller = w->row.number[NUMBER_CALLER];
	frame_id frame = { handle_of(w, &w->frames, w->row.number[NUMBER_FRAME]) };
	stack_id stack = { handle_of(w, &w->stacks, caller) };
	uint32_t depth = caller < w->stacks.nr ? w->depth[caller] : 0;

	if (!w->stacks.nr)
		stack.i = 0;
	else if (depth < PROFILE_DEPTH_MAX)
		stack = profile_push(w->b->p, stack, frame);
	else
		notes_add(&w->b->p->notes, NOTE_TOO_DEEP, 1, w->b->text->line, SPAN(""));
	GROW(w->depth, w->stacks.nr, w->cap_depth);
	w->depth[w->stacks.nr] = w->stacks.nr ? depth + 1 : 0;
	handles_add(&w->stacks, stack.i);
}

static const struct table {
	const char *name;
	void (*add)(struct wick_json *w); /* called for each row; NULL: reading it was enough */
} tables[] = {
	{ "info", add_info },	   { "events", add_event }, { "threads", add_thread },
	{ "modules", add_module }, { "frames", add_frame }, { "stacks", add_stack },
	{ "series", NULL },
};

struct filling {
	struct wick_json *w;
	const struct table *table;
};

static enum json_token table_row(void *arg, struct json *j, enum json_token token, struct error *e)
{
	const struct filling *f = arg;
	bool whole;

	token = read_row(f->w, j, token, &whole, e);
	if (whole && f->table->add)
		f->table->add(f->w);
	return token;
}

static enum json_token number_of(struct json *j, uint64_t *to, struct error *e)
{
	enum json_token token = json_next(j, e);

	if (token == JSON_NUMBER)
		span_u64(j->value, to);
	return json_skip(j, token, e);
}

static enum json_token member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct wick_json *w = arg;

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (span_is(name, tables[i].name))
			return json_array_of(j, table_row,
					     &(struct filling){ .w = w, .table = &tables[i] }, e);
	if (span_is(name, "counts"))
		return json_place_of(j, &w->counts, e);
	if (span_is(name, "samples"))
		return json_place_of(j, &w->samples, e);
	if (span_is(name, "intervals"))
		return json_place_of(j, &w->intervals, e);
	if (span_is(name, "spelling")) {
		w->has_spelling = true;
		return json_string_of(j, &w->spelling, e);
	}
	if (span_is(name, "version"))
		return number_of(j, &w->version, e);
	if (span_is(name, "shown"))
		return number_of(j, &w->shown, e);
	return json_pass_over(j, e);
}

/* Counts, samples, intervals */

/* Sets event, thread and labels of the row in the builder; 1: the row is invalid. */
static int use_row(struct wick_json *w, int64_t *weight, struct error *e)
{
	struct build *b = w->b;

	if (w->row.number[NUMBER_EVENT] >= w->events.nr)
		return build_note(b, NOTE_BAD_REF, SPAN("event"), e) ? -1 : 1;
	b->event = w->events.at[w->row.number[NUMBER_EVENT]];
	b->thread.i = handle_of(w, &w->threads, w->row.number[NUMBER_THREAD]);
	b->labels = profile_labels(b->p, w->label, w->nr_label);
	if (w->row.bad_weight || !build_decimal(b, w->row.weight, weight))
		return build_note(b, NOTE_BAD_COUNT, SPAN(""), e) ? -1 : 1;
	return 0;
}

static int add_sample(struct wick_json *w, struct error *e)
{
	struct profile *p = w->b->p;
	int64_t weight;
	int ret = use_row(w, &weight, e);
	struct tick t = { .time = w->row.number[NUMBER_TIME],
			  .event = w->b->event,
			  .thread = w->b->thread,
			  .stack = { handle_of(w, &w->stacks, w->row.number[NUMBER_STACK]) },
			  .labels = w->b->labels };

	if (ret)
		return ret < 0 ? -1 : 0;
	t.weight = weight;
	if (profile_add(p, &t))
		return build_note(w->b, NOTE_COUNT_TOO_LARGE, SPAN(""), e);
	p->timed = true;
	w->ticked[t.event] = true;
	return 0;
}

/* For an event whose samples were already added: only adds the number of samples. */
static int match_count(struct wick_json *w, const struct count *c, struct error *e)
{
	const struct count *have = profile_find_count(w->b->p, c);
	struct count more = *c;

	if (!have || have->weight != c->weight || have->nr > c->nr)
		return build_note(w->b, NOTE_BAD_TOTAL, SPAN(""), e);
	more.weight = 0;
	more.nr = c->nr - have->nr;
	return profile_add_count(w->b->p, &more)
		       ? build_note(w->b, NOTE_COUNT_TOO_LARGE, SPAN(""), e)
		       : 0;
}

static int add_count(struct wick_json *w, struct error *e)
{
	struct build *b = w->b;
	stack_id stack = { handle_of(w, &w->stacks, w->row.number[NUMBER_STACK]) };
	uint64_t nr = w->row.has[NUMBER_SAMPLES] ? w->row.number[NUMBER_SAMPLES] : 1;
	int64_t weight;
	int ret = use_row(w, &weight, e);

	if (ret)
		return ret < 0 ? -1 : 0;
	if (!w->ticked[b->event])
		return build_add(b, stack, weight, nr, e);
	return match_count(w,
			   &(struct count){ .event = b->event,
					    .thread = b->thread,
					    .stack = stack,
					    .labels = b->labels,
					    .weight = weight,
					    .nr = nr },
			   e);
}

static link_id link_row(struct wick_json *w)
{
	link_id next = { 0 };

	for (size_t i = w->nr_link; i; i--) {
		w->link[i - 1].next = next;
		next = profile_link(w->b->p, &w->link[i - 1]);
	}
	return next;
}

static int add_interval(struct wick_json *w, struct error *e)
{
	uint64_t begin = w->row.number[NUMBER_BEGIN], nr = w->row.number[NUMBER_SAMPLES];
	uint64_t end = w->row.has[NUMBER_END] ? w->row.number[NUMBER_END] : INTERVAL_OPEN;
	int64_t weight;
	int ret = use_row(w, &weight, e);

	if (ret)
		return ret < 0 ? -1 : 0;
	if (end < begin && build_note(w->b, NOTE_BAD_TIME, SPAN(""), e))
		return -1;
	profile_add_extent(
		w->b->p, &(struct interval){
				 .begin = begin,
				 .end = end < begin ? begin : end,
				 .weight = weight,
				 .event = (uint16_t)w->b->event,
				 .thread = w->b->thread,
				 .stack = { handle_of(w, &w->stacks, w->row.number[NUMBER_STACK]) },
				 .labels = w->b->labels,
				 .link = link_row(w),
				 .nr = nr && nr <= UINT16_MAX ? (uint16_t)nr : 1,
			 });
	return 0;
}

struct adding {
	struct wick_json *w;
	int (*add)(struct wick_json *w, struct error *e);
};

static enum json_token add_row(void *arg, struct json *j, enum json_token token, struct error *e)
{
	const struct adding *a = arg;
	bool whole;

	token = read_row(a->w, j, token, &whole, e);
	return whole && a->add(a->w, e) ? JSON_ERROR : token;
}

static int read_table(struct wick_json *w, struct json_place place,
		      int (*add)(struct wick_json *w, struct error *e), struct error *e)
{
	struct adding a = { .w = w, .add = add };
	struct text *before = w->b->text;
	struct json_again again;
	enum json_token token;

	json_again_open(&again, w->whole.source, place, w->whole.all.at + w->whole.all.size);
	w->b->text = &again.text;
	token = json_each_element(&again.json, add_row, &a, e);
	w->b->text = before;
	json_again_close(&again);
	return token == JSON_ERROR ? -1 : 0;
}

static bool has_rows(const struct wick_json *w, struct json_place place)
{
	struct error ignored = ERROR_INIT;
	struct json_again again;
	bool any;

	json_again_open(&again, w->whole.source, place, w->whole.all.at + w->whole.all.size);
	any = json_next(&again.json, &ignored) == JSON_OBJECT;
	json_again_close(&again);
	return any;
}

static int read_samples(struct wick_json *w, struct error *e)
{
	struct profile *p = w->b->p;

	if (w->version != VERSION)
		return error_set(e, ERROR_INPUT, "unsupported version %llu of wick's JSON",
				 (unsigned long long)w->version);
	w->b->result->is_pack = true;
	w->ticked = xcalloc(p->nr_event + 1, sizeof(*w->ticked));
	if (p->max_tick && read_table(w, w->samples, add_sample, e))
		return -1;
	if ((!p->max_tick && has_rows(w, w->samples)) ||
	    (!p->max_interval && has_rows(w, w->intervals)))
		p->unread |= UNREAD_TIMES;
	if (read_table(w, w->counts, add_count, e))
		return -1;
	if (p->max_interval && read_table(w, w->intervals, add_interval, e))
		return -1;
	if (w->is_new && w->shown < w->events.nr && w->events.at[w->shown])
		profile_swap_events(w->b->p, 0, w->events.at[w->shown]);
	if (w->has_spelling)
		w->b->result->spelling = spelling_parse(strbuf_peek(&w->spelling));
	return 0;
}

static int wick_json_read(struct build *b, struct error *e)
{
	struct wick_json w = { .b = b, .is_new = !b->p->nr_event };
	int ret = whole_open(&w.whole, b, e);

	if (!ret)
		ret = whole_json(&w.whole, b, member, &w, e);
	if (!ret)
		ret = read_samples(&w, e);
	free(w.events.at);
	free(w.threads.at);
	free(w.modules.at);
	free(w.frames.at);
	free(w.stacks.at);
	free(w.depth);
	free(w.ticked);
	free(w.line);
	free(w.label);
	free(w.link);
	strbuf_release(&w.spelling);
	release_row(&w.row);
	release_row(&w.inner);
	return ret;
}

static bool wick_json_accepts(struct span head)
{
	head = span_upto(head, 256);
	return span_starts(span_trim_start(head), "{") && span_contains(head, "\"format\"") &&
	       span_contains(head, "\"wick-profile\"");
}

const struct reader reader_wick_json = {
	.name = "wick-json",
	.title = "wick's own JSON",
	.accepts = wick_json_accepts,
	.read = wick_json_read,
	.split = SPLIT_ANYWHERE,
	.timed = true,
	.spelling = SPELL_THREAD,
};
