/*
 * Runs a command below a filter of the kernel's that refuses some of its calls, as
 * containers have it:
 *
 *	refuse EPERM perf_event_open,ptrace COMMAND...
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	unsigned number;
} errors[] = { { "EPERM", EPERM }, { "EACCES", EACCES }, { "ENOSYS", ENOSYS } },
  calls[] = { { "perf_event_open", SYS_perf_event_open },
	      { "ptrace", SYS_ptrace },
	      { "process_vm_readv", SYS_process_vm_readv } };

static int refuse(unsigned call, unsigned error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	unsigned error = 0;

	if (argc < 4)
		return 2;
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (!strcmp(errors[i].name, argv[1]))
			error = errors[i].number;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (strstr(argv[2], calls[i].name) && refuse(calls[i].number, error)) {
			perror("seccomp");
			return 2;
		}
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 127;
}
