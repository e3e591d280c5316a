#include "symbol/advice.h"

#include "base/alloc.h"
#include "symbol/packages.h"

#include <stdlib.h>

/* The subject of one note: a file, or all code of a JIT compiler that wrote no symbol list. */
struct lack {
	struct fate fate;	      /* of the file, or of one of the missing lists */
	struct fate more[ADVICE_MAX]; /* other stripped files, which share the note */
	size_t nr_more, nr_unlisted;
	const struct compiler *compiler; /* NULL: a file */
	uint64_t samples;		 /* samples with an unresolved frame of it */
};

/* How to make JIT compilers write symbol lists, by the prefix of the program's name. */
static const struct compiler {
	const char *comm, *help;
} compilers[] = {
	{ "node", "node --perf-basic-prof" },
	{ "deno", "deno run --v8-flags=--perf-basic-prof" },
	{ "chrom", "--js-flags=--perf-basic-prof --no-sandbox" },
	{ "java",
	  "java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit, "
	  "or jcmd PID Compiler.perfmap while it runs (JDK 17 or later)" },
	{ "python", "python3 -X perf (Python 3.12 or later)" },
	{ "php", "php -d opcache.jit_debug=16" },
	{ "dotnet", "DOTNET_PerfMapEnabled=1" },
	{ "ruby", "ruby --yjit-perf (Ruby 3.3 or later)" },
	{ "julia", "ENABLE_JITPROFILING=1" },
	{ "beam", "erl +JPperf true" },
	{ "mono", "mono --jitmap" },
	{ "luajit", "LuaJIT cannot export its symbols; luajit -jp profiles Lua functions" },
	{ "pypy", "PyPy cannot export its symbols; its package vmprof profiles Python functions" },
	{ "guile", "Guile cannot export its symbols; GUILE_JIT_THRESHOLD=-1 turns its JIT off" },
	{ "wasmtime", "wasmtime --profile=perfmap" },
	{ "", "most JIT compilers have an option to write symbols for perf" },
};

/*
 * Interpreters without a JIT compiler: the function that runs a program, and the option to see the
 * names of the program's own functions.  `library` precedes the version in the name of the file;
 * versions before `since` have no such option.
 */
static const struct interpreter {
	const char *function, *language, *library;
	unsigned since[2];
	const char *help;
	const char *stripped; /* its program, if most builds have no symbols */
} interpreters[] = {
	{ "_PyEval_EvalFrameDefault",
	  "Python",
	  "python",
	  { 3, 12 },
	  "python3 -X perf or PYTHONPERFSUPPORT=1",
	  NULL },
	{ "rb_vm_exec",
	  "Ruby",
	  "ruby-",
	  { 3, 3 },
	  "ruby --yjit-perf (those that YJIT compiles)",
	  NULL },
	{ "execute_ex",
	  "PHP",
	  "php",
	  { 8, 0 },
	  "php -d opcache.enable_cli=1 -d opcache.jit=function -d opcache.jit_buffer_size=64M "
	  "-d opcache.jit_debug=16",
	  NULL },
	{ "luaV_execute", "Lua", "lua", { 0 }, NULL, "lua5" },
	{ "Perl_runops_standard", "Perl", "perl", { 0 }, NULL, NULL },
};

/* The PID of a symbol list: /tmp/perf-123.map, jit-123.dump. */
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

	/* Hidden kernel symbols come first: a single command makes them visible. */
	if (hides_x != hides_y)
		return hides_x ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return x->fate.module < y->fate.module ? -1 : x->fate.module > y->fate.module;
}

/* The order in which notes are shown: by samples only. */
static int by_share(const void *a, const void *b)
{
	const struct lack *x = a, *y = b;

	return x->samples != y->samples ? (x->samples < y->samples ? 1 : -1) : by_samples(a, b);
}

enum { LACKS_NOTHING = ADVICE_FILES_MAX };

struct lacks {
	uint64_t stripped;	   /* a bit for each lack that is a stripped file */
	uint64_t stripped_samples; /* samples with a frame of any of them */
	struct lack lack[ADVICE_FILES_MAX];
	unsigned nr;
	uint8_t *of; /* by module: its lack, or LACKS_NOTHING */
};

/* Modules with the same path are one lack: some mappings of a file may lack the build ID. */
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

static bool is_stripped(const struct profile *p, const struct fate *f)
{
	return f->state == IMAGE_OPEN && f->nr_unnamed && !f->symbols &&
	       !image_is_list(profile_peek(p, p->module[f->module].path));
}

