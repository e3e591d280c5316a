/* The system beside the target, from files with known numbers. */
#include "record/system/system.h"

#include "tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PID = 77 };
#define SECOND UINT64_C(1000000000)

static char root[] = "/tmp/wick_system_XXXXXX";

static void make_folder(const char *path)
{
	char whole[256];

	snprintf(whole, sizeof(whole), "%s%s", root, path);
	mkdir(whole, 0700);
}

static void put(const char *path, const char *text)
{
	char whole[256];
	FILE *f;

	snprintf(whole, sizeof(whole), "%s%s", root, path);
	f = fopen(whole, "w");
	if (!f)
		exit(1);
	fputs(text, f);
	fclose(f);
}

static bool knows(uint32_t known, enum system_value v)
{
	return known >> v & 1;
}

static void test_values(void)
{
	int64_t value[NR_SYSTEM_VALUES];
	struct system s;
	uint32_t known;

	put("/proc/stat", "cpu  100 0 100 700 50 0 0 50 0 0\ncpu0 1 2 3\n");
	put("/proc/loadavg", "0.52 0.58 0.59 4/977 1234\n");
	put("/proc/meminfo", "MemTotal: 2000 kB\nMemFree: 5 kB\nMemAvailable:    1000 kB\n");
	put("/proc/pressure/cpu", "some avg10=1.00 avg60=0.00 avg300=0.00 total=1000000\n");
	put("/proc/pressure/io", "some avg10=1.00 avg60=0.00 avg300=0.00 total=5\nfull total=9\n");
	put("/proc/77/stat",
	    "77 (a ) b) S 1 2 3 4 5 6 7 8 100 10 11 12 13 14 15 16 17 18 19 20 3 22\n");
	put("/proc/77/task/77/schedstat", "5000000 1000000000 9\n");
	put("/proc/77/task/78/schedstat", "5000000 200000000 9\n");
	put("/proc/net/dev", "Inter-| Receive\n face |bytes\n  eth0: 1 2 3 4 5 6 7 8 9 10 5 12\n");
	put("/proc/net/snmp", "Ip: 1\nTcp: InSegs RetransSegs InErrs\nTcp: 5 100 7\n");
	put("/proc/vmstat", "nr_free 5\noom_kill 2\n");
	put("/proc/77/cgroup", "0::/one/two\n");
	put("/sys/fs/cgroup/one/cpu.stat", "usage_usec 7\nnr_throttled 1\nthrottled_usec 100000\n");
	system_open(&s, PID, root);
	known = system_read(&s, 10 * SECOND, value);
	ok(!knows(known, SYSTEM_CPU), "system_read() gives no rate at the first reading");
	is_int(value[SYSTEM_RUNNABLE], 3, "system_read() does not count wick itself as runnable");
	is_int(value[SYSTEM_AVAILABLE], 1000 * 1024, "system_read() reads the available memory");
	is_int(value[SYSTEM_RESIDENT], 3 * sysconf(_SC_PAGESIZE),
	       "system_read() reads the memory of a process whose name has a parenthesis");
	is_int(system_read(&s, 10 * SECOND + 1, value), 0,
	       "system_read() reads nothing before it is due");

	put("/proc/stat", "cpu  200 0 150 1300 150 0 0 100 0 0\ncpu0 1 2 3\n");
	put("/proc/pressure/cpu", "some avg10=1.00 avg60=0.00 avg300=0.00 total=1500000\n");
	put("/proc/77/task/77/schedstat", "5000000 1500000000 9\n");
	put("/proc/net/dev", "Inter-| Receive\n face |bytes\n  eth0: 1 2 7 4 5 6 7 8 9 10 7 12\n");
	put("/proc/net/snmp", "Ip: 1\nTcp: InSegs RetransSegs InErrs\nTcp: 5 130 7\n");
	put("/proc/77/stat",
	    "77 (a ) b) S 1 2 3 4 5 6 7 8 130 10 111 62 13 14 15 16 17 18 19 20 3 22\n");
	put("/sys/fs/cgroup/one/cpu.stat", "usage_usec 7\nnr_throttled 1\nthrottled_usec 600000\n");
	known = system_read(&s, 12 * SECOND, value);
	is_int(value[SYSTEM_CPU], 167, "system_read() gives the share of time that CPUs were busy");
	is_int(value[SYSTEM_IOWAIT], 111,
	       "system_read() gives the share of time that CPUs waited for a disk");
	is_int(value[SYSTEM_STEAL], 56, "system_read() gives the share of time that was stolen");
	is_int(value[SYSTEM_PRESSURE_CPU], 250,
	       "system_read() gives the pressure between two readings");
	is_int(value[SYSTEM_PRESSURE_IO], 0,
	       "system_read() gives a pressure of 0 if its total has not changed");
	ok(!knows(known, SYSTEM_PRESSURE_MEMORY),
	   "system_read() omits values that the kernel does not have");
	is_int(value[SYSTEM_FAULTS], 150, "system_read() gives the rate of major faults");
	is_int(value[SYSTEM_USED], 150 * 1000 / (2 * sysconf(_SC_CLK_TCK)),
	       "system_read() gives the CPU time of the target, as a share of one CPU");
	is_int(value[SYSTEM_DELAYED], 250,
	       "system_read() gives the time in which threads of the target waited for a CPU");
	is_int(system_limit(&s, SYSTEM_DELAYED), 2000,
	       "system_limit() of waiting for a CPU is all the time of each thread");
	is_int(system_limit(&s, SYSTEM_CPU), 0, "system_limit() of shares of ticks is none");
	is_int(value[SYSTEM_NETWORK_ERRORS], 30, "system_read() gives the rate of network errors");
	is_int(value[SYSTEM_RETRANSMITS], 150, "system_read() gives the rate of TCP retransmits");
	ok(!knows(known, SYSTEM_MEMORY_KILLS), "system_read() omits errors that have not occurred");
	is_int(value[SYSTEM_THROTTLED], 250,
	       "system_read() gives the throttling of the parent of the target's cgroup");
	put("/proc/pressure/cpu", "some avg10=1.00 avg60=0.00 avg300=0.00 total=3600000\n");
	system_read(&s, 14 * SECOND, value);
	is_int(value[SYSTEM_PRESSURE_CPU], 1000, "system_read() gives a pressure of at most 100 %");
	system_close(&s);
}

