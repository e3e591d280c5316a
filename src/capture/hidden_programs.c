#include "capture/hidden_programs.h"

#include "base/alloc.h"

#include <stdlib.h>

/* Only exceeded if records were lost. */
enum { UNMAPPED_MAX = 1024 };

/* Removes the process; false: not found. */
static bool take_out(struct hidden_programs *h, uint32_t pid)
{
	for (size_t i = 0; i < h->nr_unmapped; i++)
		if (h->unmapped[i] == pid) {
			h->unmapped[i] = h->unmapped[--h->nr_unmapped];
			return true;
		}
	return false;
}

void hidden_programs_take(struct hidden_programs *h, const struct record *r)
{
	if (r->kind == RECORD_COMM && r->comm.exec) {
		take_out(h, r->pid);
		if (h->nr_unmapped == UNMAPPED_MAX)
			h->nr_unmapped = 0;
		GROW(h->unmapped, h->nr_unmapped, h->cap_unmapped);
		h->unmapped[h->nr_unmapped++] = r->pid;
	} else if (r->kind == RECORD_MMAP) {
		take_out(h, r->pid);
	} else if (r->kind == RECORD_EXIT && r->pid == r->tid) {
		h->nr += take_out(h, r->pid);
	}
}

void hidden_programs_release(struct hidden_programs *h)
{
	free(h->unmapped);
	*h = (struct hidden_programs){ 0 };
}