static void lacks_init(struct lacks *l, const struct profile *p, const struct fate *fate, size_t nr)
{
	struct fate *worst = xmemdup(fate, nr * sizeof(*fate));

	qsort(worst, nr, sizeof(*worst), by_unnamed);
	l->nr = 0;
	l->stripped = l->stripped_samples = 0;
	l->of = xmalloc(p->nr_module);
	memset(l->of, LACKS_NOTHING, p->nr_module);
	for (size_t i = 0; i < nr && worst[i].nr_unnamed; i++) {
		struct span path = profile_peek(p, p->module[worst[i].module].path);
		const struct compiler *c =
			worst[i].state == IMAGE_NO_JIT_MAP ? find_compiler(p, path) : NULL;
		unsigned at = find_lack(l, p, &worst[i], c);

		if (at == ADVICE_FILES_MAX)
			break;
		if (is_stripped(p, &worst[i]))
			l->stripped |= UINT64_C(1) << at;
		if (at == l->nr)
			l->lack[l->nr++] = (struct lack){ .fate = worst[i], .compiler = c };
		l->of[worst[i].module] = (uint8_t)at;
	}
	free(worst);
}

/* The bit of the lack that leaves the leaf frame of a stack unresolved; 0: it is resolved. */
static uint64_t missing_here(const struct profile *p, const struct lacks *l, stack_id stack)
{
	const struct frame *f = &p->frame[p->stack[stack.i].frame.i];
	unsigned of = l->of[f->module.i];

	return of != LACKS_NOTHING && f->flags & FRAME_IN_MODULE && !f->nr_line ? UINT64_C(1) << of
										: 0;
}

/*
 * By stack: the bits of all its frames.  The frames next to the root (_start, clone) do not count:
 * all stacks have them, and their names do not matter.
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

/* The samples of a count.  Waits are not samples: they count only in a profile without samples. */
static uint64_t samples_of(const struct profile *p, const struct count *c, bool sampled)
{
	return sampled && p->event[c->event].source != SOURCE_SAMPLED ? 0 : c->nr;
}

static bool has_sampled(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_count; i++)
		if (samples_of(p, &p->count[i], true))
			return true;
	return false;
}

/* Counts the samples of each lack; returns the total number of samples. */
static uint64_t count_samples(const struct profile *p, struct lacks *l, bool sampled)
{
	uint64_t *missing = find_missing(p, l), total = 0;

	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		uint64_t bits = missing[c->stack.i] | missing_here(p, l, c->stack);
		uint64_t here = samples_of(p, c, sampled);

		total += here;
		if (bits & l->stripped)
			l->stripped_samples += here;
		for (unsigned k = 0; k < l->nr; k++)
			if (bits >> k & 1)
				l->lack[k].samples += here;
	}
	free(missing);
	return total;
}

/* The text of notes */

struct note_writer {
	const struct advice_opts *o;
	struct strbuf text, server;
	struct strbuf archive; /* the missing line of apt's sources; "": none */
	struct strbuf package[ADVICE_MAX + 1];
};

static void add_server(struct note_writer *w, const char *before)
{
	if (w->server.size && !w->o->fetches)
		strbuf_addf(&w->text, "%sset DEBUGINFOD_URLS=%s", before, w->server.at);
}

static bool is_installed_before(const struct note_writer *w, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (span_eq(strbuf_peek(&w->package[k]), strbuf_peek(&w->package[i])))
			return true;
	return false;
}

/* libc's debug package is in the main archive, and is not named like others. */
static bool is_libc(const struct note_writer *w, size_t i)
{
	return span_is(strbuf_peek(&w->package[i]), "libc6");
}

/*
 * Appends how to get the symbols of `nr` files: from the server, which has all of them and needs no
 * installation, or from packages; `build` is for files of no package.
 */
static void add_symbols(struct note_writer *w, size_t nr, const char *build)
{
	size_t nr_file = nr, nr_package = 0, nr_dbgsym = 0, begin = w->text.size;

	for (size_t i = 0; i < nr; i++) {
		nr_package += w->package[i].size > 0;
		nr_dbgsym += w->package[i].size && !is_libc(w, i);
	}
	if (nr_dbgsym)
		add_server(w, "");
	/* apt does not find packages of an archive that is not in its sources. */
	if (w->text.size > begin && w->archive.size)
		nr = 0;
	for (size_t i = 0, nr_before = 0; i < nr; i++) {
		struct span package = strbuf_peek(&w->package[i]);

		if (!package.size || is_installed_before(w, i))
			continue;
		strbuf_addf(&w->text, "%s %.*s-%s",
			    nr_before++		   ? ""
			    : w->text.size > begin ? ", or apt install"
						   : "apt install",
			    (int)package.size, package.at, is_libc(w, i) ? "dbg" : "dbgsym");
	}
	if (nr && nr_dbgsym && w->archive.size)
		strbuf_addf(&w->text, " (in sources.list: %s)", w->archive.at);
	if (nr_package < nr_file)
		strbuf_addf(&w->text, "%s%s", nr_package ? "; others: " : "", build);
}

