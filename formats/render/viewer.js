/* SPDX-License-Identifier: MIT */
/*
 * The viewer in a flame graph. It reads the fg1 block, whose format is in fg1.h, and
 * draws what of it can be seen. Texts from the data reach the page through textContent
 * and setAttribute only. svg.c leaves out spaces next to punctuation, but for strings in
 * single quotes: no other quotes here, and \x20 in regular expressions.
 *
 *	frames    arrays by frame, in preorder; a subtree is [i, end[i])
 *	view      the frame, or the run of `n` siblings from `i` on, that fills the width
 *	rows      by depth: boxes {i, n, x, w} from left to right, in pixels; n > 1 is a
 *	          run of siblings that are too narrow to draw
 */
(() => {
'use strict';

const svg = document.currentScript.parentNode;
const alone = document.documentElement === svg;
const id = svg.id;
const PAD = 10, FOOT = 26, GROUP = 16, UI = 520;
const ROW = +svg.dataset.row, HEAD = +svg.dataset.head;
const KINDS = { k: 'kernel', j: 'JIT', i: 'inlined', 0: 'interpreted', '?': 'unknown' };
const HELP = [
	['click, Enter', 'zoom to a frame'],
	['Esc', 'close, clear the search, zoom out'],
	['arrows', 'select: parent, child, siblings'],
	['Home, End', 'first and last sibling'],
	['/, Ctrl+F', 'search; /re/ is a regular expression'],
	['n, N', 'next and previous match, largest first'],
	['i', 'root at the top or at the bottom'],
	['Backspace, u', 'undo the last zoom'],
	['0', 'back to the beginning'],
	['?', 'this help'],
];

/* --- The data --- */

const meta = {}, names = [];
let kinds = '', colors = '', count = 0;
let name, parent, depth, end, self, total, start;

const shown = text => text.replace(/\\(\\|x3e|u\{([0-9A-F]+)\})/g, (all, what, code) =>
	code ? '<U+' + code + '>' : what === '\\' ? '\\' : '>');

function read(text) {
	const lines = text.split('\n');
	let at = 1, raw = '';
	for (; !lines[at].startsWith('names '); at++) {
		const eq = lines[at].indexOf('=');
		meta[lines[at].slice(0, eq)] = shown(lines[at].slice(eq + 1));
	}
	for (let left = +lines[at++].slice(6); left > 0; left--, at++) {
		const line = lines[at];
		raw = raw.slice(0, line.charCodeAt(0) - 32) + line.slice(1);
		names.push(shown(raw));
	}
	kinds = lines[at + 1];
	colors = lines[at + 3];
	count = +lines[at + 4].slice(7);
	frames(lines[at + 5]);
}

function frames(text) {
	const digit = new Uint8Array(128);
	[...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_'].forEach(
		(c, value) => { digit[c.charCodeAt(0)] = value; });
	let at = 0, level = -1;
	const number = () => {
		for (let value = 0, unit = 1;; unit *= 32) {
			const d = digit[text.charCodeAt(at++)];
			value += (d & 31) * unit;
			if (d < 32)
				return value;
		}
	};
	[name, parent, depth, end] = [0, 0, 0, 0].map(() => new Uint32Array(count));
	[self, total, start] = [0, 0, 0].map(() => new Float64Array(count));
	const open = [0];
	for (let i = 0; i < count; i++) {
		name[i] = number();
		level += 1 - number();
		total[i] = self[i] = number();
		depth[i] = level;
		end[i] = i + 1;
		parent[i] = level > 0 ? open[level - 1] : 0;
		open[level] = i;
	}
	for (let i = count - 1; i > 0; i--) {
		const p = parent[i];
		total[p] += total[i];
		if (end[i] > end[p])
			end[p] = end[i];
	}
	const next = new Float64Array(count);
	for (let i = 0; i < count; i++) {
		if (i > 0) {
			start[i] = next[parent[i]];
			next[parent[i]] += total[i];
		}
		next[i] = start[i] + self[i];
	}
}

/* --- Numbers and names as text; quantity.c and label.c have the same rules --- */

const commas = value => (value > Number.MAX_SAFE_INTEGER ? '\u2248' : '') +
	BigInt(Math.round(value)).toString().replace(/\B(?=(\d{3})+$)/g, ',');
const plural = (n, noun) => commas(n) + ' ' + noun + (n === 1 ? '' : 's');
let sizes = [], scale = 1;

function amount(value) {
	value *= scale;
	if (!sizes.length)
		return commas(value) + ' ' + meta.noun;
	let step = sizes[0];
	for (const s of sizes)
		step = value >= s.factor ? s : step;
	if (step.factor === 1)
		return commas(value) + ' ' + step.name;
	const whole = Math.floor(value / step.factor);
	const places = whole < 10 ? 2 : whole < 100 ? 1 : 0;
	const power = 10 ** places;
	const rounded = Math.floor(value * power / step.factor + 0.5);
	return commas(Math.floor(rounded / power)) + (places ? '.' +
		String(rounded % power).padStart(places, '0') : '') + ' ' + step.name;
}

function percent(value, of) {
	const hundredths = Math.floor(value * 10000 / of + 0.5);
	if (hundredths > 0 || value === 0)
		return (hundredths / 100).toFixed(2) + '%';
	const p = value * 100 / of;
	return p.toFixed(1 - Math.floor(Math.log10(p))) + '%';
}

const ENDING = new RegExp('^(?:$|\\.|\\d|func\\d|(?:c|cc|cpp|cxx|h|hh|hpp|go|py|rb|js|ts|' +
	'rs|java|kt|php|pl|lua|so|cold|part|isra|dll|constprop|llvm|lto_priv|clone|exe|ko|' +
	'jar)(?![\\w$\\u0080-\\uffff]))');
const WORD = /[\w$\u0080-\uffff]/;
const WIDE = new RegExp('[\\u1100-\\u115f\\u231a\\u231b\\u2329\\u232a\\u2e80-\\u303e' +
	'\\u3041-\\u4dbf\\u4e00-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f' +
	'\\uff00-\\uff60\\uffe0-\\uffe6\\u{1f300}-\\u{1f64f}\\u{1f680}-\\u{1f6ff}' +
	'\\u{1f900}-\\u{1f9ff}\\u{20000}-\\u{3fffd}]', 'u');
const MARK = new RegExp('[\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u064b-\\u065f' +
	'\\u0e31\\u0e34-\\u0e3a\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f' +
	'\\ufe20-\\ufe2f]');
const cell = c => c < '\x7f' ? 1 : MARK.test(c) ? 0 : WIDE.test(c) ? 2 : 1;
const PLAIN = /^[\x20-~]*$/;

function cells(text) {
	if (PLAIN.test(text))
		return text.length;
	let sum = 0;
	for (const c of text)
		sum += cell(c);
	return sum;
}

function withoutParameters(text) {
	const body = text.replace(/(?:\sconst|\svolatile|\snoexcept|\s&&|\s&)+$/, '');
	if (!body.endsWith(')'))
		return text;
	let level = 0, at = body.length;
	do {
		at--;
		level += (body[at] === ')') - (body[at] === '(');
	} while (at > 0 && level > 0);
	const rest = body.slice(0, at);
	if (level > 0 || !rest || rest.endsWith('operator'))
		return text;
	return WORD.test(rest.slice(-1)) || /[>\]]$|operator(\(\)|[<>=!+\-*/%^&|~,[\]]+)$/.test(rest) ? rest : text;
}

function withoutArguments(text) {
	let out = '', sound = true;
	for (let i = 0; i < text.length; i++) {
		let close = -1;
		if (sound && text[i] === '<' && i > 0 && WORD.test(text[i - 1]) &&
		    !text.endsWith('operator', i)) {
			for (let j = i, level = 0; j < text.length && close < 0; j++) {
				if (text[j] === '<')
					level++;
				else if (text[j] === '>' && text[j - 1] !== '-' && --level === 0)
					close = j;
			}
			sound = close >= 0;
		}
		out += close >= 0 ? '<\u2026>' : text[i];
		i = close >= 0 ? close : i;
	}
	return out;
}

function nextPart(text) {
	for (let i = 0, level = 0; i + 1 < text.length; i++) {
		const c = text[i];
		if ('([{<'.includes(c))
			level++;
		else if (')]}'.includes(c) || (c === '>' && i > 0 && text[i - 1] !== '-'))
			level = Math.max(0, level - 1);
		if (level > 0)
			continue;
		if (c === ':' && text[i + 1] === ':' && i + 2 < text.length)
			return i + 2;
		if (c === '/' || (c === '.' && !ENDING.test(text.slice(i + 1))))
			return i + 1;
	}
	return 0;
}

function withoutMiddle(text, room) {
	let front = Math.floor((room - 1) * 2 / 5), seen = 0, left = '', at = 0;
	const back = room - 1 - front, all = cells(text), clusters = [];
	for (const c of text) {
		if (clusters.length && !cell(c))
			clusters[clusters.length - 1] += c;
		else
			clusters.push(c);
	}
	for (; at < clusters.length && all - seen > back; at++) {
		const width = cells(clusters[at]);
		if (seen + width <= front)
			left += clusters[at];
		else
			front = 0;
		seen += width;
	}
	return left + '\u2026' + clusters.slice(at).join('');
}

function label(text, room) {
	if (room < 2)
		return '';
	if (cells(text) > room)
		text = withoutParameters(text);
	if (cells(text) > room)
		text = withoutArguments(text);
	for (let part; cells(text) > room && (part = nextPart(text));)
		text = text.slice(part);
	return cells(text) > room ? withoutMiddle(text, room) : text;
}

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

/* --- From frames to boxes --- */

let view = { i: 0, n: 1 }, rows = [], width = 1200, height = 0, levels = 0, icicle = false;

function stopOf(v) {
	let stop = v.i;
	for (let n = 0; n < v.n; n++)
		stop = end[stop];
	return stop;
}

function range(v) {
	let last = v.i;
	for (let n = 1; n < v.n; n++)
		last = end[last];
	return { low: start[v.i], high: start[last] + total[last] };
}

const span = () => width - 2 * PAD;

function arrange() {
	const { low, high } = range(view), stop = stopOf(view), k = span() / (high - low);
	let run = null;
	rows = [];
	for (let a = view.i; a > 0;) {
		a = parent[a];
		rows[depth[a]] = [{ i: a, n: 1, x: 0, w: span(), above: true }];
	}
	for (let i = view.i; i < stop;) {
		const w = total[i] * k, x = (start[i] - low) * k, d = depth[i];
		if (w >= 1) {
			(rows[d] = rows[d] || []).push({ i, n: 1, x, w });
			i++;
			continue;
		}
		if (run && run.stop === i && depth[run.i] === d && run.w + w <= GROUP) {
			run.n++;
			run.w += w;
		} else {
			run = { i, n: 1, x, w };
			(rows[d] = rows[d] || []).push(run);
		}
		i = run.stop = end[i];
	}
}

const top = d => HEAD + (icicle ? d : levels - 1 - d) * ROW;

/* The box that shows frame i, or that hides it. */
function boxOf(i) {
	for (;; i = parent[i]) {
		const row = rows[depth[i]] || [];
		let low = 0, high = row.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (row[middle].i <= i)
				low = middle + 1;
			else
				high = middle;
		}
		const box = row[low - 1];
		if (box && i < (box.stop || end[box.i]))
			return box;
		if (i === 0)
			return rows[0] && rows[0][0];
	}
}

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

