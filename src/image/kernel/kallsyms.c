/* The kernel as an image, from /proc/kallsyms.  Places are distances from _text. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/whole_file.h"
#include "image/image_internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { NOTES_MAX = 64 * 1024 };

/* The build ID of the running kernel; empty: unknown. */
static struct span local_build_id(char hex[static BUILD_ID_HEX_MAX])
{
	size_t size;
	char *notes = whole_file("/sys/kernel/notes", NOTES_MAX, &size);
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
	/* perf writes no build IDs to a pipe: falls back to comparing the release. */
	if (!build_id.size)
		return o->kernel_release.size && !uname(&name) &&
		       span_is(o->kernel_release, name.release);
	local = local_build_id(hex);
	return local.size && span_eq(build_id, local);
}

/* The lines of a list like /proc/kallsyms, which is read in chunks, as it has 10 MB. */
enum { LIST_PIECE = 64 * 1024 };

struct list {
	int fd;
	size_t at, size;
	char bytes[LIST_PIECE];
};

/* Takes over a descriptor; NULL if that is -1. */
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

/* The next line; one that is longer than a chunk is truncated.  Valid until the next call. */
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

/* "ffffffff81000000 T _stext", "ffffffffc0a00000 t xfs_read	[xfs]"; false: not a function. */
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

/* The address of _text, which is near the beginning of the list; 0: it is hidden. */
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

/* Adds only functions with a wanted place: most of the 100,000 or more are never sampled. */
struct choice {
	struct image *m;
	const uint64_t *wanted; /* sorted places; NULL: all are wanted */
	size_t nr, at;		/* number of wanted places; the first that is not before `last` */
	struct symbol last;	/* not added yet: it ends where the next one begins */
	struct strbuf name;	/* of last */
	struct strbuf *kept;	/* a copy of the list, or NULL */
};

/* Most functions are sorted by address, so `at` moves only a little. */
static bool is_wanted(struct choice *c, uint64_t begin, uint64_t end)
{
	while (c->at && c->wanted[c->at - 1] >= begin)
		c->at--;
	while (c->at < c->nr && c->wanted[c->at] < begin)
		c->at++;
	return !c->wanted || (c->at < c->nr && c->wanted[c->at] < end);
}

static size_t underscores(struct span name)
{
	size_t nr = 0;

	while (nr < name.size && name.at[nr] == '_')
		nr++;
	return nr;
}

/*
 * Should c->last stay, though `s` is at the same place?  The last symbol counts (__x64_sys_fork,
 * not __ia32_sys_fork), unless it is local and the other is global, or has more underscores: those
 * mark the begin or end of a section.
 */
static bool is_less(const struct symbol *s, struct span name, const struct choice *c)
{
	struct span other = strbuf_peek(&c->name);

	if (!other.size || s->begin != c->last.begin)
		return false;
	if (s->global != c->last.global)
		return !s->global;
	return underscores(name) > underscores(other);
}

/* Adds c->last, whose end is known now: the next function's begin. */
static void choose(struct choice *c, uint64_t next)
{
	struct symbol *s = &c->last;

	if (!c->name.size || next == s->begin)
		return;
	/* Out of order, or the last of all: symtab_finish() will give it an end. */
	s->end = next > s->begin && next != UINT64_MAX ? next : 0;
	if (is_wanted(c, s->begin, s->end ? s->end : UINT64_MAX))
		symtab_add_copy(&c->m->symbols, s, strbuf_peek(&c->name));
}

static char letter(const struct symbol *s)
{
	if (s->weak)
		return s->global ? 'W' : 'w';
	return s->global ? 'T' : 't';
}

