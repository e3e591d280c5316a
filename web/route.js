// The state of the page, and its URL, which stores the state.
import {app, graphsShown} from './app.js';
import {byId} from './dom.js';
import {readLink, writeLink} from './link.js';
import {VIEWS} from './model.js';
import {stateOfName} from './states.js';

// Applies changes to the state, stores them in the URL, and shows the result.
export function go(changes, replace) {
	Object.assign(app.state, changes);
	remember(replace);
	app.refresh();
}

const currentLink = () => '#' + writeLink(app.state, app.model.usual);

const REST_MS = 200;
let pending = 0;

// slowly: browsers limit the number of changes per second.
export function remember(replace, slowly) {
	const link = currentLink();
	clearTimeout(pending);
	if (slowly) {
		pending = setTimeout(remember, REST_MS, replace);
		return;
	}
	if (link === (location.hash || '#'))
		return;
	try {
		history[replace ? 'replaceState' : 'pushState'](null, '', link);
	} catch {
		// Not allowed in some frames: the page works without.
	}
}

// Reads the state from the URL.
export function readRoute() {
	app.state = app.model.checked(readLink(location.hash, app.model.usual));
	byId('search').value = app.state.search;
}

export function recall() {
	if (currentLink() === (location.hash || '#'))
		return;
	readRoute();
	app.refresh();
}

const isOpen = (view) => !byId('tab-' + view).disabled;

export function selectView(view) {
	if (isOpen(view))
		go({view, zoom: view === app.state.view ? app.state.zoom : ''});
}

// The view that is `by` tabs to the right of the current one.
export function neighborView(by) {
	const open = VIEWS.filter(isOpen);
	return open[(open.indexOf(app.state.view) + by + open.length) % open.length];
}

export function setSearch(text) {
	byId('search').value = text;
	go({search: text}, true);
}

export function addStep(op, text) {
	go({transforms: [...app.state.transforms, {op, text}]});
}

// Shows only the waits for one reason, which is the leaf of their stacks; if no waits are shown, switches to an event
// with waits.  A stack has one reason, so a previous reason is replaced.
export function showReason(reason) {
	const others = app.state.transforms.filter(({op, text}) => op !== 'focus' || !stateOfName(text));
	showWaits({zoom: '', transforms: [...others, {op: 'focus', text: `[${reason}]`}]});
}

// Switches to an event with waits, unless one is shown.
export function showWaits(changes) {
	const {model, state} = app;
	go({event: model.showsWaits(state) ? state.event : model.choices.find((choice) => choice.text === 'off-cpu')?.key ?? state.event, ...changes});
}

// A sandwich has its own zooms, which are not part of the state.
export const unzoom = () => graphsShown().forEach((view) => view.zoomTo(0));

// Goes back one zoom; without a zoom, clears the search, then the selected time.
export function back() {
	const {state, trail} = app, sandwich = state.view === 'sandwich';
	if (sandwich && graphsShown().some(({node, part}) => node || part)) {
		unzoom();
	} else if (state.zoom && !sandwich) {
		const zoom = trail.pop() ?? '';
		go({zoom: zoom === state.zoom ? '' : zoom});
	} else if (state.search) {
		setSearch('');
	} else if (state.range) {
		go(state.range2 ? {range2: null} : {range: null});
	}
}
