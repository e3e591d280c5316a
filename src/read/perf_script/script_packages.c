/*
 * `perf script` output of samples without stacks, one per line: the package of
 * the function becomes the stack, so Java's java/util/Arrays;::sort becomes
 * java, util, Arrays, ::sort.  Digits become X, which merges classes that differ
 * only by a number; idle CPUs are left out.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/perf_script/script_frame.h"
#include "read/perf_script/script_header.h"
#include "read/readers.h"
#include "read/text/memo.h"

struct by_package {
	struct build *b;
	struct strbuf name;
	struct memo threads;
};

static bool is_idle(struct span line)
{
	static const char *const idle[] = { "xen_hypercall_sched_op", "cpu_idle",
					    "native_safe_halt" };

	for (size_t i = 0; i < ARRAY_SIZE(idle); i++)
		if (span_contains(line, idle[i]))
			return true;
	return false;
}

static void push_packages(struct by_package *k, struct span symbol)
{
	struct span name;

	strbuf_reset(&k->name);
	strbuf_add(&k->name, symbol);
	for (size_t i = 0; i < k->name.size; i++)
		if (is_digit(k->name.at[i]))
			k->name.at[i] = 'X';
		else if (k->name.at[i] == '/')
			k->name.at[i] = ';';
	name = strbuf_peek(&k->name);
	/* The prefix of a class in a Java descriptor. */
	if (span_starts(name, "L") && span_find(name, ';') < name.size)
		name = span_from(name, 1);
	for (;;) {
		size_t n = span_find(name, ';');

		build_push_name(k->b, span_upto(name, n));
		if (n == name.size)
			return;
		name = span_from(name, n + 1);
	}
}

static int sample_line(struct by_package *k, struct span line, struct error *e)
{
	struct script_header h;
	struct script_frame f;

	if (!script_header_parse(line, &h) || !h.event.size)
		return build_note(k->b, NOTE_BAD_EVENT, line, e);
	if (h.record)
		return 0;
	if (!script_frame_parse(h.tail, &f) || !f.symbol.size)
		return build_note(k->b, NOTE_NO_FUNCTION, line, e);
	k->b->thread = script_header_thread(k->b, &k->threads, &h);
	k->b->time = h.time;
	push_packages(k, f.symbol);
	return build_end(k->b, ROOT_FIRST, 1, e);
}

static int perf_packages_read(struct build *b, struct error *e)
{
	struct by_package k = { .b = b };
	struct span line;
	int ret = 0;

	b->event = profile_event(b->p, SPAN("samples"), SPAN("samples"));
	while (!ret && text_line(b->text, &line))
		if (span_trim(line).size && line.at[0] != '#' && !is_idle(line))
			ret = sample_line(&k, line, e);
	strbuf_release(&k.name);
	memo_release(&k.threads);
	return ret;
}

/* Never detected: most users want samples without stacks unchanged. */
const struct reader reader_perf_packages = {
	.name = "perf-packages",
	.title = "perf script text without stacks, by Java package",
	.read = perf_packages_read,
	.split = SPLIT_LINE,
	.parallel = true,
	.spelling = SPELL_THREAD,
};
