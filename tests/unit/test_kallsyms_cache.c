/* Lists of kernels' functions that are kept for the next time. */
#include "image/image_internal.h"
#include "tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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
		nr += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	if (d)
		closedir(d);
	return nr;
}

static void test_kept(void)
{
	ok(!read_list(ID), "kallsyms_cache_open finds nothing in a missing directory");
	ok(!is_there("/cache"), "kallsyms_cache_open creates no directory");
	write_list(SPAN(ID));
	is_str(read_list(ID), "# " ID "\nffffffff81000000 T _text\nffffffff81000a10 w do_it\n",
	       "kallsyms_cache_open opens the list that was written");
	is_int(mode_of("/cache/wick"), 0700, "the cache directory is private to its owner");
	is_int(mode_of("/cache/wick/kallsyms-" ID), 0600, "the cache file is private to its owner");
	is_int((intmax_t)nr_files(), 1, "writing a list leaves no other file in the cache");
	ok(!read_list("fedcba9876543210"),
	   "kallsyms_cache_open finds no list for another build ID");
	write_list(SPAN(ID));
	ok(read_list(ID), "a list that is written again can be opened");
}

/* Build-ids come from files: they are no way to other places. */
static void test_names(void)
{
	write_list(SPAN("../../away"));
	ok(!is_there("/away") && nr_files() == 1,
	   "kallsyms_cache_end writes nothing for an invalid build ID");
	ok(!read_list("../wick/kallsyms-" ID) && !read_list(""),
	   "kallsyms_cache_open rejects an invalid or empty build ID");
}

static void test_distrust(void)
{
	snprintf(path, sizeof(path), "%s/kallsyms-" ID, dir);
	chmod(path, 0620);
	ok(!read_list(ID), "kallsyms_cache_open rejects a file that its group may write");
	chmod(path, 0600);
	chmod(dir, 0777);
	ok(!read_list(ID),
	   "kallsyms_cache_open rejects a file in a directory that others may write");
	chmod(dir, 0700);
	ok(read_list(ID),
	   "kallsyms_cache_open accepts the file once its directory is private again");
	if (!geteuid()) {
		ok(!chown(path, 65534, 65534) && !read_list(ID),
		   "kallsyms_cache_open rejects a file of another user");
		ok(!chown(path, 0, 0) && read_list(ID),
		   "kallsyms_cache_open accepts the file once its owner is root again");
	}
	ok(!rename(path, "moved") && !symlink("../../moved", path) && !access(path, R_OK) &&
		   !read_list(ID),
	   "kallsyms_cache_open rejects a symbolic link");
	ok(!unlink(path) && !rename("moved", path) && read_list(ID),
	   "kallsyms_cache_open accepts the file that replaces a symbolic link");
	snprintf(path, sizeof(path), "%s/kallsyms-fedcba9876543210", dir);
	close(open(path, O_WRONLY | O_CREAT, 0600));
	ok(!read_list("fedcba9876543210"), "kallsyms_cache_open rejects an empty file");
	unlink(path);
}

/* Below sudo, the home is another's. */
static void test_other_home(void)
{
	static const char *const id = "aaaa";

	if (geteuid())
		return;
	snprintf(path, sizeof(path), "%s/other", folder);
	ok(!mkdir(path, 0700) && !chown(path, 65534, 65534),
	   "a home directory of another user is created");
	snprintf(dir, sizeof(dir), "%s/other/.cache/wick", folder);
	write_list(span_of(id));
	ok(!is_there("/other/.cache"),
	   "kallsyms_cache_end creates nothing in a home directory of another user");
	snprintf(dir, sizeof(dir), "%s/cache/wick", folder);
}

static void test_bound(void)
{
	static const char *const ids[] = { "a1", "a2", "a3", "a4", "a5", "a6" };

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		write_list(span_of(ids[i]));
		usleep(20000);
	}
	is_int((intmax_t)nr_files(), 4, "the cache keeps four lists");
	ok(!read_list(ID) && !read_list("a2") && read_list("a3") && read_list("a6"),
	   "the cache drops its oldest lists first");
}

int main(void)
{
	if (!ok(mkdtemp(folder) && !chdir(folder), "a temporary directory is created"))
		return done();
	snprintf(dir, sizeof(dir), "%s/cache/wick", folder);
	test_kept();
	test_names();
	test_distrust();
	test_other_home();
	test_bound();
	snprintf(path, sizeof(path), "rm -r %s", folder);
	ok(!chdir("/") && !system(path), "the temporary directory is removed");
	return done();
}
