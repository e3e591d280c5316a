// How well the text of a page can be read: WCAG's contrast of every visible piece of text with what is behind it.

// Runs in the page.  Returns the pieces below the limit; pictures are not looked at (their palettes have tests).
function faintText(limit) {
	const parse = css => {
		const m = css.match(/^rgba?\(([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[,/ ]+([\d.]+))?\)$/);
		if (m)
			return [m[1], m[2], m[3], m[4] ?? 1].map(Number);
		const canvas = new OffscreenCanvas(1, 1).getContext('2d');
		canvas.fillStyle = css;
		canvas.fillRect(0, 0, 1, 1);
		const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
		return [r, g, b, a / 255];
	};
	const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
	const linear = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
	const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
	const ground = element => {
		const layers = [];
		for (let e = element; e; e = e.parentElement)
			layers.push(parse(getComputedStyle(e).backgroundColor));
		const dark = matchMedia('(prefers-color-scheme: dark)').matches;
		return layers.reverse().reduce((below, layer) => over(layer, below), dark ? [18, 18, 18] : [255, 255, 255]);
	};
	const visible = element => element.checkVisibility({opacityProperty: true, visibilityProperty: true}) &&
		element.getClientRects().length && !element.closest('svg, canvas');
	const faint = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	let nr = 0;
	for (let text = walk.nextNode(); text; text = walk.nextNode()) {
		const element = text.parentElement;
		if (!text.data.trim() || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(element.tagName) || !visible(element))
			continue;
		const box = element.getBoundingClientRect();
		if (box.width <= 1 || box.height <= 1 || element.closest(':disabled, [aria-disabled=true]'))
			continue;
		const below = ground(element);
		const a = luminance(over(parse(getComputedStyle(element).color), below)), b = luminance(below);
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		nr++;
		if (ratio < limit)
			faint.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className} ${text.data.trim().slice(0, 40)}`);
	}
	return {faint, nr};
}

// Fails on text whose contrast is below 4.5.
export async function readable(t, page, where) {
	const {faint, nr} = await page.evaluate(faintText, 4.5);
	t.ok(nr > 0, `${where}: there is text`);
	t.same(faint, [], `${where}: faint text`);
}
