// The controls above the picture, set from the state.
import {app} from './app.js';
import {SCHEMES} from './color.js';
import {byId, el, on} from './dom.js';
import {formatCount} from './format.js';
import {legible} from './legible.js';
import {STEPS, VIEWS} from './model.js';
import {capitalized, openThreads} from './panels.js';
import {go, showReason} from './route.js';

function fillSelect(id, options, value) {
	const select = byId(id);
	select.replaceChildren(...options.map(([key, text]) => el('option', {value: key, selected: key === value}, text)));
	select.parentNode.hidden = options.length < 2;
}

// The color schemes to choose from; that of a palette comes first.
function schemeNames() {
	const {model, profile, state} = app, palette = profile.view.get('color');
	const schemes = SCHEMES.filter((name) => name !== 'diff' && name !== 'state' || (name === 'diff' ? model.compares(state) : model.showsWaits(state)));
	return profile.words.color && palette && !schemes.includes(palette) ? [palette, ...schemes] : schemes;
}

export function showTools() {
	const {model, profile, state} = app, timed = model.hasTimes, table = state.view === 'table';
	fillSelect('event', model.choices.map(({key, text}) => [key, legible(text)]), model.choice(state).key);
	fillSelect('width', model.compares(state) && !table ? ['after', 'before', 'either'].map((side) => [side, side === 'either' ? 'wider' : side]) : [], state.width);
	fillSelect('color', schemeNames().map((name) => [name, capitalized(name)]), model.color(state));
	fillSelect('order', ['name', 'width', ...timed ? ['time'] : []].map((name) => [name, capitalized(name)]), model.order(state));
	// A table has neither colors nor a root.
	for (const part of [byId('color').parentNode, byId('order').parentNode, byId('flip'), byId('legend')])
		part.hidden = table;
	byId('flip').setAttribute('aria-pressed', state.flip);
	byId('threads').hidden = profile.threads.length < 2;
	byId('tab-timeline').disabled = !timed;
	byId('tab-timeline').title = timed ? '' : 'This recording has no timestamps.';
	VIEWS.forEach(showTab);
	showChips();
	showLegend();
}

function showTab(name) {
	const tab = byId('tab-' + name), selected = name === app.state.view;
	tab.setAttribute('aria-selected', selected);
	tab.tabIndex = selected ? 0 : -1;
	if (selected) {
		byId('stage').setAttribute('aria-labelledby', tab.id);
		// If there is no room for all tabs, scrolls to this one.  scrollIntoView() would also scroll a page
		// that embeds this one.
		const row = byId('tabs'), all = row.getBoundingClientRect(), one = tab.getBoundingClientRect();
		row.scrollLeft += Math.min(0, one.left - all.left) || Math.max(0, one.right - all.right);
	}
}

function chip(text, undo) {
	const button = el('button', {'aria-label': 'Undo: ' + text, title: 'Undo'}, '✕');
	on(button, 'click', () => go(undo));
	return el('li', {}, el('span', {title: text}, text), button);
}

// The threads with samples of the shown event, {thread, weight, name}, heaviest first.
function listThreads() {
	const {model, profile: {counts, threads}, state} = app, weight = new Float64Array(threads.length), {columns, samples} = model.choice(state);
	for (const {event, thread, begin, end} of counts.groups)
		for (let i = begin; i < end && columns.at(-1)[event]; i++)
			weight[thread] += samples ? counts.nr_samples[i] : counts.weight[i];
	return Array.from(weight, (w, thread) => ({thread, weight: w, name: model.threadName(thread)}))
		.filter(({weight: w}) => w).sort((a, b) => b.weight - a.weight);
}

// The active filters: {text, undo: the changes of the state that remove it}.
export function activeFilters() {
	const {model, state} = app, time = (range) => range.map((t) => formatCount(t - model.start, 'ns')).join(' – ');
	const list = state.transforms.map(({op, text}, i) =>
		({text: STEPS[op] + (text ? ' ' + legible(text) : ''), undo: {transforms: state.transforms.toSpliced(i, 1)}}));
	if (state.threads) {
		const all = listThreads(), {threads} = model.query(state), left = all.filter(({thread}) => threads[thread]);
		list.push({text: `${left.length} of ${all.length} threads`, undo: {threads: null}});
	}
	if (state.range)
		list.push({text: 'Time ' + time(state.range), undo: {range: null, range2: null}});
	if (state.range && state.range2)
		list.push({text: 'Compared with ' + time(state.range2), undo: {range2: null}});
	return list;
}

// Shows the filters, and grouped threads, as chips, each with a button that removes it.
function showChips() {
	const {model, state} = app, grouped = state.roots === 'group' ? [{text: `Threads grouped: ${legible(model.groupName)}`, undo: {roots: 'comm', zoom: ''}}] : [];
	byId('chips').replaceChildren(...[...activeFilters(), ...grouped].map(({text, undo}) => chip(text, undo)));
}

function showLegend() {
	byId('legend').replaceChildren(...app.scheme.legend.map(({css, text, state}) => {
		const box = el('i');
		box.style.background = css;
		if (!state)
			return el('li', {}, box, legible(text));
		const button = el('button', {title: 'Show only these waits'}, box, text);
		on(button, 'click', () => showReason(text));
		return el('li', {}, button);
	}));
}

export function nextColor() {
	const names = schemeNames();
	go({color: names[(names.indexOf(app.model.color(app.state)) + 1) % names.length]});
}

export function chooseThreads() {
	const {model, state} = app, {unit} = model.choice(state), listed = listThreads();
	openThreads(listed, {chosen: model.query(state).threads, whole: listed.reduce((sum, {weight}) => sum + weight, 0), unit, roots: state.roots, canGroup: model.nrAlike > 1},
		(list) => go({threads: list && list.map((t) => model.threadKey(t))}, true), (roots) => go({roots, zoom: ''}));
}
