/*
 * The program that `make demo` records: makes up a text of so many MB, counts its words with two threads, sorts
 * them by how often they occur, packs the list, and checks it by unpacking.  demo/perf.txt.gz was recorded so:
 *
 *	gcc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls demo/words.c -o words -lz -pthread
 *	perf record -e cpu-clock -F 997 --call-graph dwarf,4096 ./words
 *	perf script | gzip -9n > demo/perf.txt.gz
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { NR_THREAD = 2, NR_BUCKET = 1 << 12, TEXT_MB = 8 };

struct word {
	struct word *next;
	unsigned long nr;
	char name[];
};

struct index {
	struct word *bucket[NR_BUCKET];
	size_t nr_word;
};

struct share {
	const char *text;
	size_t size;
	struct index index;
};

static uint32_t random_next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Short words come often: the length is the number of coin tosses won. */
static size_t text_make_word(char *at, uint32_t *state)
{
	size_t len = 2;

	while (len < 9 && random_next(state) % 3)
		len++;
	for (size_t i = 0; i < len; i++)
		at[i] = "etaoinshrdlu"[random_next(state) % 12];
	return len;
}

static char *text_make(size_t size)
{
	char *text = malloc(size + 16);
	uint32_t state = 2463534242;
	size_t at = 0;

	if (!text)
		exit(1);
	while (at < size) {
		at += text_make_word(text + at, &state);
		text[at++] = ' ';
	}
	text[size] = '\0';
	return text;
}

static uint32_t word_hash(const char *name, size_t len)
{
	uint32_t h = 2166136261;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * 16777619;
	return h;
}

static struct word *index_find(struct index *x, const char *name, size_t len)
{
	struct word **at = &x->bucket[word_hash(name, len) % NR_BUCKET];

	for (; *at; at = &(*at)->next)
		if (strncmp((*at)->name, name, len) == 0 && !(*at)->name[len])
			return *at;
	*at = calloc(1, sizeof(**at) + len + 1);
	if (!*at)
		exit(1);
	memcpy((*at)->name, name, len);
	x->nr_word++;
	return *at;
}

static void *share_count(void *argument)
{
	struct share *s = argument;
	const char *end = s->text + s->size;

	for (const char *p = s->text; p < end;) {
		size_t len = strcspn(p, " ");

		if (len)
			index_find(&s->index, p, len)->nr++;
		p += len + 1;
	}
	return NULL;
}

static void index_merge(struct index *into, const struct index *from)
{
	for (size_t i = 0; i < NR_BUCKET; i++)
		for (const struct word *w = from->bucket[i]; w; w = w->next)
			index_find(into, w->name, strlen(w->name))->nr += w->nr;
}

static int word_compare(const void *a, const void *b)
{
	const struct word *x = *(struct word *const *)a, *y = *(struct word *const *)b;

	return x->nr != y->nr ? (x->nr < y->nr ? 1 : -1) : strcmp(x->name, y->name);
}

static struct word **index_sort(const struct index *x)
{
	struct word **list = calloc(x->nr_word, sizeof(*list));
	size_t nr = 0;

	if (!list)
		exit(1);
	for (size_t i = 0; i < NR_BUCKET; i++)
		for (struct word *w = x->bucket[i]; w; w = w->next)
			list[nr++] = w;
	qsort(list, nr, sizeof(*list), word_compare);
	return list;
}

static size_t list_print(struct word **list, size_t nr, char **text)
{
	size_t size = 0;
	FILE *out = open_memstream(text, &size);

	if (!out)
		exit(1);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "%lu %s\n", list[i]->nr, list[i]->name);
	fclose(out);
	return size;
}

static int text_pack(const char *text, size_t size)
{
	uLongf packed_size = compressBound(size), back_size = size;
	Bytef *packed = malloc(packed_size), *back = malloc(size);
	int same;

	if (!packed || !back || compress2(packed, &packed_size, (const Bytef *)text, size, 6) ||
	    uncompress(back, &back_size, packed, packed_size))
		exit(1);
	same = back_size == size &&
	       crc32(0, back, (uInt)size) == crc32(0, (const Bytef *)text, (uInt)size);
	printf("%zu bytes packed to %lu\n", size, packed_size);
	free(packed);
	free(back);
	return same ? 0 : 1;
}

int main(int argc, char **argv)
{
	size_t text_size = (size_t)(argc > 1 ? atoi(argv[1]) : TEXT_MB) << 20;
	static struct share share[NR_THREAD];
	pthread_t thread[NR_THREAD];
	char *text = text_make(text_size), *printed = NULL;
	struct word **list;
	size_t size;
	int status;

	for (size_t i = 0; i < NR_THREAD; i++) {
		share[i].text = text + i * (text_size / NR_THREAD);
		share[i].size = text_size / NR_THREAD;
		if (pthread_create(&thread[i], NULL, share_count, &share[i]))
			return 1;
	}
	for (size_t i = 0; i < NR_THREAD; i++)
		pthread_join(thread[i], NULL);
	for (size_t i = 1; i < NR_THREAD; i++)
		index_merge(&share[0].index, &share[i].index);
	list = index_sort(&share[0].index);
	size = list_print(list, share[0].index.nr_word, &printed);
	status = text_pack(printed, size);
	free(printed);
	free(list);
	free(text);
	return status;
}
