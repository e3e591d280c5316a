/*
 * Its own registers and stack, from deep inside: frames of every kind that compilers make on AArch64,
 * without a C library.  Writes, as words: x0 … x30, sp, pc; how many callers there are and where each
 * goes on; how many bytes of the stack follow, and these.  scripts/capture-aarch64 runs it.
 */
#define NOINLINE __attribute__((noinline))

typedef unsigned long word;

enum { WRITE = 64, EXIT = 93, CALLERS_MAX = 32 };

static struct {
	word reg[33];
	word nr, caller[CALLERS_MAX];
	word size;
} out;
static word stack_end;
static volatile word sink;

static word call(word number, word a, word b, word c)
{
	register word x8 __asm__("x8") = number;
	register word x0 __asm__("x0") = a;
	register word x1 __asm__("x1") = b;
	register word x2 __asm__("x2") = c;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
}

/* Where the function that says this goes back to, without a signature. */
#define CALLER() \
	(out.caller[out.nr++] = (word)__builtin_extract_return_addr(__builtin_return_address(0)))

static NOINLINE void look(word a)
{
	CALLER();
	__asm__ volatile("stp x0, x1, [%0, 0]\n"
			 "stp x2, x3, [%0, 16]\n"
			 "stp x4, x5, [%0, 32]\n"
			 "stp x6, x7, [%0, 48]\n"
			 "stp x8, x9, [%0, 64]\n"
			 "stp x10, x11, [%0, 80]\n"
			 "stp x12, x13, [%0, 96]\n"
			 "stp x14, x15, [%0, 112]\n"
			 "stp x16, x17, [%0, 128]\n"
			 "stp x18, x19, [%0, 144]\n"
			 "stp x20, x21, [%0, 160]\n"
			 "stp x22, x23, [%0, 176]\n"
			 "stp x24, x25, [%0, 192]\n"
			 "stp x26, x27, [%0, 208]\n"
			 "stp x28, x29, [%0, 224]\n"
			 "mov x9, sp\n"
			 "stp x30, x9, [%0, 240]\n"
			 "adr x9, .\n"
			 "str x9, [%0, 256]\n" ::"r"(out.reg)
			 : "x9", "memory");
	out.size = stack_end - out.reg[31];
	call(WRITE, 1, (word)&out, sizeof(out));
	call(WRITE, 1, out.reg[31], out.size);
	sink += a;
}

/* More than an immediate offset reaches. */
static NOINLINE void large(word a)
{
	volatile char room[640];

	CALLER();
	room[a & 511] = 1;
	look(a + (word)room[3]);
	sink += (word)room[a & 255];
}

/* The stack pointer says nothing: only the frame pointer does. */
static NOINLINE void moving(word size)
{
	volatile char *room = __builtin_alloca(size);

	CALLER();
	room[0] = 1;
	large(size);
	sink += (word)room[0];
}

/* Keeps registers for its caller. */
static NOINLINE word keeping(word a, word b, word c, word d)
{
	word e = a * b, f = c * d, g = a ^ d;

	CALLER();
	moving(a & 63);
	sink += e + f + g;
	return a + b + c + d + e * f * g;
}

static NOINLINE word recursion(word depth)
{
	CALLER();
	return depth ? recursion(depth - 1) + depth : keeping(33, sink, 5, 7);
}

__attribute__((used)) static void begin(word sp)
{
	stack_end = sp;
	CALLER();
	sink += recursion(3);
	call(EXIT, 0, 0, 0);
}

__asm__(".text\n"
	".globl _start\n"
	".type _start, %function\n"
	"_start:\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined x30\n"
	"	mov x29, 0\n"
	"	mov x30, 0\n"
	"	mov x0, sp\n"
	"	bl begin\n"
	"	brk 1\n"
	"	.cfi_endproc\n"
	".size _start, . - _start\n");
