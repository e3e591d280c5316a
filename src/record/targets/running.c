#include "record/targets/running.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/whole_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* No file that wick reads in /proc is larger: a list of 65,530 mappings has a few MB. */
enum { PROC_MAX = 256 * 1024 * 1024 };

char *running_read_at(int folder, const char *path, size_t *size)
{
	return whole_file_at(folder, path, PROC_MAX, size);
}

char *running_read(const char *path, size_t *size)
{
	return whole_file(path, PROC_MAX, size);
}

pid_t *running_list(const char *folder, size_t *nr)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	pid_t *list = NULL;
	size_t cap = 0;

	*nr = 0;
	while (dir && (entry = readdir(dir))) {
		uint64_t id;

		if (!span_u64(span_of(entry->d_name), &id) || id > INT32_MAX)
			continue;
		GROW(list, *nr, cap);
		list[(*nr)++] = (pid_t)id;
	}
	if (dir)
		closedir(dir);
	return list;
}

pid_t *running_threads(pid_t pid, size_t *nr)
{
	char folder[64];

	snprintf(folder, sizeof(folder), "/proc/%d/task", (int)pid);
	return running_list(folder, nr);
}

/* The kernel */

/* "ffffffff81000000 T _text": where the kernel's code begins; 0: hidden. */
static uint64_t find_text(struct span all)
{
	while (all.size) {
		struct span line = span_line(&all), address = span_word(&line);
		uint64_t value;

		span_word(&line);
		if (span_is(span_word(&line), "_text") && span_hex(address, &value))
			return value;
	}
	return 0;
}

/* The list has several MB, and _text is among its first symbols: only its beginning is read. */
static uint64_t read_text(void)
{
	static const size_t first = (size_t)64 * 1024;
	size_t size;
	char *symbols = whole_file("/proc/kallsyms", first, &size);
	uint64_t text = find_text((struct span){ symbols, size });

	free(symbols);
	return text;
}

int running_kernel(running_sink *sink, void *arg, struct error *e)
{
	/* On every 64-bit machine, the kernel has the upper half of the address space, programs the lower. */
	const uint64_t upper_half = UINT64_C(1) << 63;
	uint64_t text = read_text();
	struct record r = { .kind = RECORD_MMAP,
			    .misc = PERF_RECORD_MISC_KERNEL,
			    .pid = THREAD_NONE,
			    .tid = THREAD_NONE };

	/* If kptr_restrict hides _text, addresses are still known to be the kernel's. */
	r.mmap = (struct mapping){ .addr = text ? text : upper_half,
				   .pgoff = text,
				   .prot = PROT_EXEC,
				   .path = SPAN("[kernel.kallsyms]_text") };
	r.mmap.len = UINT64_MAX - r.mmap.addr;
	return sink(arg, &r, e);
}

struct module {
	uint64_t address, size;
	struct span name;
};

/* "xfs 1921024 1 - Live 0xffffffffc0a00000"; an address of 0 is hidden. */
static bool parse_module(struct span line, struct module *m)
{
	struct span word = SPAN("");

	m->name = span_word(&line);
	if (!span_u64(span_word(&line), &m->size))
		return false;
	for (int field = 2; field < 6; field++)
		word = span_word(&line);
	return span_starts(word, "0x") && span_hex(span_from(word, 2), &m->address) && m->address;
}

