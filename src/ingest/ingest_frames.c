/* The addresses of a call chain as frames: each is an offset in the file that is mapped there. */
#include "base/alloc.h"
#include "ingest/ingest_parts.h"

/*
 * perf records a mapping that ends with .text, but start_kernel() and similar functions are in .init.text, which is
 * at higher addresses, after the kernel's data.
 */
static const struct map *kernel_map_of(const struct ingest *g, uint64_t ip)
{
	enum { BEHIND = 256 * 1024 * 1024 };
	const struct map *map = maps_find(g->processes.kernel, ip);

	if (!map && g->kernel.end && ip >= g->kernel.end && ip - g->kernel.end < BEHIND)
		map = &g->kernel;
	return map;
}

static frame_id kernel_frame(struct ingest *g, uint64_t ip, unsigned flags)
{
	const struct map *map = kernel_map_of(g, ip);
	struct frame f = { .kind = FRAME_KERNEL, .flags = flags, .address = ip };
	struct line line;

	if (map) {
		f.module = map->module;
		f.address = ip - map->begin + map->offset;
		f.flags |= FRAME_IN_MODULE;
	}
	if (map && map->name.i) {
		line = (struct line){ .function = map->name };
		f.line = &line;
		f.nr_line = 1;
	}
	return profile_frame(g->p, &f);
}

frame_id ingest_user_frame(struct ingest *g, const struct process *process, uint64_t ip,
			   unsigned flags)
{
	const struct map *map = process_map(process, ip);
	struct frame f = { .kind = FRAME_USER, .flags = flags, .address = ip };

	if ((!map || map->kind == FRAME_JIT) && dumps_place(&g->dumps, process, ip, &f))
		return profile_frame(g->p, &f);
	if (map) {
		f.kind = map->kind;
		f.module = map->module;
		f.address = ip - map->begin + map->offset;
		f.flags |= FRAME_IN_MODULE;
	}
	return profile_frame(g->p, &f);
}

static void push(struct ingest *g, frame_id f)
{
	GROW(g->frame, g->nr, g->cap);
	g->frame[g->nr++] = f;
}

enum context ingest_context(unsigned misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
		return CONTEXT_KERNEL;
	case PERF_RECORD_MISC_USER:
		return CONTEXT_USER;
	default:
		return CONTEXT_OTHER;
	}
}

static enum context context_of_marker(uint64_t marker)
{
	switch (marker) {
	case PERF_CONTEXT_KERNEL:
		return CONTEXT_KERNEL;
	case PERF_CONTEXT_USER:
		return CONTEXT_USER;
	default:
		return CONTEXT_OTHER;
	}
}

void ingest_push_ip(struct ingest *g, const struct process *process, enum context context,
		    uint64_t ip, unsigned flags)
{
	struct frame unknown = { .kind = FRAME_USER, .flags = flags, .address = ip };

	switch (context) {
	case CONTEXT_KERNEL:
		push(g, kernel_frame(g, ip, flags));
		break;
	case CONTEXT_USER:
		push(g, ingest_user_frame(g, process, ip, flags));
		break;
	case CONTEXT_OTHER:
		push(g, profile_frame(g->p, &unknown));
		break;
	}
}

void ingest_push_chain(struct ingest *g, const struct process *process, const struct record *r,
		       size_t shared)
{
	enum context context = ingest_context(r->misc);
	/* The first address after a marker was interrupted; all that follow are return addresses. */
	unsigned flags = 0, nr_marker = 0;

	for (size_t i = 0; i < g->chain.nr - shared; i++) {
		uint64_t word = g->chain.word[i];

		if (word >= PERF_CONTEXT_MAX) {
			context = context_of_marker(word);
			nr_marker++;
			flags = 0;
			continue;
		}
		/* Several markers in a row: frames are missing before the root. */
		if (g->chain.rooted && nr_marker > 1 && i > nr_marker) {
			push(g, truncated_frame(&g->truncated, g->p, 0));
			flags = FRAME_RETURN_ADDRESS;
		}
		nr_marker = 0;
		ingest_push_ip(g, process, context, word, flags);
		flags = FRAME_RETURN_ADDRESS;
	}
	if (g->chain.end != CHAIN_ROOT)
		push(g, truncated_frame(&g->truncated, g->p, g->chain.ticket));
}
