#include "profile/spelling.h"

#include "base/alloc.h"
#include "base/swar.h"
#include "base/utf8.h"

#include <stdlib.h>

/* Marks, for writing and reading. */
static const struct mark {
	char letter;
	unsigned spelling;
	enum frame_kind kind;
	unsigned flags;
} marks[] = {
	{ 'i', SPELL_INLINED, FRAME_USER, FRAME_JIT_INLINED },
	{ 'w', SPELL_WAKER, FRAME_USER, FRAME_WAKER },
	{ 'k', SPELL_KERNEL, FRAME_KERNEL, 0 },
	{ 'j', SPELL_JIT, FRAME_JIT, 0 },
};

/* As in stackcollapse-perf: a name that contains the mark does not get a second one, except _[k]. */
static bool can_be_marked(struct span name, const struct mark *m)
{
	const char text[] = { '_', '[', m->letter, ']', '\0' };

	return m->letter == 'k' || !span_contains(name, text);
}

struct span spelling_unmark(struct span name, struct frame *f)
{
	if (name.size < 4 || name.at[name.size - 1] != ']' ||
	    memcmp(name.at + name.size - 4, "_[", 2) != 0)
		return name;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		struct span rest = span_upto(name, name.size - 4);

		/* Only if add_mark() would add it again. */
		if (marks[i].letter != name.at[name.size - 2] || !can_be_marked(rest, &marks[i]))
			continue;
		f->kind = marks[i].kind;
		f->flags |= marks[i].flags;
		return rest;
	}
	return name;
}

/* The first mark that fits, or NULL. */
static const struct mark *mark_of(const struct frame *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (marks[i].flags ? f->flags & marks[i].flags : f->kind == marks[i].kind)
			return &marks[i];
	return NULL;
}

bool spelling_has_marks(const struct profile *p)
{
	for (size_t i = 1; i < p->nr_frame; i++)
		if (mark_of(&p->frame[i]))
			return true;
	return false;
}

bool spelling_marks_differ(const struct profile *p)
{
	enum { PLAIN = 1, MARKED };
	uint8_t *seen = xcalloc(p->strings.nr, sizeof(*seen));
	bool differ = false;

	for (size_t i = 1; i < p->nr_frame; i++) {
		const struct frame *f = &p->frame[i];
		uint8_t *name = f->nr_line ? &seen[f->line[f->nr_line - 1].function.i] : &seen[0];

		*name |= mark_of(f) ? MARKED : PLAIN;
		differ |= f->nr_line && *name == (PLAIN | MARKED);
	}
	free(seen);
	return differ;
}

static void add_mark(struct strbuf *out, const struct frame *f, struct span name, unsigned spelling)
{
	const struct mark *m = mark_of(f);

	if (m && spelling & m->spelling && can_be_marked(name, m))
		strbuf_addf(out, "_[%c]", m->letter);
}

static void add_text(struct strbuf *out, struct span s, unsigned spelling)
{
	if (spelling & SPELL_UTF8)
		spelling_utf8(out, s);
	else
		strbuf_add(out, s);
}

/* Is its module perf-PID.map?  A name with the pid would differ between runs. */
static bool is_recorded_jit(const struct frame *f)
{
	return f->kind == FRAME_JIT && f->flags & FRAME_IN_MODULE;
}

/* [libc.so.6], [unknown], [jit], [libc.so.6 <7f12>] */
static void add_unnamed(struct strbuf *out, struct span module, const struct frame *f,
			unsigned spelling)
{
	strbuf_addch(out, '[');
	if (is_recorded_jit(f))
		strbuf_add(out, SPAN("jit"));
	else
		add_text(out, module.size ? span_base(module) : SPAN("unknown"), spelling);
	if (spelling & SPELL_ADDRESS)
		strbuf_addf(out, " <%llx>", (unsigned long long)f->address);
	strbuf_addch(out, ']');
}

/* "file.c:12", as much of it as is known. */
static void add_source(struct strbuf *out, const struct profile *p, const struct line *line,
		       unsigned spelling)
{
	add_text(out, profile_peek(p, line->file), spelling);
	if (line->line)
		strbuf_addf(out, ":%u", line->line);
}

