/*
 * A program with the table of functions that Go's linker writes, made by hand: stripped, it
 * has no other names.  Built with -fno-toplevel-reorder and -no-pie: main → run → spin.
 */
#include <stdlib.h>

__attribute__((noinline)) int spin(int n)
{
	volatile int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

__attribute__((noinline)) int run(int n)
{
	return spin(n) + 1;
}

int main(int argc, char **argv)
{
	return run(argc > 1 ? atoi(argv[1]) : 300000000) == 0;
}

__asm__(".section .gopclntab, \"a\"\n"
	"table: .long 0xfffffff1\n"
	".short 0\n"
	".byte 1, 8\n"
	".quad 2, 0, spin, names - table, 0, 0, 0, functions - table\n"
	"functions: .long 0, first - functions, run - spin, second - functions, main - spin\n"
	"first: .long 0, 0\n"
	"second: .long 0, run_name - names\n"
	"names: .asciz \"main.spin\"\n"
	"run_name: .asciz \"main.(*T).run\"\n"
	".text\n");