static void test_last(void)
{
	const struct system_total total = { .cpu = SECOND / 20, .faults = 3, .memory = 4096 };
	int64_t value[NR_SYSTEM_VALUES];
	struct system s;
	uint32_t known;

	put("/proc/stat", "cpu  100 0 100 700 50 0 0 50 0 0\n");
	system_open(&s, 0, root);
	ok(!system_read_last(&s, SECOND, NULL, value),
	   "system_read_last() gives nothing without a first reading");
	system_read(&s, SECOND, value);
	put("/proc/stat", "cpu  110 0 100 710 50 0 0 50 0 0\n");
	ok(!system_read_last(&s, SECOND + SECOND / 100, NULL, value),
	   "system_read_last() gives no rate of less than two ticks");
	known = system_read_last(&s, SECOND + SECOND / 10, &total, value);
	ok(knows(known, SYSTEM_CPU), "system_read_last() gives rates at the end of a short time");
	is_int(value[SYSTEM_CPU], 500,
	       "system_read_last() gives the share of a short time that CPUs were busy");
	is_int(value[SYSTEM_USED], 500,
	       "system_read_last() gives the CPU time of a command that has exited");
	is_int(value[SYSTEM_FAULTS], 300,
	       "system_read_last() gives the rate of major faults of a command that has exited");
	is_int(value[SYSTEM_RESIDENT], 4096,
	       "system_read_last() gives the memory of a command that has exited");
	ok(!system_read_last(&s, SECOND + SECOND / 10 * 2 - 1, &total, value),
	   "system_read_last() gives nothing right after another reading");
	known = system_read_last(&s, SECOND * 2, &total, value);
	ok(knows(known, SYSTEM_CPU) && !knows(known, SYSTEM_USED),
	   "system_read_last() omits the total of a command after earlier rates");
	system_close(&s);
}

