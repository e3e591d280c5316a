/* flamegraph: --skip-after and --post-process, which work on folded text. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cmd/collapse.h"
#include "cmd/flame.h"
#include "dropin/flamegraph_rs.h"
#include "write/formats.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A collapse_check: -1, without an error message, if there is nothing to write. */
static int has_samples(const struct load_result *r, struct error *e)
{
	(void)e;
	return r->p.nr_count ? 0 : -1;
}

static int write_folded(struct flamegraph_rs *f, struct error *e)
{
	const struct collapse_opts o = {
		.in = f->in, .choose = f->job.choose, .check = has_samples, .output = f->output
	};
	struct load_result r;
	int ret = collapse(&o, &r, NULL, e);

	f->empty = ret && e->kind == ERROR_NONE;
	load_release(&r);
	return ret;
}

static int write_picture(struct flamegraph_rs *f, struct error *e)
{
	struct sink out = { .path = f->output, .format = FORMAT_SVG };
	const struct flame_opts o = { .in = f->in,
				      .choose = f->job.choose,
				      .draw = f->job.draw,
				      .output = &out,
				      .nr_output = 1 };
	struct flame_result r;
	int ret;

	format_find(f->output, &out.format);
	ret = flame(&o, &r, e);
	f->empty = !ret && r.drawn.empty;
	flame_release(&r);
	return ret;
}

static int report_empty(const struct flamegraph_rs *f, struct error *e)
{
	error_set(e, ERROR_INPUT, "No stack counts found: the target used hardly any CPU time");
	if (f->perfdata)
		return -1;
	return error_hint(e, "increase the sampling rate: -F 20000%s", f->cmd ? " in --cmd" : "");
}

int flamegraph_rs_draw(struct flamegraph_rs *f, struct error *e)
{
	enum format format;
	bool folded = format_find(f->output, &format) && format == FORMAT_FOLDED;
	int ret = folded ? write_folded(f, e) : write_picture(f, e);

	if (f->empty)
		return report_empty(f, e);
	if (!ret)
		flamegraph_rs_print_writing(f->output);
	return ret;
}

int flamegraph_rs_fold(struct flamegraph_rs *f, int fd, struct error *e)
{
	char path[32];
	const struct collapse_opts o = { .in = f->in, .choose = f->job.choose, .output = path };
	struct load_result r;
	int ret;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ret = collapse(&o, &r, NULL, e);
	load_release(&r);
	return ret;
}

/* Callers */

static bool is_skipped(const struct flamegraph_rs *f, struct span frame)
{
	for (size_t i = 0; i < f->skip_after.nr; i++)
		if (span_is(frame, f->skip_after.at[i]))
			return true;
	return false;
}

/* The line without the callers of the innermost function of --skip-after. */
static struct span without_callers(const struct flamegraph_rs *f, struct span line)
{
	size_t end = span_rfind(line, ' '), begin = 0;
	struct span stack = span_upto(line, end);

	for (size_t at = 0; at <= stack.size;) {
		struct span rest = span_from(stack, at);
		struct span frame = span_upto(rest, span_find(rest, ';'));

		if (is_skipped(f, frame))
			begin = at;
		at += frame.size + 1;
	}
	return span_from(line, begin);
}

static void drop_callers(const struct flamegraph_rs *f, struct strbuf *text)
{
	struct span all = strbuf_peek(text);
	struct strbuf out = { 0 };

	while (all.size) {
		strbuf_add(&out, without_callers(f, span_line(&all)));
		strbuf_addch(&out, '\n');
	}
	strbuf_release(text);
	*text = out;
}

/* --post-process */

