// Scripts that would never end, take all memory or all of the stack, or reach for the host, each under its name: the body of a
// function. Each must end in an error of the service's form. Those that need an operation loop if it is not accepted, because
// their time is nearly over on a busy machine before they begin it.
//// a loop
for (;;);
//// a loop that catches
for (;;) { try { for (;;); } catch (e) {} finally { continue; } }
//// promises for ever
const again = () => Promise.resolve().then(again); again();
//// await for ever
(async () => { for (;;) await null; })();
//// a generator for ever
const g = function* () { for (;;) yield 1; }; [...g()];
//// callbacks for ever
const again = () => { if (!__.readDocuments(__.getSelfLink(), again)) for (;;); }; again();
//// pushing for ever
const a = []; for (;;) a.push({x: 'abc'});
//// doubling a string
let s = 'xxxxxxxx'; for (;;) s += s;
//// doubling an array
let a = [1, 2]; for (;;) a = a.concat(a);
//// doubling by spread
let a = [1, 2]; for (;;) a = [...a, ...a];
//// doubling by push
let a = [1, 2]; for (;;) a.push(...a);
//// repeat
'x'.repeat(1e12);
//// repeat of much
'x'.repeat(8e6).repeat(8e6);
//// padStart
'x'.padStart(1e12);
//// padEnd by valueOf
let n = 1; 'x'.padEnd({valueOf() { return (n *= 1e6); }}); 'x'.padEnd({valueOf() { return (n *= 1e6); }});
//// fill
new Array(4294967295).fill(0);
//// a sparse array
const a = []; a[4294967290] = 1; a.map(x => x); throw 1;
//// a sparse array, searched
const a = []; a.length = 4294967295; a.indexOf(1); throw 1;
//// a sparse array, spread
const a = []; a.length = 4294967295; [...a];
//// a sparse array, iterated
const a = []; const it = a[Symbol.iterator](); a.length = 4294967295; new Set({[Symbol.iterator]: () => it});
//// an array-like
Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1);
//// an array-like that grows
let n = 1; Array.prototype.forEach.call({get length() { return n *= 1e8; }}, x => x); Array.prototype.forEach.call({get length() { return n *= 1e8; }}, x => x);
//// a proxy of an array
Array.prototype.includes.call(new Proxy([], {get: (t, k) => k === 'length' ? 2 ** 53 - 1 : undefined}), 1);
//// Array.from
Array.from({length: 1e12});
//// join
new Array(1e9).join('xxxxxxxx');
//// join of one string
const s = 'x'.repeat(4e6); new Array(4e6).join(s);
//// toString of shared arrays
let a = ['x']; for (let i = 0; i < 60; i++) a = [a, a]; String(a);
//// a deep array as text
let a = []; for (let i = 0; i < 2e5; i++) a = [a]; String(a);
//// a deep array as JSON
let a = []; for (let i = 0; i < 2e5; i++) a = [a]; JSON.stringify(a);
//// a deep array as the answer
let a = []; for (let i = 0; i < 2e5; i++) a = [a]; __.response.setBody(a);
//// a deep array, flat
let a = []; for (let i = 0; i < 2e5; i++) a = [a]; a.flat(Infinity);
//// shared arrays, flat
let a = ['x']; for (let i = 0; i < 60; i++) a = [a, a]; a.flat(Infinity);
//// shared arrays as JSON
let a = ['x']; for (let i = 0; i < 60; i++) a = [a, a]; JSON.stringify(a);
//// toJSON for ever
JSON.stringify({toJSON() { for (;;); }});
//// the answer's toJSON
__.response.setBody({x: 1}); Object.prototype.toJSON = function () { for (;;); };
//// a deep text as JSON
JSON.parse('['.repeat(1e6));
//// replace by what is before
'x'.repeat(1e6).replace(/x/g, '$`');
//// replaceAll by much
'x'.repeat(4e6).replaceAll('x', 'y'.repeat(4e6));
//// Symbol.replace
/x/g[Symbol.replace]('x'.repeat(1e6), "$'");
//// a pattern that backtracks
/^(?=a)(a+)+$/.test('a'.repeat(64) + '!');
//// a long pattern
new RegExp('('.repeat(8e6));
//// concat of strings
const s = 'x'.repeat(8e6); s.concat.apply(s, new Array(1e4).fill(s));
//// many arguments
Math.max.apply(null, {length: 1e9});
//// many arguments by Reflect
Reflect.apply(Math.max, null, {length: 1e9});
//// many arguments to construct
Reflect.construct(Array, {length: 1e9});
//// an array buffer
new ArrayBuffer(1e12);
//// a typed array
new Uint8Array(1e12);
//// typed arrays
const a = []; for (;;) a.push(new Float64Array(1e6));
//// a typed array's constructor
new ((new Uint8Array(1)).constructor)(1e12);
//// recursion
const f = () => f(); f();
//// recursion that catches
const f = () => { try { f(); } catch (e) { f(); } }; f();
//// recursion through a built-in
const f = () => [1].forEach(f); f();
//// recursion by toString
const o = {toString() { return '' + this; }}; '' + o;
//// recursion by a getter
const o = {get x() { return this.x; }}; o.x;
//// a chain of proxies
let p = {}; for (;;) p = new Proxy(p, {}); 
//// a chain of proxies, used
let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x; throw 1;
//// a chain of prototypes
let p = {}; for (let i = 0; i < 2e5; i++) p = Object.create(p); p.x; throw 1;
//// a chain of bound functions
let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f(); throw 1;
//// sort for ever
[3, 2, 1].sort(() => { for (;;); });
//// a log for ever
for (;;) console.log('xxxxxxxxxxxxxxxxxxxxxxxx');
//// String.raw
String.raw({raw: {length: 2 ** 53 - 1}});
//// a hostile length as answer
__.response.setBody(new Array(4294967295));
//// typeof a big number
BigInt(2);
//// fromEntries for ever
Object.fromEntries({[Symbol.iterator]: () => ({next: () => ({done: false, value: [Math.random(), 1]})})});
//// a map for ever
new Map({[Symbol.iterator]: () => ({next: () => ({done: false, value: [Math.random(), 1]})})});
//// a generator that delegates to itself
function* g() { yield* g(); } g().next();
//// a generator that delegates to itself, caught
function* g() { yield* g(); } for (;;) try { g().next(); } catch (e) {}
//// doubling eight million characters
let s = 'x'.repeat(8e6); for (;;) s += s;
//// doubling eight million characters, flat
let s = 'x'.repeat(8e6); for (;;) { s += s; s.charCodeAt(0); }
//// a string of everything, kept
const a = []; let s = 'x'.repeat(1e6); for (;;) { a.push(s.slice(1) + s); }
//// template strings
let s = 'xxxxxxxx'; const a = []; for (;;) { s = `${s}${s}`; a.push(s.split('')); }
//// String.prototype.concat
let s = 'xxxxxxxx'; const a = []; for (;;) { s = s.concat(s, s); a.push([...s]); }
//// split into characters
const a = []; for (;;) a.push('x'.repeat(1e6).split(''));
//// padEnd in a loop
const a = []; for (let n = 1; ; n += 1e5) a.push('x'.padEnd(n, 'y'));
//// a replacement that grows
let s = 'x'.repeat(1000); for (;;) s = s.replace(/x/g, "$'$`$&");
//// replaceAll in a loop
let s = 'ab'; for (;;) s = s.replaceAll('a', 'aab');
//// normalize
const a = []; for (;;) a.push('\uFDFA'.repeat(1e5).normalize('NFKD'));
//// toUpperCase
const a = []; for (;;) a.push('\uFB03'.repeat(1e5).toUpperCase());
//// localeCompare in a sort
const s = 'x'.repeat(1e5); const a = []; for (let i = 0; i < 1e5; i++) a.push(s + i % 7); a.sort((x, y) => x.localeCompare(y)); throw 1;
//// encodeURIComponent
let s = '\u2028'.repeat(1e5); for (;;) s = encodeURIComponent(s);
//// escape
let s = '\u2028'.repeat(1e5); for (;;) s = escape(s);
//// Array of a length
const a = []; for (;;) a.push(Array(1e6).fill(0));
//// Array.of and spread of arguments
const f = (...a) => f(...a, ...a); f(1, 2, 3, 4);
//// apply of much
const a = []; for (let i = 0; i < 1e6; i++) a.push(i); Math.max.apply(null, a); String.fromCharCode(...a); for (;;);
//// copyWithin
const a = new Array(1e6).fill({}); for (;;) a.copyWithin(1, 0);
//// unshift
const a = []; for (;;) a.unshift(1, 2, 3, 4, 5, 6, 7, 8);
//// flatMap
let a = [1]; for (;;) a = a.flatMap(x => [x, x]);
//// reduce to objects
let o = {}; for (;;) o = Object.assign({}, o, {[Math.random()]: o});
//// object spread
let o = {a: 1}; for (let i = 0; ; i++) o = {...o, ['k' + i]: o};
//// Object.entries
const o = {}; for (let i = 0; i < 1e5; i++) o[i] = i; const a = []; for (;;) a.push(Object.entries(o));
//// Object.defineProperty for ever
const o = {}; for (let i = 0; ; i++) Object.defineProperty(o, 'p' + i, {get() { return i; }});
//// symbols for ever
const a = []; for (;;) a.push(Symbol('x'.repeat(1000)));
//// closures for ever
let f = () => 1; for (;;) { const g = f; f = () => g(); }
//// a set for ever
const s = new Set(); for (let i = 0; ; i++) s.add(i);
//// a map of maps
let m = new Map(); for (;;) m = new Map([[m, new Map([[m, m]])]]);
//// a weak map
const w = new WeakMap(), keep = []; for (;;) { const o = {}; keep.push(o); w.set(o, new Array(100).fill(0)); }
//// typed arrays, resized
const b = new ArrayBuffer(8, {maxByteLength: 2 ** 31}); for (let n = 8; ; n *= 2) b.resize(n);
//// a buffer, transferred
let b = new ArrayBuffer(1 << 20); for (;;) b = b.transfer(b.byteLength * 2);
//// a typed array, filled
const a = new Float64Array(1e6); for (;;) a.fill(Math.random()).sort();
//// a typed array from iteration
Float64Array.from({length: 2 ** 32}, Math.random);
//// JSON of an object that makes others
JSON.stringify({get a() { return {get a() { return this; }, b: this}; }, toJSON() { return {a: this}; }});
//// toJSON recursion
const o = {toJSON() { return {o: {toJSON: o.toJSON}}; }}; JSON.stringify(o);
//// a replacer that makes more
JSON.stringify({a: 1}, (k, v) => ({a: v, b: v}));
//// JSON with much indentation
let a = []; for (let i = 0; i < 5000; i++) a = [a]; for (;;) JSON.stringify(a, null, 10);
//// a long text as JSON
const s = '[' + '1,'.repeat(2e6) + '1]'; const a = []; for (;;) a.push(JSON.parse(s));
//// a reviver that makes more
const revive = (k, v) => k === '' ? v : JSON.parse('[1,2,3]', revive); JSON.parse('[1,2,3]', revive);
//// a pattern with huge quantifiers
new RegExp('(?:a{1000000}){1000000}').test('a'.repeat(1e6)); for (;;);
//// a pattern with nested quantifiers
/((a{0,100}){0,100}){0,100}b/.test('a'.repeat(1e4));
//// a pattern with backreferences
/(a*)*(\1)*(\1)*b/.test('a'.repeat(100));
//// a pattern with lookbehind
/(?<=(a+)+)b/.test('a'.repeat(1e5)); for (;;);
//// a pattern of alternatives
new RegExp('^(' + 'a|'.repeat(1e4) + 'a)*$').test('a'.repeat(1e4) + 'b'); for (;;);
//// a pattern, nested
new RegExp('('.repeat(1e5) + ')'.repeat(1e5));
//// matchAll for ever
for (;;) [...'a'.repeat(1e5).matchAll(/(?:)/g)];
//// split by a pattern
for (;;) 'a'.repeat(1e5).split(/(?:)/u);
//// sort by an evil comparator
const a = [...Array(1e5).keys()]; for (;;) a.sort(() => (a.push(1), Math.random() - 0.5));
//// a comparator that throws, for ever
for (;;) try { [3, 2, 1].sort(() => { throw 1; }); } catch (e) {}
//// a proxy in a loop
const p = new Proxy([], {get: (t, k) => k === 'length' ? 2 ** 53 - 1 : 1}); for (const x of p);
//// a proxy that is its own prototype
const p = new Proxy({}, {getPrototypeOf: () => p}); for (;;) p instanceof Object;
//// ownKeys of a proxy
const names = [...Array(1e5).keys()].map(String); for (;;) Reflect.ownKeys(new Proxy({}, {ownKeys: () => names}));
//// for in of a proxy
for (const k in new Proxy({}, {ownKeys: () => { for (;;); }}));
//// a getter that recurses
const o = {get x() { return o.x; }}; for (;;) try { o.x; } catch (e) {}
//// toString that recurses
const o = {toString: () => `${o}`}; for (;;) try { `${o}`; } catch (e) {}
//// valueOf that recurses
const o = {valueOf: () => +o}; +o;
//// Symbol.toPrimitive that recurses
const o = {[Symbol.toPrimitive]: () => o + ''}; o + '';
//// instanceof that recurses
class C { static [Symbol.hasInstance](x) { return x instanceof C; } } 1 instanceof C;
//// an iterator that never ends
const [...a] = {[Symbol.iterator]: () => ({next: () => ({})})};
//// an iterator that makes iterators
const it = () => ({[Symbol.iterator]: it, next: () => ({value: [...it()]})}); [...it()];
//// generators, many
const a = []; for (;;) { const g = (function* () { yield 1; })(); g.next(); a.push(g); }
//// async recursion
const f = async () => { await f(); }; f(); for (;;);
//// async generators
async function* g() { for (;;) yield* g(); } (async () => { for await (const x of g()); })(); for (;;);
//// promises that hold promises
let p = Promise.resolve(); const next = () => { p = p.then(next); for (let i = 0; i < 1000; i++) p.then(() => {}); }; next();
//// thenables
const t = {then(f) { f(t); }}; Promise.resolve(t);
//// Promise.all for ever
Promise.all({[Symbol.iterator]: () => ({next: () => ({value: 1, done: false})})});
//// finally that loops
(() => { for (;;) { try { return 1; } finally { continue; } } })();
//// labelled loops
outer: for (;;) { for (;;) { continue outer; } }
//// a switch in a loop
for (let i = 0; ; i ^= 1) switch (i) { case 0: continue; default: continue; }
//// recursion in a catch
const f = () => { try { f(); } finally { f(); } }; f();
//// recursion through sort
const f = () => [2, 1].sort(f); f();
//// recursion through replace
const f = () => 'x'.replace(/x/, f); f();
//// recursion through JSON.parse
const f = () => JSON.parse('[1]', f); f();
//// recursion through a class
class A { constructor() { new A(); } } new A();
//// recursion through Reflect
const f = () => Reflect.apply(f, null, []); f();
//// recursion through bind
let f = () => f.call.call(f); f();
//// recursion through a default
const f = (a = f()) => a; f();
//// recursion through a tag
const f = () => f``; f();
//// recursion through a spread
const f = () => [...{[Symbol.iterator]: f}]; f();
//// recursion through Proxy traps
const p = new Proxy({}, {get: (t, k, r) => r[k]}); p.x;
//// recursion of many locals
const f = new Array(200).fill(0).reduce((g, _, i) => (...a) => g(i, ...a), (...a) => f(...a)); f();
//// a long chain of prototypes
let o = null; for (;;) o = Object.create(o);
//// a linked list, freed
let a = null; for (let i = 0; i < 1e5; i++) a = {a}; a = null; for (;;);
//// a linked list of closures, freed
let f = null; for (let i = 0; i < 1e5; i++) { const g = f; f = () => g; } f = null; for (;;);
//// stacks of errors
Error.stackTraceLimit = 1e9; const f = n => n ? f(n - 1) : new Error('x').stack; const a = []; for (;;) a.push(f(500));
//// prepareStackTrace
Error.prepareStackTrace = (e, s) => { throw new Error('x'); }; Error.captureStackTrace({}); throw new Error('y');
//// a stack that is a getter
const e = new Error('x'); Object.defineProperty(e, 'stack', {get() { for (;;); }}); throw e;
//// a message that recurses
throw {toString() { return String(this); }};
//// a thrown proxy
throw new Proxy({}, {get() { throw 1; }});
//// a thrown function of much
throw Object.assign(() => 1, {toString: () => 'x'.repeat(1e6)});
//// a number that is none
throw {number: {valueOf() { for (;;); }}, toString: () => 'own'};
//// a date that loops
for (;;) new Date(8.64e15).toLocaleString();
//// Date.parse
for (;;) Date.parse('x'.repeat(1e5));
//// parseFloat
for (;;) parseFloat('1'.repeat(1e5));
//// Number.prototype.toString
for (;;) (2 ** 1000).toString(2);
//// Math.hypot of much
for (;;) Math.hypot(...Array(1e4).fill(1));
//// code of text
Function('for(;;);')();
//// code of text by a constructor
(async function* () {}).constructor('for(;;);')();
//// eval nested
eval('eval("eval(1)")');
//// eval, indirect
(0, eval)('1');
//// new.target
Reflect.construct(Function, ['for(;;);'], Object)();
//// setTimeout
setTimeout(() => {}, 1);
//// require
require('fs').readFileSync('/etc/passwd');
//// process
process.exit(1);
//// import
import('fs').then(() => __.response.setBody(1)).catch(e => getContext().abort(e));
//// import of the engine's own modules
import('qjs:std').then(() => __.response.setBody(1)).catch(e => getContext().abort(e));
//// std
std.loadFile('/etc/passwd');
//// os
os.exec(['ls']);
//// WebAssembly
new WebAssembly.Memory({initial: 65536});
//// Atomics.wait
Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0);
//// a worker
new Worker('x');
//// performance
performance.now();
//// BigInt by a constructor
for (let n = BigInt(2); ; ) n = n * n;
//// abort in a loop
for (;;) try { getContext().abort('enough'); } finally { continue; }
//// the log of a proxy
console.log(new Proxy({}, {get() { for (;;); }}));
//// a log of surrogates
for (;;) console.log('\ud800'.repeat(1e5));
//// appending for ever
for (;;) __.response.appendBody('xxxxxxxxxxxxxxxx');
//// a body with a getter
__.response.setBody({get a() { for (;;); }});
//// a body that grows in toJSON
const o = {}; o.toJSON = () => Array(1e7).fill(o); __.response.setBody({}); Object.prototype.toJSON = o.toJSON;
//// a body of very many values
__.response.setBody([]); const b = __.response.getBody(); for (let i = 0; i < 2e6; i++) b.push(0); for (;;);
//// operations for ever
for (;;) __.createDocument(__.getSelfLink(), {id: String(Math.random()), x: 'x'.repeat(1000)}, () => {});
//// an operation with a deep item
let a = {}; for (let i = 0; i < 1e4; i++) a = {a}; if (!__.createDocument(__.getSelfLink(), {id: 'a', a})) for (;;);
//// an operation with a getter that loops
if (!__.createDocument(__.getSelfLink(), {id: 'a', get x() { for (;;); }})) for (;;);
//// a filter that loops
__.filter(() => { for (;;); }); __.createDocument(__.getSelfLink(), {id: 'a'}); for (;;);
//// a link that loops
if (!__.readDocument({toString() { for (;;); }, endsWith() { for (;;); }})) for (;;);
//// options that loop
if (!__.readDocuments(__.getSelfLink(), {get pageSize() { for (;;); }})) for (;;);
//// a broken Array.prototype
for (const k of Object.getOwnPropertyNames(Array.prototype)) if (k !== 'length' && k !== 'constructor') Array.prototype[k] = () => { throw 1; }; __.createDocument(__.getSelfLink(), {id: 'a'}); throw 'broken';
//// setters on Array.prototype
for (let i = 0; i < 10; i++) Object.defineProperty(Array.prototype, i, {set() { for (;;); }, get() { return 1; }}); __.queryDocuments(__.getSelfLink(), 'x'); for (;;);
//// setters on Object.prototype
for (const k of ['error', 'kind', 'details', 'callback', 'Body', 'text', 'number', 'stack', 'args', 'missing']) Object.defineProperty(Object.prototype, k, {set() { throw 1; }, get() { return 1; }}); throw 'polluted';
//// a broken JSON
JSON.parse = JSON.stringify = () => { throw 1; }; throw 'no JSON';
//// a broken Promise
Promise.prototype.then = () => { for (;;); }; globalThis.Promise = null; (async () => { await 1; })(); throw 'no promises';
//// a broken String
String.prototype.slice = String.prototype.codePointAt = () => { for (;;); }; globalThis.String = () => { for (;;); }; console.log('x'); throw 'no strings';
//// a broken Error
globalThis.Error = function () { for (;;); }; Object.defineProperty(TypeError.prototype, 'message', {get() { for (;;); }}); null.x;
//// a broken Reflect
Reflect.apply = Reflect.construct = Function.prototype.call = Function.prototype.apply = () => { for (;;); }; throw 'no functions';
//// a broken Uint8Array
for (const k of Object.getOwnPropertyNames(Uint8Array.prototype.__proto__)) try { Uint8Array.prototype.__proto__[k] = () => { for (;;); }; } catch (e) {} console.log('x'); throw 'no arrays';
