/* A kernel as an image, by the list that it tells of its symbols. */
#include "base/strbuf.h"
#include "image/kinds.h"

#include <stdlib.h>
#include <sys/utsname.h>

enum { NOTES_MAX = 64 * 1024, KALLSYMS_MAX = 256 * 1024 * 1024 };

bool kernel_is_local(struct span build_id, const struct image_opts *o)
{
	char hex[BUILD_ID_HEX_MAX];
	struct utsname name;
	size_t size;
	char *notes;
	bool same;

	if (!build_id.size)
		build_id = o->kernel_build_id;
	/* Down a pipe perf tells no build-ids: the release has to do. */
	if (!build_id.size)
		return o->kernel_release.size && !uname(&name) &&
		       span_is(o->kernel_release, name.release);
	notes = read_whole("/sys/kernel/notes", NOTES_MAX, &size);
	if (!notes)
		return false;
	same = span_eq(build_id, build_id_of_notes((struct span){ notes, size }, hex));
	free(notes);
	return same;
}

/* "ffffffff81000000 T _stext", and behind the name of a module's function that of the module. */
static bool parse(struct span line, struct symbol *s, char *type, struct span *name,
		  struct span *module)
{
	struct span address = span_word(&line), kind = span_word(&line);

	*name = span_word(&line);
	*module = span_word(&line);
	*s = (struct symbol){ 0 };
	if (!span_hex(address, &s->begin) || kind.size != 1 || !name->size)
		return false;
	*type = kind.at[0];
	s->global = *type >= 'A' && *type <= 'Z';
	s->weak = *type == 'w' || *type == 'W';
	return true;
}

static bool is_function(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/* Where the kernel's code begins, which is where its addresses count from. */
static uint64_t find_text(struct span all)
{
	struct span name, module;
	struct symbol s;
	char type;

	while (all.size)
		if (parse(span_line(&all), &s, &type, &name, &module) && span_is(name, "_text"))
			return s.begin;
	return 0;
}

/* Functions of that module (none: the kernel's own), counted from where its code begins. */
static void add_functions(struct image *m, struct span all, struct span wanted, uint64_t base)
{
	struct span name, module;
	struct symbol s;
	char type;

	while (all.size)
		if (parse(span_line(&all), &s, &type, &name, &module) && is_function(type) &&
		    span_eq(module, wanted) && s.begin >= base) {
			s.begin -= base;
			symtab_add_copy(&m->symbols, &s, name);
		}
}

static bool add_list(struct image *m, const char *path)
{
	size_t size;
	char *bytes = read_whole(path, KALLSYMS_MAX, &size);
	struct span all = { bytes, bytes ? size : 0 };
	uint64_t text = find_text(all);

	/* To those who may not know, all addresses are 0. */
	if (text)
		add_functions(m, all, SPAN(""), text);
	free(bytes);
	symtab_finish(&m->symbols, EQUAL_LAST);
	return m->symbols.nr;
}

/* The copy that perf keeps of the list of each kernel it has recorded. */
static bool add_kept_list(struct image *m, struct span build_id, const struct image_opts *o)
{
	struct strbuf path = { 0 };
	bool found = false;

	for (const char *const *dir = o->debug_dir; dir && *dir && build_id.size > 2 && !found;
	     dir++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/.build-id/%.2s/%.*s/kallsyms", *dir, build_id.at,
			    (int)build_id.size - 2, build_id.at + 2);
		found = add_list(m, path.at);
	}
	strbuf_release(&path);
	return found;
}

enum image_state kernel_image(struct image *m, struct span build_id, const struct image_opts *o)
{
	bool local = kernel_is_local(build_id, o);
	/* Its debug file is as large as a film: it is fetched for names, but not for lines. */
	struct image_opts here = *o;

	here.fetch = NULL;
	if (!build_id.size)
		build_id = o->kernel_build_id;
	if ((o->lines && vmlinux_image(m, build_id, &here)) ||
	    (local && add_list(m, "/proc/kallsyms")) || add_kept_list(m, build_id, o) ||
	    vmlinux_image(m, build_id, o))
		return IMAGE_OPEN;
	return local ? IMAGE_HIDDEN : IMAGE_NO_KERNEL;
}

void kallsyms_module(struct image *m, struct span name, uint64_t base)
{
	struct strbuf module = { 0 };
	size_t size;
	char *bytes = read_whole("/proc/kallsyms", KALLSYMS_MAX, &size);

	strbuf_addf(&module, "[%.*s]", (int)name.size, name.at);
	/* The kernel has no dashes in names. */
	for (size_t i = 0; i < module.size; i++)
		if (module.at[i] == '-')
			module.at[i] = '_';
	if (bytes)
		add_functions(m, (struct span){ bytes, size }, strbuf_peek(&module), base);
	strbuf_release(&module);
	free(bytes);
}
