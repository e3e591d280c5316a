#include "export/wick.h"

#include "base/output.h"

int wick_write(const char *path, const struct profile *p, const struct pack_view *view,
	       struct error *e)
{
	struct strbuf pack = { 0 };
	struct output out;
	int ret = output_open(&out, path, e);

	if (ret)
		return ret;
	pack_write(&pack, p, view);
	output_add(&out, strbuf_peek(&pack));
	strbuf_release(&pack);
	return output_close(&out, e);
}
