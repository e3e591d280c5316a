/* Mappings over mappings, and processes that share them. */
#include "ingest/maps.h"
#include "ingest/process.h"

#include "span_tap.h"

#include <stdlib.h>

static void add(struct maps **m, uint64_t begin, uint64_t end, uint32_t module)
{
	maps_add(m, &(struct map){ .begin = begin, .end = end, .offset = 0, .module = { module } });
}

/* "1:10-20 2:20-30", with the offset where it is not 0. */
static const char *shown(const struct maps *m)
{
	static char text[500];
	int n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < m->nr; i++) {
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%u:%" PRIu64 "-%" PRIu64,
			      i ? " " : "", m->map[i].module.i, m->map[i].begin, m->map[i].end);
		if (m->map[i].offset)
			n += snprintf(text + n, sizeof(text) - (size_t)n, "@%" PRIu64,
				      m->map[i].offset);
	}
	return text;
}

static void test_maps(void)
{
	struct maps *m = maps_new(), *child;

	add(&m, 40, 50, 1);
	add(&m, 10, 20, 2);
	is_str(shown(m), "2:10-20 1:40-50", "mappings are sorted by address");
	add(&m, 12, 15, 3);
	is_str(shown(m), "2:10-12 3:12-15 2:15-20@5 1:40-50",
	       "a mapping in the middle of another splits it");
	add(&m, 14, 45, 4);
	is_str(shown(m), "2:10-12 3:12-14 4:14-45 1:45-50@5",
	       "a mapping over several replaces what it covers");
	child = maps_share(m);
	add(&child, 0, 100, 5);
	is_str(shown(child), "5:0-100", "a mapping over all others replaces them");
	is_str(shown(m), "2:10-12 3:12-14 4:14-45 1:45-50@5",
	       "a change to a shared list is not seen by its other user");
	is_int(maps_find(m, 44)->module.i, 4,
	       "maps_find returns the mapping that contains the address");
	ok(!maps_find(m, 50) && !maps_find(m, 9),
	   "maps_find returns NULL behind the last mapping and before the first");
	add(&m, 7, 7, 6);
	add(&m, 9, 3, 6);
	is_int(m->nr, 4, "maps_add ignores a mapping that is empty or ends before it begins");
	maps_free(m);
	maps_free(child);
}

static struct span comm(struct processes *t, uint32_t pid, uint32_t tid)
{
	return profile_peek(t->p, t->p->thread[process_thread(t, pid, tid).i].comm);
}

static void test_processes(void)
{
	struct processes t;
	struct profile p;

	profile_init(&p);
	processes_init(&t, &p);
	is_span(comm(&t, 0, 0), "swapper", "the idle thread is called swapper");
	is_span(comm(&t, 7, 8), ":8", "a thread of unknown name is called by its TID");
	process_comm(&t, 7, 7, SPAN("shell"), COMM_RENAMED);
	add(&process_get(&t, 7)->maps, 10, 20, 1);
	process_fork(&t, 9, 9, 7, 7);
	is_span(comm(&t, 9, 9), "shell", "a child process has the name of its parent");
	ok(process_map(process_get(&t, 9), 15), "a child process has the mappings of its parent");
	process_fork(&t, 9, 10, 9, 9);
	is_span(comm(&t, 9, 10), "shell", "a new thread has the name of its creator");
	process_comm(&t, 9, 9, SPAN("ls"), COMM_EXECED);
	is_span(comm(&t, 9, 9), "ls", "a process has a new name after an exec");
	ok(process_map(process_get(&t, 9), 15),
	   "a process has the mappings from before an exec until it runs");
	process_ran(process_get(&t, 9));
	ok(!process_map(process_get(&t, 9), 15),
	   "a process has no old mappings once it runs after an exec");
	ok(process_map(process_get(&t, 7), 15),
	   "a parent keeps its mappings when its child calls exec");
	is_span(comm(&t, 11, 10), ":10", "a TID that another process reuses loses its name");
	processes_release(&t);
	profile_release(&p);
}

int main(void)
{
	test_maps();
	test_processes();
	return done();
}
