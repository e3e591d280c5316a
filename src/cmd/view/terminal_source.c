/* The source of a function for the terminal viewer, as wick annotate writes it. */
#include "cmd/annotate/annotate_view.h"
#include "cmd/view/terminal_view.h"
#include "profile/spelling.h"
#include "symbol/symbolize.h"

/* Appends the function's name as annotations use it: without its module. */
static void add_name(struct strbuf *out, const struct model *m, uint32_t label, unsigned spelling)
{
	const struct labels *l = model_labels(m);
	uint32_t frame = m->frame[label] - 1;

	for (uint32_t k = l->first[frame]; k < l->first[frame + 1]; k++)
		if (l->of_frame[k] == label) {
			spelling_frame(out, m->o.p, (frame_id){ frame },
				       l->first[frame + 1] - 1 - k, spelling);
			return;
		}
}

static void add_error(struct strbuf *out, const struct error *e)
{
	strbuf_addf(out, "\n%s\n", e->text);
	if (*e->hint)
		strbuf_addf(out, "hint: %s\n", e->hint);
}

void terminal_view_source(void *opts, const struct model *m, uint32_t label, enum listing_what what,
			  struct strbuf *out)
{
	const struct terminal_view_opts *view = opts;
	struct annotation_opts o = { .samples = m->o.samples, .in = m->o.in[m->o.nr_column - 1] };
	struct annotate_view v = {
		.p = m->o.p, .out = out, .to_code = "Enter", .source = view->source
	};
	struct error e = ERROR_INIT;
	struct strbuf name = { 0 };
	struct roots roots = { 0 };
	struct naming_files files;
	struct annotation a;
	int ret;

	o.spelling = m->o.spelling &
		     ~(unsigned)(SPELL_THREAD | SPELL_AROUND | SPELL_MARKS | SPELL_APART);
	add_name(&name, m, label, o.spelling);
	o.function = strbuf_peek(&name);
	naming_files_init(&files, view->naming);
	symbolize_find_files(m->o.p, &files.image, &roots);
	files.image.lines = true;
	v.image = &files.image;
	annotation_init(&a, m->o.p, &o);
	v.a = &a;
	ret = what == LISTING_CODE ? annotate_write_code(&v, &e) : annotate_write_lines(&v, &e);
	if (ret)
		add_error(out, &e);
	annotation_release(&a);
	naming_files_release(&files);
	strbuf_release(&name);
}
