/* A kernel as an image, by the list that it tells of its symbols. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "image/kinds.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { NOTES_MAX = 64 * 1024 };

/* Of the kernel that runs; empty: nobody knows. */
static struct span local_build_id(char hex[static BUILD_ID_HEX_MAX])
{
	size_t size;
	char *notes = read_whole("/sys/kernel/notes", NOTES_MAX, &size);
	struct span id = SPAN("");

	if (notes)
		id = build_id_of_notes((struct span){ notes, size }, hex);
	free(notes);
	return id;
}

bool kernel_is_local(struct span build_id, const struct image_opts *o)
{
	char hex[BUILD_ID_HEX_MAX];
	struct utsname name;
	struct span local;

	if (!build_id.size)
		build_id = o->kernel_build_id;
	/* Down a pipe perf tells no build-ids: the release has to do. */
	if (!build_id.size)
		return o->kernel_release.size && !uname(&name) &&
		       span_is(o->kernel_release, name.release);
	local = local_build_id(hex);
	return local.size && span_eq(build_id, local);
}

/* The list is long, and most of it is passed over: it is read in pieces. */
enum { LIST_PIECE = 64 * 1024 };

struct list {
	int fd;
	size_t at, size;
	char bytes[LIST_PIECE];
};

/* Over a descriptor, which is its own from here on; NULL when it is none. */
static struct list *list_of(int fd)
{
	struct list *l;

	if (fd < 0)
		return NULL;
	l = xmalloc(sizeof(*l));
	l->fd = fd;
	l->at = l->size = 0;
	return l;
}

