/* What the two views of `wick annotate` share. */
#ifndef WICK_CMD_ANNOTATE_VIEW_H
#define WICK_CMD_ANNOTATE_VIEW_H

#include "base/error.h"
#include "cli/term.h"
#include "fold/annotation.h"
#include "image/image.h"

struct annotate_view {
	const struct profile *p;
	const struct annotation *a;
	struct term term;
	const char *source;		/* a folder with the sources; NULL: where they were */
	const struct image_opts *image; /* where programs are */
	const char *to_code;		/* what shows the instructions: an option, or a key */
	bool intel;			/* how instructions of x86 are written */
	struct strbuf *out;
};

/* annotate.c: a column with a part of something; blank for nothing. */
void annotate_add_share(const struct annotate_view *v, weight_sum part, weight_sum all);

/* Text of a source, or an instruction: with tabs spread out, and no wider than the terminal. */
void annotate_add_text(const struct annotate_view *v, struct span text, size_t used,
		       enum term_style style);

/* annotate_lines.c: the source with what each line took.  -1: no line is known. */
int annotate_write_lines(const struct annotate_view *v, struct error *e);

/* annotate_code.c: the instructions with what each took.  -1: there are no addresses, or no code. */
int annotate_write_code(const struct annotate_view *v, struct error *e);

#endif
