/*
 * Events as the kernel writes them, in a ring buffer or in a perf.data file:
 * what was asked for (attr), and one record of it taken apart.  Bytes stay
 * where they are: a record's spans point into the bytes it was decoded from.
 */
#ifndef WICK_EVENT_EVENT_H
#define WICK_EVENT_EVENT_H

#include "base/fields.h"

#include <linux/perf_event.h>

/* What is used of a perf_event_attr, of whatever size it was. */
struct attr {
	uint32_t type;
	uint64_t config;
	uint64_t period; /* or the frequency, see freq */
	uint64_t sample_type, read_format, branch_sample_type;
	uint64_t regs_user, regs_intr;
	uint32_t stack_user;
	unsigned precise;
	bool inherit, freq, sample_id_all, exclude_user, exclude_kernel, exclude_hv, exclude_guest,
		exclude_callchain_user;
	bool build_id;	/* mappings come with those of their files */
	bool monotonic; /* times are CLOCK_MONOTONIC's, which programs can read too */
};

/* False when the bytes are too few for an attr of any kernel. */
bool attr_parse(struct attr *a, struct span bytes, enum byte_order order);

enum record_kind {
	RECORD_OTHER,	/* of a type that tells us nothing */
	RECORD_UNKNOWN, /* of a type that nobody has heard of */
	RECORD_SAMPLE,
	RECORD_MMAP,
	RECORD_COMM,
	RECORD_FORK,
	RECORD_EXIT,
	RECORD_LOST,
	RECORD_THROTTLE,
	RECORD_UNTHROTTLE,
	RECORD_SWITCH,
	RECORD_NAMESPACES,
	RECORD_CGROUP,
	RECORD_KSYMBOL,
	RECORD_BPF,
	RECORD_DEFERRED,
};

/* Newer than some headers: the rest of call chains that end in this marker and a number. */
#define CONTEXT_USER_DEFERRED ((uint64_t)-640)
enum { PERF_RECORD_DEFERRED = 22 };

enum { BUILD_ID_MAX = 20 };

/* The bytes of a sample by what becomes of them when its call chain is finished. */
struct sample_parts {
	struct span who;      /* all that is before the call chain */
	struct span raw;      /* with its size and what fills it up */
	struct span branches; /* likewise */
	struct span facts;    /* behind the copy of the stack, up to what a tracer wrote */
};

/* What a branch is told by. */
enum { BRANCH_FROM, BRANCH_TO, BRANCH_FLAGS, BRANCH_WORDS };

struct sample {
	uint64_t ip, addr, period;
	struct words reads;	/* counters, see sample_counter() */
	struct words callchain; /* from the leaf, with PERF_CONTEXT_ markers */
	struct span raw;
	struct words branches;		   /* BRANCH_WORDS for each, the newest first */
	uint64_t user_abi, intr_abi;	   /* PERF_SAMPLE_REGS_ABI_; 0: no registers */
	struct words user_regs, intr_regs; /* those of the attr's mask, from the lowest bit */
	struct span stack;		   /* as much of the copy as was filled */
	uint64_t stack_asked;		   /* how much room it had: a full one was cut off */
	uint64_t weight, data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	struct sample_parts parts;
};

/*
 * A call chain in the kernel's form: addresses from the leaf; a PERF_CONTEXT_ marker
 * says whose those behind it are, and that the first is where something was interrupted, while all
 * others are return addresses.  One that does not reach its root says why by markers that nothing is behind:
 * so many PERF_CONTEXT_USER, which tell other readers nothing.  Where there are two of them and then an
 * address, something is missing in between: the copy of the stack was too short, but its root is known all the same.
 */
enum chain_end {
	CHAIN_ROOT,
	CHAIN_CUT,     /* the copy of the stack was too short */
	CHAIN_NO_COPY, /* there was none */
	CHAIN_NO_ROW,  /* nothing said how to go on */
	CHAIN_TOO_DEEP,
	NR_CHAIN_ENDS,
};

/* What a chain that ended as CHAIN_CUT has more when its root is known: one more marker, and the address. */
enum { CHAIN_ROOT_WORDS = 2 };

/* Which file it was; an inode of 0: not told. */
struct file_identity {
	uint32_t major, minor;
	uint64_t inode;
	uint32_t generation; /* of what had the number of the inode; 0: not told */
};

struct mapping {
	uint64_t addr, len, pgoff;
	uint32_t prot; /* 0 where an old kernel does not tell */
	struct span path;
	struct span build_id; /* bytes; empty: not told here */
	struct file_identity file;
	bool data; /* of data, not of code */
};

struct record {
	enum record_kind kind;
	unsigned misc;
	/* Who, when and where: 0 and THREAD_NONE where it is not told. */
	uint32_t pid, tid, cpu;
	uint64_t time, id;
	union {
		struct sample sample;
		struct mapping mmap;
		struct {
			struct span name;
			bool exec;
		} comm;
		struct {
			uint32_t ppid, ptid;
		} fork; /* and exit */
		uint64_t lost;
		struct {
			bool out;
		} sched;
		struct {
			uint64_t id;
			struct span path;
		} cgroup;
		struct {
			uint64_t addr;
			uint32_t len;
			bool gone;
			struct span name;
		} ksymbol;
		struct {
			uint64_t cookie;
			struct words callchain;
		} deferred;
	};
};

#define THREAD_NONE UINT32_MAX

/* The kernel's header of a record: type, misc, size. */
enum { RECORD_HEADER_SIZE = 8, RECORD_SIZE_MAX = UINT16_MAX };

struct record_header {
	uint32_t type;
	uint16_t misc, size; /* the size counts the header too */
};

static inline struct record_header record_header(const char *at, enum byte_order order)
{
	return (struct record_header){ .type = load_u32(at, order),
				       .misc = load_u16(at + 4, order),
				       .size = load_u16(at + 6, order) };
}

/*
 * Takes one record of the kernel's apart, header and all, that the event of
 * this attr wrote.  False when it is shorter than what it says is in it.
 */
bool record_decode(struct record *r, const struct attr *a, struct span bytes,
		   enum byte_order order);

/*
 * encode.c: the other way, for what a recorder has to tell of the time before it.  False for what it is not needed
 * for: samples, and what is passed over.
 */
struct strbuf;
bool record_encode(struct strbuf *to, const struct record *r, const struct attr *a,
		   enum byte_order order);

/* sample.c: the part behind the header; how record_decode() does it. */
bool sample_decode(struct record *r, const struct attr *a, struct fields *f);

/* What the i-th counter stood at that was read with a sample; false: there are no more, or nobody knows whose. */
bool sample_counter(const struct sample *s, const struct attr *a, size_t i, uint64_t *id,
		    uint64_t *value);

/* How the kernel names the event where nobody else did: cycles:u, cpu-clock, raw 0x1a8. */
void attr_name(struct strbuf *out, const struct attr *a);

#endif
