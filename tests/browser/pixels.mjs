// Colors of a screenshot, decoded by the browser itself.

// [r, g, b] at a place given as shares of the width and the height.
export async function pixelAt(t, png, x, y) {
	const context = await t.browser.newContext();
	try {
		const page = await context.newPage();
		return await page.evaluate(async ([base64, X, Y]) => {
			const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
			const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
			const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
			canvas.drawImage(image, 0, 0);
			const at = (share, size) => Math.min(size - 1, Math.max(0, Math.round(share * size)));
			return [...canvas.getImageData(at(X, image.width), at(Y, image.height), 1, 1).data].slice(0, 3);
		}, [png.toString('base64'), x, y]);
	} finally {
		await context.close();
	}
}
