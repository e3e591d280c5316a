#include "tui/terminal.h"

#include "base/alloc.h"
#include "base/base64.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

/* Alternate screen, no wrapping, no cursor, mouse buttons, SGR coordinates, bracketed paste. */
#define ENTER "\033[?1049h\033[?7l\033[?25l\033[?1000h\033[?1006h\033[?2004h"
#define LEAVE "\033[?2004l\033[?1006l\033[?1000l\033[0m\033[?25h\033[?7h\033[?1049l"

enum {
	ESCAPE_MS = 40, /* the rest of an escape sequence comes within this time */
};

/* The state to restore.  Global, since signal handlers have no argument. */
static struct taken {
	volatile sig_atomic_t on; /* the terminal is ours */
	int fd;
	struct termios before;
	struct sigaction crash[5]; /* the handlers before ours */
} taken;

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
static const int signals[] = { SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT };

static void write_all(int fd, const char *at, size_t size)
{
	while (size) {
		ssize_t n = write(fd, at, size);
		struct pollfd p = { .fd = fd, .events = POLLOUT };

		if (n < 0 && errno == EAGAIN)
			poll(&p, 1, 1000);
		else if (n < 0 && errno != EINTR)
			return;
		at += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
}

/* Async-signal-safe, as write() and tcsetattr() are. */
static void give_back(void)
{
	if (!taken.on)
		return;
	taken.on = 0;
	write_all(taken.fd, LEAVE, sizeof(LEAVE) - 1);
	tcsetattr(taken.fd, TCSADRAIN, &taken.before);
}

static int take_over(void)
{
	struct termios raw = taken.before;

	cfmakeraw(&raw);
	raw.c_oflag |= OPOST;
	if (tcsetattr(taken.fd, TCSADRAIN, &raw))
		return -1;
	taken.on = 1;
	write_all(taken.fd, ENTER, sizeof(ENTER) - 1);
	return 0;
}

/* Restores the terminal, and lets the handler before ours report the crash on it. */
static void on_crash(int number)
{
	give_back();
	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
		if (crashes[i] == number)
			sigaction(number, &taken.crash[i], NULL);
	raise(number);
}

static void watch_crashes(void)
{
	struct sigaction a = { .sa_handler = on_crash };

	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
		sigaction(crashes[i], &a, &taken.crash[i]);
	/* Running out of memory calls exit(). */
	atexit(give_back);
}

static void unwatch_crashes(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
		sigaction(crashes[i], &taken.crash[i], NULL);
}

static int open_signals(struct terminal *t, struct error *e)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&set, signals[i]);
	t->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (t->signals < 0 || sigprocmask(SIG_BLOCK, &set, &t->blocked_before))
		return error_sys(e, "signals");
	return 0;
}

int terminal_open(struct terminal *t, struct error *e)
{
	*t = (struct terminal){ .keys = -1, .out = STDOUT_FILENO, .signals = -1 };
	taken.fd = t->out;
	if (tcgetattr(t->out, &taken.before))
		return error_set(e, ERROR_USAGE, "standard output is not a terminal");
	/* Not standard input, which may be the profile. */
	t->keys = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (t->keys < 0 && isatty(STDIN_FILENO))
		t->keys = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	if (t->keys < 0)
		return error_sys(e, "/dev/tty");
	if (open_signals(t, e))
		return -1;
	if (take_over())
		return error_sys(e, "cannot set up the terminal");
	watch_crashes();
	return 0;
}

void terminal_close(struct terminal *t)
{
	struct timespec at_once = { 0 };
	sigset_t window;

	give_back();
	/* A late reply must not become the shell's input. */
	if (t->asked)
		tcflush(t->out, TCIFLUSH);
	if (t->keys >= 0)
		close(t->keys);
	if (t->signals >= 0) {
		unwatch_crashes();
		close(t->signals);
		/*
		 * Takes pending signals that only concern the screen, so that they are not
		 * delivered later.
		 */
		sigemptyset(&window);
		sigaddset(&window, SIGWINCH);
		sigaddset(&window, SIGCONT);
		while (sigtimedwait(&window, NULL, &at_once) > 0)
			;
		sigprocmask(SIG_SETMASK, &t->blocked_before, NULL);
	}
	t->keys = t->signals = -1;
}