const char *advice_build(bool is_go)
{
	return is_go ? "build without -ldflags=-s or -w, and do not strip"
		     : "compile with -g and do not strip";
}

/* Code that the kernel maps into processes: there is no file to install. */
static bool is_part_of_kernel(struct span path)
{
	return span_starts(path, "[vdso") || span_starts(path, "[vsyscall");
}

/* Is it a file that could have debug info: neither the kernel nor JIT-compiled code? */
static bool is_program(struct span path)
{
	return path.size && path.at[0] == '/' && !image_is_list(path) &&
	       !span_starts(path, "/memfd:");
}

/* Does the recording identify its kernel?  An unfinished one does not. */
static bool knows_kernel(const struct profile *p, uint32_t module)
{
	for (size_t i = 0; i < p->nr_info; i++)
		if (span_is(profile_peek(p, p->info[i].key), "kernel"))
			return true;
	return profile_peek(p, p->module[module].build_id).size;
}

static void add_reason(struct note_writer *w, const struct profile *p, const struct lack *lack)
{
	struct span path = profile_peek(p, p->module[lack->fate.module].path);

	switch (lack->fate.state) {
	case IMAGE_OPEN:
		if (lack->fate.nr_unnamed && image_is_list(path))
			strbuf_addf(
				&w->text,
				" does not list this code: it belongs to an interpreter, or was compiled later");
		else if (lack->fate.nr_unnamed && lack->fate.symbols)
			strbuf_addf(&w->text, " has no symbol for this code");
		else if (lack->fate.nr_unnamed) {
			strbuf_add(&w->text, lack->nr_more ? SPAN(" are stripped: ")
							   : SPAN(" is stripped: "));
			add_symbols(w, 1 + lack->nr_more,
				    advice_build(lack->fate.is_go && !lack->nr_more));
		} else {
			strbuf_add(&w->text,
				   SPAN(" has no debug info, so inlined calls are missing: "));
			add_symbols(w, 1, advice_build(lack->fate.is_go));
		}
		break;
	case IMAGE_MISSING:
		/* A memfd is memory that looks like a file; Erlang's JIT writes its code there. */
		if (span_starts(path, "/memfd:")) {
			strbuf_addf(&w->text, " is JIT-compiled code%s",
				    span_starts(path, "/memfd:vmem") ? ": erl +JPperf true" : "");
			break;
		}
		strbuf_addf(&w->text, " is missing: use --symfs DIR or --debug-dir DIR");
		add_server(w, ", or ");
		break;
	case IMAGE_OTHER:
		strbuf_addf(&w->text, " has changed since recording: use --debug-dir DIR");
		add_server(w, ", or ");
		break;
	case IMAGE_NO_KERNEL:
		strbuf_addf(&w->text, knows_kernel(p, lack->fate.module)
					      ? ": recorded on another kernel: use --debug-dir DIR"
					      : ": the recording does not identify it");
		break;
	case IMAGE_HIDDEN:
		strbuf_addf(
			&w->text,
			" hides its symbols: run as root, or sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1");
		break;
	case IMAGE_NO_JIT_MAP:
		if (lack->compiler)
			strbuf_addf(&w->text, "unresolved JIT-compiled code: %s",
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

static void add_file(struct strbuf *text, const struct profile *p, const struct fate *fate)
{
	struct span path = profile_peek(p, p->module[fate->module].path);

	strbuf_add(text, SPAN(", "));
	strbuf_add(text, span_from(path, span_rfind(path, '/') + 1));
}

/* Finds the packages of the files of a lack. */
static void find_packages(struct note_writer *w, const struct profile *p, const struct lack *lack)
{
	struct span path[ADVICE_MAX + 1];

	if (lack->fate.state != IMAGE_OPEN || lack->compiler)
		return;
	path[0] = profile_peek(p, p->module[lack->fate.module].path);
	for (size_t i = 0; i < lack->nr_more; i++)
		path[1 + i] = profile_peek(p, p->module[lack->more[i].module].path);
	for (size_t i = 0; i <= lack->nr_more; i++)
		strbuf_reset(&w->package[i]);
	packages_find(w->o->root, path, 1 + lack->nr_more, w->package);
}

/* "24.1 % of samples: /usr/lib/libx.so.1, liby.so.2 are stripped: apt install libx1-dbgsym …" */
static void add_note(struct note_writer *w, struct profile *p, const struct lack *lack,
		     double share)
{
	struct span path = short_path(profile_peek(p, p->module[lack->fate.module].path));

	strbuf_reset(&w->text);
	strbuf_addf(&w->text, "%.1f %% of samples: ", share * 100);
	if (span_is(path, "[kernel.kallsyms]"))
		path = SPAN("the kernel");
	if (!lack->compiler)
		strbuf_add(&w->text, path);
	for (size_t i = 0; i < lack->nr_more; i++)
		add_file(&w->text, p, &lack->more[i]);
	if (lack->nr_unlisted)
		strbuf_addf(&w->text, " and %zu other%s", lack->nr_unlisted,
			    lack->nr_unlisted == 1 ? "" : "s");
	find_packages(w, p, lack);
	if (is_part_of_kernel(path))
		strbuf_addf(&w->text,
			    " belongs to another kernel or a 32-bit program: no symbols available");
	else
		add_reason(w, p, lack);
	notes_add(&p->notes, NOTE_ADVICE, 1, 0, strbuf_peek(&w->text));
}

/* Is it in at least 1 % of samples? */
static bool is_worth(const struct lack *lack, uint64_t total)
{
	return lack->samples * 100 >= total || lack->fate.state == IMAGE_HIDDEN;
}

static void write_notes(struct profile *p, const struct lack *lack, size_t nr, uint64_t total,
			const struct advice_opts *o)
{
	struct note_writer w = { .o = o };

	packages_server(o->root, &w.server);
	packages_debug_archive(o->root, &w.archive);
	for (size_t i = 0; i < nr; i++)
		add_note(&w, p, &lack[i], (double)lack[i].samples / (double)total);
	for (size_t i = 0; i < ARRAY_SIZE(w.package); i++)
		strbuf_release(&w.package[i]);
	strbuf_release(&w.text);
	strbuf_release(&w.server);
	strbuf_release(&w.archive);
}

/*
 * The file without debug info that has the most leaf frames: debug info would show inlined calls
 * there.
 */
static struct lack find_without_lines(const struct profile *p, const struct fate *fate, size_t nr,
				      bool sampled)
{
	uint64_t *ends = xcalloc(p->nr_module, sizeof(*ends));
	struct lack most = { .samples = 0 };

	for (size_t i = 0; i < p->nr_count; i++) {
		frame_id leaf = p->stack[p->count[i].stack.i].frame;

		ends[p->frame[leaf.i].module.i] += samples_of(p, &p->count[i], sampled);
	}
	for (size_t i = 0; i < nr; i++) {
		struct span path = profile_peek(p, p->module[fate[i].module].path);

		if (fate[i].no_lines && !fate[i].nr_unnamed && is_program(path) &&
		    ends[fate[i].module] > most.samples)
			most = (struct lack){ .fate = fate[i], .samples = ends[fate[i].module] };
	}
	free(ends);
	return most;
}

/*
 * Moves the lacks that deserve a note to the front, with all stripped files as one; returns their
 * number.
 */
static size_t join_stripped(struct lacks *l, const struct profile *p, uint64_t total)
{
	struct lack *stripped = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < l->nr && is_worth(&l->lack[i], total); i++) {
		struct lack lack = l->lack[i];

		if (is_stripped(p, &lack.fate) && stripped) {
			if (stripped->nr_more < ADVICE_MAX)
				stripped->more[stripped->nr_more++] = lack.fate;
			else
				stripped->nr_unlisted++;
			stripped->samples = l->stripped_samples;
		} else if (nr < ADVICE_MAX) {
			l->lack[nr] = lack;
			if (is_stripped(p, &lack.fate))
				stripped = &l->lack[nr];
			nr++;
		}
	}
	return nr;
}

/* Interpreters */

static const struct interpreter *find_interpreter(const struct profile *p, const struct frame *f)
{
	struct span path = profile_peek(p, p->module[f->module.i].path);

	for (size_t i = 0; i < ARRAY_SIZE(interpreters); i++)
		if (f->nr_line ? span_is(profile_peek(p, f->line[f->nr_line - 1].function),
					 interpreters[i].function)
			       : interpreters[i].stripped &&
					 span_starts(span_from(path, span_rfind(path, '/') + 1),
						     interpreters[i].stripped))
			return &interpreters[i];
	return NULL;
}

/* The version in the name of a file, libpython3.11.so.1: false if it has none. */
static bool find_version(struct span path, const char *library, uint64_t version[2])
{
	struct span name = span_from(path, span_rfind(path, '/') + 1), number;
	size_t at = span_find_text(name, library);

	if (at == name.size)
		return false;
	name = span_from(name, at + strlen(library));
	number = span_digits(name);
	if (!span_u64(number, &version[0]) || name.size == number.size ||
	    name.at[number.size] != '.')
		return false;
	return span_u64(span_digits(span_from(name, number.size + 1)), &version[1]);
}

static void add_interpreter(struct profile *p, const struct frame *f, const struct interpreter *in,
			    double share)
{
	struct span path = profile_peek(p, p->module[f->module.i].path);
	struct strbuf text = { 0 };
	uint64_t version[2];

	strbuf_addf(&text, "%.1f %% of samples: %s functions are not shown: ", share * 100,
		    in->language);
	if (!in->help)
		strbuf_addf(&text, "%s has no option to export their names", in->language);
	else if (find_version(path, in->library, version) &&
		 (version[0] < in->since[0] ||
		  (version[0] == in->since[0] && version[1] < in->since[1])))
		strbuf_addf(&text, "%s %u.%u cannot export their names; use %u.%u or later with %s",
			    in->language, (unsigned)version[0], (unsigned)version[1], in->since[0],
			    in->since[1], in->help);
	else
		strbuf_addf(&text, "%s (%s %u.%u or later)", in->help, in->language, in->since[0],
			    in->since[1]);
	notes_add(&p->notes, NOTE_ADVICE, 1, 0, strbuf_peek(&text));
	strbuf_release(&text);
}

enum { RUNS = 1, HAS_NAMES = 2 };

/* By stack: is the interpreter in it, and a function that the interpreter has named? */
static uint8_t *find_run(const struct profile *p, const struct interpreter *in)
{
	uint8_t *run = xcalloc(p->nr_stack, 1);

	for (size_t i = 1; i < p->nr_stack; i++) {
		const struct frame *f = &p->frame[p->stack[i].frame.i];

		run[i] = run[p->stack[i].caller.i];
		if (find_interpreter(p, f) == in)
			run[i] |= RUNS;
		if (f->kind == FRAME_JIT && f->nr_line)
			run[i] |= HAS_NAMES;
	}
	return run;
}

/*
 * Adds a note if an interpreter is in 1/SHARE of samples, and none of them has names of the
 * program's functions.
 */
static void advise_interpreter(struct profile *p, const struct interpreter *in, bool sampled)
{
	enum { SHARE = 5 };
	uint64_t samples = 0, total = 0;
	bool has_names = false;
	uint8_t *run;
	size_t f = 1;

	while (f < p->nr_frame && find_interpreter(p, &p->frame[f]) != in)
		f++;
	if (f >= p->nr_frame)
		return;
	run = find_run(p, in);
	for (size_t i = 0; i < p->nr_count; i++) {
		uint64_t n = samples_of(p, &p->count[i], sampled);
		uint8_t here = run[p->count[i].stack.i];

		total += n;
		samples += here & RUNS ? n : 0;
		has_names |= here == (RUNS | HAS_NAMES);
	}
	free(run);
	if (samples && !has_names && samples >= total / SHARE)
		add_interpreter(p, &p->frame[f], in, (double)samples / (double)total);
}

void advise(struct profile *p, const struct fate *fate, size_t nr, const struct advice_opts *o)
{
	enum { LINES_SHARE = 5 }; /* debug info is suggested if 1/5 of samples are in the file */
	struct lacks l;
	struct lack without;
	bool sampled = has_sampled(p);
	size_t nr_lack = 0;
	uint64_t total;

	if (!nr)
		return;
	lacks_init(&l, p, fate, nr);
	total = count_samples(p, &l, sampled);
	qsort(l.lack, l.nr, sizeof(l.lack[0]), by_samples);
	nr_lack = join_stripped(&l, p, total);
	without = find_without_lines(p, fate, nr, sampled);
	if (nr_lack < ADVICE_MAX && without.samples && without.samples >= total / LINES_SHARE)
		l.lack[nr_lack++] = without;
	qsort(l.lack, nr_lack, sizeof(l.lack[0]), by_share);
	/* The first note may be the only one shown: the program's own functions, if anything helps. */
	for (size_t i = 0; i < ARRAY_SIZE(interpreters); i++)
		if (interpreters[i].help)
			advise_interpreter(p, &interpreters[i], sampled);
	if (nr_lack && total)
		write_notes(p, l.lack, nr_lack, total, o);
	for (size_t i = 0; i < ARRAY_SIZE(interpreters); i++)
		if (!interpreters[i].help)
			advise_interpreter(p, &interpreters[i], sampled);
	free(l.of);
}
