// Printing: the current view in light colors, and its functions.
import {app, graphsShown, isFunction} from './app.js';
import {colorScheme} from './color.js';
import {changeOfRow, costText} from './detail.js';
import {byId, el} from './dom.js';
import {formatCount, formatDelta, formatShare} from './format.js';
import {host} from './host.js';
import {activeFilters} from './toolbar.js';
import {pathOf} from './tree.js';

const PAPER_WIDTH = 1180, PAPER_ROW = 18, PAPER_LETTER = 7.3, PAPER_FUNCTIONS = 50;
const PAPER_HIT = '#c79bff';

function drawn(name, attributes, text = '') {
	const element = document.createElementNS('http://www.w3.org/2000/svg', name);
	for (const key in attributes)
		element.setAttribute(key, attributes[key]);
	element.textContent = text;
	return element;
}

// The frames of a view that are at least a pixel wide at its zoom.
function pictureOf({flip, hits, part, node, rows, tree}, scheme) {
	const [from, to] = (part ?? [0, 1]).map((share) => tree.left[node] + share * tree.width[node]), scale = PAPER_WIDTH / (to - from || 1);
	const svg = drawn('svg', {viewBox: `0 0 ${PAPER_WIDTH} ${rows * PAPER_ROW}`, 'font-family': 'monospace', 'font-size': 12});
	for (let depth = 0; depth < rows; depth++)
		for (const i of tree.rows[depth]) {
			const x = Math.max(tree.left[i] - from, 0) * scale, wide = Math.min(tree.left[i] + tree.width[i] - from, to - from) * scale - x;
			const y = (flip ? rows - 1 - depth : depth) * PAPER_ROW, letters = Math.floor((wide - 6) / PAPER_LETTER);
			if (wide < 1)
				continue;
			svg.append(drawn('rect', {x, y, width: Math.max(wide - 0.5, 0.5), height: PAPER_ROW - 1,
				fill: hits?.[tree.word[i]] && i ? PAPER_HIT : scheme.css[scheme.of(tree, i)]}));
			if (letters > 2)
				svg.append(drawn('text', {x: x + 3, y: y + 12.5}, host.label(tree, i, letters)));
		}
	return svg;
}

const cell = (text) => el('td', {}, text);

function functionTable() {
	const {hits, model, names, state} = app, top = model.top(state), {unit} = model.choice(state), compared = top.total.length > 1;
	const size = (row) => compared ? Math.abs(changeOfRow(top, row)) : top.self[0][row];
	const cost = (list, k, row) => cell(`${formatCount(list[k][row], unit)}, ${formatShare(list[k][row] / (top.all[k] || 1))}`);
	const rows = [...top.word.keys()].filter((row) => isFunction(top.word[row]) && (!hits || hits[top.word[row]]))
		.sort((a, b) => size(b) - size(a) || top.total[0][b] - top.total[0][a]).slice(0, PAPER_FUNCTIONS);
	const heads = compared ? ['Before', 'After', 'Change'] : ['Self', 'Total'];
	return el('table', {}, el('thead', {}, el('tr', {}, ...[...heads, 'Function'].map((text) => el('th', {}, text)))),
		el('tbody', {}, ...rows.map((row) => el('tr', {}, cost(compared ? top.total : top.self, 0, row), cost(top.total, compared ? 1 : 0, row),
			...compared ? [cell(formatDelta(changeOfRow(top, row)))] : [], cell(names.of(top.word[row]))))));
}

// Lines that describe the pictures.
function linesOf([view]) {
	const {model, names, state} = app, path = view ? pathOf(view.tree, view.node) : [];
	return [byId('summary').textContent, activeFilters().map(({text}) => text).join(' · '),
		state.search && `Search: ${state.search} (${byId('found').textContent})`,
		path.length && `Zoom: ${path.map((word) => names.of(word)).join(' › ')} (${costText(view.tree, view.node, model.choice(state).unit)})`]
		.filter(Boolean).map((text) => el('p', {}, text));
}

export function fillPaper() {
	const {model, profile, scheme, state} = app, views = graphsShown();
	const light = {css: colorScheme(model.color(state), profile, false).css, of: scheme.of};
	byId('static').replaceChildren(el('h1', {}, byId('title').textContent), ...linesOf(views),
		// The callers and the callees of a sandwich have headings.
		...views.flatMap((view) => [...view === app.main ? [] : [view.element.previousSibling.cloneNode(true)], pictureOf(view, light)]),
		el('h2', {}, app.hits ? 'Matching functions' : 'Most expensive functions'), functionTable());
}
