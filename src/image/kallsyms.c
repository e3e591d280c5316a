/* The running kernel as an image, by /proc/kallsyms. */
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

enum image_state kallsyms_image(struct image *m, struct span build_id, const struct image_opts *o)
{
	struct span all, name, module;
	struct symbol s;
	uint64_t text;
	size_t size;
	char *bytes, type;

	if (!kernel_is_local(build_id, o))
		return IMAGE_NO_KERNEL;
	bytes = read_whole("/proc/kallsyms", KALLSYMS_MAX, &size);
	all = (struct span){ bytes, size };
	text = bytes ? find_text(all) : 0;
	/* To those who may not know, all addresses are 0. */
	while (text && all.size)
		if (parse(span_line(&all), &s, &type, &name, &module) && is_function(type) &&
		    !module.size && s.begin >= text) {
			s.begin -= text;
			symtab_add_copy(&m->symbols, &s, name);
		}
	free(bytes);
	symtab_finish(&m->symbols, EQUAL_LAST);
	return m->symbols.nr ? IMAGE_OPEN : IMAGE_HIDDEN;
}
