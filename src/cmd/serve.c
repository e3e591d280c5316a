#include "cmd/serve.h"

#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cmd/annotate/annotate_view.h"
#include "cmd/flame.h"
#include "cmd/print_notes.h"
#include "profile/spelling.h"
#include "serve/http.h"
#include "symbol/symbolize.h"
#include "write/formats.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Web viewers that fetch the profile named in their URL. */
enum { UI_NONE = -1 };

static const struct ui {
	enum format format;
	const char *origin, *url; /* the encoded URL of the profile is appended to `url` */
	uint16_t port;		  /* the only port that it fetches from; 0: any */
} uis[] = {
	{ FORMAT_FIREFOX, "https://profiler.firefox.com", "https://profiler.firefox.com/from-url/",
	  0 },
	{ FORMAT_SPEEDSCOPE, "https://www.speedscope.app",
	  "https://www.speedscope.app/#profileURL=", 0 },
	{ FORMAT_PERFETTO, "https://ui.perfetto.dev", "https://ui.perfetto.dev/#!/?url=", 9001 },
};

#define UI_CHOICES "firefox|speedscope|perfetto"

struct command {
	struct load_opts in;
	struct choose_opts choose;
	struct progress progress;
	unsigned port;
	int ui;
	bool open;
	const char *source;
	struct flame_result r;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "ui", 0, OPTION_CHOICE, AT(ui), UI_CHOICES,
	  "open another viewer, which fetches the profile from wick", 0 },
	{ "port", 'p', OPTION_UINT, AT(port), "N", "TCP port [any free port; 9001 for perfetto]",
	  0 },
	{ "open", 0, OPTION_FLAG, AT(open), NULL, "open the URL in a browser (xdg-open)", 0 },
	{ "source", 0, OPTION_STRING, AT(source), "DIR",
	  "directory with the sources [their paths at compile time]", 0 },
	FORMAT_FROM_OPTION(in.from),
	CHOOSE_OPTIONS(choose),
	WAKERS_OPTION(choose),
	NAMING_OPTIONS(in.naming),
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_words values[] = { FORMAT_FROM_WORDS, { 0 } };

const struct option_table serve_table = {
	.usage = "wick serve [options] FILE...",
	.about =
		"Shows a profile in the browser: prints a URL on this machine (127.0.0.1) with a secret token,\n"
		"and serves the page until Ctrl-C.  The menu of a function shows its source.  --ui prints the\n"
		"URL of another viewer, which then fetches the profile from wick; nothing is uploaded.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.words = values,
};

/* Files in a temporary folder, which is removed before the first request */

struct served {
	struct strbuf folder, path[2];
	struct sink to[2];
	struct http_file file[3]; /* the last one has no path: it is generated on request */
	size_t nr;
};

static int make_folder(struct served *s, struct error *e)
{
	const char *tmp = getenv("TMPDIR");

	strbuf_addf(&s->folder, "%s/wick-serve.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	return mkdtemp(s->folder.at) ? 0 : error_sys(e, "%s", s->folder.at);
}

static void add_file(struct served *s, enum format format, struct http_file file)
{
	strbuf_addf(&s->path[s->nr], "%s/%zu", s->folder.at, s->nr);
	s->to[s->nr] = (struct sink){ .path = s->path[s->nr].at, .format = format };
	s->file[s->nr++] = file;
}

static void remove_files(struct served *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		unlink(s->path[i].at);
		strbuf_release(&s->path[i]);
	}
	rmdir(s->folder.at);
	strbuf_release(&s->folder);
}

