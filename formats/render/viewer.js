/* SPDX-License-Identifier: MIT */
/*
 * The viewer in an SVG: draws what of the data can be seen. Texts from the data reach the
 * page through textContent and setAttribute only. It is the end of viewer_core.js.
 */

const svg = document.currentScript.parentNode;
const alone = document.documentElement === svg;
const id = svg.id;
const PAD = 10, FOOT = 26, UI = 520;
const ROW = +svg.dataset.row, HEAD = +svg.dataset.head;

/* --- Elements --- */

function make(tag, attrs, into, text) {
	const e = document.createElementNS(into && into.namespaceURI || svg.namespaceURI, tag);
	for (const key in attrs)
		e.setAttribute(key, attrs[key]);
	if (text !== undefined)
		e.textContent = text;
	if (into)
		into.appendChild(e);
	return e;
}

let live, head, foot, details, tip, help, ui, input, match, reset, cellWidth = 7.2;

function build() {
	head = svg.querySelector('.fg-head');
	live = make('g', { class: 'fg-live', role: 'tree', tabindex: 0,
		'aria-label': meta.title });
	svg.insertBefore(live, head);
	foot = make('g', { class: 'fg-foot', role: 'status' }, svg);
	make('rect', { class: 'fg-bar', width: '100%', height: FOOT }, foot);
	details = make('text', { x: PAD, y: 17 }, foot);
	ui = make('foreignObject', { y: 8, width: UI, height: HEAD - 14 }, head);
	const box = document.createElementNS('http://www.w3.org/1999/xhtml', 'div');
	ui.appendChild(box);
	const line = make('div', { class: 'fg-ui' }, box);
	reset = make('button', { type: 'button' }, line, 'Reset zoom');
	input = make('input', { type: 'search', placeholder: 'Search', spellcheck: 'false',
		'aria-label': 'Search' }, line);
	const question = make('button', { type: 'button', 'aria-label': 'Help' }, line, '?');
	match = make('div', { class: 'fg-match', role: 'status' }, box);
	tip = make('g', { class: 'fg-tip', display: 'none' }, svg);
	help = make('g', { class: 'fg-help', display: 'none' }, svg);
	reset.addEventListener('click', () => zoom({ i: 0, n: 1 }));
	question.addEventListener('click', toggleHelp);
	let timer = 0;
	input.addEventListener('input', () => {
		clearTimeout(timer);
		timer = setTimeout(() => { search(input.value); remember(false); }, 80);
	});
	svg.setAttribute('role', 'group');
	svg.classList.add('fg-on');
	const probe = make('text', {}, live, 'm'.repeat(100));
	cellWidth = probe.getComputedTextLength() / 100 || cellWidth;
}

/* --- Places --- */

const span = () => width - 2 * PAD;

const top = d => HEAD + (icicle ? d : levels - 1 - d) * ROW;

