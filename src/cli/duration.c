#include "cli/duration.h"

#include "base/span.h"

int duration_parse(const char *option, const char *text, uint64_t *ns, struct error *e)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "h", 3600e9 }, { "", 1e9 } };
	struct span s = span_of(text);
	double value;
	size_t i = 0;

	while (!span_ends(s, units[i].name))
		i++;
	s.size -= strlen(units[i].name);
	if (!span_double(s, &value) || !(value >= 0 && value * units[i].ns < 1e18))
		return error_set(
			e, ERROR_USAGE,
			"invalid duration '%s' for %s: expected a number with an optional unit, such as 10, 1.5s or 500ms",
			text, option);
	*ns = (uint64_t)(value * units[i].ns);
	return 0;
}
