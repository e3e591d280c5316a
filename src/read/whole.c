#include "read/whole.h"

int whole_read(struct build *b, struct strbuf *all, struct error *e)
{
	struct text *t = b->text;

	while (t->at < t->end || text_refill(t)) {
		struct span part = span_between(t->at, t->end);

		if (part.size > WHOLE_MAX - all->size)
			return error_set(e, ERROR_INPUT, "the file is larger than %zu MB",
					 WHOLE_MAX >> 20);
		strbuf_add(all, part);
		t->at = t->end;
	}
	return 0;
}
