#include "record/waits/wait_class.h"

#include "base/alloc.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What determines the reason for a wait in a system call. */
enum decides {
	BY_CHANNEL,  /* the kernel function */
	BY_CALL,     /* the call itself: `reason` */
	BY_FILES,    /* the descriptors among its arguments: those of the mask `args` */
	BY_STORAGE,  /* the disk, unless the kernel function implies another reason */
	BY_COUNT,    /* the number of polled files, argument number `args`: with none, it sleeps */
	BY_FUTEX,    /* the futex at its first argument */
	BY_FUTEXES,  /* the futexes of a list */
	BY_FILE_LOCK /* fcntl(), which locks only with some commands */
};

struct call {
	uint8_t decides, reason, args;
};

#define CALL(r) \
	{ \
		.decides = BY_CALL, .reason = (r) \
	}
#define FILES(mask) \
	{ \
		.decides = BY_FILES, .args = (mask) \
	}
#define STORAGE \
	{ \
		.decides = BY_STORAGE \
	}
#define COUNT(argument) \
	{ \
		.decides = BY_COUNT, .args = (argument) \
	}

/* By system call number.  Other calls hardly ever wait: for them, the kernel function decides. */
static const struct call calls[] = {
	[SYS_read] = FILES(1),
	[SYS_write] = FILES(1),
	[SYS_readv] = FILES(1),
	[SYS_writev] = FILES(1),
	[SYS_pread64] = FILES(1),
	[SYS_pwrite64] = FILES(1),
	[SYS_preadv] = FILES(1),
	[SYS_pwritev] = FILES(1),
	[SYS_preadv2] = FILES(1),
	[SYS_pwritev2] = FILES(1),
	[SYS_ioctl] = FILES(1),
	[SYS_vmsplice] = FILES(1),
	[SYS_sendfile] = FILES(3),
	[SYS_tee] = FILES(3),
	[SYS_splice] = FILES(5),
	[SYS_copy_file_range] = FILES(5),

	[SYS_openat] = STORAGE,
	[SYS_openat2] = STORAGE,
	[SYS_statx] = STORAGE,
	[SYS_fstat] = STORAGE,
	[SYS_newfstatat] = STORAGE,
	[SYS_getdents64] = STORAGE,
	[SYS_fsync] = STORAGE,
	[SYS_fdatasync] = STORAGE,
	[SYS_sync] = STORAGE,
	[SYS_syncfs] = STORAGE,
	[SYS_sync_file_range] = STORAGE,
	[SYS_msync] = STORAGE,
	[SYS_truncate] = STORAGE,
	[SYS_ftruncate] = STORAGE,
	[SYS_fallocate] = STORAGE,
	[SYS_readahead] = STORAGE,
	[SYS_unlinkat] = STORAGE,
	[SYS_renameat] = STORAGE,
	[SYS_renameat2] = STORAGE,
	[SYS_mkdirat] = STORAGE,
	[SYS_linkat] = STORAGE,
	[SYS_symlinkat] = STORAGE,
	[SYS_readlinkat] = STORAGE,
	[SYS_faccessat] = STORAGE,
	[SYS_faccessat2] = STORAGE,
	[SYS_fchmodat] = STORAGE,
	[SYS_fchownat] = STORAGE,
	[SYS_utimensat] = STORAGE,
	[SYS_execve] = STORAGE,
	[SYS_execveat] = STORAGE,
	[SYS_io_getevents] = STORAGE,
	[SYS_io_pgetevents] = STORAGE,
	[SYS_io_submit] = STORAGE,

	[SYS_recvfrom] = CALL(WAIT_NETWORK),
	[SYS_recvmsg] = CALL(WAIT_NETWORK),
	[SYS_recvmmsg] = CALL(WAIT_NETWORK),
	[SYS_sendto] = CALL(WAIT_NETWORK),
	[SYS_sendmsg] = CALL(WAIT_NETWORK),
	[SYS_sendmmsg] = CALL(WAIT_NETWORK),
	[SYS_accept] = CALL(WAIT_NETWORK),
	[SYS_accept4] = CALL(WAIT_NETWORK),
	[SYS_connect] = CALL(WAIT_NETWORK),

	[SYS_nanosleep] = CALL(WAIT_SLEEP),
	[SYS_clock_nanosleep] = CALL(WAIT_SLEEP),
	[SYS_rt_sigsuspend] = CALL(WAIT_SLEEP),
	[SYS_rt_sigtimedwait] = CALL(WAIT_SLEEP),

	[SYS_wait4] = CALL(WAIT_CHILD),
	[SYS_waitid] = CALL(WAIT_CHILD),
	[SYS_clone] = CALL(WAIT_CHILD), /* as vfork() waits for an exec */
	[SYS_clone3] = CALL(WAIT_CHILD),

	[SYS_epoll_pwait] = CALL(WAIT_POLL),
	[SYS_epoll_pwait2] = CALL(WAIT_POLL),
	[SYS_io_uring_enter] = CALL(WAIT_POLL),
	[SYS_ppoll] = COUNT(1),
	[SYS_pselect6] = COUNT(0),

	[SYS_mq_timedreceive] = CALL(WAIT_PIPE),
	[SYS_mq_timedsend] = CALL(WAIT_PIPE),
	[SYS_msgrcv] = CALL(WAIT_PIPE),
	[SYS_msgsnd] = CALL(WAIT_PIPE),

	[SYS_flock] = CALL(WAIT_LOCK),
	[SYS_semop] = CALL(WAIT_LOCK),
	[SYS_semtimedop] = CALL(WAIT_LOCK),
	[SYS_fcntl] = { .decides = BY_FILE_LOCK, .args = 1 },
	[SYS_futex] = { .decides = BY_FUTEX },
#ifdef SYS_futex_waitv
	[SYS_futex_waitv] = { .decides = BY_FUTEXES },
#endif
#ifdef SYS_futex_wait
	[SYS_futex_wait] = { .decides = BY_FUTEX },
#endif
	[SYS_sched_yield] = CALL(WAIT_CPU),
#ifdef __x86_64__
	/* Newer architectures only have the more general calls above. */
	[SYS_open] = STORAGE,
	[SYS_creat] = STORAGE,
	[SYS_stat] = STORAGE,
	[SYS_lstat] = STORAGE,
	[SYS_access] = STORAGE,
	[SYS_getdents] = STORAGE,
	[SYS_unlink] = STORAGE,
	[SYS_rename] = STORAGE,
	[SYS_mkdir] = STORAGE,
	[SYS_rmdir] = STORAGE,
	[SYS_link] = STORAGE,
	[SYS_symlink] = STORAGE,
	[SYS_readlink] = STORAGE,
	[SYS_chmod] = STORAGE,
	[SYS_chown] = STORAGE,
	[SYS_pause] = CALL(WAIT_SLEEP),
	[SYS_vfork] = CALL(WAIT_CHILD),
	[SYS_fork] = CALL(WAIT_CHILD),
	[SYS_epoll_wait] = CALL(WAIT_POLL),
	[SYS_poll] = COUNT(1),
	[SYS_select] = COUNT(0),
#endif
};

