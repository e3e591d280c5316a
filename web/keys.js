// Keys and buttons.
import {openSandwich} from './actions.js';
import {app, graphsShown, isFunction, rawName} from './app.js';
import {byId, el, on} from './dom.js';
import {step} from './finder.js';
import {VIEWS} from './model.js';
import {capitalized, openHelp, openInfo, openNotes} from './panels.js';
import {back, go, neighborView, selectView, setSearch, unzoom} from './route.js';
import {toggleTheme} from './theme.js';
import {chooseThreads, nextColor} from './toolbar.js';

// The function that keys apply to: the chosen one, or the one under the pointer.  With two graphs, the one that has the focus or the pointer counts.
function chosenName() {
	const graphs = graphsShown(), focused = document.activeElement;
	const {chosen, hovered, tree} = graphs.find(({canvas}) => canvas === focused) ?? graphs.find((view) => view.hovered >= 0) ?? graphs.at(-1) ?? {}, node = chosen >= 0 ? chosen : hovered;
	return node > 0 && isFunction(tree.word[node]) ? rawName(tree.word[node]) : app.state.pivot;
}

const flip = () => go({flip: !app.state.flip});
const wholePicture = () => app.state.view === 'sandwich' ? unzoom() : go({zoom: ''});

const KEYS = {
	'/': () => byId('search').select(), '?': openHelp, n: () => step(1), N: () => step(-1), i: flip,
	r: () => go({view: app.state.view === 'reverse' ? 'flame' : 'reverse', zoom: ''}), d: toggleTheme, c: nextColor, Escape: back,
	Backspace: back, 0: wholePicture, s: () => openSandwich(chosenName()),
};

const BUTTONS = {
	flip, reset: () => go({zoom: ''}), theme: toggleTheme, help: openHelp, info: () => openInfo(app.profile, app.model.nrStacks(), byId('summary').textContent),
	notes: () => openNotes(app.profile), threads: chooseThreads, next: () => step(1), previous: () => step(-1),
	close: () => byId('panel').close(),
};

const front = () => byId('stage').querySelector('.flame [role=application], tr[tabindex="0"]');
const WALKS = /^(Arrow.*|Enter|[ +=-])$/;

// Passes keys pressed without a focus to the current view.
function passOn(e) {
	const view = front();
	if (!view || !WALKS.test(e.key) || e.target !== document.body && e.target !== byId('stage'))
		return false;
	e.preventDefault();
	view.focus({preventScroll: true});
	// A table only gets the focus, since no row was visibly chosen before.
	if (view.matches('canvas'))
		view.dispatchEvent(new KeyboardEvent(e.type, e));
	return true;
}

function onKey(e) {
	const typing = e.target.matches('input, select, textarea');
	if ((e.ctrlKey || e.metaKey) && e.key === 'f' && !e.shiftKey && !e.altKey) {
		e.preventDefault();
		byId('search').select();
		return;
	}
	if (typing || e.ctrlKey || e.metaKey || e.altKey || byId('panel').open || passOn(e))
		return;
	const view = VIEWS[e.key - 1], run = view ? () => selectView(view) : Object.hasOwn(KEYS, e.key) && KEYS[e.key];
	if (run) {
		e.preventDefault();
		run();
	}
}

function onSearchKey(e) {
	if (e.key === 'Enter') {
		step(e.shiftKey ? -1 : 1);
	} else if (e.key === 'Escape') {
		e.preventDefault();
		if (app.state.search)
			setSearch('');
		else
			front()?.focus();
	}
}

function onTabKey(e) {
	const by = {ArrowRight: 1, ArrowLeft: -1}[e.key];
	if (!by)
		return;
	const view = neighborView(by);
	selectView(view);
	byId('tab-' + view).focus();
}

function tabOf(view) {
	const tab = el('button', {id: 'tab-' + view, role: 'tab', 'aria-controls': 'stage'}, capitalized(view));
	on(tab, 'click', () => selectView(view));
	return tab;
}

export function listenToPeople() {
	for (const id of ['event', 'width', 'color', 'order'])
		on(byId(id), 'change', (e) => go({[id]: e.target.value}));
	byId('tabs').append(...VIEWS.map(tabOf));
	for (const [id, run] of Object.entries(BUTTONS))
		on(byId(id), 'click', run);
	on(byId('panel'), 'click', (e) => e.target === byId('panel') && BUTTONS.close());
	on(byId('tabs'), 'keydown', onTabKey);
	on(byId('search'), 'keydown', onSearchKey);
	on(byId('search'), 'input', (e) => go({search: e.target.value}, true));
	on(document, 'keydown', onKey);
}
