#include "record/system/system.h"

#include "base/alloc.h"
#include "base/span.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum {
	EVERY_NS = 250 * 1000 * 1000,
	/* The kernel counts in ticks of up to 10 ms: rates of a shorter time would be noise. */
	LEAST_NS = 20 * 1000 * 1000,
	LAST_NS = 100 * 1000 * 1000,
	/* The pause after a reading is this many times its duration, so that readings take at most 0.1 % of a CPU. */
	REST = 1000,
	FILE_MAX = 8192,
	/* If the target has more threads, their CPU wait is not read. */
	THREADS_MAX = 64,
	PATH_MAX_HERE = 1024,
	SECOND_US = 1000 * 1000,
};

const struct system_value_row *system_value_row(enum system_value value)
{
	static const struct system_value_row rows[] = {
#define X(id, name, unit, scope, digits) { name, unit, scope, digits },
		SYSTEM_VALUES(X)
#undef X
	};

	return &rows[value];
}

static int open_file(const char *root, const char *path)
{
	char whole[PATH_MAX_HERE];
	int n = snprintf(whole, sizeof(whole), "%s%s", root, path);

	return n > 0 && (size_t)n < sizeof(whole) ? open(whole, O_RDONLY | O_CLOEXEC) : -1;
}

static struct span read_file(int fd, char to[static FILE_MAX])
{
	ssize_t n = fd < 0 ? -1 : pread(fd, to, FILE_MAX, 0);

	return (struct span){ to, n > 0 ? (size_t)n : 0 };
}

static uint64_t take_number(struct span *text)
{
	uint64_t value;

	return span_u64(span_word(text), &value) ? value : 0;
}

/* Control groups */

/* "0::/user.slice" (v2), "4:cpu,cpuacct:/docker/…" (v1): the directory of the group that limits CPUs. */
static bool parse_group(struct span line, bool *v2, struct span *path)
{
	size_t first = span_find(line, ':');
	struct span rest = span_from(line, first + 1),
		    kinds = span_upto(rest, span_find(rest, ':'));

	*path = span_from(rest, kinds.size + 1);
	*v2 = !kinds.size;
	while (kinds.size) {
		struct span kind = span_upto(kinds, span_find(kinds, ','));

		if (span_is(kind, "cpu"))
			return true;
		kinds = span_from(kinds, kind.size + 1);
	}
	return *v2;
}

/* Opens cpu.stat of the group and of all its ancestors: any of them may have the limit. */
static void open_groups(struct system *s, const char *mount, struct span path)
{
	while (s->nr_group < SYSTEM_GROUPS_MAX) {
		char file[PATH_MAX_HERE];
		int n = snprintf(file, sizeof(file), "%s%.*s/cpu.stat", mount, (int)path.size,
				 path.at);
		int fd = n > 0 && (size_t)n < sizeof(file) ? open_file(s->root, file) : -1;

		if (fd >= 0)
			s->group[s->nr_group++] = fd;
		if (!path.size)
			break;
		path = span_upto(path,
				 span_rfind(path, '/') < path.size ? span_rfind(path, '/') : 0);
	}
}

static void close_groups(struct system *s)
{
	while (s->nr_group)
		close(s->group[--s->nr_group]);
}

/*
 * Opens the current groups of the target, which may be moved, or move itself as cgexec does.  True: they have
 * changed.
 */