static struct list *list_open(const char *path)
{
	return list_of(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

static bool list_rewind(struct list *l)
{
	l->at = l->size = 0;
	return !lseek(l->fd, 0, SEEK_SET);
}

static void list_close(struct list *l)
{
	close(l->fd);
	free(l);
}

static void list_refill(struct list *l)
{
	ssize_t n;

	memmove(l->bytes, l->bytes + l->at, l->size - l->at);
	l->size -= l->at;
	l->at = 0;
	while (l->size < LIST_PIECE &&
	       (n = read(l->fd, l->bytes + l->size, LIST_PIECE - l->size)) > 0)
		l->size += (size_t)n;
}

/* The next line; one that is longer than a piece is cut.  Valid until the next call. */
static bool list_line(struct list *l, struct span *line)
{
	const char *end = memchr(l->bytes + l->at, '\n', l->size - l->at);

	if (!end) {
		list_refill(l);
		end = memchr(l->bytes, '\n', l->size);
	}
	*line = (struct span){ l->bytes + l->at,
			       end ? (size_t)(end - l->bytes) - l->at : l->size - l->at };
	l->at += line->size + (end != NULL);
	return line->size || end;
}

static bool is_function(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/*
 * "ffffffff81000000 T _stext", and behind the name of a module's function, after a tab, that of
 * the module: a function, or false.
 */
static bool parse(struct span line, struct symbol *s, struct span *name, struct span *module)
{
	enum { TYPE = 17, NAME = 19 };
	size_t tab;
	char type;

	if (line.size <= NAME || line.at[TYPE - 1] != ' ' || line.at[NAME - 1] != ' ')
		return false;
	type = line.at[TYPE];
	*s = (struct symbol){ .global = type == 'T' || type == 'W',
			      .weak = type == 'w' || type == 'W' };
	if (!is_function(type) || !span_hex(span_upto(line, TYPE - 1), &s->begin))
		return false;
	line = span_from(line, NAME);
	tab = span_find(line, '\t');
	*name = span_upto(line, tab);
	*module = span_trim(span_from(line, tab));
	return name->size;
}

/* Where the kernel's code begins, which is where its addresses count from; it is among the first. */
static uint64_t find_text(struct list *l)
{
	struct span line, name, module;
	uint64_t text = 0;
	struct symbol s;

	while (!text && list_line(l, &line))
		if (parse(line, &s, &name, &module) && span_is(name, "_text"))
			text = s.begin;
	return text;
}

/* The functions of the kernel that are asked for, with what their list tells only by the next one: their ends. */
struct choice {
	struct image *m;
	const uint64_t *wanted; /* NULL: all are */
	size_t nr, at;	     /* … the first of them that is not in front of the last function */
	struct symbol last;  /* the one whose end is not known yet */
	struct strbuf name;  /* … */
	struct strbuf *kept; /* all of them, for the next time; NULL: nobody writes them */
};

/* They come in order, mostly: what is wanted next is near what was wanted last. */
static bool is_wanted(struct choice *c, uint64_t begin, uint64_t end)
{
	while (c->at && c->wanted[c->at - 1] >= begin)
		c->at--;
	while (c->at < c->nr && c->wanted[c->at] < begin)
		c->at++;
	return !c->wanted || (c->at < c->nr && c->wanted[c->at] < end);
}

/* The one before ends where the next begins; of several at one place, the last one counts. */
static void choose(struct choice *c, uint64_t next)
{
	struct symbol *s = &c->last;

	if (!c->name.size || next == s->begin)
		return;
	/* Where they are not in order, or there are no more, nobody knows. */
	s->end = next > s->begin && next != UINT64_MAX ? next : 0;
	if (is_wanted(c, s->begin, s->end ? s->end : UINT64_MAX))
		symtab_add_copy(&c->m->symbols, s, strbuf_peek(&c->name));
}

/* As its type is told by a letter. */
static char letter(const struct symbol *s)
{
	if (s->weak)
		return s->global ? 'W' : 'w';
	return s->global ? 'T' : 't';
}

/* The kernel's own functions, counted from where its code begins. */
static void add_functions(struct choice *c, struct list *l, uint64_t text)
{
	/* Where kernels begin that are not moved; a list that begins at 0 would be a hidden one. */
	const uint64_t kept_text = UINT64_C(0xffffffff81000000);
	struct span line, name, module;
	struct symbol s;

	while (list_line(l, &line))
		if (parse(line, &s, &name, &module) && !module.size && s.begin >= text) {
			s.begin -= text;
			if (c->kept)
				kept_list_add(c->kept, s.begin + kept_text, letter(&s), name);
			choose(c, s.begin);
			c->last = s;
			strbuf_reset(&c->name);
			strbuf_add(&c->name, name);
		}
	choose(c, UINT64_MAX);
}

/* Takes the list, if there is one, and closes it. */
static bool add_list(struct image *m, struct list *l, const struct image_opts *o,
		     struct strbuf *kept)
{
	struct choice c = { .m = m, .wanted = o->wanted, .nr = o->nr_wanted, .kept = kept };
	uint64_t text = l ? find_text(l) : 0;

	/* To those who may not know, all addresses are 0. */
	if (text && list_rewind(l))
		add_functions(&c, l, text);
	if (l)
		list_close(l);
	strbuf_release(&c.name);
	symtab_finish(&m->symbols, EQUAL_LAST);
	return text;
}

/* That of the kernel that runs, which is kept for the next time. */
static bool add_own_list(struct image *m, struct span build_id, const struct image_opts *o)
{
	struct strbuf kept = { 0 };
	bool found;

	kept_list_begin(&kept, build_id);
	found = add_list(m, list_open("/proc/kallsyms"), o, o->cache_dir ? &kept : NULL);
	if (found)
		kept_list_end(o->cache_dir, build_id, strbuf_peek(&kept));
	strbuf_release(&kept);
	return found;
}

/* A copy of it: ours, or the one that perf keeps of each kernel it has recorded. */
static bool add_kept_list(struct image *m, struct span build_id, const struct image_opts *o)
{
	struct strbuf path = { 0 };
	bool found = add_list(m, list_of(kept_list_open(o->cache_dir, build_id)), o, NULL);

	for (const char *const *dir = o->debug_dir; dir && *dir && build_id.size > 2 && !found;
	     dir++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/.build-id/%.2s/%.*s/kallsyms", *dir, build_id.at,
			    (int)build_id.size - 2, build_id.at + 2);
		found = add_list(m, list_open(path.at), o, NULL);
	}
	strbuf_release(&path);
	return found;
}

/* Where nobody knew where the kernel's code begins, what is wanted is not counted from there, and no copy tells. */
static bool has_places(const struct image_opts *o)
{
	enum { CODE_MAX = 1024 * 1024 * 1024 };

	return !o->nr_wanted || o->wanted[0] < CODE_MAX;
}

enum image_state kernel_image(struct image *m, struct span build_id, const struct image_opts *o)
{
	bool local = kernel_is_local(build_id, o);
	/* Its debug file is as large as a film: it is fetched for names, but not for lines. */
	struct image_opts here = *o;
	char hex[BUILD_ID_HEX_MAX];

	here.fetch = NULL;
	if (!build_id.size)
		build_id = o->kernel_build_id;
	if (!build_id.size && local)
		build_id = local_build_id(hex);
	/* The kernel takes longer to spell its list than we to read a copy of it. */
	if ((o->lines && vmlinux_image(m, build_id, &here)) ||
	    (has_places(o) && add_kept_list(m, build_id, o)) ||
	    (local && add_own_list(m, build_id, o)) || vmlinux_image(m, build_id, o))
		return IMAGE_OPEN;
	return local ? IMAGE_HIDDEN : IMAGE_NO_KERNEL;
}

/* Functions of a module, counted from where its code begins. */
void kallsyms_module(struct image *m, struct span name, uint64_t base)
{
	struct list *l = list_open("/proc/kallsyms");
	struct strbuf wanted = { 0 };
	struct span line, function, module;
	struct symbol s;

	strbuf_addf(&wanted, "[%.*s]", (int)name.size, name.at);
	/* The kernel has no dashes in names. */
	for (size_t i = 0; i < wanted.size; i++)
		if (wanted.at[i] == '-')
			wanted.at[i] = '_';
	while (l && list_line(l, &line))
		if (parse(line, &s, &function, &module) && span_eq(module, strbuf_peek(&wanted)) &&
		    s.begin >= base) {
			s.begin -= base;
			symtab_add_copy(&m->symbols, &s, function);
		}
	strbuf_release(&wanted);
	if (l)
		list_close(l);
}
