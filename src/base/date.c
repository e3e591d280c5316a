#include "base/date.h"

void date_add(struct strbuf *out, time_t when)
{
	char text[64];
	struct tm tm;

	if (localtime_r(&when, &tm) && tm.tm_year >= 0 && tm.tm_year < 8100 &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm))
		strbuf_add(out, span_of(text));
}

bool date_parse(struct span s, time_t *when)
{
	char text[64];
	struct tm t = { 0 };

	if (s.size >= sizeof(text))
		return false;
	memcpy(text, s.at, s.size);
	text[s.size] = '\0';
	if (!strptime(text, "%Y-%m-%d %H:%M:%S %z", &t))
		return false;
	*when = timegm(&t) - t.tm_gmtoff;
	return true;
}