function boxAt(x, y) {
	const place = scene();
	if (y < place.top + HEAD || y > place.bottom - FOOT)
		return null;
	const row = Math.floor((y - HEAD) / ROW);
	const boxes = rows[icicle ? row : levels - 1 - row] || [];
	let found = null;
	for (let low = 0, high = boxes.length; low < high;) {
		const middle = (low + high) >> 1;
		if (boxes[middle].x <= x - PAD + 0.5) {
			found = boxes[middle];
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return found && x - PAD < found.x + Math.max(found.w, 1) + 0.5 ? found : null;
}

/* --- Drawing --- */

/* What of the picture the window shows, in its own coordinates. */
function scene() {
	const r = svg.getBoundingClientRect();
	const k = r.height ? height / r.height : 1;
	return { top: Math.max(0, -r.top * k), k, left: r.left, y: r.top,
		bottom: Math.min(height, (innerHeight - r.top) * k) };
}

function resize() {
	const room = alone ? document.documentElement.clientWidth || innerWidth
		: svg.parentNode.clientWidth;
	const before = height;
	width = Math.max(320, room || 1200);
	arrange();
	levels = Math.max(levels, rows.length);
	height = HEAD + levels * ROW + FOOT;
	if (alone)
		height = Math.max(height, Math.min(innerHeight, HEAD + 5 * ROW + FOOT));
	svg.setAttribute('width', width);
	svg.setAttribute('height', height);
	svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
	ui.setAttribute('x', width - PAD - UI);
	const heading = head.querySelector('.fg-title'), free = width - 3 * PAD - 320;
	heading.textContent = meta.title;
	const used = heading.getComputedTextLength();
	if (used > free)
		heading.textContent = label(meta.title, Math.floor(cells(meta.title) * free / used));
	if (before && before !== height && !icicle && alone)
		scrollBy(0, height - before);
	if (alone && document.documentElement.clientWidth &&
	    width > 320 && document.documentElement.clientWidth !== width && !resize.again) {
		resize.again = true;
		resize();
		resize.again = false;
		return;
	}
	paint();
}

function paintRow(group, d) {
	const paths = {}, g = make('g', { class: 'fg-row', transform: 'translate(0,' + top(d) + ')' });
	const dpr = devicePixelRatio || 1, snap = x => Math.round(x * dpr) / dpr;
	for (const b of rows[d]) {
		const hit = query && (b.n > 1 || b.w < 1 ? hits[b.stop] > hits[b.i] : hitName[name[b.i]]);
		const kind = (b.n > 1 ? 'fg-sm' : 'k' + (colors.charCodeAt(name[b.i]) - 48)) +
			(b.above ? ' fg-anc' : '') + (hit ? ' fg-hit' : '');
		const x = snap(b.x + PAD), right = snap(b.x + b.w + PAD);
		const w = Math.max(right - x - (right - x >= 3 ? 1 / Math.ceil(dpr) : 0), 0.5);
		paths[kind] = (paths[kind] || '') + 'M' + x + ' 0h' + w + 'v' + (ROW - 1) + 'h-' + w + 'z';
		const room = Math.floor((b.w - 6) / cellWidth);
		if (b.n === 1 && room >= 3)
			make('text', { x: x + 3, y: ROW * 0.75, class: (b.above ? 'fg-anc' : '') +
				(hit ? ' fg-hit' : '') }, g, label(names[name[b.i]], room));
	}
	for (const kind in paths)
		g.insertBefore(make('path', { class: kind, d: paths[kind] }), g.firstChild);
	group.appendChild(g);
}

function frameRect(cls, box, attrs) {
	return make('rect', Object.assign({ class: cls, x: box.x + PAD, y: top(depth[box.i]),
		width: Math.max(box.w, 1), height: ROW - 1 }, attrs), live);
}

function paint() {
	const place = scene(), some = document.createDocumentFragment();
	const still = make('g', {}, some), moving = make('g', { class: 'fg-moving' }, some);
	const a = Math.floor((place.top - HEAD) / ROW) - 4;
	const b = Math.ceil((place.bottom - HEAD) / ROW) + 4;
	for (let row = Math.max(0, a); row < Math.min(levels, b); row++) {
		const d = icicle ? row : levels - 1 - row;
		if (rows[d])
			paintRow(rows[d][0].above ? still : moving, d);
	}
	live.replaceChildren(some);
	svg.classList.toggle('fg-find', !!query);
	head.setAttribute('transform', 'translate(0,' + place.top + ')');
	foot.setAttribute('transform', 'translate(0,' + (place.bottom - FOOT) + ')');
	reset.hidden = view.i === 0;
	mark();
}

function mark() {
	live.querySelectorAll('.fg-over,.fg-sel').forEach(e => e.remove());
	live.removeAttribute('aria-activedescendant');
	if (over)
		frameRect('fg-over', over);
	if (sel) {
		const v = range(view), box = boxOf(sel.i);
		const mates = rows[depth[box.i]].filter(b => parent[b.i] === parent[box.i]);
		frameRect('fg-sel', box, {
			id: id + '-sel', role: 'treeitem', 'aria-selected': true,
			'aria-level': depth[sel.i] + 1, 'aria-setsize': mates.length,
			'aria-posinset': mates.indexOf(box) + 1,
			'aria-expanded': end[sel.i] > sel.i + 1,
			'aria-label': sel.n > 1 ? title(sel) : names[name[sel.i]] + ', ' +
				percent(total[sel.i], total[0]) + ', ' + amount(total[sel.i]) +
				', self ' + percent(self[sel.i], total[0]) + ', ' +
				percent(total[sel.i], v.high - v.low) + ' of view',
		});
		live.setAttribute('aria-activedescendant', id + '-sel');
	}
	const box = over || sel;
	details.textContent = box ? label(lines(box).join(' \u00b7 '),
		Math.floor((width - 2 * PAD) / 7)) : '';
}

/* A box with lines of text, at x, y or wherever there is room near it. */
function panel(group, texts, x, y) {
	const most = Math.max(20, Math.floor((width - 40) / cellWidth));
	const wrapped = [];
	for (const text of texts)
		for (let rest = [...text], n = 0; rest.length && n < 8; n++)
			wrapped.push(rest.splice(0, most).join(''));
	const w = Math.max(...wrapped.map(cells)) * cellWidth + 16, h = wrapped.length * 16 + 10;
	const place = scene();
	group.replaceChildren();
	make('rect', { width: w, height: h, rx: 4 }, group);
	wrapped.forEach((text, n) => make('text', { x: 8, y: 18 + 16 * n }, group, text));
	x = Math.max(2, Math.min(x, width - w - 4));
	y = y + 18 + h < place.bottom ? y + 18 : y - h - 8;
	group.setAttribute('transform', 'translate(' + x + ',' + Math.max(place.top + 2, y) + ')');
	group.setAttribute('display', 'inline');
	return { w, h };
}

function toggleHelp() {
	if (helpIsOpen()) {
		help.setAttribute('display', 'none');
		return;
	}
	const wide = Math.max(...HELP.map(h => h[0].length)) + 2;
	const text = HELP.map(h => h[0].padEnd(wide) + h[1]);
	const w = Math.max(...text.map(cells)) * cellWidth;
	panel(help, text, (width - w) / 2, scene().top + HEAD - 12);
}

const hideTip = () => tip.setAttribute('display', 'none');
const helpIsOpen = () => help.getAttribute('display') !== 'none';
const focusTree = () => live.focus({ preventScroll: true });
const say = text => { details.textContent = text + ' \u00b7 ' + details.textContent; };

function reveal(box) {
	const y = top(depth[box.i]), place = scene();
	if (y < place.top + HEAD)
		scrollBy(0, (y - place.top - HEAD - 2 * ROW) / place.k);
	else if (y + ROW > place.bottom - FOOT)
		scrollBy(0, (y + 3 * ROW - place.bottom + FOOT) / place.k);
}

/* Let the boxes come from where they were, unless that would be tiresome. */
function glide(before) {
	const moving = live.querySelector('.fg-moving'), now = range(view);
	if (!moving.animate || matchMedia('(prefers-reduced-motion: reduce)').matches ||
	    moving.childElementCount > 150)
		return;
	const k = (now.high - now.low) / (before.high - before.low);
	const x = (now.low - before.low) * span() / (before.high - before.low) + PAD * (1 - k);
	moving.animate([{ transform: 'translate(' + x + 'px,0) scale(' + k + ',1)' },
		{ transform: 'none' }], { duration: 120, easing: 'ease-out' });
}

/* --- Hands --- */

function point(event) {
	const place = scene();
	const x = (event.clientX - place.left) * place.k, y = (event.clientY - place.y) * place.k;
	return { x, y, box: boxAt(x, y) };
}

function hover(event) {
	const at = event.target.closest && event.target.closest('foreignObject') ? {} : point(event);
	if (over !== (at.box || null)) {
		over = at.box || null;
		mark();
	}
	if (over)
		panel(tip, lines(over), at.x + 12, at.y);
	else
		hideTip();
}

function click(event) {
	if (event.target.closest('foreignObject,.fg-head'))
		return;
	if (helpIsOpen()) {
		toggleHelp();
		return;
	}
	const { box } = point(event);
	if (box)
		zoom(box);
	else
		zoomOut();
}

read(svg.querySelector('metadata').textContent);
if (count === 0)
	return;
build();
recall();
if (alone && !icicle)
	scrollTo(0, height);
paint();

svg.addEventListener('mousemove', hover);
svg.addEventListener('mouseleave', () => { over = null; hideTip(); mark(); });
svg.addEventListener('click', click);
(alone ? window : svg).addEventListener('keydown', key);
addEventListener('scroll', soon(paint), { passive: true });
addEventListener('resize', soon(resize));
addEventListener('popstate', recall);
document.addEventListener('copy', copy);
expose();