static bool find_groups(struct system *s)
{
	/* Where distributions mount cgroups; other mount points are not found. */
	static const char *const mounts[2][2] = { { "/sys/fs/cgroup/cpu,cpuacct",
						    "/sys/fs/cgroup/cpu" },
						  { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" } };
	char text[FILE_MAX];
	struct span all = read_file(s->membership, text), path;
	bool v2;

	if (!all.size || span_eq(all, strbuf_peek(&s->members)))
		return false;
	strbuf_reset(&s->members);
	strbuf_add(&s->members, all);
	close_groups(s);
	while (all.size) {
		if (!parse_group(span_line(&all), &v2, &path))
			continue;
		if (span_is(path, "/"))
			path = SPAN("");
		for (size_t i = 0; i < 2 && !s->nr_group; i++)
			open_groups(s, mounts[v2][i], path);
	}
	return true;
}

void system_open_group(struct system *s, int directory)
{
	static const char up[] = "../../../../../../../../";
	char path[sizeof(up) + 16];
	int fd;

	static_assert(sizeof(up) / 3 >= SYSTEM_GROUPS_MAX, "one for each group");
	while (s->nr_group < SYSTEM_GROUPS_MAX) {
		snprintf(path, sizeof(path), "%.*scpu.stat", 3 * (int)s->nr_group, up);
		fd = openat(directory, path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			break;
		s->group[s->nr_group++] = fd;
	}
}

/* "nr_throttled 3", "throttled_usec 1500" or, in v1, "throttled_time 1500000" */
static uint64_t read_throttled(const struct system *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->nr_group; i++) {
		char text[FILE_MAX];
		struct span all = read_file(s->group[i], text);

		while (all.size) {
			struct span line = span_line(&all), key = span_word(&line);

			if (span_is(key, "throttled_usec"))
				sum += take_number(&line) * 1000;
			else if (span_is(key, "throttled_time"))
				sum += take_number(&line);
		}
	}
	return sum;
}

/* The machine */

/* "cpu  user nice system idle iowait irq softirq steal …" */
static bool read_cpus(const struct system *s, struct system_counters *c)
{
	enum { IDLE = 3, IOWAIT, STEAL = 7, NR_FIELDS };
	char text[FILE_MAX];
	struct span all = read_file(s->stat, text), line = span_line(&all);
	uint64_t field[NR_FIELDS];

	if (!span_is(span_word(&line), "cpu"))
		return false;
	for (size_t i = 0; i < NR_FIELDS; i++) {
		field[i] = take_number(&line);
		c->all += field[i];
	}
	c->iowait = field[IOWAIT];
	c->steal = field[STEAL];
	c->busy = c->all - field[IDLE] - field[IOWAIT] - field[STEAL];
	return true;
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345" */
static bool read_pressure(int fd, uint64_t *total)
{
	char text[FILE_MAX];
	struct span all = read_file(fd, text), line = span_line(&all);

	while (line.size) {
		struct span word = span_word(&line);

		if (span_starts(word, "total="))
			return span_u64(span_from(word, 6), total);
	}
	return false;
}

/* "0.52 0.58 0.59 3/977 1234": wick is one of the runnable threads. */
static bool read_runnable(const struct system *s, int64_t *value)
{
	char text[FILE_MAX];
	struct span line = read_file(s->loadavg, text), word;
	uint64_t nr;

	for (int i = 0; i < 3; i++)
		span_word(&line);
	word = span_word(&line);
	if (!span_u64(span_upto(word, span_find(word, '/')), &nr))
		return false;
	*value = nr ? (int64_t)nr - 1 : 0;
	return true;
}

/* "MemAvailable:   123 kB" */
static bool read_available(const struct system *s, int64_t *value)
{
	char text[FILE_MAX];
	struct span all = read_file(s->meminfo, text);

	while (all.size) {
		struct span line = span_line(&all);
		uint64_t kb;

		if (span_is(span_word(&line), "MemAvailable:") && span_u64(span_word(&line), &kb) &&
		    kb <= INT64_MAX / 1024) {
			*value = (int64_t)kb * 1024;
			return true;
		}
	}
	return false;
}

/* Errors */

/* "eth0: bytes packets errs drop fifo frame compressed multicast bytes packets errs …", below two lines of names */
static bool read_network_errors(struct span all, uint64_t *sum)
{
	enum { RECEIVED = 2, SENT = 10 };
	bool known = false;

	while (all.size) {
		struct span line = span_line(&all);
		size_t colon = span_find(line, ':');

		if (colon == line.size)
			continue;
		line = span_from(line, colon + 1);
		for (int i = 0; i <= SENT; i++) {
			uint64_t value = take_number(&line);

			*sum += i == RECEIVED || i == SENT ? value : 0;
		}
		known = true;
	}
	return known;
}

/* A line of names, and one of numbers: "Tcp: RtoAlgorithm RtoMin …", "Tcp: 1 200 …" */
static bool read_retransmits(struct span all, uint64_t *value)
{
	struct span names = { 0 };

	while (all.size) {
		struct span line = span_line(&all);

		if (!span_starts(line, "Tcp: "))
			continue;
		if (!names.size) {
			names = line;
			continue;
		}
		while (names.size && line.size) {
			struct span word = span_word(&line);

			if (span_is(span_word(&names), "RetransSegs"))
				return span_u64(word, value);
		}
		return false;
	}
	return false;
}

/* "oom_kill 0" */
static bool read_memory_kills(struct span all, uint64_t *value)
{
	while (all.size) {
		struct span line = span_line(&all);

		if (span_is(span_word(&line), "oom_kill"))
			return span_u64(span_word(&line), value);
	}
	return false;
}

static const struct error_file {
	const char *path;
	bool (*read)(struct span all, uint64_t *value);
} error_files[NR_ERRORS] = {
	{ "/proc/net/dev", read_network_errors },
	{ "/proc/net/snmp", read_retransmits },
	{ "/proc/vmstat", read_memory_kills },
};

/* The target */

/* "12 (any ) text) S ppid …": the name may contain blanks and parentheses. */
static bool read_process(const struct system *s, struct system_counters *c, int64_t *resident)
{
	/* Fields after the name, from 0. */
	enum { FAULTS = 9, USER = 11, SYSTEM, RESIDENT = 21 };
	char text[FILE_MAX];
	struct span all = read_file(s->process, text);
	size_t end = span_rfind(all, ')');
	uint64_t pages = 0;

	if (end == all.size)
		return false;
	all = span_from(all, end + 1);
	for (int i = 0; i <= RESIDENT; i++) {
		struct span word = span_word(&all);

		if (i == FAULTS && !span_u64(word, &c->faults))
			return false;
		if (i == USER || i == SYSTEM)
			c->used += take_number(&word);
		if (i == RESIDENT && (!span_u64(word, &pages) || pages > INT64_MAX / 65536))
			return false;
	}
	*resident = (int64_t)pages * sysconf(_SC_PAGESIZE);
	return true;
}

/* "running waiting slices" of each thread: ns.  Those that have exited are missing. */
static bool read_delays(struct system *s, uint64_t *sum)
{
	const struct dirent *entry;
	size_t nr = 0;

	if (!s->threads)
		return false;
	rewinddir(s->threads);
	while ((entry = readdir(s->threads))) {
		char path[sizeof(entry->d_name) + 16], text[FILE_MAX];
		struct span line;
		int fd;

		if (entry->d_name[0] == '.')
			continue;
		if (nr++ == THREADS_MAX)
			return false;
		snprintf(path, sizeof(path), "%s/schedstat", entry->d_name);
		fd = openat(dirfd(s->threads), path, O_RDONLY | O_CLOEXEC);
		line = read_file(fd, text);
		span_word(&line);
		*sum += take_number(&line);
		if (fd >= 0)
			close(fd);
	}
	s->nr_thread = nr;
	return nr;
}

static DIR *open_threads(const char *root, pid_t pid)
{
	char path[64];
	DIR *threads;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	fd = open_file(root, path);
	threads = fd < 0 ? NULL : fdopendir(fd);
	if (!threads && fd >= 0)
		close(fd);
	return threads;
}

void system_open(struct system *s, pid_t pid, const char *root)
{
	static const char *const pressures[NR_PRESSURES] = { "/proc/pressure/cpu",
							     "/proc/pressure/io",
							     "/proc/pressure/memory" };
	char name[64];

	*s = (struct system){ .is_open = true,
			      .stat = open_file(root, "/proc/stat"),
			      .loadavg = open_file(root, "/proc/loadavg"),
			      .meminfo = open_file(root, "/proc/meminfo"),
			      .process = -1,
			      .membership = -1,
			      .root = root };
	for (size_t i = 0; i < NR_PRESSURES; i++)
		s->pressure[i] = open_file(root, pressures[i]);
	for (size_t i = 0; i < NR_ERRORS; i++)
		s->error[i] = open_file(root, error_files[i].path);
	if (!pid)
		return;
	snprintf(name, sizeof(name), "/proc/%d/stat", (int)pid);
	s->process = open_file(root, name);
	s->threads = open_threads(root, pid);
	snprintf(name, sizeof(name), "/proc/%d/cgroup", (int)pid);
	s->membership = open_file(root, name);
	find_groups(s);
}

static void close_file(int fd)
{
	if (fd >= 0)
		close(fd);
}

void system_close(struct system *s)
{
	if (!s->is_open)
		return;
	close_file(s->stat);
	close_file(s->loadavg);
	close_file(s->meminfo);
	close_file(s->process);
	for (size_t i = 0; i < NR_PRESSURES; i++)
		close_file(s->pressure[i]);
	for (size_t i = 0; i < NR_ERRORS; i++)
		close_file(s->error[i]);
	if (s->threads)
		closedir(s->threads);
	close_groups(s);
	close_file(s->membership);
	strbuf_release(&s->members);
	*s = (struct system){ 0 };
}

/* (now - before) / all × scale, rounded; 0 if the counter went backwards. */
static int64_t ratio(uint64_t now, uint64_t before, double all, double scale)
{
	return now > before && all > 0 ? (int64_t)((double)(now - before) / all * scale + 0.5) : 0;
}

/* Limits a share: a little more time may pass between two readings than between their timestamps. */
static int64_t at_most(int64_t value, int64_t most)
{
	return value < most ? value : most;
}

/* Sets the value if it is known, and its bit. */
static void set(uint32_t *known, int64_t *value, enum system_value which, int64_t is)
{
	value[which] = is;
	*known |= UINT32_C(1) << which;
}

static uint64_t own_time(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Sets a kind of error only once there was one: a series of zeros would be in the way. */
static void set_errors(struct system *s, struct system_counters *c, double elapsed, uint32_t *known,
		       int64_t *value)
{
	enum { RATE = 10 };

	for (unsigned i = 0; i < NR_ERRORS; i++) {
		char text[FILE_MAX];

		if (!error_files[i].read(read_file(s->error[i], text), &c->error[i]) || !s->at)
			continue;
		s->failed[i] |= c->error[i] > s->last.error[i];
		if (s->failed[i])
			set(known, value, (enum system_value)(SYSTEM_NETWORK_ERRORS + i),
			    ratio(c->error[i], s->last.error[i], elapsed, RATE));
	}
}

uint32_t system_read(struct system *s, uint64_t now, int64_t value[static NR_SYSTEM_VALUES])
{
	enum { PERCENT = 1000, /* in tenths */ RATE = 10 };
	struct system_counters c = { 0 }, *last = &s->last;
	double elapsed = (double)(now - s->at) / 1e9, ticks;
	uint64_t begun, spent;
	uint32_t known = 0;
	bool first = !s->at;
	int64_t level;

	if (now < s->due)
		return 0;
	begun = own_time();
	if (read_cpus(s, &c) && !first) {
		ticks = (double)(c.all - last->all);
		set(&known, value, SYSTEM_CPU, ratio(c.busy, last->busy, ticks, PERCENT));
		set(&known, value, SYSTEM_IOWAIT, ratio(c.iowait, last->iowait, ticks, PERCENT));
		set(&known, value, SYSTEM_STEAL, ratio(c.steal, last->steal, ticks, PERCENT));
	}
	for (unsigned i = 0; i < NR_PRESSURES; i++)
		if (read_pressure(s->pressure[i], &c.pressure[i]) && !first)
			set(&known, value, (enum system_value)(SYSTEM_PRESSURE_CPU + i),
			    at_most(ratio(c.pressure[i], last->pressure[i], elapsed * SECOND_US,
					  PERCENT),
				    PERCENT));
	if (read_runnable(s, &level))
		set(&known, value, SYSTEM_RUNNABLE, level);
	if (read_available(s, &level))
		set(&known, value, SYSTEM_AVAILABLE, level);
	if (read_process(s, &c, &level)) {
		set(&known, value, SYSTEM_RESIDENT, level);
		if (!first) {
			set(&known, value, SYSTEM_FAULTS,
			    ratio(c.faults, last->faults, elapsed, RATE));
			set(&known, value, SYSTEM_USED,
			    ratio(c.used, last->used, elapsed * (double)sysconf(_SC_CLK_TCK),
				  PERCENT));
		}
	}
	if (read_delays(s, &c.delayed) && !first)
		set(&known, value, SYSTEM_DELAYED,
		    ratio(c.delayed, last->delayed, elapsed * 1e9, PERCENT));
	set_errors(s, &c, elapsed, &known, value);
	/* The new group may have been throttled before. */
	if (find_groups(s))
		last->throttled = read_throttled(s);
	if (s->nr_group) {
		c.throttled = read_throttled(s);
		if (!first)
			set(&known, value, SYSTEM_THROTTLED,
			    ratio(c.throttled, last->throttled, elapsed * 1e9, PERCENT));
	}
	spent = own_time() - begun;
	s->last = c;
	s->at = now;
	s->begun = first ? now : s->begun;
	s->has_rates = !first;
	s->due = now + (spent * REST > EVERY_NS ? spent * REST : EVERY_NS);
	return known;
}

/* Sets the rates over the whole time, if there are no others. */
static void set_total(const struct system_total *total, double elapsed_ns, uint32_t *known,
		      int64_t *value)
{
	enum { PERCENT = 1000, /* in tenths */ RATE = 10 };

	set(known, value, SYSTEM_RESIDENT, (int64_t)total->memory);
	set(known, value, SYSTEM_USED, ratio(total->cpu, 0, elapsed_ns, PERCENT));
	set(known, value, SYSTEM_FAULTS, ratio(total->faults, 0, elapsed_ns / 1e9, RATE));
}

uint32_t system_read_last(struct system *s, uint64_t now, const struct system_total *total,
			  int64_t value[static NR_SYSTEM_VALUES])
{
	const uint64_t elapsed = now - s->at;
	const bool had_rates = s->has_rates;
	uint32_t known;

	if (!s->at || elapsed < (had_rates ? LAST_NS : LEAST_NS))
		return 0;
	s->due = now;
	known = system_read(s, now, value);
	if (total && !had_rates)
		set_total(total, (double)elapsed, &known, value);
	return known;
}

int64_t system_limit(const struct system *s, enum system_value value)
{
	enum { PERCENT = 1000 };
	long cpus;

	if (value == SYSTEM_DELAYED)
		return PERCENT * (int64_t)s->nr_thread;
	cpus = value == SYSTEM_THROTTLED ? sysconf(_SC_NPROCESSORS_CONF) : 0;
	return cpus > 0 ? PERCENT * (int64_t)cpus : 0;
}
