#include "render/live_script.h"

#include "base/base64.h"
#include "render/assets.h"

void live_end(struct output *out, struct span pack)
{
	if (pack.size) {
		output_add(out, SPAN("<metadata id=\"wick\">"));
		base64_write(out, pack);
		output_add(out, SPAN("</metadata>\n<script><![CDATA["));
		/* The bundle cannot contain `]]>`: scripts/bundle rejects it. */
		output_add(out, asset_picture_script);
		output_add(out, SPAN("]]></script>\n"));
	}
	output_add(out, SPAN("</svg>\n"));
}
