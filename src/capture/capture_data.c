/* The facts, events and build IDs of a perf.data file that is written while recording. */
#include "base/strbuf.h"
#include "capture/capture.h"
#include "ingest/ingest.h"

#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void set_command(struct recording *to, const char *const *command)
{
	size_t nr = 0;

	while (command[nr])
		nr++;
	recording_set_command(to, command, nr);
}

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void set_facts(struct recording *to, const struct capture_opts *o)
{
	struct utsname name;

	recording_set_clock(to, CLOCK_MONOTONIC, now(CLOCK_REALTIME), now(CLOCK_MONOTONIC));
	recording_set_cpus(to, (uint32_t)sysconf(_SC_NPROCESSORS_CONF),
			   (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
	if (o->command)
		set_command(to, o->command);
	if (uname(&name))
		return;
	recording_set_text(to, FEATURE_HOSTNAME, span_of(name.nodename));
	recording_set_text(to, FEATURE_OSRELEASE, span_of(name.release));
	recording_set_text(to, FEATURE_ARCH, span_of(name.machine));
}

/* The number of an event in the file, which has an event and its twins as one. */
static size_t number_of(const struct sampler *s, size_t event)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->event[event].stands_for; i++)
		nr += s->event[i].stands_for == i;
	return nr;
}

static void add_ids(struct recording *to, const struct sampler *s)
{
	for (size_t k = 0; k < s->nr_fd; k++)
		recording_add_ids(to, number_of(s, s->fd[k].event),
				  (struct span){ (const char *)&s->fd[k].id, sizeof(s->fd[k].id) });
}

static void add_event(struct recording *to, const struct sampler *s, size_t event)
{
	struct perf_event_attr a = s->attr[event];
	struct strbuf name = { 0 };

	/* perf rejects a tracepoint without raw data, which wick does not record: the name is enough. */
	if (a.type == PERF_TYPE_TRACEPOINT)
		a.type = PERF_TYPE_RAW;
	recording_add_event(to, (struct span){ (const char *)&a, sizeof(a) });
	attrs_name(&name, &s->attrs, event);
	recording_name_event(to, number_of(s, event), strbuf_peek(&name));
	strbuf_release(&name);
}

/* Leaves out twins (copy_size.c), which only differ in the copy size, and the tracker, which has no samples. */
void capture_data_begin(struct recording *to, const struct capture_opts *o, const struct sampler *s)
{
	set_facts(to, o);
	for (size_t i = 0; i < s->nr_attr; i++)
		if (s->event[i].stands_for == i)
			add_event(to, s, i);
	add_ids(to, s);
}

void capture_data_widened(struct recording *to, const struct sampler *s)
{
	add_ids(to, s);
}

/* Writes the record as if it came from the first event, which tracks mappings. */
void capture_data_running(struct recording *to, const struct sampler *s, const struct record *r)
{
	struct record of_first = *r;

	if (s->nr_fd)
		of_first.id = s->fd[0].id;
	recording_add_record(to, &of_first, &s->attrs.attr[0]);
}

/* Mappings already have build IDs, but `perf buildid-list` and `perf archive` need a table. */
void capture_data_end(struct recording *to, const struct profile *p)
{
	recording_set_series(to, p);
	for (uint32_t i = 1; i < p->nr_module; i++) {
		struct span path = profile_peek(p, p->module[i].path);
		bool kernel = span_starts(path, "[kernel") || span_ends(path, ".ko");
		char id[BUILD_ID_MAX];

		recording_add_build_id(to, path, ingest_build_id_of(p, (module_id){ i }, id),
				       kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	}
}
