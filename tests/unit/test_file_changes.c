/* Files without a build-id: what speaks for and against them being what was recorded. */
#include "ingest/file_changes.h"

#include "tap.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

static const struct file_identity told = { .major = 8, .minor = 1, .inode = 77 };
static const struct files_recorded recorded = { .here = true, .until = UINT64_C(100) * SECOND };

static struct stat file_now(unsigned device, uint64_t inode, time_t written, time_t changed)
{
	struct stat st = { .st_dev = makedev(8, device), .st_ino = inode };

	st.st_mtim.tv_sec = written;
	st.st_ctim.tv_sec = changed;
	return st;
}

static enum file_doubt doubt(const struct file *file, const struct files_recorded *r,
			     struct stat now)
{
	return file_doubt(file, r, "/none", &now);
}

static void test_here(void)
{
	struct file file = { .identity = told }, old = { 0 };

	is_int(doubt(&file, &recorded, file_now(1, 77, 50, 60)), FILE_SAME,
	       "a file that is older than the recording is the same");
	is_int(doubt(&file, &recorded, file_now(1, 77, 50, 150)), FILE_SAME,
	       "a file with a new link since the recording is the same");
	is_int(doubt(&file, &recorded, file_now(1, 77, 101, 101)), FILE_NEWER,
	       "a file that was written since the recording is newer");
	is_int(doubt(&file, &recorded, file_now(1, 78, 50, 150)), FILE_REPLACED,
	       "another inode on the same device is a replaced file");
	is_int(doubt(&file, &recorded, file_now(1, 78, 150, 150)), FILE_REPLACED,
	       "another inode that was written since the recording is a replaced file");
	is_int(doubt(&file, &recorded, file_now(2, 78, 50, 60)), FILE_SAME,
	       "another device without changes since the recording is the same file");
	is_int(doubt(&file, &recorded, file_now(2, 78, 50, 150)), FILE_UNCERTAIN,
	       "another device with changes since the recording is uncertain");
	is_int(doubt(&old, &recorded, file_now(1, 77, 50, 60)), FILE_SAME,
	       "a file without a recorded device and without changes is the same");
	is_int(doubt(&old, &recorded, file_now(1, 77, 50, 150)), FILE_UNCERTAIN,
	       "a file without a recorded device that changed since is uncertain");
	is_int(doubt(&old, &recorded, file_now(1, 77, 150, 150)), FILE_NEWER,
	       "a file without a recorded device that was written since is newer");
}

static void test_elsewhere(void)
{
	struct files_recorded there = { .until = recorded.until }, untimed = { .here = true };
	struct file file = { .identity = told };

	is_int(doubt(&file, &there, file_now(1, 78, 50, 60)), FILE_UNCERTAIN,
	       "another inode is uncertain if recorded on another machine");
	is_int(doubt(&file, &there, file_now(1, 77, 50, 60)), FILE_UNCERTAIN,
	       "the same inode is uncertain if recorded on another machine");
	is_int(doubt(&file, &there, file_now(1, 77, 150, 150)), FILE_NEWER,
	       "a file that was written since a recording on another machine is newer");
	is_int(doubt(&file, &untimed, file_now(1, 77, 150, 150)), FILE_UNCERTAIN,
	       "the same inode is uncertain if the time of the recording is unknown");
	is_int(doubt(&file, &untimed, file_now(1, 78, 50, 50)), FILE_REPLACED,
	       "another inode is a replaced file if the time of the recording is unknown");
}

static void test_several(void)
{
	struct file_identity other = told, none = { 0 };
	struct files files = { 0 };
	module_id module = { 1000 };

	files_see(&files, module, &told);
	files_see(&files, module, &none);
	files_see(&files, module, &told);
	is_int(doubt(&files.file[1000], &recorded, file_now(1, 77, 50, 60)), FILE_SAME,
	       "a file that was mapped twice is the same");
	other.inode++;
	other.minor++;
	files_see(&files, module, &other);
	files_see(&files, module, &told);
	is_int(doubt(&files.file[1000], &recorded, file_now(1, 77, 50, 60)), FILE_SAME,
	       "a file that was mapped with two device numbers is the same");
	other.minor--;
	files_see(&files, module, &other);
	is_int(doubt(&files.file[1000], &recorded, file_now(1, 78, 50, 60)), FILE_REPLACED,
	       "a file that was mapped with two inodes of one device is replaced");
	files_release(&files);
}

/* The number of an inode is given to the next file: only its generation tells. */
static void test_generation(void)
{
	char path[] = "/tmp/wick-files.XXXXXX";
	struct files_recorded r = { .here = true, .until = UINT64_MAX };
	struct file file = { 0 };
	uint32_t generation[2] = { 0 };
	struct stat now;
	int fd = mkstemp(path);

	/* Not all file systems have them. */
	if (fd >= 0 && !fstat(fd, &now) && !ioctl(fd, FS_IOC_GETVERSION, generation) &&
	    generation[0]) {
		file.identity = (struct file_identity){ .major = major(now.st_dev),
							.minor = minor(now.st_dev),
							.inode = now.st_ino,
							.generation = generation[0] };
		is_int(file_doubt(&file, &r, path, &now), FILE_SAME,
		       "a file of the same generation is the same");
		file.identity.generation++;
		is_int(file_doubt(&file, &r, path, &now), FILE_REPLACED,
		       "a file of another generation is replaced");
	}
	close(fd);
	unlink(path);
}

int main(void)
{
	test_here();
	test_elsewhere();
	test_several();
	test_generation();
	return done();
}
