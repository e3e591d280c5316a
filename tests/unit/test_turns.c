/* Chunks are used in the order of the input, whoever prepared them; a failure ends all. */
#include "read/turns.h"

#include "base/strbuf.h"
#include "tap.h"

#include <stdlib.h>

enum { LINES = 200000, THREADS = 4 };

struct seen {
	uint64_t nr_line, nr_chunk; /* used so far, by all */
	bool in_order;
	uint64_t fail_at; /* this chunk fails */
};

struct thread {
	struct seen *seen;
	uint64_t prepared; /* lines of the chunk in hand */
};

static void prepare(void *arg, const struct chunk *c)
{
	struct thread *t = arg;

	t->prepared = 0;
	for (size_t i = 0; i < c->size; i++)
		t->prepared += c->buf[i] == '\n';
}

static int use(void *arg, const struct chunk *c, struct error *e)
{
	struct thread *t = arg;
	struct seen *s = t->seen;

	if (c->number == s->fail_at)
		return error_set(e, ERROR_INPUT, "chunk %d is bad", (int)c->number);
	s->in_order =
		s->in_order && c->number == s->nr_chunk && strtoull(c->buf, NULL, 10) == s->nr_line;
	s->nr_chunk++;
	s->nr_line += t->prepared;
	return 0;
}

static const struct turns_work work = { .prepare = prepare, .use = use };

static void add_lines(struct strbuf *text)
{
	for (int i = 0; i < LINES; i++)
		strbuf_addf(text, "%d stack\n", i);
}

static int run(struct span text, struct seen *seen, struct error *e)
{
	struct source *source = source_new(stream_over(text), e);
	struct thread thread[THREADS];
	void *arg[THREADS];
	int ret;

	if (!source)
		return -1;
	source_split(source, SPLIT_LINE, NULL);
	for (int i = 0; i < THREADS; i++) {
		thread[i] = (struct thread){ .seen = seen };
		arg[i] = &thread[i];
	}
	ret = turns_run(source, &work, arg, THREADS, e);
	source_free(source);
	return ret;
}

int main(void)
{
	struct seen all = { .in_order = true, .fail_at = UINT64_MAX };
	struct seen some = { .in_order = true, .fail_at = 3 };
	struct strbuf text = { 0 };
	struct error e = ERROR_INIT;

	add_lines(&text);
	is_int(run(strbuf_peek(&text), &all, &e), 0,
	       "turns_run() succeeds when all chunks are used");
	ok(all.in_order, "chunks are used in the order of the input");
	is_int((long long)all.nr_line, LINES, "all lines of the input are used");
	ok(all.nr_chunk > THREADS, "the input has more chunks than there are threads");
	is_int(run(strbuf_peek(&text), &some, &e), -1, "turns_run() fails when a chunk fails");
	is_int((long long)some.nr_chunk, 3, "no chunk after the one that fails is used");
	is_str(e.text, "chunk 3 is bad", "turns_run() returns the error of the chunk that fails");
	strbuf_release(&text);
	return done();
}
