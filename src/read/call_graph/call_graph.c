#include "read/call_graph/call_graph.h"

#include "base/alloc.h"

#include <stdlib.h>

void call_graph_release(struct call_graph *g)
{
	free(g->frame);
	free(g->first);
	free(g->self);
	free(g->call);
	free(g->cost);
	intern_release(&g->pairs);
	g->frame = NULL;
	g->first = NULL;
	g->self = g->cost = NULL;
	g->call = NULL;
	g->pairs = (struct intern){ 0 };
	g->nr = g->cap = g->nr_call = g->cap_call = 0;
}

uint32_t call_graph_function(struct call_graph *g, frame_id frame)
{
	if (g->nr == g->cap) {
		g->cap = g->cap ? g->cap * 2 : 64;
		g->frame = xreallocarray(g->frame, g->cap, sizeof(*g->frame));
		g->first = xreallocarray(g->first, g->cap, sizeof(*g->first));
		g->self = xreallocarray(g->self, g->cap, g->nr_event * sizeof(*g->self));
	}
	g->frame[g->nr] = frame;
	g->first[g->nr] = 0;
	memset(&g->self[g->nr * g->nr_event], 0, g->nr_event * sizeof(*g->self));
	return (uint32_t)g->nr++;
}

static int add(const struct call_graph *g, uint64_t *sum, const uint64_t *cost)
{
	int ret = 0;

	for (size_t i = 0; i < g->nr_event; i++)
		if (cost[i] > INT64_MAX - sum[i])
			ret = -1;
		else
			sum[i] += cost[i];
	return ret;
}

int call_graph_self(struct call_graph *g, uint32_t function, const uint64_t *cost)
{
	return add(g, &g->self[function * g->nr_event], cost);
}

int call_graph_call(struct call_graph *g, uint32_t caller, uint32_t callee, const uint64_t *cost)
{
	const uint32_t pair[2] = { caller, callee };
	uint32_t i = intern(&g->pairs, (struct span){ (const char *)pair, sizeof(pair) });

	if (i == g->nr_call) {
		if (g->nr_call == g->cap_call) {
			g->cap_call = g->cap_call ? g->cap_call * 2 : 64;
			g->call = xreallocarray(g->call, g->cap_call, sizeof(*g->call));
			g->cost =
				xreallocarray(g->cost, g->cap_call, g->nr_event * sizeof(*g->cost));
		}
		g->call[i] = (struct call){ .callee = callee, .next = g->first[caller] };
		g->first[caller] = i + 1;
		memset(&g->cost[i * g->nr_event], 0, g->nr_event * sizeof(*g->cost));
		g->nr_call++;
	}
	return add(g, &g->cost[i * g->nr_event], cost);
}
