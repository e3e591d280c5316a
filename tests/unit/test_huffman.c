/* Deflate without matches: what is written, libdeflate and zlib read back, in the size that was known before. */
#include "pack/huffman.h"

#include "base/alloc.h"
#include "random.h"
#include "tap.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <zlib.h>

enum { MOST = 300 * 1000 };

static char data[MOST], packed[2 * MOST + 1000], unpacked[MOST];

static void check(size_t size, const char *what)
{
	struct span bytes = { .at = data, .size = size };
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	struct huffman h;
	uLongf zlib_size = MOST;

	huffman_init(&h, bytes);
	memset(packed, 'x', sizeof(packed));
	huffman_write(&h, bytes, packed);
	memset(packed + h.size, 'x', HUFFMAN_SLACK);
	memset(unpacked, 0, sizeof(unpacked));
	ok(libdeflate_zlib_decompress(d, packed, h.size, unpacked, size, NULL) ==
			   LIBDEFLATE_SUCCESS &&
		   !memcmp(data, unpacked, size),
	   what);
	memset(unpacked, 0, sizeof(unpacked));
	ok(uncompress((Bytef *)unpacked, &zlib_size, (const Bytef *)packed, h.size) == Z_OK &&
		   zlib_size == size && !memcmp(data, unpacked, size),
	   "zlib reads back what huffman_write wrote");
	is_int((unsigned char)packed[h.size + HUFFMAN_SLACK], 'x',
	       "huffman_write writes nothing behind HUFFMAN_SLACK");
	libdeflate_free_decompressor(d);
}

int main(void)
{
	struct random r = { .state = 1 };
	uint64_t a = 1, b = 1;
	size_t size = 0;

	for (size_t i = 1; i < 10; i++) {
		data[i - 1] = (char)i;
		check(i, "libdeflate reads back a few bytes that all differ");
	}
	memset(data, 0, MOST);
	check(1, "libdeflate reads back a single byte");
	check(MOST, "libdeflate reads back equal bytes");
	for (size_t i = 0; i < MOST; i++)
		data[i] = (char)random_below(&r, 256);
	check(MOST, "libdeflate reads back random bytes");
	for (size_t i = 0; i < MOST; i++)
		data[i] = (char)(random_below(&r, 16) * random_below(&r, 16));
	check(MOST - 3,
	      "libdeflate reads back skewed bytes whose number is not a multiple of four");
	/* Fibonacci's numbers make the longest codes that there are. */
	for (int symbol = 0; size + b <= MOST; symbol++) {
		uint64_t next = a + b;

		memset(data + size, symbol, b);
		size += b;
		a = b;
		b = next;
	}
	check(size, "libdeflate reads back bytes whose codes had to be shortened");
	return done();
}
