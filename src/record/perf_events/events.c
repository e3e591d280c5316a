#include "record/perf_events/events.h"

#include "base/alloc.h"
#include "perf/wait_record.h"
#include "record/perf_events/tracefs.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <unistd.h>

void events_release(struct events *v)
{
	events_drop_probes(v);
	free(v->event);
	arena_release(&v->text);
	*v = (struct events){ 0 };
}

static void add(struct events *v, const struct sampled *event)
{
	GROW(v->event, v->nr, v->cap);
	v->event[v->nr++] = *event;
}

void events_add_default(struct events *v)
{
	add(v, &(struct sampled){ .type = PERF_TYPE_HARDWARE,
				  .config = PERF_COUNT_HW_CPU_CYCLES,
				  .or_clock = true });
}

/* "u", "k", "upp"; false: any other letter. */
static bool set_modifiers(struct sampled *event, struct span letters)
{
	bool user = false, kernel = false;
	unsigned precise = 0;

	for (size_t i = 0; i < letters.size; i++)
		switch (letters.at[i]) {
		case 'u':
			user = true;
			break;
		case 'k':
			kernel = true;
			break;
		case 'p':
			precise++;
			break;
		default:
			return false;
		}
	if (!letters.size || precise > 3)
		return false;
	event->precise = precise;
	event->no_user = kernel && !user;
	event->no_kernel = user && !kernel;
	event->needs_kernel |= kernel;
	if (event->no_kernel)
		event->needs_kernel = false;
	return true;
}

void event_name(struct strbuf *out, const struct sampled *event)
{
	struct attr a = { .type = event->type,
			  .config = event->config,
			  .exclude_user = event->no_user,
			  .exclude_kernel = event->no_kernel,
			  .precise = event->precise };

	if (event->name)
		strbuf_add(out, span_of(event->name));
	else
		attr_name(out, &a);
}

static const char *keep(struct events *v, struct span name)
{
	char *copy = arena_take(&v->text, name.size + 1);

	memcpy(copy, name.at, name.size);
	copy[name.size] = '\0';
	return copy;
}

static int unknown(struct span text, struct error *e)
{
	error_set(e, ERROR_USAGE, "unknown event '%.*s'", (int)text.size, text.at);
	return event_unknown(span_upto(text, span_find(text, ':')), e);
}

static int no_modifier(struct span text, struct error *e)
{
	error_set(e, ERROR_USAGE, "invalid event modifier in '%.*s': expected u, k or p",
		  (int)text.size, text.at);
	return error_hint(
		e, "cycles:u samples user code, cycles:k the kernel, cycles:p precise addresses");
}

/* cpu/event=0x3c/u */
static int add_pmu(struct events *v, struct span text, struct error *e)
{
	struct sampled event = { .name = keep(v, text) };
	size_t slash = span_find(text, '/');
	struct span rest = span_from(text, slash + 1);
	size_t end = span_rfind(rest, '/');
	struct span behind = span_from(rest, end + 1);

	if (end == rest.size ||
	    event_find_pmu(span_upto(text, slash), span_upto(rest, end), &event, e))
		return end == rest.size ? unknown(text, e) : -1;
	if (behind.size && !set_modifiers(&event, behind))
		return no_modifier(text, e);
	add(v, &event);
	return 0;
}

static int too_many(struct error *e)
{
	return error_set(e, ERROR_USAGE, "too many events (limit: %d)", EVENTS_MAX);
}

bool event_is_glob(struct span name)
{
	return span_find(name, '*') < name.size || span_find(name, '?') < name.size;
}

struct matching {
	struct events *v;
	const char *glob;
	struct span modifiers; /* with their colon */
	size_t nr;
};

/* An event_visit. */
static void add_matching(void *arg, const struct event_row *row)
{
	struct matching *m = arg;
	struct sampled event = row->event;
	struct strbuf name = { 0 };

	if (fnmatch(m->glob, row->name, 0) || m->v->nr == EVENTS_MAX + 1)
		return;
	strbuf_add(&name, span_of(row->name));
	strbuf_add(&name, m->modifiers);
	event.name = keep(m->v, strbuf_peek(&name));
	strbuf_release(&name);
	if (m->modifiers.size)
		set_modifiers(&event, span_from(m->modifiers, 1));
	add(m->v, &event);
	m->nr++;
}

/* sched:sched_s*: all that match */
static int add_tracepoints(struct events *v, struct span text, struct span glob, struct error *e)
{
	struct matching m = { .v = v,
			      .glob = keep(v, glob),
			      .modifiers = span_from(text, glob.size) };
	struct sampled any = { 0 };

	if (m.modifiers.size && !set_modifiers(&any, span_from(m.modifiers, 1)))
		return no_modifier(text, e);
	if (event_tracepoints_each(add_matching, &m, e))
		return -1;
	if (v->nr > EVENTS_MAX)
		return too_many(e);
	if (m.nr)
		return 0;
	error_set(e, ERROR_USAGE, "no tracepoint matches %.*s", (int)glob.size, glob.at);
	return event_unknown(glob, e);
}