let sel = null, over = null;

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

/* --- Words about a box --- */

function weight(box) {
	const { low, high } = range(box);
	return high - low;
}

function title(box) {
	const w = weight(box);
	return (box.n > 1 ? plural(stopOf(box) - box.i, 'frame') : names[name[box.i]]) + ' (' +
		amount(w) + ', ' + (box.i === 0 ? '100%' : percent(w, total[0])) + ')';
}

/* Outermost frames from `i` to `stop` whose name is wanted: their number and sum. */
function outermost(i, stop, wanted) {
	const list = [];
	let sum = 0;
	while (i < stop) {
		if (wanted(name[i])) {
			sum += total[i];
			list.push(i);
			i = end[i];
		} else {
			i++;
		}
	}
	return { list, sum };
}

const instances = new Map();
function everywhere(n) {
	if (!instances.has(n)) {
		let own = 0, times = 0;
		for (let i = 0; i < count; i++) {
			if (name[i] === n) {
				own += self[i];
				times++;
			}
		}
		instances.set(n, { times, own, sum: outermost(0, count, m => m === n).sum });
	}
	return instances.get(n);
}

function lines(box) {
	const i = box.i, w = weight(box), v = range(view);
	const exact = sizes.length ? ' (' + commas(w * scale) + ' ' + meta.noun + ')' : '';
	const out = [title(box)];
	if (box.n > 1) {
		out.push('side by side, too narrow to draw: click to zoom in');
		return out;
	}
	const kind = KINDS[kinds[name[i]]];
	const share = box.above ? '' : ', ' + percent(w, v.high - v.low) + ' of view';
	if (i > 0)
		out.push('total ' + amount(w) + exact + share + ', ' +
			percent(w, total[parent[i]]) + ' of parent');
	const all = everywhere(name[i]);
	if (all.times > 1)
		out.push(commas(all.times) + ' frames of this name: ' + percent(all.sum, total[0]) +
			' of all, self ' + percent(all.own, total[0]));
	out.push('self ' + amount(self[i]) + ', ' + percent(self[i], total[0]) +
		(kind ? ' \u00b7 ' + kind : ''));
	return out;
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
	if (help.getAttribute('display') !== 'none') {
		help.setAttribute('display', 'none');
		return;
	}
	const wide = Math.max(...HELP.map(h => h[0].length)) + 2;
	const text = HELP.map(h => h[0].padEnd(wide) + h[1]);
	const w = Math.max(...text.map(cells)) * cellWidth;
	panel(help, text, (width - w) / 2, scene().top + HEAD - 12);
}

