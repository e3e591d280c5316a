// Dark or light, and the colors that canvases take from the style sheet.
import {app} from './app.js';
import {byId, el} from './dom.js';

const INKS = ['ground', 'text', 'muted', 'accent', 'hit', 'sliver', 'mark', 'glow', 'hot', 'raised', 'one', 'two'];
const SHADES_OF_HEAT = 12;

export const darkness = matchMedia('(prefers-color-scheme: dark)');
let themed = null;

export const isDark = () => themed ? themed === 'dark' : darkness.matches;

// Restores the chosen theme.  Reading localStorage may wait for another process, so it is done after the first
// picture.
export function readTheme() {
	try {
		useTheme(localStorage.getItem('wick-theme'));
	} catch {
		// localStorage is not available.
	}
}

function useTheme(theme) {
	if (!theme || theme === themed)
		return;
	themed = theme;
	applyTheme();
	app.refresh();
}

export function applyTheme() {
	const root = document.documentElement;
	if (themed)
		root.dataset.theme = themed;
	// All at once, so that the browser computes styles once.
	const probes = INKS.map((name) => {
		const probe = el('i', {hidden: true});
		probe.style.color = `var(--${name})`;
		// Forced colors would make all of them equal: canvases keep their own.
		probe.style.forcedColorAdjust = 'none';
		return probe;
	});
	byId('app').append(...probes);
	const ink = Object.fromEntries(INKS.map((name, i) => [name, getComputedStyle(probes[i]).color]));
	probes.forEach((probe) => probe.remove());
	app.font = getComputedStyle(root).getPropertyValue('--mono');
	app.ink = {...ink, veil: ink.raised, range: [ink.one, ink.two], heat: shades(ink.raised, ink.hot, SHADES_OF_HEAT)};
}

function shades(from, to, nr) {
	const [a, b] = [from, to].map((css) => css.match(/[\d.]+/g).map(Number));
	return Array.from({length: nr + 1}, (_, i) => `rgb(${a.map((x, k) => Math.round(x + (b[k] - x) * i / nr)).slice(0, 3)})`);
}

export function toggleTheme() {
	useTheme(isDark() ? 'light' : 'dark');
	try {
		localStorage.setItem('wick-theme', themed);
	} catch {
		// Not stored: valid as long as the page is open.
	}
}
