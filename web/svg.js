// Elements of an SVG, and facts about the environment that its script needs.
import {plainText} from './legible.js';

const SVG_NS = 'http://www.w3.org/2000/svg';
export const XHTML_NS = 'http://www.w3.org/1999/xhtml';

const PAINTED_FRAMES = 3; // after this many, a large picture is on the screen

// The style of interactive frames.
export const STYLE = `
#frames g,#frames>rect{cursor:pointer}
#frames g:hover rect,#frames .at rect,#frames>rect:hover,#frames>.at{stroke:#1a1a1a;stroke-width:1;stroke-opacity:1;stroke-dasharray:none}
#frames .up rect{fill-opacity:.5}
#frames.found g:not(.hit) rect,#frames.found>rect:not(.hit){fill-opacity:.4}
#frames.peer text{fill:#000;pointer-events:none}
.button{cursor:pointer}
.button:hover,.button:focus{text-decoration:underline}
svg:focus{outline:none}
#frames.large text{font-size:14px}
@media (prefers-color-scheme:dark){#frames.wick g:hover rect,#frames.wick .at rect,#frames.wick>rect:hover,#frames.wick>.at{stroke:#f2f2f2}
#frames.wick :is(.hit,.hit rect){fill:#a8329a}}`;

// An attribute, since inline styles may be forbidden.
export function setShown(element, shown) {
	element.setAttribute('display', shown ? 'inline' : 'none');
}

export function make(name, attributes, text) {
	const element = document.createElementNS(SVG_NS, name);
	for (const key in attributes)
		element.setAttribute(key, attributes[key]);
	if (text !== undefined)
		element.textContent = text;
	return element;
}

// Is it a touch screen?
export const isTouched = () => matchMedia('(pointer: coarse)').matches;

// Without a viewport, phones use a desktop layout, scaled down.
export function fillScreen(svg) {
	const meta = document.createElementNS(XHTML_NS, 'meta');
	meta.setAttribute('name', 'viewport');
	meta.setAttribute('content', 'width=device-width, initial-scale=1');
	svg.prepend(meta);
}

// The settings that the file was drawn with: the writer stored them in data attributes of the frames' element.
export function readLook(frames) {
	const {row, base, letter, top, room, up, below, fluid, hit = '#f48be0', nametype, peer, ui, cut, snug} = frames.dataset;
	return {row: +row, base: +base, letter: +letter, top: +top, room: +room, up: up === '1', below: below === '1', fluid: fluid === '1',
		hit, nametype: nametype ? plainText(nametype) + ' ' : '', peer: peer === '1', ui, cut, snug: snug === '1'};
}

// After the whole file is loaded and painted: reading the profile must not delay the picture.
export async function firstPaint() {
	const frame = () => new Promise((done) => requestAnimationFrame(done));
	if (document.readyState !== 'complete')
		await new Promise((done) => addEventListener('load', done));
	for (let i = 0; i < PAINTED_FRAMES; i++)
		await frame();
	await new Promise((done) => setTimeout(done));
}
