#include "read/perf_script/addr2line.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	RUNNING_MAX = 16,	/* addr2lines at a time: each has a file's debug info in memory */
	PATIENCE_SECONDS = 60,	/* timeout of a read */
	ANSWER_MAX = 1 << 20,	/* bytes */
	PIECE_SIZE = 64 * 1024, /* of one read */
};

/*
 * An answer has any number of lines.  So each query is followed by one for an address that no file
 * has: when the answer to that arrives, the first answer is complete.
 */
#define LAST_QUESTION "ffffffffffffffff"
#define LAST_ANSWER   "0x" LAST_QUESTION "\n??\n??:0\n"

/* One file, and the addr2line that runs for it. */
struct helper {
	const char *file;
	int fd; /* -1: not running */
	pid_t pid;
	bool useless;	/* it failed once, and is not queried again */
	uint64_t asked; /* the number of the last query: the least recently used is stopped first */
	/* The symbols that nm lists, read when they are first needed: */
	struct intern symbols;
	uint64_t *address; /* by symbol */
	size_t cap;
	bool has_symbols;
};

struct addr2line {
	struct intern files;
	struct helper *helper; /* by file */
	size_t nr, cap, nr_running;
	uint64_t nr_asked;
	struct strbuf answer;
	bool missing; /* addr2line is not installed */
};

struct addr2line *addr2line_new(void)
{
	return xcalloc(1, sizeof(struct addr2line));
}

static void stop(struct addr2line *a, struct helper *h)
{
	if (h->fd < 0)
		return;
	close(h->fd);
	kill(h->pid, SIGKILL);
	waitpid(h->pid, NULL, 0);
	h->fd = -1;
	a->nr_running--;
}

void addr2line_free(struct addr2line *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->nr; i++) {
		stop(a, &a->helper[i]);
		intern_release(&a->helper[i].symbols);
		free(a->helper[i].address);
	}
	intern_release(&a->files);
	strbuf_release(&a->answer);
	free(a->helper);
	free(a);
}

