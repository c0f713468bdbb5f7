/* SPDX-License-Identifier: MIT */
/*
 * The viewer in an HTML page: a canvas as large as the window shows of the graph, on which
 * only the rows that can be seen are drawn; a path of buttons; a table of functions. Texts
 * from the data reach the page through textContent and setAttribute only. It is the end of
 * viewer_core.js.
 */

const alone = true;
const PAD = 8, EDGE = 4, MORE = 100, LONG = 160;
const body = document.body, root = document.documentElement;
const one = selector => body.querySelector(selector);
const graph = one('.graph'), input = one('input'), match = one('.match');
const status = one('.status'), details = one('.details'), tip = one('.tip');
const list = one('.list'), crumbs = one('nav ol');
const still = matchMedia('(prefers-reduced-motion: reduce)');
let ROW = +body.dataset.row;

function make(tag, attrs, into, text) {
	const e = document.createElement(tag);
	for (const key in attrs)
		e.setAttribute(key, attrs[key]);
	if (text !== undefined)
		e.textContent = text;
	if (into)
		into.appendChild(e);
	return e;
}

/* --- Places --- */

let space, canvas, pen, strip, live, selBox, overBox, help, cellWidth = 7.2;
let high = 0, tall = 0;

const span = () => Math.max(100, width - 2 * PAD);
const top = d => EDGE + (icicle ? d : levels - 1 - d) * ROW;

function boxAt(x, y) {
	const row = Math.floor((y - EDGE) / ROW);
	const boxes = rows[icicle ? row : levels - 1 - row] || [];
	let found = null;
	for (let low = 0, end = boxes.length; low < end;) {
		const middle = (low + end) >> 1;
		if (boxes[middle].x <= x - PAD + 0.5) {
			found = boxes[middle];
			low = middle + 1;
		} else {
			end = middle;
		}
	}
	return found && x - PAD < found.x + Math.max(found.w, 1) + 0.5 ? found : null;
}

function reveal(box) {
	const y = top(depth[box.i]);
	if (y < graph.scrollTop)
		graph.scrollTop = y - 2 * ROW;
	else if (y + ROW > graph.scrollTop + graph.clientHeight)
		graph.scrollTop = y + 3 * ROW - graph.clientHeight;
}

/* --- Colors: those of the style sheet --- */

let fills = [], ink = {}, hatch, outline = false;

function colorize() {
	const style = getComputedStyle(root), get = key => style.getPropertyValue('--' + key).trim();
	outline = matchMedia('(forced-colors: active)').matches;
	fills = Array.from({ length: 32 }, (none, c) => outline ? 'Canvas' : get('k' + c));
	for (const key of ['bg', 'label', 'hit', 'hitline', 'hitsm', 'hatch', 'track', 'thumb'])
		ink[key] = get(key);
	ink.hitlabel = ink.label;
	if (outline)
		Object.assign(ink, { bg: 'Canvas', label: 'CanvasText', hit: 'Highlight',
			hitlabel: 'HighlightText', hitsm: 'Highlight', hitline: 'CanvasText',
			hatch: 'CanvasText' });
	const dpr = devicePixelRatio || 1, tile = make('canvas', { width: 4 * dpr, height: 4 * dpr });
	const line = tile.getContext('2d');
	line.scale(dpr, dpr);
	line.strokeStyle = ink.hatch;
	line.beginPath();
	for (let x = -4; x <= 4; x += 4) {
		line.moveTo(x - 1, 5);
		line.lineTo(x + 5, -1);
	}
	line.stroke();
	hatch = pen.createPattern(tile, 'repeat');
	hatch.setTransform(new DOMMatrix().scale(1 / dpr));
}

function theme() {
	const next = { '': 'light', light: 'dark', dark: '' }[root.dataset.theme || ''];
	root.dataset.theme = next;
	say('theme: ' + (next || 'as the system has it'));
	colorize();
	paint();
}

