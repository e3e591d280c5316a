// The container of the views.
import {app} from './app.js';
import {byId} from './dom.js';

// Replaces the shown elements, which keep their state while hidden.
export function stage(...elements) {
	const place = byId('stage');
	if (elements.length === place.children.length && elements.every((e, i) => e === place.children[i]))
		return;
	const inside = place.contains(document.activeElement);
	place.replaceChildren(...elements);
	// If the old view had the focus, the new one gets it.
	if (inside)
		place.focus({preventScroll: true});
}

// Shows a tree in a view; the current one is only redrawn.
export function showTree(view, tree, options) {
	const {scheme, hits} = app;
	if (view.tree === tree && view.flip === options.flip) {
		view.restyle({scheme, hits});
		if (view.node !== options.node || String(view.part) !== String(options.part ?? null))
			view.zoomTo(options.node, options.part);
		return;
	}
	view.show(tree, {scheme, hits, ...options});
}
