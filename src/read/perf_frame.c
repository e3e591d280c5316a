#include "read/perf_frame.h"

static bool is_between(struct span s, const char *before, const char *after)
{
	return span_starts(s, before) && span_ends(s, after);
}

enum frame_kind perf_frame_kind(struct span dso)
{
	size_t vmlinux = span_rfind_text(dso, "vmlinux");
	bool is_vmlinux = vmlinux < dso.size;

	if (span_is(dso, "[unknown]"))
		return FRAME_USER;
	for (size_t i = vmlinux; i < dso.size; i++) {
		char c = dso.at[i];

		if (!is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && c != '.' &&
		    c != '_' && c != '-')
			is_vmlinux = false;
	}
	if (span_starts(dso, "[") || span_ends(dso, ".ko") || is_vmlinux)
		return FRAME_KERNEL;
	if (is_between(dso, "/tmp/perf-", ".map") ||
	    (span_contains(dso, "/jitted-") && span_ends(dso, ".so")))
		return FRAME_JIT;
	return FRAME_USER;
}

bool perf_frame_cut_dso(struct span *s, struct span *dso)
{
	size_t open = s->size, depth = 0;

	if (!s->size || s->at[s->size - 1] != ')')
		return false;
	for (size_t i = s->size; i-- > 0;) {
		depth += s->at[i] == ')';
		depth -= s->at[i] == '(';
		if (!depth) {
			open = i;
			break;
		}
	}
	/* Unbalanced: the last parenthesis that a blank precedes. */
	if (open == s->size || (open > 0 && !is_blank(s->at[open - 1]))) {
		open = span_rfind_text(*s, " (") + 1;
		if (open > s->size)
			return false;
	}
	*dso = span_upto(span_from(*s, open + 1), s->size - open - 2);
	if (span_ends(*dso, " (deleted)"))
		dso->size -= sizeof(" (deleted)") - 1;
	*s = span_upto(*s, open);
	return true;
}

bool perf_frame_parse(struct span line, struct perf_frame *f)
{
	struct span s = line;

	f->dso = SPAN("");
	if (!span_hex(span_word(&s), &f->address))
		return false;
	s = span_trim(s);
	perf_frame_cut_dso(&s, &f->dso);
	f->symbol = span_trim_end(s);
	return true;
}