static void test_moved(void)
{
	int64_t value[NR_SYSTEM_VALUES];
	struct system s;

	put("/proc/77/cgroup", "0::/one\n");
	put("/sys/fs/cgroup/one/cpu.stat", "throttled_usec 0\n");
	put("/sys/fs/cgroup/other/cpu.stat", "throttled_usec 9000000\n");
	system_open(&s, PID, root);
	system_read(&s, SECOND, value);
	put("/proc/77/cgroup", "0::/other\n");
	system_read(&s, 2 * SECOND, value);
	is_int(value[SYSTEM_THROTTLED], 0,
	       "system_read() ignores the throttling of a cgroup before the target moved there");
	put("/sys/fs/cgroup/other/cpu.stat", "throttled_usec 9250000\n");
	system_read(&s, 3 * SECOND, value);
	is_int(value[SYSTEM_THROTTLED], 250, "system_read() follows the target to another cgroup");
	put("/proc/77/cgroup", "");
	put("/sys/fs/cgroup/other/cpu.stat", "throttled_usec 9750000\n");
	system_read(&s, 4 * SECOND, value);
	is_int(value[SYSTEM_THROTTLED], 500,
	       "system_read() keeps the cgroup of a target that has exited");
	system_close(&s);
}

static void test_group(void)
{
	int64_t value[NR_SYSTEM_VALUES];
	char path[256];
	struct system s;
	int directory;

	put("/sys/fs/cgroup/around/cpu.stat", "throttled_usec 0\n");
	put("/sys/fs/cgroup/around/inner/cpu.stat", "throttled_usec 0\n");
	snprintf(path, sizeof(path), "%s/sys/fs/cgroup/around/inner", root);
	directory = open(path, O_RDONLY | O_DIRECTORY);
	system_open(&s, 0, root);
	system_open_group(&s, directory);
	system_read(&s, SECOND, value);
	put("/sys/fs/cgroup/around/inner/cpu.stat", "throttled_usec 100000\n");
	put("/sys/fs/cgroup/around/cpu.stat", "throttled_usec 150000\n");
	system_read(&s, 2 * SECOND, value);
	is_int(value[SYSTEM_THROTTLED], 250,
	       "system_read() adds up the throttling of a target cgroup and its parent");
	system_close(&s);
	close(directory);
}

/* cpu.stat of a group with the cpu controller, and all lines that the kernel writes. */
static void put_v2(const char *group, int periods, int throttled, int usec)
{
	char path[128], text[512];

	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cpu.stat", group);
	snprintf(text, sizeof(text),
		 "usage_usec 70000\nuser_usec 60000\nsystem_usec 10000\nnice_usec 0\n"
		 "core_sched.force_idle_usec 0\nnr_periods %d\nnr_throttled %d\n"
		 "throttled_usec %d\nnr_bursts 0\nburst_usec 0\n",
		 periods, throttled, usec);
	put(path, text);
}

/* The root of version 2 has no limit, and its cpu.stat no throttling; a group and one around it may both have one. */
static void test_v2(const char *membership, const char *mount, const char *what)
{
	static const char whole[] = "usage_usec 9000000\nuser_usec 8000000\nsystem_usec 1000000\n";
	char path[64], outer[64], inner[64];
	int64_t value[NR_SYSTEM_VALUES];
	struct system s;
	uint32_t known;

	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cpu.stat", mount);
	snprintf(outer, sizeof(outer), "%s/outer", mount);
	snprintf(inner, sizeof(inner), "%s/outer/inner", mount);
	put("/proc/77/cgroup", membership);
	put(path, whole);
	put_v2(outer, 10, 2, 100000);
	put_v2(inner, 10, 5, 300000);
	system_open(&s, PID, root);
	system_read(&s, SECOND, value);
	put_v2(outer, 20, 4, 150000);
	put_v2(inner, 20, 9, 500000);
	known = system_read(&s, 2 * SECOND, value);
	ok(knows(known, SYSTEM_THROTTLED), what);
	is_int(value[SYSTEM_THROTTLED], 250,
	       "system_read() adds up the throttling of a cgroup and its ancestors");
	system_close(&s);
}

