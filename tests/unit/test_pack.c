/*
 * The pack: what is written is read back whole, equal profiles are equal bytes,
 * and whatever else the bytes are, reading them ends in an error or in a sound
 * profile.  Profiles are generated and compared as text, since the numbers of
 * rows differ.
 */
#include "pack/pack_read.h"
#include "pack/pack_write.h"
#include "pack/section.h"

#include "base/alloc.h"
#include "profile/spelling.h"
#include "random.h"
#include "span_tap.h"
#include "stacks.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_DEPTH = 60, NR_EVENTS = 3, FINEST = 3 };

struct sample {
	uint32_t event, pid, tid, nr_label, depth, frame[MAX_DEPTH];
	int64_t weight;
	uint64_t time, nr;
};

static struct sample generate(struct random *r, uint64_t time)
{
	static const int64_t large[] = { INT64_MAX / 1000, INT64_MIN / 1000, -1, 0 };
	struct sample s = {
		.event = random_below(r, NR_EVENTS),
		.pid = random_below(r, 4),
		.tid = random_below(r, 3),
		.nr_label = random_below(r, 4),
		.depth = random_below(r, 10) ? random_below(r, 6) : random_below(r, MAX_DEPTH),
		.weight = (int64_t)random_below(r, 300) - 20,
		.time = time * 1000 + random_below(r, 3000),
		.nr = 1 + random_below(r, 3),
	};

	if (!random_below(r, 20))
		s.weight = large[random_below(r, 4)];
	/* An event whose samples weigh what they are: written without their number. */
	if (s.event == 1)
		s.weight = (int64_t)s.nr;
	for (uint32_t i = 0; i < s.depth; i++)
		s.frame[i] = random_below(r, 70);
	return s;
}

/* Strings of every kind of byte, and long ones. */
static str_id text_of(struct profile *p, const char *prefix, uint32_t i)
{
	static const char weird[] = "\xff\x80;\n\0</script>&]]>\xe2\x80\xae\"'";
	struct strbuf b = { 0 };
	str_id s;

	strbuf_addf(&b, "%s%u", prefix, i);
	if (i % 5 == 0)
		strbuf_add(&b, (struct span){ .at = weird, .size = sizeof(weird) - 1 - i % 7 });
	for (size_t k = 0; i % 31 == 30 && k < 300; k++)
		strbuf_addch(&b, (char)(k * i));
	s = profile_string(p, strbuf_peek(&b));
	strbuf_release(&b);
	return s;
}

static module_id module_of(struct profile *p, uint32_t i)
{
	str_id path = text_of(p, "/lib/", i);

	return profile_module(p, profile_peek(p, path), i & 1 ? SPAN("cafe") : SPAN(""));
}

static frame_id frame_of(struct profile *p, uint32_t i)
{
	struct line line[3] = {
		{ .function = text_of(p, "inner", i), .file = text_of(p, "a.c", i % 5), .line = i },
		{ .function = text_of(p, "outer", i % 7), .line = UINT32_MAX - i },
		{ .function = text_of(p, "same", 0) },
	};
	struct frame f = { .kind = (enum frame_kind)(i % 4), .flags = i % 16 };
	frame_id id;

	if (i % 4)
		f.module = module_of(p, i % 4);
	if (i < 30) {
		f.line = line;
		f.nr_line = i % 4;
		return profile_frame(p, &f);
	}
	f.address = i % 3 ? i * UINT64_C(0x1234567) : UINT64_MAX - i;
	id = profile_frame(p, &f);
	if (i % 5)
		profile_name(p, id, line + i % 2, i % 3);
	return id;
}

static label_id labels_of(struct profile *p, const struct sample *s)
{
	struct label label[4];

	for (uint32_t i = 0; i < s->nr_label; i++)
		label[i] = (struct label){ .key = text_of(p, "key", 9 - i % 2),
					   .value = text_of(p, "value", s->tid + i) };
	return profile_labels(p, label, s->nr_label);
}

