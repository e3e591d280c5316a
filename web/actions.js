// The actions on a function, or on one of its frames.
import {app, isFunction, rawName} from './app.js';
import {copyText} from './dom.js';
import {openMenu} from './menu.js';
import {moduleName} from './modules.js';
import {addStep, go} from './route.js';
import {hideTip, readOut} from './status.js';
import {pathOf} from './tree.js';

export function openSandwich(name) {
	go({view: 'sandwich', pivot: name});
}

// The URL at which `wick serve` shows the source of a function; '' if the page was opened as a file.
function sourceOf(name) {
	const {hostname, pathname} = window.location;
	return hostname === '127.0.0.1' && /^\/[0-9a-f]{32}\/$/.test(pathname) ? 'source?' + encodeURIComponent(name) : '';
}

export function openFunctionMenu(word, x, y, owner, view, node) {
	const off = !isFunction(word), name = off ? '' : rawName(word), module = off ? '' : app.names.module(word);
	const base = moduleName(module), shown = app.names.of(word), source = off || app.profile.words.kind[word] === 3 ? '' : sourceOf(name);
	hideTip();
	openMenu(x, y, shown, [
		{text: 'Zoom', key: 'Enter', off: !view, run: () => view.enter(node)},
		{text: 'Sandwich: callers and callees', key: 's', off, run: () => openSandwich(name)},
		{text: 'Focus: keep only stacks with it', off, run: () => addStep('focus', name)},
		{text: 'Drop: remove stacks with it', off, run: () => addStep('ignore', name)},
		{text: 'Hide: its cost goes to its callers', off, run: () => addStep('hide', name)},
		{text: 'Start stacks here', off, run: () => addStep('base', name)},
		{text: 'Collapse recursion', off: app.state.transforms.some(({op}) => op === 'recursion'), run: () => addStep('recursion', '')},
		{text: base ? `Collapse module ${base}` : 'Collapse module', off: !base, run: () => addStep('module', base)},
		...source ? [{text: 'Show source', run: () => window.open(source, '_blank', 'noopener')}] : [],
		{text: 'Copy name', off: off && !node, run: () => copied(off ? shown : name, 'name')},
		{text: 'Copy stack', off: !view, run: () => copied(pathOf(view.tree, node).map(rawName).join('\n'), 'stack')},
	], owner);
}

async function copied(text, what) {
	await copyText(text);
	readOut(`Copied the ${what}.`);
}
