/* What is told of files without names: how much they matter, and what helps. */
#include "symbol/advice.h"

#include "base/strbuf.h"
#include "symbol/packages.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>

static char root[] = "/tmp/wick-advice-XXXXXX";

static void put(const char *folder, const char *name, const char *text)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "mkdir -p %s%s", root, folder);
	if (system(path))
		abort();
	snprintf(path, sizeof(path), "%s%s/%s", root, folder, name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static void put_system(void)
{
	put("/etc", "os-release", "NAME=\"Debian GNU/Linux\"\nID=debian\n");
	put("/var/lib/dpkg/info", "libx1:amd64.list",
	    "/.\n/lib\n/lib/libx.so.1\n/lib/libx.so.1.2\n");
	put("/var/lib/dpkg/info", "libc6:amd64.list", "/usr/lib/libc.so.6\n");
	put("/var/lib/dpkg/info", "libx1:amd64.md5sums", "/usr/lib/liby.so.2\n");
}

/* Samples whose stacks are main → a nameless place in the module. */
static uint32_t add_build(struct profile *p, const char *path, const char *build_id, uint32_t pid,
			  uint64_t nr)
{
	struct line named = { .function = profile_string(p, SPAN("main")) };
	frame_id main = profile_frame(p, &(struct frame){ .line = &named, .nr_line = 1 });
	module_id module = profile_module(p, span_of(path), span_of(build_id));
	frame_id f = profile_frame(
		p, &(struct frame){ .module = module, .address = 64, .flags = FRAME_IN_MODULE });
	struct thread t = { .pid = pid, .tid = pid, .comm = profile_string(p, SPAN("node")) };
	struct tick tick = { .thread = profile_thread(p, &t), .weight = 1 };

	tick.stack = profile_push(p, profile_push(p, (stack_id){ 0 }, main), f);
	while (nr--)
		profile_add(p, &tick);
	return module.i;
}

/* Time that was measured, with a stack that has all its names. */
static void add_waits(struct profile *p, uint64_t nr)
{
	struct line named = { .function = profile_string(p, SPAN("poll")) };
	frame_id poll = profile_frame(p, &(struct frame){ .line = &named, .nr_line = 1 });
	struct tick tick = { .weight = 1, .event = profile_event(p, SPAN("off-cpu"), SPAN("ns")) };

	p->event[tick.event].source = SOURCE_MEASURED;
	tick.stack = profile_push(p, (stack_id){ 0 }, poll);
	while (nr--)
		profile_add(p, &tick);
}

static uint32_t add_module(struct profile *p, const char *path, uint32_t pid, uint64_t nr)
{
	return add_build(p, path, "", pid, nr);
}

static struct fate fate(uint32_t module, enum image_state state)
{
	return (struct fate){ .module = module, .state = state, .nr_unnamed = 1 };
}

/* The notes, a line each. */
static const char *advice(const struct profile *p)
{
	static struct strbuf text;

	strbuf_reset(&text);
	strbuf_add(&text, SPAN(""));
	for (size_t i = 0; i < p->notes.nr; i++) {
		strbuf_add(&text, p->notes.note[i].text);
		strbuf_addch(&text, '\n');
	}
	return text.at;
}

static void test_order(void)
{
	struct advice_opts o = { .root = root };
	struct profile p;
	struct fate f[4];

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	f[0] = fate(add_module(&p, "/opt/app", 1, 20), IMAGE_OPEN);
	f[1] = fate(add_module(&p, "/usr/lib/libx.so.1", 1, 70), IMAGE_OPEN);
	f[2] = fate(add_module(&p, "/opt/rare", 1, 1), IMAGE_OPEN);
	f[3] = fate(add_module(&p, "/opt/gone", 1, 109), IMAGE_MISSING);
	advise(&p, f, 4, &o);
	is_str(advice(&p),
	       "54.5 % of samples: /opt/gone is missing: use --symfs DIR or --debug-dir DIR, or "
	       "set DEBUGINFOD_URLS=https://debuginfod.debian.net\n"
	       "45.5 % of samples: /usr/lib/libx.so.1, app are stripped: set "
	       "DEBUGINFOD_URLS=https://debuginfod.debian.net, or apt install libx1-dbgsym; "
	       "others: compile with -g and do not strip\n",
	       "the largest share comes first, stripped files share a note, rare files get none");
	profile_release(&p);
}

/* A recording has waits beside samples of the CPU: shares are those of samples. */
static void test_waits(void)
{
	struct advice_opts o = { .root = root };
	struct profile p;
	struct fate f;

	profile_init(&p);
	profile_event(&p, SPAN("cpu-clock"), SPAN("ns"));
	f = fate(add_module(&p, "/opt/app", 1, 10), IMAGE_OPEN);
	add_waits(&p, 1000);
	advise(&p, &f, 1, &o);
	is_str(advice(&p),
	       "100.0 % of samples: /opt/app is stripped: compile with -g and do not strip\n",
	       "waits are not counted as samples");
	profile_release(&p);
}

/* Erlang's runtime generates code in memory that has a name. */
static void test_memory(void)
{
	struct advice_opts o = { .root = root };
	struct profile p;
	struct fate f[1];

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	f[0] = fate(add_module(&p, "/memfd:vmem (deleted)", 1, 20), IMAGE_MISSING);
	advise(&p, f, 1, &o);
	is_str(advice(&p),
	       "100.0 % of samples: /memfd:vmem (deleted) is JIT-compiled code: erl +JPperf true\n",
	       "code in a memfd is reported as JIT-compiled code, not as a missing file");
	profile_release(&p);
}

/* Of what ran already, the kernel tells no build-id. */
static void test_same(void)
{
	struct advice_opts o = { .root = root };
	struct profile p;
	struct fate f[2];

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	f[0] = fate(add_module(&p, "/opt/app", 1, 20), IMAGE_OPEN);
	f[1] = fate(add_build(&p, "/opt/app", "0123abcd", 1, 30), IMAGE_OPEN);
	advise(&p, f, 2, &o);
	is_str(advice(&p),
	       "100.0 % of samples: /opt/app is stripped: compile with -g and do not strip\n",
	       "a file with and without a build ID gets one note");
	profile_release(&p);
}

static void test_others(void)
{
	struct advice_opts o = { .root = root, .fetches = true };
	struct profile p;
	struct fate f[5];

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	f[0] = fate(add_module(&p, "/tmp/perf-7.map", 7, 300), IMAGE_NO_JIT_MAP);
	f[1] = fate(add_module(&p, "/tmp/perf-8.map", 8, 200), IMAGE_NO_JIT_MAP);
	f[2] = fate(add_module(&p, "[kernel.kallsyms]", 7, 1), IMAGE_HIDDEN);
	f[3] = fate(add_module(&p, "/usr/lib/libc.so.6", 7, 299), IMAGE_OTHER);
	f[4] = fate(add_module(&p, "/lib/libc.so.6", 7, 200), IMAGE_OPEN);
	advise(&p, f, 5, &o);
	is_str(advice(&p),
	       "50.0 % of samples: unresolved JIT-compiled code: node --perf-basic-prof\n"
	       "29.9 % of samples: /usr/lib/libc.so.6 has changed since recording: use --debug-dir DIR\n"
	       "20.0 % of samples: /lib/libc.so.6 is stripped: apt install libc6-dbg\n"
	       "0.1 % of samples: the kernel hides its symbols: run as root, or sudo sysctl "
	       "kernel.kptr_restrict=0 kernel.perf_event_paranoid=1\n",
	       "perf maps of one runtime share a note; hidden kernel symbols are always reported");
	profile_release(&p);
}

static void test_nothing_helps(void)
{
	struct advice_opts o = { .root = root };
	struct profile p;
	struct fate f[2];

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	f[0] = fate(add_module(&p, "/usr/lib/libc.so.6", 1, 30), IMAGE_OPEN);
	f[0].symbols = true;
	f[1] = fate(add_module(&p, "[vdso]", 1, 70), IMAGE_OTHER);
	advise(&p, f, 2, &o);
	is_str(advice(&p),
	       "70.0 % of samples: [vdso] belongs to another kernel or a 32-bit program: "
	       "no symbols available\n"
	       "30.0 % of samples: /usr/lib/libc.so.6 has no symbol for this code\n",
	       "no package is advised where none would help");
	profile_release(&p);
}

static void test_untold(void)
{
	struct advice_opts o = { .root = root };
	struct profile p;
	struct fate f[2];

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	f[0] = fate(add_module(&p, "/tmp/perf-7.map", 7, 60), IMAGE_OPEN);
	f[1] = fate(add_module(&p, "[kernel.kallsyms]", 7, 40), IMAGE_NO_KERNEL);
	advise(&p, f, 2, &o);
	is_str(advice(&p),
	       "60.0 % of samples: /tmp/perf-7.map does not list this code: it belongs to "
	       "an interpreter, or was compiled later\n"
	       "40.0 % of samples: the kernel: the recording does not identify it\n",
	       "code missing from a perf map and an unidentified kernel are not reported as stripped");
	profile_release(&p);
}

static void test_lines(void)
{
	struct advice_opts o = { .root = root };
	struct profile p;
	struct fate f[3];

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	f[0] = (struct fate){ .module = add_module(&p, "/opt/app", 1, 30), .no_lines = true };
	f[1] = (struct fate){ .module = add_module(&p, "/opt/b", 1, 30) };
	/* The kernel's part of each program has none, and nothing could be done about it. */
	f[2] = (struct fate){ .module = add_module(&p, "[vdso]", 1, 40), .no_lines = true };
	advise(&p, f, 3, &o);
	is_str(advice(&p),
	       "30.0 % of samples: /opt/app has no debug info, so inlined calls are missing: "
	       "compile with -g and do not strip\n",
	       "missing debug info is reported for programs and libraries, not for the vDSO");
	profile_release(&p);
}

static void test_go(void)
{
	struct advice_opts o = { .root = root };
	struct profile p;
	struct fate f;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	f = (struct fate){ .module = add_module(&p, "/opt/app", 1, 30),
			   .no_lines = true,
			   .is_go = true };
	advise(&p, &f, 1, &o);
	is_str(advice(&p),
	       "100.0 % of samples: /opt/app has no debug info, so inlined calls are missing: "
	       "build without -ldflags=-s or -w, and do not strip\n",
	       "a Go program gets advice for Go's linker");
	profile_release(&p);
}

/* Debug info is nothing that the kernel or JavaScript could be compiled with. */
static void test_no_programs(void)
{
	static const char *const path[] = { "[kernel.kallsyms]", "[ext4]", "/tmp/perf-7.map",
					    "/memfd:vmem (deleted)" };
	struct advice_opts o = { .root = root };

	for (size_t i = 0; i < 4; i++) {
		struct profile p;
		struct fate f;

		profile_init(&p);
		profile_event(&p, SPAN("cycles"), SPAN(""));
		f = (struct fate){ .module = add_module(&p, path[i], 7, 30), .no_lines = true };
		advise(&p, &f, 1, &o);
		is_str(advice(&p), "", path[i]);
		profile_release(&p);
	}
}

/* A package that apt cannot locate: its archive is not among the sources. */
static void test_archive(void)
{
	struct advice_opts o = { .root = root };
	struct strbuf line = { 0 };
	struct profile p;
	struct fate f;

	put("/etc", "os-release", "ID=debian\nVERSION_CODENAME=bookworm\n");
	put("/etc/apt", "sources.list", "deb http://deb.debian.org/debian bookworm main\n");
	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	f = fate(add_module(&p, "/usr/lib/libx.so.1", 1, 70), IMAGE_OPEN);
	advise(&p, &f, 1, &o);
	is_str(advice(&p),
	       "100.0 % of samples: /usr/lib/libx.so.1 is stripped: set "
	       "DEBUGINFOD_URLS=https://debuginfod.debian.net\n",
	       "apt install is not advised if debuginfod serves the files and apt lacks the archive");
	notes_forget(&p.notes, NOTE_ADVICE);
	o.fetches = true;
	advise(&p, &f, 1, &o);
	is_str(advice(&p),
	       "100.0 % of samples: /usr/lib/libx.so.1 is stripped: apt install libx1-dbgsym (in "
	       "sources.list: deb http://deb.debian.org/debian-debug bookworm-debug main)\n",
	       "a package of the debug archive comes with the line that adds the archive");
	put("/etc/apt/sources.list.d", "debug.sources",
	    "URIs: https://mirror.example/debian-debug/\n");
	packages_debug_archive(root, &line);
	is_int(line.size, 0, "an archive that apt already has is not added");
	profile_release(&p);
}

/* Samples of an interpreter, and how many of them have a function that it named. */
static const char *interpreted(const char *function, const char *path, uint64_t nr_named)
{
	struct advice_opts o = { .root = root };
	struct fate f = { 0 };
	struct profile p;
	const char *text;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	for (uint64_t i = 0; i < 10; i++) {
		struct line runs = { .function = profile_string(&p, span_of(function)) };
		struct line named = { .function = profile_string(&p, SPAN("py::f:a.py")) };
		module_id module = profile_module(&p, span_of(path), SPAN(""));
		struct tick tick = { .weight = 1 };

		tick.stack = profile_push(&p, tick.stack,
					  profile_frame(&p, &(struct frame){ .module = module,
									     .line = &runs,
									     .nr_line = 1 }));
		if (i < nr_named)
			tick.stack =
				profile_push(&p, tick.stack,
					     profile_frame(&p, &(struct frame){ .kind = FRAME_JIT,
										.line = &named,
										.nr_line = 1 }));
		profile_add(&p, &tick);
		f.module = module.i;
	}
	advise(&p, &f, 1, &o);
	text = advice(&p);
	profile_release(&p);
	return text;
}

/* 40 samples in an interpreter, and 60 in a stripped file. */
static const char *interpreted_and_stripped(const char *function, const char *path)
{
	struct advice_opts o = { .root = root };
	struct fate f[2] = { { 0 } };
	struct profile p;
	const char *text;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	f[0] = fate(add_module(&p, "/opt/app", 1, 60), IMAGE_OPEN);
	for (int i = 0; i < 40; i++) {
		struct line runs = { .function = profile_string(&p, span_of(function)) };
		struct frame frame = { .module = profile_module(&p, span_of(path), SPAN("")),
				       .line = &runs,
				       .nr_line = 1 };
		struct tick tick = { .weight = 1 };

		tick.stack = profile_push(&p, tick.stack, profile_frame(&p, &frame));
		profile_add(&p, &tick);
		f[1].module = frame.module.i;
	}
	advise(&p, f, 2, &o);
	text = advice(&p);
	profile_release(&p);
	return text;
}

static void test_interpreters(void)
{
	is_str(interpreted("_PyEval_EvalFrameDefault", "/usr/bin/python3.13", 0),
	       "100.0 % of samples: Python functions are not shown: python3 -X perf or "
	       "PYTHONPERFSUPPORT=1 (Python 3.12 or later)\n",
	       "an interpreter gets the option that shows its functions");
	is_str(interpreted("_PyEval_EvalFrameDefault", "/usr/lib/libpython3.9.so.1.0", 0),
	       "100.0 % of samples: Python functions are not shown: Python 3.9 cannot export their "
	       "names; use 3.12 or later with python3 -X perf or PYTHONPERFSUPPORT=1\n",
	       "advice for Python 3.9 says that it cannot export names");
	is_str(interpreted("_PyEval_EvalFrameDefault", "/usr/bin/python3.13", 1), "",
	       "an interpreter that names its functions gets no advice");
	is_str(interpreted("luaV_execute", "/usr/bin/lua5.4", 0),
	       "100.0 % of samples: Lua functions are not shown: Lua has no option to export their names\n",
	       "advice for Lua says that it has no option to export names");
	is_str(interpreted_and_stripped("_PyEval_EvalFrameDefault", "/usr/bin/python3.13"),
	       "40.0 % of samples: Python functions are not shown: python3 -X perf or "
	       "PYTHONPERFSUPPORT=1 (Python 3.12 or later)\n"
	       "60.0 % of samples: /opt/app is stripped: compile with -g and do not strip\n",
	       "the option of an interpreter comes before stripped files");
	is_str(interpreted_and_stripped("luaV_execute", "/usr/bin/lua5.4"),
	       "60.0 % of samples: /opt/app is stripped: compile with -g and do not strip\n"
	       "40.0 % of samples: Lua functions are not shown: Lua has no option to export their names\n",
	       "an interpreter without such an option comes last");
}

/* A chain of named functions, with a nameless one at this depth from the root. */
static uint32_t add_chain(struct profile *p, size_t depth)
{
	uint32_t module = add_module(p, "/opt/lib", 1, 0);
	struct tick tick = { .weight = 1 };

	for (size_t i = 0; i < 6; i++) {
		struct line line = { .function = profile_string(p, SPAN("f")) };
		struct frame named = { .line = &line, .nr_line = 1, .address = i };
		struct frame nameless = { .module = { module }, .flags = FRAME_IN_MODULE };

		tick.stack = profile_push(p, tick.stack,
					  profile_frame(p, i == depth ? &nameless : &named));
	}
	profile_add(p, &tick);
	return module;
}

static void test_start(void)
{
	for (size_t depth = 2; depth < 4; depth++) {
		struct advice_opts o = { .root = root, .fetches = true };
		struct profile p;
		struct fate f;

		profile_init(&p);
		profile_event(&p, SPAN("cycles"), SPAN(""));
		f = fate(add_chain(&p, depth), IMAGE_OTHER);
		advise(&p, &f, 1, &o);
		is_int(p.notes.nr, depth == 3,
		       "unresolved frames among the first three of a stack get no note, deeper ones do");
		profile_release(&p);
	}
}

static void test_servers(void)
{
	struct strbuf url = { 0 };

	ok(!packages_server("/nowhere", &url), "an unknown system has no server");
	put("/etc/debuginfod", "own.urls", "https://debug.example\n");
	ok(packages_server(root, &url), "packages_server() succeeds if a .urls file is configured");
	is_str(url.at, "https://debug.example",
	       "a configured debuginfod server takes precedence over the distribution's");
	strbuf_release(&url);
}

int main(void)
{
	char remove[100];

	if (!mkdtemp(root))
		return 1;
	put_system();
	test_order();
	test_waits();
	test_memory();
	test_same();
	test_others();
	test_nothing_helps();
	test_untold();
	test_lines();
	test_go();
	test_no_programs();
	test_interpreters();
	test_start();
	test_archive();
	test_servers();
	snprintf(remove, sizeof(remove), "rm -r %s", root);
	ok(!system(remove), "the test's temporary directory is removed");
	return done();
}
