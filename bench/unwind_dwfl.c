#include "unwind_dwfl.h"

#include "base/alloc.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct dwfl_peer {
	Dwfl *dwfl;
	pid_t pid;
	const struct unwind_registers *r;
	const struct unwind_stack *stack;
	size_t nr;
};

/* How far from where the file wants it the piece at that offset was mapped. */
static bool find_bias(const char *path, const struct map *m, uint64_t *bias)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	size_t nr = 0;
	bool found = false;

	if (elf && !elf_getphdrnum(elf, &nr))
		for (size_t i = 0; i < nr && !found; i++) {
			GElf_Phdr p;

			found = gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD &&
				p.p_flags & PF_X && m->offset < p.p_offset + p.p_filesz &&
				m->offset + (m->end - m->begin) > p.p_offset;
			*bias = found ? m->begin - (p.p_vaddr - p.p_offset + m->offset) : 0;
		}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return found;
}

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	struct dwfl_peer *d = arg;

	(void)dwfl;
	if (*thread)
		return 0;
	*thread = d;
	return d->pid;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread)
{
	(void)dwfl;
	(void)tid;
	*thread = arg;
	return true;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *arg)
{
	struct dwfl_peer *d = arg;
	uint64_t at = address - d->stack->begin;

	(void)dwfl;
	if (at >= d->stack->bytes.size || d->stack->bytes.size - at < sizeof(*result))
		return false;
	memcpy(result, d->stack->bytes.at + at, sizeof(*result));
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	struct dwfl_peer *d = arg;
	Dwarf_Word value[17];

	for (unsigned i = 0; i < 16; i++)
		value[i] = d->r->value[i];
	value[16] = d->r->value[PC_REGISTER];
	return dwfl_thread_state_registers(thread, 0, 17, value);
}

static int count_frame(Dwfl_Frame *frame, void *arg)
{
	struct dwfl_peer *d = arg;
	Dwarf_Addr pc;
	bool is_activation;

	if (!dwfl_frame_pc(frame, &pc, &is_activation))
		return DWARF_CB_ABORT;
	d->nr++;
	return DWARF_CB_OK;
}

static void report(struct dwfl_peer *d, const struct profile *p, const struct maps *maps)
{
	for (size_t i = 0; i < maps->nr; i++) {
		const struct map *m = &maps->map[i];
		struct span path = profile_peek(p, p->module[m->module.i].path);
		uint64_t bias;
		char *name;

		if (m->kind != FRAME_USER || !path.size || path.at[0] != '/' ||
		    (i && maps->map[i - 1].module.i == m->module.i))
			continue;
		name = xmemdup(path.at, path.size + 1);
		name[path.size] = '\0';
		if (find_bias(name, m, &bias))
			dwfl_report_elf(d->dwfl, name, name, -1, bias, true);
		free(name);
	}
}

struct dwfl_peer *dwfl_peer_new(const struct profile *p, const struct process *process)
{
	static const Dwfl_Callbacks files = { .find_elf = dwfl_build_id_find_elf,
					      .find_debuginfo = dwfl_standard_find_debuginfo };
	static const Dwfl_Thread_Callbacks threads = {
		.next_thread = next_thread,
		.get_thread = get_thread,
		.memory_read = memory_read,
		.set_initial_registers = set_registers,
	};
	struct dwfl_peer *d = xcalloc(1, sizeof(*d));

	elf_version(EV_CURRENT);
	d->pid = (pid_t)process->pid;
	d->dwfl = dwfl_begin(&files);
	dwfl_report_begin(d->dwfl);
	report(d, p, process->maps);
	dwfl_report_end(d->dwfl, NULL, NULL);
	if (!dwfl_attach_state(d->dwfl, NULL, d->pid, &threads, d)) {
		dwfl_peer_free(d);
		return NULL;
	}
	return d;
}

void dwfl_peer_free(struct dwfl_peer *d)
{
	if (!d)
		return;
	dwfl_end(d->dwfl);
	free(d);
}

size_t dwfl_peer_walk(struct dwfl_peer *d, const struct unwind_registers *r,
		      const struct unwind_stack *stack)
{
	d->r = r;
	d->stack = stack;
	d->nr = 0;
	dwfl_getthread_frames(d->dwfl, d->pid, count_frame, d);
	return d->nr;
}