/* --- Drawing --- */

/* Boxes of one row; those that move do so by `shift` and `k`, see glide(). */
function paintRow(d, shift, k) {
	const dpr = devicePixelRatio || 1, snap = x => Math.round(x * dpr) / dpr, y = top(d);
	for (const b of rows[d]) {
		const left = PAD + (b.above ? b.x : b.x * k + shift), w = b.above ? b.w : b.w * k;
		if (left > width || left + w < 0)
			continue;
		const hit = query && (b.n > 1 || b.w < 1 ? hits[b.stop] > hits[b.i] : hitName[name[b.i]]);
		const x = snap(Math.max(left, -50)), right = snap(Math.min(left + w, width + 50));
		const wide = Math.max(right - x - (right - x >= 3 ? 1 / Math.ceil(dpr) : 0), hit ? 1 : 0.5);
		pen.globalAlpha = query && !hit ? 0.3 : b.above ? 0.55 : 1;
		pen.fillStyle = hit ? (b.n > 1 ? ink.hitsm : ink.hit) : b.n > 1 ? hatch
			: fills[colors.charCodeAt(name[b.i]) - 48];
		pen.fillRect(x, y, wide, ROW - 1);
		if ((hit || outline) && wide >= 3) {
			pen.strokeStyle = ink.hitline;
			pen.strokeRect(x + 0.5, y + 0.5, wide - 1, ROW - 2);
		}
		const room = Math.floor((right - x - 6) / cellWidth);
		if (b.n === 1 && room >= 3) {
			pen.fillStyle = hit ? ink.hitlabel : ink.label;
			pen.fillText(label(names[name[b.i]], room), x + 3, y + ROW * 0.72);
		}
	}
}

function fit(sheet, w, h) {
	const dpr = devicePixelRatio || 1;
	if (sheet.width !== Math.round(w * dpr) || sheet.height !== Math.round(h * dpr)) {
		sheet.width = Math.round(w * dpr);
		sheet.height = Math.round(h * dpr);
		sheet.style.width = w + 'px';
		sheet.style.height = h + 'px';
	}
	const made = sheet.getContext('2d');
	made.setTransform(dpr, 0, 0, dpr, 0, 0);
	made.clearRect(0, 0, w, h);
	return made;
}

function paint(shift = 0, k = 1) {
	const y = graph.scrollTop, h = graph.clientHeight;
	pen = fit(canvas, width, h);
	pen.fillStyle = ink.bg;
	pen.fillRect(0, 0, width, h);
	pen.translate(0, -y);
	pen.font = Math.floor(ROW * 0.75) + 'px ' + getComputedStyle(live).fontFamily;
	const a = Math.max(0, Math.floor((y - EDGE) / ROW));
	const b = Math.min(levels, Math.ceil((y + h - EDGE) / ROW));
	for (let row = a; row < b; row++) {
		const d = icicle ? row : levels - 1 - row;
		if (rows[d])
			paintRow(d, shift, k);
	}
	pen.globalAlpha = 1;
	paintStrip();
	mark();
	if (listed !== query)
		fillSoon();
}

/* What part of all is in view, and where in it the matches are. */
function paintStrip() {
	const ctx = fit(strip, width, 8), v = range(view), k = span() / total[0];
	ctx.fillStyle = ink.track;
	ctx.fillRect(PAD, 1, span(), 6);
	ctx.fillStyle = ink.thumb;
	ctx.fillRect(PAD + v.low * k, 1, Math.max(2, (v.high - v.low) * k), 6);
	ctx.fillStyle = ink.hitline;
	let before = -1;
	for (const i of marks) {
		const x = Math.round(PAD + start[i] * k), w = Math.max(1, total[i] * k);
		if (x + w > before) {
			ctx.fillRect(x, 0, w, 8);
			before = x + w;
		}
	}
}

