// The columns of the tables of functions.
import {app, isFunction, rawName} from './app.js';
import {NOT_SIGNIFICANT, changeOfRow} from './detail.js';
import {el, on} from './dom.js';
import {formatCount, formatDelta, formatShare} from './format.js';
import {legible} from './legible.js';
import {moduleName} from './modules.js';
import {setSearch} from './route.js';
import {cutMiddle} from './shorten.js';

function nameColumns(top) {
	const {names, profile} = app, of = (tell) => (row, letters) => tell(top.word[row], letters);
	const name = of((word) => names.of(word)), module = of((word) => moduleName(names.module(word)));
	return [{key: 'name', title: 'Function', up: true, value: of(rawName), text: name, whole: name,
		cut: of((word, letters) => names.cut(word, letters)), quiet: of((word) => !rawName(word))},
	...profile.modules.path.length > 1 ? [{key: 'module', title: 'Module', up: true, value: module, text: module,
		whole: of((word) => names.module(word)), cut: (row, letters) => cutMiddle(module(row), letters)}] : []];
}

function changeColumn(top) {
	const {model, state} = app, noise = model.topNoise(top, model.tree('flame', state));
	const change = (row) => changeOfRow(top, row), size = (row) => Math.abs(change(row)), quiet = (row) => noise.claim && !noise.significant[row];
	const verdict = (row) => quiet(row) ? NOT_SIGNIFICANT : '';
	return {key: 'change', title: 'Change', main: true,
		// Changes that are not significant are sorted below all others.
		value: (row) => quiet(row) ? -1 / size(row) : size(row),
		text: (row) => formatDelta(change(row)), note: verdict, whole: verdict, quiet};
}

function columnsOf(top) {
	const {unit} = app.model.choice(app.state);
	const cost = (key, title, list, k, main) => {
		const share = (row) => top.all[k] ? list[k][row] / top.all[k] : 0;
		return {key, title, main, value: (row) => list[k][row], text: (row) => formatShare(share(row)), share,
			// Counts need no unit in the column.
			note: (row) => formatCount(list[k][row], unit).replace(/\s[a-z]{5,}$/, '')};
	};
	const costs = top.total.length < 2 ? [cost('self', 'Self', top.self, 0, true), cost('total', 'Total', top.total, 0)] :
		[changeColumn(top), cost('before', 'Before', top.total, 0), cost('after', 'After', top.total, 1)];
	return [...costs, ...nameColumns(top)];
}

// Shows the functions that match the search.
export function fillTable(view) {
	const top = app.model.top(app.state), {hits} = app;
	const clear = el('button', {}, 'Clear search');
	on(clear, 'click', () => setSearch(''));
	view.empty.replaceChildren(`No function matches “${legible(app.state.search)}”. `, clear);
	view.show(columnsOf(top), top.word, (row) => isFunction(top.word[row]) && (!hits || hits[top.word[row]]));
}

// The chosen function, or else the first row of the table: the largest self weight or change; -1: there is none.
export function pivotWord() {
	const {model, profile, state} = app, word = profile.words.name.indexOf(state.pivot);
	if (state.pivot && word >= 0)
		return word;
	const top = model.top(state), size = top.self[1] ? changeColumn(top).value : (row) => top.self[0][row];
	let best = -1;
	top.word.forEach((w, row) => {
		if (isFunction(w) && (best < 0 || size(row) > size(best)))
			best = row;
	});
	return best < 0 ? -1 : top.word[best];
}
