/*
 * callgrind's files, which PHP's Xdebug, pprof and others write, too: functions
 * with their self cost, line by line, and calls with their inclusive cost.
 *
 *	positions: line
 *	events: Ir
 *
 *	ob=(1) /usr/bin/a
 *	fl=(1) a.c
 *	fn=(1) main
 *	16 400			the self cost of line 16
 *	cfn=(2) f
 *	calls=3 51		called three times; f is at line 51
 *	16 1200			the cost of these calls
 *
 * A name is only written out with its first use; later, its number stands for
 * it.  call_graph.h derives the stacks.
 */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "read/call_graph/call_graph.h"
#include "read/perf_script/script_frame.h"
#include "read/readers.h"
#include "read/script_function.h"

#include <stdlib.h>

enum name_kind { NAME_OBJECT, NAME_FILE, NAME_FUNCTION, NR_NAME_KINDS };

/* Names by the number that the file gave them. */
struct numbered {
	struct intern ids;
	uint32_t *name;
	size_t nr, cap;
};

/* A function, with its file and object: numbers of names. */
struct position {
	uint32_t name[NR_NAME_KINDS];
};

struct callgrind {
	struct build *b;
	struct call_graph graph;
	struct intern names, places; /* places → functions of the graph */
	struct numbered numbered[NR_NAME_KINDS];
	struct position here, callee;
	uint32_t function;
	bool in_function, calls, jumps;
	size_t nr_position;
	uint64_t factor[CALL_EVENTS_MAX];
	uint64_t counted; /* of the first event, since the last total */
	struct strbuf events;
	struct strbuf sampled; /* if wick wrote it: names and periods of the sampled events */
	struct thread thread;
};

/* Names */

/* "(12) main" defines a name and its number, "(12)" refers to it, "main" is a name without a number. */
static uint32_t find_name(struct callgrind *c, enum name_kind kind, struct span value)
{
	struct numbered *n = &c->numbered[kind];
	size_t close = span_find(value, ')');
	struct span id = span_from(span_upto(value, close), 1), name;
	uint64_t number;
	uint32_t i;

	if (!span_starts(value, "(") || close == value.size || !span_u64(id, &number))
		return intern(&c->names, value);
	name = span_trim(span_from(value, close + 1));
	i = intern(&n->ids, id);
	if (i == n->nr) {
		GROW(n->name, n->nr, n->cap);
		n->name[n->nr++] = intern(&c->names, name.size ? name : SPAN("???"));
		if (!name.size)
			notes_add(&c->b->p->notes, NOTE_BAD_REF, 1, c->b->text->line, value);
	} else if (name.size) {
		n->name[i] = intern(&c->names, name);
	}
	return n->name[i];
}

static struct span peek(const struct callgrind *c, const struct position *p, enum name_kind kind)
{
	const struct interned *s = c->names.by[p->name[kind]];

	return (struct span){ .at = s->bytes, .size = s->size };
}

static bool is_known(struct span name)
{
	return name.size && !span_is(name, "???");
}

/* The name of an unresolved function is its address; a recursion level is appended with an apostrophe: 0x12a0'2 */
static frame_id make_frame(struct callgrind *c, const struct position *p)
{
	struct span object = peek(c, p, NAME_OBJECT), file = peek(c, p, NAME_FILE),
		    name = peek(c, p, NAME_FUNCTION);
	struct span plain = span_upto(name, span_find(name, '\''));
	struct frame f = { .kind = FRAME_USER };

	if (span_starts(plain, "0x") && span_hex(span_from(plain, 2), &f.address)) {
		if (is_known(object))
			f.module = profile_module(c->b->p, object, SPAN(""));
		return profile_frame(c->b->p, &f);
	}
	if (is_known(object))
		return build_frame(c->b, script_frame_kind(object), object, name);
	return script_frame(c->b, name, is_known(file) ? file : SPAN(""), 0);
}

