#include "pack/pack_read.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "pack/section.h"

#include <assert.h>
#include <stdlib.h>

struct reader {
	struct profile *p;
	pack_visitor *visit;
	void *arg;
};

bool pack_begins(struct span head)
{
	/* The version is read_header()'s concern. */
	return head.size >= PACK_MAGIC_SIZE && !memcmp(head.at, PACK_MAGIC, PACK_MAGIC_SIZE - 1);
}

static int wrong(struct error *e, const char *what)
{
	return error_set(e, ERROR_INPUT, "%s", what);
}

static int cut_short(struct error *e)
{
	return wrong(e, "is cut short, or a number in it is too large");
}

/* A handle of a table that has nr rows. */
static uint32_t handle(struct bytes *b, size_t nr)
{
	return (uint32_t)bytes_upto(b, nr - 1);
}

static str_id string(const struct reader *r, struct bytes *b)
{
	return (str_id){ handle(b, r->p->strings.nr) };
}

static int read_strings(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes size = bytes_column(b, nr);

	for (size_t i = 0; i < nr; i++) {
		struct span s = bytes_take(b, bytes_upto(&size, PROFILE_NAME_MAX));

		if (b->failed || size.failed)
			return cut_short(e);
		if (profile_string(r->p, s).i != i + 1)
			return wrong(e, "has a string twice");
	}
	return b->failed ? cut_short(e) : 0;
}

static int read_modules(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes path = bytes_column(b, nr), build_id = bytes_column(b, nr);

	for (size_t i = 0; i < nr; i++) {
		str_id name = string(r, &path), id = string(r, &build_id);

		if (path.failed || build_id.failed)
			return cut_short(e);
		if (profile_module(r->p, profile_peek(r->p, name), profile_peek(r->p, id)).i !=
		    i + 1)
			return wrong(e, "has a module twice");
	}
	return b->failed ? cut_short(e) : 0;
}

/* Columns of the lines of all frames. */
struct line_columns {
	struct bytes function, file, line;
	size_t nr;
	struct line *at; /* those of a frame */
	size_t cap;
};

/* The next nr lines; -1: there are fewer. */
static int next_lines(const struct reader *r, struct line_columns *l, size_t nr)
{
	if (nr > l->nr)
		return -1;
	l->nr -= nr;
	if (nr > l->cap) {
		l->cap = nr;
		l->at = xreallocarray(l->at, l->cap, sizeof(*l->at));
	}
	for (size_t i = 0; i < nr; i++)
		l->at[i] = (struct line){ .function = string(r, &l->function),
					  .file = string(r, &l->file),
					  .line = (uint32_t)bytes_upto(&l->line, UINT32_MAX) };
	return l->function.failed || l->file.failed || l->line.failed ? -1 : 0;
}

enum {
	FRAME_FLAGS = FRAME_RETURN_ADDRESS | FRAME_INLINED | FRAME_JIT_INLINED | FRAME_WAKER |
		      FRAME_IN_MODULE
};

static int read_frames(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes kind = bytes_column(b, nr), flags = bytes_column(b, nr),
		     module = bytes_column(b, nr), address = bytes_column(b, nr),
		     nr_line = bytes_column(b, nr);
	struct line_columns l = { .nr = bytes_count(b) };
	uint64_t at = 0;
	int ret = 0;

	l.function = bytes_column(b, l.nr);
	l.file = bytes_column(b, l.nr);
	l.line = bytes_column(b, l.nr);
	for (size_t i = 0; i < nr && !ret; i++) {
		size_t lines = (size_t)bytes_varint(&nr_line);
		struct frame f = { .kind = (enum frame_kind)bytes_upto(&kind, FRAME_LABEL),
				   .flags = (unsigned)bytes_upto(&flags, FRAME_FLAGS),
				   .module = { handle(&module, r->p->nr_module) },
				   .nr_line = lines };

		at += (uint64_t)bytes_signed(&address);
		f.address = at;
		if (kind.failed || flags.failed || module.failed || address.failed ||
		    nr_line.failed || next_lines(r, &l, lines)) {
			ret = cut_short(e);
			break;
		}
		f.line = l.at;
		if (profile_frame(r->p, &f).i != i + 1)
			ret = wrong(e, "has a frame twice");
	}
	free(l.at);
	if (!ret && (b->failed || l.nr))
		ret = cut_short(e);
	return ret;
}

