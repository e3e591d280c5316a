/* What runs already, as records. */
#include "record/targets/running.h"

#include "tap.h"

static char told[500];

/* A running_sink. */
static int tell(void *arg, const struct record *r, struct error *e)
{
	size_t n = strlen(told);

	(void)arg;
	(void)e;
	snprintf(told + n, sizeof(told) - n, "%.*s %llx+%llx ", (int)r->mmap.path.size,
		 r->mmap.path.at, (unsigned long long)r->mmap.addr,
		 (unsigned long long)r->mmap.len);
	return 0;
}

static const char *modules(const char *list)
{
	struct error e = ERROR_INIT;

	told[0] = '\0';
	running_parse_modules(span_of(list), tell, NULL, &e);
	return told;
}

int main(void)
{
	is_str(modules("xfs 8192 1 - Live 0xffffffffc0a00000\n"
		       "kvm_intel 4096 2 kvm,irq, Live 0xffffffffc0100000 (OE)\n"),
	       "[kvm_intel] ffffffffc0100000+1000 [xfs] ffffffffc0a00000+2000 ",
	       "each module of the kernel is a mapping, by address");
	is_str(modules("a 8192 0 - Live 0xffffffffc0000000\nb 4096 0 - Live 0xffffffffc0001000\n"),
	       "[a] ffffffffc0000000+1000 [b] ffffffffc0001000+1000 ",
	       "a module ends where the next one begins");
	is_str(modules("xfs 8192 1 - Live 0x0000000000000000\n"), "",
	       "a module whose address is hidden is left out");
	is_str(modules("xfs\nxfs many 1 - Live 0xffffffffc0a00000\n\nxfs 8192 1 - Live\n"), "",
	       "a truncated or malformed line is left out");
	return done();
}