/* --- Searching --- */

let query = '', hitName = new Uint8Array(0), hits = new Uint32Array(0), found = [], turn = -1;

function matcher(text) {
	const re = /^\/(.+)\/([imsu]*)$/.exec(text);
	input.classList.remove('fg-bad');
	if (re) {
		try {
			const made = new RegExp(re[1], re[2]);
			return s => made.test(s);
		} catch (e) {
			input.classList.add('fg-bad');
		}
	}
	return text === text.toLowerCase() ? s => s.toLowerCase().includes(text)
		: s => s.includes(text);
}

function search(text) {
	query = text;
	turn = -1;
	if (input.value !== text)
		input.value = text;
	const test = matcher(text);
	hitName = Uint8Array.from(names, s => query && test(s) ? 1 : 0);
	hits = new Uint32Array(count + 1);
	for (let i = 0; i < count; i++)
		hits[i + 1] = hits[i] + hitName[name[i]];
	tell();
	paint();
}

function tell() {
	found = [];
	match.textContent = '';
	if (!query)
		return;
	const stop = stopOf(view), wanted = n => hitName[n], v = range(view);
	const inView = outermost(view.i, stop, wanted), inAll = outermost(0, count, wanted);
	let own = 0;
	for (let i = view.i; i < stop; i++)
		own += hitName[name[i]] ? self[i] : 0;
	found = inView.list.sort((a, b) => total[b] - total[a] || a - b);
	match.textContent = plural(hits[stop] - hits[view.i], 'frame') + ', ' +
		plural(hitName.reduce((a, b) => a + b, 0), 'function') + ', ' +
		percent(inView.sum, v.high - v.low) + ' of view (' +
		percent(inAll.sum, total[0]) + ' of total), self ' + percent(own, v.high - v.low);
}