static int read_stacks(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b), depth = 0, cap = 0;
	struct bytes ups = bytes_column(b, nr), frame = bytes_column(b, nr);
	stack_id *at = NULL; /* by depth: the stack that is open there */
	int ret = nr < PROFILE_MAX_ROWS ? 0 : wrong(e, "has too many stacks");

	GROW(at, depth, cap);
	at[0] = (stack_id){ 0 };
	for (size_t i = 0; i < nr && !ret; i++) {
		uint64_t up = bytes_upto(&ups, depth);
		frame_id f = { handle(&frame, r->p->nr_frame) };

		if (ups.failed || frame.failed) {
			ret = cut_short(e);
			break;
		}
		depth = depth + 1 - up;
		if (depth > PROFILE_DEPTH_MAX) {
			ret = wrong(e, "has a stack that is too deep");
			break;
		}
		GROW(at, depth, cap);
		at[depth] = profile_push(r->p, at[depth - 1], f);
		if (at[depth].i != i + 1)
			ret = wrong(e, "has a stack twice");
	}
	free(at);
	return !ret && b->failed ? cut_short(e) : ret;
}

static int read_threads(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes pid = bytes_column(b, nr), tid = bytes_column(b, nr),
		     comm = bytes_column(b, nr);

	for (size_t i = 0; i < nr; i++) {
		/* 0 less 1 is THREAD_UNKNOWN. */
		struct thread t = { .pid = (uint32_t)bytes_upto(&pid, UINT32_MAX) - 1,
				    .tid = (uint32_t)bytes_upto(&tid, UINT32_MAX) - 1,
				    .comm = string(r, &comm) };

		if (pid.failed || tid.failed || comm.failed)
			return cut_short(e);
		if (profile_thread(r->p, &t).i != i + 1)
			return wrong(e, "has a thread twice");
	}
	return b->failed ? cut_short(e) : 0;
}

/* They are found by looking at all. */
enum { EVENTS_MAX = 10000 };

static int read_events(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes name = bytes_column(b, nr), unit = bytes_column(b, nr),
		     scale = bytes_column(b, nr), period = bytes_column(b, nr);

	if (nr > EVENTS_MAX)
		return wrong(e, "has too many events");
	for (size_t i = 0; i < nr; i++) {
		str_id n = string(r, &name), u = string(r, &unit);
		int64_t s = bytes_signed(&scale);
		uint64_t every = bytes_varint(&period);

		if (name.failed || unit.failed || scale.failed || period.failed)
			return cut_short(e);
		if (s > 0 || s < PROFILE_SCALE_MIN)
			return wrong(e, "has a scale that no event has");
		if (profile_event(r->p, profile_peek(r->p, n), profile_peek(r->p, u)) != i)
			return wrong(e, "has an event twice");
		r->p->event[i].scale = (int)s;
		r->p->event[i].period = every;
	}
	return b->failed ? cut_short(e) : 0;
}

static int read_labels(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b), cap = 0;
	struct bytes size = bytes_column(b, nr), sizes = size, key;
	struct label *label = NULL;
	uint64_t all = 0;
	int ret = 0;

	/* The two columns are of the same length. */
	for (size_t i = 0; i < nr && all <= bytes_left(b); i++)
		all += bytes_upto(&sizes, bytes_left(b));
	if (all > bytes_left(b))
		return cut_short(e);
	key = bytes_column(b, (size_t)all);
	for (size_t i = 0; i < nr && !ret; i++) {
		size_t nr_label = (size_t)bytes_upto(&size, all);

		all -= nr_label;
		if (nr_label > cap) {
			cap = nr_label;
			label = xreallocarray(label, cap, sizeof(*label));
		}
		for (size_t k = 0; k < nr_label; k++)
			label[k] = (struct label){ string(r, &key), string(r, b) };
		if (size.failed || key.failed || b->failed)
			ret = cut_short(e);
		else if (profile_labels(r->p, label, nr_label).i != i + 1)
			ret = wrong(e, "has a set of labels twice");
	}
	free(label);
	return !ret && b->failed ? cut_short(e) : ret;
}

/* Counts */

struct group {
	uint64_t event, thread, labels, mode;
	size_t nr;
};

static struct group next_group(const struct reader *r, struct bytes *b)
{
	const struct profile *p = r->p;
	struct group g = { .event = bytes_varint(b), .thread = bytes_varint(b) };

	g.labels = bytes_varint(b);
	g.mode = bytes_upto(b, 1);
	g.nr = bytes_count(b);
	if (g.event >= p->nr_event || g.thread >= p->nr_thread || g.labels >= p->nr_labels)
		bytes_fail(b);
	return g;
}

static bool is_behind(const struct group *g, const struct group *last)
{
	if (g->event != last->event)
		return g->event > last->event;
	if (g->thread != last->thread)
		return g->thread > last->thread;
	return g->labels > last->labels;
}

/* The columns of all groups. */
struct count_columns {
	struct bytes stack, weight, nr;
};

static int read_group(struct reader *r, const struct group *g, struct count_columns *column,
		      struct error *e)
{
	struct count c = { .event = (uint32_t)g->event,
			   .thread = { (uint32_t)g->thread },
			   .labels = { (uint32_t)g->labels } };
	uint64_t stack = 0;

