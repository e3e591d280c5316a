#include "symbol/advice.h"

#include "base/alloc.h"
#include "symbol/packages.h"

#include <stdlib.h>

/* What one note is about: a file, or all code of a JIT compiler that wrote no symbol list. */
struct lack {
	struct fate fate;		 /* of the file, or of one of these lists */
	const struct compiler *compiler; /* or NULL: it is a file */
	uint64_t samples;		 /* that have an unnamed frame of it */
};

/* How to make JIT compilers write symbol lists, by the beginning of the program's name. */
static const struct compiler {
	const char *comm, *help;
} compilers[] = {
	{ "node", "node --perf-basic-prof" },
	{ "deno", "deno run --v8-flags=--perf-basic-prof" },
	{ "chrom", "--js-flags=--perf-basic-prof --no-sandbox" },
	{ "java",
	  "java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit" },
	{ "python", "python3 -X perf (3.12 or later)" },
	{ "dotnet", "DOTNET_PerfMapEnabled=1" },
	{ "ruby", "ruby --yjit-perf" },
	{ "julia", "ENABLE_JITPROFILING=1" },
	{ "beam", "erl +JPperf true" },
	{ "mono", "mono --jitmap" },
	{ "luajit", "luajit tells nobody of it; luajit -jp counts functions of Lua" },
	{ "pypy", "pypy tells nobody of it; its package vmprof counts functions of Python" },
	{ "guile", "guile tells nobody of it; GUILE_JIT_THRESHOLD=-1 runs without" },
	{ "wasmtime", "wasmtime --profile=perfmap" },
	{ "", "most compilers have an option for perf" },
};

/* The process of a symbol list: /tmp/perf-123.map, jit-123.dump. */
static uint32_t pid_of_list(struct span path)
{
	struct span rest = span_from(path, span_rfind(path, '-') + 1);
	uint64_t pid;

	return span_u64(span_digits(rest), &pid) && pid <= INT32_MAX ? (uint32_t)pid
								     : THREAD_UNKNOWN;
}

static const struct compiler *find_compiler(const struct profile *p, struct span list)
{
	uint32_t pid = pid_of_list(list);
	const struct compiler *c = compilers;
	struct span comm = SPAN("");

	for (size_t i = 0; i < p->nr_thread; i++)
		if (p->thread[i].pid == pid && p->thread[i].tid == pid)
			comm = profile_peek(p, p->thread[i].comm);
	while (!span_starts(comm, c->comm))
		c++;
	return c;
}

static int by_unnamed(const void *a, const void *b)
{
	const struct fate *x = a, *y = b;

	if (x->nr_unnamed != y->nr_unnamed)
		return x->nr_unnamed < y->nr_unnamed ? 1 : -1;
	return x->module < y->module ? -1 : x->module > y->module;
}

static int by_samples(const void *a, const void *b)
{
	const struct lack *x = a, *y = b;
	bool hides_x = x->fate.state == IMAGE_HIDDEN, hides_y = y->fate.state == IMAGE_HIDDEN;

	/* Hidden kernel symbols come first: one command shows them. */
	if (hides_x != hides_y)
		return hides_x ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return x->fate.module < y->fate.module ? -1 : x->fate.module > y->fate.module;
}

/* The order in which notes are shown: only by samples. */
static int by_share(const void *a, const void *b)
{
	const struct lack *x = a, *y = b;

	return x->samples != y->samples ? (x->samples < y->samples ? 1 : -1) : by_samples(a, b);
}

enum { LACKS_NOTHING = ADVICE_FILES_MAX };

struct lacks {
	struct lack lack[ADVICE_FILES_MAX];
	unsigned nr;
	uint8_t *of; /* by module: its lack, or LACKS_NOTHING */
};

/* Modules with the same path are one lack: some mappings of a file may have no build-id. */
static unsigned find_lack(const struct lacks *l, const struct profile *p, const struct fate *fate,
			  const struct compiler *c)
{
	struct span path = profile_peek(p, p->module[fate->module].path);

	for (unsigned i = 0; i < l->nr; i++) {
		const struct lack *lack = &l->lack[i];

		if (c ? lack->compiler == c
		      : lack->fate.state == fate->state &&
				    span_eq(profile_peek(p, p->module[lack->fate.module].path),
					    path))
			return i;
	}
	return l->nr;
}

static void lacks_init(struct lacks *l, const struct profile *p, const struct fate *fate, size_t nr)
{
	struct fate *worst = xmemdup(fate, nr * sizeof(*fate));

	qsort(worst, nr, sizeof(*worst), by_unnamed);
	l->nr = 0;
	l->of = xmalloc(p->nr_module);
	memset(l->of, LACKS_NOTHING, p->nr_module);
	for (size_t i = 0; i < nr && worst[i].nr_unnamed; i++) {
		struct span path = profile_peek(p, p->module[worst[i].module].path);
		const struct compiler *c =
			worst[i].state == IMAGE_NO_JIT_MAP ? find_compiler(p, path) : NULL;
		unsigned at = find_lack(l, p, &worst[i], c);

		if (at == ADVICE_FILES_MAX)
			break;
		if (at == l->nr)
			l->lack[l->nr++] = (struct lack){ .fate = worst[i], .compiler = c };
		l->of[worst[i].module] = (uint8_t)at;
	}
	free(worst);
}

