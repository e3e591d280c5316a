#include "perf/wait_reason.h"

static const struct {
	const char *name, *frame;
} reasons[NR_WAIT_REASONS] = {
	[WAIT_OTHER] = { "other", "[other]" },	     [WAIT_SLEEP] = { "sleep", "[sleep]" },
	[WAIT_LOCK] = { "lock", "[lock]" },	     [WAIT_DISK] = { "disk", "[disk]" },
	[WAIT_NETWORK] = { "network", "[network]" }, [WAIT_PIPE] = { "pipe", "[pipe]" },
	[WAIT_POLL] = { "poll", "[poll]" },	     [WAIT_FAULT] = { "fault", "[fault]" },
	[WAIT_CHILD] = { "child", "[child]" },	     [WAIT_CPU] = { "cpu wait", "[cpu wait]" },
};

const char *wait_reason_name(enum wait_reason reason)
{
	return reasons[reason].name;
}

const char *wait_reason_frame(enum wait_reason reason)
{
	return reasons[reason].frame;
}
