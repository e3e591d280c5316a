// A table of functions beside two graphs: the callers and the callees of the chosen one.
import {app} from './app.js';
import {el} from './dom.js';
import {emptyNote} from './empty.js';
import {search} from './finder.js';
import {FlameView} from './flame.js';
import {fillTable, pivotWord} from './functions.js';
import {host, tableHost} from './host.js';
import {showTree, stage} from './stage.js';
import {showDetail} from './status.js';
import {TableView} from './table.js';

let sandwich = null;

// Created when first shown, like the table and the timeline.
function makeSandwich() {
	const table = new TableView(tableHost(false), 'Functions'), above = el('h2'), below = el('h2');
	app.callers = new FlameView(host, 'Callers');
	app.callees = new FlameView(host, 'Callees');
	const panes = el('div', {className: 'panes'});
	return {table, above, below, panes, element: el('div', {className: 'sandwich'}, table.element, panes)};
}

export function showSandwich() {
	const {model, names, state} = app, left = (other) => model.tree('flame', other).width[0];
	search(state.search, model.tree('flame', state));
	if (!left(state)) {
		stage(emptyNote('this profile', left));
		return;
	}
	const word = pivotWord(), name = el('b', {}, word < 0 ? '' : names.of(word));
	sandwich ??= makeSandwich();
	const {table, above, below, panes, element} = sandwich;
	stage(element);
	fillTable(table);
	above.replaceChildren('Callers of ', name);
	below.replaceChildren('Callees of ', name.cloneNode(true));
	const weigh = (other) => word < 0 ? 0 : model.tree('callers', other, word).whole;
	if (!weigh(state)) {
		panes.replaceChildren(emptyNote(word < 0 ? 'functions' : names.of(word), weigh));
		return;
	}
	if (panes.children.length < 4)
		panes.replaceChildren(above, app.callers.element, below, app.callees.element);
	const callers = model.tree('callers', state, word);
	showTree(app.callers, callers, {flip: true, node: 0});
	showTree(app.callees, model.tree('callees', state, word), {flip: false, node: 0});
	showDetail(app.callees, 0);
}
