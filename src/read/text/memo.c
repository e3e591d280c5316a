#include "read/text/memo.h"

#include "base/alloc.h"

#include <stdlib.h>

void memo_add(struct memo *m, struct span key, uint64_t hash, uint32_t value)
{
	uint32_t i;

	if (m->keys.bytes.used > MEMO_BYTES_MAX)
		memo_release(m);
	i = intern_hashed(&m->keys, key, hash);
	GROW(m->value, (size_t)i, m->cap);
	m->value[i] = value;
}

void memo_release(struct memo *m)
{
	intern_release(&m->keys);
	free(m->value);
	*m = (struct memo){ 0 };
}
