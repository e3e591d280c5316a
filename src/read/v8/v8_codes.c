#include "read/v8/v8_codes.h"

#include "base/alloc.h"

#include <stdlib.h>

enum {
	PAGE_BITS = 12,
	CODE_SIZE_MAX = 4 * 1024 * 1024, /* larger than any code of V8 */
};

static struct span page_span(const uint64_t *page)
{
	return (struct span){ .at = (const char *)page, .size = sizeof(*page) };
}

static bool overlap(const struct v8_code *a, const struct v8_code *b)
{
	return a->begin - b->begin < b->size || b->begin - a->begin < a->size;
}

static void remove_overlapping(struct v8_page *page, const struct v8_code *code)
{
	size_t kept = 0;

	for (size_t i = 0; i < page->nr; i++)
		if (!overlap(&page->code[i], code))
			page->code[kept++] = page->code[i];
	page->nr = kept;
}

static uint64_t last_page(const struct v8_code *code)
{
	return (code->begin + code->size - 1) >> PAGE_BITS;
}

void v8_codes_add(struct v8_codes *c, struct v8_code code)
{
	if (code.size > CODE_SIZE_MAX)
		code.size = CODE_SIZE_MAX;
	if (!code.size || code.begin > UINT64_MAX - code.size)
		return;
	for (uint64_t at = code.begin >> PAGE_BITS; at <= last_page(&code); at++) {
		uint32_t i = intern(&c->pages, page_span(&at));
		struct v8_page *page;

		if (i == c->nr) {
			GROW(c->page, c->nr, c->cap);
			c->page[c->nr++] = (struct v8_page){ 0 };
		}
		page = &c->page[i];
		remove_overlapping(page, &code);
		GROW(page->code, page->nr, page->cap);
		page->code[page->nr++] = code;
	}
}

void v8_codes_remove(struct v8_codes *c, const struct v8_code *code)
{
	struct v8_code gone = *code;

	for (uint64_t at = gone.begin >> PAGE_BITS; at <= last_page(&gone); at++) {
		uint32_t i = intern_find(&c->pages, page_span(&at), intern_hash(page_span(&at)));

		if (i != INTERN_NONE)
			remove_overlapping(&c->page[i], &gone);
	}
}

const struct v8_code *v8_codes_find(const struct v8_codes *c, uint64_t address)
{
	uint64_t at = address >> PAGE_BITS;
	uint32_t i = intern_find(&c->pages, page_span(&at), intern_hash(page_span(&at)));
	const struct v8_page *page = i == INTERN_NONE ? NULL : &c->page[i];

	for (size_t k = 0; page && k < page->nr; k++)
		if (address - page->code[k].begin < page->code[k].size)
			return &page->code[k];
	return NULL;
}

void v8_codes_release(struct v8_codes *c)
{
	for (size_t i = 0; i < c->nr; i++)
		free(c->page[i].code);
	free(c->page);
	intern_release(&c->pages);
}