/* Does it contain characters that keep_one_frame() replaces?  Few names do, so it reads eight bytes at a time. */
static bool has_separator(struct span s)
{
	size_t i = 0;

	for (; s.size - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
		uint64_t v;

		memcpy(&v, s.at + i, sizeof(v));
		if (swar_has(v, ';') | swar_has(v, '\n') | swar_has(v, '\r'))
			return true;
	}
	for (; i < s.size; i++)
		if (s.at[i] == ';' || s.at[i] == '\n' || s.at[i] == '\r')
			return true;
	return false;
}

static void replace(struct strbuf *out, size_t begin, char from, char to)
{
	char *end = out->at + out->size, *at = out->at + begin;

	while (at < end && (at = memchr(at, from, (size_t)(end - at))))
		*at++ = to;
}

/* In folded stacks, ; separates frames and a newline ends a stack: a name must not have them. */
static void keep_one_frame(struct strbuf *out, size_t begin)
{
	if (!has_separator(span_from(strbuf_peek(out), begin)))
		return;
	replace(out, begin, ';', ':');
	replace(out, begin, '\n', ' ');
	replace(out, begin, '\r', ' ');
}

unsigned spelling_join(unsigned a, unsigned b)
{
	return ((a | b) & ~(unsigned)SPELL_MODULE) | (a & b & SPELL_MODULE);
}

bool spelling_is_function(const struct profile *p, frame_id id, size_t line, unsigned spelling)
{
	const struct frame *f = &p->frame[id.i];
	const struct mark *m = mark_of(f);

	return f->nr_line && !(m && spelling & m->spelling) &&
	       !(spelling & (SPELL_UTF8 | SPELL_MODULE_BANG | SPELL_MODULE_BEHIND)) &&
	       !(spelling & SPELL_MODULE && f->module.i) &&
	       !(spelling & (SPELL_SRCLINE | SPELL_LINE_FIRST) && f->line[line].file.i) &&
	       !has_separator(profile_peek(p, f->line[line].function));
}

void spelling_frame(struct strbuf *out, const struct profile *p, frame_id id, size_t line,
		    unsigned spelling)
{
	const struct frame *f = &p->frame[id.i];
	bool has_file = f->nr_line && f->line[line].file.i;
	struct span module = profile_peek(p, p->module[f->module.i].path);
	size_t begin = out->size;

	if (has_file && spelling & SPELL_LINE_FIRST) {
		add_source(out, p, &f->line[line], spelling);
		strbuf_addch(out, ':');
	}
	if (!f->nr_line) {
		add_unnamed(out, module, f, spelling);
	} else {
		if (spelling & SPELL_MODULE_BANG || (spelling & SPELL_MODULE && module.size)) {
			add_text(out, module, spelling);
			strbuf_addch(out, spelling & SPELL_MODULE_BANG ? '!' : '`');
		}
		add_text(out, profile_peek(p, f->line[line].function), spelling);
		if (spelling & SPELL_MODULE_BEHIND) {
			strbuf_addch(out, '(');
			add_text(out, module, spelling);
			strbuf_addch(out, ')');
		}
	}
	add_mark(out, f, span_from(strbuf_peek(out), begin), spelling);
	if (has_file && spelling & SPELL_SRCLINE && !(spelling & SPELL_LINE_FIRST)) {
		strbuf_addch(out, ':');
		add_source(out, p, &f->line[line], spelling);
	}
	keep_one_frame(out, begin);
}

static void add_id(struct strbuf *out, char before, uint32_t id)
{
	strbuf_addch(out, before);
	if (id == THREAD_UNKNOWN)
		strbuf_addch(out, '?');
	else
		strbuf_addf(out, "%u", id);
}

/* PID=12;TID=34 */
static void add_id_frame(struct strbuf *out, const char *key, uint32_t id)
{
	if (out->size)
		strbuf_addch(out, ';');
	strbuf_add(out, span_of(key));
	if (id != THREAD_UNKNOWN)
		strbuf_addf(out, "%u", id);
}

