// Shows the state on the screen.
import {app, isQuiet, rawName} from './app.js';
import {colorByChange, colorScheme} from './color.js';
import {NOT_SIGNIFICANT, changeOfNode} from './detail.js';
import {afterPicture, byId, isTouched} from './dom.js';
import {emptyNote} from './empty.js';
import {search} from './finder.js';
import {fillTable} from './functions.js';
import {host, refined, tableHost} from './host.js';
import {followZoom} from './link.js';
import {showSandwich} from './sandwich.js';
import {showTree, stage} from './stage.js';
import {hideTip, showHint, showSummary} from './status.js';
import {TableView} from './table.js';
import {isDark} from './theme.js';
import {TimelineView} from './timeline.js';
import {showTools} from './toolbar.js';

const VIEW_TITLES = {flame: 'Flame graph', reverse: 'Reverse flame graph', timeline: 'Flame graph of the selected time range'};
const AHEAD_MS = 80;

let timeline = null, schemeKey = '', ahead = 0;

export function refresh() {
	const {state} = app;
	// The tooltip belongs to the previous picture.
	hideTip();
	chooseColors();
	showSummary();
	showTools();
	byId('reset').hidden = !state.zoom || state.view === 'sandwich' || state.view === 'table';
	byId('search').placeholder = state.view === 'table' ? 'Filter functions' : isTouched() ? 'Search' : 'Search   /';
	({sandwich: showSandwich, table: showTable}[state.view] || showFlame)();
}

function chooseColors() {
	const {model, state} = app, name = model.color(state), runs = model.showsRunning(state);
	// If significance is unknown, the legend does not mention it.
	const claims = name === 'diff' && model.compares(state) && model.noise(model.tree('flame', state)).claim, key = [name, isDark(), runs, claims].join();
	if (key === schemeKey)
		return;
	schemeKey = key;
	app.scheme = colorScheme(name, app.profile, isDark());
	if (name === 'state' && !runs)
		app.scheme.legend.shift();
	if (name === 'diff')
		app.scheme = quietened(app.scheme, claims);
}

// Changes that are not significant have no color.
function quietened({css, legend}, claims) {
	const same = css.indexOf(legend[1].css);
	return {css, legend: claims ? legend.with(1, {...legend[1], text: NOT_SIGNIFICANT}) : legend, of(tree, node) {
		return tree.total.length > 1 && isQuiet(tree, node) ? same : colorByChange(changeOfNode(tree, node));
	}};
}

function showFlame() {
	const {main, model, state} = app, whole = model.tree(state.view === 'reverse' ? 'reverse' : 'flame', state);
	const {node: found, part} = followZoom(whole, rawName, state.zoom), {tree, node} = refined(whole, found);
	const note = tree.width[0] ? [] : [emptyNote('this profile', (other) => model.tree('flame', other).width[0])];
	if (state.view === 'timeline')
		showTimeline(...note, main.element);
	else
		stage(...note, main.element);
	main.canvas.setAttribute('aria-label', VIEW_TITLES[state.view] + '. Arrow keys move, Enter zooms, Shift-F10 opens the menu.');
	search(state.search, tree);
	showTree(main, tree, {flip: state.flip, node, part});
	showHint();
	clearTimeout(ahead);
	afterPicture(() => ahead = setTimeout(prepare, AHEAD_MS));
}

// Prepares what the first click needs, after the picture is drawn: the overlay, and the sums of all functions.
function prepare() {
	app.main.painter.openLight();
	app.model.top(app.state);
}

function showTimeline(...below) {
	const {model, profile, state} = app, [event] = model.choice(state).columns, ticks = profile.ticks(), {threads} = model.query(state);
	timeline ??= new TimelineView(host);
	stage(timeline.element, ...below);
	const chosen = (thread) => !threads || threads[thread];
	timeline.show(profile, (i) => event[ticks.event[i]] && chosen(ticks.thread[i]), chosen, [state.range, state.range2], ticks.event.some((e) => event[e]));
}

function showTable() {
	app.table ??= new TableView(tableHost(true), 'Functions');
	const {model, state} = app, tree = model.tree('flame', state);
	stage(tree.width[0] ? app.table.element : emptyNote('this profile', (other) => model.tree('flame', other).width[0]));
	search(state.search, tree);
	fillTable(app.table);
	showHint();
}
