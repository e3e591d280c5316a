// The hosts of graphs, tables and the timeline: the callbacks of these views.
import {openFunctionMenu, openSandwich} from './actions.js';
import {app, isQuiet, rawName} from './app.js';
import {colorList} from './color.js';
import {cellsOf, changeOfNode, sayNode} from './detail.js';
import {byId} from './dom.js';
import {formatDelta} from './format.js';
import {legible} from './legible.js';
import {isFree, linkPath, writeZoom} from './link.js';
import {back, go, remember, showReason, showWaits} from './route.js';
import {about, hideTip, readOut, showDetail, showFunction, showHint, showTip} from './status.js';
import {namesOf} from './states.js';
import {rootOf} from './sums.js';
import {isDark} from './theme.js';
import {findPath, pathOf} from './tree.js';

const MOST_LABELS = 20000;
const shortened = new Map();

// A name shortened to fit; in a comparison, with the sign of its change.
function labelOf(tree, node, chars) {
	let sign = '';
	if (tree.total.length > 1 && node && !isQuiet(tree, node)) {
		sign = formatDelta(changeOfNode(tree, node)).replace(/\s*pt$/, ' ');
		sign = sign[0] === '±' ? '' : chars < 12 ? sign[0] : sign;
	}
	const room = chars - sign.length, word = tree.word[node], name = app.names.inPicture(word), key = word * 512 + Math.min(room, 511);
	if (name.length <= room)
		return sign + name;
	let text = shortened.get(key);
	if (text === undefined) {
		if (shortened.size > MOST_LABELS)
			shortened.clear();
		shortened.set(key, text = app.names.cut(word, Math.min(room, 511)));
	}
	return sign + text;
}

// A reverse tree lacks nodes that are too narrow to be visible.  For a zoom, this builds a tree that has them below
// this node.
export function refined(tree, node) {
	if (!node || !tree.cut || !tree.cut.subarray(node, tree.end[node]).includes(1))
		return {tree, node};
	const path = pathOf(tree, node), finer = app.model.tree('reverse', app.state, 0, path), same = findPath(finer, path);
	return same < 0 ? {tree, node} : {tree: finer, node: same};
}

const zoomText = ({tree}, node, part) => writeZoom(pathOf(tree, node).map(rawName), node ? tree.first?.[node] : undefined, part);

// A zoom of the main view is part of the state.  free: by wheel, pinch or drag; consecutive ones count as one zoom.
export function zoomView(view, node, free) {
	const goesOn = free && isFree(app.state.zoom);
	if (view === app.main) {
		if (!goesOn)
			app.trail.push(app.state.zoom);
		app.state.zoom = zoomText(view, node, free && view.part);
		byId('reset').hidden = !app.state.zoom;
	}
	hideTip();
	if (!free) {
		const finer = refined(view.tree, node);
		if (finer.tree !== view.tree)
			Object.assign(view, {tree: finer.tree, hovered: -1, chosen: -1});
		view.zoomTo(finer.node);
	}
	// After drawing, since changing the browser's history is slow.
	if (view === app.main)
		remember(goesOn, goesOn);
}

export const host = {
	get ink() {
		return app.ink;
	},
	get marks() {
		return app.marks;
	},
	get font() {
		return app.font;
	},
	label: labelOf,
	id: (view) => view === app.main ? '' : view === app.callers ? '-callers' : '-callees',
	facts: (tree, node) => cellsOf(tree, node, about()),
	hover(view, node, event) {
		if (node >= 0)
			return showTip(view, node, event);
		hideTip();
		host.describe(view, view.chosen);
	},
	choose(view, node) {
		if (node >= 0)
			readOut(sayNode(view.tree, node, about(view)));
	},
	describe(view, node) {
		if (node < 0)
			showHint();
		else
			showDetail(view, node);
	},
	zoomed: zoomView,
	menu(view, node, x, y) {
		openFunctionMenu(view.tree.word[node], x, y, view.canvas, view, node);
	},
	get colors() {
		return colorList(isDark());
	},
	showReason,
	// Shows where a thread waited in the flame graph, without filters, which could hide it.
	showStack(thread, stack) {
		const {profile, state} = app;
		showWaits({view: 'flame', transforms: [], threads: null, range: null, range2: null, zoom: linkPath([...rootOf(profile.threads[thread], state.roots).map(rawName), ...namesOf(profile, stack).reverse()])});
	},
	threadName: (thread) => legible(app.model.threadName(thread)),
	back,
	setRange(range, second) {
		go(second && app.state.range ? {range2: range, zoom: ''} : {range, range2: null, zoom: ''});
	},
};

// The host of a table; in a sandwich, a single click chooses a function.
export const tableHost = (alone) => ({
	choose: showFunction,
	click: alone ? undefined : (word) => app.state.pivot !== rawName(word) && go({pivot: rawName(word)}),
	open: (word) => openSandwich(rawName(word)),
	menu: (word, x, y, owner) => openFunctionMenu(word, x, y, owner),
});
