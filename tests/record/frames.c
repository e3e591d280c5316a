/*
 * Prints the stacks of a recording as places: a line a stack, root first,
 *
 *     count \t comm \t pid/tid \t event \t module+offset=name;…
 *
 * so that a script can compare them with what perf says.
 */
#include "base/source.h"
#include "profile/profile.h"
#include "read/read.h"
#include "symbol/symbolize.h"

#include <inttypes.h>
#include <stdio.h>

static void print_span(struct span s)
{
	printf("%.*s", (int)s.size, s.at);
}

static void print_frames(const struct profile *p, stack_id stack)
{
	const struct frame *f = &p->frame[p->stack[stack.i].frame.i];

	if (!stack.i)
		return;
	if (p->stack[stack.i].caller.i) {
		print_frames(p, p->stack[stack.i].caller);
		putchar(';');
	}
	print_span(profile_peek(p, p->module[f->module.i].path));
	printf("+%" PRIx64 "=", f->address);
	if (f->nr_line)
		print_span(profile_peek(p, f->line[0].function));
}

static void print(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		const struct thread *t = &p->thread[c->thread.i];

		printf("%" PRIu64 "\t", c->nr);
		print_span(profile_peek(p, t->comm));
		printf("\t%u/%u\t", t->pid, t->tid);
		print_span(profile_peek(p, p->event[c->event].name));
		putchar('\t');
		print_frames(p, c->stack);
		putchar('\n');
	}
	for (int code = 0; code < NR_NOTE_CODES; code++)
		if (p->notes.count[code])
			fprintf(stderr, "%" PRIu64 " %s\n", p->notes.count[code],
				note_what((enum note_code)code, p->notes.count[code]));
}

int main(int argc, char **argv)
{
	static const char *const debug_dir[] = { "/usr/lib/debug", NULL };
	struct symbolize_opts s = { .threads = 2, .image.debug_dir = debug_dir };
	struct read_opts o = { .threads = 1, .image = &s.image };
	struct read_result result = { 0 };
	struct error e = ERROR_INIT;
	struct stream *stream = argc > 1 ? stream_open(argv[1], &e) : NULL;
	struct source *source = stream ? source_new(stream, &e) : NULL;
	const struct reader *r = source ? reader_guess(source_head(source)) : NULL;
	struct profile p;
	int ret = 1;

	profile_init(&p);
	if (r && !read_source(r, source, &o, &p, &result, &e)) {
		symbolize(&p, &s);
		print(&p);
		ret = 0;
	} else {
		fprintf(stderr, "%s\n", e.text);
	}
	profile_release(&p);
	source_free(source);
	return ret;
}
