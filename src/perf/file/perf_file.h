/*
 * The file format perf.data, for its reader and its writer.  A header, then sections in any order:
 * attrs with their IDs, and records; after the records a table of features: host, command line, …
 */
#ifndef WICK_PERF_FILE_PERF_FILE_H
#define WICK_PERF_FILE_PERF_FILE_H

/* Records that perf itself writes between the kernel's. */
enum user_record {
	USER_ATTR = 64,
	USER_EVENT_TYPE = 65,
	USER_TRACING_DATA = 66,
	USER_BUILD_ID = 67,
	USER_FINISHED_ROUND = 68,
	USER_ID_INDEX = 69,
	USER_AUXTRACE = 71,
	USER_THREAD_MAP = 73,
	USER_CPU_MAP = 74,
	USER_EVENT_UPDATE = 78,
	USER_TIME_CONV = 79,
	USER_FEATURE = 80,
	USER_COMPRESSED = 81,
	USER_FINISHED_INIT = 82,
	USER_COMPRESSED2 = 83,
	USER_LAST = 86, /* the last known type */
};

enum feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_BRANCH_STACK = 15,
	FEATURE_AUXTRACE = 18,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_COMPRESSED = 27,
	FEATURE_CLOCK_DATA = 29,
	/* wick's own: file_waits.c, file_series.c.  perf skips unknown features. */
	FEATURE_WAITS = 254,
	FEATURE_SERIES = 255,
	FEATURE_BITS = 256,
};

enum {
	PERF_HEADER_SIZE = 104,
	PERF_PIPE_HEADER_SIZE = 16,
	PERF_SECTION_SIZE = 16, /* an offset and a size */
};

#endif
