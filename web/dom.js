// The few calls into the document that everything here makes.

export const byId = (id) => document.getElementById(id);

// Is it a touch screen?
export const isTouched = () => matchMedia('(pointer: coarse)').matches;

// How much larger than usual the reader wants text.
export const textScale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

// An element with properties (or attributes, where the name has a dash or is `role`) and children.
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

// Copying works without the clipboard's permission too.
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