/* The functions of the kernel itself, without those of modules. */
static void add_functions(struct choice *c, struct list *l, uint64_t text)
{
	/*
	 * Copies have the addresses of a kernel without KASLR, so that they do not reveal where
	 * this one is loaded.  Not 0, which would look like a hidden address.
	 */
	const uint64_t kept_text = UINT64_C(0xffffffff81000000);
	struct span line, name, module;
	struct symbol s;

	while (list_line(l, &line))
		if (parse(line, &s, &name, &module) && !module.size && s.begin >= text) {
			s.begin -= text;
			if (c->kept)
				kallsyms_cache_add(c->kept, s.begin + kept_text, letter(&s), name);
			if (is_less(&s, name, c))
				continue;
			choose(c, s.begin);
			c->last = s;
			strbuf_reset(&c->name);
			strbuf_add(&c->name, name);
		}
	choose(c, UINT64_MAX);
}

/* Adds the functions of a list (NULL: none), and closes it; false when addresses are hidden. */
static bool add_list(struct image *m, struct list *l, const struct image_opts *o,
		     struct strbuf *kept)
{
	struct choice c = { .m = m, .wanted = o->wanted, .nr = o->nr_wanted, .kept = kept };
	uint64_t text = l ? find_text(l) : 0;

	/* With kptr_restrict, unprivileged users see all addresses as 0. */
	if (text && list_rewind(l))
		add_functions(&c, l, text);
	if (l)
		list_close(l);
	strbuf_release(&c.name);
	symtab_finish(&m->symbols, EQUAL_LAST);
	return text;
}

/* From /proc/kallsyms.  Keeps a copy for the next run. */
static bool add_own_list(struct image *m, struct span build_id, const struct image_opts *o)
{
	struct strbuf kept = { 0 };
	bool found;

	kallsyms_cache_begin(&kept, build_id);
	found = add_list(m, list_open("/proc/kallsyms"), o, o->cache_dir ? &kept : NULL);
	if (found)
		kallsyms_cache_end(o->cache_dir, build_id, strbuf_peek(&kept));
	strbuf_release(&kept);
	return found;
}

/* From a copy: wick's, or the one that perf keeps of each kernel it has recorded. */
static bool add_kept_list(struct image *m, struct span build_id, const struct image_opts *o)
{
	struct strbuf path = { 0 };
	bool found = add_list(m, list_of(kallsyms_cache_open(o->cache_dir, build_id)), o, NULL);

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

/*
 * If _text was hidden from the recorder, places are plain addresses, which a copy cannot resolve.
 */
static bool has_places(const struct image_opts *o)
{
	enum { CODE_MAX = 1024 * 1024 * 1024 };

	return !o->nr_wanted || o->wanted[0] < CODE_MAX;
}

enum image_state kernel_image(struct image *m, struct span build_id, const struct image_opts *o)
{
	bool local = kernel_is_local(build_id, o);
	/* A kernel's debug file has up to 1 GB: wick downloads it for names, but not for lines. */
	struct image_opts here = *o;
	char hex[BUILD_ID_HEX_MAX];

	here.fetch = NULL;
	if (!build_id.size)
		build_id = o->kernel_build_id;
	if (!build_id.size && local)
		build_id = local_build_id(hex);
	/* A copy is tried before /proc/kallsyms, which the kernel is slow to generate. */
	if ((o->lines && vmlinux_image(m, build_id, &here)) ||
	    (has_places(o) && add_kept_list(m, build_id, o)) ||
	    (local && add_own_list(m, build_id, o)) || vmlinux_image(m, build_id, o))
		return IMAGE_OPEN;
	return local ? IMAGE_HIDDEN : IMAGE_NO_KERNEL;
}

/* Adds the functions of a module; places are distances from base, where it is loaded. */
void kallsyms_module(struct image *m, struct span name, uint64_t base)
{
	struct list *l = list_open("/proc/kallsyms");
	struct strbuf wanted = { 0 };
	struct span line, function, module;
	struct symbol s;

	strbuf_addf(&wanted, "[%.*s]", (int)name.size, name.at);
	/* The kernel replaces dashes in file names by underscores. */
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