function put(e, box) {
	e.hidden = !box;
	if (box) {
		e.style.left = box.x + PAD + 'px';
		e.style.top = top(depth[box.i]) + 'px';
		e.style.width = Math.max(box.w, 2) + 'px';
		e.style.height = ROW + 'px';
	}
}

/* The selection is an element: it has the focus, and a name for who cannot see it. */
function mark() {
	put(overBox, over);
	const at = sel && boxOf(sel.i);
	put(selBox, at);
	live.removeAttribute('aria-activedescendant');
	if (at) {
		const v = range(view);
		const mates = rows[depth[at.i]].filter(b => parent[b.i] === parent[at.i]);
		for (const [key, value] of Object.entries({
			level: depth[sel.i] + 1, setsize: mates.length, posinset: mates.indexOf(at) + 1,
			expanded: end[sel.i] > sel.i + 1,
			label: sel.n > 1 ? title(sel) : names[name[sel.i]] + ', ' +
				percent(total[sel.i], total[0]) + ', ' + amount(total[sel.i]) +
				', self ' + percent(self[sel.i], total[0]) + ', ' +
				percent(total[sel.i], v.high - v.low) + ' of view',
		}))
			selBox.setAttribute('aria-' + key, value);
		live.setAttribute('aria-activedescendant', 'selected');
	}
	const box = over || at;
	details.textContent = box ? lines(box).join(' \u00b7 ') : '';
}

function resize() {
	const below = high - graph.scrollTop - tall;
	root.style.setProperty('--row', ROW + 'px');
	width = graph.clientWidth;
	arrange();
	levels = rows.length;
	high = 2 * EDGE + levels * ROW;
	space.style.height = high + 'px';
	if (graph.clientWidth !== width) {
		width = graph.clientWidth;
		arrange();
	}
	tall = graph.clientHeight;
	graph.scrollTop = icicle ? graph.scrollTop : high - below - tall;
	graph.classList.toggle('down', icicle);
	cellWidth = measure();
	paint();
	path();
	fillSoon();
	one('[data-do=reset]').disabled = view.i === 0;
}

function measure() {
	pen = canvas.getContext('2d');
	pen.font = Math.floor(ROW * 0.75) + 'px ' + getComputedStyle(live).fontFamily;
	return pen.measureText('m'.repeat(100)).width / 100 || 7.2;
}

/* Let the boxes come from where they were, unless that would be tiresome. */
function glide(before) {
	say('zoomed to ' + title(view));
	if (still.matches)
		return;
	const now = range(view), seen = before.high - before.low, goal = view;
	const k = (now.high - now.low) / seen, x = (now.low - before.low) * span() / seen;
	const began = performance.now();
	const step = () => {
		const left = Math.max(0, 1 - (performance.now() - began) / 120) ** 3;
		if (view !== goal)
			return;
		paint(x * left, 1 + (k - 1) * left);
		if (left > 0)
			requestAnimationFrame(step);
	};
	paint(x, k);
	requestAnimationFrame(step);
}

/* --- The path from the root to what is in view --- */

function path() {
	const all = [];
	for (let a = view.i; a > 0; a = parent[a])
		all.unshift(parent[a]);
	const some = all.length > 8 ? [all[0], -1, ...all.slice(-6)] : all;
	crumbs.replaceChildren();
	for (const i of some) {
		const item = make('li', {}, crumbs);
		if (i < 0) {
			make('span', {}, item, '\u2026 ' + (all.length - 7) + ' more');
			continue;
		}
		const button = make('button', { type: 'button' }, item, label(names[name[i]], 40));
		button.addEventListener('click', () => { zoom({ i, n: 1 }); focusTree(); });
	}
	make('span', { 'aria-current': 'true' }, make('li', {}, crumbs),
		view.n > 1 ? title(view) : label(names[name[view.i]], 80));
}

/* --- The table: functions of the view, or those of them that match --- */