	for (size_t i = 0; i < g->nr; i++) {
		uint64_t step = bytes_upto(&column->stack, r->p->nr_stack - 1);

		stack += step;
		c.stack.i = (uint32_t)stack;
		c.weight = bytes_signed(&column->weight);
		c.nr = g->mode ? bytes_varint(&column->nr) : (uint64_t)c.weight;
		if (column->stack.failed || column->weight.failed || column->nr.failed ||
		    stack >= r->p->nr_stack)
			return cut_short(e);
		if (i && !step)
			return wrong(e, "counts a stack twice");
		if (!g->mode && c.weight < 0)
			return wrong(e, "has fewer than no samples");
		profile_add_count(r->p, &c);
	}
	return 0;
}

static int read_counts(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes groups = *b;
	struct count_columns column;
	uint64_t rows = 0, samples = 0;
	struct group last = { 0 };

	for (size_t i = 0; i < nr; i++) {
		struct group g = next_group(r, b);

		if (i && !b->failed && !is_behind(&g, &last))
			return wrong(e, "has its groups out of order");
		rows += g.nr;
		samples += g.mode ? g.nr : 0;
		if (b->failed || rows > bytes_left(b))
			return cut_short(e);
		last = g;
	}
	column.stack = bytes_column(b, (size_t)rows);
	column.weight = bytes_column(b, (size_t)rows);
	column.nr = bytes_column(b, (size_t)samples);
	if (b->failed)
		return cut_short(e);
	for (size_t i = 0; i < nr; i++) {
		struct group g = next_group(r, &groups);

		if (read_group(r, &g, &column, e))
			return -1;
	}
	return 0;
}

/* Ticks */

struct tick_columns {
	struct bytes time, event, thread, stack, labels, weight;
	uint64_t now, at; /* time and stack of the row before */
};

static int next_tick(const struct profile *p, struct tick_columns *c, struct tick *t)
{
	c->now += (uint64_t)bytes_signed(&c->time);
	c->at += (uint64_t)bytes_signed(&c->stack);
	*t = (struct tick){ .time = c->now,
			    .event = handle(&c->event, p->nr_event),
			    .thread = { handle(&c->thread, p->nr_thread) },
			    .stack = { (uint32_t)c->at },
			    .labels = { handle(&c->labels, p->nr_labels) },
			    .weight = bytes_signed(&c->weight) };
	return c->time.failed || c->event.failed || c->thread.failed || c->stack.failed ||
			       c->labels.failed || c->weight.failed || c->at >= p->nr_stack
		       ? -1
		       : 0;
}

static int add_ticks(struct profile *p, struct tick_columns *c, size_t nr, struct error *e)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->nr_count; i++)
		sum += (uint64_t)p->count[i].weight;
	for (size_t i = 0; i < nr; i++) {
		struct tick t;

		if (next_tick(p, c, &t))
			return cut_short(e);
		GROW(p->tick, p->nr_tick, p->cap_tick);
		p->tick[p->nr_tick++] = t;
		sum -= (uint64_t)t.weight;
	}
	return sum ? wrong(e, "has ticks that do not add up to the counts") : 0;
}

/* More than can be: doubling it must not overflow. */
#define TICKS_MAX ((uint64_t)1 << 40)

static int read_ticks(struct reader *r, struct bytes *b, struct error *e)
{
	struct profile *p = r->p;
	uint64_t max = bytes_upto(b, TICKS_MAX), quantum = bytes_varint(b),
		 timed = bytes_upto(b, true);
	size_t nr = bytes_count(b);
	struct tick_columns c = { .time = bytes_column(b, nr) };

	c.event = bytes_column(b, nr);
	c.thread = bytes_column(b, nr);
	c.stack = bytes_column(b, nr);
	c.labels = bytes_column(b, nr);
	c.weight = bytes_column(b, nr);
	if (b->failed || (nr && !p->nr_event))
		return cut_short(e);
	if (!max || nr > max || !quantum)
		return wrong(e, "keeps more ticks than it says");
	if (add_ticks(p, &c, nr, e)) {
		p->nr_tick = 0;
		return -1;
	}
	profile_keep_ticks(p, (size_t)max);
	p->tick_quantum = quantum;
	p->timed = timed;
	return 0;
}

/* Notes */

/* The code of that name; false: a later version's. */
static bool find_code(struct span name, enum note_code *code)
{
	for (int i = 0; i < NR_NOTE_CODES; i++)
		if (span_is(name, note_name((enum note_code)i))) {
			*code = (enum note_code)i;
			return true;
		}
	return false;
}

