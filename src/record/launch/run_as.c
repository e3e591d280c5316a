#include "record/launch/run_as.h"

#include "base/span.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By name or number. */
static int find_user(struct run_as *r, const char *who, struct error *e)
{
	const struct passwd *found = getpwnam(who);
	uint64_t uid;

	if (!found && span_u64(span_of(who), &uid) && uid < UINT32_MAX)
		found = getpwuid((uid_t)uid);
	if (!found)
		return error_set(e, ERROR_USAGE, "unknown user '%s'", who);
	strbuf_reset(&r->text);
	strbuf_addf(&r->text, "%s%c%s%c%s", found->pw_name, 0, found->pw_dir, 0, found->pw_shell);
	r->user = (struct launch_user){ .uid = found->pw_uid, .gid = found->pw_gid };
	r->user.name = r->text.at;
	r->user.home = r->user.name + strlen(r->user.name) + 1;
	r->user.shell = r->user.home + strlen(r->user.home) + 1;
	r->is_other = true;
	return 0;
}

int run_as_find(struct run_as *r, const char *target, struct error *e)
{
	const char *caller = geteuid() ? NULL : getenv("SUDO_UID");

	if (target && geteuid())
		return error_set(e, ERROR_USAGE, "--target-user requires root");
	if (caller && find_user(r, caller, e))
		return -1;
	if (caller) {
		r->owner = r->user.uid;
		r->owner_group = r->user.gid;
	}
	return target ? find_user(r, target, e) : 0;
}

void run_as_release(struct run_as *r)
{
	strbuf_release(&r->text);
}

const struct launch_user *run_as_user(const struct run_as *r)
{
	return r->is_other ? &r->user : NULL;
}