static void add_sample(struct profile *p, const struct sample *s)
{
	struct tick t = { .time = s->time, .event = s->event, .weight = s->weight };
	struct thread thread = { .pid = s->pid ? s->pid : THREAD_UNKNOWN,
				 .tid = s->tid ? s->tid * 1000000000 : THREAD_UNKNOWN,
				 .comm = text_of(p, "comm", s->pid) };
	frame_id path[MAX_DEPTH];

	t.thread = s->pid == 3 ? (thread_id){ 0 } : profile_thread(p, &thread);
	t.labels = labels_of(p, s);
	for (uint32_t i = 0; i < s->depth; i++)
		path[i] = frame_of(p, s->frame[i]);
	t.stack = profile_push_path(p, (stack_id){ 0 }, path, s->depth, ROOT_FIRST);
	profile_add_many(p, &t, s->nr);
}

/* What is shown in the order in which it came. */
static void add_events(struct profile *p, uint64_t seed)
{
	static const char *const name[] = { "cycles", "instructions", "" };

	for (uint32_t i = 0; i < NR_EVENTS; i++) {
		profile_event(p, span_of(name[i]), i ? SPAN("ns") : SPAN(""));
		profile_rescale(p, i, -(int)(seed % (FINEST + i + 1)));
		p->event[i].period = i * seed * UINT64_C(1000000007);
	}
	for (uint32_t i = 0; i < seed % 5; i++) {
		str_id value = text_of(p, "fact", i);

		profile_inform(p, i & 1 ? SPAN("command") : SPAN("host"), profile_peek(p, value));
	}
	for (uint32_t i = 0; i < seed % 7; i++)
		notes_add(&p->notes, (enum note_code)(i * seed % NOTE_FILTERED), i * seed,
			  i + seed * 77, SPAN("a line\nof \xff it"));
}

enum direction { FORWARD, BACKWARD };

/* nr samples; backward, every row gets another number than forward. */
static void fill(struct profile *p, uint64_t seed, size_t nr, size_t max_tick, enum direction way)
{
	struct sample *s = xcalloc(nr, sizeof(*s));
	struct random r = { seed };

	profile_init(p);
	if (max_tick)
		profile_keep_ticks(p, max_tick);
	p->timed = max_tick && seed % 2;
	if (way == BACKWARD)
		profile_string(p, SPAN("a string that no row names"));
	for (size_t i = 0; i < nr; i++)
		s[i] = generate(&r, i);
	add_events(p, seed);
	for (size_t i = 0; i < nr; i++)
		add_sample(p, &s[way == FORWARD ? i : nr - 1 - i]);
	free(s);
}

/* Rows as text: every field of every table */

static void add_string(struct strbuf *b, const struct profile *p, str_id s)
{
	struct span text = profile_peek(p, s);

	strbuf_addf(b, "%zu:", text.size);
	strbuf_add(b, text);
	strbuf_addch(b, ',');
}

static void add_frame(struct strbuf *b, const struct profile *p, frame_id id)
{
	const struct frame *f = &p->frame[id.i];

	strbuf_addf(b, "[%d %u %llx ", (int)f->kind, f->flags, (unsigned long long)f->address);
	add_string(b, p, p->module[f->module.i].path);
	add_string(b, p, p->module[f->module.i].build_id);
	for (size_t i = 0; i < f->nr_line; i++) {
		add_string(b, p, f->line[i].function);
		add_string(b, p, f->line[i].file);
		strbuf_addf(b, "%u ", f->line[i].line);
	}
	strbuf_addch(b, ']');
}

static void add_stack_row(struct strbuf *b, const struct profile *p, stack_id s)
{
	for (; s.i; s = p->stack[s.i].caller)
		add_frame(b, p, p->stack[s.i].frame);
}

static void add_thread(struct strbuf *b, const struct profile *p, thread_id id)
{
	const struct thread *t = &p->thread[id.i];

	strbuf_addf(b, "%u/%u ", t->pid, t->tid);
	add_string(b, p, t->comm);
}

static int by_text(const void *a, const void *b)
{
	const struct strbuf *x = a, *y = b;

	return span_compare(strbuf_peek(x), strbuf_peek(y));
}

/* Appends lines in the order of their bytes, and releases them. */
static void add_sorted(struct strbuf *b, struct strbuf *line, size_t nr)
{
	qsort(line, nr, sizeof(*line), by_text);
	for (size_t i = 0; i < nr; i++) {
		strbuf_add(b, strbuf_peek(&line[i]));
		strbuf_addch(b, '\n');
		strbuf_release(&line[i]);
	}
	free(line);
}

