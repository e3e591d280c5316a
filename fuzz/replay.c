/*
 * Stands in for libFuzzer: feeds every file of the given corpus folders to the target once, and
 * prints TAP.  A crash ends the program, so the test that is running is the first one not printed;
 * its path is on stderr by then.
 *
 * usage: replay_readers FOLDER...    the last part of a folder's name is the reader's
 */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned nr_test, nr_failed;

static void report(int passed, const char *path, const char *why)
{
	printf("%sok %u - %s%s%s\n", passed ? "" : "not ", ++nr_test, path, *why ? ": " : "", why);
	fflush(stdout);
	nr_failed += !passed;
}

/* The whole file in memory of exactly its size, so that ASan sees a read past the end. */
static uint8_t *read_whole(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rbe");
	uint8_t *data = NULL;
	long end;

	if (!f)
		return NULL;
	if (fseek(f, 0, SEEK_END) == 0 && (end = ftell(f)) >= 0) {
		*size = (size_t)end;
		data = malloc(*size ? *size : 1);
		rewind(f);
		if (data && fread(data, 1, *size, f) != *size) {
			free(data);
			data = NULL;
		}
	}
	fclose(f);
	return data;
}

static void replay_file(const char *path)
{
	size_t size = 0;
	uint8_t *data = read_whole(path, &size);

	if (!data) {
		report(0, path, "cannot be read");
		return;
	}
	fprintf(stderr, "replaying %s\n", path);
	LLVMFuzzerTestOneInput(data, size);
	report(1, path, "");
	free(data);
}

static int is_visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void replay_folder(char *folder)
{
	struct dirent **entry = NULL;
	char path[4096];
	const char *name;
	int nr;

	while (strlen(folder) > 1 && folder[strlen(folder) - 1] == '/')
		folder[strlen(folder) - 1] = '\0';
	name = strrchr(folder, '/');
	name = name ? name + 1 : folder;
	/* "guess" is no reader: the content decides. */
	if (fuzz_choose(strcmp(name, "guess") ? name : NULL)) {
		report(0, folder, "no reader of this name");
		return;
	}
	nr = scandir(folder, &entry, is_visible, alphasort);
	if (nr <= 0)
		report(0, folder, nr ? "cannot be listed" : "is empty");
	for (int i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
		replay_file(path);
		free(entry[i]);
	}
	free(entry);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		replay_folder(argv[i]);
	printf("1..%u\n", nr_test);
	return nr_failed != 0;
}