/* sched:sched_switch, and modifiers after another colon */
static int add_tracepoint(struct events *v, struct span text, size_t colon, struct error *e)
{
	struct sampled event = { .name = keep(v, text) };
	struct span rest = span_from(text, colon + 1);
	size_t second = span_find(rest, ':');
	struct span name = span_upto(text, colon + 1 + second);
	int tracefs, ret;

	if (event_is_glob(name))
		return add_tracepoints(v, text, name, e);
	tracefs = tracefs_open(e);
	if (tracefs < 0)
		return error_within(e, "%.*s", (int)text.size, text.at);
	ret = event_find_tracepoint(tracefs, span_upto(text, colon), span_upto(rest, second),
				    &event, e);
	close(tracefs);
	if (ret)
		return event_unknown(name, e);
	if (second < rest.size && !set_modifiers(&event, span_from(rest, second + 1)))
		return no_modifier(text, e);
	add(v, &event);
	return 0;
}

static int add_probe(struct events *v, struct span text, events_find *find, struct error *e)
{
	struct sampled event = { .name = keep(v, text) };

	if (event_find_probe(v, text, find, &event, e))
		return -1;
	add(v, &event);
	return 0;
}

static bool is_probe(struct span text)
{
	return span_starts(text, "uprobe:") || span_starts(text, "uretprobe:");
}

/* cpu, cpu:u or off-cpu */
static bool is_time(struct span text)
{
	struct span name = span_upto(text, span_find(text, ':'));

	return span_is(name, CPU_TIME) || span_is(name, OFF_CPU);
}

static int add_time(struct events *v, struct span text, struct error *e)
{
	if (!v->off_cpu)
		return error_set(e, ERROR_USAGE, "event '%.*s' can be recorded, but not counted",
				 (int)text.size, text.at);
	if (span_is(text, OFF_CPU)) {
		*v->off_cpu = true;
		return 0;
	}
	if (span_starts(text, OFF_CPU))
		return error_set(e, ERROR_USAGE,
				 "invalid event '%.*s': " OFF_CPU " has no modifiers",
				 (int)text.size, text.at);
	events_add_default(v);
	if (!span_is(text, CPU_TIME) &&
	    !set_modifiers(&v->event[v->nr - 1], span_from(text, strlen(CPU_TIME ":"))))
		return no_modifier(text, e);
	return 0;
}

static int add_event(struct events *v, struct span text, events_find *find, struct error *e)
{
	size_t colon = span_find(text, ':');
	struct sampled event = { 0 };

	if (v->nr == EVENTS_MAX)
		return too_many(e);
	if (is_time(text))
		return add_time(v, text, e);
	if (is_probe(text))
		return add_probe(v, text, find, e);
	if (span_find(text, '/') < text.size)
		return add_pmu(v, text, e);
	if (event_find_name(span_upto(text, colon), &event)) {
		if (colon < text.size && !set_modifiers(&event, span_from(text, colon + 1)))
			return no_modifier(text, e);
		/* attr_name() would write "raw 0x1a8". */
		if (event.type == PERF_TYPE_RAW)
			event.name = keep(v, text);
		add(v, &event);
		return 0;
	}
	return colon < text.size ? add_tracepoint(v, text, colon, e) : unknown(text, e);
}

/* The comma after a probe, but not one between brackets: its function may be map<int, long>. */
static size_t find_probe_end(struct span list)
{
	size_t depth = 0, i;

	for (i = 0; i < list.size && (depth || list.at[i] != ','); i++) {
		depth += list.at[i] == '<';
		depth -= depth && list.at[i] == '>';
	}
	return depth ? span_find(list, ',') : i;
}

/* The comma after the first event of a list, but not one in cpu/event=0x3c,umask=1/. */
static size_t find_comma(struct span list)
{
	bool inside = false;
	size_t i;

	/* A path may contain any number of slashes. */
	if (is_probe(list))
		return find_probe_end(list);
	for (i = 0; i < list.size && (inside || list.at[i] != ','); i++)
		if (list.at[i] == '/')
			inside = !inside;
	return i;
}

int events_add(struct events *v, struct span list, events_find *find, struct error *e)
{
	do {
		size_t comma = find_comma(list);

		if (add_event(v, span_upto(list, comma), find, e))
			return -1;
		list = span_from(list, comma + 1);
	} while (list.size);
	return 0;
}