struct prefix {
	const char *text;
	enum wait_reason reason;
};

/*
 * The reason implied by a kernel function, by the prefix of its name: names change, and compilers add suffixes.
 * The first match decides; WAIT_OTHER: a helper function that implies no reason.
 */
static const struct prefix channels[] = {
	{ "futex_", WAIT_LOCK },
	{ "do_semtimedop", WAIT_LOCK },
	{ "__do_semtimedop", WAIT_LOCK },
	{ "rwsem_", WAIT_LOCK },
	{ "__mutex_lock", WAIT_LOCK },
	{ "rt_mutex_", WAIT_LOCK },
	{ "flock_lock", WAIT_LOCK },
	{ "locks_lock", WAIT_LOCK },
	{ "fcntl_setlk", WAIT_LOCK },
	{ "do_lock_file", WAIT_LOCK },
	{ "hrtimer_nanosleep", WAIT_SLEEP },
	{ "do_nanosleep", WAIT_SLEEP },
	{ "common_nsleep", WAIT_SLEEP },
	{ "alarm_timer_nsleep", WAIT_SLEEP },
	{ "posix_cpu_nsleep", WAIT_SLEEP },
	{ "do_sigtimedwait", WAIT_SLEEP },
	{ "sigsuspend", WAIT_SLEEP },
	{ "__do_sys_pause", WAIT_SLEEP },
	{ "__x64_sys_pause", WAIT_SLEEP },
	{ "signalfd_", WAIT_SLEEP },
	{ "timerfd_read", WAIT_SLEEP },
	{ "do_wait_intr", WAIT_OTHER }, /* of eventfd, timerfd, … */
	{ "do_wait", WAIT_CHILD },
	{ "kernel_clone", WAIT_CHILD },
	{ "wait_for_vfork", WAIT_CHILD },
	{ "ep_poll", WAIT_POLL },
	{ "do_epoll_wait", WAIT_POLL },
	{ "poll_schedule", WAIT_POLL },
	{ "do_poll", WAIT_POLL },
	{ "do_sys_poll", WAIT_POLL },
	{ "do_select", WAIT_POLL },
	{ "io_cqring_wait", WAIT_POLL },
	{ "io_sqpoll_wait", WAIT_POLL },
	{ "inotify_read", WAIT_POLL },
	{ "fanotify_read", WAIT_POLL },
	{ "pipe_", WAIT_PIPE },
	{ "anon_pipe_", WAIT_PIPE },
	{ "fifo_open", WAIT_PIPE },
	{ "wait_for_partner", WAIT_PIPE },
	{ "eventfd_", WAIT_PIPE },
	{ "n_tty_", WAIT_PIPE },
	{ "tty_", WAIT_PIPE },
	{ "do_msgrcv", WAIT_PIPE },
	{ "do_msgsnd", WAIT_PIPE },
	{ "wq_sleep", WAIT_PIPE },
	{ "do_mq_timed", WAIT_PIPE },
	{ "fuse_dev_", WAIT_PIPE }, /* a file system server waits for requests */
	{ "handle_userfault", WAIT_FAULT },
	{ "do_swap_page", WAIT_FAULT },
	{ "filemap_fault", WAIT_FAULT },
	{ "folio_wait", WAIT_DISK },
	{ "__folio_lock", WAIT_DISK },
	{ "wait_on_page", WAIT_DISK },
	{ "__lock_page", WAIT_DISK },
	{ "io_schedule", WAIT_DISK },
	{ "blk_", WAIT_DISK },
	{ "blkdev_", WAIT_DISK },
	{ "read_events", WAIT_DISK }, /* io_getevents() */
	{ "bio_wait", WAIT_DISK },
	{ "submit_bio_wait", WAIT_DISK },
	{ "__wait_on_buffer", WAIT_DISK },
	{ "__iomap_dio", WAIT_DISK },
	{ "balance_dirty", WAIT_DISK },
	{ "wbt_wait", WAIT_DISK },
	{ "rq_qos_wait", WAIT_DISK },
	{ "jbd2_", WAIT_DISK },
	{ "ext4_", WAIT_DISK },
	{ "xfs_", WAIT_DISK },
	{ "xlog_", WAIT_DISK },
	{ "btrfs_", WAIT_DISK },
	{ "nfs", WAIT_DISK },
	{ "rpc_wait", WAIT_DISK },
	{ "request_wait_answer", WAIT_DISK }, /* FUSE */
	{ "fuse_", WAIT_DISK },
	{ "p9_", WAIT_DISK },
	{ "v9fs_", WAIT_DISK },
	{ "cifs_", WAIT_DISK },
	{ "ceph_", WAIT_DISK },
	{ "f2fs_", WAIT_DISK },
	{ "iomap_", WAIT_DISK },
	{ "filemap_", WAIT_DISK },
	{ "generic_file_", WAIT_DISK },
	{ "vfs_fsync", WAIT_DISK },
	{ "do_fsync", WAIT_DISK },
	{ "do_sys_open", WAIT_DISK },
	{ "vfs_statx", WAIT_DISK },
	{ "iterate_dir", WAIT_DISK },
	{ "sk_wait", WAIT_NETWORK },
	{ "sk_stream_wait", WAIT_NETWORK },
	{ "sock_", WAIT_NETWORK },
	{ "inet_", WAIT_NETWORK },
	{ "tcp_", WAIT_NETWORK },
	{ "udp_", WAIT_NETWORK },
	{ "unix_", WAIT_NETWORK },
	{ "vsock_", WAIT_NETWORK },
	{ "__sys_accept", WAIT_NETWORK },
	{ "__sys_connect", WAIT_NETWORK },
	{ "__skb_wait", WAIT_NETWORK },
	{ "skb_wait", WAIT_NETWORK },
};

