#include "render/shorten.h"

#include "base/utf8.h"

void shorten(struct strbuf *out, struct span name, size_t max)
{
	if (utf8_length(name) <= max) {
		strbuf_add(out, name);
		return;
	}
	if (max < 2)
		return;
	strbuf_add(out, span_upto(name, utf8_bytes(name, max - 1)));
	strbuf_add(out, SPAN("…"));
}