static int read_notes(struct reader *r, struct bytes *b, struct error *e)
{
	struct notes *notes = &r->p->notes;
	size_t nr_code = bytes_count(b), nr;
	enum note_code *codes = xcalloc(nr_code, sizeof(*codes));
	struct bytes code, line, size;

	for (size_t i = 0; i < nr_code; i++) {
		struct span name = bytes_take(b, bytes_varint(b)), what;
		uint64_t count = bytes_varint(b);

		what = bytes_take(b, bytes_varint(b));
		codes[i] = NOTE_FOREIGN;
		if (b->failed)
			break;
		if (find_code(name, &codes[i]))
			notes->count[codes[i]] += count;
		else
			notes_add(notes, NOTE_FOREIGN, count, 0, what);
	}
	nr = bytes_count(b);
	code = bytes_column(b, nr);
	line = bytes_column(b, nr);
	size = bytes_column(b, nr);
	for (size_t i = 0; i < nr && !b->failed; i++) {
		size_t which = (size_t)bytes_varint(&code);
		uint64_t where = bytes_varint(&line);
		struct span text = bytes_take(b, bytes_varint(&size));

		if (code.failed || line.failed || size.failed || which >= nr_code)
			bytes_fail(b);
		else if (!b->failed)
			notes_add(notes, codes[which], 0, where, text);
	}
	free(codes);
	return b->failed ? cut_short(e) : 0;
}

static int read_info(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes key = bytes_column(b, nr), value = bytes_column(b, nr);

	if (nr > PROFILE_INFO_MAX)
		return wrong(e, "has too many facts");
	for (size_t i = 0; i < nr; i++) {
		str_id k = string(r, &key), v = string(r, &value);

		if (key.failed || value.failed)
			return cut_short(e);
		profile_inform(r->p, profile_peek(r->p, k), profile_peek(r->p, v));
	}
	return b->failed ? cut_short(e) : 0;
}

static int read_settings(struct reader *r, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);

	for (size_t i = 0; i < nr && !b->failed; i++) {
		struct span key = bytes_take(b, bytes_varint(b));
		struct span value = bytes_take(b, bytes_varint(b));

		if (!b->failed && r->visit)
			r->visit(r->arg, key, value);
	}
	return b->failed ? cut_short(e) : 0;
}

/* In the order of PACK_TAGS; NULL: only the page needs it. */
static int (*const readers[PACK_NR_TAGS])(struct reader *, struct bytes *, struct error *) = {
	read_strings, read_modules,  read_frames, read_stacks, read_threads,
	read_events,  read_labels,   read_counts, read_ticks,  read_notes,
	read_info,    read_settings, NULL,
};

static int read_section(struct reader *r, const struct section_view *s, size_t which,
			struct error *e)
{
	struct strbuf unpacked = { 0 };
	struct span body;
	int ret = section_unpack(s, &unpacked, &body, e);

	if (!ret) {
		struct bytes b = bytes_over(body);

		ret = readers[which](r, &b, e);
		if (!ret && bytes_left(&b))
			ret = wrong(e, "goes on behind its end");
	}
	strbuf_release(&unpacked);
	return ret ? error_within(e, "section %c", s->tag) : 0;
}

/* A part of the profile that a later version added. */
static void note_unknown(struct profile *p, char tag)
{
	if (tag >= 'A' && tag <= 'Z')
		notes_add(&p->notes, NOTE_FOREIGN, 1, 0, (struct span){ .at = &tag, .size = 1 });
}

int pack_read(struct profile *p, struct span bytes, pack_visitor *visit, void *arg, struct error *e)
{
	struct reader r = { .p = p, .visit = visit, .arg = arg };
	struct bytes b = bytes_over(span_from(bytes, PACK_MAGIC_SIZE));
	struct section_view s;
	size_t next = 0;

	assert(p->strings.nr == 1 && p->nr_stack == 1 && !p->nr_count && !p->fold_recursion);
	if (!pack_begins(bytes))
		return wrong(e, "these bytes are no pack");
	if (bytes.at[PACK_MAGIC_SIZE - 1] != PACK_MAGIC[PACK_MAGIC_SIZE - 1])
		return error_set(e, ERROR_INPUT,
				 "the pack is of version %u, and this wick reads version 1",
				 (unsigned)(unsigned char)bytes.at[PACK_MAGIC_SIZE - 1]);
	while (section_next(&b, &s)) {
		const char *known = s.tag ? strchr(PACK_TAGS, s.tag) : NULL;
		size_t which = known ? (size_t)(known - PACK_TAGS) : 0;

		if (!known) {
			note_unknown(p, s.tag);
			continue;
		}
		if (which < next)
			return error_set(e, ERROR_INPUT, "section %c: is out of order", s.tag);
		next = which + 1;
		if (readers[which] && read_section(&r, &s, which, e))
			return -1;
	}
	return b.failed ? wrong(e, "the pack is cut short") : 0;
}