static void add_label_set(struct strbuf *b, const struct profile *p, label_id id)
{
	const struct label_set *set = &p->labels[id.i];
	struct strbuf *line = xcalloc(set->nr, sizeof(*line));

	for (size_t i = 0; i < set->nr; i++) {
		add_string(&line[i], p, set->label[i].key);
		add_string(&line[i], p, set->label[i].value);
	}
	add_sorted(b, line, set->nr);
}

static void add_row(struct strbuf *b, const struct profile *p, const struct count *c)
{
	strbuf_addf(b, "%u ", c->event);
	add_thread(b, p, c->thread);
	add_stack_row(b, p, c->stack);
	add_label_set(b, p, c->labels);
	strbuf_addf(b, " %lld of %llu", (long long)c->weight, (unsigned long long)c->nr);
}

static void spell_tables(struct strbuf *b, const struct profile *p)
{
	struct strbuf *line = xcalloc(p->nr_module, sizeof(*line));

	for (size_t i = 0; i < p->nr_module; i++) {
		add_string(&line[i], p, p->module[i].path);
		add_string(&line[i], p, p->module[i].build_id);
	}
	add_sorted(b, line, p->nr_module);
	line = xcalloc(p->nr_frame, sizeof(*line));
	for (uint32_t i = 0; i < p->nr_frame; i++)
		add_frame(&line[i], p, (frame_id){ i });
	add_sorted(b, line, p->nr_frame);
	line = xcalloc(p->nr_stack, sizeof(*line));
	for (uint32_t i = 0; i < p->nr_stack; i++)
		add_stack_row(&line[i], p, (stack_id){ i });
	add_sorted(b, line, p->nr_stack);
	line = xcalloc(p->nr_thread, sizeof(*line));
	for (uint32_t i = 0; i < p->nr_thread; i++)
		add_thread(&line[i], p, (thread_id){ i });
	add_sorted(b, line, p->nr_thread);
	line = xcalloc(p->nr_labels, sizeof(*line));
	for (uint32_t i = 0; i < p->nr_labels; i++)
		add_label_set(&line[i], p, (label_id){ i });
	add_sorted(b, line, p->nr_labels);
	line = xcalloc(p->nr_count, sizeof(*line));
	for (size_t i = 0; i < p->nr_count; i++)
		add_row(&line[i], p, &p->count[i]);
	add_sorted(b, line, p->nr_count);
}

static void spell_ticks(struct strbuf *b, const struct profile *p)
{
	strbuf_addf(b, "ticks %zu %llu %d\n", p->max_tick, (unsigned long long)p->tick_quantum,
		    p->timed);
	for (size_t i = 0; i < p->nr_tick; i++) {
		const struct tick *t = &p->tick[i];
		struct count c = { .event = t->event,
				   .thread = t->thread,
				   .stack = t->stack,
				   .labels = t->labels,
				   .weight = t->weight };

		strbuf_addf(b, "%llu: ", (unsigned long long)t->time);
		add_row(b, p, &c);
		strbuf_addch(b, '\n');
	}
}

static struct strbuf spell(const struct profile *p)
{
	struct strbuf b = { 0 };

	spell_tables(&b, p);
	for (size_t i = 0; i < p->nr_event; i++) {
		const struct event *e = &p->event[i];

		add_string(&b, p, e->name);
		add_string(&b, p, e->unit);
		strbuf_addf(&b, "%d %llu\n", e->scale, (unsigned long long)e->period);
	}
	spell_ticks(&b, p);
	for (int code = 0; code < NR_NOTE_CODES; code++)
		strbuf_addf(&b, "%llu %zu ", (unsigned long long)p->notes.count[code],
			    p->notes.kept[code]);
	for (size_t i = 0; i < p->notes.nr; i++) {
		const struct note *n = &p->notes.note[i];

		strbuf_addf(&b, "%d %llu ", (int)n->code, (unsigned long long)n->line);
		strbuf_add(&b, n->text);
		strbuf_addch(&b, '\n');
	}
	for (size_t i = 0; i < p->nr_info; i++) {
		add_string(&b, p, p->info[i].key);
		add_string(&b, p, p->info[i].value);
	}
	return b;
}