static int map_file(const char *path, struct span *bytes, struct error *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *at;

	if (fd < 0 || fstat(fd, &st)) {
		error_sys(e, "%s", path);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return error_sys(e, "%s", path);
	*bytes = (struct span){ .at = at, .size = (size_t)st.st_size };
	return 0;
}

static int make_files(struct command *c, struct served *s, struct error *e)
{
	struct flame_opts o = { .in = c->in,
				.choose = c->choose,
				.draw = DRAW_OPTS_DEFAULT,
				.output = s->to,
				.nr_output = s->nr };
	struct flame_result *r = &c->r;
	int ret;

	o.in.read.times = o.in.read.cpus = o.in.read.srcline = true;
	o.choose.keeps_events = sinks_keep_events(s->to, s->nr);
	ret = flame(&o, r, e);
	progress_end(&c->progress);
	if (!ret && r->drawn.empty)
		ret = choose_nothing(&c->choose, e);
	print_notes(&r->in.p, NOTES_SUMMED);
	for (size_t i = 0; i < s->nr && !ret; i++)
		ret = map_file(s->path[i].at, &s->file[i].body, e);
	if (!ret && c->ui != UI_NONE)
		print_lost(s->file[1].name, s->to[1].format, &r->in.p);
	return ret;
}

/* Source */

/*
 * Writes the output of wick annotate for a function; the query is its name, without marks and
 * module.
 */
static void write_source(void *arg, struct span query, struct strbuf *body)
{
	struct command *c = arg;
	const struct chosen *chosen = &c->r.chosen;
	struct annotation_opts o = { .function = query,
				     .spelling = chosen->spelling &
						 ~(unsigned)(SPELL_THREAD | SPELL_AROUND |
							     SPELL_MARKS | SPELL_APART),
				     .samples = chosen->samples,
				     .in = chosen->in[chosen->nr_column - 1] };
	struct annotate_view v = { .p = &c->r.in.p, .source = c->source, .out = body };
	struct error e = ERROR_INIT;
	struct roots roots = { 0 };
	struct naming_files files;

	naming_files_init(&files, &c->in.naming);
	symbolize_find_files(v.p, &files.image, &roots);
	files.image.lines = true;
	v.image = &files.image;
	annotate_write_function(&v, &o, &e);
	naming_files_release(&files);
}

/* URLs */

/* Appends text encoded as a part of a URL. */
static void add_encoded(struct strbuf *to, struct span text)
{
	for (size_t i = 0; i < text.size; i++)
		if (is_word(text.at[i]) || is_one_of(text.at[i], "-.~"))
			strbuf_addch(to, text.at[i]);
		else
			strbuf_addf(to, "%%%02X", (unsigned char)text.at[i]);
}

static void add_url(struct strbuf *to, const struct http_server *s, const char *name)
{
	strbuf_addf(to, "http://127.0.0.1:%u/%s/%s", s->port, s->token, name);
}

static void open_browser(const char *url)
{
	char *argv[] = { (char *)(uintptr_t) "xdg-open", (char *)(uintptr_t)url, NULL };
	pid_t pid;

	if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ))
		message("cannot run xdg-open: open the URL yourself");
}

/* Prints the URL of the page first; the last URL is opened in the browser. */
static void print_urls(const struct command *c, const struct http_server *s)
{
	struct strbuf url = { 0 }, ui = { 0 };

	add_url(&url, s, "");
	printf("%s\n", url.at);
	if (c->ui != UI_NONE) {
		strbuf_reset(&url);
		add_url(&url, s, s->file[1].name);
		strbuf_addf(&ui, "%s", uis[c->ui].url);
		add_encoded(&ui, strbuf_peek(&url));
		printf("%s\n", ui.at);
	}
	fflush(stdout);
	message("serving until Ctrl-C");
	if (c->open)
		open_browser(c->ui != UI_NONE ? ui.at : url.at);
	strbuf_release(&url);
	strbuf_release(&ui);
}

static int serve(struct command *c, struct error *e)
{
	const struct ui *ui = c->ui != UI_NONE ? &uis[c->ui] : NULL;
	struct served files = { 0 };
	struct http_server s = { .listen = -1 };
	int ret;

	if (c->port > UINT16_MAX)
		return error_set(e, ERROR_USAGE, "--port must be at most %d", UINT16_MAX);
	if (ui && ui->port && c->port && c->port != ui->port)
		return error_set(
			e, ERROR_USAGE,
			"--ui perfetto requires port %u: ui.perfetto.dev fetches from no other port",
			ui->port);
	if (make_folder(&files, e)) {
		strbuf_release(&files.folder);
		return -1;
	}
	add_file(&files, FORMAT_HTML,
		 (struct http_file){ .name = "", .type = "text/html; charset=utf-8" });
	if (ui)
		add_file(&files, ui->format,
			 (struct http_file){ .name = format_writer(ui->format)->path,
					     .type = ui->format == FORMAT_PERFETTO
							     ? "application/octet-stream"
							     : "application/json",
					     .origin = ui->origin });
	load_watch(&c->in, &c->progress);
	ret = make_files(c, &files, e);
	remove_files(&files);
	files.file[files.nr] = (struct http_file){ .name = "source",
						   .type = "text/plain; charset=utf-8",
						   .make = write_source,
						   .arg = c };
	s.file = files.file;
	s.nr_file = files.nr + 1;
	if (!ret)
		ret = http_open(&s, c->port ? (uint16_t)c->port : ui ? ui->port : 0, e);
	if (!ret) {
		print_urls(c, &s);
		ret = http_run(&s, e);
	}
	http_close(&s);
	flame_release(&c->r);
	for (size_t i = 0; i < files.nr; i++)
		if (files.file[i].body.size)
			munmap((void *)(uintptr_t)files.file[i].body.at, files.file[i].body.size);
	return ret;
}

int serve_main(int argc, char **argv)
{
	struct command c = { .in = { .read = { .threads = load_threads() } }, .ui = UI_NONE };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&serve_table, &c, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&serve_table);
		return 0;
	}
	c.in.file = operands.at;
	c.in.nr_file = operands.nr;
	if (!ret && !operands.nr)
		ret = error_set(&e, ERROR_USAGE, "no input file given (- is standard input)");
	if (!ret)
		ret = serve(&c, &e);
	option_list_release(&operands);
	return message_result(ret, &e);
}
