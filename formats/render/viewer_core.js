/* SPDX-License-Identifier: MIT */
/*
 * The part of the viewers that draws nothing: it reads the fg1 block, whose format is in
 * fg1.h, and knows where boxes stand, what they are called and what keys mean. script.c
 * puts it and a part that draws into one function; that part has alone, input, match and
 * span(), top(), boxAt(), paint(), resize(), glide(), reveal(), hideTip(), say(),
 * helpIsOpen() and toggleHelp().
 *
 *	frames    arrays by frame, in preorder; a subtree is [i, end[i])
 *	view      the frame, or the run of `n` siblings from `i` on, that fills the width
 *	rows      by depth: boxes {i, n, x, w} from left to right, in pixels; n > 1 is a
 *	          run of siblings that are too narrow to draw
 *
 * No quotes but single ones here, and \x20 in regular expressions: see script.h.
 */

const GROUP = 16;
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

const shown = text => text.replace(/\\(\\|x3e|x2f|x21|u\{([0-9A-F]+)\})/g, (all, what, code) =>
	code ? '<U+' + code + '>' : { x3e: '>', x2f: '/', x21: '!' }[what] || what);

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
	scale = +meta.scale;
	sizes = meta.sizes ? meta.sizes.split(',').map(s => s.split('\x20'))
		.map(([unit, factor]) => ({ name: unit, factor: +factor })) : [];
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

/* --- From frames to boxes --- */

let sel = null, over = null;
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

/* --- Searching --- */

let query = '', hitName = new Uint8Array(0), hits = new Uint32Array(0), found = [], marks = [], turn = -1;

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
	found = marks = [];
	match.textContent = '';
	if (!query)
		return;
	const stop = stopOf(view), wanted = n => hitName[n], v = range(view);
	const inView = outermost(view.i, stop, wanted), inAll = outermost(0, count, wanted);
	let own = 0;
	marks = inAll.list;
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
	say((turn + 1) + ' of ' + found.length);
}

/* --- Moving about --- */

function select(box) {
	sel = box;
	over = null;
	hideTip();
	if (box)
		reveal(boxOf(box.i));
	paint();
}

function zoom(to, quiet) {
	const before = range(view), old = view;
	view = { i: to.i, n: to.n };
	over = null;
	hideTip();
	if (sel && (sel.i < view.i || sel.i >= stopOf(view)))
		sel = null;
	resize();
	tell();
	if (!quiet && (old.i !== view.i || old.n !== view.n)) {
		glide(before);
		remember(true);
	}
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

/* --- Keys --- */

function escape() {
	if (helpIsOpen()) {
		toggleHelp();
	} else if (query) {
		search('');
		remember(false);
	} else if (view.i > 0) {
		zoomOut();
	} else {
		select(null);
	}
	focusTree();
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
		focusTree();
		nextMatch(1);
	} else if (Object.hasOwn(keys, event.key) && (!typing || event.key === 'Escape')) {
		keys[event.key]();
	} else {
		return;
	}
	event.preventDefault();
}

/* The name selected, whole, unless it is a text that is selected. */
function copy(event) {
	if (!sel || event.target === input || !getSelection().isCollapsed)
		return;
	event.clipboardData.setData('text/plain', sel.n > 1 ? title(sel) : names[name[sel.i]]);
	event.preventDefault();
}

const soon = f => {
	let asked = 0;
	return () => { asked = asked || requestAnimationFrame(() => { asked = 0; f(); }); };
};

/* What tests ask for, and nobody else: #test. */
function expose() {
	if (!/(^#|&)test(&|$)/.test(location.hash))
		return;
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
}