let sortBy = 'self', backward = false, limit = MORE, filling = 0, listed = '';

function functions() {
	const own = new Float64Array(names.length), sum = new Float64Array(names.length);
	const until = new Uint32Array(names.length), stop = stopOf(view), all = [];
	for (let i = view.i; i < stop; i++) {
		const n = name[i];
		own[n] += self[i];
		if (i >= until[n]) {
			if (!until[n] && (!query || hitName[n]))
				all.push(n);
			sum[n] += total[i];
			until[n] = end[i];
		}
	}
	const first = sortBy === 'total' ? sum : own, then = sortBy === 'total' ? own : sum;
	all.sort(sortBy === 'name' ? (a, b) => a - b
		: (a, b) => first[b] - first[a] || then[b] - then[a] || a - b);
	if (backward)
		all.reverse();
	return { all, own, sum };
}

function fill() {
	listed = query;
	if (list.hidden)
		return;
	const { all, own, sum } = functions(), v = range(view), some = document.createDocumentFragment();
	const weight = value => (sizes.length ? amount(value) : commas(value * scale)) + ' (' + percent(value, v.high - v.low) + ')';
	for (const n of all.slice(0, limit)) {
		const row = make('tr', {}, some);
		make('button', { type: 'button', tabindex: -1, 'data-n': n }, make('td', {}, row),
			label(names[n], LONG));
		make('td', {}, row, weight(own[n]));
		make('td', {}, row, weight(sum[n]));
	}
	const rest = list.querySelector('tbody'), had = document.activeElement.dataset.n;
	rest.replaceChildren(some);
	const button = had && rest.querySelector('[data-n="' + had + '"]') || rest.querySelector('button');
	if (button) {
		button.tabIndex = 0;
		if (had)
			button.focus();
	}
	list.querySelector('caption').textContent = plural(Math.min(limit, all.length), 'function') +
		(all.length > limit ? ' of ' + commas(all.length) : '') +
		(query ? ' that match' : '') + (view.i > 0 ? ', in view' : '');
	one('.more').hidden = all.length <= limit;
	for (const th of list.querySelectorAll('th'))
		th.setAttribute('aria-sort', th.dataset.by !== sortBy ? 'none'
			: (sortBy === 'name') !== backward ? 'ascending' : 'descending');
}

const fillSoon = () => {
	clearTimeout(filling);
	filling = setTimeout(fill, 30);
};

function sortTable(by) {
	backward = sortBy === by && !backward;
	sortBy = by;
	fill();
}

/* A function in the table finds its frames. */
function pick(n) {
	const text = '/^' + names[n].replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + '$/';
	search(query === text ? '' : text);
	remember(false);
}

function rowKey(event) {
	const row = event.target.closest('tr');
	const to = row && { ArrowDown: row.nextSibling, ArrowUp: row.previousSibling,
		Home: row.parentNode.firstChild, End: row.parentNode.lastChild }[event.key];
	if (!to || event.target.localName !== 'button' || row.parentNode.localName !== 'tbody')
		return;
	event.target.tabIndex = -1;
	to.querySelector('button').tabIndex = 0;
	to.querySelector('button').focus();
	event.preventDefault();
	event.stopPropagation();
}

function toggleTable() {
	list.hidden = !list.hidden;
	one('[data-do=table]').setAttribute('aria-pressed', !list.hidden);
	resize();
}

/* --- What the core asks for --- */

const hideTip = () => { tip.hidden = true; };
const helpIsOpen = () => help.open;
const focusTree = () => live.focus({ preventScroll: true });
const say = text => { status.textContent = text; };

function toggleHelp() {
	if (help.open)
		help.close();
	else
		help.showModal();
}

/* --- Hands --- */

function point(event) {
	const r = space.getBoundingClientRect();
	return boxAt(event.clientX - r.left, event.clientY - r.top);
}