/* "worker" for "worker-12" */
static struct span pool_name(struct span name)
{
	size_t n = name.size;

	while (n > 0 && is_digit(name.at[n - 1]))
		n--;
	return n > 0 && n < name.size && name.at[n - 1] == '-' ? span_upto(name, n - 1) : name;
}

static void add_comm(struct strbuf *out, struct span comm, unsigned spelling)
{
	size_t begin = out->size;

	if (spelling & SPELL_POOL)
		comm = pool_name(comm);
	add_text(out, comm, spelling);
	keep_one_frame(out, begin);
	for (size_t i = begin; i < out->size && !(spelling & SPELL_BLANKS); i++)
		if (out->at[i] == ' ')
			out->at[i] = '_';
}

void spelling_thread(struct strbuf *out, const struct profile *p, thread_id id, unsigned spelling)
{
	const struct thread *t = &p->thread[id.i];
	struct span comm = profile_peek(p, t->comm);

	if (!id.i || !(spelling & SPELL_THREAD))
		return;
	if (spelling & SPELL_ID_FRAMES) {
		if (spelling & SPELL_PID)
			add_id_frame(out, "PID=", t->pid);
		if (spelling & SPELL_TID)
			add_id_frame(out, "TID=", t->tid);
		if (comm.size && out->size)
			strbuf_addch(out, ';');
		add_comm(out, comm, spelling);
		return;
	}
	add_comm(out, comm, spelling);
	if (spelling & SPELL_HEX_TID) {
		if (spelling & SPELL_TID && t->tid != THREAD_UNKNOWN)
			strbuf_addf(out, "-0x%X", t->tid);
		return;
	}
	if (spelling & SPELL_LONE_TID) {
		if (spelling & SPELL_TID)
			add_id(out, '-', t->tid);
		return;
	}
	if (spelling & (SPELL_PID | SPELL_TID))
		add_id(out, '-', t->pid);
	if (spelling & SPELL_TID)
		add_id(out, '/', t->tid);
}

void spelling_utf8(struct strbuf *out, struct span s)
{
	size_t valid = 0;

	while ((valid += utf8_ascii(span_from(s, valid))) < s.size) {
		bool whole;
		size_t n = utf8_whole(span_from(s, valid), &whole);

		if (whole) {
			valid += n;
			continue;
		}
		strbuf_add(out, span_upto(s, valid));
		strbuf_add(out, SPAN("\xef\xbf\xbd"));
		s = span_from(s, valid + n);
		valid = 0;
	}
	strbuf_add(out, s);
}

static const struct {
	const char *word;
	unsigned spelling;
} spellings[] = {
	{ "thread", SPELL_THREAD },
	{ "pid", SPELL_PID },
	{ "tid", SPELL_TID },
	{ "kernel", SPELL_KERNEL },
	{ "jit", SPELL_JIT },
	{ "inlined", SPELL_INLINED },
	{ "waker", SPELL_WAKER },
	{ "module", SPELL_MODULE },
	{ "address", SPELL_ADDRESS },
	{ "srcline", SPELL_SRCLINE },
	{ "utf8", SPELL_UTF8 },
	{ "line-first", SPELL_LINE_FIRST },
	{ "blanks", SPELL_BLANKS },
	{ "pool", SPELL_POOL },
	{ "hex-tid", SPELL_HEX_TID },
	{ "id-frames", SPELL_ID_FRAMES },
	{ "lone-tid", SPELL_LONE_TID },
	{ "module-bang", SPELL_MODULE_BANG },
	{ "module-behind", SPELL_MODULE_BEHIND },
};

void spelling_write(struct strbuf *out, unsigned spelling)
{
	const char *between = "";

	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
		if (spelling & spellings[i].spelling) {
			strbuf_addf(out, "%s%s", between, spellings[i].word);
			between = " ";
		}
}

unsigned spelling_parse(struct span words)
{
	unsigned spelling = 0;
	struct span word;

	while ((word = span_word(&words)).size)
		for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
			if (span_is(word, spellings[i].word))
				spelling |= spellings[i].spelling;
	return spelling;
}