/* The bit of the lack that leaves the leaf frame of a stack unnamed; 0: it has a name. */
static uint64_t missing_here(const struct profile *p, const struct lacks *l, stack_id stack)
{
	const struct frame *f = &p->frame[p->stack[stack.i].frame.i];
	unsigned of = l->of[f->module.i];

	return of != LACKS_NOTHING && f->flags & FRAME_IN_MODULE && !f->nr_line ? UINT64_C(1) << of
										: 0;
}

/*
 * By stack: the bits of all its frames.  The first frames next to the root (_start, clone) do not
 * count: they are in all stacks, and nobody needs their names.
 */
static uint64_t *find_missing(const struct profile *p, const struct lacks *l)
{
	enum { START_FRAMES = 3 };
	uint64_t *missing = xcalloc(p->nr_stack, sizeof(*missing));
	uint8_t *depth = xcalloc(p->nr_stack, 1);

	/* Callers have smaller numbers: they are done before. */
	for (uint32_t i = 1; i < p->nr_stack; i++) {
		uint32_t caller = p->stack[i].caller.i;

		depth[i] = depth[caller] <= START_FRAMES ? depth[caller] + 1 : depth[caller];
		missing[i] = missing[caller];
		if (depth[i] > START_FRAMES)
			missing[i] |= missing_here(p, l, (stack_id){ i });
	}
	free(depth);
	return missing;
}

/* Counts the samples of each lack; returns how many there are in all. */
static uint64_t count_samples(const struct profile *p, struct lacks *l)
{
	uint64_t *missing = find_missing(p, l), total = 0;

	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		uint64_t bits = missing[c->stack.i] | missing_here(p, l, c->stack);

		total += c->nr;
		for (unsigned k = 0; k < l->nr; k++)
			if (bits >> k & 1)
				l->lack[k].samples += c->nr;
	}
	free(missing);
	return total;
}

/* The text of notes */

struct note_writer {
	const struct advice_opts *o;
	struct strbuf text, server;
};

static void add_server(struct note_writer *w, const char *before)
{
	if (w->server.size && !w->o->fetches)
		strbuf_addf(&w->text, "%sDEBUGINFOD_URLS=%s", before, w->server.at);
}

static void add_stripped(struct note_writer *w, struct span package)
{
	if (span_is(package, "libc6")) {
		strbuf_addf(&w->text, " is stripped: apt install libc6-dbg");
	} else if (package.size) {
		strbuf_addf(&w->text, " is stripped: apt install %.*s-dbgsym", (int)package.size,
			    package.at);
		add_server(w, ", or ");
	} else {
		strbuf_addf(&w->text, " is stripped: keep its symbols, and compile it with -g");
	}
}

/* Code that the kernel maps into processes: there is no file to install. */
static bool is_part_of_kernel(struct span path)
{
	return span_starts(path, "[vdso") || span_starts(path, "[vsyscall");
}

static void add_no_lines(struct note_writer *w, struct span package)
{
	strbuf_addf(&w->text, " has no debug info, so inlined calls are missing: ");
	if (package.size)
		strbuf_addf(&w->text, "apt install %.*s-%s", (int)package.size, package.at,
			    span_is(package, "libc6") ? "dbg" : "dbgsym");
	else
		strbuf_addf(&w->text, "compile it with -g, do not strip it");
}

/* Does the recording say which kernel it was?  One that was not finished does not. */
static bool tells_kernel(const struct profile *p, uint32_t module)
{
	for (size_t i = 0; i < p->nr_info; i++)
		if (span_is(profile_peek(p, p->info[i].key), "kernel"))
			return true;
	return profile_peek(p, p->module[module].build_id).size;
}

static void add_reason(struct note_writer *w, const struct profile *p, const struct lack *lack,
		       struct span package)
{
	struct span path = profile_peek(p, p->module[lack->fate.module].path);

	switch (lack->fate.state) {
	case IMAGE_OPEN:
		if (lack->fate.nr_unnamed && image_is_list(path))
			strbuf_addf(&w->text, " names other generated code: this is an "
					      "interpreter's, or is not listed");
		else if (lack->fate.nr_unnamed && lack->fate.symbols)
			strbuf_addf(&w->text, " has symbols, but none for this code");
		else if (lack->fate.nr_unnamed)
			add_stripped(w, package);
		else
			add_no_lines(w, package);
		break;
	case IMAGE_MISSING:
		/* A memfd is memory that looks like a file; Erlang's JIT writes its code there. */
		if (span_starts(path, "/memfd:")) {
			strbuf_addf(&w->text, " was never a file: code was generated there%s",
				    span_starts(path, "/memfd:vmem") ? ": erl +JPperf true" : "");
			break;
		}
		strbuf_addf(&w->text, " is not here: --symfs DIR or --debug-dir DIR");
		add_server(w, ", or ");
		break;
	case IMAGE_OTHER:
		strbuf_addf(&w->text, " was another file when it was recorded: --debug-dir DIR");
		add_server(w, ", or ");
		break;
	case IMAGE_NO_KERNEL:
		strbuf_addf(&w->text, tells_kernel(p, lack->fate.module)
					      ? ": another kernel was recorded: --debug-dir DIR"
					      : ": the recording does not tell which one it was");
		break;
	case IMAGE_HIDDEN:
		strbuf_addf(&w->text, " hides its symbols: sysctl kernel.kptr_restrict=0 "
				      "kernel.perf_event_paranoid=1, or root");
		break;
	case IMAGE_NO_JIT_MAP:
		if (lack->compiler)
			strbuf_addf(&w->text, "generated code without names: %s",
				    lack->compiler->help);
		break;
	}
}

