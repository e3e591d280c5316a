/* Stands for a kernel, or with -DMODULE for one of its modules: never run, only looked at. */
#ifndef MODULE
__asm__(".text\n.globl _text\n_text:\n.fill 64, 1, 0x90\n");
#endif

/* Instructions enough to be hit. */
#define CODE __asm__ volatile(".fill 64, 1, 0x90")

__attribute__((section(".init.text"))) void at_start(void);
__attribute__((section(".exit.text"))) void at_end(void);
void first(void);
int outer(int n);

void at_start(void)
{
	CODE;
}

void first(void)
{
	CODE;
}

static inline __attribute__((always_inline)) int inner(int n)
{
	CODE;
	return n * n;
}

int outer(int n)
{
	return inner(n + 1) + 1;
}

void at_end(void)
{
	CODE;
}
