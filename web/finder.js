// The search box: its matches, their share, and steps from one match to the next.
import {app, graphsShown} from './app.js';
import {byId} from './dom.js';
import {formatShare} from './format.js';
import {zoomView} from './host.js';
import {matchNodes, matchTotal, matchWords, parseSearch} from './search.js';

const TOO_NARROW = 3; /* pixels: such a match is zoomed to */

let found = [], foundAt = -1, foundFor = null; // the matching nodes, the index of the chosen one, and their tree

const shareFound = (tree) => matchTotal(tree, app.hits) / (tree.whole || 1);

// Finds the matching words, and shows their share of a tree.
export function search(text, tree) {
	const output = byId('found'), parsed = text ? parseSearch(text) : null;
	app.hits = parsed && matchWords(app.profile, parsed);
	found = [];
	foundAt = -1;
	foundFor = null;
	const share = app.hits ? shareFound(tree) : 0, some = share > 0 && app.hits.includes(1);
	output.textContent = !text ? '' : (parsed.error ? parsed.error + ' · ' : '') + (some ? formatShare(share) + ' matched' : 'no match');
	output.classList.toggle('wrong', !!text && (!!parsed.error || !some));
	byId('search').setAttribute('aria-invalid', !!parsed?.error);
	byId('next').disabled = byId('previous').disabled = !some;
}

// Moves from match to match, the widest first.
export function step(by) {
	if (!app.hits)
		return;
	if (app.state.view === 'table') {
		app.table.go(foundAt < 0 ? 0 : (app.table.at || 0) + by);
		foundAt = 0;
		return;
	}
	// Of a sandwich, the callees.
	const view = graphsShown().at(-1);
	if (!view)
		return;
	const {tree} = view;
	if (foundFor !== tree) {
		found = [...matchNodes(tree, app.hits)].filter((node) => tree.width[node]).sort((a, b) => tree.width[b] - tree.width[a]);
		foundFor = tree;
		foundAt = by > 0 ? -1 : 0;
	}
	if (!found.length)
		return;
	foundAt = (foundAt + by + found.length) % found.length;
	showMatch(view, found[foundAt]);
	byId('found').textContent = `${foundAt + 1} of ${found.length} · ${formatShare(shareFound(tree))} matched`;
}

function showMatch(view, node) {
	const {left, width, parent} = view.tree, [from, to] = view.window;
	if (width[node] / (to - from) * view.painter.width < TOO_NARROW || left[node] >= to || left[node] + width[node] <= from)
		zoomView(view, width[node] * 40 > width[parent[node]] ? parent[node] : node);
	view.choose(node);
}
