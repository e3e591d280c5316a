// Helpers for the document.

export const byId = (id) => document.getElementById(id);

// Is it a touch screen?
export const isTouched = () => matchMedia('(pointer: coarse)').matches;

// The user's text size, relative to the default.
export const textScale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

// An element with properties (or attributes, if the name has a dash or is `role`) and children.
export function el(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [key, value] of Object.entries(properties))
		if (key.includes('-') || key === 'role')
			element.setAttribute(key, value);
		else
			element[key] = value;
	element.append(...children);
	return element;
}

export function on(target, types, listener, options) {
	for (const type of types.split(' '))
		target.addEventListener(type, listener, options);
}

// Runs a task after the next frame is painted, so that it does not delay the picture.
export function afterPicture(task) {
	requestAnimationFrame(() => setTimeout(task));
}

// Falls back to a selection if the clipboard is not permitted.
export async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const area = el('textarea', {value: text, className: 'unseen'});
		document.body.append(area);
		area.select();
		document.execCommand('copy');
		area.remove();
	}
}