static uint32_t find_function(struct callgrind *c, const struct position *p)
{
	uint32_t i = intern(&c->places, (struct span){ (const char *)p, sizeof(*p) });

	if (i == c->graph.nr)
		call_graph_function(&c->graph, make_frame(c, p));
	return i;
}

/* Counts the graph read so far: what follows belongs to another thread, or to other events. */
static int flush(struct callgrind *c, struct error *e)
{
	int ret;

	c->b->thread = profile_thread(c->b->p, &c->thread);
	ret = call_graph_count(&c->graph, e);
	call_graph_release(&c->graph);
	intern_release(&c->places);
	c->places = (struct intern){ 0 };
	c->in_function = c->calls = c->jumps = false;
	return ret;
}

/* Headers */

static uint32_t make_event(struct callgrind *c, struct span name, uint64_t *factor)
{
	/* Events whose name implies a unit. */
	static const struct {
		const char *name, *event, *unit;
		uint64_t factor;
	} known[] = {
		{ "Ir", "Ir", "instructions", 1 },
		{ "Time_(10ns)", "time", "ns", 10 },
		{ "Memory_(bytes)", "memory", "bytes", 1 },
	};

	*factor = 1;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (span_is(name, known[i].name)) {
			*factor = known[i].factor;
			return profile_event(c->b->p, span_of(known[i].event),
					     span_of(known[i].unit));
		}
	return profile_event(c->b->p, name, name);
}

/* "desc: sampled: cpu-clock 1000000", before the events; the limit is in bytes. */
enum { SAMPLED_MAX = 64 * 1024 };

static int read_sampled(struct callgrind *c, struct span value, struct error *e)
{
	(void)e;
	if (c->sampled.size + value.size >= SAMPLED_MAX)
		return 0;
	strbuf_add(&c->sampled, value);
	strbuf_addch(&c->sampled, '\n');
	return 0;
}

static bool is_sampled(const struct callgrind *c, struct span name, uint64_t *period)
{
	struct span rest = strbuf_peek(&c->sampled);

	while (rest.size) {
		struct span line = span_line(&rest);

		if (span_eq(span_word(&line), name))
			return span_u64(span_word(&line), period) && *period <= INT64_MAX;
	}
	return false;
}

/* The parts of a file mostly have the same events. */
static int read_events(struct callgrind *c, struct span value, struct error *e)
{
	struct span name;

	if (span_eq(strbuf_peek(&c->events), value))
		return 0;
	if (flush(c, e))
		return -1;
	strbuf_reset(&c->events);
	strbuf_add(&c->events, value);
	c->graph.nr_event = 0;
	while ((name = span_word(&value)).size) {
		size_t i = c->graph.nr_event++;

		if (i == CALL_EVENTS_MAX)
			return error_set(e, ERROR_INPUT, "line %llu: more than %d events",
					 (unsigned long long)c->b->text->line, CALL_EVENTS_MAX);
		c->graph.event[i] = c->b->event = make_event(c, name, &c->factor[i]);
		c->graph.period[i] = 0;
		/* Costs are sums; only wick writes of how many samples. */
		build_measure(c->b,
			      is_sampled(c, name, &c->graph.period[i]) ? SOURCE_SAMPLED
								       : SOURCE_MEASURED,
			      EXTENT_SHARE);
	}
	return 0;
}

static int read_positions(struct callgrind *c, struct span value, struct error *e)
{
	(void)e;
	for (c->nr_position = 0; span_word(&value).size;)
		c->nr_position++;
	return 0;
}

static uint32_t parse_id(struct span value)
{
	uint64_t id;

	return span_u64(span_word(&value), &id) && id < THREAD_UNKNOWN ? (uint32_t)id
								       : THREAD_UNKNOWN;
}

static int read_pid(struct callgrind *c, struct span value, struct error *e)
{
	(void)e;
	c->thread.pid = parse_id(value);
	return 0;
}