function nextMatch(step) {
	if (!found.length)
		return;
	turn = (turn < 0 ? (step > 0 ? 0 : found.length - 1) : turn + step + found.length) %
		found.length;
	select({ i: found[turn], n: 1 });
	details.textContent = (turn + 1) + ' of ' + found.length + ' \u00b7 ' + details.textContent;
}

/* --- Moving about --- */

function select(box) {
	sel = box;
	over = null;
	tip.setAttribute('display', 'none');
	if (box) {
		const y = top(depth[boxOf(box.i).i]), place = scene();
		if (y < place.top + HEAD)
			scrollBy(0, (y - place.top - HEAD - 2 * ROW) / place.k);
		else if (y + ROW > place.bottom - FOOT)
			scrollBy(0, (y + 3 * ROW - place.bottom + FOOT) / place.k);
	}
	paint();
}

function zoom(to, quiet) {
	const before = range(view), old = view;
	view = { i: to.i, n: to.n };
	over = null;
	tip.setAttribute('display', 'none');
	if (sel && (sel.i < view.i || sel.i >= stopOf(view)))
		sel = null;
	resize();
	tell();
	if (!quiet && (old.i !== view.i || old.n !== view.n)) {
		glide(before);
		remember(true);
	}
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

/* The nearest ancestor that shows more. */
function zoomOut() {
	const { low, high } = range(view);
	let i = view.i;
	while (i > 0 && total[i] <= high - low)
		i = parent[i];
	zoom({ i, n: 1 });
}

function moveTo(where) {
	const box = sel ? boxOf(sel.i) : null;
	if (!box) {
		select({ i: view.i, n: view.n });
		return;
	}
	let to = null;
	if (where === 'parent') {
		to = box.i > 0 ? boxOf(parent[box.i]) : null;
	} else if (where === 'child') {
		const last = stopOf(box);
		to = (rows[depth[box.i] + 1] || []).filter(b => b.i > box.i && b.i < last)
			.reduce((a, b) => (a && a.w >= b.w ? a : b), null);
	} else {
		const mates = rows[depth[box.i]].filter(b => parent[b.i] === parent[box.i]);
		const at = mates.indexOf(box);
		to = mates[{ left: at - 1, right: at + 1, first: 0, last: mates.length - 1 }[where]];
	}
	if (to)
		select({ i: to.i, n: to.n });
}

/* --- The address: #v=1&z=ID.RUN&s=TEXT&i=1, and the way back --- */

function hash(i, above) {
	let h = i > 0 ? above : 0x811c9dc5;
	for (const c of (i > 0 ? '\x1f' : '') + names[name[i]])
		h = Math.imul(h ^ c.codePointAt(0), 16777619);
	return h;
}

function address(i) {
	const path = [];
	let h = 0;
	for (let a = i;; a = parent[a]) {
		path.push(a);
		if (a === 0)
			break;
	}
	while (path.length)
		h = hash(path.pop(), h);
	return (h >>> 0).toString(32);
}

function frameOf(text) {
	const made = new Int32Array(count);
	for (let i = 0; i < count; i++) {
		made[i] = hash(i, made[parent[i]]);
		if ((made[i] >>> 0).toString(32) === text)
			return i;
	}
	return 0;
}

function remember(step) {
	if (!alone)
		return;
	const parts = ['v=1'];
	if (view.i > 0)
		parts.push('z=' + address(view.i) + (view.n > 1 ? '.' + view.n : ''));
	if (query)
		parts.push('s=' + encodeURIComponent(query));
	if (icicle !== (meta.root === 'top'))
		parts.push('i=1');
	if (location.hash.split('&').includes('test') || location.hash === '#test')
		parts.push('test');
	try {
		history[step ? 'pushState' : 'replaceState'](step || history.state, '',
			'#' + parts.join('&'));
	} catch (e) {
		/* A frame without rights of its own has no address to keep things in. */
	}
}

function recall() {
	const at = {};
	if (alone)
		for (const part of location.hash.slice(1).split('&'))
			at[part.split('=')[0]] = part.slice(part.indexOf('=') + 1);
	const [z, n] = (at.z || '').split('.');
	const i = z ? frameOf(z) : 0;
	let run = 1;
	for (let next = end[i]; i > 0 && run < +n && next < end[parent[i]]; next = end[next])
		run++;
	icicle = (meta.root === 'top') !== (at.i === '1');
	zoom({ i, n: run }, true);
	try {
		search(decodeURIComponent(at.s || ''));
	} catch (e) {
		search('');
	}
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
		tip.setAttribute('display', 'none');
}

function click(event) {
	if (event.target.closest('foreignObject,.fg-head'))
		return;
	if (help.getAttribute('display') !== 'none') {
		toggleHelp();
		return;
	}
	const { box } = point(event);
	if (box)
		zoom(box);
	else
		zoomOut();
}

function escape() {
	if (help.getAttribute('display') !== 'none') {
		toggleHelp();
	} else if (query) {
		search('');
		remember(false);
	} else if (view.i > 0) {
		zoomOut();
	} else {
		select(null);
	}
	live.focus({ preventScroll: true });
}

const up = () => moveTo(icicle ? 'parent' : 'child');
const down = () => moveTo(icicle ? 'child' : 'parent');
const undo = () => history.state && history.back();
const find = () => { input.focus(); input.select(); };
const flip = () => { icicle = !icicle; paint(); remember(false); };
const home = () => {
	icicle = meta.root === 'top';
	sel = null;
	search('');
	zoom({ i: 0, n: 1 });
	remember(false);
};
const keys = {
	ArrowUp: up, ArrowDown: down,
	ArrowLeft: () => moveTo('left'), ArrowRight: () => moveTo('right'),
	Home: () => moveTo('first'), End: () => moveTo('last'),
	Enter: () => sel && zoom(sel), ' ': () => sel && zoom(sel),
	Escape: escape, '/': find, F3: find, '?': toggleHelp, i: flip, 0: home,
	n: () => nextMatch(1), N: () => nextMatch(-1),
	Backspace: undo, u: undo,
};

function key(event) {
	const typing = event.target === input, command = event.ctrlKey || event.metaKey;
	if (command && event.key === 'f' && !typing) {
		event.preventDefault();
		find();
		return;
	}
	if (command || event.altKey || (event.target.localName === 'button' &&
	    (event.key === 'Enter' || event.key === ' ')))
		return;
	if (typing && event.key === 'Enter') {
		search(input.value);
		remember(false);
		live.focus({ preventScroll: true });
		nextMatch(1);
	} else if (Object.hasOwn(keys, event.key) && (!typing || event.key === 'Escape')) {
		keys[event.key]();
	} else {
		return;
	}
	event.preventDefault();
}

read(svg.querySelector('metadata').textContent);
if (count === 0)
	return;
scale = +meta.scale;
sizes = meta.sizes ? meta.sizes.split(',').map(s => s.split(' '))
	.map(([unit, factor]) => ({ name: unit, factor: +factor })) : [];
build();
recall();
if (alone && !icicle)
	scrollTo(0, height);
paint();

const soon = f => {
	let asked = 0;
	return () => { asked = asked || requestAnimationFrame(() => { asked = 0; f(); }); };
};
svg.addEventListener('mousemove', hover);
svg.addEventListener('mouseleave', () => { over = null; tip.setAttribute('display', 'none'); mark(); });
svg.addEventListener('click', click);
(alone ? window : svg).addEventListener('keydown', key);
addEventListener('scroll', soon(paint), { passive: true });
addEventListener('resize', soon(resize));
addEventListener('popstate', recall);

if (/(^#|&)test(&|$)/.test(location.hash))
	window.__fg = {
		state: () => ({ view, query, icicle, sel, width, height, match: match.textContent }),
		frames: () => rows.flatMap(row => row || []).map(b => ({
			i: b.i, n: b.n, x: b.x, w: b.w, y: top(depth[b.i]), depth: depth[b.i],
			name: names[name[b.i]], total: weight(b) * scale, self: self[b.i] * scale,
			hidden: b.n > 1 ? stopOf(b) - b.i : 0, above: !!b.above, title: title(b),
		})),
		data: () => ({ name, parent, depth, end, self, total, start, names }),
		frameAt: (x, y) => { const b = boxAt(x, y); return b && { i: b.i, n: b.n, title: title(b) }; },
		zoom: (i, n) => zoom({ i, n: n || 1 }),
		search: text => { search(text); remember(false); },
		label,
	};
})();
