/* Lists the events that event_files.c finds by name, and suggests the nearest one for an unknown name. */
#include "base/alloc.h"
#include "base/nearest.h"
#include "base/strbuf.h"
#include "record/perf_events/events.h"
#include "record/perf_events/tracefs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The names in a directory, sorted; -1: it cannot be read. */
static int list_folder(int root, const struct strbuf *path, struct dirent ***entry)
{
	*entry = NULL;
	return scandirat(root, path->at, entry, is_visible, alphasort);
}

static void free_list(struct dirent **entry, int nr)
{
	for (int i = 0; i < nr; i++)
		free(entry[i]);
	free(entry);
}

/* How to visit the events; root: a descriptor of the directory that paths are relative to. */
struct listing {
	int root;
	event_visit *visit;
	void *arg;
};

/* Called with each entry of each directory: for sched:sched_switch, outer is sched. */
typedef void inner_visit(const struct listing *l, const char *outer, const char *inner);

static void each_inner(const struct listing *l, const char *folder, const char *below,
		       inner_visit *visit)
{
	struct strbuf path = { 0 };
	struct dirent **outer;
	int nr;

	strbuf_addf(&path, "%s", folder);
	nr = list_folder(l->root, &path, &outer);
	for (int i = 0; i < nr; i++) {
		struct dirent **inner;
		int nr_inner;

		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s%s", folder, outer[i]->d_name, below);
		nr_inner = list_folder(l->root, &path, &inner);
		for (int k = 0; k < nr_inner; k++)
			visit(l, outer[i]->d_name, inner[k]->d_name);
		free_list(inner, nr_inner);
	}
	free_list(outer, nr);
	strbuf_release(&path);
}

/* cpu/cycles-t/.  A file like "energy-pkg.unit" is not an event, but contains the unit of one. */
static void visit_pmu(const struct listing *l, const char *pmu, const char *event)
{
	struct strbuf name = { 0 };
	struct event_row row = { .kind = EVENT_PMU, .about = "PMU event" };
	struct error e = ERROR_INIT;

	if (strchr(event, '.'))
		return;
	strbuf_addf(&name, "%s/%s/", pmu, event);
	row.name = name.at;
	if (!event_find_pmu(span_of(pmu), span_of(event), &row.event, &e))
		l->visit(l->arg, &row);
	strbuf_release(&name);
}

void event_pmus_each(event_visit *visit, void *arg)
{
	struct listing l = { AT_FDCWD, visit, arg };

	each_inner(&l, "/sys/bus/event_source/devices", "/events", visit_pmu);
}

/* sched:sched_switch.  The files "enable" and "filter" beside the events apply to all of them. */
static void visit_tracepoint(const struct listing *l, const char *system, const char *event)
{
	struct strbuf name = { 0 };
	struct event_row row = { .kind = EVENT_TRACEPOINT, .about = "kernel tracepoint" };
	struct error e = ERROR_INIT;

	if (!strcmp(event, "enable") || !strcmp(event, "filter"))
		return;
	strbuf_addf(&name, "%s:%s", system, event);
	row.name = name.at;
	if (!event_find_tracepoint(l->root, span_of(system), span_of(event), &row.event, &e))
		l->visit(l->arg, &row);
	strbuf_release(&name);
}

int event_tracepoints_each(event_visit *visit, void *arg, struct error *e)
{
	struct listing l = { tracefs_open(e), visit, arg };

	if (l.root < 0)
		return -1;
	each_inner(&l, "events", "", visit_tracepoint);
	close(l.root);
	return 0;
}

/* Suggestions */

struct guess {
	struct nearest nearest;
	char name[64];
};

/* An event_visit.  The row's name is only valid until it returns, so the best one is copied. */
static void offer(void *arg, const struct event_row *row)
{
	struct guess *g = arg;

	nearest_offer(&g->nearest, row->name);
	if (g->nearest.name != row->name)
		return;
	snprintf(g->name, sizeof(g->name), "%s", row->name);
	g->nearest.name = g->name;
}

int event_unknown(struct span name, struct error *e)
{
	bool is_tracepoint = span_find(name, ':') < name.size;
	struct error ignored = ERROR_INIT;
	struct guess g = { 0 };

	nearest_init(&g.nearest, name);
	if (is_tracepoint)
		event_tracepoints_each(offer, &g, &ignored);
	else
		event_names_each(offer, &g);
	if (g.nearest.name)
		return error_hint(e, "did you mean %s?  `wick list` lists all events", g.name);
	return is_tracepoint ? error_hint(e, "`wick list tracepoint` lists all")
			     : error_hint(e, "`wick list` lists all events");
}
