/* `grown`, `shrunk` and `common` work as often as GROWN, SHRUNK and 100 say: as long each time. */
/* Constants of their own keep the compiler from making one function of all. */
#define FUNCTION(name, add) \
	__attribute__((noinline)) static void name(volatile unsigned *v, unsigned nr) \
	{ \
		while (nr--) \
			*v = *v * 1664525 + (add); \
	}

FUNCTION(common, 1013904223)
FUNCTION(grown, 12345)
FUNCTION(shrunk, 54321)

int main(void)
{
	volatile unsigned v = 1;

	/* In turns, so that a machine that changes meanwhile changes all alike. */
	for (int i = 0; i < 200; i++) {
		common(&v, 100 * 1000);
		grown(&v, GROWN * 1000);
		shrunk(&v, SHRUNK * 1000);
	}
	return 0;
}