/* What went in comes out, and comes out as the same bytes once more. */
static bool survives(const struct profile *p, const struct pack_view *view)
{
	struct strbuf bytes = { 0 }, again = { 0 }, want = spell(p), got;
	struct error e = ERROR_INIT;
	struct profile back;
	bool same;

	pack_write(&bytes, p, view);
	profile_init(&back);
	if (pack_read(&back, strbuf_peek(&bytes), NULL, NULL, &e))
		printf("# %s\n", e.text);
	got = spell(&back);
	pack_write(&again, &back, view);
	same = !e.text[0] && !profile_check(&back) &&
	       span_eq(strbuf_peek(&want), strbuf_peek(&got)) &&
	       span_eq(strbuf_peek(&bytes), strbuf_peek(&again));
	strbuf_release(&bytes);
	strbuf_release(&again);
	strbuf_release(&want);
	strbuf_release(&got);
	profile_release(&back);
	return same;
}

static void test_property(void)
{
	const struct pack_setting setting[] = { { "title", SPAN("a\0b </svg>") },
						{ "empty", SPAN("") } };
	const struct pack_view view = { .setting = setting,
					.nr_setting = ARRAY_SIZE(setting),
					.spelling = SPELL_THREAD | SPELL_PID | SPELL_MODULE };
	bool bare = true, shown = true, ticks = true, coarse = true;

	for (uint64_t seed = 1; seed <= 24; seed++) {
		struct profile p;

		fill(&p, seed, seed * seed, 0, FORWARD);
		bare &= survives(&p, NULL);
		shown &= survives(&p, &view);
		profile_release(&p);
		fill(&p, seed, seed * seed, 100000, FORWARD);
		ticks &= survives(&p, &view);
		profile_release(&p);
		fill(&p, seed, 40 + seed * seed, 32, FORWARD);
		coarse &= survives(&p, NULL);
		profile_release(&p);
	}
	ok(bare, "a profile reads back unchanged from a pack without a view");
	ok(shown, "a profile reads back unchanged from a pack with a view");
	ok(ticks, "a profile with ticks reads back unchanged");
	ok(coarse, "a profile with coarsened ticks reads back unchanged");
}

/* So many rows, and such long names, that they are written in several batches and threads. */
static void test_large(void)
{
	struct profile p;

	init_profile(&p, (const char *const[]){ "cycles", NULL });
	for (int i = 0; i < 3 * 4096; i++) {
		char path[96];

		snprintf(path, sizeof(path), "%d_%032d_%d", i * 7919 % 12289, i, i);
		add_stack(&p, 0, path, i);
	}
	is_int(p.nr_stack, 3 * 4096 + 1, "a profile has a stack for each of many paths");
	ok(survives(&p, &(struct pack_view){ .spelling = SPELL_THREAD }),
	   "a profile with many stacks and long names reads back unchanged");
	profile_release(&p);
}

/* In how many chunks a section is written. */
static size_t count_chunks(struct span pack, char tag)
{
	struct bytes b = bytes_over(span_from(pack, PACK_MAGIC_SIZE));
	struct section_view s;

	while (section_next(&b, &s))
		if (s.tag == tag)
			return s.nr_chunk;
	return 0;
}

/* Long paths of few functions: 1.5 million rows. */
static void test_chunks(void)
{
	enum { PATHS = 15000, DEPTH = 100, FRAMES = 300 };
	struct strbuf first = { 0 }, again = { 0 };
	struct random r = { .state = 7 };
	struct error e = ERROR_INIT;
	struct profile p, back;

	init_profile(&p, (const char *const[]){ "cycles", NULL });
	profile_init(&back);
	for (int i = 0; i < PATHS; i++) {
		struct tick t = { .weight = 1 };

		for (int k = 0; k < DEPTH; k++) {
			char name[16];

			snprintf(name, sizeof(name), "f%u", random_below(&r, FRAMES));
			t.stack = profile_push(&p, t.stack, named_frame(&p, span_of(name)));
		}
		profile_add(&p, &t);
	}
	pack_write(&first, &p, NULL);
	ok(count_chunks(strbuf_peek(&first), 'K') > 2, "many stacks are written in chunks");
	is_int(pack_read(&back, strbuf_peek(&first), NULL, NULL, &e), 0,
	       "a pack with stacks in several chunks is read");
	is_int(back.nr_stack, p.nr_stack, "stacks in several chunks are all read");
	pack_write(&again, &back, NULL);
	ok(first.size == again.size && !memcmp(first.at, again.at, first.size),
	   "a profile read from several chunks is written as the same bytes");
	strbuf_release(&first);
	strbuf_release(&again);
	profile_release(&p);
	profile_release(&back);
}

