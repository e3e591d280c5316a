/* Lists of kernels' functions that are kept for the next time. */
#include "image/image_internal.h"
#include "tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID "0123456789abcdef"

static char folder[] = "/tmp/wick-test-XXXXXX", dir[sizeof(folder) + 32], path[sizeof(dir) + 64];

static void write_list(struct span build_id)
{
	struct strbuf list = { 0 };

	kallsyms_cache_begin(&list, build_id);
	kallsyms_cache_add(&list, UINT64_C(0xffffffff81000000), 'T', SPAN("_text"));
	kallsyms_cache_add(&list, UINT64_C(0xffffffff81000a10), 'w', SPAN("do_it"));
	kallsyms_cache_end(dir, build_id, strbuf_peek(&list));
	strbuf_release(&list);
}

/* What is in it, as text; NULL: nothing is taken. */
static const char *read_list(const char *build_id)
{
	static char text[256];
	int fd = kallsyms_cache_open(dir, span_of(build_id));
	ssize_t n;

	if (fd < 0)
		return NULL;
	n = read(fd, text, sizeof(text) - 1);
	text[n < 0 ? 0 : n] = '\0';
	close(fd);
	return text;
}

static bool is_there(const char *name)
{
	struct stat st;

	snprintf(path, sizeof(path), "%s%s", folder, name);
	return !stat(path, &st);
}

static mode_t mode_of(const char *name)
{
	struct stat st = { 0 };

	snprintf(path, sizeof(path), "%s%s", folder, name);
	return stat(path, &st) ? 0 : st.st_mode & 0777;
}

static size_t nr_files(void)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	size_t nr = 0;

	while (d && (entry = readdir(d)))
		nr += entry->d_name[0] != '.';
	if (d)
		closedir(d);
	return nr;
}

static void test_kept(void)
{
	ok(!read_list(ID), "there is none at first");
	ok(!is_there("/cache"), "and looking for it makes no folder");
	write_list(SPAN(ID));
	is_str(read_list(ID), "# " ID "\nffffffff81000000 T _text\nffffffff81000a10 w do_it\n",
	       "what was written is read");
	is_int(mode_of("/cache/wick"), 0700, "the folder is ours alone");
	is_int(mode_of("/cache/wick/kallsyms-" ID), 0600, "and the file");
	is_int((intmax_t)nr_files(), 1, "nothing else is left");
	ok(!read_list("fedcba9876543210"), "another kernel has none");
	write_list(SPAN(ID));
	ok(read_list(ID), "written again, it is still there");
}

/* Build-ids come from files: they are no way to other places. */
static void test_names(void)
{
	write_list(SPAN("../../away"));
	ok(!is_there("/away") && nr_files() == 1, "what is no build-id is not written");
	ok(!read_list("../wick/kallsyms-" ID) && !read_list(""), "nor read");
}

static void test_distrust(void)
{
	snprintf(path, sizeof(path), "%s/kallsyms-" ID, dir);
	chmod(path, 0620);
	ok(!read_list(ID), "a file that others may write is not taken");
	chmod(path, 0600);
	chmod(dir, 0777);
	ok(!read_list(ID), "nor one in a folder that others may write");
	chmod(dir, 0700);
	ok(read_list(ID), "else it is");
	if (!geteuid()) {
		ok(!chown(path, 65534, 65534) && !read_list(ID), "nor somebody else's");
		ok(!chown(path, 0, 0) && read_list(ID), "but ours is");
	}
	ok(!rename(path, "moved") && !symlink("../../moved", path) && !access(path, R_OK) &&
		   !read_list(ID),
	   "nor a link");
	ok(!unlink(path) && !rename("moved", path) && read_list(ID), "without it, it is");
	snprintf(path, sizeof(path), "%s/kallsyms-fedcba9876543210", dir);
	close(open(path, O_WRONLY | O_CREAT, 0600));
	ok(!read_list("fedcba9876543210"), "an empty file is none");
	unlink(path);
}

/* Below sudo, the home is another's. */
static void test_other_home(void)
{
	static const char *const id = "aaaa";

	if (geteuid())
		return;
	snprintf(path, sizeof(path), "%s/other", folder);
	ok(!mkdir(path, 0700) && !chown(path, 65534, 65534), "somebody's home");
	snprintf(dir, sizeof(dir), "%s/other/.cache/wick", folder);
	write_list(span_of(id));
	ok(!is_there("/other/.cache"), "nothing is made there");
	snprintf(dir, sizeof(dir), "%s/cache/wick", folder);
}

static void test_bound(void)
{
	static const char *const ids[] = { "a1", "a2", "a3", "a4", "a5", "a6" };

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		write_list(span_of(ids[i]));
		usleep(20000);
	}
	is_int((intmax_t)nr_files(), 4, "there are no more than four");
	ok(!read_list(ID) && !read_list("a2") && read_list("a3") && read_list("a6"),
	   "the oldest are gone");
}

int main(void)
{
	if (!ok(mkdtemp(folder) && !chdir(folder), "a folder"))
		return done();
	snprintf(dir, sizeof(dir), "%s/cache/wick", folder);
	test_kept();
	test_names();
	test_distrust();
	test_other_home();
	test_bound();
	snprintf(path, sizeof(path), "rm -r %s", folder);
	ok(!chdir("/") && !system(path), "is taken away");
	return done();
}
