// A menu at a point of the screen, by mouse, finger or keys.
import {el, on} from './dom.js';

let closeOpenMenu = null;

// items: {text, key, run, off}; the focus returns to `owner` when the menu closes.
export function openMenu(x, y, title, items, owner) {
	if (closeOpenMenu)
		closeOpenMenu();
	const menu = el('div', {className: 'menu', role: 'menu', 'aria-label': title}, el('p', {}, title));
	const close = () => {
		closeOpenMenu = null;
		menu.remove();
		removeEventListener('pointerdown', outside, true);
		owner.focus({preventScroll: true});
	};
	const outside = (e) => {
		if (!menu.contains(e.target))
			close();
	};
	for (const {text, key = '', run, off} of items) {
		const button = el('button', {role: 'menuitem', tabIndex: -1, disabled: !!off}, el('span', {}, text), el('kbd', {}, key));
		on(button, 'click', () => {
			close();
			run();
		});
		menu.append(button);
	}
	on(menu, 'keydown', (e) => {
		const buttons = [...menu.querySelectorAll('button:enabled')], at = buttons.indexOf(document.activeElement);
		const go = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1}[e.key];
		if (go !== undefined)
			buttons.at(go % buttons.length).focus();
		else if (e.key === 'Escape' || e.key === 'Tab')
			close();
		else if (e.key === 'Enter' || e.key === ' ')
			return;
		e.preventDefault();
		e.stopPropagation();
	});
	on(menu, 'contextmenu', (e) => e.preventDefault());
	document.body.append(menu);
	menu.style.left = Math.max(4, Math.min(x, innerWidth - menu.offsetWidth - 4)) + 'px';
	menu.style.top = Math.max(4, Math.min(y, innerHeight - menu.offsetHeight - 4)) + 'px';
	addEventListener('pointerdown', outside, true);
	closeOpenMenu = close;
	menu.querySelector('button:enabled').focus();
}