/* A section of so many bytes, which are added in rows of 7. */
static struct strbuf section_of(size_t size, bool cut)
{
	struct section s = { 0 };
	struct strbuf out = { 0 };

	for (size_t i = 0; i < size; i++) {
		strbuf_addch(&s.body, (char)(i * i / 64));
		if (cut && i % 7 == 0)
			section_cut_even(&s);
	}
	section_end(&s);
	section_write(&s, 'S', &out);
	return out;
}

static void test_even(void)
{
	enum { CHUNK = PACK_CHUNK_SIZE };
	static const size_t sizes[] = { 0,
					100,
					CHUNK,
					2 * CHUNK - 1,
					2 * CHUNK,
					2 * CHUNK + 1,
					2 * CHUNK + 100,
					3 * CHUNK,
					4 * CHUNK + CHUNK / 2 };
	bool same = true;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct strbuf whole = section_of(sizes[i], false), cut = section_of(sizes[i], true);

		same &= span_eq(strbuf_peek(&whole), strbuf_peek(&cut));
		strbuf_release(&whole);
		strbuf_release(&cut);
	}
	ok(same,
	   "a body that is cut while it is written has the same chunks as one cut at its end");
}

static void test_any_order(void)
{
	bool same = true;

	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct strbuf a = { 0 }, b = { 0 };
		struct pack_view view = { .spelling = SPELL_THREAD };
		struct profile p, q;

		fill(&p, seed, 20 * seed, 0, FORWARD);
		fill(&q, seed, 20 * seed, 0, BACKWARD);
		pack_write(&a, &p, &view);
		pack_write(&b, &q, &view);
		same &= span_eq(strbuf_peek(&a), strbuf_peek(&b));
		strbuf_release(&a);
		strbuf_release(&b);
		profile_release(&p);
		profile_release(&q);
	}
	ok(same, "the same profile built in another order is the same bytes");
}

static void test_empty(void)
{
	struct strbuf bytes = { 0 };
	struct profile p;

	profile_init(&p);
	ok(survives(&p, NULL), "an empty profile reads back empty");
	pack_write(&bytes, &p, NULL);
	is_int(bytes.size, PACK_MAGIC_SIZE, "the pack of an empty profile is just its magic");
	strbuf_release(&bytes);
	profile_keep_ticks(&p, 10);
	ok(survives(&p, NULL), "a limit on ticks reads back from a pack without ticks");
	profile_release(&p);
}

/* Hostile bytes */

/* The same pack with every section stored as it is, where a changed byte reaches the tables. */
static void store(struct span pack, struct strbuf *out)
{
	struct bytes b = bytes_over(span_from(pack, PACK_MAGIC_SIZE));
	struct error e = ERROR_INIT;
	struct section_view s;

	strbuf_add(out, SPAN(PACK_MAGIC));
	while (section_next(&b, &s)) {
		struct strbuf unpacked = { 0 };
		struct span body = SPAN("");

		section_unpack(&s, &unpacked, &body, &e);
		strbuf_addch(out, s.tag);
		bytes_add_varint(out, body.size);
		bytes_add_varint(out, body.size);
		strbuf_add(out, body);
		strbuf_release(&unpacked);
	}
}

static void visit(void *arg, struct span key, struct span value)
{
	*(size_t *)arg += key.size + value.size;
}

/* Reads what may be anything: 0, -1 with a word, or 1 when something is wrong with either. */
static int read_any(struct span bytes)
{
	/* A copy of its own, so that reading past the end is seen. */
	char *copy = xmemdup(bytes.at, bytes.size);
	struct error e = ERROR_INIT;
	struct profile p;
	size_t settings = 0;
	int ret;

	profile_init(&p);
	ret = pack_read(&p, (struct span){ copy, bytes.size }, visit, &settings, &e);
	if (profile_check(&p) || (ret && !e.text[0]))
		ret = 1;
	profile_release(&p);
	free(copy);
	return ret;
}