static int by_address(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static int emit_module(const struct module *m, running_sink *sink, void *arg, struct error *e)
{
	struct record r = { .kind = RECORD_MMAP,
			    .misc = PERF_RECORD_MISC_KERNEL,
			    .pid = THREAD_NONE,
			    .tid = THREAD_NONE };
	struct strbuf path = { 0 };
	int ret;

	strbuf_addf(&path, "[%.*s]", (int)m->name.size, m->name.at);
	r.mmap = (struct mapping){
		.addr = m->address, .len = m->size, .prot = PROT_EXEC, .path = strbuf_peek(&path)
	};
	ret = sink(arg, &r, e);
	strbuf_release(&path);
	return ret;
}

int running_parse_modules(struct span list, running_sink *sink, void *arg, struct error *e)
{
	struct module *module = NULL;
	size_t nr = 0, cap = 0;
	int ret = 0;

	while (list.size) {
		GROW(module, nr, cap);
		nr += parse_module(span_line(&list), &module[nr]);
	}
	if (nr)
		qsort(module, nr, sizeof(*module), by_address);
	for (size_t i = 0; i < nr && !ret; i++) {
		/* The size includes data, which may be elsewhere. */
		if (i + 1 < nr && module[i + 1].address - module[i].address < module[i].size)
			module[i].size = module[i + 1].address - module[i].address;
		ret = emit_module(&module[i], sink, arg, e);
	}
	free(module);
	return ret;
}

int running_modules(running_sink *sink, void *arg, struct error *e)
{
	size_t size;
	char *list = running_read("/proc/modules", &size);
	int ret = running_parse_modules((struct span){ list, list ? size : 0 }, sink, arg, e);

	free(list);
	return ret;
}

/* Processes */

/* "55d0c8a0f000-55d0c8a10000 r-xp 00001000 fe:00 1234    /usr/bin/cat" */
static bool parse_map(struct span line, struct mapping *m)
{
	struct span range = span_word(&line), mode = span_word(&line), offset = span_word(&line);
	size_t dash = span_find(range, '-');
	uint64_t end;

	*m = (struct mapping){ .prot = PROT_READ | PROT_EXEC };
	if (mode.size < 3 || mode.at[2] != 'x')
		return false;
	if (!span_hex(span_upto(range, dash), &m->addr) ||
	    !span_hex(span_from(range, dash + 1), &end) || !span_hex(offset, &m->pgoff) ||
	    end <= m->addr)
		return false;
	m->len = end - m->addr;
	span_word(&line); /* device */
	span_word(&line); /* inode */
	m->path = span_trim(line);
	/* Memory without a file: /proc has no path, and the kernel writes this one into records. */
	if (!m->path.size)
		m->path = SPAN("//anon");
	return true;
}

/* "Tgid:	12", "PPid:	1" */
bool running_kin(pid_t tid, struct running_kin *kin)
{
	char path[64];
	struct span all;
	size_t size;
	char *text;

	*kin = (struct running_kin){ .pid = tid, .parent = tid };
	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	text = running_read(path, &size);
	all = (struct span){ text, size };
	while (all.size) {
		struct span line = span_line(&all), key = span_word(&line);
		uint64_t id;

		if (!span_u64(span_word(&line), &id) || id > INT32_MAX)
			continue;
		if (span_is(key, "Tgid:"))
			kin->pid = (pid_t)id;
		else if (span_is(key, "PPid:"))
			kin->parent = (pid_t)id;
		else if (span_is(key, "TracerPid:"))
			kin->tracer = (pid_t)id;
	}
	if (kin->pid != tid)
		kin->parent = kin->pid;
	free(text);
	return size > 0;
}

int running_maps(pid_t pid, running_sink *sink, void *arg, struct error *e)
{
	char path[64];
	struct span all;
	size_t size;
	char *text;
	int ret = 0;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	text = running_read(path, &size);
	all = (struct span){ text, size };
	while (all.size && !ret) {
		struct record r = { .kind = RECORD_MMAP,
				    .misc = PERF_RECORD_MISC_USER,
				    .pid = (uint32_t)pid,
				    .tid = (uint32_t)pid };

		if (parse_map(span_line(&all), &r.mmap))
			ret = sink(arg, &r, e);
	}
	free(text);
	return ret;
}

static int emit_thread(pid_t pid, pid_t tid, running_sink *sink, void *arg, struct error *e)
{
	struct record r = { .kind = RECORD_COMM, .pid = (uint32_t)pid, .tid = (uint32_t)tid };
	char path[64];
	size_t size;
	char *name;
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", (int)pid, (int)tid);
	name = running_read(path, &size);
	if (!name)
		return 0;
	r.comm.name = span_trim_end((struct span){ name, size });
	ret = sink(arg, &r, e);
	free(name);
	return ret;
}

int running_process(pid_t pid, running_sink *sink, void *arg, struct error *e)
{
	size_t nr;
	pid_t *thread = running_threads(pid, &nr);
	int ret = 0;

	for (size_t i = 0; i < nr && !ret; i++)
		ret = emit_thread(pid, thread[i], sink, arg, e);
	free(thread);
	return ret ? ret : running_maps(pid, sink, arg, e);
}

int running_all(running_sink *sink, void *arg, struct error *e)
{
	size_t nr;
	pid_t *pid = running_list("/proc", &nr);
	int ret = 0;

	for (size_t i = 0; i < nr && !ret; i++)
		ret = running_process(pid[i], sink, arg, e);
	free(pid);
	return ret;
}