static void test_v1(void)
{
	int64_t value[NR_SYSTEM_VALUES];
	struct system s;

	put("/proc/77/cgroup", "5:memory:/elsewhere\n4:cpu,cpuacct:/old\n0::/\n");
	put("/sys/fs/cgroup/cpu,cpuacct/old/cpu.stat", "nr_throttled 1\nthrottled_time 0\n");
	system_open(&s, PID, root);
	system_read(&s, SECOND, value);
	put("/sys/fs/cgroup/cpu,cpuacct/old/cpu.stat",
	    "nr_throttled 1\nthrottled_time 250000000\n");
	system_read(&s, 2 * SECOND, value);
	is_int(value[SYSTEM_THROTTLED], 250,
	       "system_read() gives the throttling of cgroup version 1");
	system_close(&s);
}

static void test_hostile(void)
{
	int64_t value[NR_SYSTEM_VALUES];
	struct system s;
	uint32_t known;

	put("/proc/stat", "cpu  18446744073709551615 18446744073709551615 1 x\n");
	put("/proc/loadavg", "1 2 3 4\n");
	put("/proc/meminfo", "MemAvailable: 18446744073709551615 kB\n");
	put("/proc/pressure/cpu", "some total=\n");
	put("/proc/77/stat", "77 (name\n");
	put("/proc/77/task/77/schedstat", "x\n");
	put("/proc/net/dev", "a:\n:::\n");
	put("/proc/net/snmp", "Tcp: RetransSegs\nTcp: x\nTcp: 1\n");
	put("/proc/vmstat", "oom_kill\n");
	put("/proc/77/cgroup", "::::\n0\n\n");
	system_open(&s, PID, root);
	system_read(&s, SECOND, value);
	known = system_read(&s, 2 * SECOND, value);
	ok(!knows(known, SYSTEM_AVAILABLE), "system_read() ignores memory that is out of range");
	ok(!knows(known, SYSTEM_PRESSURE_CPU), "system_read() ignores a pressure without a number");
	ok(!knows(known, SYSTEM_RESIDENT), "system_read() ignores a truncated line of a process");
	ok(!knows(known, SYSTEM_RETRANSMITS), "system_read() ignores names without numbers");
	system_close(&s);
}

static void test_real(void)
{
	int64_t value[NR_SYSTEM_VALUES];
	struct system s;

	system_open(&s, getpid(), "");
	system_read(&s, SECOND, value);
	ok(value[SYSTEM_RESIDENT] > 0, "system_read() reads the memory of this process");
	system_close(&s);
}

int main(void)
{
	static const char *const folders[] = { "/proc",
					       "/proc/77",
					       "/proc/77/task",
					       "/proc/77/task/77",
					       "/proc/77/task/78",
					       "/proc/net",
					       "/proc/pressure",
					       "/sys",
					       "/sys/fs",
					       "/sys/fs/cgroup",
					       "/sys/fs/cgroup/one",
					       "/sys/fs/cgroup/other",
					       "/sys/fs/cgroup/around",
					       "/sys/fs/cgroup/around/inner",
					       "/sys/fs/cgroup/one/two",
					       "/sys/fs/cgroup/outer",
					       "/sys/fs/cgroup/outer/inner",
					       "/sys/fs/cgroup/unified",
					       "/sys/fs/cgroup/unified/outer",
					       "/sys/fs/cgroup/unified/outer/inner",
					       "/sys/fs/cgroup/cpu,cpuacct",
					       "/sys/fs/cgroup/cpu,cpuacct/old" };
	char command[64];

	if (!mkdtemp(root))
		return 1;
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		make_folder(folders[i]);
	test_values();
	test_last();
	test_moved();
	test_group();
	test_v2("9:name=systemd:/\n4:memory:/elsewhere\n0::/outer/inner\n", "/unified",
		"system_read() gives the throttling of cgroup version 2 beside controllers of version 1");
	test_v2("0::/outer/inner\n", "", "system_read() gives the throttling of cgroup version 2");
	test_v1();
	test_hostile();
	test_real();
	snprintf(command, sizeof(command), "rm -r '%s'", root);
	if (system(command))
		return 1;
	return done();
}