/* Starts a program, with a socket as its standard input and output; returns the other end, or -1. */
static int spawn(const char *const *argv, pid_t *pid)
{
	const struct timeval patience = { .tv_sec = PATIENCE_SECONDS };
	posix_spawn_file_actions_t actions;
	int fd[2], failed;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
		return -1;
	setsockopt(fd[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd[1], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fd[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	failed =
		posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fd[1]);
	if (!failed)
		return fd[0];
	close(fd[0]);
	return -1;
}

/* Appends what the socket has; false at its end, or on a timeout. */
static bool receive(int fd, struct strbuf *into)
{
	ssize_t n;

	strbuf_reserve(into, PIECE_SIZE);
	do
		n = read(fd, into->at + into->size, PIECE_SIZE);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	into->size += (size_t)n;
	return true;
}

static void useless(struct helper *h, struct profile *p)
{
	h->useless = true;
	notes_add(&p->notes, NOTE_NO_DEBUG_INFO, 1, 0, span_of(h->file));
}

static void stop_oldest(struct addr2line *a)
{
	struct helper *oldest = NULL;

	for (size_t i = 0; i < a->nr; i++)
		if (a->helper[i].fd >= 0 && (!oldest || a->helper[i].asked < oldest->asked))
			oldest = &a->helper[i];
	if (oldest)
		stop(a, oldest);
}

static bool start(struct addr2line *a, struct helper *h, struct profile *p)
{
	const char *argv[] = { "addr2line", "-a", "-i", "-f", "-s", "-C", "-e", h->file, NULL };
	struct stat st;

	/* addr2line would block on a FIFO or a device. */
	if (stat(h->file, &st) || !S_ISREG(st.st_mode)) {
		useless(h, p);
		return false;
	}
	if (a->nr_running == RUNNING_MAX)
		stop_oldest(a);
	h->fd = spawn(argv, &h->pid);
	if (h->fd < 0) {
		a->missing = true;
		notes_add(&p->notes, NOTE_NO_PROGRAM, 1, 0, SPAN("addr2line"));
		return false;
	}
	a->nr_running++;
	return true;
}

/* Stores the answer in a->answer; false if addr2line has exited, or on a timeout. */
static bool ask(struct addr2line *a, struct helper *h, uint64_t address)
{
	struct strbuf *answer = &a->answer;

	h->asked = ++a->nr_asked;
	strbuf_reset(answer);
	strbuf_addf(answer, "%llx\n" LAST_QUESTION "\n", (unsigned long long)address);
	if (send(h->fd, answer->at, answer->size, MSG_NOSIGNAL) != (ssize_t)answer->size)
		return false;
	strbuf_reset(answer);
	do
		if (answer->size > ANSWER_MAX || !receive(h->fd, answer))
			return false;
	while (!span_ends(strbuf_peek(answer), LAST_ANSWER));
	answer->size -= sizeof(LAST_ANSWER) - 1;
	return true;
}

/* Symbols */

/* "0000000000001149 t main" */
static void add_symbol(struct helper *h, struct span line)
{
	struct span address = span_word(&line), type = span_word(&line);
	uint64_t value;
	uint32_t i;

	line = span_trim(line);
	if (type.size != 1 || !line.size || !span_hex(address, &value))
		return;
	i = intern(&h->symbols, line);
	GROW(h->address, (size_t)i, h->cap);
	h->address[i] = value;
}

static void read_symbols(struct helper *h)
{
	const char *argv[] = { "nm", "-C", h->file, NULL };
	struct strbuf text = { 0 };
	pid_t pid;
	int fd = spawn(argv, &pid);

	h->has_symbols = true;
	if (fd < 0)
		return;
	while (receive(fd, &text)) {
		struct span rest = strbuf_peek(&text);
		size_t n;

		for (; (n = span_find(rest, '\n')) < rest.size; rest = span_from(rest, n + 1))
			add_symbol(h, span_upto(rest, n));
		memmove(text.at, rest.at, rest.size);
		text.size = rest.size;
	}
	close(fd);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	strbuf_release(&text);
}

/* The address of "main+0x12" in the file, if it has such a symbol. */
static bool find_symbol(struct helper *h, struct span symbol, uint64_t *address)
{
	size_t plus = span_rfind_text(symbol, "+0x");
	struct span name = span_upto(symbol, plus);
	uint64_t offset;
	uint32_t i;

	if (plus == symbol.size || !span_hex(span_from(symbol, plus + 3), &offset))
		return false;
	if (!h->has_symbols)
		read_symbols(h);
	i = intern_find(&h->symbols, name, intern_hash(name));
	if (i == INTERN_NONE)
		return false;
	*address = h->address[i] + offset;
	return true;
}

/* Answers */

/* Skips the line with the address; then come pairs: function, "file.c:12 (discriminator 3)". */
static size_t parse_answer(struct span answer, struct profile *p, struct line *line)
{
	size_t nr = 0;

	answer = span_from(answer, span_find(answer, '\n') + 1);
	while (answer.size && nr < ADDR2LINE_MAX) {
		size_t n = span_find(answer, '\n');
		struct span function = span_upto(answer, n), place, number;
		uint64_t value = 0;

		answer = span_from(answer, n + 1);
		n = span_find(answer, '\n');
		place = span_upto(answer, n);
		answer = span_from(answer, n + 1);
		place = span_upto(place, span_find(place, ' '));
		number = span_from(place, span_rfind(place, ':') + 1);
		line[nr] = (struct line){ .function = profile_string(p, function) };
		if (span_u64(number, &value) && value && value <= UINT32_MAX) {
			line[nr].file =
				profile_string(p, span_upto(place, place.size - number.size - 1));
			line[nr].line = (uint32_t)value;
		}
		nr++;
	}
	/* A single ?? means that the address is unknown. */
	return nr == 1 && span_is(profile_peek(p, line[0].function), "??") ? 0 : nr;
}

size_t addr2line_find(struct addr2line *a, struct span file, uint64_t address, struct span symbol,
		      struct profile *p, struct line *line)
{
	uint32_t i = intern(&a->files, file);
	struct helper *h;
	size_t nr = 0;

	if (i == a->nr) {
		GROW(a->helper, a->nr, a->cap);
		a->helper[a->nr++] =
			(struct helper){ .file = intern_peek(&a->files, i).at, .fd = -1 };
	}
	h = &a->helper[i];
	if (h->useless || a->missing || address == UINT64_MAX || (h->fd < 0 && !start(a, h, p)))
		return 0;
	for (bool again = true;; again = false) {
		if (!ask(a, h, address)) {
			stop(a, h);
			useless(h, p);
			return 0;
		}
		nr = parse_answer(strbuf_peek(&a->answer), p, line);
		if (nr || !again || !find_symbol(h, symbol, &address))
			return nr;
	}
}