static void small_pack(struct strbuf *out, uint64_t seed, size_t nr)
{
	const struct pack_setting setting[] = { { "title", SPAN("x") } };
	const struct pack_view view = { .setting = setting, .nr_setting = 1 };
	struct profile p;

	fill(&p, seed, nr, 1000, FORWARD);
	pack_write(out, &p, &view);
	profile_release(&p);
}

/* Is every section there whole?  Then what is left is a pack too. */
static bool ends_between(struct span pack, size_t size)
{
	struct bytes b = bytes_over(span_from(pack, PACK_MAGIC_SIZE));
	struct section_view s;

	while ((size_t)(b.at - (const unsigned char *)pack.at) < size && section_next(&b, &s))
		;
	return (size_t)(b.at - (const unsigned char *)pack.at) == size;
}

static void test_truncated(void)
{
	struct strbuf pack = { 0 }, stored = { 0 };
	bool sound = true, told = true;

	small_pack(&pack, 6, 3);
	store(strbuf_peek(&pack), &stored);
	for (size_t n = 0; n < stored.size; n++) {
		struct span part = span_upto(strbuf_peek(&stored), n);
		int ret = read_any(part);

		sound &= ret <= 0;
		if (n < PACK_MAGIC_SIZE || !ends_between(strbuf_peek(&stored), n))
			told &= ret == -1;
	}
	for (size_t n = 0; n < pack.size; n++)
		sound &= read_any(span_upto(strbuf_peek(&pack), n)) <= 0;
	ok(sound, "a pack truncated anywhere is an error or a sound profile");
	ok(told, "a pack truncated within a section is an error");
	strbuf_release(&pack);
	strbuf_release(&stored);
}

static void test_flipped(void)
{
	bool sound = true;
	size_t refused = 0;

	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct strbuf pack = { 0 }, stored = { 0 };
		struct random r = { seed };

		small_pack(&pack, seed, 8);
		store(strbuf_peek(&pack), &stored);
		for (size_t i = 0; i < 3000; i++) {
			size_t at = random_below(&r, (uint32_t)stored.size);
			char was = stored.at[at];
			int ret;

			stored.at[at] =
				(char)(i & 1 ? was ^ 1 << i % 8 : (int)random_below(&r, 256));
			ret = read_any(strbuf_peek(&stored));
			sound &= ret <= 0;
			refused += ret < 0;
			stored.at[at] = was;
		}
		strbuf_release(&pack);
		strbuf_release(&stored);
	}
	ok(sound, "a pack with one changed byte is an error or a sound profile");
	ok(refused > 2000, "a pack with one changed byte is often an error");
}

static void is_refused(struct span bytes, const char *why, const char *what)
{
	struct error e = ERROR_INIT;
	struct profile p;

	profile_init(&p);
	is_int(pack_read(&p, bytes, NULL, NULL, &e), -1, what);
	like(e.text, why, "the error of a rejected pack says why");
	profile_release(&p);
}

#define PACK(bytes) ((struct span){ PACK_MAGIC bytes, sizeof(PACK_MAGIC bytes) - 1 })

