/* `common` works for a while, and `planted` as many times as long as PLANTED says. */
/* Constants of their own keep the compiler from making one function of both. */
#define FUNCTION(name, add) \
	__attribute__((noinline)) static void name(volatile unsigned *v, unsigned nr) \
	{ \
		while (nr--) \
			*v = *v * 1664525 + (add); \
	}

FUNCTION(common, 1013904223)
FUNCTION(planted, 12345)

int main(void)
{
	volatile unsigned v = 1;

	for (int i = 0; i < 100; i++) {
		common(&v, 200000);
		planted(&v, PLANTED * 200000);
	}
	return 0;
}