static struct span short_path(struct span path)
{
	enum { PATH_SHOWN_MAX = 70 };
	size_t slash = span_rfind(path, '/');

	return path.size > PATH_SHOWN_MAX && slash < path.size ? span_from(path, slash + 1) : path;
}

/* "24.1 % of samples: /usr/lib/libx.so.1 is stripped: apt install libx1-dbgsym" */
static void add_note(struct note_writer *w, struct profile *p, const struct lack *lack,
		     double share, struct span package)
{
	struct span path = short_path(profile_peek(p, p->module[lack->fate.module].path));

	strbuf_reset(&w->text);
	strbuf_addf(&w->text, "%.1f %% of samples: ", share * 100);
	if (span_is(path, "[kernel.kallsyms]"))
		path = SPAN("the kernel");
	if (!lack->compiler)
		strbuf_add(&w->text, path);
	if (is_part_of_kernel(path))
		strbuf_addf(&w->text,
			    " is of another kernel, or of a 32-bit program: nothing here names it");
	else
		add_reason(w, p, lack, package);
	notes_add(&p->notes, NOTE_ADVICE, 1, 0, strbuf_peek(&w->text));
}

/* Is it in 1 % of samples at least? */
static bool is_worth(const struct lack *lack, uint64_t total)
{
	return lack->samples * 100 >= total || lack->fate.state == IMAGE_HIDDEN;
}

static void write_notes(struct profile *p, const struct lack *lack, size_t nr, uint64_t total,
			const struct advice_opts *o)
{
	struct strbuf package[ADVICE_MAX] = { 0 };
	struct span path[ADVICE_MAX] = { 0 };
	struct note_writer w = { .o = o };

	for (size_t i = 0; i < nr; i++)
		if (lack[i].fate.state == IMAGE_OPEN)
			path[i] = profile_peek(p, p->module[lack[i].fate.module].path);
	packages_find(o->root, path, nr, package);
	packages_server(o->root, &w.server);
	for (size_t i = 0; i < nr; i++)
		add_note(&w, p, &lack[i], (double)lack[i].samples / (double)total,
			 strbuf_peek(&package[i]));
	for (size_t i = 0; i < nr; i++)
		strbuf_release(&package[i]);
	strbuf_release(&w.text);
	strbuf_release(&w.server);
}

/* The file without debug info that has the most leaf frames: inlined calls would show there. */
static struct lack find_without_lines(const struct profile *p, const struct fate *fate, size_t nr)
{
	uint64_t *ends = xcalloc(p->nr_module, sizeof(*ends));
	struct lack most = { .samples = 0 };

	for (size_t i = 0; i < p->nr_count; i++) {
		frame_id leaf = p->stack[p->count[i].stack.i].frame;

		ends[p->frame[leaf.i].module.i] += p->count[i].nr;
	}
	for (size_t i = 0; i < nr; i++) {
		struct span path = profile_peek(p, p->module[fate[i].module].path);

		if (fate[i].no_lines && !fate[i].nr_unnamed && !is_part_of_kernel(path) &&
		    ends[fate[i].module] > most.samples)
			most = (struct lack){ .fate = fate[i], .samples = ends[fate[i].module] };
	}
	free(ends);
	return most;
}

void advise(struct profile *p, const struct fate *fate, size_t nr, const struct advice_opts *o)
{
	enum { LINES_SHARE = 5 }; /* debug info is advised if 1/5 of samples are in the file */
	struct lacks l;
	struct lack without;
	size_t nr_lack = 0;
	uint64_t total;

	if (!nr)
		return;
	lacks_init(&l, p, fate, nr);
	total = count_samples(p, &l);
	qsort(l.lack, l.nr, sizeof(l.lack[0]), by_samples);
	while (nr_lack < l.nr && nr_lack < ADVICE_MAX && is_worth(&l.lack[nr_lack], total))
		nr_lack++;
	without = find_without_lines(p, fate, nr);
	if (nr_lack < ADVICE_MAX && without.samples && without.samples >= total / LINES_SHARE)
		l.lack[nr_lack++] = without;
	qsort(l.lack, nr_lack, sizeof(l.lack[0]), by_share);
	if (nr_lack && total)
		write_notes(p, l.lack, nr_lack, total, o);
	free(l.of);
}