static void test_refused(void)
{
	is_refused(SPAN(""), "not a pack", "empty input is rejected as a pack");
	is_refused(SPAN("\x89wick\r\n\x02"), "version 2", "a pack of a later version is rejected");
	is_refused(PACK("S\x03\x03\x02\x01"), "truncated pack",
		   "a section that ends early is rejected");
	is_refused(PACK("S\x05\x05\x02\x01\x01"
			"aa"),
		   "section S: duplicate string", "a duplicate string is rejected");
	is_refused(PACK("S\x02\x02\x01\x00"), "section S: duplicate string",
		   "an explicit empty string is rejected as a duplicate");
	is_refused(PACK("M\x03\x03\x01\x01\x00"), "section M",
		   "a reference to a missing string is rejected");
	is_refused(PACK("K\x03\x03\x01\x00\x00"
			"F\x01\x01\x00"),
		   "section F: .*order", "sections out of order are rejected");
	is_refused(PACK("S\x01\x01\x00"
			"K\x03\x03\x01\x00\x00"
			"S\x01\x01\x00"),
		   "section S: .*order",
		   "a chunk apart from the others of its section is rejected");
	is_refused(PACK("S\x02\x02\x01\x01"
			"S\x80\x80\x80\x80\x20\x05xxxxx"),
		   "section S: declared size is out of range",
		   "a chunk with an impossible size is rejected");
	is_refused(PACK("K\x03\x03\x01\x01\x00"), "section K",
		   "a stack with a missing caller is rejected");
	is_refused(PACK("K\x05\x05\x02\x00\x01\x00\x00"), "section K: duplicate stack",
		   "a duplicate stack is rejected");
	is_refused(PACK("S\x80\x80\x80\x80\x20\x05xxxxx"),
		   "section S: declared size is out of range",
		   "a section with an impossible size is rejected");
	is_refused(PACK("S\x07\x05xxxxx"), "section S: corrupt compressed data",
		   "a section with invalid compressed data is rejected");
	is_refused(PACK("E\x05\x05\x01\x00\x00\x02\x00"), "section E: .*scale",
		   "an event with a scale above 0 is rejected");
	is_refused(PACK("K\x03\x03\x01\x00\x00"
			"E\x05\x05\x01\x00\x00\x00\x00"
			"C\x0a\x0a\x01\x00\x00\x00\x00\x02\x01\x00\x02\x02"),
		   "section C: duplicate count of a stack",
		   "a duplicate count of a stack is rejected");
	is_refused(PACK("E\x05\x05\x01\x00\x00\x00\x00"
			"D\x0a\x0a\x05\x01\x01\x01\x00\x00\x00\x00\x00\x02"),
		   "section D: .*add up", "ticks that the counts lack are rejected");
	is_refused(PACK("D\x04\x04\x05\x00\x00\x00"), "section D",
		   "a tick quantum of 0 is rejected");
	is_refused(PACK("A\x06\x06\x01\x00\x00\x00\x07\x00"),
		   "section A: references to missing intervals",
		   "a link to a missing interval is rejected");
	is_refused(PACK("E\x05\x05\x01\x00\x00\x00\x00"
			"V\x0c\x0c\x05\x01\x01\x00\x00\x00\x01\x01\x00\x01\x05\x00"),
		   "section V: .*add up", "intervals that the counts lack are rejected");
	is_refused(PACK("E\x05\x05\x01\x00\x00\x00\x00"
			"V\x03\x03\x05\x00\x00"),
		   "section V", "an interval quantum of 0 is rejected");
	is_refused(PACK("Q\x07\x07\x01\x00\x00\x00\x02\x01\x00"), "section Q",
		   "a series with a scale above 0 is rejected");
	is_refused(PACK("D\x04\x04\x05\x01\x02\x00"), "section D",
		   "an invalid kind of tick times is rejected");
}

static void test_later_version(void)
{
	struct error e = ERROR_INIT;
	struct profile p;

	profile_init(&p);
	is_int(pack_read(&p,
			 PACK("N\x0d\x0d\x01\x03NEW\x07\x05wordsZx"
			      "\x00\x01"),
			 NULL, NULL, &e),
	       -1, "notes followed by stray bytes are an error");
	profile_release(&p);
	profile_init(&p);
	is_int(pack_read(&p,
			 PACK("N\x0d\x0d\x01\x03NEW\x07\x05words\x00"
			      "Z\x01\x01x"
			      "z\x01\x01x"),
			 NULL, NULL, &e),
	       0, "unknown sections and unknown notes are accepted");
	is_int(p.notes.count[NOTE_FOREIGN], 8,
	       "unknown sections and unknown notes are counted as foreign");
	is_int(p.notes.nr, 2, "unknown sections and unknown notes add a note each");
	is_span(p.notes.note[0].text, "words", "an unknown note keeps the text of the file");
	profile_release(&p);
}

int main(void)
{
	test_empty();
	test_property();
	test_large();
	test_chunks();
	test_even();
	test_any_order();
	test_truncated();
	test_flipped();
	test_refused();
	test_later_version();
	return done();
}
