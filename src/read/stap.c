/*
 * Stacks printed by a SystemTap script, each followed by its count:
 *
 *      0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]
 *      0xffffffff8101c6a3 : default_idle+0x53/0x1d0 [kernel]
 *     	2404
 */
#include "read/readers.h"
#include "read/text/listing.h"

/* The last " [kernel]", " [e1000e]" or " [/usr/lib/libc.so.6]"; returns its offset. */
static size_t find_module(struct span line, struct span *module)
{
	size_t at = span_rfind_text(line, " [");

	*module = span_from(line, at + 2);
	*module = span_upto(*module, span_find(*module, ']'));
	return at;
}

static void push_frame(struct listing *l, struct span line)
{
	enum frame_kind kind = FRAME_USER;
	struct span module, name = span_upto(line, find_module(line, &module));
	size_t plus = span_rfind(name, '+'), colon;

	if (plus < name.size) {
		name = span_upto(name, plus);
	} else {
		/* No symbol: there may be an offset in the brackets, [/bin/a+0x5a0/0x1000] */
		name = span_upto(line, span_rfind(line, '+'));
		module = SPAN("");
	}
	/* The kernel and its modules have names, programs and libraries have paths. */
	if (module.size && span_find(module, '/') == module.size)
		kind = FRAME_KERNEL;
	colon = span_rfind_text(name, " : ");
	if (colon < name.size)
		name = span_from(name, colon + 3);
	if (!name.size)
		name = SPAN("-");
	listing_push_frame(l, build_frame(l->b, kind, module, listing_name(l, name)));
}

static int stap_line(struct listing *l, struct span line, struct error *e)
{
	line = span_trim(line);
	if (!line.size)
		return 0;
	if (span_digits(line).size == line.size)
		return listing_count(l, line, e);
	push_frame(l, line);
	return 0;
}

static int stap_read(struct build *b, struct error *e)
{
	return listing_read(
		&(struct listing){ .b = b, .line = stap_line, .end = listing_cut_short }, e);
}

/* Begins with a frame: "0xffffffff8103ce3b : " */
static bool stap_accepts(struct span head)
{
	struct span line = SPAN(""), address;
	uint64_t number;

	while (head.size && !line.size)
		line = span_trim(span_line(&head));
	address = span_word(&line);
	return span_starts(address, "0x") && span_hex(span_from(address, 2), &number) &&
	       span_starts(line, " : ");
}

const struct reader reader_stap = {
	.name = "stap",
	.title = "SystemTap stacks",
	.accepts = stap_accepts,
	.read = stap_read,
};