/* Splits words as a shell does, with quotes and backslashes, but without any expansion. */
static bool cut_words(const char *text, struct option_list *words, struct strbuf *bytes)
{
	size_t *at = NULL, nr = 0, cap = 0;
	bool in_word = false;
	char quote = 0;

	for (; *text; text++) {
		if (!quote && isspace((unsigned char)*text)) {
			if (in_word)
				strbuf_addch(bytes, '\0');
			in_word = false;
			continue;
		}
		if (!in_word) {
			GROW(at, nr, cap);
			at[nr++] = bytes->size;
			in_word = true;
		}
		if (*text == quote)
			quote = 0;
		else if (!quote && (*text == '\'' || *text == '"'))
			quote = *text;
		else if (*text == '\\' && quote != '\'' && text[1])
			strbuf_addch(bytes, *++text);
		else
			strbuf_addch(bytes, *text);
	}
	strbuf_addch(bytes, '\0');
	for (size_t i = 0; i < nr; i++) {
		GROW(words->at, words->nr, words->cap);
		words->at[words->nr++] = bytes->at + at[i];
	}
	GROW(words->at, words->nr, words->cap);
	words->at[words->nr] = NULL;
	free(at);
	return nr && !quote;
}

/* Writes text and reads the result at the same time, so that full pipes cannot block both. */
static void feed(int in, int out, const struct strbuf *text, struct strbuf *result)
{
	size_t given = 0;
	char buf[64 * 1024];

	for (;;) {
		struct pollfd fds[] = { { .fd = out, .events = POLLIN },
					{ .fd = in, .events = POLLOUT } };
		ssize_t n;

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents) {
			n = fds[1].revents & POLLOUT
				    ? write(in, text->at + given, text->size - given)
				    : -1;
			given += n > 0 ? (size_t)n : 0;
			if (n < 0 || given == text->size) {
				close(in);
				in = -1;
			}
		}
		if (fds[0].revents) {
			n = read(out, buf, sizeof(buf));
			if (n <= 0)
				break;
			strbuf_add(result, (struct span){ buf, (size_t)n });
		}
	}
	if (in >= 0)
		close(in);
	close(out);
}

static int filter(const char *const *argv, struct strbuf *text, struct error *e)
{
	struct strbuf result = { 0 };
	int in[2], out[2], status;
	pid_t pid;

	if (pipe(in) || pipe(out))
		return error_sys(e, "pipe");
	pid = fork();
	if (!pid) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		for (int i = 0; i < 2; i++) {
			close(in[i]);
			close(out[i]);
		}
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		message_peer(stderr, "%s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	signal(SIGPIPE, SIG_IGN);
	feed(in[1], out[0], text, &result);
	signal(SIGPIPE, SIG_DFL);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
		strbuf_release(&result);
		return error_set(e, ERROR_INPUT, "post-process exited with a non zero exit code");
	}
	strbuf_release(text);
	*text = result;
	return 0;
}

static int post_process(const struct flamegraph_rs *f, struct strbuf *text, struct error *e)
{
	struct option_list words = { 0 };
	struct strbuf bytes = { 0 };
	int ret;

	if (cut_words(f->post_process, &words, &bytes))
		ret = filter(words.at, text, e);
	else
		ret = error_set(e, ERROR_INPUT, "unable to parse post-process command");
	option_list_release(&words);
	strbuf_release(&bytes);
	return ret;
}

static void read_all(int fd, struct strbuf *text)
{
	char buf[64 * 1024];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buf, sizeof(buf), at)) > 0) {
		strbuf_add(text, (struct span){ buf, (size_t)n });
		at += n;
	}
}

static int write_all(int fd, const struct strbuf *text, struct error *e)
{
	size_t at = 0;

	if (ftruncate(fd, 0))
		return error_sys(e, "folded text");
	while (at < text->size) {
		ssize_t n = pwrite(fd, text->at + at, text->size - at, (off_t)at);

		if (n < 0)
			return error_sys(e, "folded text");
		at += (size_t)n;
	}
	return 0;
}

int flamegraph_rs_text(struct flamegraph_rs *f, int fd, struct error *e)
{
	struct strbuf text = { 0 };
	const char *file[1];
	char path[32];
	int ret = 0;

	read_all(fd, &text);
	if (f->skip_after.nr)
		drop_callers(f, &text);
	if (f->post_process)
		ret = post_process(f, &text, e);
	if (!ret)
		ret = write_all(fd, &text, e);
	strbuf_release(&text);
	if (ret)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	file[0] = path;
	f->in.file = file;
	f->in.nr_file = 1;
	f->in.reader = reader_find(SPAN("folded"));
	ret = flamegraph_rs_draw(f, e);
	f->in.file = NULL;
	return ret;
}
