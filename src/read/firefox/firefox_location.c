/*
 * Frames as Firefox itself writes them, a string each:
 *
 *	0x7f1234567890				an address
 *	malloc (in libc.so.6) + 12		a resolved address
 *	f (https://a.org/b.js:10:2)[5]		a function of a script; without f, the script itself
 *	XREMain::XRE_main			a label that Firefox sets
 */
#include "read/firefox/firefox.h"
#include "read/script_function.h"

/* The file does not say which frames are callers: all addresses are taken for return addresses. */
static frame_id from_address(struct build *b, const struct firefox_tables *t, uint64_t address)
{
	struct firefox_lib *lib = firefox_lib_around(t, address);

	return firefox_unresolved(b, lib, lib ? address - lib->begin + lib->offset : address,
				  FRAME_RETURN_ADDRESS);
}

/* "name (in library)", maybe with more text after it. */
static bool cut_library(struct span location, struct span *name, struct span *library)
{
	size_t in = span_rfind_text(location, " (in "), end;

	if (in >= location.size)
		return false;
	*library = span_from(location, in + 5);
	end = span_find(*library, ')');
	if (end >= library->size)
		return false;
	library->size = end;
	*name = span_upto(location, in);
	return true;
}

/* Removes ":12" from the end. */
static bool cut_number(struct span *s, uint64_t *number)
{
	size_t colon = span_rfind(*s, ':');

	if (colon >= s->size || !span_u64(span_from(*s, colon + 1), number))
		return false;
	*s = span_upto(*s, colon);
	return true;
}

/* "name (file:line:column)[source]" or "file:line:column" */
static bool cut_script(struct span s, struct span *name, struct span *file, uint64_t *line)
{
	size_t bracket = span_rfind(s, '['), open;
	uint64_t number;

	if (span_ends(s, "]") && bracket < s.size)
		s = span_upto(s, bracket);
	*name = SPAN("");
	*file = s;
	if (span_ends(s, ")")) {
		open = span_find_text(s, " (");
		if (open >= s.size)
			return false;
		*name = span_upto(s, open);
		*file = span_from(span_upto(s, s.size - 1), open + 2);
	}
	if (!cut_number(file, line))
		return false;
	if (cut_number(file, &number))
		*line = number;
	/* A script that another one loaded: "loader.js -> file.js" */
	if (span_contains(*file, " -> "))
		*file = span_from(*file, span_rfind_text(*file, " -> ") + 4);
	return file->size > 0;
}

frame_id firefox_location(struct build *b, const struct firefox_tables *t, struct span location)
{
	struct span name, file;
	uint64_t number;

	if (span_starts(location, "0x") && span_hex(span_from(location, 2), &number))
		return from_address(b, t, number);
	if (cut_library(location, &name, &file))
		return build_frame(b, FRAME_USER, file, name);
	if (cut_script(location, &name, &file, &number))
		return script_frame(b, name, file, number <= UINT32_MAX ? (uint32_t)number : 0);
	return build_name(b, location.size ? location : SPAN("[unknown]"));
}