void terminal_size(const struct terminal *t, int *width, int *height)
{
	struct winsize size = { 0 };

	*width = 80;
	*height = 24;
	if (ioctl(t->out, TIOCGWINSZ, &size) || !size.ws_col || !size.ws_row)
		return;
	*width = size.ws_col;
	*height = size.ws_row;
}

void terminal_write(const struct terminal *t, struct span bytes)
{
	write_all(t->out, bytes.at, bytes.size);
}

void terminal_ask_ground(struct terminal *t)
{
	t->asked = true;
	terminal_write(t, SPAN("\033]11;?\033\\"));
}

void terminal_suspend(struct terminal *t)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL }, before;
	sigset_t stop, blocked;

	give_back();
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigaction(SIGTSTP, &by_default, &before);
	/* The whole process group stops, as with the terminal's own Ctrl-Z. */
	kill(0, SIGTSTP);
	/* The process stops in this call, and continues in it. */
	sigprocmask(SIG_UNBLOCK, &stop, &blocked);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	sigaction(SIGTSTP, &before, NULL);
	t->nr_input = 0;
	take_over();
}

/* After SIGSTOP, which cannot be caught, other programs may have used the terminal. */
static void take_again(void)
{
	give_back();
	take_over();
}

/* Handles all pending signals; the last one determines the event. */
static enum terminal_event take_signal(struct terminal *t)
{
	struct signalfd_siginfo info;
	enum terminal_event event = TERMINAL_TIMEOUT;

	while (read(t->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		switch (info.ssi_signo) {
		case SIGWINCH:
			event = TERMINAL_RESIZED;
			break;
		case SIGCONT:
			take_again();
			event = TERMINAL_RESIZED;
			break;
		case SIGTSTP:
			terminal_suspend(t);
			event = TERMINAL_RESIZED;
			break;
		default:
			return TERMINAL_END;
		}
	}
	return event;
}

static bool take_key(struct terminal *t, enum key_rest rest, struct key *k)
{
	struct span bytes = { .at = t->input, .size = t->nr_input };
	size_t size;

	if (!bytes.size)
		return false;
	/* A full buffer cannot wait for the rest of a sequence. */
	if (bytes.size == sizeof(t->input))
		rest = KEY_REST_IS_NONE;
	size = key_parse(bytes, rest, k);
	t->nr_input -= size;
	memmove(t->input, t->input + size, t->nr_input);
	return size > 0;
}

static bool read_keys(struct terminal *t)
{
	ssize_t n = read(t->keys, t->input + t->nr_input, sizeof(t->input) - t->nr_input);

	if (n > 0)
		t->nr_input += (size_t)n;
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

enum terminal_event terminal_wait(struct terminal *t, int ms, int other, struct key *k)
{
	enum { KEYS, SIGNALS, OTHER, NR };
	struct pollfd p[NR] = { [KEYS] = { .fd = t->keys, .events = POLLIN },
				[SIGNALS] = { .fd = t->signals, .events = POLLIN },
				[OTHER] = { .fd = other, .events = POLLIN } };
	bool cut;
	int n;

	if (take_key(t, KEY_REST_MAY_COME, k))
		return TERMINAL_KEY;
	cut = t->nr_input > 0;
	n = poll(p, NR, cut ? ESCAPE_MS : ms);
	if (n < 0)
		return errno == EINTR ? TERMINAL_TIMEOUT : TERMINAL_END;
	if (!n && cut && take_key(t, KEY_REST_IS_NONE, k))
		return TERMINAL_KEY;
	if (p[SIGNALS].revents)
		return take_signal(t);
	if (p[KEYS].revents) {
		if (!read_keys(t))
			return TERMINAL_END;
		return take_key(t, KEY_REST_MAY_COME, k) ? TERMINAL_KEY : TERMINAL_TIMEOUT;
	}
	return p[OTHER].revents ? TERMINAL_TOLD : TERMINAL_TIMEOUT;
}

void terminal_copy(struct strbuf *out, struct span text)
{
	strbuf_add(out, SPAN("\033]52;c;"));
	base64_add(out, text);
	strbuf_addch(out, '\a');
}
