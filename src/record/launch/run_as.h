/*
 * The user that a command runs as: under sudo, the caller of sudo, who also owns the files that are
 * written, unless --target-user names another.
 */
#ifndef WICK_RECORD_LAUNCH_RUN_AS_H
#define WICK_RECORD_LAUNCH_RUN_AS_H

#include "base/strbuf.h"
#include "record/launch/launch.h"

struct run_as {
	bool is_other; /* another user than wick's: `user` */
	struct launch_user user;
	struct strbuf text; /* the strings of `user` */
	uid_t owner;	    /* of written files; -1: wick's user */
	gid_t owner_group;
};

#define RUN_AS_INIT \
	{ \
		.owner = (uid_t)-1, .owner_group = (gid_t)-1 \
	}

/* target: the user of --target-user, or NULL. */
int run_as_find(struct run_as *r, const char *target, struct error *e);
void run_as_release(struct run_as *r);

/* For launch_open(); NULL: wick's own user. */
const struct launch_user *run_as_user(const struct run_as *r);

#endif
