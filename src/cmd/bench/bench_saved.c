/* Runs that were saved before (--baseline), and facts about the machine. */
#include "base/alloc.h"
#include "base/json_tree.h"
#include "base/version.h"
#include "cmd/bench/bench_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Bytes; a run takes a few hundred. */
enum { SAVED_MAX = 256 * 1024 * 1024, AT_ONCE = 64 * 1024 };

/* The machine */

/* The value of the first line with this key: "model name	: …" */
static void find_line(const char *path, const char *key, struct strbuf *out)
{
	FILE *f = fopen(path, "re");
	char line[512];

	while (f && !out->size && fgets(line, sizeof(line), f)) {
		struct span s = span_of(line);

		if (span_starts(s, key))
			strbuf_add(out, span_trim(span_from(s, span_find(s, ':') + 1)));
	}
	if (f)
		fclose(f);
}

static const char *const machine_keys[] = { "cpu", "cpus", "memory", "kernel" };

static void machine_value(size_t i, struct strbuf *out)
{
	struct utsname u;

	switch (i) {
	case 0:
		find_line("/proc/cpuinfo", "model name", out);
		if (!out->size && !uname(&u))
			strbuf_addf(out, "%s", u.machine);
		break;
	case 1:
		strbuf_addf(out, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
		break;
	case 2:
		find_line("/proc/meminfo", "MemTotal", out);
		break;
	default:
		if (!uname(&u))
			strbuf_addf(out, "%s %s", u.sysname, u.release);
	}
}

void bench_machine_add(struct strbuf *out)
{
	struct strbuf value = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(machine_keys); i++) {
		strbuf_reset(&value);
		machine_value(i, &value);
		strbuf_addf(out, "\"%s\": ", machine_keys[i]);
		json_add_string(out, strbuf_peek(&value));
		strbuf_add(out, SPAN(", "));
	}
	strbuf_addf(out, "\"wick\": \"%s\"", wick_version);
	strbuf_release(&value);
}

void bench_machine_describe(struct strbuf *out)
{
	/* "2 × CPU, MEMORY, KERNEL" */
	static const struct {
		size_t value;
		const char *behind;
	} parts[] = { { 1, " × " }, { 0, ", " }, { 2, ", " }, { 3, ", wick " } };
	struct strbuf value = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		strbuf_reset(&value);
		machine_value(parts[i].value, &value);
		/* Memory is "8000000 kB". */
		if (parts[i].value == 2)
			strbuf_addf(out, "%.1f GiB",
				    strtod(strbuf_peek(&value).at, NULL) / (1 << 20));
		else
			strbuf_add(out, strbuf_peek(&value));
		strbuf_addf(out, "%s", parts[i].behind);
	}
	strbuf_addf(out, "%s", wick_version);
	strbuf_release(&value);
}

/* One warning for all differences. */
static void check_machine(struct bench *b, const struct json_node *machine)
{
	struct strbuf now = { 0 }, text = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(machine_keys); i++) {
		const char *then = json_string(machine, machine_keys[i]);

		strbuf_reset(&now);
		machine_value(i, &now);
		if (then && !span_is(strbuf_peek(&now), then))
			strbuf_addf(&text, "%s%s was '%s', now '%.*s'", text.size ? ", " : "",
				    machine_keys[i], then, (int)now.size, strbuf_peek(&now).at);
	}
	if (text.size)
		bench_warn(
			b,
			bench_text(b, "the baseline was measured on another machine: %s", text.at),
			"measure both on the same machine, preferably in one wick bench command");
	else if (!machine)
		bench_warn(b, "the baseline does not say which machine it was measured on", "");
	strbuf_release(&now);
	strbuf_release(&text);
}

/* The file */