/*
 * In these functions, the thread is stopped by a signal or a debugger, frozen or exiting, whatever its system call.
 */
static const struct prefix stops[] = {
	{ "ptrace_stop", WAIT_OTHER },	  { "do_signal_stop", WAIT_OTHER },
	{ "__refrigerator", WAIT_OTHER }, { "do_freezer_trap", WAIT_OTHER },
	{ "do_exit", WAIT_OTHER },	  { "coredump_", WAIT_OTHER },
};

static const struct prefix links[] = {
	{ "socket:", WAIT_NETWORK },
	{ "pipe:", WAIT_PIPE },
	{ "anon_inode:[eventpoll]", WAIT_POLL },
	{ "anon_inode:[io_uring]", WAIT_POLL },
	{ "anon_inode:inotify", WAIT_POLL },
	{ "anon_inode:[fanotify]", WAIT_POLL },
	{ "anon_inode:[eventfd]", WAIT_PIPE },
	{ "anon_inode:[timerfd]", WAIT_SLEEP },
	{ "anon_inode:[signalfd]", WAIT_SLEEP },
};

static const struct prefix *find_prefix(const struct prefix *list, size_t nr, struct span text)
{
	for (size_t i = 0; i < nr; i++)
		if (span_starts(text, list[i].text))
			return &list[i];
	return NULL;
}