static int read_thread(struct callgrind *c, struct span value, struct error *e)
{
	uint32_t tid = parse_id(value);

	if (tid != c->thread.tid && flush(c, e))
		return -1;
	c->thread.tid = tid;
	return 0;
}

static int read_command(struct callgrind *c, struct span value, struct error *e)
{
	(void)e;
	profile_inform(c->b->p, SPAN("command"), value);
	return 0;
}

static int read_totals(struct callgrind *c, struct span value, struct error *e)
{
	uint64_t counted = c->counted, total;
	struct span first = value;

	c->counted = 0;
	if (!span_u64(span_word(&first), &total) || total == counted)
		return 0;
	return build_note(c->b, NOTE_BAD_TOTAL, value, e);
}

static const struct {
	const char *name;
	int (*read)(struct callgrind *c, struct span value, struct error *e);
} headers[] = {
	{ "events: ", read_events }, { "positions: ", read_positions },
	{ "pid: ", read_pid },	     { "thread: ", read_thread },
	{ "cmd: ", read_command },   { "totals: ", read_totals },
	{ "version:", NULL },	     { "creator:", NULL },
	{ "part:", NULL },	     { "desc: sampled: ", read_sampled },
	{ "desc:", NULL },	     { "event:", NULL },
	{ "summary:", NULL },	     { "rcalls=", NULL },
};

/* Lines that give the kind of the next row; the number of executions is ignored. */
static const struct {
	const char *name;
	bool jump;
} kinds[] = {
	{ "calls=", false },
	{ "jump=", true },
	{ "jcnd=", true },
};

/* Rows */

static bool is_position(struct span word)
{
	uint64_t number;

	if (span_is(word, "*"))
		return true;
	if (span_starts(word, "+") || span_starts(word, "-"))
		word = span_from(word, 1);
	if (span_starts(word, "0x"))
		return span_hex(span_from(word, 2), &number);
	return span_u64(word, &number);
}

static int read_cost(struct callgrind *c, struct span text, uint64_t *cost, struct error *e)
{
	uint64_t number;

	if (!span_u64(text, &number) || number > INT64_MAX / *cost) {
		*cost = 0;
		return build_note(c->b, NOTE_BAD_COUNT, text, e);
	}
	*cost *= number;
	return 0;
}

/* "16 400": positions, and costs; trailing zeros are omitted. */
static int read_row(struct callgrind *c, struct span line, struct error *e)
{
	struct span all = line, word;
	uint64_t cost[CALL_EVENTS_MAX] = { 0 };
	int ret;

	for (size_t i = 0; i < c->nr_position; i++)
		if (!is_position(span_word(&line)))
			return build_note(c->b, NOTE_BAD_LINE, all, e);
	if (c->jumps) {
		c->jumps = false;
		return 0;
	}
	for (size_t i = 0; i < c->graph.nr_event && (word = span_word(&line)).size; i++) {
		cost[i] = c->factor[i];
		if (read_cost(c, word, &cost[i], e))
			return -1;
	}
	if (!c->in_function || !c->graph.nr_event || span_word(&line).size)
		return build_note(c->b, NOTE_BAD_LINE, all, e);
	if (c->calls) {
		ret = call_graph_call(&c->graph, c->function, find_function(c, &c->callee), cost);
	} else {
		ret = call_graph_self(&c->graph, c->function, cost);
		c->counted += ret ? 0 : cost[0] / c->factor[0];
	}
	c->calls = false;
	c->callee = c->here;
	return ret ? build_note(c->b, NOTE_COUNT_TOO_LARGE, all, e) : 0;
}

