/* Shared by the two views of `wick annotate`, source and instructions. */
#ifndef WICK_CMD_ANNOTATE_ANNOTATE_VIEW_H
#define WICK_CMD_ANNOTATE_ANNOTATE_VIEW_H

#include "base/error.h"
#include "cli/term.h"
#include "fold/annotation.h"
#include "image/image.h"

struct annotate_view {
	const struct profile *p;
	const struct annotation *a;
	struct term term;
	const char *source; /* directory with the sources; NULL: their paths at compile time */
	const struct image_opts *image; /* where to find programs */
	const char *to_code;		/* for hints: the option or key that shows instructions */
	bool code;			/* instructions, not source */
	bool intel;			/* x86 instructions in Intel's syntax, not AT&T's */
	struct strbuf *out;		/* output is appended here */
};

/* annotate.c: the function's name, its share, and its source or instructions; v->a is not used. */
int annotate_write_function(const struct annotate_view *v, const struct annotation_opts *o,
			    struct error *e);

/* A column with part / all in percent; blank for 0. */
void annotate_add_share(const struct annotate_view *v, weight_sum part, weight_sum all);

/* Source text or an instruction: tabs expanded, cut at the terminal's width less `used` columns. */
void annotate_add_text(const struct annotate_view *v, struct span text, size_t used,
		       enum term_style style);

/* annotate_lines.c: the source with the weight of each line.  -1: no line is known. */
int annotate_write_lines(const struct annotate_view *v, struct error *e);

/* annotate_code.c: the instructions with the weight of each.  -1: no address or code is known. */
int annotate_write_code(const struct annotate_view *v, struct error *e);

#endif
