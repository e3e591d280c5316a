/* Lists of the events that event_files.c finds by name; and of an unknown name, the nearest. */
#include "base/alloc.h"
#include "base/nearest.h"
#include "base/strbuf.h"
#include "record/events.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The names in a folder, in order; -1 when it cannot be looked at. */
static int list_folder(const struct strbuf *path, struct dirent ***entry)
{
	*entry = NULL;
	return scandir(path->at, entry, is_visible, alphasort);
}

static void free_list(struct dirent **entry, int nr)
{
	for (int i = 0; i < nr; i++)
		free(entry[i]);
	free(entry);
}

/* Called with each entry of each folder: for sched:sched_switch, outer is sched. */
typedef void inner_visit(event_visit *visit, void *arg, const char *outer, const char *inner);

static void each_inner(const char *folder, const char *below, inner_visit *tell, event_visit *visit,
		       void *arg)
{
	struct strbuf path = { 0 };
	struct dirent **outer;
	int nr;

	strbuf_addf(&path, "%s", folder);
	nr = list_folder(&path, &outer);
	for (int i = 0; i < nr; i++) {
		struct dirent **inner;
		int nr_inner;

		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s%s", folder, outer[i]->d_name, below);
		nr_inner = list_folder(&path, &inner);
		for (int k = 0; k < nr_inner; k++)
			tell(visit, arg, outer[i]->d_name, inner[k]->d_name);
		free_list(inner, nr_inner);
	}
	free_list(outer, nr);
	strbuf_release(&path);
}

/* cpu/cycles-t/; a file like "energy-pkg.unit" is no event, but tells the unit of one. */
static void tell_pmu(event_visit *visit, void *arg, const char *pmu, const char *event)
{
	struct strbuf name = { 0 };
	struct event_row row = { .kind = EVENT_PMU, .about = "named by the kernel" };
	struct error e = ERROR_INIT;

	if (strchr(event, '.'))
		return;
	strbuf_addf(&name, "%s/%s/", pmu, event);
	row.name = name.at;
	if (!event_find_pmu(span_of(pmu), span_of(event), &row.event, &e))
		visit(arg, &row);
	strbuf_release(&name);
}

void event_pmus_each(event_visit *visit, void *arg)
{
	each_inner("/sys/bus/event_source/devices", "/events", tell_pmu, visit, arg);
}

/* sched:sched_switch; the files "enable" and "filter" beside the events are switches for all. */
static void tell_tracepoint(event_visit *visit, void *arg, const char *system, const char *event)
{
	struct strbuf name = { 0 };
	struct event_row row = { .kind = EVENT_TRACEPOINT,
				 .about = "each time the kernel comes by" };
	struct error e = ERROR_INIT;

	if (!strcmp(event, "enable") || !strcmp(event, "filter"))
		return;
	strbuf_addf(&name, "%s:%s", system, event);
	row.name = name.at;
	if (!event_find_tracepoint(span_of(system), span_of(event), &row.event, &e))
		visit(arg, &row);
	strbuf_release(&name);
}

int event_tracepoints_check(struct error *e)
{
	const char *folder = event_tracing_folder();

	if (!access(folder, R_OK | X_OK))
		return 0;
	if (errno == ENOENT) {
		error_set(e, ERROR_SYSTEM,
			  "tracepoints are not to be seen: tracefs is not mounted");
		return error_hint(e, "sudo mount -t tracefs none /sys/kernel/tracing");
	}
	error_set(e, ERROR_SYSTEM, "tracepoints are not to be seen: only root may look into %s",
		  folder);
	return error_hint(e, "run wick as root: sudo wick …");
}

int event_tracepoints_each(event_visit *visit, void *arg, struct error *e)
{
	if (event_tracepoints_check(e))
		return -1;
	each_inner(event_tracing_folder(), "", tell_tracepoint, visit, arg);
	return 0;
}

/* What was probably meant */

struct guess {
	struct nearest nearest;
	char name[64];
};

/* An event_visit.  The row's name is good only until it returns, so the best one is copied. */
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
		return error_hint(e, "did you mean %s? `wick list` tells what there is", g.name);
	return is_tracepoint ? error_hint(e, "`wick list tracepoint %.*s` tells what there is",
					  (int)span_find(name, ':'), name.at)
			     : error_hint(e, "`wick list` tells what there is");
}
