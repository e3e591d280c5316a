/* Machine code as people write it. */
#include "image/code/disassemble.h"

#include "base/strbuf.h"
#include "span_tap.h"

#include <elf.h>

static void check(struct machine m, enum syntax syntax, struct span code, const char *want,
		  const char *what)
{
	struct error e = ERROR_INIT;
	struct disassembler *d = disassembler_new(&m, syntax, &e);
	uint64_t address = 0x1000;
	struct strbuf got = { 0 };
	struct instruction i;

	if (!ok(d, *e.text ? e.text : "a disassembler is created"))
		return;
	while (disassembler_next(d, &code, &address, &i)) {
		strbuf_addf(&got, "%s%llx+%zu %s", got.size ? "; " : "",
			    (unsigned long long)i.address, i.size, i.text);
		if (i.goes)
			strbuf_addf(&got, " -> %llx", (unsigned long long)i.target);
	}
	is_str(got.at, want, what);
	strbuf_release(&got);
	disassembler_free(d);
}

int main(void)
{
	struct machine x86 = { .number = EM_X86_64, .is_64 = true };
	struct machine arm = { .number = EM_AARCH64, .is_64 = true };
	struct machine unknown = { .number = EM_CUDA, .is_64 = true };
	struct error e = ERROR_INIT;

	check(x86, SYNTAX_INTEL, SPAN("\x89\xd8\xe8\x01\x00\x00\x00\x74\xf7\xc3"),
	      "1000+2 mov eax, ebx; 1002+5 call 0x1008 -> 1008; 1007+2 je 0x1000 -> 1000; 1009+1 ret",
	      "x86 code is disassembled in Intel syntax");
	check(x86, SYNTAX_ATT, SPAN("\x89\xd8"), "1000+2 movl %ebx, %eax",
	      "x86 code is disassembled in AT&T syntax");
	check(x86, SYNTAX_INTEL, SPAN("\x06\x90"), "1000+1 .byte 0x06; 1001+1 nop",
	      "an invalid x86 instruction is shown as data");
	check(x86, SYNTAX_INTEL, SPAN("\xff\xe0\xe8\x01"),
	      "1000+2 jmp rax; 1002+1 .byte 0xe8; 1003+1 .byte 0x01",
	      "a truncated x86 instruction is shown as data");
	check(arm, SYNTAX_ATT, SPAN("\x02\x00\x00\x94\xff\xff\xff\xff\xc0\x03\x5f\xd6\xc0"),
	      "1000+4 bl #0x1008 -> 1008; 1004+4 .byte 0xff, 0xff, 0xff, 0xff; 1008+4 ret; "
	      "100c+1 .byte 0xc0",
	      "aarch64 code is disassembled, invalid and truncated instructions as data");
	ok(!disassembler_new(&unknown, SYNTAX_ATT, &e), "an unsupported machine is rejected");
	is_str(e.text, "disassembly is not supported for this architecture (ELF machine 190)",
	       "the error for an unsupported machine has its ELF number");
	return done();
}
