/*
 * The kernel's events and their records, from a ring buffer or a perf.data file: the configuration
 * of an event (attr), and its records, decoded.  Nothing is copied: the spans of a record point
 * into the bytes that it was decoded from.
 */
#ifndef WICK_PERF_EVENT_H
#define WICK_PERF_EVENT_H

#include "base/fields.h"

#include <linux/perf_event.h>

/* The fields of a perf_event_attr that wick uses; fields that an older kernel lacks are 0. */
struct attr {
	uint32_t type;
	uint64_t config;
	uint64_t period; /* or the frequency, if freq */
	uint64_t sample_type, read_format, branch_sample_type;
	uint64_t regs_user, regs_intr; /* masks of registers */
	uint32_t stack_user;	       /* size of the stack copy: bytes */
	unsigned precise;
	bool inherit, freq, sample_id_all, exclude_user, exclude_kernel, exclude_hv, exclude_guest,
		exclude_callchain_user;
	bool switches;	/* switches to and from tasks are recorded */
	bool build_id;	/* mappings have the build IDs of their files */
	bool monotonic; /* times are of CLOCK_MONOTONIC, as in jitdumps */
};

/* False if there are fewer bytes than in the first version of perf_event_attr. */
bool attr_parse(struct attr *a, struct span bytes, enum byte_order order);

/* Does it sample CPU time at a fixed rate?  Hardware counters only approximate one. */
static inline bool attr_is_clock(const struct attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE &&
	       (a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK);
}

enum record_kind {
	RECORD_OTHER,	/* a type that wick does not use */
	RECORD_UNKNOWN, /* a type newer than this version of wick, or garbage */
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

/*
 * Since 6.19, not in older headers.  A call chain that ends in this marker and a cookie:
 * deferred.h
 */
#define CONTEXT_USER_DEFERRED ((uint64_t)-640)
enum { PERF_RECORD_DEFERRED = 22 };

enum { BUILD_ID_MAX = 20 };

/*
 * The bytes of a sample around its call chain, registers and stack copy, which recording.h replaces
 * by the finished call chain.
 */
struct sample_parts {
	struct span who;      /* all fields before the call chain */
	struct span raw;      /* with its size and padding */
	struct span branches; /* with their number */
	struct span facts;    /* all fields between the stack copy and the AUX data */
};

/* struct perf_branch_entry, as words. */
enum { BRANCH_FROM, BRANCH_TO, BRANCH_FLAGS, BRANCH_WORDS };

struct sample {
	uint64_t ip, addr, period;
	struct words reads;	/* values of counters, see sample_counter() */
	struct words callchain; /* from the leaf, with PERF_CONTEXT_ markers */
	struct span raw;
	struct words branches;		   /* BRANCH_WORDS for each, the newest first */
	uint64_t user_abi, intr_abi;	   /* PERF_SAMPLE_REGS_ABI_; 0: no registers */
	struct words user_regs, intr_regs; /* those of the attr's mask, from the lowest bit */
	struct span stack;		   /* the stack copy, as far as it was filled */
	uint64_t stack_asked;		   /* its maximum size: if it is full, it is truncated */
	uint64_t weight, data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	struct sample_parts parts;
};

/*
 * A call chain as the kernel writes it: addresses from the leaf to the root.  A PERF_CONTEXT_
 * marker says what the addresses after it belong to (kernel, user); the first of them is where
 * execution was interrupted, all others are return addresses.
 *
 * The chains that wick finishes also say why they end, if that is not at the root: the number of
 * PERF_CONTEXT_USER markers at the end is the enum below.  Other readers ignore markers without
 * addresses.  Two markers and then an address: frames are missing there, because the stack copy was
 * too short or they are on another stack, but the address is known to be the root.
 */
enum chain_end {
	CHAIN_ROOT,
	CHAIN_TRUNCATED, /* the stack copy was too short */
	CHAIN_NO_COPY,	 /* the sample has no stack copy */
	CHAIN_NO_ROW,	 /* there was no unwind row, nor another way to continue */
	CHAIN_TOO_DEEP,
	NR_CHAIN_ENDS,
};

/* The entries that a known root adds to a CHAIN_TRUNCATED chain: the second marker, and the address. */
enum { CHAIN_ROOT_WORDS = 2 };

/* Identifies a file; inode 0: unknown. */
struct file_identity {
	uint32_t major, minor;
	uint64_t inode;
	uint32_t generation; /* changes when the inode is reused; 0: unknown */
};

struct mapping {
	uint64_t addr, len, pgoff; /* pgoff in bytes */
	uint32_t prot;		   /* PROT_; 0 in records of old kernels */
	struct span path;
	struct span build_id; /* bytes, not hex; empty: not in this record */
	struct file_identity file;
	bool data; /* not executable */
};

struct record {
	enum record_kind kind;
	unsigned misc;
	/* pid and tid are THREAD_NONE, the others 0, if the record does not have them. */
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
		} fork;	       /* and exit */
		uint64_t lost; /* number of lost records or samples */
		struct {
			bool out;	/* switched out, else in */
			bool preempted; /* … although it could have continued */
		} sched;
		struct {
			uint64_t id;
			struct span path;
		} cgroup;
		struct {
			uint64_t addr;
			uint32_t len;
			bool gone; /* unregistered, else registered */
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
	uint16_t misc, size; /* the size includes the header */
};

static inline struct record_header record_header(const char *at, enum byte_order order)
{
	return (struct record_header){ .type = load_u32(at, order),
				       .misc = load_u16(at + 4, order),
				       .size = load_u16(at + 6, order) };
}

/*
 * Decodes one record of the kernel, with its header, written by the event of that attr.  False when
 * it is too short for its fields.
 */
bool record_decode(struct record *r, const struct attr *a, struct span bytes,
		   enum byte_order order);

/*
 * encode.c: the opposite, for records that a recorder synthesizes, such as the mappings of
 * processes that were already running.  False for kinds that are never synthesized, such as
 * samples.
 */
struct strbuf;
bool record_encode(struct strbuf *to, const struct record *r, const struct attr *a,
		   enum byte_order order);

/* decode_sample.c: decodes a sample after its header, for record_decode(). */
bool sample_decode(struct record *r, const struct attr *a, struct fields *f);

/*
 * The value and ID of the i-th counter that was read with a sample (PERF_SAMPLE_READ); false: there
 * are no more, or they have no IDs.
 */
bool sample_counter(const struct sample *s, const struct attr *a, size_t i, uint64_t *id,
		    uint64_t *value);

/* Appends a name for an event without one in the recording: cycles:u, cpu-clock, raw 0x1a8. */
void attr_name(struct strbuf *out, const struct attr *a);

#endif