/* The function of the following rows (fn=), the callee (cfn=), and the target of a jump (jfn=) */
static const struct {
	const char *name;
	enum name_kind kind;
	enum { PLACE_HERE, PLACE_CALLEE, PLACE_JUMP } of;
} places[] = {
	{ "fn=", NAME_FUNCTION, PLACE_HERE },  { "fl=", NAME_FILE, PLACE_HERE },
	{ "fi=", NAME_FILE, PLACE_HERE },      { "fe=", NAME_FILE, PLACE_HERE },
	{ "ob=", NAME_OBJECT, PLACE_HERE },    { "cfn=", NAME_FUNCTION, PLACE_CALLEE },
	{ "cfi=", NAME_FILE, PLACE_CALLEE },   { "cfl=", NAME_FILE, PLACE_CALLEE },
	{ "cob=", NAME_OBJECT, PLACE_CALLEE }, { "jfn=", NAME_FUNCTION, PLACE_JUMP },
	{ "jfi=", NAME_FILE, PLACE_JUMP },     { "jfl=", NAME_FILE, PLACE_JUMP },
	{ "job=", NAME_OBJECT, PLACE_JUMP },
};

static int read_place(struct callgrind *c, size_t i, struct span value)
{
	uint32_t name = find_name(c, places[i].kind, value);

	/* Jumps have no cost, but may define the number of a name. */
	if (places[i].of == PLACE_JUMP)
		return 0;
	/* A callee is in the file and object of its caller, unless specified. */
	c->callee.name[places[i].kind] = name;
	if (places[i].of == PLACE_CALLEE)
		return 0;
	c->here.name[places[i].kind] = name;
	c->callee = c->here;
	if (places[i].kind == NAME_FUNCTION && c->graph.nr_event) {
		c->function = find_function(c, &c->here);
		c->in_function = true;
	}
	return 0;
}

static int read_line(struct callgrind *c, struct span line, struct error *e)
{
	if (!line.size || line.at[0] == '#')
		return 0;
	if (is_digit(line.at[0]) || is_one_of(line.at[0], "+-*"))
		return read_row(c, line, e);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (span_starts(line, places[i].name))
			return read_place(c, i, span_trim(span_from(line, strlen(places[i].name))));
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (span_starts(line, kinds[i].name)) {
			c->calls |= !kinds[i].jump;
			c->jumps |= kinds[i].jump;
			return 0;
		}
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++)
		if (span_starts(line, headers[i].name))
			return headers[i].read
				       ? headers[i].read(c,
							 span_trim(span_from(
								 line, strlen(headers[i].name))),
							 e)
				       : 0;
	return build_note(c->b, NOTE_BAD_LINE, line, e);
}

static int callgrind_read(struct build *b, struct error *e)
{
	struct callgrind c = { .b = b, .graph = { .b = b }, .nr_position = 1 };
	struct span line;
	int ret = 0;

	c.thread = (struct thread){ .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };
	intern(&c.names, SPAN(""));
	while (!ret && text_line(b->text, &line))
		ret = read_line(&c, span_trim(line), e);
	if (!ret)
		ret = flush(&c, e);
	call_graph_release(&c.graph);
	intern_release(&c.names);
	intern_release(&c.places);
	for (size_t i = 0; i < NR_NAME_KINDS; i++) {
		intern_release(&c.numbered[i].ids);
		free(c.numbered[i].name);
	}
	strbuf_release(&c.events);
	strbuf_release(&c.sampled);
	return ret;
}

/* A header with the events, and then a function.  cachegrind's header begins with desc: */
static bool callgrind_accepts(struct span head)
{
	static const char *const begins[] = { "# callgrind format", "version: 1",
					      "creator: ", "positions: ", "events: " };
	bool yes = false;

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		yes |= span_starts(head, begins[i]);
	return yes && (span_starts(head, "events: ") || span_contains(head, "\nevents: ")) &&
	       span_contains(head, "\nfn=");
}

const struct reader reader_callgrind = {
	.name = "callgrind",
	.title = "callgrind call graphs (callgrind.out)",
	.accepts = callgrind_accepts,
	.read = callgrind_read,
};
