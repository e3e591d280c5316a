#include "profile/spelling.h"

#include "base/alloc.h"

/* One row a mark: both directions read it. */
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

struct span spelling_unmark(struct span name, struct frame *f)
{
	if (name.size < 4 || name.at[name.size - 1] != ']' ||
	    memcmp(name.at + name.size - 4, "_[", 2) != 0)
		return name;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		if (marks[i].letter != name.at[name.size - 2])
			continue;
		f->kind = marks[i].kind;
		f->flags |= marks[i].flags;
		name.size -= 4;
		break;
	}
	return name;
}

/* The first mark that fits; a name that has it already does not get it twice. */
static void add_mark(struct strbuf *out, const struct frame *f, struct span name, unsigned spelling)
{
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		const struct mark *m = &marks[i];
		char text[] = { '_', '[', m->letter, ']', '\0' };
		bool fits = m->flags ? f->flags & m->flags : f->kind == m->kind;

		if (!fits)
			continue;
		if (spelling & m->spelling && (m->letter == 'k' || !span_contains(name, text)))
			strbuf_add(out, span_of(text));
		return;
	}
}

static struct span base_name(struct span path)
{
	size_t slash = span_rfind(path, '/');

	return slash == path.size ? path : span_from(path, slash + 1);
}

static void add_text(struct strbuf *out, struct span s, unsigned spelling)
{
	if (spelling & SPELL_UTF8)
		spelling_utf8(out, s);
	else
		strbuf_add(out, s);
}

/* [libc.so.6], [unknown], [libc.so.6 <7f12>] */
static void add_unnamed(struct strbuf *out, struct span module, const struct frame *f,
			unsigned spelling)
{
	strbuf_addch(out, '[');
	add_text(out, module.size ? base_name(module) : SPAN("unknown"), spelling);
	if (spelling & SPELL_ADDRESS)
		strbuf_addf(out, " <%llx>", (unsigned long long)f->address);
	strbuf_addch(out, ']');
}

void spelling_frame(struct strbuf *out, const struct profile *p, frame_id id, size_t line,
		    unsigned spelling)
{
	const struct frame *f = &p->frame[id.i];
	struct span module = profile_peek(p, p->module[f->module.i].path), name = SPAN("");
	size_t begin = out->size;

	if (!f->nr_line) {
		add_unnamed(out, module, f, spelling);
	} else {
		name = profile_peek(p, f->line[line].function);
		if (spelling & SPELL_MODULE && module.size) {
			add_text(out, module, spelling);
			strbuf_addch(out, '`');
		}
		add_text(out, name, spelling);
	}
	add_mark(out, f, span_from(strbuf_peek(out), begin), spelling);
	if (spelling & SPELL_SRCLINE && f->nr_line && f->line[line].file.i) {
		strbuf_addch(out, ':');
		add_text(out, profile_peek(p, f->line[line].file), spelling);
		if (f->line[line].line)
			strbuf_addf(out, ":%u", f->line[line].line);
	}
}

static void add_id(struct strbuf *out, char before, uint32_t id)
{
	strbuf_addch(out, before);
	if (id == THREAD_UNKNOWN)
		strbuf_addch(out, '?');
	else
		strbuf_addf(out, "%u", id);
}

void spelling_thread(struct strbuf *out, const struct profile *p, thread_id id, unsigned spelling)
{
	const struct thread *t = &p->thread[id.i];
	size_t begin = out->size;

	if (!id.i || !(spelling & SPELL_THREAD))
		return;
	add_text(out, profile_peek(p, t->comm), spelling);
	if (spelling & SPELL_PID)
		add_id(out, '-', t->pid);
	if (spelling & SPELL_TID)
		add_id(out, spelling & SPELL_PID ? '/' : '-', t->tid);
	for (size_t i = begin; i < out->size; i++)
		if (out->at[i] == ' ')
			out->at[i] = '_';
		else if (out->at[i] == ';')
			out->at[i] = ':';
}

/* The length of the UTF-8 character at the front of s, 0 when it is none. */
static size_t utf8_length(struct span s)
{
	const unsigned char *u = (const unsigned char *)s.at;
	size_t n = u[0] < 0x80	 ? 1
		   : u[0] < 0xc2 ? 0
		   : u[0] < 0xe0 ? 2
		   : u[0] < 0xf0 ? 3
		   : u[0] < 0xf5 ? 4
				 : 0;

	if (n > s.size)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((u[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong forms, surrogates and what is past the last character. */
	if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
	    (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f))
		return 0;
	return n;
}

void spelling_utf8(struct strbuf *out, struct span s)
{
	while (s.size) {
		size_t n = utf8_length(s);

		if (n)
			strbuf_add(out, span_upto(s, n));
		else
			strbuf_add(out, SPAN("\xef\xbf\xbd"));
		s = span_from(s, n ? n : 1);
	}
}