static int read_file(const char *path, struct strbuf *out, struct error *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;

	if (fd < 0)
		return error_sys(e, "%s", path);
	while (n > 0 && out->size <= SAVED_MAX) {
		strbuf_reserve(out, AT_ONCE);
		n = read(fd, out->at + out->size, AT_ONCE);
		out->size += n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		error_sys(e, "%s", path);
	close(fd);
	if (n > 0)
		return error_set(e, ERROR_INPUT, "%s: larger than %d MiB", path, SAVED_MAX >> 20);
	return n < 0 ? -1 : 0;
}

/*
 * Adds an array of numbers as values of a metric, multiplied by factor; false: not such an array.
 */
static bool add_values(struct bench_command *c, const struct json_node *array, size_t metric,
		       double factor)
{
	bool is_wait = BENCH_WAITS & 1u << metric;
	struct bench_runs *runs = is_wait ? &c->recorded : &c->timed;
	bool begins = is_wait ? !(c->metrics & BENCH_WAITS) : metric == METRIC_TIME;
	size_t nr = 0;

	for (const struct json_node *n = array ? array->first : NULL; n; n = n->next) {
		double value;

		if (n->type != JSON_NUMBER || !span_double(n->text, &value) ||
		    !(value >= 0 && isfinite(value)))
			return false;
		if (begins && nr == runs->nr)
			bench_runs_add(runs)->order = nr;
		if (nr >= runs->nr)
			return false;
		runs->at[nr++].value[metric] = value * factor;
	}
	if (!nr || nr != runs->nr)
		return false;
	c->metrics |= 1u << metric;
	return true;
}

static int add_result(struct bench *b, const struct json_node *result, struct error *e)
{
	const struct json_node *metrics = json_find(result, "metrics");
	const char *name = json_string(result, "command");
	struct bench_command *c = &b->saved[b->nr_saved++];

	*c = (struct bench_command){ .name = name, .title = name };
	if (!name || !add_values(c, json_find(result, "times"), METRIC_TIME, 1e9))
		return error_set(
			e, ERROR_INPUT,
			"%s: invalid result: expected a command and times that are not negative",
			b->o.baseline);
	for (size_t k = METRIC_USER; k < b->nr_metric; k++)
		add_values(c, json_find(json_find(metrics, b->metric[k].key), "values"), k,
			   strcmp(b->metric[k].unit, "ns") != 0 ? 1 : 1e9);
	return 0;
}

/*
 * Finds saved runs by the name of the command; if each side has only one command, names do not
 * matter.
 */
static void match(struct bench *b)
{
	for (size_t i = 0; i < b->nr_command; i++) {
		struct bench_command *c = &b->command[i];

		c->reference = NULL;
		for (size_t k = 0; k < b->nr_saved; k++)
			if (!strcmp(b->saved[k].name, c->name))
				c->reference = &b->saved[k];
		if (!c->reference && b->nr_saved == 1 && b->nr_command == 1)
			c->reference = &b->saved[0];
		if (!c->reference)
			bench_warn(b, bench_text(b, "the baseline has no '%s'", c->name),
				   "use -n to give the command its name in the baseline");
	}
}

int bench_saved_read(struct bench *b, struct error *e)
{
	struct strbuf text = { 0 };
	const struct json_node *tree = NULL, *results;
	size_t nr = 0;
	int ret = read_file(b->o.baseline, &text, e);

	if (!ret) {
		tree = json_tree_parse(&b->arena, strbuf_peek(&text), e);
		ret = tree ? 0 : error_within(e, "%s", b->o.baseline);
		if (ret)
			error_hint(e, "--baseline takes what --save or --export-json wrote");
	}
	results = json_find(tree, "results");
	for (const struct json_node *n = results ? results->first : NULL; n; n = n->next)
		nr++;
	if (!ret && !nr)
		ret = error_set(
			e, ERROR_INPUT,
			"%s: not written by wick bench --save or --export-json (no results)",
			b->o.baseline);
	b->saved = xcalloc(nr + 1, sizeof(*b->saved));
	for (const struct json_node *n = results ? results->first : NULL; n && !ret; n = n->next)
		ret = add_result(b, n, e);
	if (!ret) {
		match(b);
		check_machine(b, json_find(tree, "machine"));
	}
	strbuf_release(&text);
	return ret;
}
