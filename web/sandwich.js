// A table of functions beside two graphs: who calls the chosen one, and what it calls.
import {app} from './app.js';
import {el} from './dom.js';
import {search} from './finder.js';
import {FlameView} from './flame.js';
import {fillTable, pivotWord} from './functions.js';
import {host, tableHost} from './host.js';
import {showTree, stage} from './stage.js';
import {showDetail} from './status.js';
import {TableView} from './table.js';

let sandwich = null;

// Made when it is looked at, as table and timeline are.
function makeSandwich() {
	const table = new TableView(tableHost(false), 'Functions'), above = el('h2'), below = el('h2');
	app.callers = new FlameView(host, 'Callers');
	app.callees = new FlameView(host, 'Callees');
	return {table, above, below, element: el('div', {className: 'sandwich'}, table.element,
		el('div', {className: 'panes'}, above, app.callers.element, below, app.callees.element))};
}

export function showSandwich() {
	const {model, names, state} = app, word = pivotWord(), name = el('b', {}, word < 0 ? '' : names.of(word));
	sandwich ??= makeSandwich();
	const {table, above, below, element} = sandwich;
	stage(element);
	search(state.search, model.tree('flame', state));
	fillTable(table);
	above.replaceChildren('Callers of ', name);
	below.replaceChildren('What ', name.cloneNode(true), ' calls');
	if (word < 0)
		return;
	const callers = model.tree('callers', state, word);
	if (!callers.whole)
		above.append(', which is not in what is shown');
	showTree(app.callers, callers, {flip: true, node: 0});
	showTree(app.callees, model.tree('callees', state, word), {flip: false, node: 0});
	showDetail(app.callees, 0);
}
