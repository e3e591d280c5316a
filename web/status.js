// The line of details below the picture, the tooltip, and what screen readers announce.
import {app} from './app.js';
import {detailOf, tipOf} from './detail.js';
import {byId, el, isTouched} from './dom.js';
import {formatCount} from './format.js';
import {legible} from './legible.js';

// The data of the details; sums of all functions are computed on demand.
export const about = (view, tree) => ({
	names: app.names, unit: app.model.choice(app.state).unit, zoomed: view ? view.node : 0,
	get top() {
		return app.model.top(app.state);
	},
	get noise() {
		const {model, state} = app;
		return tree === this.top ? model.topNoise(tree, model.tree('flame', state)) : model.noise(tree);
	},
});

export function showDetail(view, node, tree = view.tree) {
	byId('detail').replaceChildren(...detailOf(tree, node, about(view, tree)));
}

// Shows the details of a function: the sums of its frames, as in its row of the table.
export function showFunction(word) {
	const top = app.model.top(app.state);
	showDetail(null, top.at[word] - 1, top);
}

const TOUCH_HINTS = [['tap', 'zoom'], ['long press', 'more'], ['pinch', 'zoom freely']];
const TABLE_HINTS = [['Enter', 'callers and callees'], ['right click', 'more'], ['/', 'filter'], ['?', 'help']];
const HINTS = [['click', 'zoom'], ['Esc', 'back'], ['arrows', 'move'], ['/', 'search'], ['right click', 'more'], ['?', 'help']];

export function showHint() {
	const table = app.state.view === 'table';
	const hints = isTouched() ? table ? TOUCH_HINTS.slice(1, 2) : TOUCH_HINTS : table ? TABLE_HINTS : HINTS;
	byId('detail').replaceChildren(el('p', {className: 'hints'}, ...hints.map(([key, text]) => el('span', {}, el('kbd', {}, key), ' ' + text))));
}

export function showSummary() {
	const {model, profile, state} = app, {unit, text} = model.choice(state), facts = new Map(profile.info);
	const tree = model.tree(state.view === 'reverse' ? 'reverse' : 'flame', state);
	const whole = tree.total.map((total) => formatCount(total[0], unit)).join(' → ');
	byId('summary').textContent = [whole, text === unit ? '' : text, profile.view.get('subtitle'), facts.get('command'), facts.get('captured')]
		.filter(Boolean).map(legible).join(' · ');
}

export function readOut(text) {
	byId('live').textContent = text;
}

export function hideTip() {
	Object.assign(byId('tip'), {hidden: true, view: null});
}

// The tip of a node, beside the pointer and inside the window.
export function showTip(view, node, {clientX, clientY}) {
	const tip = byId('tip');
	tip.hidden = false;
	if (node !== tip.node || view !== tip.view) {
		showDetail(view, node);
		tip.replaceChildren(...tipOf(view.tree, node, about(view)));
	}
	Object.assign(tip, {node, view});
	tip.style.left = Math.min(clientX + 14, innerWidth - tip.offsetWidth - 6) + 'px';
	tip.style.top = (clientY + 22 + tip.offsetHeight > innerHeight ? clientY - tip.offsetHeight - 12 : clientY + 20) + 'px';
}