function hover(event) {
	over = point(event);
	mark();
	tip.hidden = !over;
	if (!over)
		return;
	tip.replaceChildren(...lines(over).map(text => make('div', {}, null, text)));
	const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 6);
	const below = event.clientY + 20, h = tip.offsetHeight;
	tip.style.left = Math.max(4, x) + 'px';
	tip.style.top = (below + h < innerHeight - 4 ? below : Math.max(4, event.clientY - h - 10)) + 'px';
}

function click(event) {
	const box = point(event);
	if (box)
		zoom(box);
	else
		zoomOut();
	focusTree();
}

/* The root goes to the other end, and what is looked at stays in sight. */
function turn180() {
	const at = high - graph.scrollTop - graph.clientHeight;
	flip();
	graph.classList.toggle('down', icicle);
	graph.scrollTop = at;
}

const grow = by => () => {
	const at = (graph.scrollTop + graph.clientHeight) / high;
	ROW = Math.min(40, Math.max(10, ROW + by));
	resize();
	graph.scrollTop = icicle ? 0 : at * high - graph.clientHeight;
};

function build() {
	space = make('div', { class: 'space' }, graph);
	canvas = make('canvas', { 'aria-hidden': 'true' }, space);
	live = make('div', { class: 'tree', role: 'tree', tabindex: 0, 'aria-label': meta.title }, space);
	overBox = make('div', { class: 'over', hidden: '' }, space);
	selBox = make('div', { class: 'sel', id: 'selected', role: 'treeitem',
		'aria-selected': 'true', hidden: '' }, live);
	strip = one('.strip');
	help = one('dialog');
	const keysList = help.querySelector('dl');
	HELP.splice(-1, 0, ['t', 'table of functions'], ['d', 'theme: of the system, light, dark'],
		['+, -', 'height of the rows'], ['Ctrl+C', 'copy the name of the frame selected']);
	for (const [keyNames, what] of HELP) {
		make('dt', {}, keysList, keyNames);
		make('dd', {}, keysList, what);
	}
	Object.assign(keys, { i: turn180, t: toggleTable, d: theme, '+': grow(2), '-': grow(-2) });
	const deeds = { undo, reset: home, flip: turn180, theme, table: toggleTable, help: toggleHelp };
	for (const button of body.querySelectorAll('[data-do]'))
		button.addEventListener('click', deeds[button.dataset.do]);
	for (const button of list.querySelectorAll('th button'))
		button.addEventListener('click', () => sortTable(button.parentNode.dataset.by));
	one('.more').addEventListener('click', () => { limit += MORE; fill(); });
	list.addEventListener('click', event => {
		if (event.target.dataset.n)
			pick(+event.target.dataset.n);
	});
	list.addEventListener('keydown', rowKey);
}

function listen() {
	let timer = 0;
	input.addEventListener('input', () => {
		clearTimeout(timer);
		timer = setTimeout(() => { search(input.value); remember(false); }, 80);
	});
	graph.addEventListener('mousemove', hover);
	graph.addEventListener('mouseleave', () => { over = null; hideTip(); mark(); });
	graph.addEventListener('click', click);
	graph.addEventListener('scroll', soon(() => { hideTip(); paint(); }), { passive: true });
	addEventListener('keydown', key);
	addEventListener('resize', soon(() => { colorize(); resize(); }));
	addEventListener('popstate', recall);
	document.addEventListener('copy', copy);
	for (const what of ['(prefers-color-scheme: dark)', '(forced-colors: active)'])
		matchMedia(what).addEventListener('change', () => { colorize(); paint(); });
}

read(one('[type="text/x-fg1"]').textContent);
if (count === 0)
	return;
body.className = 'on';
list.hidden = innerWidth < 900;
build();
one('[data-do=table]').setAttribute('aria-pressed', !list.hidden);
measure();
colorize();
recall();
if (!icicle)
	graph.scrollTop = high;
paint();
listen();
expose();