enum wait_reason wait_of_channel(const char *wchan)
{
	const struct prefix *p = find_prefix(channels, ARRAY_SIZE(channels), span_of(wchan));

	return p ? p->reason : WAIT_OTHER;
}

enum wait_reason wait_of_link(struct span link)
{
	const struct prefix *p = find_prefix(links, ARRAY_SIZE(links), link);

	return p ? p->reason : WAIT_OTHER;
}

/* Is it a terminal?  These are the kernel's numbers: tty, console, and both ends of a pty. */
static bool is_terminal(unsigned major)
{
	return major == 4 || major == 5 || (major >= 128 && major <= 143);
}

/*
 * The reason for a file with a path.  AT_STATX_DONT_SYNC: wick must not hang on a file system that does not
 * respond.
 */
static enum wait_reason wait_of_path(const char *path)
{
	struct statx s;

	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE, &s))
		return WAIT_OTHER;
	switch (s.stx_mode & S_IFMT) {
	case S_IFREG:
	case S_IFDIR:
	case S_IFBLK:
		return WAIT_DISK;
	case S_IFIFO:
		return WAIT_PIPE;
	case S_IFCHR:
		return is_terminal(s.stx_rdev_major) ? WAIT_PIPE : WAIT_OTHER;
	default:
		return WAIT_OTHER;
	}
}

static enum wait_reason wait_of_file(pid_t pid, uint64_t fd)
{
	char path[64], link[64];
	ssize_t n;

	/* The kernel uses the lower half of the register. */
	snprintf(path, sizeof(path), "/proc/%d/fd/%u", (int)pid, (unsigned)(uint32_t)fd);
	n = readlink(path, link, sizeof(link));
	if (n <= 0)
		return WAIT_OTHER;
	return link[0] == '/' ? wait_of_path(path) : wait_of_link((struct span){ link, (size_t)n });
}

/* Of several files, the thread most likely waits for one that is not a disk file. */
static enum wait_reason wait_of_files(const struct blocked *b, unsigned mask)
{
	enum wait_reason reason = WAIT_OTHER;

	for (unsigned i = 0; i < BLOCKED_ARGS; i++)
		if (mask >> i & 1 && (reason == WAIT_OTHER || reason == WAIT_DISK)) {
			enum wait_reason one = wait_of_file(b->pid, b->arg[i]);

			reason = one == WAIT_OTHER ? reason : one;
		}
	return reason;
}

/* The reason implied by the kernel function, or `otherwise` if it implies none. */
static enum wait_reason channel_or(const struct blocked *b, enum wait_reason otherwise)
{
	enum wait_reason reason = wait_of_channel(b->wchan);

	return reason == WAIT_OTHER ? otherwise : reason;
}

static enum wait_reason wait_of_call(struct blocked *b)
{
	const struct call none = { .decides = BY_CHANNEL };
	const struct call *c = b->nr >= 0 && b->nr < (int64_t)ARRAY_SIZE(calls) && !b->is_32bit
				       ? &calls[b->nr]
				       : &none;
	enum wait_reason reason;

	switch ((enum decides)c->decides) {
	case BY_CALL:
		return (enum wait_reason)c->reason;
	case BY_COUNT:
		return b->arg[c->args] ? WAIT_POLL : WAIT_SLEEP;
	case BY_FUTEX:
		b->lock = b->arg[0];
		return WAIT_LOCK;
	case BY_FUTEXES:
		return WAIT_LOCK;
	case BY_FILE_LOCK:
		if (b->arg[1] == F_SETLKW || b->arg[1] == F_OFD_SETLKW)
			return WAIT_LOCK;
		__attribute__((fallthrough));
	case BY_FILES:
		reason = wait_of_files(b, c->args);
		return reason == WAIT_OTHER ? channel_or(b, reason) : reason;
	case BY_STORAGE:
		return channel_or(b, WAIT_DISK);
	case BY_CHANNEL:
		break;
	}
	return channel_or(b, WAIT_OTHER);
}

void wait_classify(struct blocked *b)
{
	struct span wchan = span_of(b->wchan);

	b->lock = 0;
	if (find_prefix(stops, ARRAY_SIZE(stops), wchan))
		b->reason = WAIT_OTHER;
	else if (wait_of_channel(b->wchan) == WAIT_FAULT)
		b->reason =
			WAIT_FAULT; /* also if a system call touches a page that is not in memory */
	else if (b->nr < 0)
		b->reason = b->sp ? WAIT_FAULT : wait_of_channel(b->wchan);
	else
		b->reason = wait_of_call(b);
}
